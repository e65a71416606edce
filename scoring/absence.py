"""Players who come late, or whose seat a substitute takes (EMA 2025 7.2, 7.3)."""

from dataclasses import dataclass
from typing import Final

from scoring.units import POINTS_PER_TENTH

MINUTE: Final = 60
LATE_PER_MINUTE: Final = 1000  # points
LATE_MINUTES: Final = 10


@dataclass(frozen=True, slots=True)
class Substituted:
    """What a player gets for a session that a substitute played: points above the start and uma, in points;
    the score of both in tenths.
    """

    points: int = -15000
    uma: int = -15000

    @property
    def score(self) -> int:
        return (self.points + self.uma) // POINTS_PER_TENTH


def lateness_penalty(seconds: int) -> int | None:
    """Tenths that coming so many seconds late costs after uma: 1000 points for each minute begun. None when a
    substitute plays instead, which is after more than ten minutes and costs nothing for being late.
    """
    if seconds > LATE_MINUTES * MINUTE:
        return None
    minutes_begun = -(-max(seconds, 0) // MINUTE)
    return -minutes_begun * LATE_PER_MINUTE // POINTS_PER_TENTH
