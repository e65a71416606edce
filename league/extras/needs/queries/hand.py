"""What the conditions of a last hand are made of: its looked-up results, and the totals before it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from league.models import Seat, Stage
from league.ranking.standings.queries.standings import standings
from scoring.conditions import LastHand, Stakes
from scoring.hanchan import Game
from scoring.hanchan.course import WINDS
from scoring.rules import Rules
from scoring.settlement import FourScores
from scoring.units import Score

ALL: Final = "all"  # four players who ask at once
MOST_RIVALS: Final = 100  # in an address
SEAT_NAMES: Final = tuple(Seat.Wind.labels)


def turns(rules: Rules) -> range:
    """Return the hands of a game by `Game.turn`, with the first wind of its extension."""
    extension = 4 if rules.extension != "none" else 0
    return range(last_turn(rules) + 1 + extension)


def last_turn(rules: Rules) -> int:
    return 4 * len(WINDS[rules.game_length]) - 1


def is_last_in_time(game: Game) -> bool:
    """Return whether the time is up and no hand follows this one."""
    return game.late is not None and game.late + 1 >= game.rules.extra_hands


def last_hand(game: Game, riichi: tuple[int, ...] = ()) -> LastHand:
    """Return a hand with all its results. They are cached, because each goal and player asks again."""
    return _last_hand(replace(game, steps=()), riichi)  # nothing ahead depends on the hands before


_last_hand = lru_cache(maxsize=32)(LastHand)


def stakes_of(players: Sequence[int], totals: Mapping[int, Score]) -> Stakes:
    """Return the stakes of four players, by player id. A player without a total has 0."""
    east, south, west, north = (totals.get(player, 0) for player in players)
    seats: FourScores = (east, south, west, north)
    return Stakes(seats, tuple(total for player, total in totals.items() if player not in players))


def totals_before(stage: Stage, *, public: bool) -> dict[int, Score] | None:
    """Return player → total of the ranked players, or None unless every game of the stage counts."""
    if stage.numbers.leaves_out or stage.numbers.beyond == "average":
        return None
    rows = [line.row for line in standings(stage, public=public).rows]
    return {row.player: row.total for row in rows if row.shown_rank is not None}
