"""All settings of a rule set as one form: filled from a rule set, checked as a whole, with what it changes.

Where the sources of the preset contradict each other, the form asks which text is followed. Another text
brings its values along, except into settings in which the organizer typed something else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField
from league.core.text import listed
from league.models import RuleSet
from league.rule_sets.forms.fields import HELP, TICKS, fields_of, initial_of, names_of, read_setting
from league.rule_sets.queries.rule_sets import source_of
from league.rule_sets.source_choices import (
    FIRST,
    SECOND,
    Record,
    chosen_in,
    questions_of,
    readings_of,
    same_value,
    switched,
)
from league.rule_sets.words.editions import Chooser, choosers
from league.rule_sets.words.problems import rule_problem
from league.rule_sets.words.settings import (
    article_words,
    group_label,
    not_played,
    setting_explanation,
    setting_label,
    setting_value,
)
from scoring.presets import Conflict, Preset, Reading
from scoring.rules import SETTINGS, RuleProblem, Rules, RulesError

TEXTS = [(str(FIRST), _("the first text")), (str(SECOND), _("the second text"))]


@dataclass(frozen=True)
class Filled:
    """What a form is filled with: every setting, JSON-shaped; the preset behind it, if it is known here; and
    which texts are followed.
    """

    values: Mapping[str, object]
    source: Preset | None = None
    readings: Sequence[Record] = ()

    @property
    def chosen(self) -> dict[int, int]:
        """Which text is followed in each contradiction, by its number."""
        asked = enumerate(questions_of(self.source))
        return {index: chosen_in(conflict, self.readings, self.values) for index, conflict in asked}


def filled_from(stored: RuleSet) -> Filled:
    """As the rule set has it."""
    return Filled(stored.rules.as_values(), source_of(stored), stored.readings)


@dataclass(frozen=True)
class RuleLine:
    """One setting of the form: its fields, what is wrong, and how it differs from the preset."""

    name: str
    label: str
    explanation: str
    fields: list[forms.BoundField]
    errors: list[str]
    changed: bool
    preset_value: str
    article: str

    @property
    def tick(self) -> str:
        """What stands beside a tick that is the whole setting; "" for any other field."""
        if SETTINGS[self.name].kind != "yes_no":
            return ""
        return str(TICKS.get(self.name, self.label))

    @property
    def is_group(self) -> bool:
        """Several inputs that want one legend."""
        return len(self.fields) > 1 or SETTINGS[self.name].kind == "choices"


@dataclass(frozen=True)
class RuleGroup:
    code: str
    label: str
    lines: list[RuleLine]

    @property
    def problems(self) -> int:
        return sum(bool(line.errors) for line in self.lines)

    @property
    def changed(self) -> int:
        return sum(line.changed for line in self.lines)


@dataclass(frozen=True)
class AskedText:
    """One of two texts that contradict each other, as a choice: its number, and whether it is chosen."""

    number: int
    reading: Reading
    chosen: bool


def asked_texts(conflict: Conflict, now: str) -> list[AskedText]:
    """Both texts; ``now`` is the number that stands in the form."""
    return [AskedText(number, text, str(number) == now) for number, text in readings_of(conflict).items()]


@dataclass(frozen=True)
class Question:
    """A contradiction of the sources with its inputs: the settings it is about, both texts with which one is
    chosen, and who chose it before.
    """

    conflict: Conflict
    bound: forms.BoundField
    shown: forms.BoundField
    about: str
    texts: list[AskedText]
    chooser: Chooser | None


class RulesForm(KeyedForm):
    """Every setting of a rule set."""

    def __init__(self, data: QueryDict | None = None, *, filled: Filled, **kwargs: Any) -> None:
        self.filled = filled
        self.followed: tuple[str, ...] = ()  # settings that a newly chosen text has just filled in
        initial: dict[str, Any] = {}
        for name in SETTINGS:
            initial |= initial_of(name, filled.values[name])
        for index, number in filled.chosen.items():
            initial |= {f"reading_{index}": str(number), f"shown_{index}": str(number)}
        sent = None if data is None else self._follow_texts(data.copy())
        super().__init__(sent, **kwargs | {"initial": initial | kwargs.get("initial", {})})
        for name in SETTINGS:
            self.fields |= fields_of(name)
        for index in filled.chosen:
            self.fields[f"reading_{index}"] = _text_field(forms.RadioSelect)
            self.fields[f"shown_{index}"] = _text_field(forms.HiddenInput)

    # --- what was typed

    def _follow_texts(self, data: QueryDict) -> QueryDict:
        """Fill in the values of a text that was chosen after the page was made. What was typed otherwise than
        the page showed stays, and so does what is wrong.
        """
        source, shown, asked = (
            self.filled.source,
            self._numbers(data, "shown"),
            self._numbers(data, "reading"),
        )
        if source is None or shown == asked:
            return data
        before = dict(self.filled.values) | switched(source, self.filled.chosen, shown)
        for name, value in switched(source, shown, asked).items():
            typed = _typed(name, data)
            if typed is not None and same_value(name, typed[0], before[name]):
                _fill_in(data, name, value)
                self.followed += (name,)
        for index, number in asked.items():
            data[f"shown_{index}"] = str(number)
        return data

    def _numbers(self, data: QueryDict, prefix: str) -> dict[int, int]:
        known = {str(FIRST): FIRST, str(SECOND): SECOND}
        return {
            index: known.get(data.get(f"{prefix}_{index}", ""), number)
            for index, number in self.filled.chosen.items()
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        broken = {name for name in SETTINGS if any(each in self.errors for each in names_of(name))}
        self._values = {name: read_setting(name, cleaned) for name in SETTINGS if name not in broken}
        for name, value in self._values.items():
            if value is None and not SETTINGS[name].nullable:
                broken.add(name)
                self._say(RuleProblem(name, "missing", {}))
        # A setting that cannot be read is judged in the others' company as it was before.
        try:
            Rules.from_values(self._values | {name: self.filled.values[name] for name in broken})
        except RulesError as error:
            for problem in error.problems:
                if problem.setting not in broken:
                    self._say(problem)
        if why := not_played(self._values):
            self.add_error("chombo_timing", why)
        return cleaned

    def _say(self, problem: RuleProblem) -> None:
        names = names_of(problem.setting) if problem.setting in SETTINGS else [None]
        self.add_error(names[0], rule_problem(problem))

    def values(self) -> dict[str, object]:
        """Every setting, JSON-shaped, once the form is valid."""
        return dict(self._values)

    def chosen(self) -> dict[int, int]:
        """Which text was chosen in each contradiction."""
        return {index: int(self.cleaned_data[f"reading_{index}"]) for index in self.filled.chosen}

    def differs(self) -> bool:
        """Is anything other than what the form was filled with?"""
        same = all(same_value(name, value, self.filled.values[name]) for name, value in self._values.items())
        return not same or self.chosen() != self.filled.chosen

    # --- as the page shows it

    @property
    def groups(self) -> list[RuleGroup]:
        grouped = groupby(SETTINGS, key=lambda name: SETTINGS[name].group)
        return [
            RuleGroup(code, group_label(code), [self.line(name) for name in names]) for code, names in grouped
        ]

    def line(self, name: str) -> RuleLine:
        source, fields = self.filled.source, [self[each] for each in names_of(name)]
        value = self._now(name)
        original = source.values.get(name) if source else None
        known = source is not None and name in source.values
        return RuleLine(
            name=name,
            label=setting_label(name),
            explanation=str(HELP.get(name, "") or setting_explanation(name)),
            fields=fields,
            errors=[str(error) for bound in fields for error in bound.errors],
            changed=known and value is not _UNREAD and not same_value(name, value, original),
            preset_value=setting_value(name, original) if known else "",
            article=article_words(source.cites[name].article) if known and source else "",
        )

    def _now(self, name: str) -> object:
        """The setting's value as the page shows it, or ``_UNREAD``."""
        if not self.is_bound:
            return self.filled.values[name]
        if any(self[each].errors for each in names_of(name)):
            return _UNREAD
        return self._values[name]

    @cached_property
    def questions(self) -> list[Question]:
        return list(self._questions())

    def _questions(self) -> Iterator[Question]:
        asked = questions_of(self.filled.source)
        for index, (conflict, chooser) in enumerate(
            zip(asked, choosers(asked, self.filled.readings), strict=True)
        ):
            bound = self[f"reading_{index}"]
            now = str(bound.value() or conflict.chosen)
            yield Question(
                conflict=conflict,
                bound=bound,
                shown=self[f"shown_{index}"],
                about=listed(setting_label(name) for name in conflict.settings),
                texts=asked_texts(conflict, now),
                chooser=chooser,
            )


_UNREAD = object()


def _text_field(widget: type[forms.Widget]) -> forms.ChoiceField:
    return forms.ChoiceField(choices=TEXTS, widget=widget, required=True)


def _typed(name: str, data: QueryDict) -> tuple[object] | None:
    """The value typed into a setting's fields, in a tuple; None when they hold no value."""
    cleaned = {}
    for full, made in fields_of(name).items():
        try:
            cleaned[full] = made.clean(made.widget.value_from_datadict(data, {}, full))
        except ValidationError:
            return None
    return (read_setting(name, cleaned),)


def _fill_in(data: QueryDict, name: str, value: object) -> None:
    """Put a value where the browser would have put what was typed."""
    for full, held in initial_of(name, value).items():
        if isinstance(held, bool):
            data.setlist(full, ["on"] if held else [])
        else:
            data.setlist(full, [str(each) for each in held] if isinstance(held, list) else [str(held)])


class BookForm(RulesForm):
    """A league's own rules: their name, and every setting of an edition."""

    name = TidyCharField(label=_("Name of the rules"), max_length=120)
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=80)
