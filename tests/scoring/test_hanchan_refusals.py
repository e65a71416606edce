"""Hands that cannot have happened: every reason has its code, and a table of hands reaches every code."""

from typing import Any, NamedTuple

import pytest

from scoring.hanchan import (
    PROBLEMS,
    Abort,
    Chombo,
    ExhaustiveDraw,
    Foul,
    HanchanProblem,
    Hand,
    IllegalHand,
    Nagashi,
    Riichi,
    Ron,
    Ruling,
    Scores,
    check,
    from_values,
    new_game,
    play,
)
from scoring.hanchan.problems import problem
from scoring.payments import HandValue, Liability, hand_value, yakuman_value
from tests.scoring.hanchan_logs import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after,
    draw,
    riichi,
    ron,
    rules_with,
    tsumo,
    win,
)
from tests.scoring.rule_sets import hkma


class Refused(NamedTuple):
    code: str
    hand: Hand
    params: dict[str, Any]
    settings: dict[str, Any] = {}


def value(base: int, near: str) -> dict[str, Any]:
    return {"seat": WEST, "base": base, "near": near}


def scores(*points: int, bans: tuple[int, ...] = (), **facts: Any) -> Hand:
    four = points or (25_000,) * 4
    return Hand(outcome=Scores(four, dealer_repeats=False, **facts), win_bans=bans)


ALL_ABORTS = {"abortive_draws": ["kyuushu_kyuuhai", "suufon_renda", "suukaikan", "suucha_riichi"]}
POOR = {"start_points": 900, "return_points": 900, "oka": 0, "riichi_below_1000": False}
OPEN = {"hidden_tenpai": False}
NAGASHI_WINS = {"nagashi_mangan": True, "nagashi_as_tsumo": True}
REDEAL = {"redeal_tiles": 20}

