"""Scores as text and back, and half of a carried score."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.units import decimal_text, half, parse_score, tenths_of


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (1234, "123.4"),
        (-200, "-20.0"),
        (0, "0.0"),
        (-5, "-0.5"),
        (Fraction(500, 3), "16.7"),
        (Fraction(-500, 3), "-16.7"),
        (Fraction(1, 2), "0.1"),
        (Fraction(-1, 2), "-0.1"),
        (Fraction(-1, 3), "0.0"),
        (Fraction(5, 2), "0.3"),
    ],
)
def test_a_score_is_written_with_one_decimal_and_a_half_goes_away_from_zero(score, text):
    assert decimal_text(score) == text


@pytest.mark.parametrize(
    ("text", "tenths"),
    [
        ("−20", -200),
        ("-20.0", -200),
        ("▲20.0", -200),
        ("△1.5", -15),
        ("+1.5", 15),
        ("0", 0),
        ("-0.0", 0),
        (" 12.50 ", 125),
        ("123.4", 1234),
    ],
)
def test_a_score_is_read_with_the_signs_that_people_write(text, tenths):
    assert parse_score(text) == tenths


@pytest.mark.parametrize(
    "text", ["", "-", "1.25", "1,5", "abc", "1e3", "--1", "▲-1", ".5", "5.", "nan", "1 000"]
)
def test_text_that_is_not_a_score_with_one_decimal_is_refused(text):
    with pytest.raises(ValueError, match="not a score"):
        parse_score(text)


@given(st.integers(-(10**6), 10**6))
def test_every_score_is_read_back_from_its_text(tenths):
    assert parse_score(decimal_text(tenths)) == tenths


@pytest.mark.parametrize(
    ("score", "halved"), [(100, 50), (15, 8), (-15, -8), (0, 0), (1, 1), (Fraction(1, 3), 0), (-3, -2)]
)
def test_half_of_a_score_is_whole_tenths_with_a_half_away_from_zero(score, halved):
    assert half(score) == halved


def test_a_json_number_or_text_is_read_in_tenths():
    assert [tenths_of(value) for value in (30, -7.5, 0.1, "▲20", "+1.5")] == [300, -75, 1, -200, 15]


@pytest.mark.parametrize("value", [True, None, [30]])
def test_a_value_of_another_type_is_not_a_score(value):
    with pytest.raises(TypeError):
        tenths_of(value)


@pytest.mark.parametrize("value", [10.25, float("nan"), "many"])
def test_a_number_with_more_than_one_decimal_is_not_a_score(value):
    with pytest.raises(ValueError, match="one decimal"):
        tenths_of(value)
