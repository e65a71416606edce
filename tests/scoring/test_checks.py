"""Is a score sheet possible? M.League's rules: 25 000 each, 100 000 on the table."""

import pytest

from scoring.checks import SheetProblem, check_sheet
from scoring.presets import resolve

RULES = resolve("mleague")


def check(*points: int | None, sticks: int = 0) -> tuple[SheetProblem, ...]:
    return check_sheet(points, sticks, RULES)


def test_a_sheet_that_adds_up_has_no_problem():
    assert check(38400, 2000, 42900, 16700) == ()


def test_deposits_left_on_the_table_belong_to_the_sum():
    assert check(38400, 2000, 42900, 14700, sticks=2000) == ()


def test_each_missing_seat_is_reported_and_the_sum_is_not_judged():
    assert check(38400, None, 42900, None) == (
        SheetProblem("missing_points", "error", 1, {}),
        SheetProblem("missing_points", "error", 3, {}),
    )


def test_zero_points_are_not_missing():
    assert check(0, 40000, 42900, 17100) == ()


def test_points_that_are_not_hundreds_are_reported_at_their_seat():
    assert check(38450, 2000, 42900, 16650) == (
        SheetProblem("not_hundreds", "error", 0, {"points": 38450}),
        SheetProblem("not_hundreds", "error", 3, {"points": 16650}),
    )


@pytest.mark.parametrize("missing", [1000, 3000, 10000])
def test_a_shortage_in_whole_sticks_may_be_deposits(missing):
    params = {"missing": missing, "sum": 100000 - missing, "sticks": 0, "total": 100000, "deposits": 1}

    assert check(38400, 2000, 42900, 16700 - missing) == (SheetProblem("sum_short", "error", None, params),)


@pytest.mark.parametrize("missing", [100, 1500, 11000])
def test_another_shortage_is_not_a_deposit(missing):
    params = {"missing": missing, "sum": 100000 - missing, "sticks": 0, "total": 100000}

    assert check(38400, 2000, 42900, 16700 - missing) == (SheetProblem("sum_short", "error", None, params),)


def test_a_shortage_counts_the_deposits_that_were_entered():
    params = {"missing": 1000, "sum": 98000, "sticks": 1000, "total": 100000, "deposits": 1}

    assert check(38400, 2000, 42900, 14700, sticks=1000) == (
        SheetProblem("sum_short", "error", None, params),
    )


def test_an_excess_is_reported():
    params = {"excess": 300, "sum": 100300, "sticks": 0, "total": 100000}

    assert check(38700, 2000, 42900, 16700) == (SheetProblem("sum_over", "error", None, params),)


def test_points_typed_where_hundreds_are_expected_are_recognized_and_nothing_else_is_said():
    expected = (SheetProblem("typed_in_points", "error", None, {"sum": 10_000_000, "total": 100000}),)

    assert check(3840000, 200000, 4290000, 1670000) == expected
    assert check(3840000, 200000, 4290000, 1570000, sticks=1000) == (
        SheetProblem("typed_in_points", "error", None, {"sum": 9_900_000, "total": 100000}),
    )


def test_deposits_must_be_sticks():
    assert check(38400, 2000, 42900, 16200, sticks=500) == (
        SheetProblem("sticks_not_thousands", "error", None, {"sticks": 500}),
    )
    assert check(38400, 2000, 42900, 17700, sticks=-1000) == (
        SheetProblem("sticks_negative", "error", None, {"sticks": -1000}),
    )


def test_unusual_points_are_warned_of_at_their_seat():
    assert check(80100, -30100, 30000, 20000) == (
        SheetProblem("very_high", "warning", 0, {"points": 80100, "limit": 80000}),
        SheetProblem("very_low", "warning", 1, {"points": -30100, "limit": -30000}),
    )
    assert check(80000, -30000, 30000, 20000) == ()


def test_four_players_at_the_start_are_warned_of():
    assert check(25000, 25000, 25000, 25000) == (
        SheetProblem("all_at_start", "warning", None, {"start": 25000}),
    )


def test_many_deposits_are_warned_of():
    assert check(38400, 2000, 42900, 11700, sticks=5000) == (
        SheetProblem("many_sticks", "warning", None, {"sticks": 5000, "limit": 4000}),
    )
    assert check(38400, 2000, 42900, 12700, sticks=4000) == ()


def test_errors_and_warnings_come_together():
    assert [problem.code for problem in check(80150, None, 25000, -30100, sticks=4500)] == [
        "not_hundreds",
        "missing_points",
        "sticks_not_thousands",
        "very_high",
        "very_low",
        "many_sticks",
    ]


def test_four_zeros_are_not_taken_for_points_typed_where_hundreds_are_expected():
    found = check_sheet([0, 0, 0, 0], 4 * RULES.start_points, RULES)
    assert [problem.code for problem in found] == ["many_sticks"]
