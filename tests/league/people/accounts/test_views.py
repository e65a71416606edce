"""One's own account: e-mail, new password by mail, sessions, and the first account of a server."""

import re
import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.outbox import send_due
from league.models import BrowserSession, Competition, Outgoing, SecurityEvent
from league.people.accounts.queries import first_code
from league.people.accounts.services import announce_first_account
from tests.factories import club
from tests.shown import html

pytestmark = pytest.mark.django_db
PASSWORD = "riichi-tsumo-ippatsu"
NEW = "chiitoitsu-dora-dora"


@pytest.fixture
def alice() -> User:
    return User.objects.create_user("alice", "alice@example.org", PASSWORD)


def sign_in(name: str = "alice", password: str = PASSWORD, **extra: object) -> Client:
    client = Client(**extra)
    client.post("/accounts/login/", {"username": name, "password": password})
    return client


def send(client: Client, name: str, *arguments: object, **typed: object):
    return client.post(reverse(name, args=arguments), {"key": uuid.uuid4()} | typed, follow=True)


# --- e-mail


def test_an_e_mail_address_is_changed_with_the_password_and_the_former_one_is_informed(alice):
    client = sign_in()
    wrong = send(client, "accounts:email", email="new@example.org", password="wrong")
    assert "Wrong password" in html(wrong)
    assert mail.outbox == []

    send(client, "accounts:email", email="new@example.org", password=PASSWORD)

    alice.refresh_from_db()
    assert alice.email == "new@example.org"
    send_due.call()
    assert [letter.to for letter in mail.outbox] == [["alice@example.org"]]
    assert "alice" in mail.outbox[0].body


def test_a_stolen_session_cannot_guess_the_password_without_end(alice):
    client = sign_in()
    answers = [
        send(client, "accounts:email", email="x@example.org", password=f"{n}").status_code for n in range(11)
    ]
    assert answers == [422] * 9 + [429] * 2


# --- a new password


def ask(email: str):
    answer = Client().post("/accounts/reset/", {"email": email}, follow=True)
    send_due.call()
    return answer


def test_a_new_password_is_set_by_a_link_from_the_mail_and_ends_the_pause(alice):
    old = sign_in()
    for _ in range(10):
        sign_in(password="wrong")
    ask("ALICE@example.org")
    (letter,) = mail.outbox
    (address,) = re.findall(r"http://testserver(/\S+)", letter.body)
    client = Client()
    form = client.get(address, follow=True).redirect_chain[-1][0]

    client.post(form, {"new_password1": NEW, "new_password2": NEW})

    assert sign_in(password=NEW).get("/accounts/").status_code == 200
    assert old.get("/accounts/").status_code == 302
    assert "expired" in html(Client().get(address, follow=True))


def test_the_answer_is_the_same_whether_an_address_is_known_or_not(alice):
    known, unknown = ask("alice@example.org"), ask("nobody@example.org")

    assert known.content == unknown.content
    assert len(mail.outbox) == 1
    kept = SecurityEvent.objects.filter(kind="reset").order_by("pk").values_list("name", flat=True)
    assert list(kept) == ["alice@example.org", "nobody@example.org"]


def test_two_accounts_of_one_address_get_a_mail_each(alice):
    User.objects.create_user("bob", "alice@example.org", PASSWORD)
    ask("alice@example.org")
    assert [name for name in ("alice", "bob") for each in mail.outbox if f"account {name}." in each.body] == [
        "alice",
        "bob",
    ]
    assert len({each.extra_headers["Message-ID"] for each in mail.outbox}) == 2
    assert not Outgoing.objects.exclude(address="").exists()


def test_a_link_is_not_sent_when_it_is_no_longer_waited_for(alice):
    Client().post("/accounts/reset/", {"email": "alice@example.org"})
    Outgoing.objects.update(created_at=timezone.now() - timedelta(hours=2))
    send_due.call()
    assert mail.outbox == []
    assert Outgoing.objects.get().problem == "Too late."


def test_requests_cannot_fill_a_mailbox(alice):
    for _ in range(5):
        ask("alice@example.org")
    assert len(mail.outbox) == 3


# --- sessions


def test_sessions_are_listed_and_ended_one_by_one_or_all_at_once(alice):
    phone = "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36"
    here, there, tablet = sign_in(), sign_in(headers={"User-Agent": phone}), sign_in()
    page = here.get("/accounts/")
    assert "Chrome, Android" in html(page)
    assert html(page).count("this browser") == 1
    assert there.session.session_key not in page.content.decode()
    number = next(s.number for s in page.context["sessions"] if s.browser == "Chrome, Android")

    send(here, "accounts:session_end", number)
    assert [c.get("/accounts/").status_code for c in (here, there, tablet)] == [200, 302, 200]

    send(here, "accounts:sessions_end")
    assert [c.get("/accounts/").status_code for c in (here, there, tablet)] == [200, 302, 302]


def test_no_one_ends_a_session_of_another_person(alice):
    User.objects.create_user("mallory", password=PASSWORD)
    here, mallory = sign_in(), sign_in("mallory")
    number = here.get("/accounts/").context["sessions"][0].number

    send(mallory, "accounts:session_end", number)
    send(mallory, "accounts:sessions_end")

    assert here.get("/accounts/").status_code == 200


def test_times_of_sessions_are_on_the_clock_of_the_newest_competition(alice):
    BrowserSession.objects.all().delete()
    client = sign_in()
    since = datetime(2026, 3, 1, 20, 30, tzinfo=UTC)
    BrowserSession.objects.update(since=since)
    assert "since 1 Mar 2026, 20:30 (UTC)" in html(client.get("/accounts/"))

    here = club("spring")
    Competition.objects.filter(pk=here.competition.pk).update(timezone="Asia/Hong_Kong")
    here.competition.league.owners.add(alice)

    assert "since 2 Mar 2026, 04:30 (Asia/Hong_Kong)" in html(client.get("/accounts/"))


def test_the_sessions_of_an_account_that_is_removed_end(alice):
    client = sign_in()
    alice.delete()
    assert BrowserSession.objects.count() == 0
    assert client.get("/accounts/").status_code == 302


# --- the first account


def test_the_rules_of_a_password_are_one_sentence(client):
    rules = "At least 10 characters, not only digits, not a common password, not like your name."
    page = client.get("/first/")
    assert html(page).count(rules) == 1
    refused = client.post("/first/", {"username": "root", "password1": "123456", "password2": "123456"})
    assert len(refused.context["form"].errors["password2"]) == 3  # short, common, digits


def test_the_first_account_is_made_in_the_browser_with_the_code_from_the_log(client, caplog):
    announce_first_account()
    assert first_code() in caplog.text
    assert "/first/" in client.get("/accounts/login/").content.decode()
    typed = {"username": "root", "email": "", "password1": NEW, "password2": NEW}
    assert client.post("/first/", typed | {"code": "0" * 20}).status_code == 422
    assert User.objects.count() == 0

    sign_in_page = client.get("/new/", follow=True)
    assert "/first/?next=/new/" in html(sign_in_page)
    made = client.post("/first/?next=/new/", typed | {"code": f" {first_code()} "})

    assert made.url == "/new/"  # where it began
    assert User.objects.get().is_superuser
    assert client.get("/security/").status_code == 200


def test_where_an_account_exists_no_other_is_made_by_the_code(client, alice, caplog):
    announce_first_account()
    assert caplog.text == ""
    assert client.get("/first/").status_code == 404
    assert client.post("/first/", {"code": first_code()}).status_code == 404
    assert "/first/" not in client.get("/accounts/login/").content.decode()
