"""Whole schedules: no repeat where that is stored, as few as are found elsewhere, wishes met, winds even."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seating.base_rounds import perfect_rounds
from scoring.seating.checker import check_plan
from scoring.seating.schedule import Schedule, whole_schedule
from scoring.seating.search import LEG
from scoring.seating.wishes import Apart, Wishes, WishesError
from tests.examples import examples


def meetings(schedule: Schedule, rounds: int | None = None) -> set[tuple[int, int]]:
    return {
        (min(pair), max(pair))
        for round_ in schedule.rounds[:rounds]
        for table in round_
        for pair in combinations(table, 2)
    }


def clubs(players: int, count: int) -> tuple[int, ...]:
    return tuple(player % count for player in range(players))


def mates(groups: tuple[int, ...]) -> set[tuple[int, int]]:
    return {pair for pair in combinations(range(len(groups)), 2) if groups[pair[0]] == groups[pair[1]]}


@examples(20)
@given(st.integers(4, 100), st.integers(1, 60), st.integers(0, 10**9))
def test_a_stored_schedule_is_perfect_and_needs_no_search(quarter, rounds, seed):
    players = 4 * quarter
    rounds = min(rounds, perfect_rounds(players))

    schedule = whole_schedule(players, rounds, seed=seed)

    assert check_plan(schedule.rounds, range(players)).is_perfect
    assert (schedule.steps, schedule.repeats) == (0, 0)
    assert schedule.report.sitting_out == ()


@examples(25)
@given(st.integers(4, 30), st.integers(1, 9), st.integers(0, 10**9), st.data())
def test_any_schedule_can_be_played_winds_are_even_and_sitting_out_is_in_turn(players, rounds, seed, data):
    groups = data.draw(st.lists(st.sampled_from("ABC") | st.none(), min_size=players, max_size=players))
    pairs = st.tuples(st.integers(0, players - 1), st.integers(0, players - 1)).filter(lambda p: p[0] != p[1])
    wishes = Wishes(
        apart=(Apart(groups, data.draw(st.none() | st.integers(1, 9))),),
        forbidden=frozenset(data.draw(st.lists(pairs, max_size=2))),
        met=dict(data.draw(st.lists(st.tuples(pairs.map(sorted).map(tuple), st.integers(1, 3)), max_size=3))),
    )

    schedule = whole_schedule(players, rounds, wishes=wishes, seed=seed, steps=LEG)

    report = check_plan(schedule.rounds, range(players))
    assert (report.faults, report.uneven, report.broken_blocks) == ((), (), 0)
    assert report.rounds == rounds
    assert all(len(round_) == players // 4 for round_ in schedule.rounds)
    assert report.repeats >= report.least_repeats
    assert schedule.cost >= schedule.least_cost
    out = dict(report.sitting_out)
    assert wishes.forbidden or max(out.values(), default=0) - min(out.get(p, 0) for p in range(players)) <= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds", "most"),
    [(16, 8, 72), (20, 7, 20), (20, 8, 50), (20, 10, 110), (24, 10, 84), (24, 8, 18), (28, 10, 42),
     (20, 6, 6)],
)  # fmt: skip
def test_overfull_events_have_the_fewest_repeats_that_are_known_here(players, rounds, most):
    schedule = whole_schedule(players, rounds, seed=1, steps=15 * LEG)

    assert schedule.repeats <= most
    assert check_plan(schedule.rounds).broken_blocks == 0


@pytest.mark.parametrize("players", [19, 23, 27, 35, 39, 63])
def test_one_short_of_a_multiple_of_four_no_players_meet_twice_or_sit_out_twice(players):
    rounds = perfect_rounds(players + 1)

    schedule = whole_schedule(players, rounds, steps=0)

    assert (schedule.repeats, schedule.cost) == (0, 0)
    assert {times for _, times in schedule.report.sitting_out} == {1}


@pytest.mark.slow
def test_a_search_that_is_cut_in_slices_comes_to_the_same_plan():
    whole = whole_schedule(22, 6, seed=5, steps=9 * LEG)
    state = None
    for legs in (2, 3, 5, 9):
        sliced = whole_schedule(22, 6, seed=5, steps=legs * LEG, state=state)
        state = sliced.state

    assert sliced == whole
    assert whole.steps == 9 * LEG


def test_the_same_seed_and_steps_give_the_same_plan_and_another_seed_another():
    first, again, other = (whole_schedule(21, 5, seed=seed, steps=3 * LEG) for seed in (1, 1, 2))

    assert first == again
    assert first.rounds != other.rounds
    assert whole_schedule(40, 10, seed=1).rounds != whole_schedule(40, 10, seed=2).rounds


def test_a_search_without_steps_still_has_a_plan():
    schedule = whole_schedule(30, 20, steps=0)

    assert schedule.steps == 0
    assert check_plan(schedule.rounds, range(30)).faults == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds", "count"),
    [(40, 10, 10), (32, 8, 8), (44, 8, 4), (20, 5, 4), (32, 8, 4), (36, 8, 4), (36, 9, 4)],
)
def test_clubs_are_kept_apart_without_a_repeat(players, rounds, count):
    groups = clubs(players, count)

    schedule = whole_schedule(players, rounds, wishes=Wishes(apart=(Apart(groups),)), seed=1, steps=0)

    assert (meetings(schedule) & mates(groups), schedule.repeats) == (set(), 0)


def test_clubs_are_kept_apart_in_the_first_rounds_only():
    groups = clubs(40, 5)

    schedule = whole_schedule(40, 10, wishes=Wishes(apart=(Apart(groups, 3),)), seed=1, steps=5 * LEG)

    assert meetings(schedule, 3) & mates(groups) == set()
    assert meetings(schedule) & mates(groups)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rounds", "count", "until"), [(40, 8, 10, 3), (24, 6, 6, 2), (32, 8, 8, 3)]
)
def test_after_the_rounds_of_clubs_apart_mates_meet_no_more_than_by_chance(players, rounds, count, until):
    groups = clubs(players, count)
    pairs = mates(groups)

    schedule = whole_schedule(players, rounds, wishes=Wishes(apart=(Apart(groups, until),)), seed=1, steps=0)

    by_chance = len(pairs) * 3 / (players - 1)
    for number in range(until, rounds):
        now = meetings(schedule, number + 1) - meetings(schedule, number)
        assert len(now & pairs) <= by_chance
    assert schedule.repeats == 0


@pytest.mark.slow
def test_a_club_that_cannot_be_apart_costs_no_more_than_it_must():
    """Nine of a club at four tables: someone meets."""
    groups = [0] * 9 + [None] * 7

    schedule = whole_schedule(16, 1, wishes=Wishes(apart=(Apart(groups),)), steps=5 * LEG)

    together = [sorted(sum(player < 9 for player in table) for table in schedule.rounds[0])]
    assert together == [[2, 2, 2, 3]]


def test_forbidden_pairs_never_meet_and_wished_ones_do():
    wishes = Wishes(forbidden=frozenset({(0, 1), (3, 2)}), wished=frozenset({(4, 5), (7, 6)}))

    stored, searched = (whole_schedule(n, 5, wishes=wishes, seed=1, steps=10 * LEG) for n in (20, 21))

    for schedule in (stored, searched):
        assert meetings(schedule) & {(0, 1), (2, 3)} == set()
        assert meetings(schedule) >= {(4, 5), (6, 7)}
    assert stored.repeats == 0


def test_people_who_met_before_are_kept_apart_first():
    first = whole_schedule(24, 3, seed=1)
    met = dict.fromkeys(meetings(first), 1)

    schedule = whole_schedule(24, 2, wishes=Wishes(met=met), seed=2, steps=40 * LEG)

    assert meetings(first) & meetings(schedule) == set()


def test_who_sat_out_before_sits_out_last():
    schedule = whole_schedule(17, 4, wishes=Wishes(sat_out=dict.fromkeys(range(13), 1)), steps=5 * LEG)

    assert sorted(schedule.report.sitting_out) == [(13, 1), (14, 1), (15, 1), (16, 1)]


def test_fixed_players_always_sit_at_their_table_and_two_of_one_table_together():
    alone = whole_schedule(40, 8, wishes=Wishes(fixed={3: 1, 8: 5}), seed=1, steps=0)
    both = whole_schedule(16, 3, wishes=Wishes(fixed={3: 2, 8: 2}), seed=1, steps=10 * LEG)

    assert alone.repeats == 0
    assert all(3 in round_[0] and 8 in round_[4] for round_ in alone.rounds)
    assert all({3, 8} <= set(round_[1]) for round_ in both.rounds)


@pytest.mark.parametrize(("players", "rounds", "most"), [(40, 10, 3), (64, 10, 2), (100, 8, 2), (16, 5, 3)])
def test_no_player_is_always_at_one_table(players, rounds, most):
    assert whole_schedule(players, rounds, seed=1).report.most_at_a_table <= most


@pytest.mark.parametrize(("players", "rounds"), [(20, 4), (20, 5), (28, 7), (44, 11), (100, 15)])
def test_tables_without_factors_two_and_three_are_visited_once(players, rounds):
    schedule = whole_schedule(players, rounds, seed=1)

    assert (schedule.report.most_at_a_table, schedule.report.is_perfect) == (1, True)


def test_tables_of_earlier_rounds_count_too():
    before = {(player, 1): 5 for player in range(8)}

    schedule = whole_schedule(16, 3, wishes=Wishes(sat_at=before), seed=1)

    assert [sum(player < 8 for player in round_[0]) <= 2 for round_ in schedule.rounds] == [True] * 3


@pytest.mark.parametrize(("players", "rounds"), [(3, 1), (0, 1), (401, 1), (16, 0), (16, 61)])
def test_sizes_that_are_none_are_refused(players, rounds):
    with pytest.raises(ValueError, match="players in"):
        whole_schedule(players, rounds)


@pytest.mark.parametrize(
    ("wishes", "reason"),
    [
        (Wishes(forbidden=frozenset({(0, 16)})), "a player that there is not"),
        (Wishes(wished=frozenset({(2, 2)})), "two players"),
        (Wishes(apart=(Apart(("A",)),)), "each player has a group"),
        (Wishes(fixed={1: 5}), "table that there is not"),
        (Wishes(fixed=dict.fromkeys(range(5), 1)), "more than four"),
        (Wishes(forbidden=frozenset({(0, 1)}), wished=frozenset({(1, 0)})), "both forbidden and wished"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(wishes, reason):
    with pytest.raises(WishesError, match=reason):
        whole_schedule(16, 3, wishes=wishes)
