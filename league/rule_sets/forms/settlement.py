"""Which rules are played, and their settlement settings, prefilled from them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core import messages
from league.core.forms import KeyedForm
from league.core.text import listed
from league.models import RuleSet
from league.rule_sets.forms.fields import HELP, TICKS, fields_of, initial_of, names_of, read_setting
from league.rule_sets.forms.rule_set import AskedText, asked_texts
from league.rule_sets.queries.rule_sets import preset_values
from league.rule_sets.services import copied_rules
from league.rule_sets.source_choices import (
    FIRST,
    SECOND,
    Record,
    chosen_in,
    questions_of,
    same_value,
    switched,
)
from league.rule_sets.words.editions import Chooser, choosers, preset_name
from league.rule_sets.words.problems import rule_problem
from league.rule_sets.words.settings import setting_explanation, setting_label
from scoring.presets import Conflict, Preset, presets
from scoring.rules import SETTINGS, Rules, RulesError

FIRST_CHOICE = "hkma-a-2025-04"  # chosen on the form of whoever has no league yet
CURRENT = "current"  # what a form was prefilled from, when that was no preset


@dataclass(frozen=True)
class Option:
    """Rules that can be chosen: a preset, or an edition of a league's own rules."""

    key: str
    label: str
    preset: str
    values: Mapping[str, object]
    source: Preset | None = None  # of a preset alone: whose open questions are asked
    edition: RuleSet | None = None


def preset_options() -> dict[str, Option]:
    return {
        each.slug: Option(each.slug, preset_label(each), each.slug, preset_values(each.slug), each)
        for each in presets()
    }


def edition_key(edition: RuleSet) -> str:
    """An edition as a choice in a form."""
    return f"own:{edition.pk}"


def edition_option(edition: RuleSet) -> Option:
    label = _("%(book)s, edition %(number)s · %(summary)s") % {
        "book": edition.book.name if edition.book else "",
        "number": edition.number,
        "summary": messages.rules_summary(edition.rules),
    }
    return Option(
        edition_key(edition), label, edition.preset, edition.rules.as_values(), source=None, edition=edition
    )


@dataclass(frozen=True)
class PresetQuestion:
    """A question that a preset leaves open, as the form asks it."""

    name: str  # of the input
    conflict: Conflict
    about: str
    texts: list[AskedText]
    chooser: Chooser | None


@dataclass(frozen=True)
class Asked:
    """All questions of one preset."""

    key: str
    label: str
    questions: list[PresetQuestion]


