"""Set the addresses that hear of published results, and put events for them.

``league.extras.webhooks.followers`` puts events for the actions of the log. A message holds numbers only, and
``league.extras.webhooks.senders`` makes its words when it is sent.
"""

import base64
import hashlib
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.outbox import enqueue_sending, message, put
from league.extras.webhooks.delivery import check_address
from league.models import Competition, Outgoing, Webhook
from league.models.webhooks import Event

MOST_WEBHOOKS = 10
_WANTED = {
    Event.ROUND: "on_rounds",
    Event.FINAL: "on_final",
    Event.PENALTY: "on_penalties",
    Event.REVOKED: "on_penalties",
}


# --- events


def announce(
    done: Change,
    event: Event,
    *targets: int,
    mark: str = "",
    after: timedelta = timedelta(),
    only: Webhook | None = None,
) -> None:
    """Put an event per target for each address that wants it, within a change. Queries: 1, and 1 to write.

    ``targets``: ids of rounds, penalties or the competition. An event of the same target and ``mark`` is put
    once. ``after``: the pause until it leaves. ``only``: for this address, which did not choose it.
    """
    wanted = {"pk": only.pk} if only else {_WANTED[event]: True}
    going = Webhook.objects.filter(competition=done.competition, paused_at=None, turned_off_at=None)
    receivers = going.filter(**wanted)
    put(
        message(
            kind=Outgoing.Kind.WEBHOOK,
            key=f"{_event_id(event, target, mark)}:{webhook.pk}",
            competition_id=webhook.competition_id,
            stream=webhook.stream,
            payload={"webhook": webhook.pk, "event": event, "target": target},
            created_at=done.at,
            due_at=done.at + after,
        )
        for target in targets
        for webhook in receivers
    )


def _event_id(event: Event, target: int, mark: str) -> str:
    digest = hashlib.blake2b(f"{event}:{target}:{mark}".encode(), digest_size=12, key=b"umaoka")
    return f"msg_{digest.hexdigest()}"


# --- addresses


def save_webhook(
    *,
    competition: Competition,
    site: str,
    by: User,
    webhook: Webhook | None = None,
    form: Sent | None = None,
    **values: Any,
) -> Webhook:
    """Add an address, or change one. Raise ``Refused`` for an address of a form that is not called.

    Its name is resolved when it is called, because a name server may take seconds.
    """
    check_address(values["address"])
    is_new = webhook is None
    webhook = webhook or Webhook(
        competition=competition, salt=secrets.token_hex(16), created_at=timezone.now()
    )
    with _change(webhook, by, form, log="webhook.add" if is_new else "webhook.change") as (_done, row):
        if is_new and Webhook.objects.filter(competition=competition).count() >= MOST_WEBHOOKS:
            raise Refused(_("This competition has many addresses. Remove one first."))
        for name, value in {**values, "site": site}.items():
            setattr(row, name, value)
        row.failing_since = row.turned_off_at = None
        row.save()
        return row


def rotate_key(*, webhook: Webhook, by: User, form: Sent | None = None) -> None:
    """Give the address another signing key. The old one ends at once."""
    with _change(webhook, by, form, log="webhook.rotate") as (_done, row):
        row.salt = secrets.token_hex(16)
        row.save(update_fields=["salt"])


def set_paused(*, webhook: Webhook, paused: bool, by: User, form: Sent | None = None) -> None:
    """Pause the address, or call it again. Events of the pause are not sent later."""
    with _change(webhook, by, form, log="webhook.pause" if paused else "webhook.resume") as (done, row):
        row.paused_at = done.at if paused else None
        row.failing_since = row.turned_off_at = None
        row.save(update_fields=["paused_at", "failing_since", "turned_off_at"])


def remove_webhook(*, webhook: Webhook, by: User, form: Sent | None = None) -> None:
    with _change(webhook, by, form, log="webhook.remove") as (_done, row):
        Outgoing.objects.filter(stream=row.stream).delete()
        Webhook.objects.filter(pk=row.pk).delete()


def send_test(*, webhook: Webhook, by: User, form: Sent | None = None) -> None:
    with _change(webhook, by, form) as (done, row):
        _check_on(row)
        announce(done, Event.TEST, row.competition_id, mark=secrets.token_hex(8), only=row)


def send_again(*, webhook: Webhook, delivery: int, by: User, form: Sent | None = None) -> None:
    """Send an event again that was sent or given up, with its id."""
    with _change(webhook, by, form) as (done, row):
        _check_on(row)
        ended = Outgoing.objects.filter(pk=delivery, stream=row.stream)
        ended = ended.exclude(sent_at=None, given_up_at=None)
        if not ended.update(sent_at=None, given_up_at=None, attempts=0, due_at=done.at, problem=""):
            raise Refused(_("This event waits to be sent. It needs no second press."))
        transaction.on_commit(enqueue_sending, robust=True)


@contextmanager
def _change(
    webhook: Webhook, by: User, form: Sent | None, *, log: str = ""
) -> Iterator[tuple[Change, Webhook]]:
    """Open a change of an address and load it again. Log its host alone, as the rest may be its key."""
    with change(webhook.competition, by=by, form=form, even_finished=True, public=False) as done:
        row = reread(Webhook.objects.all(), pk=webhook.pk) if webhook.pk else webhook
        yield done, row
        if log:
            host = urlsplit(row.address).hostname
            done.log(log, f"webhook:{row.pk}", after={"name": row.name, "kind": row.kind, "host": host})
        done.answer = {"webhook": row.pk}


def _check_on(webhook: Webhook) -> None:
    if not webhook.is_on:
        raise Refused(_("This address is paused or turned off. Resume it first."))


def key_of(webhook: Webhook) -> str:
    """Return the signing key in the form of Standard Webhooks. No table and no file holds it."""
    key = salted_hmac("key of a webhook", f"{webhook.pk}:{webhook.salt}", algorithm="sha256").digest()
    return f"whsec_{base64.b64encode(key).decode()}"
