"""A rule set without atozuke: what can be judged from the tiles of the winning hand."""

import pytest

from tests.league.extras.calculator.rules.winning import reasons, tenhou, yaku

STRICT = tenhou(atozuke=False)


@pytest.mark.parametrize(
    ("text", "win", "facts", "expected"),
    [
        # 23s wait for 1s and 4s: only 4s makes all simples
        ("234m456p23s88s(678s)", "4s", {}, ("1s",)),
        # two pairs, of which one is not a value tile
        ("456p678s99m55z(123m)", "5z", {}, ("9m",)),
        # nothing but the last tile, a replacement tile, a robbed kan
        ("123m456p1355s(678s)", "2s", {"last_tile": True}, ("2s",)),
        ("123m456p1355s(9999p)", "2s", {"rinshan": True, "tsumo": True}, ("2s",)),
        ("123m456p1355s(678s)", "2s", {"chankan": "added"}, ("2s",)),
    ],
)
def test_every_wait_must_have_a_yaku(text, win, facts, expected):
    assert yaku(text, win, tenhou(atozuke=True), **facts)
    assert ("kataagari", {"tiles": expected}) in reasons(text, win, STRICT, **facts)


def test_a_wait_of_which_no_tile_is_left_is_not_asked_about():
    """67p wait for 5p and 8p; only 8p makes three equal sequences, but all four 5p are in the kan."""
    assert yaku("678m67p678s99s[5550p]", "8p", STRICT) == {"sanshoku_doujun": 2, "aka_dora": 1}
    assert reasons("678m67p678s99s[4444p]", "8p", STRICT) == [("kataagari", {"tiles": ("5p",)})]


@pytest.mark.parametrize(
    ("text", "win", "facts", "expected"),
    [
        ("234m456p678s23s88s", "4s", {"riichi": 1}, {"riichi": 1, "tanyao": 1, "pinfu": 1}),
        ("234m456p678s23s88s", "1s", {"riichi": 1}, {"riichi": 1, "pinfu": 1}),
        ("123m456p678s1355s", "2s", {"tsumo": True}, {"menzen_tsumo": 1}),
    ],
)
def test_a_yaku_that_is_sure_beforehand_wins(text, win, facts, expected):
    assert yaku(text, win, STRICT, **facts) == expected


@pytest.mark.parametrize(
    ("text", "win", "code"),
    [
        ("44m56p(555z)(123m)(789s)", "7p", "haku"),  # the triplet was called first
        ("44m567p56s(222z)(123m)", "7s", "seat_south"),
        ("44m567p56s555z(123m)", "7s", "haku"),  # the triplet was in the closed tiles
        ("79m55p678s(123m)(456m)", "8m", "ittsu"),
        ("24s99m678p(234m)(234p)", "3s", "sanshoku_doujun"),
        ("333s9m678p(333m)(333p)", "9m", "sanshoku_doukou"),
        ("46s88m(567m)(234p)(678p)", "5s", "tanyao"),
        ("46m88m(567m)(234m)(222z)", "5m", "honitsu"),
        ("79m11p(789s)(123m)(999p)", "8m", "junchan"),
        ("1p(789s)(123m)(999p)(222z)", "1p", "seat_south"),
        ("23s55s(9999p)[1111m]{4444z}", "1s", "sankantsu"),
        ("222m888s444p1p(678s)", "1p", "sanankou"),  # three triplets were in the closed tiles
    ],
)
def test_the_first_call_may_be_part_of_the_yaku(text, win, code):
    assert code in yaku(text, win, STRICT)


@pytest.mark.parametrize(
    ("text", "win", "first"),
    [
        ("44m56p(123m)(555z)(789s)", "7p", ("1m", "2m", "3m")),
        ("79m55p(678s)(123m)(456m)", "8m", ("6s", "7s", "8s")),
        ("24s99m(678p)(234m)(234p)", "3s", ("6p", "7p", "8p")),
    ],
)
def test_a_first_call_that_belongs_to_no_yaku_does_not_win(text, win, first):
    assert yaku(text, win, tenhou(atozuke=True))
    assert reasons(text, win, STRICT) == [("first_call", {"tiles": first})]
