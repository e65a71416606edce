from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scoring.settlement import SEATS, Four, FourScores
from scoring.units import Score

PLACE, RANK, TOTAL = "place", "rank", "total"
KINDS: Final = (PLACE, RANK, TOTAL)


@dataclass(frozen=True, slots=True)
class Goal:
    """A place at the table or a rank in the standings, this one or better, or a total in tenths or more.

    `alone`: sharing the place or rank is not enough. Raises ValueError for an impossible goal.
    """

    kind: str
    number: int
    alone: bool = False

    def __post_init__(self) -> None:
        least, most = {PLACE: (1, 4), RANK: (1, 10**6), TOTAL: (-(10**6), 10**6)}.get(self.kind, (1, 0))
        if not least <= self.number <= most:
            raise ValueError(f"no such goal: {self!r}")


@dataclass(frozen=True, slots=True)
class Stakes:
    """Totals before the game: of the four seats, and of rivals at other tables as they stand."""

    seats: FourScores = (0, 0, 0, 0)
    elsewhere: tuple[Score, ...] = ()


def reaches(goal: Goal, seat: int, stakes: Stakes) -> Callable[[Four, FourScores], bool]:
    """Return whether `seat` has the goal, as a function of the places and scores of the table."""
    number, others = goal.number, [each for each in SEATS if each != seat]

    def takes_place(places: Four, scores: FourScores) -> bool:
        mine = places[seat]
        shared = sum(places[each] == mine for each in others) if goal.alone else 0
        return mine + shared <= number

    before = stakes.seats[seat]
    if goal.kind == PLACE:
        return takes_place
    if goal.kind == TOTAL:
        return lambda places, scores: before + scores[seat] >= number

    elsewhere = sorted(stakes.elsewhere)
    find = bisect_left if goal.alone else bisect_right

    def takes_rank(places: Four, scores: FourScores) -> bool:
        mine = before + scores[seat]
        ahead = len(elsewhere) - find(elsewhere, mine)
        for each in others:
            theirs = stakes.seats[each] + scores[each]
            ahead += theirs > mine or (goal.alone and theirs == mine)
        return ahead < number

    return takes_rank
