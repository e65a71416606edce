"""The pages of staff while 400 tables are played, by more players than SQLite takes conditions."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.core.pages import TABLES_A_PAGE
from league.models import Entrant
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture
from tests.shown import html

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

TABLES = 400
OF_COMPETITION = [
    "calendar:calendar",
    "competitions:manage",
    "penalties:desk",
    "penalties:index",
    "penalties:new",
    "calls:codes",
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


@pytest.mark.parametrize("page", ["calls:codes", "rounds:round", "substitutions:round"])
def test_a_long_list_of_tables_has_pages_that_show_each_of_them_once(hall, page):
    alice = signed_in(hall.alice)
    address = reverse(page, args=[hall.slug, hall.rounds[0].pk] if page in OF_ROUND else [hall.slug])
    pages = [html(alice.get(address, {"page": number})) for number in range(1, TABLES // TABLES_A_PAGE + 1)]

    shown = [int(number) for each in pages for number in re.findall(r">Table (\d+)</(?:a|strong)>", each)]

    assert shown == list(range(1, TABLES + 1))
    assert 'rel="next" href="?page=2"' in pages[0]
    assert 'rel="next"' not in pages[-1]


def test_a_page_of_a_round_counts_the_tables_of_all_pages(hall, client):
    hall.record((40_000, 35_000, 25_000, 20_000), number=TABLES)
    address = reverse("rounds:round", args=[hall.slug, hall.rounds[0].pk])

    assert "1 of 400 tables entered" in html(client.get(address))
    assert "40,000" in html(client.get(address, {"page": TABLES // TABLES_A_PAGE}))
    assert "40,000" not in html(client.get(address))


def test_the_page_of_a_seat_does_not_read_the_tables_of_others(hall, client):
    entrant = Entrant.objects.get(competition=hall.competition, player=hall.players[-1])
    with CaptureQueriesContext(connection) as caught:
        found = html(client.get(reverse("seating:my_seat", args=[hall.slug]), {"player": entrant.pk}))

    seats = [
        query["sql"]
        for query in caught
        if 'FROM "league_seat" WHERE "league_seat"."table_id"' in query["sql"]
    ]
    assert f">Table {TABLES}</a>" in found
    (sql,) = seats
    assert re.search(r"IN \(\d+\)", sql)
