"""Rankings of a club by total, average, best games and so on. They ignore all but scores of games."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from scoring.standings import Row, run_sums
from scoring.units import Score

TOTAL, AVERAGE, BEST, RUN, GAMES, POINTS = "total", "average", "best", "run", "games", "points"
KINDS: Final = (TOTAL, AVERAGE, BEST, RUN, GAMES, POINTS)
TAKES_NUMBER: Final = (TOTAL, AVERAGE, BEST, RUN)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking. `number`: games needed, and counted for `BEST` and `RUN`. Raises ValueError."""

    kind: str
    number: int = 0

    def __post_init__(self) -> None:
        least = 1 if self.kind in (BEST, RUN) else 0
        most = 10_000 if self.kind in TAKES_NUMBER else 0
        if self.kind not in KINDS or not least <= self.number <= most:
            raise ValueError(f"no such ranking: {self}")

    @property
    def code(self) -> str:
        """Return "best-10"."""
        return f"{self.kind}-{self.number}"


@dataclass(frozen=True, slots=True)
class RankedPlayer:
    """A player with a value: tenths, games or points. It is None below the number of games needed."""

    player: int
    rank: int | None
    value: Score | None
    games: int
    tied: bool = False  # shares its rank


def rank_by(ranking: Ranking, rows: Iterable[Row], *, apart: Collection[int] = ()) -> list[RankedPlayer]:
    """Rank rows with history: ranked players, then `apart` without a rank, then those below the number."""
    played = [row for row in rows if row.history]
    enough = [row for row in played if len(row.history) >= ranking.number]
    value = {row.player: _VALUES[ranking.kind](row, ranking.number) for row in enough}
    ordered = sorted(
        enough, key=lambda row: (row.player in apart, -value[row.player], -len(row.history), row.player)
    )
    rank: dict[Score, int] = {}  # that of the first with the value
    sharing = Counter(value[row.player] for row in enough if row.player not in apart)
    ranked = []
    for position, row in enumerate(ordered, 1):
        own = value[row.player]
        place = None if row.player in apart else rank.setdefault(own, position)
        tied = place is not None and sharing[own] > 1
        ranked.append(RankedPlayer(row.player, place, own, len(row.history), tied))
    few = sorted(
        (row for row in played if len(row.history) < ranking.number),
        key=lambda row: (-len(row.history), row.player),
    )
    return ranked + [RankedPlayer(row.player, None, None, len(row.history)) for row in few]


def _best(row: Row, number: int) -> Score:
    return sum(sorted((score for _place, score in row.history), reverse=True)[:number])


def _run(row: Row, number: int) -> Score:
    """Return the best sum of so many consecutive games."""
    return max(run_sums([score for _place, score in row.history], number))


_VALUES: Final[dict[str, Callable[[Row, int], Score]]] = {
    TOTAL: lambda row, number: row.score,
    AVERAGE: lambda row, number: Fraction(row.score) / len(row.history),
    BEST: _best,
    RUN: _run,
    GAMES: lambda row, number: len(row.history),
    POINTS: lambda row, number: row.best_points or 0,
}
