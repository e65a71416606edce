"""One hand: what it is worth and who pays what. Points in points; seats 0 to 3, east to north."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.payments import (
    FU,
    LIMITS,
    HandValue,
    Liability,
    Payment,
    Transfer,
    Win,
    hand_value,
    limit_value,
    pay_chombo,
    pay_draw,
    pay_extra_tiles,
    pay_nagashi,
    pay_noten_riichi,
    pay_win,
    winners_of,
    yakuman_value,
)
from scoring.presets import presets, resolve
from scoring.rules import SETTINGS, Rules
from tests.examples import examples

EAST, SOUTH, WEST, NORTH = range(4)

Four = tuple[int, int, int, int]

PAO = {
    "yaku": ["daisangen", "daisuushii", "suukantsu"],
    "tsumo": "liable",
    "ron": "half",
    "honba": "discarder",
}


def rules(**changes: object) -> Rules:
    """Several winners, no kiriage, no counted yakuman; honba to every winner."""
    return resolve("ema-2016", changes)


def pao(**parts: object) -> Rules:
    """A rule set with liability and composite yakuman."""
    return rules(composite_yakuman=True, double_yakuman=True, pao={**PAO, **parts})


def won(
    *wins: Win, loser: int | None = None, dealer: int = EAST, under: Rules | None = None, **more: Any
) -> Payment:
    table = {"honba": 0, "deposits": 0, **more}
    return pay_win(wins, loser=loser, dealer=dealer, rules=under or rules(), **table)


def win(winner: int, han: int = 1, fu: int = 30) -> Win:
    return Win(winner, hand_value(han, fu, rules()))


def yakuman(winner: int, multiples: int = 1, *liable: Liability) -> Win:
    return Win(winner, yakuman_value(multiples, pao()), liable)


# What a hand is worth


@pytest.mark.parametrize(
    ("han", "fu", "expected"),
    [
        (1, 30, HandValue(base=240, han=1, fu=30)),
        (2, 25, HandValue(base=400, han=2, fu=25)),
        (3, 60, HandValue(base=1920, han=3, fu=60)),
        (4, 30, HandValue(base=1920, han=4, fu=30)),
        (3, 70, HandValue(base=2000, han=3, fu=70, limit="mangan")),
        (4, 40, HandValue(base=2000, han=4, fu=40, limit="mangan")),
        (5, 30, HandValue(base=2000, han=5, fu=30, limit="mangan")),
        (6, 30, HandValue(base=3000, han=6, fu=30, limit="haneman")),
        (7, 30, HandValue(base=3000, han=7, fu=30, limit="haneman")),
        (8, 30, HandValue(base=4000, han=8, fu=30, limit="baiman")),
        (10, 30, HandValue(base=4000, han=10, fu=30, limit="baiman")),
        (11, 30, HandValue(base=6000, han=11, fu=30, limit="sanbaiman")),
        (12, 30, HandValue(base=6000, han=12, fu=30, limit="sanbaiman")),
        (13, 30, HandValue(base=6000, han=13, fu=30, limit="sanbaiman")),
    ],
)
def test_han_and_fu_make_the_basic_points_and_the_limit(han, fu, expected):
    assert hand_value(han, fu, rules()) == expected


def test_kiriage_rounds_up_the_two_hands_just_below_mangan_and_no_other():
    changed = {
        (han, fu)
        for han in range(1, 20)
        for fu in FU
        if hand_value(han, fu, rules()) != hand_value(han, fu, rules(kiriage_mangan=True))
    }

    assert changed == {(4, 30), (3, 60)}
    assert hand_value(4, 30, rules(kiriage_mangan=True)) == HandValue(base=2000, han=4, fu=30, limit="mangan")


def test_thirteen_han_are_a_yakuman_where_they_are_counted():
    counted = rules(counted_yakuman="yakuman")

    assert hand_value(12, 30, counted).limit == "sanbaiman"
    assert hand_value(13, 30, counted) == HandValue(base=8000, han=13, fu=30, limit="counted_yakuman")
    assert hand_value(26, 30, counted).base == 8000


@pytest.mark.parametrize(("han", "fu"), [(0, 30), (-1, 30), (1, 0), (1, 22), (1, 35), (1, 180), (5, 21)])
def test_a_han_or_fu_that_no_hand_has_is_refused(han, fu):
    with pytest.raises(ValueError, match="no hand has"):
        hand_value(han, fu, rules())


def test_a_limit_has_its_value_by_name():
    counted = rules(counted_yakuman="yakuman")

    assert [(limit_value(name, counted).base, limit_value(name, counted).yakuman) for name in LIMITS] == [
        (2000, 0),
        (3000, 0),
        (4000, 0),
        (6000, 0),
        (8000, 0),
        (8000, 1),
    ]


@pytest.mark.parametrize("name", ["counted_yakuman", "yonbaiman", ""])
def test_a_limit_that_the_rule_set_does_not_have_is_refused(name):
    with pytest.raises(ValueError, match="no such limit"):
        limit_value(name, rules())


@pytest.mark.parametrize(
    ("changes", "paid"),
    [
        ({}, (1, 1, 1, 1)),
        ({"double_yakuman": True}, (1, 2, 2, 2)),
        ({"composite_yakuman": True}, (1, 2, 3, 6)),
        ({"composite_yakuman": True, "double_yakuman": True}, (1, 2, 3, 6)),
        ({"composite_yakuman": True, "yakuman_limit": 2}, (1, 2, 2, 2)),
    ],
)
def test_a_hand_has_as_many_yakuman_as_the_rule_set_pays(changes, paid):
    values = [yakuman_value(multiples, rules(**changes)) for multiples in (1, 2, 3, 6)]

    assert values == [HandValue(base=8000 * count, limit="yakuman", yakuman=count) for count in paid]


def test_a_yakuman_hand_has_at_least_one():
    with pytest.raises(ValueError, match="one yakuman or more"):
        yakuman_value(0, rules())


# One winner


@pytest.mark.parametrize(
    ("winner", "loser", "han", "fu", "changes"),
    [
        (SOUTH, WEST, 1, 30, (0, 1000, -1000, 0)),
        (SOUTH, EAST, 3, 60, (-7700, 7700, 0, 0)),
        (EAST, NORTH, 3, 60, (11600, 0, 0, -11600)),
        (EAST, WEST, 2, 110, (10600, 0, -10600, 0)),
        (SOUTH, None, 1, 30, (-500, 1100, -300, -300)),
        (NORTH, None, 3, 60, (-3900, -2000, -2000, 7900)),
        (EAST, None, 4, 30, (11700, -3900, -3900, -3900)),
        (EAST, None, 11, 30, (36000, -12000, -12000, -12000)),
        (WEST, None, 5, 30, (-4000, -2000, 8000, -2000)),
    ],
)
def test_dealer_and_others_win_by_ron_and_by_tsumo(winner, loser, han, fu, changes):
    assert won(win(winner, han, fu), loser=loser).changes == changes


def test_the_dealer_is_the_one_of_this_hand():
    assert won(win(WEST), dealer=WEST).changes == (-500, -500, 1500, -500)
    assert won(win(EAST), dealer=WEST).changes == (1100, -300, -500, -300)


def test_honba_and_deposits_are_separate_from_the_hand():
    paid = won(win(SOUTH), loser=WEST, honba=2, deposits=3000)

    assert paid == Payment(
        (
            Transfer(WEST, SOUTH, 1000, "hand"),
            Transfer(WEST, SOUTH, 600, "honba"),
            Transfer(None, SOUTH, 3000, "deposits"),
        )
    )
    assert paid.changes == (0, 4600, -1600, 0)
    assert paid.deposits == -3000


def test_on_a_tsumo_all_three_pay_the_honba():
    assert won(win(SOUTH), honba=2, deposits=1000).changes == (-700, 2700, -500, -500)


def test_honba_that_do_not_divide_by_three_are_rounded_up_to_hundreds():
    under = rules(honba=1000)

    assert won(win(SOUTH), honba=1, under=under).changes == (-900, 2300, -700, -700)
    assert won(win(SOUTH), honba=1, loser=EAST, under=under).changes == (-2000, 2000, 0, 0)


def test_without_honba_on_yakuman_only_a_yakuman_is_paid_without():
    under = resolve("ema-2016", {"honba_on_yakuman": False, "counted_yakuman": "yakuman"})
    counted = Win(SOUTH, hand_value(13, 30, under))

    assert won(yakuman(SOUTH), honba=3, under=under).changes == (-16000, 32000, -8000, -8000)
    assert won(yakuman(SOUTH), honba=3, loser=EAST, under=under).changes == (-32000, 32000, 0, 0)
    assert won(counted, honba=3, loser=EAST, under=under).changes == (-32900, 32900, 0, 0)
    assert won(yakuman(SOUTH), honba=3, loser=EAST).changes == (-32900, 32900, 0, 0)


# Several winners


@pytest.mark.parametrize(
    ("multiple_ron", "two", "three"),
    [
        ("head_bump", [NORTH], [NORTH]),
        ("double", [NORTH, SOUTH], [NORTH, EAST]),
        ("triple", [NORTH, SOUTH], [NORTH, EAST, SOUTH]),
        ("triple_aborts", [NORTH, SOUTH], []),
    ],
)
def test_the_nearest_in_turn_win_as_many_as_the_rule_set_lets(multiple_ron, two, three):
    under = rules(multiple_ron=multiple_ron)
    declared = [win(SOUTH), win(NORTH)]

    assert [each.winner for each in winners_of(declared, WEST, under)] == two
    assert [each.winner for each in winners_of([*declared, win(EAST)], WEST, under)] == three


@pytest.mark.parametrize("loser", range(4))
def test_the_nearest_is_who_sits_next_after_the_discarder(loser):
    in_turn = [(loser + step) % 4 for step in (1, 2, 3)]
    declared = [win(seat) for seat in sorted(in_turn)]

    assert [each.winner for each in winners_of(declared, loser, rules())] == in_turn


def test_three_wins_that_abort_the_hand_pay_nothing():
    under = rules(multiple_ron="triple_aborts")

    paid = won(win(EAST), win(SOUTH), win(NORTH), loser=WEST, honba=2, deposits=3000, under=under)

    assert paid == Payment()


def test_each_winner_is_paid_for_the_own_hand():
    assert won(win(EAST, 3, 30), win(SOUTH, 2, 30), loser=WEST).changes == (5800, 2000, -7800, 0)


@pytest.mark.parametrize(
    ("bonus", "changes"), [("first", (1500, 0, -3100, 1600)), ("all", (2100, 0, -3700, 1600))]
)
def test_honba_go_to_the_nearest_winner_or_to_each(bonus, changes):
    paid = won(win(EAST), win(NORTH), loser=WEST, honba=2, under=rules(multi_ron_bonus=bonus))

    assert paid.changes == changes


@pytest.mark.parametrize(("nearest", "next_"), [(EAST, NORTH), (NORTH, EAST)])
def test_a_yakuman_without_honba_leaves_them_to_the_next_winner(nearest, next_):
    """TNT 5: every win has its honba but a yakuman; only one winner gets them there."""
    under = resolve("tnt", {"composite_yakuman": True})
    loser = (nearest - 1) % 4 if nearest == NORTH else WEST

    paid = won(yakuman(nearest), win(next_), loser=loser, honba=2, under=under)

    assert [(each.payee, each.points) for each in paid.transfers if each.reason == "honba"] == [(next_, 600)]


def test_the_nearest_winner_takes_all_deposits():
    under = rules(multi_ron_sticks="first")

    paid = won(win(EAST), win(NORTH), loser=WEST, deposits=4000, riichi=(EAST, NORTH), under=under)

    assert paid.changes == (1500, 0, -2500, 5000)


def test_each_winner_in_riichi_takes_the_own_stick_back_and_the_nearest_the_rest():
    under = rules(multi_ron_sticks="own_back")
    two = {"loser": WEST, "deposits": 4000, "under": under}

    assert won(win(EAST), win(NORTH), riichi=(EAST, WEST), **two).changes == (2500, 0, -2500, 4000)
    assert won(win(EAST), win(NORTH), riichi=(EAST, NORTH), **two).changes == (2500, 0, -2500, 4000)
    assert won(win(EAST), win(NORTH), riichi=(NORTH,), **two).changes == (1500, 0, -2500, 5000)
    assert won(win(EAST), riichi=(EAST,), **two).changes == (5500, 0, -1500, 0)


# Liability


def test_on_a_tsumo_the_liable_player_pays_all_and_the_honba():
    paid = won(yakuman(SOUTH, 1, Liability(NORTH, "daisangen")), honba=1, under=pao())

    assert paid == Payment((Transfer(NORTH, SOUTH, 32000, "liability"), Transfer(NORTH, SOUTH, 300, "honba")))


def test_a_dealer_is_paid_as_a_dealer_by_who_is_liable():
    dealer = yakuman(EAST, 1, Liability(NORTH, "daisangen"))

    assert won(dealer, under=pao()).changes == (48000, 0, 0, -48000)
    assert won(dealer, loser=SOUTH, under=pao()).changes == (48000, -24000, 0, -24000)


@pytest.mark.parametrize(
    ("ron", "honba", "changes"),
    [
        ("half", "discarder", (-16300, 32300, 0, -16000)),
        ("half", "liable", (-16000, 32300, 0, -16300)),
        # 150 each is not in hundreds: the hundred over is the discarder's.
        ("half", "half", (-16200, 32300, 0, -16100)),
        ("liable", "discarder", (-300, 32300, 0, -32000)),
        ("liable", "liable", (0, 32300, 0, -32300)),
        ("liable", "half", (-200, 32300, 0, -32100)),
    ],
)
def test_on_a_ron_liable_player_and_discarder_pay_as_the_rule_set_says(ron, honba, changes):
    paid = won(
        yakuman(SOUTH, 1, Liability(NORTH, "daisangen")), loser=EAST, honba=1, under=pao(ron=ron, honba=honba)
    )

    assert paid.changes == changes


@pytest.mark.parametrize("ron", ["half", "liable"])
@pytest.mark.parametrize("honba", ["half", "liable", "discarder"])
def test_a_liable_player_who_discards_pays_everything(ron, honba):
    paid = won(
        yakuman(SOUTH, 1, Liability(EAST, "daisangen")), loser=EAST, honba=1, under=pao(ron=ron, honba=honba)
    )

    assert paid.changes == (-32300, 32300, 0, 0)


@pytest.mark.parametrize(
    ("composite", "tsumo", "ron"),
    [
        ("own", (-16000, 64000, -8000, -40000), (-48000, 64000, 0, -16000)),
        ("whole", (0, 64000, 0, -64000), (-32000, 64000, 0, -32000)),
    ],
)
def test_of_a_composite_hand_the_liable_player_answers_for_the_own_yakuman_or_the_whole(
    composite, tsumo, ron
):
    hand = yakuman(SOUTH, 2, Liability(NORTH, "daisangen"))
    under = pao(composite=composite)

    assert won(hand, under=under).changes == tsumo
    assert won(hand, loser=EAST, under=under).changes == ron


@pytest.mark.parametrize(
    ("several", "composite", "tsumo"),
    [
        # Three yakuman: a double one of north's, one of west's. No one answers for a fourth.
        ("each", "own", (0, 96000, -32000, -64000)),
        ("first", "own", (-16000, 96000, -8000, -72000)),
        ("first", "whole", (0, 96000, 0, -96000)),
    ],
)
def test_of_two_who_are_liable_each_answers_or_only_the_first(several, composite, tsumo):
    hand = yakuman(SOUTH, 3, Liability(NORTH, "daisuushii", 2), Liability(WEST, "suukantsu"))

    assert won(hand, under=pao(several=several, composite=composite)).changes == tsumo


def test_of_two_who_are_liable_for_a_whole_hand_the_first_answers_for_the_rest():
    hand = yakuman(SOUTH, 3, Liability(NORTH, "daisuushii"), Liability(WEST, "suukantsu"))

    paid = won(hand, honba=1, under=pao(several="each", composite="whole"))

    assert paid.changes == (0, 96300, -32000, -64300)


def test_who_is_liable_for_a_double_yakuman_answers_for_both_multiples():
    hand = yakuman(SOUTH, 2, Liability(NORTH, "daisuushii"))
    single = resolve("ema-2016", {"composite_yakuman": True, "pao": PAO})

    assert won(hand, under=pao()).changes == (0, 64000, 0, -64000)
    assert won(hand, under=single).changes == (-16000, 64000, -8000, -40000)


def test_liabilities_end_where_the_limit_of_yakuman_does():
    under = resolve("ema-2016", {"double_yakuman": True, "yakuman_limit": 1, "pao": PAO})
    hand = Win(SOUTH, yakuman_value(2, under), (Liability(NORTH, "daisuushii", 2),))

    assert won(hand, under=under).changes == (0, 32000, 0, -32000)


def test_a_yaku_outside_the_rule_sets_list_makes_no_one_liable():
    hand = yakuman(SOUTH, 1, Liability(NORTH, "suukantsu"))

    assert won(hand, under=pao(yaku=["daisangen"])).changes == (-16000, 32000, -8000, -8000)


def test_a_hand_that_is_not_a_yakuman_makes_no_one_liable():
    hand = Win(SOUTH, hand_value(5, 30, rules()), (Liability(NORTH, "daisangen"),))

    assert won(hand, under=pao()).changes == (-4000, 8000, -2000, -2000)


def test_who_let_an_open_kan_pays_the_whole_tsumo_where_the_rule_set_says_so():
    hand = Win(SOUTH, hand_value(1, 30, rules()), (Liability(WEST, "rinshan"),))

    assert won(hand, honba=1).changes == (-600, 1400, -400, -400)
    assert won(hand, honba=1, under=rules(daiminkan_pao=True)).changes == (0, 1400, -1400, 0)


def test_who_let_an_open_kan_is_not_liable_for_a_ron():
    hand = Win(SOUTH, hand_value(1, 30, rules()), (Liability(WEST, "rinshan"),))

    assert won(hand, loser=NORTH, under=rules(daiminkan_pao=True)).changes == (0, 1000, 0, -1000)


def test_who_let_an_open_kan_pays_what_another_liability_leaves():
    hand = yakuman(SOUTH, 2, Liability(NORTH, "daisangen"), Liability(WEST, "rinshan"))
    under = resolve("ema-2016", {"composite_yakuman": True, "pao": PAO, "daiminkan_pao": True})

    assert won(hand, under=under).changes == (0, 64000, -32000, -32000)


# Daisangen of south that north made sure, with one honba: by tsumo, and by ron from west.
UNDER_EACH_RULE_BOOK = {
    "ema-2016": ((0, 32300, 0, -32300), (0, 32300, -16300, -16000)),
    "ema-2025": ((0, 32300, 0, -32300), (0, 32300, -16300, -16000)),
    "guide": ((0, 32300, 0, -32300), (0, 32300, -16300, -16000)),
    "hkma-a-2025-04": ((0, 32300, 0, -32300), (0, 32300, -16200, -16100)),
    "hkma-a-legacy": ((0, 32300, 0, -32300), (0, 32300, -16200, -16100)),
    "hkma-b-2025-04": ((0, 32300, 0, -32300), (0, 32300, -16200, -16100)),
    "hkma-b-legacy": ((0, 32300, 0, -32300), (0, 32300, -16200, -16100)),
    "jpml-a": ((0, 32300, 0, -32300), (0, 32300, -16000, -16300)),
    "kanto": ((0, 32300, 0, -32300), (0, 32300, -16300, -16000)),
    "mahjong-soul": ((0, 32300, 0, -32300), (0, 32300, -16000, -16300)),
    "mleague": ((0, 32300, 0, -32300), (0, 32300, -16000, -16300)),
    "saikouisen": ((-16100, 32300, -8100, -8100), (0, 32300, -32300, 0)),  # without liability
    "tenhou": ((0, 32300, 0, -32300), (0, 32300, -16000, -16300)),
    "tenhou-2022": ((0, 32300, 0, -32300), (0, 32300, -16000, -16300)),
    "tnt": ((-16000, 32000, -8000, -8000), (0, 32000, -32000, 0)),  # without, and no honba for a yakuman
    "wrc-2022": ((0, 32300, 0, -32300), (0, 32300, -16300, -16000)),
    "wrc-2025": ((0, 32300, 0, -32300), (0, 32300, -16300, -16000)),
}


def test_who_is_liable_pays_under_each_rule_book():
    hand = yakuman(SOUTH, 1, Liability(NORTH, "daisangen"))

    found = {
        each.slug: tuple(
            won(hand, loser=loser, honba=1, under=resolve(each.slug)).changes for loser in (None, WEST)
        )
        for each in presets()
    }

    assert found == UNDER_EACH_RULE_BOOK


# What cannot be


@pytest.mark.parametrize(
    ("wins", "more"),
    [
        ((), {"loser": EAST}),
        ((win(SOUTH), win(SOUTH)), {"loser": EAST}),
        ((win(SOUTH),), {"loser": SOUTH}),
        ((win(4),), {"loser": EAST}),
        ((win(SOUTH),), {"dealer": 4}),
        ((win(SOUTH),), {"loser": -1}),
        ((win(SOUTH), win(WEST)), {}),
        ((win(SOUTH),), {"honba": -1}),
        ((win(SOUTH),), {"deposits": -1000}),
        ((win(SOUTH),), {"deposits": 1000, "riichi": (EAST, SOUTH)}),
        ((win(SOUTH),), {"deposits": 1000, "riichi": (4,)}),
        ((yakuman(SOUTH, 1, Liability(SOUTH, "daisangen")),), {}),
        ((yakuman(SOUTH, 1, Liability(4, "daisangen")),), {}),
    ],
)
def test_a_win_that_cannot_be_is_refused(wins, more):
    with pytest.raises(ValueError, match=r"no such win|one player wins|no such table|another player"):
        won(*wins, **more)


# Draws and fouls


@pytest.mark.parametrize(
    ("tenpai", "changes"),
    [
        ((), (0, 0, 0, 0)),
        ((SOUTH,), (-1000, 3000, -1000, -1000)),
        ((SOUTH, NORTH), (-1500, 1500, -1500, 1500)),
        ((EAST, SOUTH, NORTH), (1000, 1000, -3000, 1000)),
        ((EAST, SOUTH, WEST, NORTH), (0, 0, 0, 0)),
    ],
)
def test_the_noten_pay_the_tenpai(tenpai, changes):
    assert pay_draw(tenpai, rules()).changes == changes


def test_of_two_and_two_each_pays_one():
    assert pay_draw((WEST, EAST), rules()) == Payment(
        (Transfer(SOUTH, EAST, 1500, "noten"), Transfer(NORTH, WEST, 1500, "noten"))
    )


def test_no_noten_payment_moves_nothing():
    assert pay_draw((SOUTH,), rules(noten_payment=0)) == Payment()


def test_a_seat_that_is_none_is_not_tenpai():
    with pytest.raises(ValueError, match="no such seats"):
        pay_draw((4,), rules())


def nagashi(*seats: int, **changes: object) -> Payment:
    under = rules(nagashi_mangan=True, **changes)
    return pay_nagashi(seats, dealer=SOUTH, honba=2, deposits=1000, rules=under)


def test_a_nagashi_mangan_is_paid_like_a_mangan_by_tsumo():
    assert nagashi(EAST).changes == (8000, -4000, -2000, -2000)
    assert nagashi(SOUTH).changes == (-4000, 12000, -4000, -4000)
    assert nagashi(EAST).deposits == 0


def test_several_nagashi_mangan_are_each_paid():
    assert nagashi(EAST, SOUTH).changes == (4000, 8000, -6000, -6000)


def test_a_nagashi_mangan_that_is_a_win_takes_honba_and_deposits():
    paid = nagashi(EAST, nagashi_as_tsumo=True)

    assert paid.changes == (9600, -4200, -2200, -2200)
    assert paid.deposits == -1000


def test_of_several_that_are_wins_the_nearest_to_the_dealer_takes_honba_and_deposits():
    assert nagashi(EAST, WEST, nagashi_as_tsumo=True).changes == (5800, -8200, 7600, -4200)
    assert nagashi(EAST, NORTH, nagashi_as_tsumo=True).changes == (5800, -8200, -4200, 7600)


@pytest.mark.parametrize("seats", [(), (4,)])
def test_a_nagashi_mangan_without_a_player_is_refused(seats):
    with pytest.raises(ValueError, match="no nagashi mangan"):
        nagashi(*seats)


def test_a_rule_set_without_nagashi_mangan_pays_none():
    with pytest.raises(ValueError, match="no nagashi mangan"):
        pay_nagashi((EAST,), dealer=EAST, honba=0, deposits=0, rules=rules())


@pytest.mark.parametrize(
    ("chombo", "of_the_dealer", "of_another"),
    [
        ("reverse_mangan", (-12000, 4000, 4000, 4000), (4000, 2000, -8000, 2000)),
        ({"each": 4000}, (-12000, 4000, 4000, 4000), (4000, 4000, -12000, 4000)),
    ],
)
def test_a_chombo_is_paid_in_the_game(chombo, of_the_dealer, of_another):
    under = rules(chombo=chombo, chombo_timing="in_game")

    assert pay_chombo(EAST, dealer=EAST, rules=under).changes == of_the_dealer
    assert pay_chombo(WEST, dealer=EAST, rules=under).changes == of_another


def test_a_chombo_taken_from_the_score_moves_no_points():
    assert pay_chombo(WEST, dealer=EAST, rules=rules(chombo=-20)) == Payment()


def test_riichi_without_tenpai_costs_its_own_payment_or_a_chombo():
    in_game = {"chombo": "reverse_mangan", "chombo_timing": "in_game"}

    own = pay_noten_riichi(WEST, dealer=EAST, rules=rules(**in_game, noten_riichi=1000))
    as_chombo = pay_noten_riichi(WEST, dealer=EAST, rules=rules(**in_game))

    assert own.changes == (1000, 1000, -3000, 1000)
    assert as_chombo.changes == (4000, 2000, -8000, 2000)


def test_tiles_too_many_are_paid_for_tile_by_tile():
    under = rules(extra_tile_payment=1000)

    assert pay_extra_tiles(NORTH, 1, under).changes == (1000, 1000, 1000, -3000)
    assert pay_extra_tiles(NORTH, 2, under).changes == (2000, 2000, 2000, -6000)
    assert pay_extra_tiles(NORTH, 2, rules()) == Payment()


@pytest.mark.parametrize(("seat", "tiles"), [(NORTH, 0), (NORTH, -1), (4, 1)])
def test_an_unknown_seat_and_less_than_one_extra_tile_are_refused(seat, tiles):
    with pytest.raises(ValueError, match=r"no tile too many|no such seat"):
        pay_extra_tiles(seat, tiles, rules(extra_tile_payment=1000))


def test_a_chombo_of_an_unknown_seat_is_refused():
    with pytest.raises(ValueError, match="no such seats"):
        pay_chombo(4, dealer=EAST, rules=rules())


# What always holds

seats = st.integers(0, 3)
yes_no = st.booleans()


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Any payments: who wins with whom, liability, honba, noten payment, fouls."""
    chosen = {name: draw(st.sampled_from(SETTINGS[name].choices)) for name in CHOSEN}
    chombo = draw(st.sampled_from(["reverse_mangan", {"each": 4000}, {"each": 100}]))
    parts = {part: draw(st.sampled_from(PAO_PARTS[part])) for part in PAO_PARTS}
    return rules(
        **chosen,
        composite_yakuman=draw(yes_no),
        double_yakuman=draw(yes_no),
        kiriage_mangan=draw(yes_no),
        daiminkan_pao=draw(yes_no),
        honba=draw(st.sampled_from([0, 300, 1000, 1500])),
        honba_on_yakuman=draw(yes_no),
        noten_payment=draw(st.sampled_from([0, 100, 1000, 3000, 4000])),
        nagashi_mangan=True,
        nagashi_as_tsumo=draw(yes_no),
        chombo=chombo,
        chombo_timing="in_game",
        noten_riichi=draw(st.sampled_from([None, 1000])),
        extra_tile_payment=draw(st.sampled_from([0, 1000])),
        pao={**PAO, **parts},
    )