# Each hand is refused for this one reason alone.
REFUSED = (
    Refused(
        "unknown", ron(WEST, SOUTH, riichi=(Riichi(SOUTH, "lost"),)), {"place": "riichi", "value": "lost"}
    ),
    Refused("unknown", Hand(outcome=Abort("tea")), {"place": "abort", "value": "tea"}),
    Refused(
        "unknown",
        tsumo(WEST, yakuman_value(1, rules_with()), Liability(EAST, "tea")),
        {"place": "liable", "value": "tea"},
    ),
    Refused("no_such_seat", tsumo(4), {"place": "wins", "seat": 4}),
    Refused("no_such_seat", ron(WEST, -1), {"place": "loser", "seat": -1}),
    Refused("no_such_seat", draw(4), {"place": "tenpai", "seat": 4}),
    Refused("no_such_seat", Hand(outcome=ExhaustiveDraw(hidden=(4,))), {"place": "hidden", "seat": 4}),
    Refused("no_such_seat", Hand(outcome=Chombo((9,))), {"place": "chombo", "seat": 9}),
    Refused(
        "no_such_seat", Hand(outcome=Nagashi((4,))), {"place": "nagashi", "seat": 4}, {"nagashi_mangan": True}
    ),
    Refused("no_such_seat", draw(win_bans=(4,)), {"place": "win_bans", "seat": 4}),
    Refused("no_such_seat", draw(dead_hands=(4,)), {"place": "dead_hands", "seat": 4}),
    Refused("no_such_seat", tsumo(WEST, riichi=riichi(4)), {"place": "riichi", "seat": 4}),
    Refused("no_such_seat", tsumo(WEST, fouls=(Foul(4, 1),)), {"place": "fouls", "seat": 4}, REDEAL),
    Refused(
        "no_such_seat",
        tsumo(WEST, yakuman_value(1, rules_with()), Liability(7, "daisangen")),
        {"place": "liable", "seat": 7},
    ),
    Refused("seat_twice", draw(SOUTH, SOUTH), {"place": "tenpai", "seat": SOUTH}),
    Refused("seat_twice", Hand(outcome=Ron((win(WEST), win(WEST)), SOUTH)), {"place": "wins", "seat": WEST}),
    Refused("seat_twice", tsumo(WEST, riichi=riichi(WEST, WEST)), {"place": "riichi", "seat": WEST}),
    Refused("nobody", Hand(outcome=Ron((), SOUTH)), {"place": "wins"}),
    Refused("nobody", Hand(outcome=Nagashi(())), {"place": "nagashi"}, {"nagashi_mangan": True}),
    Refused("nobody", Hand(outcome=Chombo(())), {"place": "chombo"}),
    Refused("live_tiles", tsumo(WEST, riichi=(Riichi(WEST, live_tiles=71),)), {"tiles": 71, "most": 70}),
    Refused("live_tiles", Hand(outcome=Chombo((WEST,), -1)), {"tiles": -1, "most": 70}, REDEAL),
    Refused("live_tiles", tsumo(WEST, fouls=(Foul(EAST, 99, True),)), {"tiles": 99, "most": 70}, REDEAL),
    Refused("extra_tiles", draw(extra_tiles=(0, -1, 0, 0)), {"seat": SOUTH, "tiles": -1, "most": 14}),
    Refused("extra_tiles", draw(extra_tiles=(0, 0, 0, 15)), {"seat": NORTH, "tiles": 15, "most": 14}),
    Refused("minutes_back", draw(minutes=-1), {"minutes": -1, "before": 0}),
    Refused("winner_is_loser", ron(WEST, WEST), {"seat": WEST}),
    Refused("winner_banned", tsumo(WEST, win_bans=(WEST,)), {"seat": WEST}),  # HKMA 3級, TNT 停和
    Refused("winner_banned", ron(WEST, EAST, dead_hands=(WEST,)), {"seat": WEST}),  # EMA 2016 5.2
    Refused("winner_banned", tsumo(WEST, extra_tiles=(0, 0, 1, 0)), {"seat": WEST}),  # HKMA A-X
    Refused("winner_banned", tsumo(WEST, fouls=(Foul(WEST, 3),)), {"seat": WEST}, REDEAL),  # HKMA 5級
    Refused("winner_banned", Hand(outcome=Nagashi((WEST,)), win_bans=(WEST,)), {"seat": WEST}, NAGASHI_WINS),
    Refused("value", tsumo(WEST, HandValue(base=2000, han=1, fu=30)), value(2000, "1/30")),
    Refused("value", tsumo(WEST, HandValue(base=240, han=0, fu=30)), value(240, "1/30")),
    Refused("value", tsumo(WEST, HandValue(base=0)), value(0, "1/30")),
    Refused("value", tsumo(WEST, HandValue(base=999_999)), value(999_999, "yakuman")),
    Refused("value", tsumo(WEST, HandValue(base=1234)), value(1234, "2/80")),
    Refused("value", ron(WEST, EAST, HandValue(base=160, han=1, fu=20)), value(160, "1/30")),
    Refused("value", tsumo(WEST, HandValue(base=200, han=1, fu=25)), value(200, "1/30")),
    Refused("value", ron(WEST, EAST, HandValue(base=320, han=2, fu=20)), value(320, "2/25")),
    Refused("value", ron(WEST, EAST, HandValue(base=960, han=1, fu=120)), value(960, "1/110")),
    Refused("value", tsumo(WEST, HandValue(base=2000, limit="baiman")), value(2000, "mangan")),
    Refused(
        "value",
        tsumo(WEST, HandValue(base=16000, limit="yakuman", yakuman=2)),
        value(16000, "yakuman"),
        {"composite_yakuman": False, "double_yakuman": False},
    ),
    Refused(
        "liable_winner",
        tsumo(WEST, yakuman_value(1, rules_with()), Liability(WEST, "daisangen")),
        {"seat": WEST},
    ),
    Refused(
        "liable_yakuman",
        tsumo(WEST, yakuman_value(1, rules_with()), Liability(EAST, "daisangen", 0)),
        {"seat": WEST, "yakuman": 0, "most": 13},
    ),
    Refused("riichi_below_1000", tsumo(WEST, riichi=riichi(SOUTH)), {"seat": SOUTH, "points": 900}, POOR),
    Refused(
        "riichi_tiles",
        tsumo(WEST, riichi=(Riichi(SOUTH, live_tiles=3),)),
        {"seat": SOUTH, "tiles": 3, "least": 4},
        {"tiles_for_riichi": 4},
    ),
    Refused("riichi_tile_won", ron(WEST, SOUTH, riichi=(Riichi(NORTH, "won"),)), {"seat": NORTH}),
    Refused("riichi_tile_won", tsumo(WEST, riichi=(Riichi(NORTH, "won"),)), {"seat": NORTH}),
    Refused(
        "riichi_hidden", Hand(outcome=ExhaustiveDraw(hidden=(EAST,)), riichi=riichi(EAST)), {"seat": EAST}
    ),
    Refused("riichi_unknown", draw(WEST, riichi=riichi(EAST, WEST)), {"seat": EAST}),
    Refused("noten_riichi", Hand(outcome=ExhaustiveDraw(noten_riichi=(EAST,))), {"seat": EAST}),
    Refused(
        "noten_riichi",
        Hand(outcome=ExhaustiveDraw((EAST,), noten_riichi=(EAST,)), riichi=riichi(EAST)),
        {"seat": EAST},
    ),
    Refused("hidden", Hand(outcome=ExhaustiveDraw(hidden=(EAST,))), {"seat": EAST}, OPEN),
    Refused("tenpai_and_hidden", Hand(outcome=ExhaustiveDraw((EAST,), (EAST,))), {"seat": EAST}),
    Refused("dead_hand_tenpai", draw(EAST, dead_hands=(EAST,)), {"seat": EAST}),
    Refused("nagashi", Hand(outcome=Nagashi((EAST,))), {}),  # HKMA 簡則 §10
    Refused("abort", Hand(outcome=Abort("suukaikan")), {"reason": "suukaikan"}),  # HKMA 簡則 §8
    Refused("abort", Hand(outcome=Abort("sanchahou")), {"reason": "sanchahou"}, ALL_ABORTS),
    Refused(
        "abort_after_call",
        Hand(outcome=Abort("kyuushu_kyuuhai"), riichi=(Riichi(EAST, "called"),)),
        {"reason": "kyuushu_kyuuhai", "seat": EAST},
        ALL_ABORTS,
    ),
    Refused(
        "four_riichi_missing",
        Hand(outcome=Abort("suucha_riichi"), riichi=riichi(EAST, WEST, NORTH)),
        {"riichi": 3},
        ALL_ABORTS,
    ),
    Refused("four_riichi", tsumo(EAST, riichi=riichi(0, 1, 2, 3)), {}, ALL_ABORTS),  # the guide 牌规流局
    Refused(
        "nobody_dealt_in",
        Hand(outcome=Abort("sanchahou"), riichi=(Riichi(EAST, "won"), Riichi(WEST, "won"))),
        {"reason": "sanchahou"},
        {"multiple_ron": "triple_aborts"},
    ),
    Refused("scores_sum", scores(40_000, 30_000, 20_000, 11_000), {"sum": 101_000, "most": 100_000}),
    Refused("hundreds", scores(24_950, 25_000, 25_000, 25_000), {"seat": EAST, "points": 24_950}),
    Refused("sticks", Hand(outcome=Ruling((24_500, 25_000, 25_000, 25_000))), {"points": 500}),
    Refused("honba", scores(honba=-1), {"honba": -1}),
    Refused("ruling", Hand(outcome=Ruling((25_000,) * 4), riichi=riichi(0, 1, 2, 3)), {}, ALL_ABORTS),
    Refused("ruling", Hand(outcome=Ruling((25_000,) * 4), extra_tiles=(1, 0, 0, 0)), {}),
    Refused("nobody", scores(win="ron"), {"place": "wins"}),
    Refused("unknown", scores(winners=(EAST,), win="luck"), {"place": "wins", "value": "luck"}),
    Refused("winner_banned", scores(winners=(EAST,), bans=(EAST,)), {"seat": EAST}),
    Refused("bell", draw(bell=True), {}),
    Refused("hand_goes_on", Hand(outcome=Chombo((EAST,), 19)), {"tiles": 19, "least": 20}, REDEAL),
    Refused(
        "hand_is_void", tsumo(WEST, fouls=(Foul(EAST, 20),)), {"seat": EAST, "tiles": 20, "least": 20}, REDEAL
    ),
    Refused("hand_is_void", tsumo(WEST, fouls=(Foul(EAST),)), {"seat": EAST, "tiles": None, "least": 0}),
)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.code)
def test_a_hand_that_cannot_be_is_refused_for_its_reason(case):
    game = new_game(rules_with(**case.settings))

    assert check(game, case.hand) == (HanchanProblem(case.code, case.params),)
    with pytest.raises(IllegalHand) as refused:
        play(game, case.hand)
    assert (refused.value.problems, refused.value.index) == (check(game, case.hand), 0)


