"""Rule sets for tests: presets with a few settings changed, and random valid ones."""

from typing import Any

from hypothesis import strategies as st

from scoring.presets import preset, resolve
from scoring.rules import SETTINGS, Rules


def hkma(division: str = "a", **overrides: object) -> Rules:
    return resolve(f"hkma-{division}-2025-04", overrides)


def values(slug: str = "mleague", /, **changes: object) -> dict[str, Any]:
    return {**preset(slug).values, **changes}


def without(name: str, slug: str = "mleague") -> dict[str, Any]:
    return {key: value for key, value in values(slug).items() if key != name}


# Strategies are made once: making and checking them takes longer than drawing from them.
tenths = st.integers(-500, 500)
_counts = st.none() | st.sets(st.integers(0, 4), min_size=1)
_sashiuma = st.none() | st.integers(1, 100)
_chip_value = st.none() | st.integers(0, 10)
_starts, _above = st.integers(10, 500), st.integers(0, 100)
_choices = st.fixed_dictionaries(
    {
        name: st.sampled_from(SETTINGS[name].choices)
        for name in ("tie_rule", "split_remainder", "rounding", "leftover_sticks")
    }
)


def umas(draw: st.DrawFn, total: int) -> list[float]:
    """Four place points with one decimal that sum to `total` tenths."""
    first, second, third = draw(tenths), draw(tenths), draw(tenths)
    return [number / 10 for number in (first, second, third, total - first - second - third)]


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Any valid settlement, balanced or not."""
    start, above = draw(_starts) * 100, draw(_above) * 100
    unbalanced = draw(st.booleans())
    total = draw(tenths) if unbalanced else 0
    counts = draw(_counts)
    floating = None if counts is None else {str(count): umas(draw, total) for count in counts}
    return Rules.from_values(
        values(
            start_points=start,
            return_points=start + above,
            uma=umas(draw, total),
            oka="auto",
            floating_uma=floating,
            unbalanced=unbalanced,
            sashiuma=draw(_sashiuma),
            chip_value=draw(_chip_value),
            **draw(_choices),
        )
    )


hundreds = st.integers(-300, 900).map(lambda number: number * 100)
# Few levels, so that ties of every kind come up.
levels = st.sampled_from((-20000, -500, 500, 24500, 25000, 30000, 41500))
four_points = st.tuples(hundreds, hundreds, hundreds, hundreds) | st.tuples(levels, levels, levels, levels)
deposits = st.sampled_from((0, 0, 1000, 2000, 3000, 7000))
