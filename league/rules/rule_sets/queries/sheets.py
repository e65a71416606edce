"""Rule sets in words: every setting with its source, and several rule sets side by side."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import groupby
from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from league.core.messages import in_language
from league.core.numbers import number, number_tenths
from league.core.search import holds_words, matches
from league.core.text import clauses, listed
from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.queries.rule_sets import FoundRules
from league.rules.rule_sets.readings import matching_text, reading_of
from league.rules.rule_sets.words.editions import article_words, meaning
from league.rules.rule_sets.words.settings import group_label, setting_explanation, setting_label
from players.folding import folded
from scoring.hanchan.course import expected_minutes
from scoring.presets import Cite, Preset, SourceQuestion, preset, presets
from scoring.rules import SETTINGS, Rules


def place_points(rules: Rules) -> str:
    """Return the place points with oka: "+50 / +10 / −10 / −30"."""
    if rules.floating_uma is not None:
        return _("by number of players at or above the starting points")
    first, *others = rules.uma
    places = (first + rules.oka, *others)
    if not any(places):
        return _("none")
    return " / ".join(number_tenths(place).removesuffix(".0") for place in places)


def start_and_return(rules: Rules) -> str:
    return f"{number(rules.start_points)} / {number(rules.return_points)}"


# --- one rule set with its sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A value of a setting with the published rule sets that have it. ``same``: the page has it, too."""

    value: str
    names: str
    count: int
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingLine:
    """A setting in words.

    ``origin``: its article, or Umaoka's reason for the value (``choice``). ``changed``: the value differs
    from the preset. ``unset``: the copy is older than the setting, and the default differs from the preset.
    ``disputed``: the source contradicts itself here. ``left_open``: the source leaves it to the table.
    """

    name: str
    label: str
    explanation: str
    value: str
    origin: str = ""
    choice: bool = False
    changed: bool = False
    unset: bool = False
    disputed: bool = False
    left_open: bool = False
    preset_value: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingGroup:
    code: str
    label: str
    lines: tuple[SettingLine, ...]


@dataclass(frozen=True, slots=True)
class RuleSheet:
    found: FoundRules
    groups: tuple[SettingGroup, ...]
    conflicts: list[dict[str, Any]]  # see question_line
    options: list[dict[str, Any]]
    rules: Rules

    @property
    def lines(self) -> list[SettingLine]:
        return [line for group in self.groups for line in group.lines]

    @property
    def changed(self) -> int:
        return sum(line.changed for line in self.lines)

    @property
    def umaoka_choices(self) -> list[SettingLine]:
        return [line for line in self.lines if line.choice]

    @property
    def points(self) -> str:
        return start_and_return(self.rules)

    @property
    def places(self) -> str:
        return place_points(self.rules)

    @property
    def length(self) -> str:
        return setting_value("game_length", self.rules.game_length)

    @property
    def duration(self) -> str:
        """Return the time of a game at an automatic table, or an empty text if no source has it."""
        minutes = expected_minutes(self.rules.game_length, automatic=True)
        if minutes is None:
            return ""
        least, most = minutes
        return _("about %(least)s–%(most)s minutes") % {"least": least, "most": most}


def rule_sheet(found: FoundRules, *, elsewhere: bool = False) -> RuleSheet:
    """Return the rule set in words. ``elsewhere``: with the values of the other published rule sets."""
    others = [each for each in presets() if each.slug != found.key]
    lines = {
        name: setting_line(name, found, elsewhere_lines(name, found, others) if elsewhere else ())
        for name in SETTINGS
    }
    groups = groupby(lines.values(), key=lambda line: SETTINGS[line.name].group)
    source = found.source
    return RuleSheet(
        found=found,
        groups=tuple(SettingGroup(code, group_label(code), tuple(of_it)) for code, of_it in groups),
        conflicts=[question_line(conflict, found) for conflict in source.conflicts] if source else [],
        options=[question_line(option, found) for option in source.options] if source else [],
        rules=found.rules,
    )


def found_settings(sheet: RuleSheet, query: str) -> list[SettingLine]:
    """Return the settings with all words of the query, whole words of the name first."""
    lines = [line for line in sheet.lines if matches(query, _searched(line.name))]
    return sorted(lines, key=lambda line: not holds_words(query, _search_words(line.name)))