class SettlementForm(KeyedForm):
    """Which rules are played, and the settlement settings, prefilled from them.

    What differs from what was prefilled is what the organizer changed: so other rules can be chosen without
    script, and untouched fields follow them. Where the sources of a preset contradict each other, the other
    text can be chosen; ``editions`` are the league's own rules.
    """

    SETTLEMENT = tuple(name for name, setting in SETTINGS.items() if setting.group == "settlement")

    preset = forms.ChoiceField(label=gettext_lazy("Rules"), widget=forms.RadioSelect)
    prefilled = forms.CharField(widget=forms.HiddenInput, required=False, max_length=60)

    def __init__(
        self,
        *args: Any,
        chosen: str = FIRST_CHOICE,
        current: RuleSet | None = None,
        editions: Iterable[RuleSet] = (),
        **kwargs: Any,
    ) -> None:
        self.current = current
        self.current_values = current.rules.as_values() if current else None
        own = {option.key: option for option in map(edition_option, editions)}
        self.options = own | preset_options()
        chosen = self._known(chosen)
        as_now = self.current_values is not None and chosen == self.initial_choice
        start = self.current_values if as_now else self.options[chosen].values
        prefilled = {
            "preset": chosen,
            "prefilled": CURRENT if as_now else chosen,
            **settlement_initial(start or {}),
        }
        super().__init__(*args, **kwargs | {"initial": prefilled | kwargs.get("initial", {})})
        choice = cast(forms.ChoiceField, self.fields["preset"])
        choice.choices = [(option.key, option.label) for option in self.options.values()]
        for name in self.SETTLEMENT:
            made = fields_of(name)
            made[name].label = str(TICKS.get(name, setting_label(name)))
            made[name].help_text = str(HELP.get(name, "") or setting_explanation(name))
            self.fields |= made
        for option in self.options.values():
            for index, number in self._recorded(option).items():
                self.fields[_question(option.key, index)] = forms.ChoiceField(
                    choices=[(str(FIRST), ""), (str(SECOND), "")], required=False, initial=str(number)
                )

    def _known(self, chosen: str) -> str:
        """What is proposed, if it is there. A division may have the values of a preset that this release
        lacks: then nothing is chosen yet.
        """
        if chosen in self.options or (self.current is not None and chosen == self.initial_choice):
            return chosen
        return self.initial_choice or (
            FIRST_CHOICE if FIRST_CHOICE in self.options else next(iter(self.options))
        )

    def _recorded(self, option: Option) -> dict[int, int]:
        """Which text is followed in each contradiction of a preset, before anything is chosen here."""
        records, asked = self._records_of(option.key), enumerate(questions_of(option.source))
        same = self.current_values is not None and option.key == self.initial_choice
        values = self.current_values if same and self.current_values else option.values
        return {index: chosen_in(each, records, values) for index, each in asked}

    def _records_of(self, key: str) -> Sequence[Record]:
        return self.current.readings if self.current and self.initial_choice == key else ()

    @property
    def initial_choice(self) -> str:
        """What is played now, or is proposed."""
        if self.current is None:
            return ""
        return edition_key(self.current) if self.current.book_id else self.current.preset

    @property
    def settlement_fields(self) -> list[forms.BoundField]:
        return [self[full] for name in self.SETTLEMENT for full in names_of(name)]

    @property
    def settlement_open(self) -> bool:
        """Show the settings at once: one of them has an error."""
        return any(bound.errors for bound in self.settlement_fields)

    @property
    def prefills_json(self) -> str:
        """What each rule book would fill in, for the script that does it when another one is chosen."""
        return json.dumps({key: settlement_initial(each.values) for key, each in self.options.items()})

    @cached_property
    def asked(self) -> list[Asked]:
        """The questions of every preset that has any."""
        found = (
            (option, self._questions(option)) for option in self.options.values() if option.source is not None
        )
        return [Asked(option.key, preset_name(option.preset), asked) for option, asked in found if asked]

    def _questions(self, option: Option) -> list[PresetQuestion]:
        asked = questions_of(option.source)
        by = choosers(asked, self._records_of(option.key))
        return [
            self._asked(option, index, conflict, chooser)
            for index, (conflict, chooser) in enumerate(zip(asked, by, strict=True))
        ]

    def _asked(
        self, option: Option, index: int, conflict: Conflict, chooser: Chooser | None
    ) -> PresetQuestion:
        name = _question(option.key, index)
        now = str(self[name].value() or self._recorded(option)[index])
        about = listed(setting_label(each) for each in conflict.settings)
        return PresetQuestion(name, conflict, about, asked_texts(conflict, now), chooser)

    # --- what was chosen

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "preset" in cleaned and not any(bound.errors for bound in self.settlement_fields):
            try:
                self.rules()
            except RulesError as error:
                for problem in error.problems:
                    name = problem.setting if problem.setting in self.fields else None
                    self.add_error(name, rule_problem(problem))
        return cleaned

    @property
    def option(self) -> Option:
        return self.options[self.cleaned_data["preset"]]

    def overrides(self) -> dict[str, object]:
        """The settings that the organizer changed, JSON-shaped; last, what the chosen texts say."""
        before = self._prefilled_values()
        typed = {name: read_setting(name, self.cleaned_data) for name in self.SETTLEMENT}
        as_it_was = {name for name, v in typed.items() if v is None and not SETTINGS[name].nullable}
        changed = {
            name: value
            for name, value in typed.items()
            if name not in as_it_was and not same_value(name, value, before.get(name))
        }
        return self._texts_chosen() | changed

    def chosen(self) -> dict[int, int]:
        """Which text was chosen in each contradiction of the preset that was chosen."""
        before = self._recorded(self.option)
        typed = {index: self.cleaned_data.get(_question(self.option.key, index)) for index in before}
        return {index: int(typed[index] or number) for index, number in before.items()}

    def _texts_chosen(self) -> dict[str, object]:
        source = self.option.source
        return switched(source, self._recorded(self.option), self.chosen()) if source else {}

    def kept_values(self) -> Mapping[str, object]:
        """The values that the overrides change: the stored ones as long as the choice stays the same."""
        return self.kept.rules.as_values() if self.kept else self.option.values

    @property
    def kept(self) -> RuleSet | None:
        """The stored rules that are chosen, to be changed or not: the present ones, or an edition."""
        same = self.current is not None and self.cleaned_data["preset"] == self.initial_choice
        return self.current if same else self.option.edition

    def values(self) -> dict[str, object]:
        """Every setting, JSON-shaped."""
        return {**self.kept_values(), **self.overrides()}

    def rules(self) -> Rules:
        return Rules.from_values(self.values())

    def rule_set(self, *, by: User) -> RuleSet:
        """The edition that was chosen, if nothing in it was changed; else a copy, not saved yet."""
        if self.option.edition is not None and not self.overrides():
            return self.option.edition
        return copied_rules(
            self.option.preset,
            self.values(),
            edition=self.kept.edition if self.kept else None,
            chosen=self.chosen() if self.option.source else None,
            before=self.kept.readings if self.kept else (),
            by=by,
        )

    def _prefilled_values(self) -> Mapping[str, object]:
        source = self.cleaned_data.get("prefilled")
        if source == CURRENT and self.current_values is not None:
            return self.current_values
        return self.options.get(source or "", self.option).values


def _question(key: str, index: int) -> str:
    """The name of the input that asks a contradiction."""
    return f"reading-{key}-{index}"


def preset_label(each: Preset) -> str:
    """The rule book's name and its numbers: … · 30,000 / 35,000 · +50/+10/−10/−30."""
    summary = messages.rules_summary(Rules.from_values(each.values))
    return _("%(name)s · %(summary)s") % {"name": messages.in_language(each.name), "summary": summary}


def settlement_initial(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON-shaped values as the form's fields hold them."""
    held: dict[str, Any] = {}
    for name in SettlementForm.SETTLEMENT:
        held |= initial_of(name, values.get(name, SETTINGS[name].default))
    return held
