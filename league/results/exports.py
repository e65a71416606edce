"""Every seat of every table in files. A void sheet has points and no settlement."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.columns import POINTS, SCORE, WHOLE, Column, exact_value
from league.models import Competition, Division, Round, Seat, Sheet, Table
from league.people.queries import PlayerInfo, players_of
from league.results.queries import (
    ENDING,
    NO_SUBSTITUTE,
    RAW_POINTS,
    SEATED,
    ending_of,
    late_seats,
    substitutes,
    with_facts,
)
from scoring.rules import Rules
from scoring.settlement import Ending, Late, SeatResult, settle_ending
from scoring.units import WINDS, Score

COLUMNS = (
    Column("division", _("Division")),
    Column("stage", _("Stage")),
    Column("round", _("Round"), WHOLE),
    Column("table", _("Table"), WHOLE),
    Column("wind", _("Wind")),
    Column("player", _("Key")),
    Column("name", pgettext_lazy("of a person", "Name")),
    Column("points", _("Points"), POINTS),
    Column("place", pgettext_lazy("finish", "Place"), WHOLE),
    Column("uma", _("Uma"), SCORE),
    Column("oka", _("Oka"), SCORE),
    Column("score", _("Score"), SCORE),
    Column("status", _("Status")),
)
CHIPS = Column("chips", _("Chips"), WHOLE)
STANDS_FOR = Column("stands_for", _("Substitute for (key)"))


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table with its four seats, east first. ``points`` and ``seats`` are None without a result."""

    division: Division
    stage_slug: str
    stage_name: str
    round: int
    date: date | None
    number: int
    status: str
    players: tuple[PlayerInfo, ...]
    points: tuple[int, ...] | None
    sticks: int
    seats: tuple[SeatResult, ...] | None
    instead: Mapping[int, PlayerInfo] = field(default_factory=dict)  # wind → for whom a substitute sat

    @property
    def sum_of_scores(self) -> Score | None:
        """Return tenths. They are zero if the rule set balances."""
        return None if self.seats is None else sum((seat.score for seat in self.seats), start=0)


_STAGE = ("round__stage__division_id", "round__stage__slug", "round__stage__name")
_PLACE = ("round__number", "round__date", "number", "now__status")


def table_lines(
    competition: Competition, *, division: str | None = None, public: bool
) -> Iterator[TableLine]:
    """Yield the tables in playing order. Two queries, read in chunks to save memory."""
    people = players_of(competition)
    instead = substitutes(Seat.objects.filter(round__stage__division__competition=competition))
    divisions = {d.pk: d for d in competition.divisions.select_related("rule_set")}
    rules = {pk: division.rules for pk, division in divisions.items()}
    tables = with_facts(Table.objects.filter(round__stage__division__competition=competition))
    if division is not None:
        tables = tables.filter(round__stage__division__slug=division)
    if public:
        tables = tables.filter(round__visibility=Round.Visibility.RESULTS)
    rows = tables.order_by(
        "round__stage__division__position",
        "round__stage__division_id",
        "round__stage__position",
        "round__stage_id",
        "round__number",
        "number",
    ).values_list("pk", *_STAGE, *_PLACE, *SEATED, *RAW_POINTS, *ENDING)
    for pk, division_id, slug, name, round_, day, number, status, *facts in rows.iterator(2000):
        sat = instead.get(pk, NO_SUBSTITUTE)
        points, ending = tuple(facts[4:8]) if status else None, ending_of(*facts[8:])
        yield TableLine(
            division=divisions[division_id],
            stage_slug=slug,
            stage_name=name,
            round=round_,
            date=day,
            number=number,
            status=status or "scheduled",
            players=tuple(people[player] for player in facts[:4]),
            points=points,
            sticks=ending[0],
            seats=_settled(points, ending, status, rules[division_id], late=late_seats(sat)),
            instead={wind: people[each.stands_for] for wind, each in sat.items()},
        )


def _settled(
    points: tuple[int, ...] | None, ending: Ending, status: str | None, rules: Rules, *, late: Late
) -> tuple[SeatResult, ...] | None:
    if points is None or status == Sheet.Status.VOID:
        return None
    return settle_ending(points, ending, rules, late=late)


def result_columns(competition: Competition, *, public: bool) -> tuple[Column, ...]:
    """Return ``COLUMNS``, with chips and substitutes if this competition has any for this audience."""
    divisions = competition.divisions.select_related("rule_set")
    chips = (CHIPS,) if any(division.rules.chip_value is not None for division in divisions) else ()
    found = Seat.objects.filter(round__stage__division__competition=competition, stands_for__isnull=False)
    if public:
        found = found.filter(round__visibility=Round.Visibility.RESULTS)
    return (*COLUMNS, *chips, *((STANDS_FOR,) if found.exists() else ()))


def result_rows(line: TableLine, columns: Sequence[Column] = COLUMNS) -> Iterator[list[Any]]:
    for index, wind in enumerate(WINDS):
        seat = line.seats[index] if line.seats else None
        yield [
            line.division.slug,
            line.stage_slug,
            line.round,
            line.number,
            wind,
            line.players[index].key,
            line.players[index].name,
            line.points[index] if line.points else None,
            *((seat.place, seat.uma, seat.oka, seat.score) if seat else (None,) * 4),
            line.status,
            *([seat.chips if seat else None] if CHIPS in columns else []),
            *([_stands_for(line, index)] if STANDS_FOR in columns else []),
        ]


def _stands_for(line: TableLine, wind: int) -> str | None:
    absent = line.instead.get(wind)
    return absent.key if absent else None


def json_rows(lines: Iterable[TableLine]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the JSON contract, with scores as exact text."""
    for line in lines:
        columns = COLUMNS if line.division.rules.chip_value is None else (*COLUMNS, CHIPS)
        for index, row in enumerate(result_rows(line, columns)):
            found = {
                column.key: exact_value(column, value) for column, value in zip(columns, row, strict=True)
            }
            absent = _stands_for(line, index)
            yield found if absent is None else found | {STANDS_FOR.key: absent}
