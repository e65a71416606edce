"""A finished competition offers no form and no link that it would refuse."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Competition
from league.play.rounds.services import close_round
from tests.factories import Club, club, signed_in

pytestmark = pytest.mark.django_db

# page → what it offers before the finish
OFFERED = {
    "competitions:manage": "rounds:visibility",
    "results:table": "penalties:new",
    "penalties:index": "penalties:new",
    "penalties:desk": "penalties:new",
    "roster:edit": "roster:withdraw",
    "substitutions:absence": "substitutions:entrant_substitute",
    "calls:codes": "calls:codes_renew",
    "rule_sets:division_rules": "competitions:division_penalty_rules",
}


@pytest.fixture
def here() -> Club:
    made = club()
    made.add_round()
    for number in (1, 2):
        made.record((45_000, 35_000, 25_000, 15_000), number=number)
    close_round(round_=made.rounds[0], by=made.alice)
    return made


@pytest.fixture
def alice(here: Club) -> Client:
    return signed_in(here.alice)


def address(here: Club, name: str) -> str:
    entrant = here.competition.entrants.first()
    parts = {
        "results:table": [here.table().pk],
        "roster:edit": [entrant.pk],
        "roster:withdraw": [entrant.pk],
        "substitutions:absence": [entrant.pk],
        "substitutions:entrant_substitute": [entrant.pk],
        "rounds:visibility": [here.rounds[0].pk],
        "rule_sets:division_rules": [here.division.slug],
        "competitions:division_penalty_rules": [here.division.slug],
    }
    return reverse(name, args=[here.slug, *parts.get(name, [])])


@pytest.mark.parametrize(("page", "offer"), OFFERED.items())
def test_what_is_refused_after_the_finish_is_not_offered(here, alice, page, offer):
    before = alice.get(address(here, page)).content.decode()
    Competition.objects.filter(pk=here.competition.pk).update(finished_at=timezone.now())

    after = alice.get(address(here, page))

    assert f'="{address(here, offer)}' in before
    assert after.status_code == 200
    assert f'="{address(here, offer)}' not in after.content.decode()


def test_the_page_of_a_new_dispute_says_that_the_competition_is_finished(here, alice):
    Competition.objects.filter(pk=here.competition.pk).update(finished_at=timezone.now())

    page = alice.get(reverse("disputes:new", args=[here.slug, here.table().pk])).content.decode()

    assert "This competition is finished. An organizer can reopen it" in page
    assert 'name="subject"' not in page
