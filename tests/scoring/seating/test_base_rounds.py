"""Every stored base round passes the checker once it is developed."""

import hashlib
import json
from pathlib import Path

import pytest

from scoring.seating import base_rounds
from scoring.seating.checker import check_plan, least_repeats, most_rounds

SIZES = range(16, 401, 4)
STORED = Path(base_rounds.__file__).with_suffix(".json")


def test_the_stored_rounds_and_plans_are_those_that_the_slow_tests_checked():
    """After a change of the file run `bin/test` with this folder. Then write its digest."""
    digest = hashlib.sha256(STORED.read_bytes()).hexdigest()

    assert digest == "ef642b53f03b7a374e46c6e6e5b4d3930e8fcd430660e01fca1a7592c7794e30"


@pytest.mark.slow
@pytest.mark.parametrize("players", SIZES)
def test_all_rounds_that_are_stored_are_without_a_repeat(players):
    bases = base_rounds.stored_base_rounds(players)

    assert bases
    for base in bases:
        report = check_plan(base.developed(base.rounds), range(players))
        assert (report.faults, report.repeats, report.sitting_out) == ((), 0, ())
        assert (report.players, report.rounds) == (players, base.rounds)


def test_every_size_has_a_quarter_of_its_players_as_rounds_at_least():
    assert [n for n in SIZES if base_rounds.perfect_rounds(n) < n // 4] == []


def test_the_bound_is_reached_for_these_sizes():
    below = {n: base_rounds.perfect_rounds(n) for n in range(16, 113, 4)}
    below = {n: rounds for n, rounds in below.items() if rounds < most_rounds(n)}

    assert below == {20: 5, 68: 21, 92: 28, 104: 31, 108: 34}


@pytest.mark.slow
def test_stored_plans_are_whole_and_near_their_bound():
    repeats = {}
    stored = json.loads(STORED.read_text())["plans"]
    for players, rounds in (map(int, name.split("x")) for name in stored):
        plan = base_rounds.stored_plan(players, rounds)
        report = check_plan(plan, range(players))
        assert (report.faults, report.rounds, report.sitting_out) == ((), rounds, ())
        repeats[players, rounds] = (report.repeats, least_repeats(players, players // 4 * rounds, rounds))

    assert repeats == {(20, 6): (6, 0), (20, 7): (20, 20), (24, 8): (18, 12)}


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(16, 4), (20, 5), (24, 5), (32, 8), (36, 9), (40, 9), (48, 12), (64, 16), (100, 25)],
)
def test_one_of_each_quarter_keeps_four_clubs_of_a_quarter_apart(players, rounds):
    plan = base_rounds.one_of_each_quarter(players, rounds)

    assert plan is not None
    report = check_plan(plan, range(players))
    assert (report.rounds, report.repeats, report.faults) == (rounds, 0, ())
    assert all({p * 4 // players for p in table} == {0, 1, 2, 3} for round_ in plan for table in round_)


@pytest.mark.parametrize(("players", "rounds"), [(12, 3), (24, 6), (32, 9), (22, 2)])
def test_for_other_sizes_there_is_none_of_that_kind(players, rounds):
    assert base_rounds.one_of_each_quarter(players, rounds) is None
