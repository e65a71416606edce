"""Tiles, their notation, and the dora that an indicator makes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.extras.calculator.rules.tiles import (
    KINDS,
    TILES,
    HandError,
    HandProblem,
    closed_tiles,
    dora_of,
    in_order,
    kind_of,
    parse_tiles,
    red_fives_of,
    tiles_text,
)


def problems(text: str) -> list[tuple[str, dict[str, object]]]:
    with pytest.raises(HandError) as caught:
        parse_tiles(text)
    return [(each.code, dict(each.params)) for each in caught.value.problems]


def test_there_are_34_kinds_and_three_red_fives():
    assert (len(KINDS), len(TILES), KINDS[0], KINDS[33]) == (34, 37, "1m", "7z")
    assert [kind_of(tile) for tile in ("0m", "0p", "0s", "5m", "7z")] == ["5m", "5p", "5s", "5m", "7z"]


def test_the_usual_notation_is_read_as_typed():
    assert parse_tiles("321m40p77z1m") == ("3m", "2m", "1m", "4p", "0p", "7z", "7z", "1m")


def test_spaces_capitals_and_wide_letters_are_fine():
    assert parse_tiles(" 1 2M\n 3ｐ　\t") == ("1m", "2m", "3p")


def test_an_empty_text_has_no_tiles():
    assert parse_tiles("") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12m3x", [("no_suit", {"numbers": "3"}), ("character", {"character": "x"})]),
        ("12", [("no_suit", {"numbers": "12"})]),
        ("m1p", [("no_number", {"suit": "m"})]),
        ("789z", [("no_such_tile", {"tile": "8z"}), ("no_such_tile", {"tile": "9z"})]),
        ("0z", [("no_such_tile", {"tile": "0z"})]),
        ("1m(", [("character", {"character": "("})]),
        ("1" * 201, [("too_long", {"length": 201, "most": 200})]),
        ("\x00", [("character", {"character": "\x00"})]),
    ],
)
def test_what_cannot_be_read_is_named(text, expected):
    assert problems(text) == expected


def test_tiles_are_written_in_order_with_red_fives_after_the_others():
    assert tiles_text(("7z", "0p", "5p", "1m", "4p", "6p", "1z")) == "1m4506p17z"


@given(st.lists(st.sampled_from(TILES)))
def test_what_is_written_is_read_again(tiles):
    assert parse_tiles(tiles_text(tiles[:90])) == in_order(tiles[:90])


def tiles_or_problems(text: str) -> tuple[str | HandProblem, ...]:
    try:
        return parse_tiles(text)
    except HandError as error:
        return error.problems


@given(st.text(st.sampled_from("0123456789mpsz ()５ｍ?")) | st.text())
def test_any_text_is_tiles_or_says_why_not(text):
    found = tiles_or_problems(text)

    assert set(found) <= set(TILES) or {type(each) for each in found} == {HandProblem}


def test_each_indicator_makes_the_next_tile_dora():
    turns = ["123456789m1m", "123456789p1p", "123456789s1s", "12341z", "5675z"]  # each tile makes the next

    for turn in turns:
        tiles = parse_tiles(turn)
        assert tuple(dora_of(tile) for tile in tiles[:-1]) == tiles[1:]
    assert sum(len(parse_tiles(turn)) - 1 for turn in turns) == 34
    assert [dora_of(red) for red in ("0m", "0p", "0s")] == ["6m", "6p", "6s"]


def test_a_player_holds_three_tiles_less_for_each_meld():
    assert [closed_tiles(melds, drawn=False) for melds in range(5)] == [13, 10, 7, 4, 1]
    assert [closed_tiles(melds, drawn=True) for melds in range(5)] == [14, 11, 8, 5, 2]


def test_the_fourth_red_five_is_a_second_five_of_circles():
    assert [red_fives_of(red, 0) for red in ("0m", "0p", "0s")] == [0, 0, 0]
    assert [red_fives_of(red, 3) for red in ("0m", "0p", "0s")] == [1, 1, 1]
    assert [red_fives_of(red, 4) for red in ("0m", "0p", "0s")] == [1, 2, 1]
