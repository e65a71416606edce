"""The choice of a division's penalty rules, for pages of other rooms."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.access import Access
from league.core.forms import KeyedForm
from league.core.messages import in_language
from league.models import Division, OwnCatalogue, RuleSet
from league.rules.penalty_rules.forms import catalogue_choices, choose_from
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from scoring.infractions import Catalogue

OF_THE_RULES: Final = "rules"  # no published penalty rules have this slug


class CatalogueChoiceForm(KeyedForm):
    """A choice of penalty rules. ``seen``: the choice whose lost words the page has shown."""

    catalogue = forms.ChoiceField(label=_("Penalty rules"))
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
        choices: list[Any] = [
            (OF_THE_RULES, gettext("penalty rules of the rule set: %(name)s") % {"name": named})
        ]
        if self.own:
            choices.append(
                (gettext("The league’s own"), [(key, each.name) for key, each in self.own.items()])
            )
        choices.append((gettext("Published"), catalogue_choices()))
        choose_from(self, "catalogue", choices)
        choice = f"own:{rules.own_catalogue_id}" if rules.own_catalogue_id else rules.catalogue
        self.initial.setdefault("catalogue", choice or OF_THE_RULES)

    def values(self) -> dict[str, Any]:
        """Return ``slug`` and ``own``, both empty for those of the rule set."""
        choice = self.cleaned_data["catalogue"]
        slug = "" if choice in {OF_THE_RULES, *self.own} else choice
        return {"slug": slug, "own": self.own.get(choice)}

    @property
    def was_seen(self) -> bool:
        return bool(self.cleaned_data["seen"] == self.cleaned_data["catalogue"])


def choose_form(access: Access, division: Division, data: QueryDict | None = None) -> CatalogueChoiceForm:
    rules = division.rule_set
    return CatalogueChoiceForm(
        data,
        rules=rules,
        own=OwnCatalogue.objects.filter(league=access.competition.league_id),
        by_rules=penalty_rules_of(RuleSet(preset=rules.preset)).catalogue,
    )
