"""The pages of staff while 400 tables are played, by more players than SQLite takes conditions."""

import pytest
from django.urls import reverse

from league.models import Entrant
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

TABLES = 400
OF_COMPETITION = [
    "calendar:calendar",
    "competitions:manage",
    "penalties:desk",
    "penalties:index",
    "penalties:new",
    "penalties:table_codes",
    "roster:index",
    "rounds:index",
    "seating:my_seat",
    "seating:screen",
]
OF_ROUND = [
    "calendar:round_dates",
    "results:enter_round",
    "rounds:round",
    "seating:by_hand",
    "seating:list",
    "substitutions:round",
]


@module_fixture
def hall() -> Club:
    here = club(players=0)
    players = Player.objects.bulk_create(
        Player(register=here.league.register, name=f"Player {number}") for number in range(4 * TABLES)
    )
    Entrant.objects.bulk_create(
        Entrant(competition=here.competition, player=player, division=here.division, key=f"p{player.pk}")
        for player in players
    )
    here.players.extend(players)
    here.add_round()
    return here


@pytest.mark.parametrize("page", [*OF_COMPETITION, *OF_ROUND])
def test_a_round_of_400_tables_is_shown(hall, page):
    about = [hall.slug, hall.rounds[0].pk] if page in OF_ROUND else [hall.slug]
    assert signed_in(hall.alice).get(reverse(page, args=about)).status_code == 200