CHOSEN = ("counted_yakuman", "multiple_ron", "multi_ron_bonus", "multi_ron_sticks")
PAO_PARTS = {
    "ron": ("half", "liable"),
    "honba": ("liable", "discarder", "half"),
    "composite": ("own", "whole"),
    "several": ("each", "first"),
}


@st.composite
def any_wins(draw: st.DrawFn, under: Rules) -> tuple[tuple[Win, ...], int | None]:
    """One self-draw, or one to three who win with the tile of another."""
    order = draw(st.permutations(range(4)))
    count = draw(st.integers(0, 3))
    winners, loser = (order[:count], order[3]) if count else (order[:1], None)
    return tuple(draw(any_win(winner, under)) for winner in winners), loser


@st.composite
def any_win(draw: st.DrawFn, winner: int, under: Rules) -> Win:
    others = st.sampled_from([seat for seat in range(4) if seat != winner])
    yaku = st.sampled_from(["daisangen", "daisuushii", "suukantsu", "rinshan"])
    if draw(yes_no):
        value = yakuman_value(draw(st.integers(1, 4)), under)
    else:
        value = hand_value(draw(st.integers(1, 15)), draw(st.sampled_from(FU)), under)
    liable = st.builds(Liability, others, yaku, st.integers(1, 2))
    return Win(winner, value, tuple(draw(st.lists(liable, max_size=3))))


