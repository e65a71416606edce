"""Every seat of every table in files. A void sheet has points and no settlement."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.columns import EXACT, POINTS, SCORE, WHOLE, Column, exact_value, unrounded
from league.core.zones import day_of
from league.models import Competition, Division, Round, Seat, Sheet, Table
from league.people.members.queries import PlayerInfo, players_of
from league.play.results.queries.games import (
    NO_SUBSTITUTE,
    SHEET,
    days_of_rounds,
    late_seats,
    read_sheet,
    substitutes,
    with_facts,
)
from scoring.rules import EXACT as EXACT_SHARES
from scoring.rules import SPLIT, Rules
from scoring.settlement import Ending, SeatResult, settle_ending
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
CHIP_SCORE = Column("chip_score", _("Value of chips"), SCORE)
EXACT_SCORE = Column("score_exact", _("Exact score"), EXACT)


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table with its four seats, east first. ``points`` and ``seats`` are None without a result."""

    division: Division
    stage_slug: str
    stage_name: str
    round: int
    date: date | None  # of the table itself, or of its round
    number: int
    status: str
    players: tuple[PlayerInfo, ...]
    points: tuple[int, ...] | None
    ending: Ending
    seats: tuple[SeatResult, ...] | None
    instead: Mapping[int, PlayerInfo] = field(default_factory=dict)  # wind → for whom a substitute sat
    round_id: int = 0

    @property
    def sum_of_scores(self) -> Score | None:
        """Return tenths. They are zero if the rule set balances."""
        return None if self.seats is None else sum((seat.score for seat in self.seats), start=0)

    def chip_score(self, wind: int) -> Score | None:
        """Return the value of the seat's chips in tenths, or None without a result or without chips."""
        value = self.division.rules.chip_value
        return None if self.seats is None or value is None else self.seats[wind].chips * value


_STAGE = ("round__stage__division_id", "round__stage__slug", "round__stage__name")
_PLACE = ("round__number", "round__date", "round_id", "meets_at", "number", "now__status")


def table_lines(
    competition: Competition, *, division: str | None = None, public: bool
) -> Iterator[TableLine]:
    """Yield the tables in playing order. Two queries, read in chunks to save memory."""
    people = players_of(competition)
    days = days_of_rounds(competition)
    instead = substitutes(Seat.objects.of(competition))
    divisions = {d.pk: d for d in competition.divisions.select_related("rule_set")}
    rules = {pk: division.rules for pk, division in divisions.items()}
    tables = with_facts(Table.objects.of(competition))
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
    ).values_list("pk", *_STAGE, *_PLACE, *SHEET)
    for pk, division_id, slug, name, round_, day, in_round, meets, number, status, *facts in rows.iterator(
        2000
    ):
        sat = instead.get(pk, NO_SUBSTITUTE)
        players, points, ending = read_sheet(facts, late=late_seats(sat))
        yield TableLine(
            division=divisions[division_id],
            stage_slug=slug,
            stage_name=name,
            round=round_,
            date=day_of(competition, meets) if meets else day or days.get(in_round),
            number=number,
            status=status or "scheduled",
            players=tuple(people[player] for player in players),
            points=tuple(points) if status else None,
            ending=ending,
            seats=_settled(points, ending, status, rules[division_id]),
            instead={wind: people[each.stands_for] for wind, each in sat.items()},
            round_id=in_round,
        )


def _settled(
    points: Sequence[int], ending: Ending, status: str | None, rules: Rules
) -> tuple[SeatResult, ...] | None:
    if status in (None, Sheet.Status.VOID):
        return None
    return settle_ending(points, ending, rules)


def result_columns(competition: Competition, *, public: bool) -> tuple[Column, ...]:
    """Return ``COLUMNS``, with chips, substitutes and thirds if this audience sees any."""
    rules = [division.rules for division in competition.divisions.select_related("rule_set")]
    chips = any(rule.chip_value is not None for rule in rules)
    exact = any(map(_has_thirds, rules))
    substituted = Seat.objects.of(competition).filter(stands_for__isnull=False)
    if public:
        substituted = substituted.filter(round__visibility=Round.Visibility.RESULTS)
    has = {CHIPS: chips, STANDS_FOR: substituted.exists(), CHIP_SCORE: chips, EXACT_SCORE: exact}
    return (*COLUMNS, *(column for column in has if has[column]))


def _has_thirds(rules: Rules) -> bool:
    return (rules.tie_rule, rules.split_remainder) == (SPLIT, EXACT_SHARES)


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
            *([line.chip_score(index)] if CHIP_SCORE in columns else []),
            *([unrounded(seat.score) if seat else None] if EXACT_SCORE in columns else []),
        ]


def _stands_for(line: TableLine, wind: int) -> str | None:
    absent = line.instead.get(wind)
    return absent.key if absent else None


def json_rows(lines: Iterable[TableLine]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the JSON contract, with scores as exact text."""
    for line in lines:
        rules = line.division.rules
        columns = (*COLUMNS, CHIPS, CHIP_SCORE) if rules.chip_value is not None else COLUMNS
        columns = (*columns, EXACT_SCORE) if _has_thirds(rules) else columns
        for index, row in enumerate(result_rows(line, columns)):
            exact = {
                column.key: exact_value(column, value) for column, value in zip(columns, row, strict=True)
            }
            absent = _stands_for(line, index)
            yield exact if absent is None else exact | {STANDS_FOR.key: absent}
