"""What the conditions of a last hand are made of: its looked-up results, and the totals before it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from league.extras.needs.rules import LastHand, Stakes
from league.models import Seat
from scoring.hanchan import Game
from scoring.hanchan.course import last_turn
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


def last_hand(game: Game, riichi: tuple[int, ...] = ()) -> LastHand:
    """Return a hand with all its results. They are cached, because each goal and player asks again."""
    return _last_hand(replace(game, steps=()), riichi)  # nothing ahead depends on the hands before


_last_hand = lru_cache(maxsize=32)(LastHand)


def stakes_of(players: Sequence[int], totals: Mapping[int, Score]) -> Stakes:
    """Return the stakes of four players, by player id. A player without a total has 0."""
    east, south, west, north = (totals.get(player, 0) for player in players)
    seats: FourScores = (east, south, west, north)
    return Stakes(seats, tuple(total for player, total in totals.items() if player not in players))
