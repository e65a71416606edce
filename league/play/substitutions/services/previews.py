"""What a correction of seats does to points that are already recorded, shown before it is saved."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.core.changes import canonical
from league.core.errors import OutOfDate
from league.models import Competition, Seat, Sheet, Table
from league.people.members.queries import PlayerInfo, players_of
from league.play.hands.queries import games_of
from scoring.units import Score

SHEET, HANDS = "sheet", "hands"


class SeatPoints(NamedTuple):
    """The points of a player at a table. `score`: None in hands, which are not settled. `counts`: False in a
    substitute's seat.
    """

    wind: int
    points: int
    place: int
    score: Score | None
    counts: bool


class Effect(NamedTuple):
    """The points of one score sheet, or of the hands of one table, before and after a correction."""

    table: int
    kind: str  # `SHEET` or `HANDS`
    lines: Sequence[tuple[PlayerInfo, SeatPoints | None, SeatPoints | None]]


Recorded = Mapping[tuple[int, str], Mapping[PlayerInfo, SeatPoints]]


class Watch:
    """Compares the recorded points of tables before and after a correction.

    `seen`: the mark of the effects that the person saw. A correction with other effects raises `OutOfDate`.
    """

    def __init__(self, seen: str = "") -> None:
        self.seen = seen
        self.effects: list[Effect] = []

    @property
    def mark(self) -> str:
        facts = [
            [
                effect.table,
                effect.kind,
                [[info.player, before, after] for info, before, after in effect.lines],
            ]
            for effect in self.effects
        ]
        return hashlib.sha256(canonical(facts).encode()).hexdigest()[:16]

    @contextmanager
    def over(self, competition: Competition, tables: Collection[int]) -> Iterator[None]:
        """Watch the tables (ids) during a correction, inside its change."""
        before = _read(competition, tables)
        yield
        after = _read(competition, tables)
        self.effects = [_compare(key, before.get(key, {}), after.get(key, {})) for key in {**before, **after}]
        if self.seen and self.seen != self.mark:
            raise OutOfDate(
                _("The results of this table have changed since the preview. Check the new effect.")
            )


def rehearse(competition: Competition, write: Callable[[Watch], object]) -> Watch:
    """Run a correction, and take it back. Its effects stay in the watch.

    `competition`: the object that the change gives a new version, which is taken back, too. Pages are cached
    under that version.
    """
    watch, versions = Watch(), (competition.version, competition.revision)
    try:
        with transaction.atomic():
            write(watch)
            transaction.set_rollback(True)
    finally:
        competition.version, competition.revision = versions
    return watch


def _read(competition: Competition, tables: Collection[int]) -> Recorded:
    recorded: dict[tuple[int, str], Mapping[PlayerInfo, SeatPoints]] = {}
    related = "round__stage__division__rule_set"
    here = list(Table.objects.filter(pk__in=tables).select_related(related).order_by("number"))
    games = games_of(here)
    current = Sheet.objects.current().filter(table__in=here).exclude(status=Sheet.Status.VOID)
    sheets = {sheet.table_id: sheet for sheet in current}
    seated: dict[int, list[Seat]] = {table.pk: [] for table in here}
    for seat in Seat.objects.filter(table__in=here).order_by("wind"):
        seated[seat.table_id].append(seat)
    people = players_of(competition, only={seat.player_id for seats in seated.values() for seat in seats})
    for table in here:
        seats = [seat for seat in seated[table.pk] if seat.player_id in people]
        if table.pk in sheets:
            late = tuple(seat.wind for seat in seats if seat.stands_for_id and seat.came_late)
            settled = sheets[table.pk].settled(table.rules, late=late)
            results = {each.wind: (each.points, each.place, each.score) for each in settled}
            recorded[table.number, SHEET] = _by_player(seats, results, people)
        if (points := games[table.pk].points_now) is not None:
            places = [1 + sum(other > each for other in points) for each in points]
            unsettled = {wind: (points[wind], places[wind], None) for wind in range(4)}
            recorded[table.number, HANDS] = _by_player(seats, unsettled, people)
    return recorded


def _by_player(
    seats: Iterable[Seat],
    results: Mapping[int, tuple[int, int, Score | None]],
    people: Mapping[int, PlayerInfo],
) -> dict[PlayerInfo, SeatPoints]:
    return {
        people[seat.player_id]: SeatPoints(seat.wind, *results[seat.wind], seat.stands_for_id is None)
        for seat in seats
        if seat.wind in results
    }


def _compare(
    key: tuple[int, str], before: Mapping[PlayerInfo, SeatPoints], after: Mapping[PlayerInfo, SeatPoints]
) -> Effect:
    people = sorted({**before, **after}, key=lambda info: (_wind(before, info), _wind(after, info)))
    return Effect(*key, [(info, before.get(info), after.get(info)) for info in people])


def _wind(points: Mapping[PlayerInfo, SeatPoints], info: PlayerInfo) -> int:
    return points[info].wind if info in points else 4
