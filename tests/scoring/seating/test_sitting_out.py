"""Who sits out: in turn, not twice in a row, and in the same share of one's rounds."""

from collections import Counter
from fractions import Fraction

import pytest

from scoring.seating.checker import check_plan
from scoring.seating.schedule import whole_schedule
from scoring.seating.search import LEG
from scoring.seating.sitting_out import choose_sitting_out, share_of_sitting_out
from scoring.seating.wishes import Wishes


def test_who_sat_out_least_often_sits_out_and_equal_ones_as_they_were_drawn():
    sat_out = {1: 2, 2: 1, 3: 1, 4: 0}
    assert choose_sitting_out([1, 2, 3, 4, 5], 3, sat_out=sat_out) == [4, 5, 2]


def test_no_player_sits_out_twice_in_a_row_as_long_as_others_can():
    assert choose_sitting_out([1, 2, 3], 1, sat_out={2: 5, 3: 4}, beside={1}) == [3]
    assert choose_sitting_out([1, 2, 3], 3, sat_out={2: 5, 3: 4}, beside={1}) == [3, 2, 1]


def test_who_comes_now_and_then_sits_out_as_often_as_others_of_their_rounds():
    """Player 1 came always, 2 to rounds in which a fifth sat out, 3 to full rounds, 4 for the first time."""
    due = {1: Fraction(2), 2: Fraction(1, 5), 3: Fraction(), 4: Fraction()}
    assert share_of_sitting_out({1: 2, 2: 1}, due) == {1: 2, 2: Fraction(14, 5), 3: 2, 4: 2}
    assert share_of_sitting_out({}, {}) == {}


@pytest.mark.parametrize("players", [5, 6, 7, 9, 13, 18, 23, 30])
def test_a_schedule_is_fair_after_each_round_and_no_player_sits_out_twice_in_a_row(players):
    before, after = frozenset(range(players % 4)), frozenset({players - 1})
    sat_out = dict.fromkeys(before, 1)
    wishes = Wishes(sat_out=sat_out, out_before=before, out_after=after)
    schedule = whole_schedule(players, 7, wishes=wishes, steps=2 * LEG)

    times = Counter(sat_out)
    for round_ in schedule.rounds:
        times.update(set(range(players)) - {player for table in round_ for player in table})
        others = [times[player] for player in range(players) if player not in after]
        assert max(others) - min(others) <= 1
    assert schedule.report.in_a_row == 0
    out = [set(range(players)).difference(*round_) for round_ in (schedule.rounds[0], schedule.rounds[-1])]
    assert (out[0] & before, out[1] & after) == (set(), set())


def test_the_checker_counts_who_sits_out_twice_in_a_row():
    plan = [["ABCD"], ["ABCD"], ["ABCE"]]
    assert check_plan(plan, "ABCDE").in_a_row == 1
