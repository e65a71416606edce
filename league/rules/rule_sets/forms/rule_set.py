"""The settings of a rule set as one form. A newly chosen reading fills in its values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField
from league.core.text import listed
from league.models import RuleSet
from league.rules.rule_sets.kinds import fields_of, initial_of, names_of, read_setting, setting_value
from league.rules.rule_sets.queries.house_rules import choosers
from league.rules.rule_sets.queries.rule_sets import source_of
from league.rules.rule_sets.readings import (
    FIRST,
    SECOND,
    Reading,
    followed_texts,
    questions_of,
    same_value,
    switch_texts,
)
from league.rules.rule_sets.words.editions import article_words, meaning
from league.rules.rule_sets.words.problems import not_played, rule_problem
from league.rules.rule_sets.words.settings import group_label, setting_hint, setting_label, tick_label
from scoring.presets import Preset
from scoring.rules import SETTINGS, RuleProblem, Rules, RulesError

TEXTS = [(str(FIRST), _("First text")), (str(SECOND), _("Second text"))]


@dataclass(frozen=True)
class Filled:
    """The initial values of the form: every setting in JSON, the preset if it is known, and the readings."""

    values: Mapping[str, object]
    source: Preset | None = None
    readings: Sequence[Reading] = ()

    @property
    def followed_texts(self) -> dict[int, int]:
        """Return question → number of the text that is followed."""
        return followed_texts(self.source, self.readings, self.values)


def filled_from(stored: RuleSet) -> Filled:
    return Filled(stored.rules.as_values(), source_of(stored), stored.readings)


class RuleSettingsForm(KeyedForm):
    NAMES: tuple[str, ...] = tuple(SETTINGS)

    def __init__(self, *args: Any, values: Mapping[str, object], **kwargs: Any) -> None:
        initial = self.initial_of(values) | kwargs.get("initial", {})
        super().__init__(*args, **kwargs | {"initial": initial})
        for name in self.NAMES:
            self.fields |= fields_of(name)

    @classmethod
    def initial_of(cls, values: Mapping[str, object]) -> dict[str, Any]:
        return {full: held for name in cls.NAMES for full, held in initial_of(name, values[name]).items()}

    def bound_fields(self, name: str) -> list[forms.BoundField]:
        return [self[full] for full in names_of(name)]

    def read_typed(self) -> dict[str, object]:
        """Return the JSON-shaped values of valid settings, None for empty ones."""
        return {
            name: read_setting(name, self.cleaned_data) for name in self.NAMES if not self.is_refused(name)
        }

    def is_refused(self, name: str) -> bool:
        return any(full in self.errors for full in names_of(name))

    def refuse(self, problem: RuleProblem) -> None:
        """Add a problem to its setting, or to the whole form if the setting is not on it."""
        field = _first_field(problem.setting) if problem.setting in self.NAMES else None
        self.add_error(field, rule_problem(problem))

    def ask(
        self, source: Preset | None, readings: Sequence[Reading], inputs: Sequence[str]
    ) -> list[dict[str, Any]]:
        """Return the questions of a source, each with its input of the form and the earlier choice."""
        questions = questions_of(source)
        return [
            {
                "name": self[name].html_name,
                "source": question,
                "about": listed(setting_label(setting) for setting in question.settings),
                "texts": [
                    (number, text, meaning(text.text), str(number) == self._text_now(name))
                    for number, text in question.texts.items()
                ],
                "chooser": chooser,
            }
            for name, question, chooser in zip(inputs, questions, choosers(questions, readings), strict=True)
        ]

    def _text_now(self, name: str) -> str:
        return str(self[name].value() or self[name].initial)


class RulesForm(RuleSettingsForm):
    def __init__(self, data: QueryDict | None = None, *, filled: Filled, **kwargs: Any) -> None:
        self.filled = filled
        self.followed: tuple[str, ...] = ()  # settings that a newly chosen text has just filled in
        initial: dict[str, Any] = {}
        for index, number in filled.followed_texts.items():
            initial |= {f"reading_{index}": str(number), f"shown_{index}": str(number)}
        sent = None if data is None else self._follow_texts(data.copy())
        super().__init__(
            sent, values=filled.values, **kwargs | {"initial": initial | kwargs.get("initial", {})}
        )
        for index in filled.followed_texts:
            self.fields[f"reading_{index}"] = _text_field(forms.RadioSelect)
            self.fields[f"shown_{index}"] = _text_field(forms.HiddenInput)

    # --- what was typed

    def _follow_texts(self, data: QueryDict) -> QueryDict:
        """Fill in the values of a newly chosen reading, except where something else or something wrong was
        typed.
        """
        source, shown, asked = (
            self.filled.source,
            self._numbers(data, "shown"),
            self._numbers(data, "reading"),
        )
        if source is None or shown == asked:
            return data
        before = dict(self.filled.values) | switch_texts(source, self.filled.followed_texts, shown)
        for name, value in switch_texts(source, shown, asked).items():
            if _is_still(before[name], name, data):
                _fill_in(data, name, value)
                self.followed += (name,)
        for index, number in asked.items():
            data[f"shown_{index}"] = str(number)
        return data

    def _numbers(self, data: QueryDict, prefix: str) -> dict[int, int]:
        known = {str(FIRST): FIRST, str(SECOND): SECOND}
        return {
            index: known.get(data.get(f"{prefix}_{index}", ""), number)
            for index, number in self.filled.followed_texts.items()
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        self._values = self.read_typed()
        missing = {name for name, v in self._values.items() if v is None and not SETTINGS[name].nullable}
        for name in missing:
            self.add_error(_first_field(name), gettext("Enter a value."))
        if missing:
            words = ngettext(
                "%(count)s setting has no value. It is marked below.",
                "%(count)s settings have no value. They are marked below.",
                len(missing),
            )
            self.add_error(None, words % {"count": len(missing)})
        # A setting that cannot be read is judged in the others' company as it was before.
        read = {name: value for name, value in self._values.items() if name not in missing}
        try:
            Rules.from_values({**self.filled.values, **read})
        except RulesError as error:
            for problem in error.problems:
                if problem.setting in read:
                    self.refuse(problem)
        if why := not_played(self._values):
            self.add_error("chombo_timing", why)
        return cleaned

    def settings(self) -> dict[str, object]:
        return dict(self._values)

    def chosen_texts(self) -> dict[int, int]:
        """Return question → number of the chosen text."""
        return {index: int(self.cleaned_data[f"reading_{index}"]) for index in self.filled.followed_texts}

    # --- as the page shows it

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Return the groups of settings with their lines and the numbers of problems and changes."""
        groups = []
        for code, names in groupby(SETTINGS, key=lambda name: SETTINGS[name].group):
            lines = [self.line(name) for name in names]
            counts = {count: sum(line[count] for line in lines) for count in ("problems", "changed")}
            groups.append({"code": code, "label": group_label(code), "lines": lines, **counts})
        return groups

    def line(self, name: str) -> dict[str, Any]:
        """Return a setting with its fields. ``is_group``: several inputs need one legend."""
        source, fields, kind = self.filled.source, self.bound_fields(name), SETTINGS[name].kind
        return {
            "name": name,
            "label": setting_label(name),
            "tick": tick_label(name) if kind == "yes_no" else "",
            "is_group": len(fields) > 1 or kind == "choices",
            "explanation": setting_hint(name),
            "fields": fields,
            "problems": any(bound.errors for bound in fields),
            "changed": self._is_changed(name),
            "preset_value": setting_value(name, source.values[name]) if source else "",
            "article": article_words(source.cites[name].article) if source else "",
        }

    def _is_changed(self, name: str) -> bool:
        source = self.filled.source
        if source is None or (self.is_bound and self.is_refused(name)):
            return False
        value = self._values[name] if self.is_bound else self.filled.values[name]
        return not same_value(name, value, source.values[name])

    @cached_property
    def questions(self) -> list[dict[str, Any]]:
        inputs = [f"reading_{index}" for index in self.filled.followed_texts]
        return self.ask(self.filled.source, self.filled.readings, inputs)

    @property
    def shown_texts(self) -> list[forms.BoundField]:
        return [self[f"shown_{index}"] for index in self.filled.followed_texts]


def _first_field(name: str) -> str:
    field = names_of(name)[0]
    return field


def _text_field(widget: type[forms.Widget]) -> forms.ChoiceField:
    return forms.ChoiceField(choices=TEXTS, widget=widget, required=True)


def _is_still(value: object, name: str, data: QueryDict) -> bool:
    """Return True if what was typed for a setting is valid and means this value."""
    cleaned = {}
    for full, made in fields_of(name).items():
        try:
            cleaned[full] = made.clean(made.widget.value_from_datadict(data, {}, full))
        except ValidationError:
            return False
    return same_value(name, read_setting(name, cleaned), value)


def _fill_in(data: QueryDict, name: str, value: object) -> None:
    for full, held in initial_of(name, value).items():
        if isinstance(held, bool):
            data.setlist(full, ["on"] if held else [])
        else:
            data.setlist(full, [str(each) for each in held] if isinstance(held, list) else [str(held)])


class BookForm(RulesForm):
    name = TidyCharField(label=_("Name of the rules"), max_length=120)
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=80)
