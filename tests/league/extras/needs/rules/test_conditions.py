"""What is needed in the last hand: single cases by hand, and random ones against brute force."""

from random import Random

import pytest

from league.extras.needs.rules import (
    ANY_WIN,
    GOES_ON,
    MISSED,
    PLACE,
    RANK,
    REACHED,
    RON,
    SHARED,
    TOTAL,
    TSUMO,
    Conditions,
    Goal,
    LastHand,
    Part,
    Span,
    Stakes,
    Way,
    conditions,
    double_rons,
    spoken,
)
from scoring.hanchan import HandName, new_game
from scoring.presets import resolve
from scoring.rules import Rules
from scoring.score_table import MOST_YAKUMAN
from tests.examples import scaled
from tests.league.extras.needs.rules.last_hands import RULE_SETS, answers, asked
from tests.scoring.hanchan_logs import EAST, NORTH, SOUTH, WEST, rules_with

LAST = HandName(1, 4, 0)
FIRST, SECOND = Goal(PLACE, 1), Goal(PLACE, 2)
ALONE = Goal(PLACE, 1, alone=True)
NOTHING = Stakes()
M_LEAGUE = resolve("mleague")


def needs(
    points: tuple[int, int, int, int],
    seat: int,
    goal: Goal = FIRST,
    rules: Rules = M_LEAGUE,
    *,
    at: HandName = LAST,
    riichi: tuple[int, ...] = (),
    stakes: Stakes = NOTHING,
) -> Conditions:
    deposits = rules.total_points - sum(points)
    return conditions(
        LastHand(new_game(rules, at=at, points=points, deposits=deposits), riichi), seat, goal, stakes
    )


def said(found: Conditions, way: Way) -> list[tuple[str, int, int]]:
    """Return outcome, lowest and highest basic points of each span."""
    return [(span.outcome.code, span.stretch.first.base, span.stretch.last.base) for span in found.wins[way]]


def endings(span: Span) -> list[str]:
    return [reason.ending for reason in span.reasons]


def holds(span: Span, base: int) -> bool:
    return span.stretch.first.base <= base <= span.stretch.last.base


def parts(found: Conditions) -> list[tuple[str, list[int], tuple[int, ...]]]:
    return [(part.kind, [each.first.base for each in part.values], part.losers) for part in spoken(found)]


TOP = 8000 * MOST_YAKUMAN


def test_a_direct_hit_on_the_leader_needs_less_than_a_self_draw_and_any_other_ron():
    found = needs((30000, 25300, 24500, 20200), SOUTH)
    assert said(found, Way(SOUTH)) == [(MISSED, 240, 800), (REACHED, 960, TOP)]
    assert said(found, Way(SOUTH, EAST)) == [(MISSED, 240, 560), (REACHED, 640, TOP)]
    assert said(found, Way(SOUTH, WEST)) == [(MISSED, 240, 1120), (REACHED, 1280, TOP)]
    assert parts(found) == [(TSUMO, [960], ()), (RON, [1280], ()), (RON, [640], (EAST,))]


def test_the_leader_may_win_with_anything_and_says_so_in_one_part():
    found = needs((40000, 25000, 25000, 10000), EAST)
    assert spoken(found) == (Part(ANY_WIN),)
    assert found.draws[()] == (REACHED, None)


def test_wins_that_cannot_suffice_have_no_part():
    found = needs((90000, 4000, 3000, 3000), NORTH, rules=rules_with(composite_yakuman=False))
    assert spoken(found) == ()


def test_a_larger_win_can_hurt_because_another_rival_passes():
    totals = Stakes((-600, -500, 600, 100))
    found = needs((19000, 32500, 26000, 22500), EAST, Goal(RANK, 2), stakes=totals)
    spans = found.wins[Way(EAST, SOUTH)]
    assert [(span.outcome.code, span.stretch.first.values[0].limit) for span in spans] == [
        (MISSED, None),
        (REACHED, None),
        (MISSED, "haneman"),
        (REACHED, "baiman"),
    ]
    first = spans[1].stretch
    assert [(value.han, value.fu) for value in first.first.values] == [(2, 110)]
    assert first.last.values[0].limit == "mangan"