def test_every_code_is_reached():
    over = after(rules_with(game_length="each_hand"), draw())
    reached = {case.code for case in REFUSED} | {problem.code for problem in check(over, draw())}
    with pytest.raises(IllegalHand) as malformed:
        from_values(rules_with(), [None])
    reached |= {problem.code for problem in malformed.value.problems}

    assert reached == set(PROBLEMS)


def test_every_reason_is_reported_at_once():
    hand = ron(
        SOUTH,
        SOUTH,
        HandValue(base=100, han=1, fu=30),
        riichi=(Riichi(WEST, "won", 0), Riichi(4)),
        win_bans=(SOUTH,),
        minutes=10,
    )
    game = after(rules_with(), draw(minutes=12))

    assert [each.code for each in check(game, hand)] == [
        "no_such_seat",
        "minutes_back",
        "riichi_tiles",
        "riichi_tile_won",
        "winner_banned",
        "value",
        "winner_is_loser",
    ]


def test_time_does_not_go_back_over_hands_without_a_time():
    game = after(rules_with(), draw(minutes=12), draw())

    assert check(game, draw(minutes=11)) == (HanchanProblem("minutes_back", {"minutes": 11, "before": 12}),)
    assert check(game, draw(minutes=12)) == ()


def test_four_riichi_end_no_hand_where_they_abort_none():
    assert check(new_game(hkma()), tsumo(EAST, riichi=riichi(0, 1, 2, 3))) == ()


