"""A game that a penalty forfeits, from the organizer's page to what visitors read of its table."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Seat
from league.play.results.services import void_result
from league.play.substitutions.services.substitutions import forfeit_seat
from league.referees.penalties.queries.penalties import seats_to_forfeit
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence
from tests.factories import Club, signed_in
from tests.league.referees.penalties.log.requests import entrant, plain

pytestmark = pytest.mark.django_db

SHEET = (45_000, 33_000, 27_000, 15_000)


def refuse(made: Club, code: str = "T-10", **options):
    where = {"stage": made.stage, "table": made.table(), "player_id": made.players[0].pk}
    return log_offence(**where, infraction=code, condition=0, by=made.bob, **options)[0]


def forfeit(made: Club) -> None:
    seat = Seat.objects.get(table=made.table(), player=made.players[0])
    forfeit_seat(seat=seat, score=0, others=None, reason="left the hall", by=made.alice)


def test_the_organizer_s_page_asks_for_the_forfeit_until_the_table_has_a_sheet(spring):
    alice = signed_in(spring.alice)
    manage = reverse("competitions:manage", args=[spring.slug])
    asked = "陳大文 forfeits the game at table 1: T-10 Not following the referee’s arrangement."
    refuse(spring, "T-9")
    assert asked not in plain(alice.get(manage))

    refuse(spring)

    page = alice.get(manage)
    assert asked in plain(page)
    assert reverse("substitutions:no_show", args=[spring.slug, spring.table().pk]) in page.content.decode()
    forfeit(spring)
    assert asked not in plain(alice.get(manage))


def test_a_penalty_that_no_longer_counts_asks_for_nothing(spring):
    penalty = refuse(spring)
    assert [line.penalty for line in seats_to_forfeit(spring.competition)] == [penalty]

    revoke_penalty(penalty=penalty, reason="came back", by=spring.bob)

    assert seats_to_forfeit(spring.competition) == []


def test_a_table_that_was_played_is_not_asked_about(spring):
    refuse(spring)
    spring.record(SHEET)

    assert seats_to_forfeit(spring.competition) == []


def test_visitors_read_that_a_table_was_forfeited_and_no_points(spring):
    forfeit(spring)

    pages = {
        "table": reverse("results:table", args=[spring.slug, spring.table().pk]),
        "round": reverse("rounds:round", args=[spring.slug, spring.rounds[0].pk]),
        "player": reverse("standings:player", args=[spring.slug, entrant(spring)]),
    }
    for client in (Client(), signed_in(spring.alice)):
        said = {name: plain(client.get(address)) for name, address in pages.items()}
        assert all("forfeited" in words for words in said.values())
        assert "This table was forfeited and not played: left the hall" in said["table"]
        assert [name for name, words in said.items() if "30,000" in words] == []
        assert "Oka" not in said["table"]


def test_a_result_that_was_voided_keeps_its_points(spring):
    spring.record(SHEET)
    void_result(
        table=spring.table(), based_on=spring.table().sheets.get().pk, reason="wrong table", by=spring.alice
    )

    page = plain(signed_in(spring.alice).get(reverse("results:table", args=[spring.slug, spring.table().pk])))

    assert "This result is void and does not count: wrong table" in page
    assert "45,000" in page
    assert "forfeited" not in page
