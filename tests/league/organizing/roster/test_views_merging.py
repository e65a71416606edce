"""Two records of one person on their pages: suggested, held against each other, merged once."""

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Entrant
from league.organizing.competitions.services import create_competition
from league.organizing.roster.services.roster import enter_player
from league.people.register.services import PlayerValues
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.shown import html

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    return club(players=4)


@pytest.fixture
def alice(spring) -> Client:
    return signed_in(spring.alice)


def entrant(spring: Club, number: int = 0) -> Entrant:
    return spring.competition.entrants.get(player=spring.players[number])


def twin(spring: Club) -> Player:
    values = PlayerValues(name="陳 大文", romanized="Chan Tai Man")
    made = enter_player(
        competition=spring.competition, values=values, division=spring.division, by=spring.alice
    )
    return made.player


def pair_address(spring: Club, *pks: object) -> str:
    return (
        reverse("roster:merge", args=(spring.slug,))
        + "?"
        + "&".join(f"{name}={pk}" for name, pk in zip("ab", pks, strict=False))
    )


def test_records_that_look_alike_are_suggested_first(spring, alice):
    other = twin(spring)

    page = alice.get(reverse("roster:merge", args=(spring.slug,)))

    assert [(a.pk, b.pk) for a, b, _exact in page.context["pairs"]] == [(spring.players[0].pk, other.pk)]


def test_two_records_are_shown_and_merged_once(spring, alice):
    other = twin(spring)
    spring.add_round()
    address = pair_address(spring, spring.players[0].pk, other.pk)
    page = alice.get(address)
    assert "round 1, table 1" in html(page)
    assert page.context["form"]["romanized"].value() == "Chan Tai Man"
    data = {"key": uuid.uuid4(), "keep": spring.players[0].pk, "name": "陳大文", "romanized": "Chan"}

    for _ in range(2):
        response = alice.post(address, data)
        assert (response.status_code, response.url) == (302, reverse("roster:index", args=(spring.slug,)))

    assert not Player.objects.filter(pk=other.pk).exists()
    assert entrant(spring).player.romanized == "Chan"


def test_a_pair_takes_no_more_queries_in_five_competitions_than_in_two(spring, alice):
    other = twin(spring)
    address = pair_address(spring, spring.players[0].pk, other.pk)

    def queries(*names: str) -> int:
        for name in names:
            made = create_competition(
                league=spring.league, name=name, slug=name, preset_slug="ema-2016", by=spring.alice
            )
            Entrant.objects.create(competition=made, player=other, key="p1")
        with CaptureQueriesContext(connection) as captured:
            assert alice.get(address).status_code == 200
        return len(captured)

    assert queries("autumn") == queries("winter", "summer", "cup")


def test_two_who_met_are_not_merged(spring, alice):
    spring.add_round()
    address = pair_address(spring, spring.players[0].pk, spring.players[1].pk)
    assert "so they are two people and cannot be merged" in html(alice.get(address))

    response = alice.post(address, {"key": uuid.uuid4(), "keep": spring.players[0].pk, "name": "X"})

    assert response.status_code == 422
    assert Player.objects.count() == 4


def test_players_of_another_league_are_not_offered(spring, alice):
    other = club("other").players[0]
    address = pair_address(spring, spring.players[0].pk, other.pk)

    assert "form" not in alice.get(address).context
    alice.post(address, {"key": uuid.uuid4(), "keep": other.pk, "name": "X"})
    assert Player.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize("query", ["", "?a=x&b=\0", "?a=1&b=99999999999999999999999", "?a=-1", "?b=0"])
def test_odd_addresses_of_the_merge_page_break_nothing(spring, alice, query):
    address = reverse("roster:merge", args=(spring.slug,)) + query

    assert alice.get(address).status_code == 200
    assert alice.post(address, {"key": "x"}).status_code in {302, 404}


def test_a_merge_form_that_does_not_fit_keeps_what_was_typed(spring, alice):
    other = twin(spring)
    address = pair_address(spring, spring.players[0].pk, other.pk)

    response = alice.post(address, {"key": uuid.uuid4(), "keep": 999, "name": "Kept", "country": "Atlantis"})

    assert response.status_code == 422
    assert sorted(response.context["form"].errors) == ["country", "keep"]
    assert response.context["form"]["name"].value() == "Kept"
