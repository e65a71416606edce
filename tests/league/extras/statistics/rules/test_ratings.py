"""MERS by EMA's example, and openskill by its own properties."""

from datetime import date
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from league.extras.statistics.rules.ratings import (
    NEW,
    Mers,
    MersResult,
    Skill,
    mers,
    mers_age,
    mers_base,
    rate_games,
)
from league.extras.statistics.rules.sheets import SettledGame
from scoring.standings import SUBSTITUTE


def results(*pairs):
    return [MersResult(base, Fraction(weight)) for base, weight in pairs]


# --- MERS


def test_the_example_of_ema():
    found = mers(results((1000, 1), (1000, 1), (1000, 1), (501, 6), (500, 1)))
    assert found == Mers(Fraction(6506, 10), Fraction(6006, 9), 5)
    assert round(float(found.part_a), 2) == 650.6
    assert round(float(found.part_b), 2) == 667.33
    assert found.rating == Fraction(65_895, 100)


@pytest.mark.parametrize(
    ("place", "players", "base"),
    [(1, 16, 1000), (16, 16, 0), (3, 16, 867), (32, 60, 475), (1, 1, 0), (2, 3, 500)],
)
def test_a_place_has_its_base(place, players, base):
    assert mers_base(place, players) == base


def test_a_result_loses_half_its_weight_after_a_year_and_all_after_two():
    ended = date(2024, 2, 29)
    assert [mers_age(ended, day) for day in (date(2025, 2, 28), date(2025, 3, 1), date(2025, 3, 2))] == [
        1,
        1,
        Fraction(1, 2),
    ]
    assert [mers_age(ended, day) for day in (date(2026, 3, 1), date(2026, 3, 2))] == [Fraction(1, 2), 0]


def test_fewer_than_two_results_have_no_rating_and_fewer_than_five_are_padded():
    assert mers(results((900, 1))) is None
    assert mers(results((900, 1), (900, 0))) is None
    assert mers(results((1000, 1), (1000, 1))) == Mers(Fraction(2000, 5), Fraction(2000, 4), 2)


def test_of_ten_results_nine_count_and_of_equal_bases_the_heavier():
    ten = [(100 * n, 1) for n in range(1, 11)]
    assert mers(results(*ten)).part_a == Fraction(sum(100 * n for n in range(2, 11)), 9)
    assert mers(results((500, 1), (500, 3), (500, 1), (500, 1), (0, 1), (900, 1))).part_b == Fraction(
        900 + 500 * 5, 6
    )


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 12)), min_size=2, max_size=30), st.randoms())
def test_a_rating_is_between_the_bases_and_ignores_the_order(pairs, rng):
    found = mers(results(*pairs))
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    assert mers(results(*shuffled)) == found
    assert 0 <= found.part_a <= 1000
    assert found.part_a <= found.part_b


# --- openskill


def game(players, places):
    return SettledGame(tuple(players), (25_000,) * 4, tuple(places), (0,) * 4)


def test_who_wins_gains_and_places_in_the_middle_are_symmetric():
    found = rate_games([game((1, 2, 3, 4), (1, 2, 3, 4))], {})
    gains = [found[player].mu - NEW.mu for player in (1, 2, 3, 4)]
    assert gains[0] > gains[1] > 0 > gains[2] > gains[3]
    assert gains[0] == pytest.approx(-gains[3])
    assert gains[1] == pytest.approx(-gains[2])
    assert all(each.sigma < NEW.sigma and each.games == 1 for each in found.values())
    assert found[1].rating == pytest.approx(found[1].mu - 3 * found[1].sigma)


def test_the_library_rates_the_same_in_one_call():
    model = BradleyTerryFull()
    expected = model.rate([[model.rating()] for _ in range(4)], ranks=[2, 1, 2, 4])
    found = rate_games([game((1, 2, 3, 4), (2, 1, 2, 4))], {})
    assert [found[player].mu for player in (1, 2, 3, 4)] == [each.mu for (each,) in expected]
    assert found[1] == found[3]


def test_the_order_of_seats_does_not_matter():
    for places in permutations((1, 2, 3, 4)):
        found = rate_games([game((1, 2, 3, 4), places)], {})
        by_place = {place: found[player].mu for player, place in zip((1, 2, 3, 4), places, strict=True)}
        assert by_place[1] > by_place[2] > by_place[3] > by_place[4]


def test_games_in_two_parts_give_the_same_as_in_one():
    played = [
        game((1, 2, 3, 4), (1, 2, 3, 4)),
        game((4, 3, 2, 5), (1, 2, 3, 4)),
        game((5, 1, 2, 3), (1, 2, 2, 4)),
    ]
    assert rate_games(played[1:], rate_games(played[:1], {})) == rate_games(played, {})


def test_a_substitute_is_left_out():
    assert set(rate_games([game((1, SUBSTITUTE, 3, 4), (1, 2, 3, 4))], {})) == {1, 3, 4}
    assert rate_games([game((1, SUBSTITUTE, SUBSTITUTE, SUBSTITUTE), (1, 2, 3, 4))], {}) == {}
    assert rate_games([], {1: Skill(30.0, 2.0, 7)}) == {1: Skill(30.0, 2.0, 7)}
