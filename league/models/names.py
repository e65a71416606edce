"""Names of divisions and stages. The product's own names are shown in the reader's language."""

from functools import cache
from typing import TYPE_CHECKING, Any, Self, overload

from django.conf import settings
from django.db import models
from django.db.models.query_utils import DeferredAttribute
from django.utils.translation import gettext, gettext_noop, override

if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
else:
    _CharField = models.CharField

FIRST_DIVISION = gettext_noop("Main")
FIRST_STAGE = gettext_noop("Regular season")
FIRST_STAGE_OF_TOURNAMENT = gettext_noop("Main event")
FIRST_STAGE_OF_CLUB = gettext_noop("Club nights")
GIVEN = (FIRST_DIVISION, FIRST_STAGE, FIRST_STAGE_OF_TOURNAMENT, FIRST_STAGE_OF_CLUB)


@cache
def _names_by_translation() -> dict[str, str]:
    """Map every translation of the product's names to the name."""
    given: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            given |= {gettext(name): name for name in GIVEN}
    return given


def as_stored(row: Any, field: str) -> Any:
    """Return the stored value, where `getattr` returns the reader's word for it."""
    return row.__dict__[field] if field in getattr(row, "__dict__", {}) else getattr(row, field)


def is_given(row: Any) -> bool:
    """Return True if the product has named this division or stage."""
    return as_stored(row, "name") in _names_by_translation()


class _ReadersWord(DeferredAttribute):
    @overload
    def __get__(self, instance: None, cls: type[models.Model] | None = None) -> Self: ...
    @overload
    def __get__(self, instance: models.Model, cls: type[models.Model] | None = None) -> str: ...
    def __get__(self, instance: models.Model | None, cls: type[models.Model] | None = None) -> "Self | str":
        if instance is None:
            return self
        stored: str = super().__get__(instance, cls)
        given = _names_by_translation().get(stored)
        return gettext(given) if given else stored

    def __set__(self, instance: models.Model, value: str) -> None:
        instance.__dict__[self.field.attname] = value


class GivenName(_CharField):
    """Text that reads as its translation if it is one of the product's names. Writing stores it unchanged."""

    descriptor_class = _ReadersWord

    def deconstruct(self) -> Any:
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        return as_stored(model_instance, self.attname)

    def value_from_object(self, obj: models.Model) -> Any:
        return as_stored(obj, self.attname)

    def clean(self, value: Any, model_instance: models.Model | None) -> Any:
        unchanged = model_instance is not None and value == getattr(model_instance, self.attname)
        return super().clean(as_stored(model_instance, self.attname) if unchanged else value, model_instance)
