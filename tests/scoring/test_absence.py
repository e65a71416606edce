"""Lateness in seconds, penalties in tenths."""

import pytest

from scoring.absence import Substituted, lateness_penalty


@pytest.mark.parametrize(
    ("seconds", "penalty"),
    [(-60, 0), (0, 0), (1, -10), (60, -10), (61, -20), (570, -100), (600, -100), (601, None)],
)
def test_each_minute_begun_costs_1000_points_until_a_substitute_plays(
    seconds: int, penalty: int | None
) -> None:
    assert lateness_penalty(seconds) == penalty


def test_a_substituted_player_loses_15000_points_and_15000_of_uma() -> None:
    assert (Substituted().points, Substituted().uma, Substituted().score) == (-15000, -15000, -300)