def test_a_larger_win_can_put_the_leader_below_the_target_so_that_west_is_entered():
    rules = resolve("tnt")
    found = needs((30500, 28000, 23500, 18000), WEST, SECOND, rules)
    spans = found.wins[Way(WEST, EAST)]
    assert spans[0].outcome == (GOES_ON, 8)
    assert spans[-1].outcome.code == REACHED
    assert found.wins[Way(WEST, NORTH)][0].outcome == (MISSED, None)


def test_the_last_dealers_win_decides_nothing_without_agari_yame():
    points = (20000, 25000, 24000, 31000)
    found = needs(points, NORTH)
    assert said(found, Way(NORTH)) == [(GOES_ON, 240, TOP)]
    ended = needs(points, NORTH, rules=rules_with(agari_yame=True))
    assert [endings(span) for span in ended.wins[Way(NORTH)]] == [["agari_yame"]]
    assert said(ended, Way(NORTH)) == [(REACHED, 240, TOP)]


@pytest.mark.parametrize(
    ("tie_rule", "goal", "mangan"),
    [
        ("split", FIRST, SHARED),
        ("split", ALONE, MISSED),
        ("split", SECOND, REACHED),
        ("seat", FIRST, MISSED),  # east sits before west
        ("last_dealer", FIRST, MISSED),  # and follows north, who deals
    ],
)
def test_equal_points_suffice_as_the_rule_set_says(tie_rule, goal, mangan):
    """A mangan from north makes west equal with east."""
    found = needs((33000, 20000, 25000, 22000), WEST, goal, rules_with(tie_rule=tie_rule))
    codes = [span.outcome.code for span in found.wins[Way(WEST, NORTH)] if holds(span, 2000)]
    assert codes == [mangan]
    assert found.wins[Way(WEST, NORTH)][-1].outcome.code == REACHED


def test_a_shared_place_is_a_span_of_its_own_beside_the_values_that_bring_it_alone():
    """Haneman from west is 37,000 each, baiman is first alone."""
    found = needs((37000, 25000, 23000, 15000), SOUTH)
    assert said(found, Way(SOUTH, WEST)) == [(MISSED, 240, 2000), (SHARED, 3000, 3000), (REACHED, 4000, TOP)]
    assert parts(found) == [(TSUMO, [3000], ()), (RON, [3000], ()), (RON, [1600], (EAST,))]
    tsumo, ron, direct = spoken(found)
    assert (tsumo.shares, direct.shares, ron.shares) == (False, False, True)
    assert [each.first.base for each in ron.alone] == [4000]


def test_an_equal_total_is_a_shared_rank():
    stakes = Stakes((0, 0, 0, 0), (300, 300, -50))
    four = (25000, 25000, 25000, 25000)
    assert needs(four, SOUTH, Goal(RANK, 3), stakes=stakes).draws[()] == (SHARED, None)
    assert needs(four, SOUTH, Goal(RANK, 6), stakes=stakes).draws[()] == (REACHED, None)
    assert needs(four, SOUTH, Goal(TOTAL, 0), stakes=stakes).draws[()] == (REACHED, None)


def test_two_wins_on_one_tile_can_share_a_place():
    """EMA 2025: east's 1,300 and south's 2,000 from north leave both at 33,000."""
    game = new_game(rules_with(multiple_ron="double"), at=LAST, points=(31700, 31000, 20000, 17300))
    pair = double_rons(LastHand(game), NORTH, SOUTH, FIRST, NOTHING)[0]
    assert SHARED in {span.outcome.code for block in pair.blocks for span in block.second}


def test_reasons_are_those_of_each_value():
    """South's 1,000/2,000 reaches Tenhou's target. Only a larger tsumo leaves a player below zero."""
    rules = resolve("tenhou")
    reached = needs((27000, 26000, 24000, 23000), SOUTH, rules=rules).wins[Way(SOUTH)][-1]
    assert [(each.ending, each.stretch.first.base, each.stretch.last.base) for each in reached.reasons] == [
        ("length", 960, 8000),
        ("bust", 16000, TOP),
    ]


def test_who_deals_can_be_the_tie_break():
    """North deals, and from there east is behind. So north's equal points are first."""
    rules = rules_with(tie_rule="last_dealer", all_last_renchan=False)
    found = needs((33000, 20000, 26000, 21000), NORTH, FIRST, rules)
    assert said(found, Way(NORTH, WEST))[-1][:2] == (REACHED, 2000)
    seat = needs(
        (33000, 20000, 26000, 21000), NORTH, FIRST, rules_with(tie_rule="seat", all_last_renchan=False)
    )
    assert said(seat, Way(NORTH, WEST))[-1][:2] == (REACHED, 3000)


