"""A rule book and its settlement settings as a form, prefilled from the book."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league import messages
from league.forms.base import KeyedForm
from league.rule_words import choice_words, setting_label
from scoring.kinds import number_of
from scoring.presets import Preset, preset, presets, resolve
from scoring.rules import SETTINGS, Rules, RulesError
from scoring.units import parse_score

FIRST_CHOICE = "hkma-a-2025-04"  # chosen on the form of whoever has no league yet
CURRENT = "current"  # what a form was prefilled from, when that was no preset
NUMBER_SEPARATORS = re.compile(r"[\s/,，、|]+")


class NumbersField(forms.CharField):
    """Four scores in one line, "30 10 -10 -30" or "+30/+10/▲10/▲30", as the JSON of a rule set has them."""

    def clean(self, value: object) -> Any:
        text = super().clean(value)
        return _four_scores(text) if text else None


def _score(text: str) -> int | float:
    try:
        return number_of(parse_score(text))
    except ValueError:
        raise ValidationError(
            _("“%(text)s” is no score with at most one decimal, such as 30 or -7.5."), params={"text": text}
        ) from None


def _four_scores(text: str) -> list[int | float]:
    found = [_score(part) for part in NUMBER_SEPARATORS.split(text.strip()) if part]
    if len(found) != 4:
        raise ValidationError(
            _("Type four numbers, first place first: 30 10 -10 -30. There are %(count)s here."),
            params={"count": len(found)},
        )
    return found


class OkaField(forms.CharField):
    """A score, or "auto"."""

    def clean(self, value: object) -> Any:
        text = super().clean(value).strip()
        if text.casefold() in {"", "auto", gettext("auto").casefold()}:
            return "auto" if text else None
        return _score(text)


class FloatingField(forms.CharField):
    """Lines such as "1: 12 -1 -3 -8": how many are at or above the start, and the four place points."""

    widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})

    def clean(self, value: object) -> Any:
        rows: dict[str, list[int | float]] = {}
        for line in super().clean(value).splitlines():
            if not line.strip():
                continue
            count, colon, scores = unicodedata.normalize("NFKC", line).partition(":")
            if not colon or count.strip() not in {"0", "1", "2", "3", "4"} or count.strip() in rows:
                raise ValidationError(
                    _("Begin each line with a number of players from 0 to 4, once each: 1: 12 -1 -3 -8")
                )
            rows[count.strip()] = _four_scores(scores)
        return rows or None


class SettlementForm(KeyedForm):
    """A rule book and the settlement settings, prefilled from it.

    What differs from what was prefilled is what the organizer changed: so another rule book can be chosen
    without script, and untouched fields follow it.
    """

    SETTLEMENT = tuple(name for name, setting in SETTINGS.items() if setting.group == "settlement")

    preset = forms.ChoiceField(label=_("Rules"), widget=forms.RadioSelect)
    prefilled = forms.CharField(widget=forms.HiddenInput, required=False, max_length=40)
    start_points = forms.IntegerField(required=False)
    return_points = forms.IntegerField(
        required=False,
        help_text=_("A player with this many points scores 0 before uma."),
    )
    uma = NumbersField(
        required=False,
        max_length=80,
        help_text=_("First to fourth place, without oka: 30 10 -10 -30."),
    )
    oka = OkaField(
        required=False,
        max_length=20,
        help_text=_("Goes to the first place. “auto”: four times return minus start."),
    )
    floating_uma = FloatingField(
        required=False,
        max_length=600,
        help_text=_(
            "If uma depends on how many players are at or above the start, one line each: 1: 12 -1 -3 -8"
        ),
    )
    tie_rule = forms.ChoiceField(required=False)
    split_remainder = forms.ChoiceField(required=False)
    rounding = forms.ChoiceField(required=False)
    leftover_sticks = forms.ChoiceField(required=False)
    unbalanced = forms.BooleanField(
        label=_("Our club plays so: uma and oka need not balance start and return"),
        required=False,
        help_text=_("Tables then do not sum to zero; every page that shows it says so."),
    )

    def __init__(
        self,
        *args: Any,
        chosen: str = FIRST_CHOICE,
        current: Mapping[str, object] | None = None,
        **kwargs: Any,
    ) -> None:
        self.current = current
        if current is None and chosen not in {each.slug for each in presets()}:
            chosen = FIRST_CHOICE  # a division may have the values of a preset that this release lacks
        prefilled = {
            "preset": chosen,
            "prefilled": CURRENT if current else chosen,
            **settlement_initial(current or preset(chosen).values),
        }
        super().__init__(*args, **kwargs | {"initial": prefilled | kwargs.get("initial", {})})
        choice = cast(forms.ChoiceField, self.fields["preset"])
        choice.choices = [(each.slug, preset_label(each)) for each in presets()]
        for name in self.SETTLEMENT:
            if name != "unbalanced":
                self.fields[name].label = setting_label(name)
            if SETTINGS[name].kind == "choice":
                found = [(str(code), capfirst(choice_words(name, code))) for code in SETTINGS[name].choices]
                cast(forms.ChoiceField, self.fields[name]).choices = found
        for name in ("start_points", "return_points"):
            self.fields[name].widget.attrs |= {"step": 100, "inputmode": "numeric"}

    @property
    def settlement_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.SETTLEMENT]

    @property
    def settlement_open(self) -> bool:
        """Show the settings at once: one of them has an error, or was changed before."""
        return any(self[name].errors for name in self.SETTLEMENT)

    @property
    def prefills_json(self) -> str:
        """What each rule book would fill in, for the script that does it when another one is chosen."""
        return json.dumps({each.slug: settlement_initial(each.values) for each in presets()})

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if "preset" in cleaned and not any(name in self.errors for name in self.SETTLEMENT):
            try:
                self.rules()
            except RulesError as error:
                for problem in error.problems:
                    name = problem.setting if problem.setting in self.fields else None
                    self.add_error(name, messages.rule_problem(problem))
        return cleaned

    def overrides(self) -> dict[str, object]:
        """The settings that the organizer changed, JSON-shaped."""
        before = self._prefilled_values()
        typed = {name: self.cleaned_data[name] for name in self.SETTLEMENT}
        blank_means_as_it_was = {n for n, v in typed.items() if v in (None, "") and n != "floating_uma"}
        return {
            name: value
            for name, value in typed.items()
            if name not in blank_means_as_it_was and value != before.get(name)
        }

    def kept_values(self) -> Mapping[str, object] | None:
        """The stored values that the overrides change, as long as the rule book stays the same."""
        same = self.current is not None and self.cleaned_data["preset"] == self.initial["preset"]
        return self.current if same else None

    def rules(self) -> Rules:
        return resolve(self.cleaned_data["preset"], self.overrides(), self.kept_values())

    def _prefilled_values(self) -> Mapping[str, object]:
        source = self.cleaned_data.get("prefilled")
        if source == CURRENT and self.current is not None:
            return self.current
        known = {each.slug: each for each in presets()}
        return known.get(source or "", known[self.cleaned_data["preset"]]).values


def preset_label(each: Preset) -> str:
    """The rule book's name and its numbers: … · 30,000 / 35,000 · +50/+10/−10/−30."""
    summary = messages.rules_summary(Rules.from_values(each.values))
    return f"{messages.in_language(each.name)} · {summary}"


def settlement_initial(values: Mapping[str, Any]) -> dict[str, Any]:
    """JSON-shaped values as the form's fields hold them."""
    floating = values["floating_uma"] or {}
    lines = [f"{count}: {_plain_scores(row)}" for count, row in floating.items()]
    return {name: values.get(name, False) for name in SettlementForm.SETTLEMENT} | {
        "uma": _plain_scores(values["uma"]),
        "floating_uma": "\n".join(lines),
    }


def _plain_scores(scores: Iterable[object]) -> str:
    return " ".join(str(score) for score in scores)
