"""Seasons of teams: every team, pair and four equally often."""

from collections import Counter
from itertools import combinations

import pytest

from scoring.seating.checker import check_plan
from scoring.seating.team_season import team_season


def times(rounds, size: int, teams: int) -> set[int]:
    met = Counter(group for round_ in rounds for four in round_ for group in combinations(sorted(four), size))
    return {met[group] for group in combinations(range(teams), size)}


@pytest.mark.parametrize(("days", "tables"), [(70, 1), (35, 2)])
def test_eight_teams_have_every_four_on_one_day_each_and_every_pair_equally_often(days, tables):
    rounds = team_season(range(8), [2] * days, tables=tables, same_all_day=True, seed=1)

    assert [times(rounds, size, 8) for size in (1, 2, 4)] == [{70}, {30}, {2}]
    tables_of = [[frozenset(four) for four in each] for each in rounds]
    assert tables_of[::2] == tables_of[1::2]  # at the same table, too
    report = check_plan(rounds)
    assert (report.faults, report.uneven, report.broken_blocks) == ((), (), 0)


@pytest.mark.parametrize(("teams", "days", "tables"), [(8, 13, 1), (9, 12, 2), (16, 5, 4), (4, 3, 1)])
def test_teams_play_and_meet_nearly_equally_often_in_other_seasons(teams, days, tables):
    rounds = team_season(range(teams), [1] * days, tables=tables, same_all_day=False, seed=2)

    played, met = times(rounds, 1, teams), times(rounds, 2, teams)
    assert max(played) - min(played) <= 1
    assert max(met) - min(met) <= 2
    assert [len(each) for each in rounds] == [tables] * days


def test_what_was_played_before_counts():
    before = [(0, 1, 2, 3)] * 3
    first = team_season(range(8), [1], tables=1, same_all_day=True, before=before, seed=3)
    assert sorted(first[0][0]) == [4, 5, 6, 7]


def test_too_few_teams_are_refused():
    with pytest.raises(ValueError, match="7 teams at 2 tables"):
        team_season(range(7), [1], tables=2, same_all_day=True, seed=1)
