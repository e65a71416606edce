"""One table for a commentator: points, places, and where the four stand if the game ended now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from league.extras.hall.queries.tables import HallTable
from league.people.members.queries import PlayerInfo
from league.ranking.standings.queries.standings import totals_before
from scoring.hanchan.course import last_turn
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
    """``totals``: player → total before this game. ``has_needs``: points of four known players are kept, and
    no score sheet is recorded. ``is_last``: the hand in play is then the last one.
    """

    table: HallTable
    seats: Sequence[WatchedSeat]
    totals: dict[int, Score]
    has_needs: bool
    is_last: bool

    @property
    def game(self) -> Any:
        return self.table.game.game

    @property
    def players(self) -> list[PlayerInfo]:
        return [seat.player for seat in self.seats if seat.player]


def watched_table(table: HallTable, *, public: bool) -> WatchedTable:
    """Return the table with what its kept points mean. Queries: those of the standings, which are cached."""
    lines = [(wind, player, points) for wind, player, points, _unsigned in table.public_lines]
    game, rules = table.game.game, table.table.rules
    players = [player for _wind, player, _points in lines if player]
    if game is None or table.result.sheet is not None or len(players) < len(lines):
        seats = [WatchedSeat(wind, player, points) for wind, player, points in lines]
        return WatchedTable(table, seats, {}, has_needs=False, is_last=False)
    points = table.game.points_now or game.points
    settled = settle(points, rules, sticks=table.game.deposits_now, last_dealer=game.dealer)
    totals = totals_before(table.table.round.stage, public=public) or {}
    now = totals | {
        each.pk: totals.get(each.pk, 0) + settled[wind].score for wind, each in enumerate(players)
    }
    seats = [
        WatchedSeat(wind, each, points[wind], settled[wind].place, _race(each.pk, totals, now))
        for wind, each in enumerate(players)
    ]
    is_last = game.turn >= last_turn(rules) or game.is_last_in_time
    return WatchedTable(table, seats, totals, has_needs=True, is_last=is_last)


def _race(player: int, totals: dict[int, Score], now: dict[int, Score]) -> Race | None:
    """Return None before anyone has a total, or if not all games of the stage count."""
    if not totals:
        return None

    def rank(of: dict[int, Score]) -> int:
        return 1 + sum(total > of.get(player, 0) for total in of.values())

    return Race(totals.get(player, 0), rank(totals), now[player], rank(now))
