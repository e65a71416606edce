"""A line of totals as whole coordinates for an SVG that the server draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.units import Score, rounded

WIDTH, HEIGHT = 800, 180
LEFT, RIGHT, TOP, BOTTOM = 4, 4, 8, 8  # room for the dots at the edges
MOST_DOTS = 60  # more would touch each other
STEPS = (100, 250, 500, 1_000, 2_500, 5_000, 10_000)  # tenths between the lines across
MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class Dot:
    """One point of the line: the index of its total, and its coordinates."""

    index: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Level:
    """A line across: its value in tenths, and how far down it is, in per cent."""

    value: Score
    percent: int


@dataclass(frozen=True, slots=True)
class TotalLine:
    """``points`` for a polyline of ``WIDTH`` × ``HEIGHT``; ``levels`` are values to read it by."""

    points: str
    levels: tuple[Level, ...]
    dots: tuple[Dot, ...]
    highest: Score
    lowest: Score
    last: Score
    width: int = WIDTH
    height: int = HEIGHT


def total_line(totals: Sequence[Score]) -> TotalLine | None:
    """The line from zero through ``totals`` (tenths), left to right; None without totals."""
    if not totals:
        return None
    values = [0, *(rounded(total) for total in totals)]
    low, high = min(values), max(values)
    span = max(high - low, 1)
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def y(value: int) -> int:
        return TOP + (high - value) * down // span

    dots = [Dot(i, LEFT + i * across // (len(values) - 1), y(value)) for i, value in enumerate(values)]
    return TotalLine(
        points=" ".join(f"{dot.x},{dot.y}" for dot in dots),
        levels=tuple(Level(value, 100 * y(value) // HEIGHT) for value in _levels(low, high)),
        dots=tuple(Dot(dot.index - 1, dot.x, dot.y) for dot in dots[1:]) if len(totals) <= MOST_DOTS else (),
        highest=max(totals),
        lowest=min(totals),
        last=totals[-1],
    )


def _levels(low: int, high: int) -> range:
    step = next((step for step in STEPS if (high - low) // step < MOST_LINES), STEPS[-1])
    return range(-(-low // step) * step, high + 1, step)
