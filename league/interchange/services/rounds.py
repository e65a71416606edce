"""What a competition file says of rounds and their tables; and written as the file is imported."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any

from league.core.changes import Change
from league.interchange.services.keys import CHUNK, RoundKey, StageKey, TableKey
from league.models import Round, Seat, Sheet, Stage, Table
from league.models.play import named_text
from players.models import Player
from scoring.rules import Rules
from scoring.settlement import NORTH


@dataclass(frozen=True, slots=True)
class Instead:
    """For whom a substitute sits (a key), whether after the start, and whether until they are back."""

    absent: str
    came_late: bool = False
    until_back: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFacts:
    """``players`` and ``points`` from east to north; ``points`` is None for a scheduled table."""

    number: int
    status: str
    players: tuple[str, ...]
    points: tuple[int, ...] | None = None
    sticks: int = 0
    last_dealer: int = NORTH
    sashiuma: Mapping[int, int] = field(default_factory=dict)
    reason: str = ""
    instead: Mapping[int, Instead] = field(default_factory=dict)  # by wind

    @property
    def everybody(self) -> tuple[str, ...]:
        """Who sits there, and for whom substitutes do."""
        return (*self.players, *(each.absent for each in self.instead.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    number: int
    date: date | None
    status: str
    visibility: str
    tables: tuple[TableFacts, ...]
    method: str = ""
    seed: int | None = None


Placed = tuple[StageKey, Rules, RoundFacts]  # a round, its stage and the rules there


def write_rounds(every: Iterable[Placed], stages: Mapping[StageKey, Stage]) -> dict[RoundKey, Round]:
    made = {
        (*where, round_.number): Round(
            stage=stages[where],
            number=round_.number,
            date=round_.date,
            status=round_.status,
            visibility=round_.visibility,
            method=round_.method,
            seed=round_.seed,
        )
        for where, _rules, round_ in every
    }
    Round.objects.bulk_create(made.values(), batch_size=CHUNK)
    return made


def write_tables(
    done: Change,
    every: Iterable[Placed],
    named: Collection[TableKey],
    rounds: Mapping[RoundKey, Round],
    players: Mapping[str, Player],
    progress: Callable[[int], object],
) -> dict[TableKey, Table]:
    """All tables with seats and sheets; returns those that are ``named``. ``progress`` is told how many
    were just written.
    """
    wanted: dict[TableKey, Table] = {}
    tables = (
        (rules, (*where, round_.number), table) for where, rules, round_ in every for table in round_.tables
    )
    while chunk := list(islice(tables, CHUNK)):
        made = Table.objects.bulk_create(
            Table(round=rounds[where], number=table.number) for _, where, table in chunk
        )
        placed = [(row, *each) for row, each in zip(made, chunk, strict=True)]
        Seat.objects.bulk_create(
            Seat(
                table=row,
                round_id=row.round_id,
                wind=wind,
                player=players[player],
                **_instead(table, wind, players),
            )
            for row, _, _, table in placed
            for wind, player in enumerate(table.players)
        )
        Sheet.objects.bulk_create(
            _sheet(done, row, table, rules) for row, rules, _, table in placed if table.points is not None
        )
        wanted |= {(*where, t.number): row for row, _, where, t in placed if (*where, t.number) in named}
        progress(len(chunk))
    return wanted


def _instead(table: TableFacts, wind: int, players: Mapping[str, Player]) -> dict[str, Any]:
    each = table.instead.get(wind)
    if each is None:
        return {}
    return {
        "stands_for": players[each.absent],
        "came_late": each.came_late,
        "until_back": each.until_back,
    }


def _sheet(done: Change, row: Table, table: TableFacts, rules: Rules) -> Sheet:
    east, south, west, north = table.points or ()
    return Sheet(
        table=row,
        version=1,
        status=table.status,
        east=east,
        south=south,
        west=west,
        north=north,
        sticks=table.sticks,
        last_dealer=table.last_dealer,
        named=named_text(table.sashiuma),
        total=rules.total_points,
        reason=table.reason,
        entered_by=done.by,
        entered_at=done.at,
        confirmed_at=done.at if table.status == Sheet.Status.CONFIRMED else None,
    )
