"""The pages of organizers for webhooks."""

import socket
import uuid

import pytest
from django.urls import reverse
from django.utils import translation

from league.core.outbox import send_due
from league.extras.webhooks.services import MOST_WEBHOOKS, key_of
from league.models import AuditEntry, Outgoing, Webhook
from tests.factories import signed_in

pytestmark = pytest.mark.django_db


def address(spring, page: str, *arguments: object) -> str:
    return reverse(f"webhooks:{page}", args=[spring.slug, *arguments])


def post(spring, page: str, *arguments: object, key: str = "", **values: object):
    sent = {"key": key or str(uuid.uuid4())} | values
    return signed_in(spring.alice).post(address(spring, page, *arguments), sent, follow=True)


def typed(receiver, **values: object) -> dict[str, object]:
    usual = {"name": "Club", "kind": "events", "address": receiver.address, "language": "ja"}
    return usual | {"on_rounds": "on"} | values


def test_the_key_is_shown_once_and_is_in_no_table(spring, receiver):
    page = post(spring, "index", **typed(receiver))
    hook = Webhook.objects.get()
    assert key_of(hook) in page.content.decode()
    again = signed_in(spring.alice).get(address(spring, "webhook", hook.pk)).content.decode()
    assert key_of(hook) not in again
    entry = AuditEntry.objects.filter(action="webhook.add").get()
    assert entry.after["host"] == "127.0.0.1"
    assert "/hook" not in str(entry.after)
    before = key_of(hook)
    page = post(spring, "rotate", hook.pk)
    hook.refresh_from_db()
    assert key_of(hook) != before
    assert key_of(hook) in page.content.decode()


def test_a_private_address_is_refused_with_its_sentence(spring, receiver):
    page = post(spring, "index", **typed(receiver, address="https://127.0.0.1/"))
    assert page.status_code == 422
    assert "private network" in page.content.decode()
    assert not Webhook.objects.exists()


def test_a_name_is_resolved_when_it_is_called_and_the_page_shows_the_refusal(spring, receiver, monkeypatch):
    asked: list[str] = []

    def getaddrinfo(host, port, *args, flags=0, **options):
        if flags & socket.AI_NUMERICHOST:
            raise socket.gaierror
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    page = post(spring, "index", **typed(receiver, address="https://club.example/hook"))
    assert (page.status_code, asked) == (200, [])
    hook = Webhook.objects.get()
    post(spring, "test", hook.pk)
    with translation.override("ja"):  # the language of the worker
        send_due.call()
    assert asked == ["club.example"]
    assert receiver.calls == []
    hook.refresh_from_db()
    assert hook.failing_since is not None
    for language, sentence in (("en", "private network"), ("zh-hant", "私人網絡")):
        shown = signed_in(spring.alice).get(
            address(spring, "webhook", hook.pk), headers={"accept-language": language}
        )
        assert sentence in shown.content.decode()


def test_an_event_must_be_chosen_and_a_form_sent_twice_saves_once(spring, receiver):
    page = post(spring, "index", **{**typed(receiver), "on_rounds": ""})
    assert "Choose at least one event." in page.content.decode()
    key = str(uuid.uuid4())
    for _time in range(2):
        post(spring, "index", key=key, **typed(receiver))
    assert Webhook.objects.count() == 1


def test_there_is_a_most(spring, receiver):
    for number in range(MOST_WEBHOOKS + 1):
        page = post(spring, "index", **typed(receiver, name=f"Club {number}"))
    assert page.status_code == 422
    assert Webhook.objects.count() == MOST_WEBHOOKS


def test_a_test_arrives_and_its_answer_is_listed(spring, add, receiver, django_capture_on_commit_callbacks):
    hook = add()
    receiver.body = b"<b>thanks</b>\nmore"
    with django_capture_on_commit_callbacks(execute=True):
        post(spring, "test", hook.pk)
    assert [event["type"] for event in receiver.events.values()] == ["test"]
    page = signed_in(spring.alice).get(address(spring, "webhook", hook.pk)).content.decode()
    assert "200 &lt;b&gt;thanks&lt;/b&gt;" in page
    with django_capture_on_commit_callbacks(execute=True):
        post(spring, "again", hook.pk, Outgoing.objects.get().pk)
    assert len({headers["webhook-id"] for _path, headers, _body in receiver.calls}) == 1
    assert len(receiver.calls) == 2


def test_an_answer_that_refused_an_event_is_text(spring, add, receiver):
    hook = add()
    receiver.answers, receiver.body = [500], b"<b>100%</b> %(count)s"
    post(spring, "test", hook.pk)
    send_due.call()
    page = signed_in(spring.alice).get(address(spring, "webhook", hook.pk)).content.decode()
    assert "tried 1 time · 500 &lt;b&gt;100%&lt;/b&gt; %(count)s" in page


def test_nothing_is_sent_to_a_paused_address_and_a_waiting_event_is_not_sent_twice(spring, add, receiver):
    hook = add()
    post(spring, "test", hook.pk)
    page = post(spring, "again", hook.pk, Outgoing.objects.get().pk)
    assert "It needs no second press." in page.content.decode()
    post(spring, "pause", hook.pk)
    page = post(spring, "test", hook.pk)
    assert "Resume it first." in page.content.decode()
    assert Outgoing.objects.count() == 1
    post(spring, "pause", hook.pk, resume="1")
    hook.refresh_from_db()
    assert hook.is_on


def test_a_removed_address_takes_its_deliveries_along(spring, add, receiver):
    hook = add()
    post(spring, "test", hook.pk)
    key = str(uuid.uuid4())
    for _time in range(2):
        page = post(spring, "remove", hook.pk, key=key)
        assert page.status_code == 200
    assert not Webhook.objects.exists()
    assert not Outgoing.objects.exists()
    assert signed_in(spring.alice).get(address(spring, "webhook", hook.pk)).status_code == 404


def test_a_delivery_of_another_address_cannot_be_sent_again(spring, add, receiver):
    one, other = add(), add()
    post(spring, "test", other.pk)
    assert post(spring, "again", one.pk, Outgoing.objects.get().pk).status_code == 404
