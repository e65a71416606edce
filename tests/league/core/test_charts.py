"""Series become lines of whole coordinates, texts in per cent, and a table of the same numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.core.charts import (
    BOTTOM,
    HEIGHT,
    LEFT,
    MOST_DOTS,
    MOST_LINES,
    RIGHT,
    TOP,
    WIDTH,
    Bar,
    DrawnLine,
    LineChart,
    Mark,
    Series,
    bars,
    line_chart,
    sampled,
)


def chart(*values, **options):
    series = [Series(f"line {number}", each) for number, each in enumerate(values, 1)]
    return line_chart(series, [str(step) for step in range(len(values[0]))], str, **options)


def test_a_chart_has_lines_levels_ticks_and_a_table():
    assert chart([0, 100, -100]) == LineChart(
        lines=(
            DrawnLine(
                number=1,
                name="line 1",
                address="",
                paths=(f"{LEFT},90 400,{TOP} {WIDTH - RIGHT},{HEIGHT - BOTTOM}",),
                dots=((LEFT, 90), (400, TOP), (WIDTH - RIGHT, HEIGHT - BOTTOM)),
                marks=(Mark(50, 4, "100"), Mark(99, 95, "-100")),
                highest="100",
                lowest="-100",
                last="-100",
            ),
        ),
        description="line 1: now -100, maximum 100, minimum -100",
        levels=((95, "-100", False), (50, "0", True), (4, "100", False)),
        ticks=(Mark(0, 100, "0"), Mark(50, 100, "1"), Mark(99, 100, "2")),
        rows=(("0", ("0",)), ("1", ("100",)), ("2", ("-100",))),
    )


def test_a_gap_parts_the_line_and_has_a_text_of_its_own():
    found = line_chart(
        [Series("a", [1, None, 3, 4])], list("wxyz"), lambda value: "–" if value is None else str(value)
    )
    assert [path.count(",") for path in found.lines[0].paths] == [1, 2]
    assert [texts for _label, texts in found.rows] == [("1",), ("–",), ("3",), ("4",)]


def test_a_line_without_values_has_the_text_of_a_gap():
    _full, empty = chart([1, 2], [None, None]).lines
    assert (empty.paths, empty.marks) == ((), ())
    assert (empty.highest, empty.lowest, empty.last) == ("None", "None", "None")


def test_the_lines_across_may_have_texts_of_their_own():
    found = chart([0, 100, -100], level="level {}".format)
    assert [words for _percent, words, _zero in found.levels] == ["level -100", "level 0", "level 100"]
    assert [mark.text for mark in found.lines[0].marks] == ["100", "-100"]


def test_the_first_rank_is_on_top():
    found = chart([3, 1, 2], upside_down=True)
    assert [int(point.split(",")[1]) for point in found.lines[0].paths[0].split()] == [172, 8, 90]
    assert [text for _percent, text, _zero in found.levels] == ["1", "2", "3"]


def test_values_that_never_move_make_a_level_line():
    (line,) = chart([0, 0, 0]).lines
    assert len({point.split(",")[1] for point in line.paths[0].split()}) == 1


def test_fractions_keep_their_value_and_get_whole_coordinates():
    (line,) = chart([0, Fraction(510, 3), Fraction(1, 3)]).lines
    assert (line.highest, line.last) == ("170", "1/3")
    assert "." not in line.paths[0]


def test_a_few_round_values_are_marked_at_any_height():
    for highest in (9, 90, 800, 3_000, 40_000):
        assert 2 <= len(chart([0, highest]).levels) <= 5


def test_one_step_or_no_value_makes_no_chart():
    assert (chart([5]), chart([]), chart([None, None])) == (None, None, None)


def test_lines_of_different_length_or_too_many_are_refused():
    with pytest.raises(ValueError, match="lines"):
        chart([1, 2], [1])
    with pytest.raises(ValueError, match="lines"):
        chart(*[[1, 2]] * (MOST_LINES + 1))


def test_a_long_series_has_a_dot_at_its_end_alone():
    assert len(chart(list(range(MOST_DOTS))).lines[0].dots) == MOST_DOTS
    assert len(chart(list(range(MOST_DOTS + 1))).lines[0].dots) == 1


@given(st.integers(1, 3_000), st.integers(2, 80))
def test_samples_have_both_ends_and_at_most_the_number_asked_for(steps, most):
    found = sampled(steps, most)
    assert (found[0], found[-1]) == (0, steps - 1)
    assert found == sorted(set(found))
    assert len(found) == min(steps, most)


@given(st.lists(st.integers(-5_000, 5_000), min_size=2, max_size=200))
def test_every_point_and_text_is_inside(values):
    found = chart(values)
    for path in found.lines[0].paths:
        for point in path.split():
            x, y = map(int, point.split(","))
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
    assert [mark.x for mark in found.ticks] == sorted({mark.x for mark in found.ticks})
    assert len(found.ticks) <= 8


def test_bars_begin_in_the_middle():
    assert bars([100, -50, 0, None]) == [Bar(50, 50, True), Bar(25, 25, False), Bar(50, 0, True), None]
    assert bars([]) == []
