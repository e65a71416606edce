"""A running total becomes a line of whole coordinates."""

from fractions import Fraction

from league.standings.charts import BOTTOM, HEIGHT, LEFT, MOST_DOTS, RIGHT, TOP, WIDTH, TotalLine, total_line


def test_the_line_starts_at_zero_and_ends_at_the_right():
    assert total_line([100, -100]) == TotalLine(
        points=f"{LEFT},90 400,{TOP} {WIDTH - RIGHT},{HEIGHT - BOTTOM}",
        levels=[(-100, 95), (0, 50), (100, 4)],
        dots=[(400, TOP), (WIDTH - RIGHT, HEIGHT - BOTTOM)],
        highest=100,
        lowest=-100,
        last=-100,
    )


def test_totals_that_never_move_make_a_level_line():
    line = total_line([0, 0, 0])
    assert len({point.split(",")[1] for point in line.points.split()}) == 1
    assert [value for value, _percent in line.levels] == [0]


def test_fractions_keep_their_value_and_get_whole_coordinates():
    line = total_line([Fraction(510, 3), Fraction(1, 3)])
    assert (line.highest, line.last) == (170, Fraction(1, 3))
    assert "." not in line.points


def test_a_few_round_values_are_marked_at_any_height():
    for highest in (90, 800, 3_000, 40_000):
        values = [value for value, _percent in total_line([highest]).levels]
        assert values[0] == 0
        assert len(values) <= 5


def test_no_totals_make_no_line():
    assert total_line([]) is None


def test_a_long_season_is_a_line_without_dots():
    assert len(total_line(list(range(MOST_DOTS))).dots) == MOST_DOTS
    long = total_line(list(range(MOST_DOTS + 1)))
    assert (long.dots, len(long.points.split())) == ([], MOST_DOTS + 2)
