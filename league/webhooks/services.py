"""Set the addresses that hear of published results, and put events for them.

Services of other rooms call ``announce`` and its kind in their change. A message holds numbers only, and
``league.webhooks.senders`` makes its words when it is sent.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from league.core.changes import Change, Form, change, reread
from league.core.counted import shown_penalties
from league.core.errors import Refused
from league.core.outbox import enqueue_sending, message, put
from league.models import Competition, Outgoing, Penalty, Round, Sheet, Webhook
from league.models.webhooks import Event
from league.webhooks.delivery import host_of, refusal_of

MOST_WEBHOOKS = 10
_WANTED = {
    Event.ROUND: "on_rounds",
    Event.FINAL: "on_final",
    Event.PENALTY: "on_penalties",
    Event.REVOKED: "on_penalties",
}
UNDOABLE = timedelta(seconds=15)  # a referee takes back a penalty before that at one press


# --- events


def announce(
    done: Change, event: Event, target: int, *, mark: str = "", after: timedelta = timedelta()
) -> None:
    """Put an event for each address that wants it, within a change. Queries: 1, and 1 to write.

    ``target``: the id of the round, penalty or competition. An event of the same target and ``mark`` is put
    once. ``after``: the pause until it leaves.
    """
    wanted = {_WANTED[event]: True, "paused_at": None, "turned_off_at": None}
    found = Webhook.objects.filter(competition=done.competition, **wanted)
    put(
        _message(each, event, target, mark=mark, created_at=done.at, due_at=done.at + after) for each in found
    )


def announce_round(done: Change, round_: Round, *, before: str, is_complete: bool = False) -> None:
    """Announce a round with visible results once it is closed or complete, and its newly visible penalties.

    ``before``: the former visibility. ``is_complete``: no result is missing, otherwise a query finds out.
    """
    if round_.visibility != Round.Visibility.RESULTS:
        return
    if is_complete or round_.status == Round.Status.CLOSED or _has_all_results(done.competition, round_):
        announce(done, Event.ROUND, round_.pk)
    if before != Round.Visibility.RESULTS:
        for penalty in shown_penalties(Penalty.objects.filter(round=round_, revoked_at=None), public=True):
            announce(done, Event.PENALTY, penalty.pk)


def _has_all_results(competition: Competition, round_: Round) -> bool:
    counted = Sheet.objects.filter(
        table=OuterRef("pk"), is_current=True, status__in=competition.counted_statuses
    )
    return set(round_.tables.annotate(is_in=Exists(counted)).values_list("is_in", flat=True)) == {True}


def announce_penalty(done: Change, penalty: Penalty) -> None:
    """Announce a penalty that is in force or was revoked, if visitors may read it."""
    if not shown_penalties(Penalty.objects.filter(pk=penalty.pk), public=True).exists():
        return
    if penalty.revoked_at is None:
        announce(done, Event.PENALTY, penalty.pk, after=UNDOABLE)
    elif done.at - penalty.created_at > UNDOABLE:
        announce(done, Event.REVOKED, penalty.pk)


def _message(webhook: Webhook, event: Event, target: int, *, mark: str = "", **values: Any) -> Outgoing:
    digest = hashlib.blake2b(f"{event}:{target}:{mark}".encode(), digest_size=12, key=b"umaoka").hexdigest()
    return message(
        kind=Outgoing.Kind.WEBHOOK,
        key=f"msg_{digest}:{webhook.pk}",
        competition_id=webhook.competition_id,
        stream=webhook.stream,
        payload={"webhook": webhook.pk, "event": event, "target": target},
        **values,
    )


# --- addresses


def save_webhook(
    *,
    competition: Competition,
    values: Mapping[str, object],
    site: str,
    by: User,
    webhook: Webhook | None = None,
    form: Form | None = None,
) -> Webhook:
    """Add an address, or change one. Raise ``Refused`` for an address that may not be called."""
    if refusal := refusal_of(str(values["address"])):
        raise Refused(refusal, field="address")
    with _change(competition, by, form) as done:
        if webhook is None:
            if Webhook.objects.filter(competition=competition).count() >= MOST_WEBHOOKS:
                raise Refused(_("This competition has many addresses. Remove one first."))
            webhook = Webhook(competition=competition, salt=secrets.token_hex(16), created_at=done.at)
            action = "webhook.add"
        else:
            webhook, action = reread(Webhook.objects.all(), pk=webhook.pk), "webhook.change"
        for name, value in {**values, "site": site}.items():
            setattr(webhook, name, value)
        webhook.failing_since = webhook.turned_off_at = None
        webhook.save()
        _log(done, action, webhook)
        return webhook


def rotate_key(*, webhook: Webhook, by: User, form: Form | None = None) -> Webhook:
    """Give the address another signing key. The old one ends at once."""
    with _change(webhook.competition, by, form) as done:
        webhook = reread(Webhook.objects.all(), pk=webhook.pk)
        webhook.salt = secrets.token_hex(16)
        webhook.save(update_fields=["salt"])
        _log(done, "webhook.rotate", webhook)
        return webhook


def set_paused(*, webhook: Webhook, paused: bool, by: User, form: Form | None = None) -> Webhook:
    """Pause the address, or call it again. Events of the pause are not sent later."""
    with _change(webhook.competition, by, form) as done:
        webhook = reread(Webhook.objects.all(), pk=webhook.pk)
        webhook.paused_at = done.at if paused else None
        webhook.failing_since = webhook.turned_off_at = None
        webhook.save(update_fields=["paused_at", "failing_since", "turned_off_at"])
        _log(done, "webhook.pause" if paused else "webhook.resume", webhook)
        return webhook


def remove_webhook(*, webhook: Webhook, by: User, form: Form | None = None) -> None:
    with _change(webhook.competition, by, form) as done:
        webhook = reread(Webhook.objects.all(), pk=webhook.pk)
        _log(done, "webhook.remove", webhook)
        Outgoing.objects.filter(stream=webhook.stream).delete()
        webhook.delete()


def send_test(*, webhook: Webhook, by: User, form: Form | None = None) -> None:
    with _change(webhook.competition, by, form) as done:
        webhook = reread(Webhook.objects.all(), pk=webhook.pk)
        if not webhook.is_on:
            raise Refused(_("This address is paused or turned off. Resume it first."))
        values: dict[str, Any] = {"mark": secrets.token_hex(8), "created_at": done.at, "due_at": done.at}
        put([_message(webhook, Event.TEST, webhook.competition_id, **values)])
        done.answer = {"webhook": webhook.pk}


def send_again(*, webhook: Webhook, delivery: int, by: User, form: Form | None = None) -> None:
    """Send an event again that was sent or given up, with its id."""
    with _change(webhook.competition, by, form) as done:
        webhook = reread(Webhook.objects.all(), pk=webhook.pk)
        if not webhook.is_on:
            raise Refused(_("This address is paused or turned off. Resume it first."))
        ended = Outgoing.objects.filter(pk=delivery, stream=webhook.stream)
        ended = ended.exclude(sent_at=None, given_up_at=None)
        if not ended.update(sent_at=None, given_up_at=None, attempts=0, due_at=timezone.now(), problem=""):
            raise Refused(_("This event waits to be sent. It needs no second press."))
        transaction.on_commit(enqueue_sending, robust=True)
        done.answer = {"webhook": webhook.pk}


def _change(competition: Competition, by: User, form: Form | None) -> AbstractContextManager[Change]:
    return change(competition, by=by, form=form, even_finished=True, public=False)


def _log(done: Change, action: str, webhook: Webhook) -> None:
    """Log the host alone, because the rest of an address may be its key."""
    after = {"name": webhook.name, "kind": str(webhook.kind), "host": host_of(webhook.address)}
    done.log(action, f"webhook:{webhook.pk}", after=after)
    done.answer = {"webhook": webhook.pk}


def key_of(webhook: Webhook) -> str:
    """Return the signing key in the form of Standard Webhooks. No table and no file holds it."""
    key = salted_hmac("key of a webhook", f"{webhook.pk}:{webhook.salt}", algorithm="sha256").digest()
    return f"whsec_{base64.b64encode(key).decode()}"


# --- how deliveries end


def note_success(webhook: Webhook) -> None:
    Webhook.objects.filter(pk=webhook.pk).exclude(failing_since=None).update(failing_since=None)


def note_failure(webhook: Webhook, *, is_gone: bool, most: timedelta) -> None:
    """Note a failure. Turn the address off if it ``is_gone`` or has failed for longer than ``most``."""
    now, found = timezone.now(), Webhook.objects.filter(pk=webhook.pk)
    found.filter(failing_since=None).update(failing_since=now)
    over = found if is_gone else found.filter(failing_since__lt=now - most)
    over.filter(turned_off_at=None).update(turned_off_at=now)
