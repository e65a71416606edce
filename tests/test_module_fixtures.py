"""Module fixtures are made once and restored before each test."""

import pytest

from league.models import Entrant, Round
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

MADE: list[str] = []


@module_fixture
def spring() -> Club:
    MADE.append("spring")
    return club("spring")


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_a_test_changes_is_undone_for_the_next(spring, time):
    assert (len(spring.players), Entrant.objects.count()) == (8, 8)
    assert (spring.rounds, Round.objects.count()) == ([], 0)
    spring.add_players(4)
    spring.add_round()
    spring.competition = None


def test_a_test_without_the_fixture_begins_with_its_rows():
    assert Entrant.objects.count() == 8
    assert MADE == ["spring"]
