"""The front page: what waits in one's own competitions."""

from datetime import UTC, date, datetime

import pytest

from league.models import Competition
from league.organizing.competitions.queries.front import cards, own_cards, own_competitions
from league.play.results.services import confirm_result
from tests.factories import as_seen, club

pytestmark = pytest.mark.django_db


def to_confirm(person) -> list[int]:
    found = cards(own_competitions(person), today=date(2025, 4, 5))
    return [card.to_confirm for card in own_cards(person, found, now=datetime(2025, 4, 5, tzinfo=UTC))]


def test_staff_see_how_many_sheets_of_others_wait_for_them():
    here = club()
    Competition.objects.filter(pk=here.competition.pk).update(counting="confirmed")
    here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    here.record((45000, 35000, 25000, 15000), number=2, by=here.alice)
    assert (to_confirm(here.charlie), to_confirm(here.alice), to_confirm(here.bob)) == ([1], [1], [2])
    assert to_confirm(here.dora) == [0]
    confirm_result(**as_seen(here.table()), by=here.bob)
    assert (to_confirm(here.charlie), to_confirm(here.bob)) == ([1], [1])


def test_nothing_waits_where_results_count_at_once():
    here = club()
    here.add_round()
    here.record((45000, 35000, 25000, 15000))
    assert to_confirm(here.bob) == [0]
