"""One table for a commentator: points, places, and where the four stand if the game ended now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from league.core.rounds import rules_at
from league.hall.queries.tables import HallTable
from league.needs.queries.hand import is_last_in_time, last_turn, totals_before
from league.people.queries import PlayerInfo
from scoring.settlement import settle
from scoring.units import Score


class Race(NamedTuple):
    """Total and rank of a player before this game, and if it ended now. Others stay as they are."""

    before: Score
    rank_before: int
    now: Score
    rank_now: int


@dataclass(frozen=True, slots=True)
class WatchedSeat:
    wind: int
    player: PlayerInfo | None
    points: int | None
    place: int | None = None
    race: Race | None = None


@dataclass(frozen=True)
class WatchedTable:
    """``totals``: player → total before this game. ``is_last``: the hand in play is the last one."""

    table: HallTable
    seats: Sequence[WatchedSeat]
    totals: dict[int, Score]
    is_last: bool

    @property
    def game(self) -> Any:
        return self.table.game.game

    @property
    def players(self) -> list[PlayerInfo]:
        return [seat.player for seat in self.seats if seat.player]

    @property
    def has_needs(self) -> bool:
        return (
            self.game is not None and self.table.result.sheet is None and len(self.players) == len(self.seats)
        )


def watched_table(table: HallTable, *, public: bool) -> WatchedTable:
    """Return the table with what its kept points mean. Queries: those of the standings, which are cached."""
    lines = [(wind, player, points) for wind, player, points, _unsigned in table.public_lines]
    game, rules = table.game.game, rules_at(table.table)
    if game is None or table.result.sheet is not None or any(player is None for _w, player, _p in lines):
        seats = [WatchedSeat(wind, player, points) for wind, player, points in lines]
        return WatchedTable(table, seats, {}, is_last=False)
    points = table.game.points_now or game.points
    settled = settle(points, rules, sticks=table.game.deposits_now)
    totals = totals_before(table.table.round.stage, public=public) or {}
    now = dict(totals)
    for (_wind, player, _points), seat in zip(lines, settled, strict=True):
        if player is not None:
            now[player.pk] = totals.get(player.pk, 0) + seat.score
    return WatchedTable(
        table,
        [
            WatchedSeat(wind, player, points[wind], settled[wind].place, _race(player, totals, now))
            for wind, player, _points in lines
        ],
        totals,
        is_last=game.turn >= last_turn(rules) or is_last_in_time(game),
    )


def _race(player: PlayerInfo | None, totals: dict[int, Score], now: dict[int, Score]) -> Race | None:
    """Return None before anyone has a total, or if not all games of the stage count."""
    if player is None or not totals:
        return None
    before, after = totals.get(player.pk, 0), now[player.pk]
    rank_before = 1 + sum(total > before for total in totals.values())
    return Race(before, rank_before, after, 1 + sum(total > after for total in now.values()))