def test_a_bust_ends_the_game_before_its_last_hand():
    rules = rules_with(bust=True)
    found = needs((45000, 40000, 9000, 6000), SOUTH, rules=rules, at=HandName(1, 2, 0))
    spans = found.wins[Way(SOUTH, WEST)]
    assert [(span.outcome.code, span.stretch.first.base, endings(span)) for span in spans] == [
        (GOES_ON, 240, []),
        (REACHED, 1600, ["bust"]),
    ]


def test_tenpai_is_needed_at_a_draw_if_noten_loses_the_place():
    found = needs((26000, 25000, 25000, 24000), EAST)
    assert found.draws[()].code == REACHED
    assert found.draws[(EAST,)].code == REACHED
    assert found.draws[(SOUTH,)].code == MISSED
    assert found.draws[(EAST, SOUTH)].code == REACHED
    assert found.draws[(NORTH,)] == (GOES_ON, 7)


def test_riichi_costs_a_thousand_at_a_draw_and_makes_the_player_tenpai():
    points = (25900, 25000, 25000, 24100)
    assert needs(points, EAST).draws[()].code == REACHED
    found = needs(points, EAST, riichi=(EAST,))
    assert {EAST in tenpai for tenpai in found.draws} == {True}
    assert len(found.draws) == 8
    assert found.draws[(EAST, SOUTH, WEST)].code == MISSED


def test_somebody_elses_riichi_is_won_with_the_hand():
    points = (30000, 25400, 24600, 20000)
    assert said(needs(points, SOUTH), Way(SOUTH, WEST))[-1][1] == 1280
    assert said(needs(points, SOUTH, riichi=(WEST,)), Way(SOUTH, WEST))[1:] == [
        (SHARED, 880, 880),
        (REACHED, 960, TOP),
    ]


def test_rivals_at_other_tables_count_as_they_stand():
    stakes = Stakes((0, 0, 0, 0), (300, 300, -50))
    found = needs((25000, 25000, 25000, 25000), SOUTH, Goal(RANK, 3), stakes=stakes)
    assert found.draws[()].code == SHARED
    alone = needs((25000, 25000, 25000, 25000), SOUTH, Goal(RANK, 3, alone=True), stakes=stakes)
    assert alone.draws[()].code == MISSED


def test_a_total_is_reached_by_its_tenths():
    found = needs((25000, 25000, 25000, 25000), SOUTH, Goal(TOTAL, 590), stakes=Stakes((0, 60, 0, 0)))
    assert said(found, Way(SOUTH, WEST)) == [(MISSED, 240, 1760), (REACHED, 2000, TOP)]


def test_two_wins_on_one_tile_are_paid_as_the_rules_say():
    rules = resolve("ema-2025")
    game = new_game(rules, at=LAST, points=(33000, 31000, 30000, 26000))
    found = double_rons(LastHand(game), NORTH, SOUTH, FIRST, NOTHING)
    assert [(each.first, each.second) for each in found] == [(SOUTH, EAST), (EAST, WEST), (SOUTH, WEST)]
    codes = [[span.outcome.code for span in block.second] for block in found[0].blocks]
    assert codes[0] == [MISSED]
    assert [REACHED, MISSED] in codes
    assert found[0].blocks[-1].stretch.first.base == 8000
    head_bump = LastHand(new_game(M_LEAGUE, at=LAST))
    assert double_rons(head_bump, NORTH, SOUTH, FIRST, NOTHING) == ()


@pytest.mark.parametrize("goal", [("place", 5), ("place", 0), ("rank", 0), ("fame", 1)])
def test_an_impossible_goal_is_refused(goal):
    with pytest.raises(ValueError, match="no such goal"):
        Goal(*goal)


@pytest.mark.parametrize("slug", RULE_SETS)
def test_every_value_and_draw_leads_where_playing_it_leads(slug):
    """`python -m benchmarks.last_hands` compares 20,000 hands."""
    random = Random(RULE_SETS.index(slug))
    found = list(answers(asked(random, slug), random, pairs=scaled(20)))
    assert [each for each in found if each[1] != each[2]] == []
    assert len(found) > scaled(400)