@cache
def _search_words(name: str) -> str:
    return folded(" ".join([name.replace("_", " "), *_in_each_language(setting_label, name)]))


@cache
def _searched(name: str) -> str:
    return f"{_search_words(name)} {folded(' '.join(_in_each_language(setting_explanation, name)))}"


def _in_each_language(words: Callable[[str], object], name: str) -> Iterator[str]:
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            yield str(words(name))


def setting_line(name: str, found: FoundRules, elsewhere: tuple[Elsewhere, ...] = ()) -> SettingLine:
    value, source = found.values[name], found.source
    line = SettingLine(
        name=name,
        label=setting_label(name),
        explanation=setting_explanation(name),
        value=setting_value(name, value),
        elsewhere=elsewhere,
    )
    if source is None:
        return line
    published = source.values[name]
    differs, cite = published != value, source.cites[name]
    return replace(
        line,
        origin=cite_words(cite, source.document),
        choice=cite.choice and not differs,
        changed=differs and name in found.stored,
        unset=differs and name not in found.stored,
        disputed=any(name in conflict.settings for conflict in source.conflicts),
        left_open=any(name in option.settings for option in source.options),
        preset_value=setting_value(name, published),
    )


def cite_words(cite: Cite, document: str) -> str:
    """Return article and note, with the document if it differs from the rule set's own."""
    note = in_language(cite.note)
    if cite.choice:
        return note
    place = article_words(cite.article)
    if cite.document != document:
        place = _("%(document)s, %(article)s") % {"document": cite.document, "article": place}
    return _("%(place)s. %(note)s") % {"place": place, "note": note} if note else place


def question_line(question: SourceQuestion, found: FoundRules) -> dict[str, Any]:
    """Return both readings of a question. ``neither``: the values of the rule set follow none of them."""
    followed = matching_text(question, found.readings, found.values, preset(found.preset).values)
    record = reading_of(question, found.readings) or {}
    return {
        "about": listed(setting_label(name) for name in question.settings),
        "texts": [
            {
                "text": text.text,
                "meaning": meaning(text.text),
                "place": text.place,
                "followed": number == followed,
            }
            for number, text in question.texts.items()
        ],
        "note": in_language(question.note),
        "neither": followed is None,
        "chosen_at": datetime.fromisoformat(record["at"]) if record.get("at") else None,
    }


def elsewhere_lines(name: str, found: FoundRules, others: Sequence[Preset]) -> tuple[Elsewhere, ...]:
    """Return the values of the others: first the value of this rule set, then the most common ones."""
    values: dict[str, tuple[object, list[str]]] = {}
    for other in others:
        value = other.values[name]
        _value, names = values.setdefault(repr(value), (value, []))
        names.append(in_language(other.name))
    lines = [
        Elsewhere(
            value=setting_value(name, value),
            names=clauses(names),  # names hold commas
            count=len(names),
            same=value == found.values[name],
        )
        for value, names in values.values()
    ]
    return tuple(sorted(lines, key=lambda line: (not line.same, -line.count)))


# --- several side by side


def side_by_side(several: Sequence[FoundRules], *, only_differences: bool) -> list[dict[str, Any]]:
    """Compare the settings of rule sets by group, each with the value of the first rule set.

    ``only_differences``: leave out settings and groups without a difference.
    """
    rows = {name: compare_setting(name, several) for name in SETTINGS}
    groups = []
    for code, names in groupby(SETTINGS, key=lambda name: SETTINGS[name].group):
        differing = [rows[name] for name in names if rows[name]["differs"] or not only_differences]
        if differing:
            groups.append({"code": code, "label": group_label(code), "rows": differing})
    return groups


def compare_setting(name: str, several: Sequence[FoundRules]) -> dict[str, Any]:
    first = several[0]
    usual = first.values[name]
    cells = [(setting_line(name, found), found.values[name] != usual) for found in several]
    differs = any(differs for _line, differs in cells)
    return {"label": setting_label(name), "name": name, "cells": cells, "differs": differs}
