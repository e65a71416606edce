"""A notice reaches the receiver, which decrypts it. A browser that is gone is forgotten."""

import base64
from datetime import timedelta

import pytest
from django.utils import timezone

from league.core.outbox import NotSent, send_due
from league.extras.notices.push import Ended, are_keys, is_push_service, public_key, send_push
from league.models import Channel, Outgoing, Round
from league.play.rounds.services import open_round
from tests.league.extras.notices.conftest import entrant, phone
from tests.league.extras.notices.receiver import Browser, decoded

pytestmark = pytest.mark.django_db


def test_a_round_that_opens_reaches_the_browser_of_a_seated_player(spring, service, browser):
    round_ = spring.add_round(opened=False, visibility=Round.Visibility.HIDDEN)
    phone(spring, service, browser, 2)

    open_round(round_=round_, visibility=Round.Visibility.SEATING, by=spring.alice)
    assert service.requests == []  # no request of an organizer sends anything
    send_due.call()

    (path, headers, body) = service.requests[0]
    said = browser.read(body)
    assert path == "/push/of-2-spring"
    assert (said["title"], said["address"]) == ("Table 1, South", "/c/spring/seat/")
    for name in ("East: ", "West: ", "North: ", "The round has started.", "League spring"):
        assert name in said["body"]
    assert said["off"].startswith("/notices/off/")
    assert (headers["content-encoding"], headers["urgency"], headers["ttl"]) == ("aes128gcm", "high", "14400")
    assert len(service.requests) == 1


def test_the_token_names_this_server_and_is_signed_with_its_key(spring, service, browser, settings):
    settings.OPERATOR_CONTACT = "Office <office@example.org>"
    send_push(phone(spring, service, browser), {}, topic="t", lasts=timedelta(hours=1), urgent=False)

    claims = service.token()
    assert claims["key"] == public_key()
    assert claims["aud"] == "http://127.0.0.1"
    assert claims["exp"] <= timezone.now().timestamp() + 24 * 3600  # RFC 8292, 2


def test_the_key_follows_from_the_secret(settings):
    settings.PUSH_KEY = "one"
    first = public_key()
    settings.PUSH_KEY = "two"
    assert public_key() != first
    settings.PUSH_KEY = "one"
    assert public_key() == first
    assert len(decoded(first)) == 65


@pytest.mark.parametrize("status", [403, 404, 410])
def test_a_browser_that_is_gone_is_removed_with_its_notices(spring, service, browser, status):
    round_ = spring.add_round(opened=False, visibility=Round.Visibility.HIDDEN)
    phone(spring, service, browser)
    service.answers = [(status, {})]
    open_round(round_=round_, visibility=Round.Visibility.SEATING, by=spring.alice)
    send_due.call()

    assert not Channel.objects.exists()
    assert not Outgoing.objects.exists()


def test_a_busy_push_service_is_asked_again_after_its_pause(spring, service, browser):
    channel = phone(spring, service, browser)
    service.answers = [(429, {"Retry-After": "90"}), (500, {}), (400, {})]
    found = []
    for _each in range(3):
        with pytest.raises(NotSent) as caught:
            send_push(channel, {}, topic="t", lasts=timedelta(hours=1), urgent=False)
        found.append((caught.value.again, caught.value.after))
    assert found == [(True, timedelta(seconds=90)), (True, timedelta()), (False, timedelta())]


def test_a_redirect_is_not_followed(spring, service, browser):
    channel = phone(spring, service, browser)
    service.answers = [(307, {"Location": f"{service.origin}/elsewhere"})]
    with pytest.raises(NotSent):
        send_push(channel, {}, topic="t", lasts=timedelta(hours=1), urgent=False)
    assert [path for path, _headers, _body in service.requests] == ["/push/of-1-spring"]


def test_no_host_but_the_known_ones_is_called(spring, service, browser, settings):
    channel = phone(spring, service, browser)
    settings.PUSH_SERVICES = ["https://fcm.googleapis.com"]
    with pytest.raises(Ended):
        send_push(channel, {}, topic="t", lasts=timedelta(hours=1), urgent=False)
    assert service.requests == []


@pytest.mark.parametrize(
    ("endpoint", "known"),
    [
        ("https://fcm.googleapis.com/fcm/send/abc", True),
        ("https://updates.push.services.mozilla.com/wpush/v2/abc", True),
        ("https://web.push.apple.com/abc", True),
        ("https://wns2-par02p.notify.windows.com/w/?token=abc", True),
        ("http://fcm.googleapis.com/fcm/send/abc", False),
        ("https://fcm.googleapis.com:8443/abc", False),
        ("https://fcm.googleapis.com@evil.example/abc", False),
        ("https://evil.example/push.apple.com", False),
        ("https://evil.example/.push.apple.com", False),
        ("https://evil.example#.push.apple.com", False),
        ("https://127.0.0.1/", False),
        ("https://[::1/", False),
        ("", False),
    ],
)
def test_endpoints_are_those_of_known_push_services(endpoint, known):
    assert is_push_service(endpoint) == known


def test_keys_are_a_point_and_sixteen_bytes():
    good = Browser().keys
    assert are_keys(**good)
    wrong = base64.urlsafe_b64encode(b"\4" + bytes(64)).decode()
    for bad in ({"auth": "abc"}, {"p256dh": "abc"}, {"p256dh": wrong}, {"auth": "é"}, {"auth": "%%%%"}):
        assert not are_keys(**good | bad)


def test_a_killed_sender_sends_again_under_the_same_tag(spring, service, browser):
    """Browser and push service know by tag and topic that it is the same notice."""
    round_ = spring.add_round(opened=False, visibility=Round.Visibility.HIDDEN)
    phone(spring, service, browser)
    open_round(round_=round_, visibility=Round.Visibility.SEATING, by=spring.alice)
    before = Outgoing.objects.get()
    send_due.call()
    Outgoing.objects.filter(pk=before.pk).update(sent_at=None, due_at=before.due_at)  # killed before it noted
    send_due.call()

    (_path, first, one), (_path, second, two) = service.requests
    assert browser.read(one)["tag"] == browser.read(two)["tag"] == before.key
    assert first["topic"] == second["topic"]
    assert entrant(spring).channels.count() == 1
