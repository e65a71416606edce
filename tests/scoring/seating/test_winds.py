"""Winds: as even as can be when all tables are known, and by need when the rounds before are played."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seating.checker import check_plan
from scoring.seating.rounds import history_of
from scoring.seating.winds import by_need, give_winds


@st.composite
def plans(draw: st.DrawFn) -> list[list[list[int]]]:
    players = draw(st.integers(4, 30))
    chance = random.Random(draw(st.integers(0, 10**6)))
    rounds = []
    for _ in range(draw(st.integers(1, 13))):
        line = chance.sample(range(players), players // 4 * 4)
        rounds.append([line[at : at + 4] for at in range(0, len(line), 4)])
    return rounds


@given(plans())
def test_every_player_has_each_wind_once_in_each_four_games(plan):
    seated = give_winds(plan)

    report = check_plan(seated)
    assert (report.faults, report.uneven, report.broken_blocks) == ((), (), 0)
    assert [[sorted(t) for t in r] for r in seated] == [[sorted(t) for t in r] for r in plan]


@given(plans(), plans())
def test_after_played_games_winds_are_at_least_as_even_as_without_a_look_at_them(before, plan):
    had = history_of(dict(enumerate(round_)) for round_ in before).winds

    seated = give_winds(plan, had)

    assert [[sorted(t) for t in r] for r in seated] == [[sorted(t) for t in r] for r in plan]
    assert squares(before, seated) <= squares(before, give_winds(plan))
    assert give_winds(plan, had) == seated


def test_four_games_with_each_wind_once_begin_with_the_games_that_were_played():
    """Fewer than one block a player repeats a wind. With blocks that began again it would be two of three."""
    players, broken = 24, 0
    for seed in range(6):
        chance = random.Random(seed)
        lines = [chance.sample(range(players), players) for _round in range(9)]
        first, *later = [[line[at : at + 4] for at in range(0, players, 4)] for line in lines]
        played = give_winds([first])
        had = history_of(dict(enumerate(round_)) for round_ in played).winds
        broken += check_plan([*played, *give_winds(later, had)]).broken_blocks

    assert broken < 6 * players


def squares(*parts: list) -> int:
    winds = history_of(dict(enumerate(round_)) for part in parts for round_ in part).winds
    return sum(times * times for counts in winds.values() for times in counts)


@pytest.mark.parametrize("players", [8, 16, 24, 32])
@pytest.mark.parametrize("seed", range(3))
def test_two_rounds_of_chance_and_six_more_leave_everyone_with_each_wind_twice(players, seed):
    chance = random.Random(seed)
    lines = [chance.sample(range(players), players) for _round in range(8)]
    rounds = [[line[at : at + 4] for at in range(0, players, 4)] for line in lines]

    seated = [*rounds[:2], *give_winds(rounds[2:], history_of(map(dict, map(enumerate, rounds[:2]))).winds)]

    assert check_plan(seated).uneven == ()


def test_who_has_the_worst_balance_gets_the_wind_that_is_missing():
    winds = {"A": (3, 3, 3, 0), "B": (1, 1, 1, 1), "C": (1, 1, 1, 0), "D": (0, 1, 1, 1)}

    (table,) = by_need([("A", "B", "C", "D")], winds, random.Random(1))

    assert (table[3], table[0]) == ("A", "D")
    assert sorted(table) == ["A", "B", "C", "D"]


def test_equally_good_orders_are_drawn():
    drawn = {by_need([("A", "B", "C", "D")], {}, random.Random(seed))[0] for seed in range(200)}

    assert len(drawn) == 24
