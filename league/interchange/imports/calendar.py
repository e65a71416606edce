"""The calendar in a competition file: ``calendar`` holds the stages of ``free`` play, the ``windows`` of
rounds (``until`` when their tables meet), and of ``tables`` when they meet (``meets_at``) and what was
``said`` of it, oldest first: ``kind``, ``at``, ``meets_at``, ``place``, ``reason``, and the players who
``agreed``.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime

from django.utils.translation import gettext as _

from league.interchange.imports.nodes import Node, shown
from league.interchange.services.calendar import CalendarFacts, SaidFacts, TimeFacts
from league.interchange.services.keys import RoundKey, StageKey, TableKey
from league.models import Appointment

PLACE, REASON = 120, 300  # characters, as in the database
# Division and stage → of each round its day, and the numbers of its tables.
Places = Mapping[StageKey, Mapping[int, tuple[date | None, Collection[int]]]]


def calendar_facts(root: Node, places: Places, players: Collection[str]) -> CalendarFacts:
    """What the file says of it, nothing where it says nothing. What is wrong is noted."""
    node = root.object("calendar", needed=False)
    if node is None:
        return CalendarFacts()
    seen: dict[object, Node] = {}
    tables = [_table(child, places, players, seen) for child in node.children("tables", needed=False)]
    windows = [_window(child, places, seen) for child in node.children("windows", needed=False)]
    return CalendarFacts(
        free=tuple(dict.fromkeys(_stage(child, places) for child in node.children("free", needed=False))),
        windows=tuple(windows),
        tables=tuple(tables),
    )


def _stage(node: Node, places: Places) -> StageKey:
    divisions = list(dict.fromkeys(division for division, _stage in places))
    division = node.choice("division", divisions) if divisions else ""
    stages = [stage for of, stage in places if of == division]
    return division, node.choice("stage", stages) if stages else ""


def _round(node: Node, places: Places) -> RoundKey:
    where = _stage(node, places)
    number = node.whole("round")
    if node.good and number not in places.get(where, {}):
        node.note("round", _("There is no round %(number)s in this stage.") % {"number": number})
    return *where, number or 0


def _window(node: Node, places: Places, seen: dict[object, Node]) -> tuple[RoundKey, date]:
    key = _round(node, places)
    if node.good and seen.setdefault(key, node) is not node:
        node.note("round", _("This round comes twice."))
    until = _day(node.value.get("until"))
    first = places[key[:2]][key[2]][0] if node.good else None
    if until is None:
        node.note("until", _("Write the date as year-month-day, for example 2025-04-30."))
    elif node.good and (first is None or until < first):
        node.note("until", _("The window ends before it begins: write the later day second."))
    return key, until or date(1970, 1, 1)


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) and len(value) == 10 else None
    except ValueError:
        return None


def _table(node: Node, places: Places, players: Collection[str], seen: dict[object, Node]) -> TimeFacts:
    where = _round(node, places)
    number = node.whole("table")
    if node.good and number not in places[where[:2]][where[2]][1]:
        node.note("table", _("There is no table %(number)s in this round.") % {"number": number})
    key: TableKey = (*where, number or 0)
    if node.good and seen.setdefault(key, node) is not node:
        node.note("table", _("This table comes twice."))
    return TimeFacts(
        table=key,
        meets_at=_moment(node, "meets_at"),
        said=tuple(_said(child, players) for child in node.children("said", needed=False)),
    )


def _said(node: Node, players: Collection[str]) -> SaidFacts:
    at = _moment(node, "at")
    if at is None and node.good:
        node.note("at", _with_zone())
    return SaidFacts(
        kind=node.choice("kind", Appointment.Kind.values),
        at=at or datetime(1970, 1, 1, tzinfo=UTC),
        meets_at=_moment(node, "meets_at"),
        place=node.text("place", most=PLACE, needed=False),
        reason=node.text("reason", most=REASON, needed=False),
        agreed=_agreed(node, players),
    )


def _agreed(node: Node, players: Iterable[str]) -> tuple[str, ...]:
    known = set(players)
    found = [each for each in node.items("agreed", needed=False) if isinstance(each, str)]
    if len(found) != len(node.items("agreed", needed=False)) or len(set(found)) != len(found):
        node.note("agreed", _("Name each player once, by their id."))
    for each in found:
        if each not in known:
            node.note("agreed", _("There is no player “%(id)s” in “players”.") % {"id": shown(each)})
    return tuple(dict.fromkeys(each for each in found if each in known))


def _moment(node: Node, key: str) -> datetime | None:
    value = node.value.get(key)
    if value is None:
        return None
    try:
        if isinstance(value, str) and (found := datetime.fromisoformat(value)).tzinfo is not None:
            return found.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    node.note(key, _with_zone())
    return None


def _with_zone() -> str:
    return _("Write a time with its zone, for example 2026-11-20T18:00:00+09:00.")
