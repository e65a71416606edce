"""Constraints for choices, which Django checks in forms only."""

from django.db import models
from django.db.models import CheckConstraint, Field, Q
from django.utils.translation import gettext_lazy as _


def constrain_choices(model: type[models.Model]) -> None:
    meta = model._meta
    found = [_one_of_its_choices(meta.model_name, field) for field in meta.local_fields if field.choices]
    # Migrations copy the options that the model's own Meta names.
    meta.constraints = meta.original_attrs["constraints"] = [*meta.constraints, *found]


def _one_of_its_choices(model: str | None, field: "Field[object, object]") -> CheckConstraint:
    values = [value for value, _label in field.flatchoices]
    return CheckConstraint(
        condition=Q(**{f"{field.name}__in": [*([""] if field.blank else []), *values]}),
        name=f"{model}_{field.name}_is_one_of_its_choices",
        violation_error_message=_("Choose one of the listed values."),
    )
