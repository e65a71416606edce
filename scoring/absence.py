"""Players whose seat a substitute takes (EMA 2025 7.3). Being late is an offence of the catalogue (7.2)."""

from dataclasses import dataclass

from scoring.units import POINTS_PER_TENTH


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