@examples(500)
@given(st.data(), any_rules(), seats, st.integers(0, 5), st.sets(seats))
def test_every_win_moves_points_and_makes_none(data, under, dealer, honba, riichi):
    wins, loser = data.draw(any_wins(under))
    deposits = 1000 * (len(riichi) + data.draw(st.integers(0, 3)))

    paid = won(*wins, loser=loser, dealer=dealer, honba=honba, deposits=deposits, riichi=riichi, under=under)

    winners = wins if loser is None else winners_of(wins, loser, under)
    assert sum(paid.changes) + paid.deposits == 0
    assert paid.deposits == (-deposits if winners else 0)
    assert all(each.points > 0 and each.points % 100 == 0 for each in paid.transfers)
    assert {each.winner for each in winners} <= {each.payee for each in paid.transfers}


@examples(300)
@given(st.data(), any_rules(), seats, st.integers(0, 3))
def test_liability_moves_the_burden_and_never_the_gain(data, under, dealer, honba):
    wins, loser = data.draw(any_wins(under))
    usual = [Win(each.winner, each.value) for each in wins]

    found = won(*wins, loser=loser, dealer=dealer, honba=honba, under=under)
    expected = won(*usual, loser=loser, dealer=dealer, honba=honba, under=under)

    # Not the changes: a winner can be liable for what another wins.
    assert received(found) == received(expected)


