"""The outbox: notices, mails and calls of webhooks that a service puts and a task sends.

A service calls `put` in its transaction, so that a message exists if its fact does. No request sends
anything. `send_due` sends after the commit. The worker enqueues it again for messages that are due later, or
whose process was killed. A room registers a function for its messages with `@sender`, in its module
`senders`, which is imported at the start.

No message holds a text. Its sender composes the text when the message leaves, from rows that may be gone by
then. The address of a mail that no other row has is removed when the mail is sent or given up.

A message may be sent twice: if its process is killed between sending and noting that, another one sends it
again. So each sender passes `Outgoing.key` on, as the tag, the id or the Message-ID of what it sends.
"""

import logging
import time
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop
from django_tasks import task
from django_tasks_db.models import DBTaskResult

from league.core.tasks import OUTBOX
from league.models import Outgoing
from league.models.outbox import WAITING
from league.models.querysets import remove

# After each failed attempt. A message that fails once more is given up.
PAUSES: Final = (
    timedelta(seconds=5),
    timedelta(seconds=30),
    timedelta(minutes=2),
    timedelta(minutes=10),
    timedelta(hours=1),
    timedelta(hours=6),
    timedelta(days=1),
)
CLAIM: Final = timedelta(minutes=5)  # longer than the worker lets a task run
AT_A_TIME: Final = 30  # seconds after which a task begins no other message
KEPT: Final = timedelta(days=14)
UNDOABLE: Final = timedelta(seconds=15)  # a message of a fact waits while its author may undo it at once
_PROBLEM_LENGTH: Final = 300
LEFT_OUT: Final = gettext_noop("This installation no longer sends messages of this kind.")
logger = logging.getLogger("umaoka")

Sender = Callable[[Outgoing], None]
SENDERS: dict[tuple[str, str], Sender] = {}  # by kind and subject matter


class NotSent(Exception):
    """The message did not arrive, with the reason. Its sender raises it.

    `again`: whether another attempt can succeed. `after`: the pause that the receiver asked for, used if it
    is longer than the usual one.
    """

    def __init__(self, problem: str, *, again: bool = True, after: timedelta | None = None) -> None:
        super().__init__(problem)
        self.again, self.after = again, after or timedelta()


def sender(kind: str, about: str = "") -> Callable[[Sender], Sender]:
    """Register the function that sends messages of this kind. It must end within 60 seconds.

    `about`: take only messages that name this under `about` in their payload.
    """

    def register(send: Sender) -> Sender:
        SENDERS[kind, about] = send
        return send

    return register


def message(*, kind: str, key: str, created_at: datetime | None = None, **values: object) -> Outgoing:
    """Return an unsaved message that is due now. `values`: other fields of `Outgoing`."""
    at = created_at or timezone.now()
    return Outgoing(**{"kind": kind, "key": key, "created_at": at, "due_at": at} | values)


def put(messages: Iterable[Outgoing]) -> None:
    """Save messages in the caller's transaction, and send them after its commit. Queries: 1.

    A message whose key was put before is ignored.
    """
    rows = list(messages)
    if not rows:
        return
    with transaction.atomic():
        Outgoing.objects.bulk_create(rows, ignore_conflicts=True)
        transaction.on_commit(enqueue_sending, robust=True)


def enqueue_sending() -> None:
    """Enqueue the task that sends, unless one waits to begin."""
    waiting = DBTaskResult.objects.ready().filter(task_path=send_due.module_path)
    if not waiting.exists():
        send_due.enqueue()


def look_for_due() -> None:
    """Enqueue the task that sends if a message is due. The worker calls this."""
    if _due(timezone.now()).exists():
        enqueue_sending()


def _due(now: datetime) -> QuerySet[Outgoing]:
    """Return messages to send now: due, and first in their stream."""
    waiting = Outgoing.objects.filter(WAITING)
    earlier = waiting.filter(stream=OuterRef("stream"), pk__lt=OuterRef("pk"))
    return waiting.filter(Q(stream="") | ~Exists(earlier), due_at__lte=now).order_by("due_at", "pk")


@task(queue_name=OUTBOX)
def send_due() -> None:
    """Send due messages one after the other until none is left or the time is up."""
    end = time.monotonic() + AT_A_TIME
    while time.monotonic() < end:
        outgoing = _due(timezone.now()).first()
        if outgoing is None:
            return
        if _claim(outgoing):
            _send(outgoing)
    look_for_due()


def _claim(outgoing: Outgoing) -> bool:
    """Return whether this process alone may send the message until its claim ends."""
    until = timezone.now() + CLAIM
    same = Outgoing.objects.filter(WAITING, pk=outgoing.pk, due_at=outgoing.due_at)
    if not same.update(due_at=until, attempts=F("attempts") + 1):
        return False
    outgoing.due_at, outgoing.attempts = until, outgoing.attempts + 1
    return True


def _send(outgoing: Outgoing) -> None:
    """Send a claimed message, and save how that ended."""
    try:
        if outgoing.attempts > len(PAUSES) + 1:
            raise NotSent(outgoing.problem or "Its process was killed.", again=False)
        about = outgoing.payload.get("about", "")
        send = SENDERS.get((outgoing.kind, about)) or SENDERS.get((outgoing.kind, ""))
        if send is None:
            raise NotSent(LEFT_OUT, again=False)
        send(outgoing)
    except NotSent as error:
        _postpone(outgoing, str(error), again=error.again, after=error.after)
    except Exception as error:
        logger.exception("A message of kind %s could not be sent.", outgoing.kind)
        _postpone(outgoing, f"{type(error).__name__}: {error}", again=True, after=timedelta())
    else:
        _note(outgoing, sent_at=timezone.now(), problem="", address="")


def _postpone(outgoing: Outgoing, problem: str, *, again: bool, after: timedelta) -> None:
    problem, now = problem[:_PROBLEM_LENGTH], timezone.now()
    if again and outgoing.attempts <= len(PAUSES):
        pause = max(PAUSES[outgoing.attempts - 1], min(after, PAUSES[-1]))
        _note(outgoing, due_at=now + pause, problem=problem)
        return
    if again:
        logger.warning(
            "A message of kind %s was given up after %d attempts.", outgoing.kind, outgoing.attempts
        )
    _note(outgoing, given_up_at=now, problem=problem, address="")


def _note(outgoing: Outgoing, **values: object) -> None:
    """Save values of a claimed message, unless another process claimed it since or it was deleted."""
    Outgoing.objects.filter(WAITING, pk=outgoing.pk, due_at=outgoing.due_at).update(**values)


def remove_old_messages() -> int:
    """Remove messages that were sent or given up long ago. Return how many."""
    before = timezone.now() - KEPT
    return remove(Outgoing.objects.filter(Q(sent_at__lt=before) | Q(given_up_at__lt=before)))
