"""Players turn their notices on and off, and links in mails work without signing in."""

import json
import re
import uuid
from urllib.parse import urlsplit

import pytest
from django.conf import settings as site_settings
from django.core import mail
from django.test import Client

from league.core.outbox import send_due
from league.extras.notices.services import MOST_CHANNELS, confirm_token, off_token
from league.models import Channel, Competition, Outgoing
from league.organizing.personal_data.exports import account_facts
from league.organizing.personal_data.services import close_account, erase_player
from tests.factories import signed_in
from tests.league.extras.notices.conftest import entrant, linked, mailbox, phone
from tests.league.extras.notices.receiver import Browser
from tests.shown import html

pytestmark = pytest.mark.django_db
SEAT = "/c/spring/seat/"
OWN = f"{SEAT}notices/"


def claiming(here, number: int = 1, client: Client | None = None) -> Client:
    made = client or Client()
    made.post(SEAT, {"player": entrant(here, number).pk})
    return made


def subscribed(client: Client, service, browser: Browser, name: str = "one", **values: str):
    fields = {"endpoint": service.endpoint(name), **browser.keys, "key": str(uuid.uuid4())} | values
    return client.post(f"{OWN}push/", fields)


def press(client: Client, address: str):
    return client.post(address, {"key": str(uuid.uuid4())})


# --- in a browser


def test_a_phone_that_knows_its_player_turns_notices_on_and_off(spring, service, browser):
    client = claiming(spring)
    assert "Turn on in this browser" in html(client.get(OWN))

    assert subscribed(client, service, browser).url == OWN

    made = Channel.objects.get()
    assert (made.entrant, made.user, made.language, made.site) == (
        entrant(spring), None, "en", "http://testserver",
    )  # fmt: skip
    page = html(client.get(OWN))
    assert "Notices are on in this browser." in page
    assert f"{OWN}{made.pk}/off/" in page

    assert press(client, f"{OWN}{made.pk}/off/").url == OWN
    assert not Channel.objects.exists()
    assert f"{OWN}{made.pk}/off/" not in html(client.get(OWN))
    assert press(client, f"{OWN}{made.pk}/off/").url == OWN  # pressed twice


def test_off_stops_a_notice_that_waits(spring, service, browser):
    client = claiming(spring)
    subscribed(client, service, browser)
    spring.add_round()
    assert Outgoing.objects.exists()
    press(client, f"{OWN}{Channel.objects.get().pk}/off/")
    send_due.call()
    assert service.requests == []


def test_a_test_reaches_the_browser_in_its_language(spring, service, browser):
    client = claiming(spring)
    client.cookies[site_settings.LANGUAGE_COOKIE_NAME] = "ja"
    subscribed(client, service, browser)
    assert press(client, f"{OWN}{Channel.objects.get().pk}/test/").url == OWN
    send_due.call()
    assert browser.read(service.requests[0][2])["lang"] == "ja"


def test_a_visitor_without_a_player_is_led_to_the_page_that_asks(spring, service, browser):
    client = Client()
    assert client.get(OWN).url == SEAT
    subscribed(client, service, browser)
    press(client, f"{OWN}mail/")
    assert not Channel.objects.exists()
    assert "This is me" in html(client.get(SEAT))


def test_a_stranger_neither_sees_nor_turns_off_the_browsers_of_a_player(spring, service, browser):
    subscribed(claiming(spring), service, browser)
    made = Channel.objects.get()
    stranger = claiming(spring)

    assert f"/{made.pk}/off/" not in html(stranger.get(OWN))
    press(stranger, f"{OWN}{made.pk}/off/")
    press(stranger, f"{OWN}{made.pk}/test/")
    assert Channel.objects.exists()
    assert not Outgoing.objects.exists()

    stranger.cookies["device"] = str(made.pk)  # without the signature
    press(stranger, f"{OWN}{made.pk}/off/")
    assert Channel.objects.exists()


def test_forget_me_removes_the_device(spring, service, browser):
    client = claiming(spring)
    subscribed(client, service, browser)
    client.post(SEAT, {})
    assert not Channel.objects.exists()
    assert client.cookies["device"].value == ""


def test_a_phone_that_says_who_else_it_is_leaves_the_first_player(spring, service, browser):
    client = claiming(spring, 1)
    subscribed(client, service, browser)
    claiming(spring, 1, client)
    assert Channel.objects.exists()
    claiming(spring, 2, client)
    assert not Channel.objects.exists()


def test_a_browser_has_one_player_a_competition(spring, service, browser):
    subscribed(claiming(spring, 1), service, browser)
    subscribed(claiming(spring, 2), service, browser)
    assert Channel.objects.get().entrant == entrant(spring, 2)
    subscribed(claiming(spring, 2), service, browser)
    assert Channel.objects.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"endpoint": "https://evil.example/push"},
        {"endpoint": "http://127.0.0.1:1/push"},
        {"p256dh": "abc"},
        {"auth": ""},
        {"endpoint": "\0"},
    ],
)
def test_a_subscription_of_no_known_push_service_is_refused(spring, service, browser, wrong):
    client = claiming(spring)
    assert subscribed(client, service, browser, **wrong).url == OWN
    assert not Channel.objects.exists()
    assert 'role="alert"' in html(client.get(OWN))


@pytest.mark.slow
def test_the_browsers_of_a_player_are_limited(spring, service, browser):
    client = claiming(spring)
    for number in range(MOST_CHANNELS + 1):
        subscribed(client, service, browser, str(number))
    assert Channel.objects.count() == MOST_CHANNELS