def received(paid: Payment) -> list[int]:
    return [sum(each.points for each in paid.transfers if each.payee == seat) for seat in range(4)]


@examples(200)
@given(st.data(), any_rules(), seats, st.integers(0, 3))
def test_the_order_in_which_wins_are_declared_does_not_matter(data, under, dealer, honba):
    wins, loser = data.draw(any_wins(under))
    other_order = data.draw(st.permutations(wins))

    assert won(*wins, loser=loser, dealer=dealer, honba=honba, under=under) == won(
        *other_order, loser=loser, dealer=dealer, honba=honba, under=under
    )


@examples(300)
@given(any_rules(), seats, seats, st.sets(seats), st.sets(seats, min_size=1), st.integers(1, 3))
def test_every_draw_and_foul_moves_points_and_makes_none(under, dealer, seat, tenpai, nagashi_of, tiles):
    payments = (
        pay_draw(tenpai, under),
        pay_nagashi(nagashi_of, dealer=dealer, honba=2, deposits=2000, rules=under),
        pay_chombo(seat, dealer=dealer, rules=under),
        pay_noten_riichi(seat, dealer=dealer, rules=under),
        pay_extra_tiles(seat, tiles, under),
    )

    assert [sum(paid.changes) + paid.deposits for paid in payments] == [0] * len(payments)
