from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scoring.settlement import SEATS, Four, FourScores
from scoring.units import Score

PLACE, RANK, TOTAL = "place", "rank", "total"
KINDS: Final = (PLACE, RANK, TOTAL)
REACHED, SHARED, MISSED = "reached", "shared", "missed"
ENOUGH: Final = (REACHED, SHARED)


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


def judge_of(goal: Goal, seat: int, stakes: Stakes) -> Callable[[Four, FourScores], str]:
    """Return the outcome for `seat` as a function of the places and scores of the table.

    `SHARED`: reached, but `alone` would not be.
    """
    others = [each for each in SEATS if each != seat]
    before = stakes.seats[seat]

    def outcome(ahead: int, equal: int) -> str:
        if ahead + equal < goal.number:
            return REACHED
        return MISSED if goal.alone or ahead >= goal.number else SHARED

    def of_place(places: Four, scores: FourScores) -> str:
        return outcome(places[seat] - 1, places.count(places[seat]) - 1)

    def of_total(places: Four, scores: FourScores) -> str:
        return REACHED if before + scores[seat] >= goal.number else MISSED

    elsewhere = sorted(stakes.elsewhere)

    def of_rank(places: Four, scores: FourScores) -> str:
        mine = before + scores[seat]
        least, most = bisect_left(elsewhere, mine), bisect_right(elsewhere, mine)
        ahead, equal = len(elsewhere) - most, most - least
        for other in others:
            theirs = stakes.seats[other] + scores[other]
            ahead, equal = ahead + (theirs > mine), equal + (theirs == mine)
        return outcome(ahead, equal)

    return {PLACE: of_place, RANK: of_rank, TOTAL: of_total}[goal.kind]
