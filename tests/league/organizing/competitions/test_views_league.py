"""A league's own page and its settings."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import League
from tests.factories import Club, club, signed_in
from tests.league.organizing.competitions.test_views_new import new_form
from tests.module_fixtures import module_fixture
from tests.shown import errors

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def test_an_owner_sees_the_competitions_of_the_league_and_renames_it(here, alice):
    page = alice.get(reverse("competitions:league", args=[here.league.slug]))
    listed = page.context["competitions"].data
    assert [(row.name, row.players, row.rounds) for row in listed] == [("League spring", 8, 0)]
    answer = alice.post(
        reverse("competitions:league_edit", args=[here.league.slug]),
        {"name": "香港麻雀", "slug": "hk"},
        follow=True,
    )
    assert answer.redirect_chain == [(reverse("competitions:league", args=["hk"]), 302)]
    assert League.objects.get(pk=here.league.pk).name == "香港麻雀"


@pytest.mark.parametrize(
    ("name", "slug", "field"),
    [
        ("", "hk", "name"),
        ("HK", "", "slug"),
        ("HK", "two words", "slug"),
        ("HK", "autumn", "slug"),
        ("\x00", "hk", "name"),
    ],
)
def test_a_league_cannot_take_what_is_wrong_or_anothers(here, alice, name, slug, field):
    club("autumn", players=0)
    answer = alice.post(
        reverse("competitions:league_edit", args=[here.league.slug]), {"name": name, "slug": slug}
    )
    assert (answer.status_code, list(errors(answer))) == (422, [field])
    assert League.objects.get(pk=here.league.pk).slug == "spring"


def test_as_many_queries_for_one_competition_as_for_three(here, alice, django_assert_max_num_queries):
    address = reverse("competitions:league", args=[here.league.slug])
    alice.get(address)
    with django_assert_max_num_queries(6) as counted:
        assert len(alice.get(address).context["competitions"].rows) == 1
        one = len(counted)
    for number in range(2):
        alice.post(reverse("competitions:new"), new_form(alice, name=f"Season {number}"))
    with django_assert_max_num_queries(one):
        assert len(alice.get(address).context["competitions"].rows) == 3
