"""The EMA's weights and base ranks."""

from fractions import Fraction

import pytest

from scoring.federations import Tournament, mers_base_rank


def test_the_base_rank_falls_from_1000_to_0_in_even_steps():
    assert [mers_base_rank(place, 5) for place in range(1, 6)] == [1000, 750, 500, 250, 0]
    assert mers_base_rank(2, 4) == Fraction(2000, 3)


@pytest.mark.parametrize(("place", "players"), [(0, 4), (5, 4), (1, 1)])
def test_a_place_that_is_none_is_refused(place, players):
    with pytest.raises(ValueError, match="no place"):
        mers_base_rank(place, players)


@pytest.mark.parametrize(
    ("players", "countries", "days", "weight"),
    [
        (40, 5, 1, 1),
        (41, 6, 2, 3),
        (80, 10, 2, 3),
        (81, 11, 3, 5),
        (16, 1, 9, 3),
        (16, 1, 0, 1),
    ],
)
def test_a_tournament_has_its_weight(players, countries, days, weight):
    made = Tournament(players=players, countries=countries, days=days)
    assert made.weight == weight
    assert (
        Tournament(players=players, countries=countries, days=days, qualification=True).weight == weight + 1
    )
