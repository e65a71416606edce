"""Line charts as SVG without script and inline style: `templates/core/_line_chart.html` draws them.

The lines are stretched to their box, and the texts are not. Therefore lines have whole coordinates of a fixed
grid, and texts have whole per cents. Colours, dashes and the highlighted line are classes of the style sheet.
A table has the same numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from django.utils.translation import gettext as _

from league.core.text import clauses, labelled
from scoring.units import Score, rounded

WIDTH, HEIGHT = 800, 180
LEFT, RIGHT, TOP, BOTTOM = 4, 4, 8, 8  # room for the dots at the edges
MOST_DOTS = 60  # of a chart; more would touch each other
MOST_STEPS = 60
MOST_LINES = 8  # as many as the style sheet has colours and dashes
STEPS = (1, 2, 5, 10, 20, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000)  # between the lines across
MOST_LEVELS = 4
MOST_TICKS = 6
LONG_TICK = 5  # characters
FLIPS = 70  # per cent of the width, beyond which a text ends at its point


@dataclass(frozen=True, slots=True)
class Series:
    """A line to draw. `values`: one per step, None for a gap. `address`: the page of its name, or empty."""

    name: str
    values: Sequence[Score | None]
    address: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A text beside a point. `x` and `y` in per cent from the top left."""

    x: int
    y: int
    text: str

    @property
    def is_above(self) -> bool:
        """Return whether the text is above its point. Below the lowest points there are only the ticks."""
        return self.y < 50

    @property
    def anchor(self) -> str:
        return "end" if self.x > FLIPS else "start"


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line of the chart. `paths`: points of polylines, one per run without a gap. `number` begins at 1."""

    number: int
    name: str
    address: str
    paths: tuple[str, ...]
    dots: tuple[tuple[int, int], ...]
    marks: tuple[Mark, ...]
    highest: str
    lowest: str
    last: str

    @property
    def words(self) -> str:
        values = {"last": self.last, "highest": self.highest, "lowest": self.lowest}
        return labelled(self.name, _("now %(last)s, maximum %(highest)s, minimum %(lowest)s") % values)


@dataclass(frozen=True, slots=True)
class LineChart:
    """A drawn chart. `levels` and `ticks`: lines across, labels below. `rows`: label and a text per line."""

    lines: tuple[DrawnLine, ...]
    description: str
    levels: tuple[tuple[int, str, bool], ...]  # distance from the top in %, text, whether it is zero
    ticks: tuple[Mark, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def has_long_ticks(self) -> bool:
        """Return whether a phone has room for the first and the last label only."""
        return any(len(tick.text) > LONG_TICK for tick in self.ticks)


def line_chart(
    series: Sequence[Series],
    labels: Sequence[str],
    write: Callable[[Score | None], str],
    *,
    level: Callable[[int], str] | None = None,
    upside_down: bool = False,
) -> LineChart | None:
    """Draw the series over `labels`, one label per value. Return None unless there are two steps and a value.

    `write`: the text of a value in the table. `level`: that of a line across, or else `write`.
    `upside_down`: the smallest value is on top, as for ranks. Otherwise zero is always in the picture.
    Raises ValueError for more than `MOST_LINES` or a length that differs.
    """
    if len(series) > MOST_LINES or any(len(each.values) != len(labels) for each in series):
        raise ValueError(f"at most {MOST_LINES} lines of {len(labels)} values")
    values = [rounded(value) for each in series for value in each.values if value is not None]
    if len(labels) < 2 or not values:
        return None
    low, high = (min(values), max(values)) if upside_down else (min(0, *values), max(0, *values))
    span = max(high - low, 1)
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(step: int) -> int:
        return LEFT + step * across // (len(labels) - 1)

    def y(value: int) -> int:
        return TOP + ((value - low) if upside_down else (high - value)) * down // span

    def draw(number: int, each: Series) -> DrawnLine:
        known = [(step, value) for step, value in enumerate(each.values) if value is not None]
        points = [(x(step), y(rounded(value))) for step, value in known]
        highest = max(known, key=itemgetter(1), default=None)
        lowest = min(known, key=itemgetter(1), default=None)
        last = known[-1] if known else None
        marked = list(dict.fromkeys(at for at in (highest, lowest, last) if at))
        return DrawnLine(
            number,
            each.name,
            each.address,
            tuple(_runs(points, [step for step, _value in known])),
            tuple(points) if len(labels) * len(series) <= MOST_DOTS else tuple(points[-1:]),
            tuple(Mark(_percent(x(s), WIDTH), _percent(y(rounded(v)), HEIGHT), write(v)) for s, v in marked),
            *(write(at[1] if at else None) for at in (highest, lowest, last)),
        )

    lines = tuple(draw(number, each) for number, each in enumerate(series, 1))
    return LineChart(
        lines,
        clauses(line.words for line in lines),
        tuple(
            (_percent(y(value), HEIGHT), (level or write)(value), value == 0) for value in _levels(low, high)
        ),
        tuple(Mark(_percent(x(step), WIDTH), 100, labels[step]) for step in _ticks(len(labels))),
        tuple(
            (label, tuple(write(each.values[step]) for each in series)) for step, label in enumerate(labels)
        ),
    )


def _percent(part: int, whole: int) -> int:
    return 100 * part // whole


def _runs(points: Sequence[tuple[int, int]], steps: Sequence[int]) -> list[str]:
    runs: list[list[str]] = []
    for index, (x, y) in enumerate(points):
        if not index or steps[index] != steps[index - 1] + 1:
            runs.append([])
        runs[-1].append(f"{x},{y}")
    return [" ".join(run) for run in runs]


def _levels(low: int, high: int) -> range:
    step = next((step for step in STEPS if (high - low) // step < MOST_LEVELS), max(STEPS))
    return range(-(-low // step) * step, high + 1, step)


def _ticks(steps: int) -> list[int]:
    apart = -(-(steps - 1) // MOST_TICKS)
    return [*range(0, steps - apart // 2 - 1, apart), steps - 1]


def sampled(steps: int, most: int = MOST_STEPS) -> list[int]:
    """Return the indices of at most `most` steps at equal distances, with the first and the last."""
    if steps <= most:
        return list(range(steps))
    return sorted({index * (steps - 1) // (most - 1) for index in range(most)})


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from zero in the middle, in per cent of the width. The longest takes half of it."""

    x: int
    width: int
    is_plus: bool


def bars(values: Sequence[Score | None]) -> list[Bar | None]:
    known = [value for value in values if value is not None]
    most = max(max(known, default=0), -min(known, default=0)) or 1
    return [None if value is None else _bar(int(50 * value / most)) for value in values]


def _bar(length: int) -> Bar:
    return Bar(50 + min(length, 0), max(length, -length), length >= 0)
