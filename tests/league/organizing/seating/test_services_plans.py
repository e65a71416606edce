"""Plans without a database: all players play or sit out in turn, whatever the numbers, tables and wishes."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.organizing.seating.queries.seating import (
    BOTH,
    INTERVAL,
    LOTS,
    RANK,
    SCHEDULE,
    SWISS,
    WEIGHS,
    PlanRequest,
    Target,
)
from league.organizing.seating.services import plans
from league.organizing.seating.services.plans import Job, make_plan, one_round, search, wishes_of
from league.people.members.queries import PlayerInfo
from scoring.seating import rounds as engine_rounds
from scoring.seating.checker import check_plan
from scoring.seating.rounds import History, history_of
from scoring.seating.schedule import whole_schedule
from scoring.seating.search import LEG
from tests.examples import examples


def info(player: int) -> PlayerInfo:
    return PlayerInfo(player, player, f"p{player}", f"Player {player}", "", "HK", f"Club {player % 3}")


def job(
    players: list[int],
    *,
    asked: PlanRequest,
    numbers: tuple[int, ...] = (),
    history: History | None = None,
    rounds: int = 1,
) -> Job:
    return Job(
        asked=asked,
        targets=tuple(Target(number, None) for number in range(1, rounds + 1)),
        players=tuple(sorted(players)),
        order=tuple(players),
        numbers=numbers or tuple(range(1, len(players) // 4 + 1)),
        history=history or History(),
        people={player: info(player) for player in players},
    )


people = st.integers(4, 23).flatmap(lambda n: st.permutations(range(100, 100 + n)))


@examples(20)
@given(people, st.integers(1, 4), st.sampled_from([LOTS, RANK, INTERVAL]))
def test_round_after_round_every_player_plays_or_sits_out_in_turn(players, rounds, method):
    plan: list[dict[int, tuple[int, ...]]] = []
    for seed in range(rounds):
        history = history_of(plan, players)
        found = one_round(job(players, asked=PlanRequest(method=method), history=history), seed=seed)
        plan.append(dict(found.plan[0]))
    report = check_plan([list(round_.values()) for round_ in plan], players)
    assert report.faults == ()
    assert [len(round_) for round_ in plan] == [len(players) // 4] * rounds
    played = Counter(player for round_ in plan for four in round_.values() for player in four)
    assert max(played[player] for player in players) - min(played[player] for player in players) <= 1


@examples(15)
@given(people, st.integers(1, 5), st.integers(0, 99))
def test_a_searched_schedule_has_every_seat_filled_and_winds_even(players, rounds, seed):
    asked = PlanRequest(method=SCHEDULE, rounds=rounds)
    found = search(job(players, asked=asked, rounds=rounds), seed=seed, legs=1, state=None)
    report = check_plan([list(round_.values()) for round_ in found.plan], players)
    assert (report.faults, report.uneven, len(found.plan)) == ((), (), rounds)
    out = [times for _player, times in report.sitting_out]
    assert max(out, default=0) - (min(out) if len(out) == len(players) else 0) <= 1


def test_a_state_goes_through_json_and_back():
    """A search continues from a draft's JSON as if it had not stopped."""

    mine = job(list(range(22)), asked=PlanRequest(method=SCHEDULE, rounds=8), rounds=8)
    first = search(mine, seed=3, legs=2, state=None, most=60)
    kept = json.loads(json.dumps(dict(first.state or {})))
    whole = search(mine, seed=3, legs=4, state=None, most=60)
    assert search(mine, seed=3, legs=4, state=kept, most=60) == whole


def test_a_request_takes_so_many_legs_whatever_else_the_server_does(monkeypatch):
    monkeypatch.setattr(plans, "SLICE", 2)
    mine = job(list(range(22)), asked=PlanRequest(method=SCHEDULE, rounds=8), rounds=8)
    first = search(mine, seed=3, legs=99, state=None)
    following = search(mine, seed=3, legs=99, state=first.state)
    assert (first.steps, following.steps) == (2 * LEG, 4 * LEG)
    assert following.plan == search(mine, seed=3, legs=4, state=None, most=4).plan


def test_tables_that_are_not_numbered_from_one_reach_the_wishes_and_come_back():
    asked = PlanRequest(method=SCHEDULE, rounds=3, tables=(2, 5, 6, 9), fixed={7: 6})
    history = History(sat_at={(3, 9): 2, (4, 1): 5}, met={(0, 1): 1}, sat_out={2: 1, 99: 4})
    mine = job(list(range(16)), asked=asked, numbers=(2, 5, 6, 9), history=history, rounds=3)
    wishes = wishes_of(mine)
    assert wishes.fixed == {7: 3}
    assert (wishes.sat_at, wishes.met, wishes.sat_out) == ({(3, 4): 2}, {(0, 1): 1}, {2: 1})
    found = search(mine, seed=1, legs=20, state=None, most=60)
    assert [sorted(round_) for round_ in found.plan] == [[2, 5, 6, 9]] * 3
    assert all(7 in round_[6] for round_ in found.plan)


def test_clubs_are_apart_up_to_the_round_that_was_asked_for():
    players = list(range(12))
    near = job(players, asked=PlanRequest(method=SCHEDULE, rounds=3, clubs=2), rounds=3)
    (apart,) = wishes_of(near).apart
    assert (apart.rounds, apart.groups[:4]) == (2, ["Club 0", "Club 1", "Club 2", "Club 0"])
    (always,) = wishes_of(job(players, asked=PlanRequest(countries=0, rounds=3), rounds=3)).apart
    assert (always.rounds, set(always.groups)) == (None, {"HK"})


def test_swiss_rounds_are_compared_by_repeats_before_ranks():
    players = list(range(16))
    met = {(one, other): 1 for one in range(4) for other in range(one + 1, 4)}
    mine = job(players, asked=PlanRequest(method=SWISS), history=History(met=met))
    found = one_round(mine, seed=1)
    unmet, repeats, spread = found.cost
    assert (unmet, repeats) == (0, 0)
    assert spread > 0


def test_the_five_swiss_plans_divide_the_way_from_few_repeats_to_close_ranks(monkeypatch):
    monkeypatch.setattr(engine_rounds, "STEPS", 80_000)
    players, played = list(range(32)), []
    for _round in range(4):
        found = one_round(job(players, asked=PlanRequest(method=SWISS), history=history_of(played)), seed=1)
        played.append(found.plan[0])

    mine = job(players, asked=PlanRequest(method=SWISS, weighs=BOTH), history=history_of(played))
    found = make_plan(mine, seed=1)

    repeats, apart = zip(*(found.otherwise[weighs].figures for weighs in WEIGHS), strict=True)
    assert sorted(set(repeats)) == list(repeats)
    assert sorted(set(apart), reverse=True) == list(apart)
    assert found.plan == found.otherwise[BOTH].plan


@pytest.mark.parametrize("seed", range(3))
def test_after_departures_and_late_players_the_rest_has_even_winds(seed):
    """Four of 40 leave after five rounds of their own winds, then one comes."""
    played = whole_schedule(40, 5, seed=seed).rounds
    shuffled = [dict(enumerate(tuple(reversed(table)) for table in each)) for each in played]
    players = [*range(36), 40]
    mine = job(players, asked=PlanRequest(), history=history_of(shuffled, players), rounds=5)

    found = search(mine, seed=seed, legs=1, state=None)

    plan = [list(round_.values()) for round_ in (*shuffled, *found.plan)]
    assert [player for player, _ in check_plan(plan).uneven if player in players] == []
