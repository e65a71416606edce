"""The last hanchan: single cases by hand, and random competitions against random legal ends."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.extras.needs.rules import MISSED, PLACE, RANK, REACHED, Goal
from league.extras.needs.rules.hanchan import (
    DEPENDS,
    Case,
    Gap,
    HanchanNeeds,
    LastHanchan,
    PointSpan,
    Reach,
    Record,
    Where,
    hanchan_needs,
    is_provable,
    outcome_of_hanchan,
    reach_of,
)
from scoring.presets import resolve
from scoring.settlement import settler
from scoring.standings import DEFAULT_TIE_BREAKS, rank_players
from scoring.teams import games_of_teams
from tests.examples import examples
from tests.league.extras.needs.rules.last_hanchan import compare, has_rank, said_of
from tests.league.extras.needs.rules.last_hanchan_spans import UNPROVABLE, compare_spans, random_last
from tests.scoring.hanchan_logs import EAST, NORTH, SOUTH, WEST
from tests.scoring.test_teams import season

M_LEAGUE = resolve("mleague")
TITLE, SECOND = Goal(RANK, 1, alone=True), Goal(RANK, 2, alone=True)


def needs(
    *totals: int, elsewhere: tuple[int, ...] = (), seat: int = EAST, goal: Goal = TITLE
) -> HanchanNeeds:
    east, south, west, north = map(Record, totals)
    records = tuple(map(Record, elsewhere))
    return hanchan_needs(
        LastHanchan(rules=M_LEAGUE, seats=(east, south, west, north), elsewhere=records), EAST, TITLE
    )


def test_first_place_is_enough_when_the_place_points_cover_the_distance():
    """South leads by 40.0. First before second is worth 40.0 (50.0 to 10.0), and at least 0.1 of points. With
    ten deposits left over 22,600 points are the fewest of a first place.
    """
    found = needs(0, 400, -9000, -9000)
    assert found.places[1] == (PointSpan(REACHED, 22_600, None),)
    assert Case(1, None, (), ()) in found.cases


def test_a_rival_in_second_place_needs_a_distance_that_one_in_third_does_not():
    found = needs(0, 500, -9000, -9000)
    assert Case(1, None, (), (Gap(SOUTH, 10_100),)) in found.cases
    assert Case(1, None, (Where(SOUTH, 2, denied=True),), ()) in found.cases


def test_a_finished_rival_elsewhere_asks_for_points():
    """First place with 30,000 points is worth 50.0, so that 45,100 points bring 65.1."""
    found = needs(0, -9000, -9000, -9000, elsewhere=(650,))
    assert found.places[1][-1] == PointSpan(REACHED, 45_100, None)
    assert found.cases == (Case(1, 45_100, (), ()),)


def test_nothing_is_proven_against_a_rival_who_still_plays_without_bust():
    seats = (Record(5000), Record(0), Record(0), Record(0))
    last = LastHanchan(rules=M_LEAGUE, seats=seats, reaches=(Reach(),))
    found = hanchan_needs(last, EAST, TITLE)
    assert REACHED not in {span.outcome for spans in found.places.values() for span in spans}
    assert found.cases == ()


def test_with_bust_a_rival_who_still_plays_has_a_bound():
    rules = resolve("tenhou")
    reach = reach_of(0, 1, rules)
    seats = (Record(int(reach.highest) + 40_000), Record(0), Record(0), Record(0))
    found = hanchan_needs(LastHanchan(rules=rules, seats=seats, reaches=(reach,)), EAST, TITLE)
    assert found.outcome == REACHED


def test_nobody_of_a_table_can_come_first_when_enough_are_out_of_reach():
    rules = resolve("tenhou")
    seats = (Record(0), Record(0), Record(0), Record(0))
    last = LastHanchan(rules=rules, seats=seats, elsewhere=(Record(10_000),))
    assert hanchan_needs(last, NORTH, TITLE).outcome == MISSED


@pytest.mark.parametrize(
    ("preset", "elsewhere", "outcome"),
    [
        ("tenhou", -50_000, REACHED),
        ("tenhou", 10_000, MISSED),
        ("tenhou", 0, DEPENDS),
        ("mleague", 0, DEPENDS),
    ],
)
def test_the_outcome_of_a_hanchan_is_what_all_of_its_results_have(preset: str, elsewhere: int, outcome: str):
    seats = (Record(0), Record(-50_000), Record(-50_000), Record(-50_000))
    last = LastHanchan(rules=resolve(preset), seats=seats, elsewhere=(Record(elsewhere),))
    assert outcome_of_hanchan(last, EAST, TITLE) == outcome
    assert hanchan_needs(last, EAST, TITLE).outcome == outcome


def test_an_equal_total_is_decided_by_the_tie_breaks_that_follow_from_places():
    """First place with 45,000 points equals the total elsewhere. One first place against none decides."""
    seats = (Record(0, (1, 0, 0, 0)), Record(-9000), Record(-9000), Record(-9000))

    def points(firsts: int, *names: str) -> int | None:
        other = (Record(650, (firsts, 2 - firsts, 0, 0)),)
        last = LastHanchan(rules=M_LEAGUE, seats=seats, elsewhere=other, tie_breaks=names)
        return hanchan_needs(last, EAST, TITLE).places[1][-1].first

    assert points(0, "firsts") == 45_000
    assert points(2, "firsts") == 45_100
    assert points(0, "head_to_head", "firsts") == 45_100, "a tie-break that nobody can foresee"


def test_a_shared_rank_is_enough_only_if_the_goal_says_so():
    seats = (Record(0), Record(-9000), Record(-9000), Record(-9000))
    last = LastHanchan(rules=M_LEAGUE, seats=seats, elsewhere=(Record(650),))
    shared, alone = (
        hanchan_needs(last, EAST, Goal(RANK, 1, alone=alone)).places[1][-1].first for alone in (False, True)
    )
    assert (shared, alone) == (45_000, 45_100)


def test_other_goals_and_rules_with_chips_are_refused():
    seats = (Record(0), Record(0), Record(0), Record(0))
    with pytest.raises(ValueError, match="nothing can be proven"):
        hanchan_needs(LastHanchan(rules=M_LEAGUE, seats=seats), EAST, Goal(PLACE, 1))
    chips = resolve("mleague", {"chip_value": 2})
    assert not is_provable(chips)
    with pytest.raises(ValueError, match="nothing can be proven"):
        hanchan_needs(LastHanchan(rules=chips, seats=seats), EAST, TITLE)


GUIDE = LastHanchan(
    rules=resolve("guide", UNPROVABLE),
    seats=(
        Record(-1221, (4, 4, 3, 2)),
        Record(-1221, (4, 4, 3, 2)),
        Record(-284, (0, 0, 0, 3)),
        Record(-284, (4, 3, 4, 2)),
    ),
    elsewhere=(Record(132, (4, 0, 2, 2)),),
    reaches=(Reach(),),
    tie_breaks=("seconds", "average_place"),
)


@pytest.mark.parametrize(
    ("seat", "second", "third"),
    [
        (
            EAST,
            (PointSpan(MISSED, None, 160_200), PointSpan(DEPENDS, 160_300, None)),
            (PointSpan(MISSED, None, None),),
        ),
        (
            SOUTH,
            (PointSpan(MISSED, None, 69_300), PointSpan(DEPENDS, 69_400, None)),
            (PointSpan(MISSED, None, None),),
        ),
        *(
            (
                seat,
                (PointSpan(MISSED, None, -900), PointSpan(DEPENDS, -800, None)),
                (PointSpan(MISSED, None, -24_300), PointSpan(DEPENDS, -24_200, None)),
            )
            for seat in (WEST, NORTH)
        ),
    ],
)
def test_without_bust_no_number_of_points_is_out_of_reach(
    seat: int, second: tuple[PointSpan, ...], third: tuple[PointSpan, ...]
):
    """The guide, without what has no bound. Second and third places have open ends on both sides."""
    found = hanchan_needs(GUIDE, seat, SECOND)

    assert (found.places[2], found.places[3]) == (second, third)


def test_a_first_place_is_open_above_and_a_last_place_is_open_below():
    found = hanchan_needs(GUIDE, NORTH, SECOND)

    assert found.places[1] == (PointSpan(DEPENDS, 22_600, 66_500), PointSpan(REACHED, 66_600, None))
    assert found.places[4] == (PointSpan(MISSED, None, -24_400), PointSpan(DEPENDS, -24_300, 25_000))


def test_large_distances_of_totals_have_spans_of_their_own():
    """30,000.0 are 30,000,000 points. In between, the deposits left over decide."""
    seats = (Record(0), Record(-900_000), Record(-900_000), Record(-900_000))
    last = LastHanchan(rules=M_LEAGUE, seats=seats, elsewhere=(Record(300_000),))

    assert hanchan_needs(last, EAST, TITLE).places[1] == (
        PointSpan(MISSED, 22_600, 29_970_000),
        PointSpan(DEPENDS, 29_970_100, 29_980_000),
        PointSpan(REACHED, 29_980_100, None),
    )


@examples(12)
@given(st.randoms(use_true_random=False), st.integers(0, 3), st.integers(0, 2**32))
def test_every_result_has_one_span_that_it_does_not_contradict(chance: Random, seat: int, seed: int):
    """Try random standings, with results at both ends of each span and within."""
    last, goal = random_last(chance)

    checked = compare_spans(last, seat, goal, Random(seed))

    assert checked.results > 5


@pytest.mark.parametrize("seat", range(4))
def test_results_of_the_guide_have_one_span_that_they_do_not_contradict(seat: int):
    assert compare_spans(GUIDE, seat, SECOND, Random(seat)).results > 20


FIRST_ENDS = [(seed, 40) for seed in range(4)]
MORE_ENDS = [
    *((seed, 40) for seed in range(4, 13)),
    (1671, 200),  # all four below the start, with deposits left over, under a floating uma
    (1854, 200),  # a span between two contestants elsewhere
    (1981, 200),
]


@pytest.mark.parametrize("ends_of_seeds", [FIRST_ENDS, pytest.param(MORE_ENDS, marks=pytest.mark.slow)])
def test_no_random_end_contradicts_what_is_proven(ends_of_seeds: list[tuple[int, int]]):
    """See `benchmarks.chances --proofs` for more of them."""
    for seed, ends in ends_of_seeds:
        count, seen = compare(seed, ends)
        assert count == sum(seen[name] for name in (REACHED, MISSED, DEPENDS)), seed


def test_what_is_proven_before_the_last_hanchan_of_m_league_held():
    """Each team of the last table, for each rank: the season as played, and its last table in every order."""
    games, members, _number, _names = season()
    played = games_of_teams(games, members)
    *before, final = played
    rows = {row.player: row for row in rank_players(before, M_LEAGUE, tie_breaks=DEFAULT_TIE_BREAKS)}
    four, points = final[:4], final[4:8]
    seats = [Record(rows[team].total, rows[team].places) for team in four]
    others = [Record(row.total, row.places) for team, row in rows.items() if team not in four]
    last = LastHanchan(
        rules=M_LEAGUE,
        seats=(seats[0], seats[1], seats[2], seats[3]),
        elsewhere=tuple(others),
        tie_breaks=DEFAULT_TIE_BREAKS,
    )
    games = [(*four, *order, final[8]) for order in permutations(points)]
    ends = [rank_players([*before, game], M_LEAGUE, tie_breaks=DEFAULT_TIE_BREAKS) for game in games]
    checked = 0
    for rank in range(1, 7):
        goal = Goal(RANK, rank, alone=True)
        answers = [hanchan_needs(last, seat, goal) for seat in range(4)]
        for game, end in zip(games, ends, strict=True):
            places = settler(M_LEAGUE)(*game[4:])[0]
            for seat, team in enumerate(four):
                tied = places.count(places[seat]) > 1
                said = said_of(answers[seat], places[seat], game[4 + seat], shared=tied)
                true = has_rank(end, team, goal)
                checked += said != DEPENDS
                assert said == DEPENDS or true == (said == REACHED)
    assert checked > 400
