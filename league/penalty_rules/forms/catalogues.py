"""The forms of a league's own catalogue: its name and the book that it extends; and which one a division
plays by. Entries are another module's (``catalogue_entries``).
"""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField
from league.core.messages import in_language
from league.models import OwnCatalogue, RuleSet
from league.penalty_rules.services import LONGEST_CODE
from league.penalty_rules.words import offences_count
from scoring.infractions import Catalogue, catalogues

OF_THE_RULES: Final = "rules"  # no book has this slug


class CatalogueForm(KeyedForm):
    """A new catalogue."""

    name = TidyCharField(label=_("Name of the catalogue"), max_length=120)
    base = forms.ChoiceField(
        label=_("It extends"),
        help_text=_(
            "All entries and levels of this book are in yours; you add entries and change what one costs."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_from(self, "base", book_choices())


class RenameForm(KeyedForm):
    name = TidyCharField(label=_("Name of the catalogue"), max_length=120)


class CodeForm(KeyedForm):
    """A button about one entry."""

    code = forms.CharField(max_length=LONGEST_CODE, widget=forms.HiddenInput)


class SupersedeForm(CodeForm):
    by_code = forms.ChoiceField(label=_("The entry that takes its place"))

    def __init__(self, *args: Any, book: Catalogue, code: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choose_from(
            self,
            "by_code",
            [
                (each.code, f"{each.code} {in_language(each.names)}")
                for each in book.infractions.values()
                if each.code != code and not each.superseded_by
            ],
        )


class ChooseForm(KeyedForm):
    """Which catalogue a division plays by: the rule set's, another published one, or one of the league's own.
    Clean: ``slug`` and ``chosen_own``, both empty for the rule set's. ``seen``: the choice of which the page
    has told what logged penalties name that it lacks.
    """

    catalogue = forms.ChoiceField(label=_("Catalogue of offences"))
    seen = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        rules: RuleSet,
        own: Iterable[OwnCatalogue],
        by_rules: Catalogue | None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.own = {f"own:{each.pk}": each for each in own}
        named = in_language(by_rules.names) if by_rules else gettext("none")
        choices: list[Any] = [(OF_THE_RULES, gettext("that of the rule set: %(name)s") % {"name": named})]
        if self.own:
            choices.append(
                (gettext("The league's own"), [(key, each.name) for key, each in self.own.items()])
            )
        choices.append((gettext("Published"), book_choices()))
        choose_from(self, "catalogue", choices)
        chosen = f"own:{rules.own_catalogue_id}" if rules.own_catalogue_id else rules.catalogue
        self.initial.setdefault("catalogue", chosen or OF_THE_RULES)

    @property
    def slug(self) -> str:
        chosen: str = self.cleaned_data["catalogue"]
        return "" if chosen in {OF_THE_RULES, *self.own} else chosen

    @property
    def chosen_own(self) -> OwnCatalogue | None:
        return self.own.get(self.cleaned_data["catalogue"])

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data["seen"] == self.cleaned_data["catalogue"])


def book_choices() -> list[tuple[str, str]]:
    """The published books with how much is in them."""
    return [
        (each.slug, f"{in_language(each.names)} · {offences_count(len(each.infractions))}")
        for each in catalogues()
    ]


def choose_from(form: forms.Form, name: str, choices: Iterable[Any]) -> None:
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)
