"""How long games take, in minutes."""

import pytest

from scoring.durations import expected_minutes
from scoring.rules import SETTINGS


def test_a_game_by_hand_takes_longer_than_at_an_automatic_table():
    assert expected_minutes("half", automatic=True) == (40, 50)
    assert expected_minutes("half", automatic=False) == (60, 70)


@pytest.mark.parametrize("length", ["east_north", "east_east", "each_hand"])
def test_lengths_without_an_estimate_have_no_minutes(length):
    assert length in SETTINGS["game_length"].choices
    assert expected_minutes(length, automatic=True) is None