@pytest.mark.slow
def test_phones_of_strangers_do_not_keep_the_player_from_notices(spring, service, browser):
    stranger = claiming(spring)
    for number in range(MOST_CHANNELS):
        subscribed(stranger, service, browser, str(number))
    person = linked(spring)
    subscribed(signed_in(person), service, browser, "own")
    assert Channel.objects.filter(user=person).count() == 1


def test_of_a_private_competition_an_unlinked_account_gets_nothing(spring, service, browser):
    Competition.objects.update(visibility=Competition.Visibility.PRIVATE)
    client = claiming(spring, 1, signed_in(spring.charlie))
    assert "only linked accounts get notices" in html(client.get(OWN))
    subscribed(client, service, browser)
    assert not Channel.objects.exists()
    assert Client().get(OWN).status_code == 404


def test_the_browsers_of_an_account_are_on_its_page_on_any_device(spring, service, browser):
    person = linked(spring)
    subscribed(signed_in(person), service, browser)
    made = Channel.objects.get()
    assert made.user == person
    other = signed_in(person)
    assert "Your other browsers" in html(other.get(OWN))
    press(other, f"{OWN}{made.pk}/off/")
    assert not Channel.objects.exists()


# --- by mail


def test_an_address_is_confirmed_by_the_link_in_the_first_mail(spring):
    person = linked(spring)
    client = signed_in(person)
    press(client, f"{OWN}mail/")
    assert "Waiting for your confirmation" in html(client.get(OWN))
    spring.add_round()  # says nothing yet
    send_due.call()
    (sent,) = mail.outbox
    (link,) = re.findall(r"https?://\S+", sent.body)

    reader = Client()
    assert "Confirm this address" in html(reader.get(urlsplit(link).path))
    assert Channel.objects.get().confirmed_at is None  # a program that follows links confirms nothing
    assert "Notices by mail are on." in html(reader.post(urlsplit(link).path))
    assert Channel.objects.get().confirmed_at is not None

    press(client, f"{OWN}{Channel.objects.get().pk}/off/")
    press(client, f"{OWN}mail/")
    send_due.call()
    assert len(mail.outbox) == 1  # at most one such mail a day


def test_a_notice_by_mail_has_a_link_that_turns_it_off_with_one_post(spring):
    mailbox(spring)
    spring.add_round()
    send_due.call()
    (sent,) = mail.outbox
    headers = sent.extra_headers
    assert sent.subject == "Table 1, East · League spring"
    assert sent.to == ["player1@example.org"]
    assert "https://umaoka.example/c/spring/seat/" in sent.body
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = urlsplit(headers["List-Unsubscribe"].strip("<>"))
    assert f"{address.scheme}://{address.netloc}" == "https://umaoka.example"

    program = Client(enforce_csrf_checks=True)
    assert "Turn off" in html(program.get(address.path))
    assert Channel.objects.exists()
    assert program.post(address.path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not Channel.objects.exists()
    assert "Notices are off." in html(program.get(address.path))


def test_a_second_copy_of_a_mail_has_the_same_number(spring):
    mailbox(spring)
    spring.add_round()
    before = Outgoing.objects.get()
    send_due.call()
    Outgoing.objects.update(sent_at=None, due_at=before.due_at)
    send_due.call()
    first, second = (each.extra_headers["Message-ID"] for each in mail.outbox)
    assert first == second


def test_mail_is_for_linked_accounts_with_an_address_on_a_server_that_sends_mail(spring, settings):
    person = linked(spring)
    assert "By mail" not in html(claiming(spring).get(OWN))
    press(claiming(spring), f"{OWN}mail/")
    assert not Channel.objects.exists()
    person.email = ""
    person.save()
    assert "Add an email address" in html(signed_in(person).get(OWN))
    press(signed_in(person), f"{OWN}mail/")
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert "By mail" not in html(signed_in(person).get(OWN))
    person.email = "player1@example.org"
    person.save()
    press(signed_in(person), f"{OWN}mail/")
    assert not Channel.objects.exists()


@pytest.mark.parametrize("page", ["off", "confirm"])
def test_a_link_that_was_changed_is_not_found(spring, page):
    channel = mailbox(spring)
    token = {"off": off_token, "confirm": confirm_token}[page](channel)
    other = {"off": confirm_token, "confirm": off_token}[page](channel)
    assert Client().get(f"/notices/{page}/{token}/").status_code == 200
    for wrong in (token[:-1], token.replace(":", "", 1), "x", other):
        assert Client().post(f"/notices/{page}/{wrong}/").status_code == 404
    assert Channel.objects.exists()


# --- personal data


def test_channels_are_in_the_download_and_gone_with_account_and_player(spring, service, browser):
    channel = mailbox(spring, 1)
    phone(spring, service, browser, 2)
    assert account_facts(channel.user)["notices"][0]["address"] == "player1@example.org"

    erase_player(league=spring.league, player=spring.players[1], by=spring.alice)
    assert Channel.objects.get() == channel
    close_account(user=channel.user)
    assert not Channel.objects.exists()


# --- an app


@pytest.mark.parametrize(("language", "word"), [("en", "Riichi"), ("zh-hant", "立直"), ("ja", "リーチ")])
def test_the_manifest_describes_the_site_in_the_language_of_the_page(client, language, word):
    answer = client.get(f"/manifest/{language}.webmanifest")
    made = json.loads(answer.content)
    assert answer["Content-Type"] == "application/manifest+json"
    assert made["lang"] == language
    assert word in made["description"]
    assert {icon["sizes"] for icon in made["icons"]} == {"192x192", "512x512"}
    client.cookies[site_settings.LANGUAGE_COOKIE_NAME] = language
    assert f"/manifest/{language}.webmanifest" in html(client.get("/"))


def test_there_is_no_manifest_in_another_language(client):
    assert client.get("/manifest/xx.webmanifest").status_code == 404
