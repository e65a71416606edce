"""Penalty rules in the reader's words: levels, escalation, offences and their costs. Needs no database."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.core.messages import in_language
from league.core.numbers import number, number_tenths
from league.core.search import matches
from league.core.text import clauses, listed, sentences
from league.rules.penalty_rules.words.rulings import PenaltyRules, Ruling, level_name
from players.folding import folded
from scoring.infractions import (
    JOINT,
    Amounts,
    Catalogue,
    Escalation,
    Infraction,
    Level,
    Names,
    UnknownCatalogue,
    catalogue,
)

WHO: Mapping[str, str | Promise] = {
    "offender": gettext_lazy("the offender"),
    "all_four": gettext_lazy("all four players"),
    "nobody": gettext_lazy("no one"),
    "discarders": gettext_lazy("everyone who has discarded since"),
    "depends": gettext_lazy("depends on the condition"),
}
REPEATS: Mapping[str, str | Promise] = {
    "first": gettext_lazy("first time in a game"),
    "again": gettext_lazy("again in the same game"),
    "again_in_hand": gettext_lazy("again in the same hand"),
}
_SAME: Mapping[str, str | Promise] = {
    "hand": gettext_lazy("The same offence again in the same hand: %(level)s."),
    "hanchan": gettext_lazy("The same offence again in the same game: %(level)s."),
    "day": gettext_lazy("The same offence again on the same day: %(level)s."),
    "event": gettext_lazy("The same offence again in the competition: %(level)s."),
}
_ANY: Mapping[str, str | Promise] = {
    "hand": gettext_lazy("Any further penalty in the same hand: %(level)s."),
    "hanchan": gettext_lazy("Any further penalty in the same game: %(level)s."),
    "day": gettext_lazy("Any further penalty on the same day: %(level)s."),
    "event": gettext_lazy("Any further penalty in the competition: %(level)s."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionLine:
    """The cost of an offence under one condition. ``also``: further sentences about it."""

    condition: str
    level: str
    deduction: str
    effects: tuple[str, ...]
    also: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """An offence. ``other_names`` match the search. ``state``: "new", "changed" or ""."""

    infraction: Infraction
    name: str
    other_names: tuple[str, ...]
    who: str
    escalates: bool
    conditions: tuple[ConditionLine, ...]
    superseded_by: str
    state: str
    place: str


Heading = tuple[str, tuple[EntryLine, ...]]  # a category and its offences


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueSheet:
    """A catalogue in full, or the part that a search found. ``offence_count`` counts its offences."""

    catalogue: Catalogue
    name: str
    levels: tuple[dict[str, Any], ...]
    headings: tuple[Heading, ...]
    offence_count: int


def catalogue_sheet(rules: PenaltyRules, *, query: str = "", base: Catalogue | None = None) -> CatalogueSheet:
    """Return the offences that match ``query``, marked as new or changed against ``base``."""
    assert rules.catalogue is not None
    book = rules.catalogue
    offences = [
        infraction
        for infraction in book.infractions.values()
        if matches(query, f"{searched(infraction)} {searched_conditions(infraction)}")
    ]
    lines = [_offence_line(rules, offence, query, base) for offence in offences]
    return CatalogueSheet(
        catalogue=book,
        name=in_language(book.names),
        levels=tuple(_level_line(book, level) for level in book.levels.values()),
        headings=tuple(_headings(book, lines)),
        offence_count=len(lines),
    )


_SYNONYMS: Final = Path(__file__).with_name("synonyms.txt")
ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV", "XV")


def searched(infraction: Infraction) -> str:
    """Return the folded names of an offence to search in: "A-II", "aii", "a2", its names and synonyms."""
    code = infraction.code
    head, _dash, number = code.rpartition("-")
    arabic = ROMAN.index(number) + 1 if number in ROMAN else ""
    codes = [code, code.replace("-", ""), f"{head}{arabic} {head}-{arabic}" if arabic else ""]
    return f"{folded(' '.join([*codes, *infraction.names.values()]))} {_synonyms(infraction)}"


def searched_conditions(infraction: Infraction) -> str:
    """Return the folded conditions, restrictions and payments of an offence, in all languages."""
    said = [
        text
        for variant in infraction.variants
        for texts in (variant.condition, variant.restriction, variant.payment)
        for text in texts.values()
    ]
    return folded(" ".join(dict.fromkeys(said)))


@cache
def ideas() -> list[tuple[list[str], str]]:
    """Read ``synonyms.txt``: words in offences' names, and what else people call such an offence, folded."""
    lines = [line.partition(" = ")[::2] for line in _SYNONYMS.read_text("utf-8").splitlines()]
    return [([folded(each) for each in names.split(", ")], folded(others)) for names, others in lines]


def _synonyms(infraction: Infraction) -> str:
    names = folded(" ".join(infraction.names.values()))
    return " ".join(others for marks, others in ideas() if any(mark in names for mark in marks))


def _headings(book: Catalogue, lines: Iterable[EntryLine]) -> Iterator[Heading]:
    groups: dict[str, list[EntryLine]] = {}
    for line in lines:
        groups.setdefault(line.infraction.category, []).append(line)
    for category, names in book.categories.items():
        if category in groups:
            yield in_language(names), tuple(groups[category])


# --- levels


def _level_line(book: Catalogue, level: Level) -> dict[str, Any]:
    return {
        "name": in_language(level.names),
        "meaning": in_language(level.meaning),
        "deduction": deduction_words(book.amounts([level.code])),
        "effects": list(_effects(level)),
        "escalation": escalation_words(book, level.escalation) if level.escalation else "",
        "place": level.article,
    }


