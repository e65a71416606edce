"""Rules on the forms of other rooms: the choice of rules, and every setting of a division."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.forms.boundfield import BoundWidget
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.core import messages
from league.models import League, RuleSet
from league.rules.rule_sets.forms.rule_set import Filled, RuleSettingsForm, RulesForm, filled_from
from league.rules.rule_sets.queries.house_rules import FIRST_CHOICE, edition_choice
from league.rules.rule_sets.readings import FIRST, SECOND, Reading, questions_of, same_value, switch_texts
from league.rules.rule_sets.services import copied_rules
from league.rules.rule_sets.words.editions import preset_name, rule_set_name
from league.rules.rule_sets.words.settings import setting_hint, tick_label
from scoring.presets import Preset, presets
from scoring.rules import SETTINGS, Rules, RulesError

CURRENT = "current"  # what a form was prefilled from, when that was not a preset
AT_ONCE = 4  # choices; the others are folded
USUAL = ("wrc-2025", "ema-2025", "hkma-a-2025-04", "mleague")
OWN, OTHERS = gettext_lazy("Own rules"), gettext_lazy("Others")
_BODIES = {
    "hkma": gettext_lazy("Hong Kong Mahjong Association"),
    "ema": gettext_lazy("European Mahjong Association"),
    "wrc": gettext_lazy("World Riichi Championship"),
    **dict.fromkeys(("mleague", "jpml", "saikouisen"), gettext_lazy("Professional leagues")),
    **dict.fromkeys(("tenhou", "mahjong"), pgettext_lazy("rule sets", "Online")),
}


def rules_form(data: QueryDict | None, stored: RuleSet) -> RulesForm:
    return RulesForm(data, filled=filled_from(stored))


def is_check(request: HttpRequest) -> bool:
    """Return True if the page's script only asks for the errors so far."""
    return request.method == "POST" and "HX-Request" in request.headers


def check_response(request: HttpRequest, form: RulesForm) -> HttpResponse:
    """Render the errors and differences of every setting. Nothing is saved."""
    form.is_valid()
    return render(request, "rule_sets/_check.html", {"form": form})


# --- which rules are played


@dataclass(frozen=True)
class RuleOption:
    """Rules that can be chosen: a preset, or an edition of a league's own rules."""

    key: str
    name: str
    summary: str  # start, return and place points
    preset: str
    values: Mapping[str, object]
    source: Preset | None = None  # of a preset alone: whose open questions are asked
    edition: RuleSet | None = None


def preset_options() -> dict[str, RuleOption]:
    return {
        preset.slug: RuleOption(
            preset.slug,
            messages.in_language(preset.name),
            messages.rules_summary(Rules.from_values(preset.values)),
            preset.slug,
            preset.values,
            preset,
        )
        for preset in presets()
    }


def edition_option(edition: RuleSet) -> RuleOption:
    name, summary = rule_set_name(edition), messages.rules_summary(edition.rules)
    values = edition.rules.as_values()
    return RuleOption(edition_choice(edition), name, summary, edition.preset, values, edition=edition)


