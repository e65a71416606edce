"""Names of downloaded files, and marks that tell people of equal numbers apart."""

from datetime import UTC, datetime

import pytest

from league.models import LeagueEntry
from league.organizing.personal_data.exports import file_name
from league.organizing.personal_data.queries import mark_of
from tests.factories import club


@pytest.mark.parametrize(("of", "name"), [("anna.b", "anna-b"), ("Noël", "No-l"), ("鳳凰院", "person")])
def test_the_name_of_a_file_is_ascii(of, name):
    assert file_name(of, datetime(2026, 9, 12, tzinfo=UTC)) == f"umaoka-{name}-2026-09-12.zip"


@pytest.mark.django_db
def test_the_mark_of_a_player_is_the_first_entry_of_the_log_of_their_own_register():
    for here in (club("spring"), club("autumn")):
        first = LeagueEntry.objects.get(league=here.competition.league, sequence=1)
        assert mark_of(here.players[0]) == first.hash
