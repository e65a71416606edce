"""What a season's end waits for, and where a standings page has zones."""

import pytest

from league.models import Round
from league.ranking.seasons.queries import unpublished_results, zones_of
from tests.factories import club

pytestmark = pytest.mark.django_db


def test_only_a_hidden_round_with_a_result_is_unpublished():
    here = club()
    for _ in range(3):
        here.add_round()
    here.record((50_000, 30_000, 25_000, 15_000), round_number=1)
    here.record((50_000, 30_000, 25_000, 15_000), round_number=2)
    Round.objects.exclude(pk=here.rounds[0].pk).update(visibility=Round.Visibility.HIDDEN)
    assert unpublished_results(here.competition) == [here.rounds[1]]


def test_a_stage_has_zones_only_if_its_division_moves_somebody():
    here = club()
    here.add_round()
    here.record((50_000, 30_000, 25_000, 15_000))
    assert zones_of(here.stage, public=True) is None
