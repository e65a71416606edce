"""Tables with their current sheets, settled."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

from django.db.models import BigAutoField, FilteredRelation, Q, QuerySet, Subquery

from league.core.prepared import Argument, Prepared
from league.models import Competition, Round, Seat, Sheet, Table
from league.models.play import FORFEITED
from league.people.members.queries import PlayerInfo, players_of, seats_with_people, who_sits
from league.play.results.queries.games import Substitution, late_seats
from scoring.settlement import SeatResult

FEW = (16, 64)  # tables that others save between two sheets of one scorer, of eight and of fifty


class SeatLine(NamedTuple):
    wind: int
    player: PlayerInfo | None
    seat: SeatResult | None  # settled


class SubstituteLine(NamedTuple):
    wind: int
    substitute: PlayerInfo | None
    absent: PlayerInfo | None
    is_late: bool


@dataclass(frozen=True, slots=True)
class TableResult:
    """A table with its current sheet, settled. `seats` is empty without a sheet, and for a forfeited table.

    `instead`: wind → the player for whom a substitute sits there, or None if they are no longer entered.
    """

    table: Table
    sheet: Sheet | None
    players: tuple[PlayerInfo | None, ...]
    seats: tuple[SeatResult, ...]
    instead: Mapping[int, PlayerInfo | None] = field(default_factory=dict)
    late: tuple[int, ...] = ()  # the winds of substitutes who came after play had begun
    sitting: tuple[Any, ...] = ()  # of ``seats_with_people``, from east to north; fewer where a seat is empty

    @property
    def status(self) -> str:
        return "scheduled" if self.sheet is None else str(self.sheet.status)

    @property
    def state(self) -> str:
        """Return the status, or ``FORFEITED``."""
        return self.status if self.sheet is None else self.sheet.state

    @property
    def seen(self) -> int:
        return self.sheet.pk if self.sheet else 0

    @property
    def substitutions(self) -> list[SubstituteLine]:
        return [
            SubstituteLine(wind, self.players[wind], absent, wind in self.late)
            for wind, absent in self.instead.items()
        ]

    @property
    def lines(self) -> list[SeatLine]:
        seats: Sequence[SeatResult | None] = self.seats or (None,) * 4
        return [SeatLine(wind, self.players[wind], seats[wind]) for wind in range(4)]


def table_results(
    tables: QuerySet[Table], competition: Competition, *, rounds: Collection[Round] = ()
) -> list[TableResult]:
    """Return these tables in playing order, settled. Tables and current sheets are of one moment.

    Queries: 3, one less if their `rounds` are given with their rules, one more with substitutes.
    """
    return settle_tables(_with_sheets(tables), competition, rounds=rounds)


def changed_tables(table: Table, *, since: int) -> list[Table]:
    """Return the table, and the round's tables whose sheet changed after the sheet `since`."""
    return _CHANGED(table=table.pk, round=table.round_id, since=since)


def settle_tables(
    tables: Iterable[Table], competition: Competition, *, rounds: Collection[Round] = ()
) -> list[TableResult]:
    ordered = list(tables)
    _set_rounds(ordered, rounds)
    ordered.sort(key=_playing_order)
    seats: dict[int, list[Any]] = {table.pk: [] for table in ordered}
    for seat in _read_seats(list(seats), competition):
        seats[seat.table_id].append(seat)
    away = {seat.stands_for_id for seated in seats.values() for seat in seated if seat.stands_for_id}
    replaced = players_of(competition, only=away) if away else {}
    return [_table_result(table, seats[table.pk], replaced) for table in ordered]


def _read_seats(tables: Sequence[int], competition: Competition) -> Iterable[Any]:
    """Return the seats of these tables, by wind. A query for few tables is compiled once."""
    size = next((size for size in FEW if 0 < len(tables) <= size), None)
    if size is None:
        return seats_with_people(competition).filter(table__pk__in=tables)
    ids = {f"table_{place}": tables[min(place, len(tables) - 1)] for place in range(size)}
    return _SEATS[size](competition=competition.pk, **ids)


def _seats_of_few(size: int) -> "QuerySet[Seat, Any]":
    tables: Any = [Argument(f"table_{place}", BigAutoField()) for place in range(size)]
    return seats_with_people(Argument("competition", BigAutoField())).filter(table__pk__in=tables)


_SEATS = {size: Prepared(partial(_seats_of_few, size)) for size in FEW}


def _with_sheets(tables: QuerySet[Table]) -> QuerySet[Table]:
    now = FilteredRelation("sheets", condition=Q(sheets__is_current=True))
    return tables.order_by().annotate(now=now).select_related("now")  # type: ignore[misc]  # annotated


def _changed_tables() -> QuerySet[Table]:
    since = Argument("since", BigAutoField())
    known = Sheet.objects.filter(pk=since).values("entered_at")
    is_later = Q(now__pk__gt=since) | Q(now__confirmed_at__gt=Subquery(known))
    of_round = _with_sheets(Table.objects.filter(round=Argument("round", BigAutoField())))
    return of_round.filter(is_later | Q(pk=Argument("table", BigAutoField())))


_CHANGED = Prepared(_changed_tables)


def _set_rounds(tables: Iterable[Table], rounds: Iterable[Round]) -> None:
    """Give tables of a round one object, so that its rules are read once."""
    known = {round_.pk: round_ for round_ in rounds}
    if missing := {table.round_id for table in tables} - known.keys():
        known |= Round.objects.select_related("stage__division__rule_set").in_bulk(missing)
    for table in tables:
        table.round = known[table.round_id]


def _playing_order(table: Table) -> tuple[int, ...]:
    round_ = table.round
    stage = round_.stage
    division = stage.division
    return division.position, division.pk, stage.position, stage.pk, round_.number, table.number


def _table_result(table: Table, seated: list[Any], replaced: Mapping[int, PlayerInfo]) -> TableResult:
    sheet: Sheet | None = getattr(table, "now", None)  # joined, and missing where no row was
    by_wind = {seat.wind: who_sits(seat) for seat in seated}
    instead = {
        seat.wind: Substitution(seat.stands_for_id, seat.came_late)
        for seat in seated
        if seat.stands_for_id is not None
    }
    late = late_seats(instead)
    seats: tuple[SeatResult, ...] = ()
    if sheet is not None and sheet.state != FORFEITED:
        seats = sheet.settled(table.rules, late=late)
    players = tuple(by_wind.get(wind) for wind in range(4))
    return TableResult(
        table,
        sheet,
        players,
        seats,
        instead={wind: replaced.get(seat.stands_for) for wind, seat in instead.items()},
        late=late,
        sitting=tuple(seated),
    )


def without_results(results: Iterable[TableResult]) -> list[TableResult]:
    """Keep the seating alone, for a round whose seating is public and whose results are not."""
    return [replace(result, sheet=None, seats=()) for result in results]
