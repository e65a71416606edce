"""The checker counts what is there, and says what makes a plan impossible to play."""

from itertools import combinations

import pytest

from scoring.seating.checker import (
    Report,
    check_plan,
    least_pairs,
    least_repeats,
    most_rounds,
)

TWICE = [[("A", "B", "C", "D")], [("B", "A", "D", "C")]]


def test_everything_about_a_small_plan_is_counted():
    plan = [[("A", "B", "C", "D")], [("A", "B", "C", "E")]]

    assert check_plan(plan, "ABCDEF") == Report(
        players=6,
        rounds=2,
        tables=2,
        faults=(),
        repeats=3,
        least_repeats=1,
        most_meetings=2,
        repeated=((("A", "B"), 2), (("A", "C"), 2), (("B", "C"), 2)),
        uneven=tuple((p, c) for p, c in check_plan(plan, "ABCDEF").uneven),
        broken_blocks=3,
        sitting_out=tuple((p, n) for p, n in check_plan(plan, "ABCDEF").sitting_out),
        in_a_row=1,
        most_at_a_table=2,
    )
    report = check_plan(plan, "ABCDEF")
    assert dict(report.uneven) == {"A": (2, 0, 0, 0), "B": (0, 2, 0, 0), "C": (0, 0, 2, 0)}
    assert dict(report.sitting_out) == {"D": 1, "E": 1, "F": 2}


def test_each_meeting_after_the_first_is_a_repeat():
    report = check_plan(TWICE * 2)

    assert (report.repeats, report.most_meetings, report.least_repeats) == (18, 4, 18)


def test_a_block_is_four_games_of_a_player_not_four_rounds():
    """A sits out round 2, so A's first block is rounds 1, 3, 4 and 5."""
    rounds = ["ABCD", "EBCD", "BADC", "CDAB", "DCBA", "ABCD"]
    plan = [[tuple(table)] for table in rounds]

    assert [p for p, _ in check_plan(plan).sitting_out].count("A") == 1
    alone = [[table for table in round_ if "A" in table] for round_ in plan]
    assert check_plan([round_ for round_ in alone if round_]).broken_blocks == 0
    assert check_plan([[tuple("ABCD")], [tuple("ADCB")]]).broken_blocks == 2


@pytest.mark.parametrize(
    ("plan", "fault"),
    [
        ([[]], "round 1: no table"),
        ([[("A", "B", "C")]], "round 1, table 1: 3 players"),
        ([[("A", "B", "C", "D"), ("A", "E", "F", "D2")]], "round 1: A sits 2 times"),
        ([[("A", "B", "C", "X")]], "round 1, table 1: X is not entered"),
    ],
)
def test_what_cannot_be_played_is_a_fault(plan, fault):
    report = check_plan(plan, ("A", "B", "C", "D", "E", "F", "D2"))

    assert report.faults == (fault,)
    assert not report.is_perfect


@pytest.mark.parametrize(
    ("players", "rounds", "fewest"),
    [(4, 3, 12), (8, 2, 4), (12, 2, 3), (16, 5, 0), (16, 8, 72), (20, 7, 20), (20, 8, 50), (20, 10, 110),
     (24, 8, 12), (24, 10, 84), (28, 10, 42)],
)  # fmt: skip
def test_no_plan_has_fewer_repeats_than_its_meetings_and_pairs_leave(players, rounds, fewest):
    assert least_repeats(players, players // 4 * rounds, rounds) == fewest


@pytest.mark.parametrize(
    ("players", "rounds", "fewest", "most_even"),
    [(5, 2, 3, 3), (6, 4, 9, 10), (7, 3, 2, 2), (9, 2, 3, 3), (9, 4, 14, 18), (11, 4, 6, 7), (12, 4, 13, 18),
     (13, 4, 9, 12), (13, 6, 30, 30)],
)  # fmt: skip
def test_the_least_figures_of_small_clubs_are_those_of_proofs(players, rounds, fewest, most_even):
    tables = players // 4 * rounds
    assert (least_repeats(players, tables, rounds), least_pairs(players, tables, rounds)) == (
        fewest,
        most_even,
    )
    assert least_repeats(players, tables - 1, rounds) <= fewest  # a plan with a table less has no proof
    assert least_repeats(players, tables, rounds, stored=False) <= fewest


@pytest.mark.parametrize("players", range(5, 11))
def test_two_rounds_share_as_many_meetings_as_the_bound_says(players):
    """All second rounds are tried against one first round."""
    first = [tuple(range(at, at + 4)) for at in range(0, players // 4 * 4, 4)]
    found = []
    for four in combinations(range(players), 4):
        others = [each for each in range(players) if each not in four]
        for second in combinations(others, 4) if players > 7 else [()]:
            plan = [first, [table for table in (four, second) if table]]
            found.append(check_plan(plan).repeats)
    assert min(found) == least_pairs(players, players // 4 * 2, 2, stored=False)


def test_the_most_rounds_are_those_of_three_new_people_each():
    assert {n: most_rounds(n) for n in (4, 8, 12, 16, 20, 32, 100)} == {
        4: 1, 8: 1, 12: 1, 16: 5, 20: 6, 32: 10, 100: 33,
    }  # fmt: skip


def test_a_plan_is_perfect_when_nothing_can_be_better():
    assert check_plan([[tuple("ABCD")]]).is_perfect
    assert not check_plan(TWICE).is_perfect