def test_a_fourth_riichi_whose_tile_is_won_with_aborts_nothing():
    """The guide 牌规流局: 若荣和则按照荣和计算."""
    declared = (*riichi(EAST, SOUTH, WEST), Riichi(NORTH, "won"))

    assert check(new_game(rules_with(**ALL_ABORTS)), ron(EAST, NORTH, riichi=declared)) == ()


def test_a_false_win_on_the_fourth_riichi_tile_is_a_chombo():
    foul = Hand(outcome=Chombo((EAST,)), riichi=riichi(0, 1, 2, 3))

    assert check(new_game(rules_with(**ALL_ABORTS)), foul) == ()


def test_a_value_of_another_rule_set_is_refused():
    """4 han and 30 fu are mangan only with kiriage."""
    mangan = hand_value(4, 30, rules_with(kiriage_mangan=True))

    assert check(new_game(rules_with(kiriage_mangan=True)), tsumo(EAST, mangan)) == ()
    refused = HanchanProblem("value", {"seat": EAST, "base": 2000, "near": "4/30"})
    assert check(new_game(rules_with(kiriage_mangan=False)), tsumo(EAST, mangan)) == (refused,)


def test_a_problem_has_the_params_of_its_code():
    with pytest.raises(ValueError, match="winner_banned"):
        problem("winner_banned", points=1)
