"""A hand asked about: who pays, what it waits for, and which settings its value hangs on."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.extras.calculator.queries import (
    DEALER,
    DISCARDER,
    OTHER,
    OTHERS,
    HandQuestion,
    PaymentShare,
    asks_who_is_liable,
    best_of,
    deciding,
    gain,
    hand_of,
    liabilities,
    missing_tiles,
    shares,
    waiting,
)
from league.extras.calculator.rules import HandError, Situation, TileHand, parse_hand
from scoring.payments import LIMITS, hand_value, limit_value
from scoring.presets import resolve
from scoring.rules import SETTINGS, Rules

RULES = resolve("ema-2025")
MANGAN = limit_value("mangan", RULES)


def asked(hand: str, win: str = "", *, honba: int = 0, sticks: int = 0, **facts: Any) -> HandQuestion:
    usual: dict[str, Any] = {"seat_wind": 1, "round_wind": 0, "tsumo": False}
    situation = Situation(**(usual | facts))
    return HandQuestion(hand=hand_of(hand, win), situation=situation, honba=honba, sticks=sticks)


def decided(question: HandQuestion, rules: Rules = RULES) -> Mapping[str, list[tuple[object, int | None]]]:
    best = best_of(question, rules)
    return {
        each.name: [(other.value, other.gain) for other in each.otherwise]
        for each in deciding(question, best, rules)
    }


# --- the hand


def test_the_winning_tile_is_the_last_closed_one_where_none_is_named():
    assert hand_of("123m406p678p 55s (789s)", "").win == "5s"
    assert hand_of("55s123m406p678p (789s)", "").win == "8p"
    assert hand_of("55s123m406p678p (789s)", "0p") == parse_hand("55s123m406p678p(789s)", "0p")


def test_a_hand_without_its_winning_tile_waits():
    hand = hand_of("1112345678999s", "")
    assert hand == TileHand(parse_hand("1112345678999s").closed)
    assert missing_tiles(hand) == 1


def test_a_kan_counts_as_three_tiles():
    assert missing_tiles(hand_of("1234m [1111s]", "")) == 7
    assert missing_tiles(hand_of("123m456p789s11z [1111s]", "1z")) == 0
    assert missing_tiles(hand_of("123m456p789s1122z [1111s]", "1z")) == -2


def test_a_winning_tile_without_any_other_is_a_hand_that_lacks_thirteen():
    assert missing_tiles(hand_of("", "1z")) == 13


@pytest.mark.parametrize("text", ["9", "12x", "(12m)", "[123m", "1m" * 200])
def test_text_that_is_not_a_hand_is_refused(text):
    with pytest.raises(HandError):
        hand_of(text, "")


# --- who pays


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"seat_wind": 1}, (PaymentShare(DISCARDER, 1, 8000, 600),)),
        ({"seat_wind": 0}, (PaymentShare(DISCARDER, 1, 12000, 600),)),
        ({"seat_wind": 0, "tsumo": True}, (PaymentShare(OTHERS, 3, 4000, 200),)),
        (
            {"seat_wind": 3, "tsumo": True},
            (PaymentShare(DEALER, 1, 4000, 200), PaymentShare(OTHERS, 2, 2000, 200)),
        ),
    ],
)
def test_a_mangan_with_two_honba(facts, expected):
    question = asked("123m", honba=2, **facts)
    assert shares(question, MANGAN, RULES) == expected


def test_the_winner_gets_the_deposits_too():
    question = asked("123m", honba=1, sticks=2)
    assert gain(question, MANGAN, RULES) == 8000 + 300 + 2000


@given(
    st.sampled_from([limit for limit in LIMITS if limit != "counted_yakuman"]) | st.integers(1, 4),
    st.integers(0, 3),
    st.booleans(),
    st.integers(0, 20),
    st.integers(0, 20),
)
def test_what_the_players_pay_and_the_deposits_are_what_the_winner_gets(worth, seat, tsumo, honba, sticks):
    value = limit_value(worth, RULES) if isinstance(worth, str) else hand_value(worth, 30, RULES)
    question = asked("123m", seat_wind=seat, tsumo=tsumo, honba=honba, sticks=sticks)
    paid = shares(question, value, RULES)
    assert sum(each.players for each in paid) == (3 if tsumo else 1)
    assert sum(each.players * each.total for each in paid) + 1000 * sticks == gain(question, value, RULES)


# --- who is liable

DRAGONS = asked("234m88s (555z) (666z) (777z)", "8s")


def paid(question: HandQuestion, rules: Rules = RULES) -> tuple[PaymentShare, ...]:
    best = best_of(question, rules)
    return shares(question, best.value, rules, liabilities(question, best, rules))


@pytest.mark.parametrize(
    ("said", "facts", "expected"),
    [
        ((), {}, (PaymentShare(DISCARDER, 1, 32000, 300),)),
        (
            (("daisangen", OTHER),),
            {},
            (PaymentShare(OTHERS, 1, 16000, 0, liable=True), PaymentShare(DISCARDER, 1, 16000, 300)),
        ),
        ((("daisangen", DISCARDER),), {}, (PaymentShare(DISCARDER, 1, 32000, 300, liable=True),)),
        ((("daisangen", OTHER),), {"tsumo": True}, (PaymentShare(OTHERS, 1, 32000, 300, liable=True),)),
        ((("daisangen", DEALER),), {"tsumo": True}, (PaymentShare(DEALER, 1, 32000, 300, liable=True),)),
        (
            (("daisangen", DEALER),),  # who wins as the dealer has no dealer against them
            {"tsumo": True, "seat_wind": 0},
            (PaymentShare(OTHERS, 1, 48000, 300, liable=True),),
        ),
        ((("daisuushii", OTHER),), {}, (PaymentShare(DISCARDER, 1, 32000, 300),)),
    ],
)
def test_who_is_liable_for_a_yakuman_pays_as_the_rule_set_says(said, facts, expected):
    situation = replace(DRAGONS.situation, **facts)
    assert paid(replace(DRAGONS, liable=said, honba=1, situation=situation)) == expected


def test_a_liable_dealer_pays_their_share_of_another_yakuman_too():
    rules = resolve("mleague", {"pao": {**RULES.as_values()["pao"], "honba": "liable"}})
    honours = asked("77z (111z) (222z) (333z) (444z)", "7z", tsumo=True)
    assert {each.code for each in best_of(honours, rules).yaku} == {"tsuuiisou", "daisuushii"}
    assert paid(replace(honours, liable=(("daisuushii", DEALER),)), rules) == (
        PaymentShare(DEALER, 1, 48000, 0, liable=True),
        PaymentShare(OTHERS, 2, 8000, 0),
    )


def test_the_discarder_for_an_open_kan_pays_for_a_win_on_its_tile_where_the_rules_say_so():
    question = replace(
        asked("234m88s (777z) (111p) (1111s)", "8s", tsumo=True, rinshan=True), liable=(("rinshan", OTHER),)
    )
    without, having = (
        paid(question, resolve("ema-2025", {"daiminkan_pao": holds})) for holds in (False, True)
    )
    assert [(each.who, each.liable) for each in without] == [(DEALER, False), (OTHERS, False)]
    assert [(each.who, each.liable) for each in having] == [(OTHERS, True)]
    assert having[0].total == sum(each.players * each.total for each in without)


@pytest.mark.parametrize(
    ("hand", "win", "facts", "expected"),
    [
        ("234m88s (555z) (666z) (777z)", "8s", {}, ("daisangen",)),
        ("234m88s [5555z] [6666z] (777z)", "8s", {}, ("daisangen",)),
        ("234m88s [5555z] [6666z] [7777z]", "8s", {}, ()),  # no one let any of them
        ("234m88s77z (555z) (666z)", "7z", {}, ()),  # the third came with the win
        ("234m88s555666777z", "8s", {}, ()),
        ("88s (111z) (222z) (333z) (444z)", "8s", {}, ("daisuushii",)),
        ("88s (1111m) (2222p) (3333s) (4444z)", "8s", {}, ("suukantsu",)),
        ("88s [1111m] [2222p] [3333s] {4444z}", "8s", {}, ()),  # the fourth was drawn
        ("88s (1111m) (2222p) (3333s) (777z)", "8s", {"tsumo": True, "rinshan": True}, ("rinshan",)),
        ("234m88s (777z) (111p) (1111s)", "8s", {"tsumo": True, "rinshan": True}, ("rinshan",)),
        ("234m88s (777z) (111p) [1111s]", "8s", {"tsumo": True, "rinshan": True}, ()),
        ("234m88s (777z) (111p) (1111s)", "8s", {"tsumo": True}, ()),
    ],
)
def test_the_liable_player_is_asked_where_there_may_be_one(hand, win, facts, expected):
    rules = resolve("hkma-a-2025-04", {"daiminkan_pao": True})
    question = asked(hand, win, **facts)
    best = best_of(question, rules)
    assert asks_who_is_liable(question, best.value, rules) == expected
    none = resolve("saikouisen")
    assert asks_who_is_liable(question, best.value, none) == ()


# --- what it waits for


def test_each_tile_that_completes_the_hand_with_its_value():
    found = waiting(asked("2345678m456p678s", riichi=1), RULES)
    assert [(tile, reading and reading.han) for tile, reading in found] == [("2m", 2), ("5m", 2), ("8m", 2)]


def test_a_tile_that_gives_no_yaku_does_not_win():
    found = waiting(asked("23m99p789s (456s) (111p)"), RULES)
    assert found == [("1m", None), ("4m", None)]


# --- the settings that decide


def test_open_tanyao_decides_a_hand_that_has_nothing_else():
    question = asked("234m678p44s (678s) (333p)", "8p")
    assert decided(question) == {"open_tanyao": [(False, None)]}
    closed = resolve("ema-2025", {"open_tanyao": False})
    assert decided(question, closed) == {"open_tanyao": [(True, 1000)]}


def test_kiriage_decides_where_four_han_have_thirty_fu():
    question = asked("234406m22p345p678s", "8s", riichi=1)
    assert decided(question, resolve("tenhou"))["kiriage_mangan"] == [(True, 8000)]
    assert decided(asked("234m22p345p678s (777z)", "8s")) == {}


def test_a_red_five_is_plain_under_rules_without_any():
    question = asked("234406m77p345678s", "8s", tsumo=True)
    assert decided(question, resolve("tenhou")) == {"red_fives": [(0, 2700)]}
    assert decided(question) == {"red_fives": [(3, 5200), (4, 5200)]}


def test_the_fu_of_a_double_wind_pair_decide_where_they_change_the_points():
    rules = resolve("ema-2025", {"double_wind_pair_fu": 2})
    hand = "11z456m (777z) (888s) (234s)"
    assert decided(asked(hand, "5m", seat_wind=0), rules) == {"double_wind_pair_fu": [(4, 2000)]}
    assert decided(asked(hand, "5m", seat_wind=1), rules) == {}


def test_a_yakuman_hangs_on_what_is_said_of_yakuman():
    question = asked("19m19p19s12345677z", "7z", tsumo=True, honba=1)
    assert decided(question, resolve("mleague")) == {
        "double_yakuman": [(True, 64300)],
        "honba_on_yakuman": [(False, 32000)],
    }


def test_kan_ura_dora_go_with_the_ura_dora_that_are_taken_away():
    rules = resolve("tenhou")
    question = asked("123m456p789s99p [1111s]", "9p", riichi=1, dora=("5z", "5z"), ura=("7z", "8p"))
    found = decided(question, rules)
    assert found["ura_dora"] == found["kan_ura_dora"] == [(False, 2300)]


def test_nothing_decides_a_hand_that_is_not_complete():
    assert decided(asked("159m159p159s12345z", "5z")) == {}


@pytest.mark.parametrize("slug", ["ema-2025", "tenhou", "mleague", "hkma-a-2025-04"])
def test_settings_named_as_deciding_change_the_points_and_the_others_do_not(slug):
    """The short cut (what can concern a hand at all) leaves nothing out: against all yes-or-no settings."""
    rules = resolve(slug)
    hands = [
        asked("234406m77p345678s", "8s", riichi=1, ippatsu=True, dora=("2m",), ura=("1z",)),
        asked("55m234s789p (777z) [1111s]", "9p", dora=("4m", "9s")),
        asked("234m678p44s (678s) (333p)", "8p", honba=2),
        asked("11z456m (777z) (888s) (234s)", "5m", seat_wind=0),
        asked("111m222m333m44499p", "9p", tsumo=True, honba=1),
        asked("234m567p22345678s", "8s", first_turn=True),
    ]
    groups = {"hand", "payments"}
    names = [name for name, each in SETTINGS.items() if each.kind == "yes_no" and each.group in groups]
    for question in hands:
        named = decided(question, rules)
        here = best_of(question, rules)
        for name in names:
            other = rules_with(rules, name, not getattr(rules, name))
            if other is None:
                continue
            found = best_of(question, other)
            changes = points(question, found, other) != points(question, here, rules)
            assert (name in named) == changes, f"{question.hand}: {name}"


def rules_with(rules: Rules, name: str, value: object) -> Rules | None:
    try:
        return Rules.from_values({**rules.as_values(), name: value})
    except ValueError:
        return None


def points(question: HandQuestion, best: Any, rules: Rules) -> int | None:
    return None if best is None else gain(question, best.value, rules)
