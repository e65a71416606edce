"""The code of a hand: what there is under which rules, and what follows it."""

import pytest

from scoring.hanchan import HandName
from scoring.hand_codes import following, hands_of, is_later, parse_hand_code, read_hand_code
from scoring.presets import resolve
from scoring.rules import Rules


def rules(**overrides: object) -> Rules:
    return resolve("hkma-a-2025-04", overrides)


WEST = {"extension": "full_wind", "target_points": 40000}


@pytest.mark.parametrize(
    ("overrides", "codes"),
    [
        ({"game_length": "east"}, "E1 E2 E3 E4"),
        ({}, "E1 E2 E3 E4 S1 S2 S3 S4"),
        (WEST, "E1 E2 E3 E4 S1 S2 S3 S4 W1 W2 W3 W4"),
        ({"game_length": "east_north"}, "E1 E2 E3 E4 N1 N2 N3 N4"),
        ({"game_length": "east_east"}, "E1 E2 E3 E4"),
        ({"game_length": "east_east", **WEST}, "E1 E2 E3 E4 E5 E6 E7 E8"),
        ({"game_length": "each_hand"}, "E1"),
    ],
)
def test_the_hands_of_a_game(overrides, codes):
    assert hands_of(rules(**overrides)) == codes.split()


def test_a_code_names_round_wind_number_and_honba():
    assert parse_hand_code("S3.12", rules()) == HandName(1, 3, 12)


@pytest.mark.parametrize(
    "text", ["", "W1.0", "E5.0", "E0.0", "e1.0", "E1", "E1.100", "E01.0", "E1.-1", "東1.0", "E１.0"]
)
def test_a_hand_that_does_not_exist_is_refused(text):
    with pytest.raises(ValueError, match=r"hand|played"):
        parse_hand_code(text, rules())


def test_a_code_is_read_without_its_rules():
    assert read_hand_code("N4.1") == HandName(3, 4, 1)
    with pytest.raises(ValueError, match="no hand"):
        read_hand_code("N4")


@pytest.mark.parametrize(
    ("code", "than", "later"),
    [
        ("E1.1", "E1.0", True),
        ("E2.0", "E1.3", True),
        ("S1.0", "E4.2", True),
        ("E1.0", "E1.0", False),
        ("E4.2", "S1.0", False),
        ("E1.0", "W1.0", True),
    ],
)
def test_which_of_two_hands_is_later(code, than, later):
    assert is_later(code, than, rules()) is later


@pytest.mark.parametrize(
    ("code", "stays", "drawn", "expected"),
    [
        ("E1.0", True, False, "E1.1"),
        ("E1.0", True, True, "E1.1"),
        ("E1.2", False, False, "E2.0"),
        ("E1.2", False, True, "E2.3"),
        ("E4.0", False, False, "S1.0"),
        ("S4.0", True, False, "S4.1"),
        ("S4.0", False, False, None),
        ("W1.0", True, False, None),
        ("E2.99", True, False, "E2.99"),
    ],
)
def test_the_hand_that_follows(code, stays, drawn, expected):
    assert following(code, dealer_stays=stays, is_draw=drawn, rules=rules()) == expected


def test_an_extension_without_limit_goes_on_round_the_winds():
    endless = rules(**WEST, extension_winds=None)

    assert following("N4.0", dealer_stays=False, is_draw=False, rules=endless) == "E1.0"