def _effects(level: Level) -> Iterator[str]:
    if level.win_ban:
        yield _("win ban for the hand")
    if level.noten:
        yield _("counts as noten")
    if level.expels:
        yield _("expelled from the competition")


def escalation_words(book: Catalogue, escalation: Escalation) -> str:
    patterns = _ANY if escalation.any_reason else _SAME
    levels = escalation.options or (escalation.to,)
    words = str(patterns[escalation.scope]) % {"level": _alternatives(book, levels)}
    if len(levels) > 1:
        return sentences([words, _("The referee decides.")])
    return words


def _alternatives(book: Catalogue, levels: Iterable[str]) -> str:
    rules = PenaltyRules(book)
    names = [level_name(code, rules) for code in levels]
    if len(names) == 2:
        first, second = names
        return _("%(first)s or %(second)s") % {"first": first, "second": second}
    return listed(names)


# --- offences


def _offence_line(
    rules: PenaltyRules, infraction: Infraction, query: str, base: Catalogue | None
) -> EntryLine:
    name = in_language(infraction.names)
    return EntryLine(
        infraction=infraction,
        name=name,
        other_names=_other_names(infraction.names, name, query),
        who="" if infraction.who == "offender" else str(WHO[infraction.who]),
        escalates=infraction.escalates,
        conditions=tuple(
            _condition_line(rules, rules.ruling(infraction.code, index), infraction.who)
            for index in range(len(infraction.variants))
        ),
        superseded_by=infraction.superseded_by,
        state=_state(infraction, base),
        place=infraction.article,
    )


def _other_names(names: Names, visible_name: str, query: str) -> tuple[str, ...]:
    """Return names that match the query, unless the displayed name matches it."""
    words = folded(query).split()
    if not words or matches(query, folded(visible_name)):
        return ()
    others = [each for each in dict.fromkeys(names.values()) if each != visible_name]
    return tuple(other for other in others if any(word in folded(other) for word in words))


def _state(infraction: Infraction, base: Catalogue | None) -> str:
    if base is None:
        return ""
    if infraction.code not in base.infractions:
        return "new"
    return "" if base.infractions[infraction.code] == infraction else "changed"


def _condition_line(rules: PenaltyRules, ruling: Ruling, who: str) -> ConditionLine:
    variant = ruling.variant
    return ConditionLine(
        condition=ruling.condition,
        level=level_name(ruling.level, rules),
        deduction=deduction_words(ruling.amounts, variant.unit),
        effects=tuple(_condition_effects(rules, ruling)),
        also=tuple(_also(rules, ruling, who)),
    )


def _condition_effects(rules: PenaltyRules, ruling: Ruling) -> Iterator[str]:
    variant = ruling.variant
    if variant.win_ban:
        yield _("win ban")
    if variant.redeal:
        yield _("hand replayed")
    if any(rules.levels[code].expels for code in variant.levels if code in rules.levels):
        yield _("expelled from the competition")


def _also(rules: PenaltyRules, ruling: Ruling, who: str) -> Iterator[str]:
    variant = ruling.variant
    if variant.options:
        levels = listed(level_name(code, rules) for code in variant.options)
        yield _("The referee chooses: %(levels)s") % {"levels": levels}
    if variant.who != who and variant.who in WHO:
        yield _("Applies to: %(who)s") % {"who": WHO[variant.who]}
    if variant.repeat:
        yield _("When: %(when)s") % {"when": REPEATS[variant.repeat]}
    if variant.hand_handling:
        yield _("Hand: %(handling)s") % {"handling": in_language(variant.hand_handling)}
    if variant.restriction:
        yield _("In this hand: %(what)s") % {"what": in_language(variant.restriction)}
    if variant.payment:
        yield _("Payment: %(payment)s") % {"payment": in_language(variant.payment)}
    elif variant.pay_each:
        yield _("Payment: %(points)s points to each other player") % {"points": number(variant.pay_each)}


# --- amounts


def deduction_words(amounts: Amounts, unit: str = "") -> str:
    """Return "−8.0 to −12.0" or "−1.0 per minute", or "" if nothing is deducted."""
    if amounts is None or not any(amounts):
        return ""
    least, most = (number_tenths(-amount) for amount in amounts)
    words = least if least == most else _("%(least)s to %(most)s") % {"least": least, "most": most}
    if unit == "minute":
        return _("%(amount)s per minute") % {"amount": words}
    return _("%(amount)s per tile") % {"amount": words} if unit == "tile" else words


def entry_words(entry: Mapping[str, Any]) -> str:
    """Return a stored entry in one line: its name, and levels and deduction of each condition."""
    costs = clauses(_cost_words(variant) for variant in entry.get("variants", ()))
    named = {"name": in_language(entry.get("names", {})), "costs": costs}
    return _("%(name)s: %(costs)s") % named


def _cost_words(variant: Mapping[str, Any]) -> str:
    least = variant.get("deduction")
    amounts = None if least is None else (least, variant.get("deduction_max", least))
    words = (in_language(variant.get("condition", {})), level_name(JOINT.join(variant["levels"])))
    return listed(each for each in (*words, deduction_words(amounts, variant.get("unit", ""))) if each)


def catalogue_name(slug: str) -> str:
    try:
        return in_language(catalogue(slug).names)
    except UnknownCatalogue:
        return slug


def offences_count(count: int) -> str:
    return ngettext("%(count)s offence", "%(count)s offences", count) % {"count": count}
