"""Calendars to subscribe to, and the secret address of a role."""

import icalendar
import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from league.models import Role
from league.play.calendar.services.table_times import set_time
from league.play.rounds.services import set_visibility
from tests.factories import Club, club, signed_in, user
from tests.league.play.calendar.evenings import address, evening, evenings, post, text
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return evenings()


def summaries(content: bytes) -> list[str]:
    return [str(event["summary"]) for event in icalendar.Calendar.from_ical(content).walk("VEVENT")]


def test_feeds_are_public_calendars_and_kept(here, client):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    entrant = here.competition.entrants.get(player=here.players[4])
    found = {
        address("calendar:competition_feed", here): 2,
        address("calendar:division_feed", here, here.division.slug): 2,
        address("calendar:player_feed", here, entrant.pk): 1,
    }
    for where, count in found.items():
        response = client.get(where)
        assert response["Content-Type"] == "text/calendar; charset=utf-8"
        assert len(summaries(response.content)) == count
        assert client.get(where, headers={"If-None-Match": response["ETag"]}).status_code == 304
    assert client.get(address("calendar:division_feed", here, "nowhere")).status_code == 404
    assert client.post(address("calendar:competition_feed", here)).status_code == 405


def test_a_feed_speaks_the_language_of_its_address(here, client):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    feed = address("calendar:competition_feed", here)
    said = [client.get(feed + query).content.decode() for query in ("", "?lang=ja", "?lang=xx")]
    assert ["East: 陳大文" in each for each in said] == [True, False, True]
    assert "東" in said[1]


def test_a_role_makes_and_renews_its_own_address_which_needs_no_session(here, client):
    bob = signed_in(here.bob)
    role = Role.objects.get(user=here.bob)
    post(bob, address("calendar:feed_renew", here), role_id=role.pk)
    role.refresh_from_db()
    first = reverse("calendar:own_feed", args=[role.feed_key])
    assert f"{first}?lang=en" in text(bob.get(address("calendar:feeds", here)))
    assert first not in text(client.get(address("calendar:feeds", here)))
    assert client.get(first).status_code == 200
    post(bob, address("calendar:feed_renew", here), role_id=role.pk)
    assert client.get(first).status_code == 404
    role.refresh_from_db()
    second = reverse("calendar:own_feed", args=[role.feed_key])
    assert client.get(second).status_code == 200
    role.delete()
    assert client.get(second).status_code == 404


def test_the_address_of_a_blocked_account_is_gone(here, client):
    role = Role.objects.get(user=here.bob)
    post(signed_in(here.bob), address("calendar:feed_renew", here), role_id=role.pk)
    role.refresh_from_db()
    feed = reverse("calendar:own_feed", args=[role.feed_key])
    answers = [client.get(feed).status_code]
    User.objects.filter(pk=here.bob.pk).update(is_active=False)
    answers.append(client.get(feed).status_code)
    assert answers == [200, 404]


def test_the_address_of_another_role_is_refused(here):
    role = Role.objects.get(user=here.bob)
    post(signed_in(here.charlie), address("calendar:feed_renew", here), role_id=role.pk)
    assert (
        post(signed_in(user("mallory")), address("calendar:feed_renew", here), role_id=role.pk).status_code
        == 403
    )
    role.refresh_from_db()
    assert role.feed_key is None


def test_an_owner_of_the_league_without_a_role_makes_an_address_too(here, client):
    alice, page = signed_in(here.alice), address("calendar:feeds", here)
    set_visibility(round_=here.rounds[0], visibility="hidden", by=here.alice)
    assert "You organize as an owner of the league." in text(alice.get(page))
    assert "You organize as an owner of the league." not in text(signed_in(here.bob).get(page))
    post(alice, address("calendar:feed_renew", here), role_id="")
    role = Role.objects.get(competition=here.competition, user=here.alice)
    feed = reverse("calendar:own_feed", args=[role.feed_key])
    shown = text(alice.get(page))
    assert f"{feed}?lang=en" in shown
    assert "You organize as an owner of the league." not in shown
    assert len(summaries(client.get(feed).content)) == 1  # what is hidden, too


def test_only_an_owner_makes_an_address_without_a_role(here):
    bob = signed_in(here.bob)
    post(bob, address("calendar:feed_renew", here), role_id="")
    assert "This form was incomplete" in text(bob.get(address("calendar:feeds", here)))
    assert list(Role.objects.filter(user=here.bob).values_list("kind", "feed_key")) == [("referee", None)]


def test_a_secret_address_shows_staff_what_is_hidden_and_a_player_their_own_public_days(here, client):
    set_time(table=here.table(), meets_at=evening(3), by=here.alice)
    set_time(table=here.table(number=2), meets_at=evening(4), by=here.alice)
    feeds = {}
    for person in (here.bob, here.dora):
        role = Role.objects.get(user=person)
        post(signed_in(person), address("calendar:feed_renew", here), role_id=role.pk)
        role.refresh_from_db()
        feeds[person] = reverse("calendar:own_feed", args=[role.feed_key])
    assert [len(summaries(client.get(feeds[p]).content)) for p in (here.bob, here.dora)] == [3, 1]
    set_visibility(round_=here.rounds[0], visibility="hidden", by=here.alice)
    assert [len(summaries(client.get(feeds[p]).content)) for p in (here.bob, here.dora)] == [3, 0]


def test_a_private_competition_has_no_feed_but_the_secret_one(client):
    secret = club("secret", visibility="private")
    role = Role.objects.get(competition=secret.competition, user=secret.dora)
    post(signed_in(secret.dora), address("calendar:feed_renew", secret), role_id=role.pk)
    role.refresh_from_db()
    assert client.get(address("calendar:competition_feed", secret)).status_code == 404
    assert client.get(reverse("calendar:own_feed", args=[role.feed_key])).status_code == 200
