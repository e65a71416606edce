"""A line of totals as whole coordinates for an SVG that the server draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.units import Score, rounded

WIDTH, HEIGHT = 800, 180
LEFT, RIGHT, TOP, BOTTOM = 4, 4, 8, 8  # room for the dots at the edges
MOST_DOTS = 60  # more would touch each other


@dataclass(frozen=True, slots=True)
class Dot:
    """One point of the line: the index of its total, and its coordinates."""

    index: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class TotalLine:
    """``points`` for a polyline of ``WIDTH`` × ``HEIGHT``; ``zero`` is the height of zero."""

    points: str
    zero: int
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
        zero=y(0),
        dots=tuple(Dot(dot.index - 1, dot.x, dot.y) for dot in dots[1:]) if len(totals) <= MOST_DOTS else (),
        highest=max(totals),
        lowest=min(totals),
        last=totals[-1],
    )
