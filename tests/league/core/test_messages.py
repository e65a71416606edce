"""Sentences about the rules of a division."""

import pytest

from league.core.messages import rules_summary
from scoring.presets import resolve


@pytest.mark.parametrize(
    ("uma", "places"),
    [
        ([15, 5, -5, -15], "+15/+5/−5/−15"),
        ([7.5, 0, 0, -7.5], "+7.5/0/0/−7.5"),
    ],
)
def test_place_points_have_a_sign_and_a_tenth_only_if_there_is_one(uma, places):
    rules = resolve("ema-2016", {"uma": uma})
    assert rules_summary(rules) == f"30,000 / 30,000 · {places}"
