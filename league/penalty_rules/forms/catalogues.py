"""The forms of a league's own catalogue: its name and the catalogue that it extends."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.forms import KeyedForm, TidyCharField
from league.core.messages import in_language
from league.penalty_rules.services import LONGEST_CODE
from league.penalty_rules.words.catalogues import offences_count
from scoring.infractions import Catalogue, catalogues


class CatalogueForm(KeyedForm):
    """A new catalogue."""

    name = TidyCharField(label=_("Name of the penalty rules"), max_length=120)
    base = forms.ChoiceField(
        label=pgettext_lazy("label", "Extends"),
        help_text=_(
            "Your penalty rules contain all entries and levels of these. You can add entries and change "
            "penalties."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_from(self, "base", catalogue_choices())


class RenameForm(KeyedForm):
    name = TidyCharField(label=_("Name of the penalty rules"), max_length=120)


class CodeForm(KeyedForm):
    """A button about one entry."""

    code = forms.CharField(max_length=LONGEST_CODE, widget=forms.HiddenInput)


class SupersedeForm(CodeForm):
    by_code = forms.ChoiceField(label=_("Replacement entry"))

    def __init__(self, *args: Any, catalogue: Catalogue, code: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_from(
            self,
            "by_code",
            [
                (each.code, f"{each.code} {in_language(each.names)}")
                for each in catalogue.infractions.values()
                if each.code != code and not each.superseded_by
            ],
        )


def catalogue_choices() -> list[tuple[str, str]]:
    """The published catalogues with how much is in them."""
    return [
        (each.slug, f"{in_language(each.names)} · {offences_count(len(each.infractions))}")
        for each in catalogues()
    ]


def choose_from(form: forms.Form, name: str, choices: Iterable[Any]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)
