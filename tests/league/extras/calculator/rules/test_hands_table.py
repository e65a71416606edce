"""What the tiles decide before a win: waits, tenpai, furiten, kan after riichi, and kuikae."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mahjong.agari import Agari

from league.extras.calculator.rules import (
    Situation,
    TileHand,
    forbidden_discards,
    is_furiten,
    is_tenpai,
    may_kan_after_riichi,
    parse_hand,
    waits,
)
from league.extras.calculator.rules.tiles import INDEX, KINDS
from tests.league.extras.calculator.rules.winning import tenhou


def waiting(text: str) -> str:
    return " ".join(waits(parse_hand(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [  # EMA 2016 3.10, and the shapes with more waits
        ("12m456p678s12355s", "3m"),
        ("13m456p678s12355s", "2m"),
        ("23m456p678s12355s", "1m 4m"),
        ("1234m456p678s123s", "1m 4m"),
        ("1122m456p678s123s", "1m 2m"),
        ("23456m456p678s55s", "1m 4m 7m"),
        ("3345m456p678s123s", "3m 6m"),
        ("123m456p678m2333s", "1s 2s 4s"),
        ("1112345678999m", "1m 2m 3m 4m 5m 6m 7m 8m 9m"),
        ("1133m5577p2288s4z", "4z"),
        ("112233m445566p7s", "7s"),
        ("19m19p19s1234567z", "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z"),
        ("119m19p19s123456z", "7z"),
        ("7z(123m)(456p)[1111z]{9999p}", "7z"),
        ("147m258p369s1234z", ""),
        ("0m406p678s123m55s", ""),
        ("23m406p678s12355s", "1m 4m"),
        ("1m", ""),
        ("", ""),
    ],
)
def test_every_kind_that_completes_the_hand_is_a_wait(text, expected):
    assert waiting(text) == expected


def test_a_wait_for_a_fifth_tile_is_a_wait_of_the_shape():
    assert waiting("1111z456p678s123s") == "1z"
    assert waiting("1111m456p678s123s") == "1m"
    assert waiting("1m456p678s123s(111m)") == "1m"


# Tiles of one suit, so that many hands wait, and of all.
thirteen = st.one_of(
    st.permutations([kind for kind in kinds for _ in range(4)]).map(lambda tiles: tiles[:13])
    for kinds in (KINDS[:9], KINDS[18:27], KINDS)
)


@given(thirteen)
def test_the_waits_are_those_with_which_the_library_sees_a_complete_hand(tiles):
    counts = [tiles.count(kind) for kind in KINDS]
    complete = []
    for kind in KINDS:
        if counts[INDEX[kind]] < 4:
            counts[INDEX[kind]] += 1
            complete += [kind] if Agari.is_agari(counts) else []
            counts[INDEX[kind]] -= 1

    assert [kind for kind in waits(TileHand(tuple(tiles))) if tiles.count(kind) < 4] == complete


# Tenpai at a draw


def test_keishiki_tenpai_needs_no_yaku():
    hand = parse_hand("123m456p1355s(678s)")
    with_yaku = parse_hand("234m456p2355s(678s)")
    facts = Situation(seat_wind=1, round_wind=0, tsumo=False)
    strict = tenhou(keishiki_tenpai=False)

    assert is_tenpai(hand, tenhou(keishiki_tenpai=True))
    assert not is_tenpai(hand, strict, facts)
    assert is_tenpai(with_yaku, strict, facts)
    assert is_tenpai(parse_hand("123m456p678s1355s"), strict, facts)  # closed: a self-draw is a yaku


def test_whether_a_hand_has_a_yaku_hangs_on_the_situation():
    with pytest.raises(ValueError, match="situation"):
        is_tenpai(parse_hand("123m456p678s1355s"), tenhou(keishiki_tenpai=False))


def test_a_hand_that_has_all_the_tiles_it_waits_for_is_tenpai_by_setting():
    """HKMA 流局 3: melds and hand together."""
    for text in ("1111z456p678s123s", "1m456p678s123s(111m)"):
        assert is_tenpai(parse_hand(text), tenhou(junkara_tenpai=True))
        assert not is_tenpai(parse_hand(text), tenhou(junkara_tenpai=False))
    assert is_tenpai(parse_hand("2333m456p678s(222m)"), tenhou(junkara_tenpai=False))  # 1m and 4m are left


def test_a_hand_that_does_not_wait_is_noten():
    assert not is_tenpai(parse_hand("147m258p369s1234z"), tenhou())


# Furiten


def test_a_discard_of_any_tile_that_completes_the_hand_is_furiten():
    """EMA 2016 3.13.1: 23m wait for 1m and 4m; a player who discarded 1m may win on neither."""
    hand = parse_hand("23m456p678s12355s")

    assert is_furiten(hand, ("9s", "1m"))
    assert is_furiten(hand, ("4m",))
    assert not is_furiten(hand, ("2m", "3m", "5m"))
    assert not is_furiten(hand, ())


def test_a_red_five_is_a_five_to_furiten():
    assert is_furiten(parse_hand("34m456p678s12377s"), ("0m",))


# Closed kan after riichi


@pytest.mark.parametrize("kan", ["waits", "shape"])
def test_a_kan_after_riichi_must_not_change_the_waits(kan):
    """EMA 2016 3.12: 2333s wait for 1s, 2s and 4s; after the kan they would wait for 2s only."""
    rules = tenhou(riichi_kan=kan)

    assert not may_kan_after_riichi(parse_hand("123m456p678m2333s"), "3s", rules)
    assert may_kan_after_riichi(parse_hand("123m456p333s13m99p"), "3s", rules)


def test_a_kan_after_riichi_must_not_change_how_the_hand_is_read():
    """EMA 2016 3.12: 333444555s are three sequences too. Kanto and the guide ask for the waits alone."""
    hand = parse_hand("333444555s13m99p")

    assert waits(hand) == ("2m",)
    assert not may_kan_after_riichi(hand, "3s", tenhou(riichi_kan="shape"))
    assert may_kan_after_riichi(hand, "3s", tenhou(riichi_kan="waits"))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [("123m456p678m2333s", "9s"), ("123m456p33s13m999p", "3s"), ("123m456p333s19m99p", "3s")],
)
def test_there_is_no_kan_without_a_triplet_or_a_waiting_hand(text, drawn):
    assert not may_kan_after_riichi(parse_hand(text), drawn, tenhou())


def test_a_red_five_completes_a_kan_of_fives():
    assert may_kan_after_riichi(parse_hand("123m789p555s13m99p"), "0s", tenhou())


# Kuikae


@pytest.mark.parametrize(
    ("called", "using", "expected"),
    [
        ("4m", ("2m", "3m"), ("1m", "4m")),  # EMA 2016 3.8
        ("6s", ("4s", "5s"), ("3s", "6s")),  # Kanto, 换食
        ("8s", ("6s", "7s"), ("5s", "8s")),  # so that 2s of 234567s may be discarded there
        ("2p", ("1p", "3p"), ("2p",)),  # TNT, 食替
        ("1p", ("2p", "3p"), ("1p", "4p")),
        ("4p", ("2p", "3p"), ("1p", "4p")),
        ("5p", ("5p", "5p"), ("5p",)),
        ("3p", ("1p", "2p"), ("3p",)),
        ("7p", ("8p", "9p"), ("7p",)),
        ("0p", ("3p", "4p"), ("2p", "5p")),
        ("7z", ("7z", "7z"), ("7z",)),
    ],
)
def test_the_same_tile_and_the_other_end_of_the_sequence_may_not_be_discarded(called, using, expected):
    assert forbidden_discards(called, using, tenhou(kuikae="forbidden")) == expected
    assert forbidden_discards(called, using, tenhou(kuikae="allowed")) == ()


def test_tiles_that_cannot_be_called_are_refused():
    with pytest.raises(ValueError, match="no chi"):
        forbidden_discards("1m", ("2m", "4m"), tenhou())
