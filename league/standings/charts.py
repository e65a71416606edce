from collections.abc import Sequence
from dataclasses import dataclass

from scoring.units import Score, rounded

WIDTH, HEIGHT = 800, 180
LEFT, RIGHT, TOP, BOTTOM = 4, 4, 8, 8  # room for the dots at the edges
MOST_DOTS = 60  # more would touch each other
STEPS = (100, 250, 500, 1_000, 2_500, 5_000, 10_000)  # tenths between the lines across
MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class TotalLine:
    """``points`` of a polyline, ``dots``, and ``levels`` across: tenths, distance from the top in %."""

    points: str
    levels: list[tuple[Score, int]]
    dots: list[tuple[int, int]]
    highest: Score
    lowest: Score
    last: Score
    width: int = WIDTH
    height: int = HEIGHT


def total_line(totals: Sequence[Score]) -> TotalLine | None:
    if not totals:
        return None
    values = [0, *(rounded(total) for total in totals)]
    low, high = min(values), max(values)
    span = max(high - low, 1)
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def y(value: int) -> int:
        return TOP + (high - value) * down // span

    dots = [(LEFT + i * across // (len(values) - 1), y(value)) for i, value in enumerate(values)]
    return TotalLine(
        points=" ".join(f"{x},{y}" for x, y in dots),
        levels=[(value, 100 * y(value) // HEIGHT) for value in _levels(low, high)],
        dots=dots[1:] if len(totals) <= MOST_DOTS else [],
        highest=max(totals),
        lowest=min(totals),
        last=totals[-1],
    )


def _levels(low: int, high: int) -> range:
    step = next((step for step in STEPS if (high - low) // step < MOST_LINES), STEPS[-1])
    return range(-(-low // step) * step, high + 1, step)