class RuleChoiceForm(RuleSettingsForm):
    """The choice of rules with their settlement settings, prefilled from the chosen rules.

    A value that differs from the prefilled one is the organizer's change. Untouched fields follow other
    rules, also without script. ``proposed``: the key of the preselected rules, or an empty text for none.
    ``editions``: the league's own rules.
    """

    NAMES = tuple(name for name, setting in SETTINGS.items() if setting.group == "settlement")

    preset = forms.ChoiceField(label=gettext_lazy("Rules"), widget=forms.RadioSelect)
    prefilled = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)

    def __init__(
        self,
        *args: Any,
        proposed: str = FIRST_CHOICE,
        current: RuleSet | None = None,
        editions: Iterable[RuleSet] = (),
        **kwargs: Any,
    ) -> None:
        self.current = current
        self.current_values = current.rules.as_values() if current else None
        own = {option.key: option for option in map(edition_option, editions)}
        self.options = own | preset_options()
        chosen = self._valid_choice(proposed or FIRST_CHOICE)
        as_now = self.current_values is not None and chosen == self.initial_choice
        values = self.current_values if as_now else self.options[chosen].values
        initial = {"preset": proposed and chosen, "prefilled": CURRENT if as_now else chosen}
        super().__init__(
            *args, values=values or {}, **kwargs | {"initial": initial | kwargs.get("initial", {})}
        )
        choice = cast(forms.ChoiceField, self.fields["preset"])
        choice.choices = [(option.key, option.name) for option in self.options.values()]
        for name in self.NAMES:
            self.fields[name].label = tick_label(name)
            self.fields[name].help_text = setting_hint(name)
        for option in self.options.values():
            for index, number in self._chosen_before(option).items():
                self.fields[_input(option.key, index)] = forms.ChoiceField(
                    choices=[(str(FIRST), ""), (str(SECOND), "")], required=False, initial=str(number)
                )

    def _valid_choice(self, chosen: str) -> str:
        """Return the proposed rules, or the present ones, whose preset this release may lack."""
        if chosen in self.options or (self.current is not None and chosen == self.initial_choice):
            return chosen
        return self.initial_choice or (
            FIRST_CHOICE if FIRST_CHOICE in self.options else next(iter(self.options))
        )

    def _chosen_before(self, option: RuleOption) -> dict[int, int]:
        same = self.current_values is not None and option.key == self.initial_choice
        values = self.current_values if same and self.current_values else option.values
        return Filled(values, option.source, self._readings_of(option)).followed_texts

    def _readings_of(self, option: RuleOption) -> Sequence[Reading]:
        return self.current.readings if self.current and self.initial_choice == option.key else ()

    @property
    def initial_choice(self) -> str:
        """Return the key of the present rules, or an empty text."""
        if self.current is None:
            return ""
        return edition_choice(self.current) if self.current.book_id else self.current.preset

    @property
    def grouped_choices(self) -> dict[str, list[tuple[BoundWidget, RuleOption]]]:
        """Return body → choices. Those to show at once come first, under an empty text.

        The proposed choice comes first, and stays there if another one was chosen on a refused form.
        """
        radios = {str(radio.data["value"]): radio for radio in self["preset"]}
        own = [key for key, option in self.options.items() if option.edition]
        order = [key for key in (self["preset"].initial, *own, *USUAL, *self.options) if key in radios]
        groups: dict[str, list[tuple[BoundWidget, RuleOption]]] = {"": []}
        for position, key in enumerate(dict.fromkeys(order)):
            name, _dash, _edition = key.partition("-")
            body = OWN if key in own else _BODIES.get(name, OTHERS)
            heading = "" if position < AT_ONCE else str(body)
            groups.setdefault(heading, []).append((radios[key], self.options[key]))
        return groups

    @property
    def is_choice_folded(self) -> bool:
        """Return whether the chosen rules are not among those to show at once."""
        chosen = self["preset"].value()
        return bool(chosen) and all(option.key != chosen for _radio, option in self.grouped_choices[""])

    @property
    def settlement_fields(self) -> list[forms.BoundField]:
        return [bound for name in self.NAMES for bound in self.bound_fields(name)]

    @property
    def settlement_open(self) -> bool:
        return any(map(self.is_refused, self.NAMES))

    @property
    def prefills_json(self) -> str:
        return json.dumps({key: self.initial_of(each.values) for key, each in self.options.items()})

    @cached_property
    def open_questions(self) -> list[dict[str, Any]]:
        asked_options = []
        for option in self.options.values():
            inputs = [_input(option.key, index) for index in range(len(questions_of(option.source)))]
            if questions := self.ask(option.source, self._readings_of(option), inputs):
                label = preset_name(option.preset)
                asked_options.append({"key": option.key, "label": label, "questions": questions})
        return asked_options

    # --- what was chosen

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "preset" in cleaned and not self.settlement_open:
            try:
                Rules.from_values(self.settings())
            except RulesError as error:
                for problem in error.problems:
                    self.refuse(problem)
        return cleaned

    def refuse_rules_of_another_league(self, league: League | None) -> None:
        chosen = self.options.get(self.cleaned_data.get("preset", ""))
        book = chosen.edition.book if chosen and chosen.edition else None
        if book is not None and (league is None or book.league_id != league.pk):
            self.add_error("preset", _("These rules belong to another league. Choose others."))

    @property
    def option(self) -> RuleOption:
        return self.options[self.cleaned_data["preset"]]

    def overrides(self) -> dict[str, object]:
        """Return the organizer's changes in JSON, over the values of the chosen readings."""
        before, typed = self._prefilled_values(), self.read_typed()
        as_it_was = {name for name, v in typed.items() if v is None and not SETTINGS[name].nullable}
        changed = {
            name: value
            for name, value in typed.items()
            if name not in as_it_was and not same_value(name, value, before.get(name))
        }
        source = self.option.source
        texts = switch_texts(source, self._chosen_before(self.option), self.chosen_texts()) if source else {}
        return texts | changed

    def chosen_texts(self) -> dict[int, int]:
        """Return question → number of the chosen text."""
        before = self._chosen_before(self.option)
        typed = {index: self.cleaned_data.get(_input(self.option.key, index)) for index in before}
        return {index: int(typed[index] or number) for index, number in before.items()}

    def stored_values(self) -> Mapping[str, object]:
        """Return the values that the overrides change: the stored ones if the choice is the same."""
        return self.stored_rules.rules.as_values() if self.stored_rules else self.option.values

    @property
    def stored_rules(self) -> RuleSet | None:
        """Return the stored rules of the choice: the present ones, or an edition."""
        same = self.current is not None and self.cleaned_data["preset"] == self.initial_choice
        return self.current if same else self.option.edition

    def settings(self) -> dict[str, object]:
        return {**self.stored_values(), **self.overrides()}

    def rule_set(self, *, by: User) -> RuleSet:
        """Return the chosen edition if it is unchanged, or an unsaved copy."""
        if self.option.edition is not None and not self.overrides():
            return self.option.edition
        return copied_rules(
            self.option.preset,
            self.settings(),
            edition=self.stored_rules.edition if self.stored_rules else None,
            texts=self.chosen_texts() if self.option.source else None,
            before=self.stored_rules.readings if self.stored_rules else (),
            by=by,
        )

    def _prefilled_values(self) -> Mapping[str, object]:
        source = self.cleaned_data.get("prefilled")
        if source == CURRENT and self.current_values is not None:
            return self.current_values
        return self.options.get(source or "", self.option).values


def _input(key: str, index: int) -> str:
    return f"reading-{key}-{index}"
