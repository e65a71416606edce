"""One change: one transaction that takes the competition's lock, writes, logs and raises the revision.

Every write to a competition goes through ``change``. Inside it no other write to the same competition runs
(SQLite takes its write lock at BEGIN IMMEDIATE, PostgreSQL locks the competition's row), so that what was
read there is still true when it is written, the audit chain cannot fork, and a submission key is looked up
and stored without a race.
"""

import hashlib
import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.errors import AlreadyDone, Refused
from league.models import AuditEntry, Competition, Submission

GENESIS = "0" * 64


@dataclass(frozen=True)
class Form:
    """One submission of a form: its key, and a fingerprint of what was typed. ``answer`` is what it got, once
    it is saved, now or before.
    """

    key: uuid.UUID
    fingerprint: str
    answer: dict[str, Any] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, key: uuid.UUID, *content: object) -> "Form":
        """A submission of ``content`` (anything JSON can hold) under ``key``."""
        return cls(key=key, fingerprint=hashlib.sha256(canonical(list(content)).encode()).hexdigest())


@dataclass
class Change:
    """An open change. ``log`` what is done; ``answer`` is what a repeat of the same form will get."""

    competition: Competition
    by: User | None
    at: datetime
    answer: dict[str, object] = field(default_factory=dict)

    def log(
        self,
        action: str,
        target: str,
        *,
        before: Mapping[str, object] | None = None,
        after: Mapping[str, object] | None = None,
    ) -> None:
        """Append to the audit log. ``before`` and ``after`` hold ids and values, never names."""
        last = (
            AuditEntry.objects.filter(competition=self.competition)
            .order_by("-sequence")
            .values_list("sequence", "hash")
            .first()
        )
        sequence, previous = last or (0, GENESIS)
        entry = AuditEntry(
            competition=self.competition,
            sequence=sequence + 1,
            at=self.at,
            actor=self.by,
            action=action,
            target=target,
            before=None if before is None else dict(before),
            after=None if after is None else dict(after),
            previous_hash=previous,
        )
        entry.hash = entry_hash(entry)
        entry.save(force_insert=True)


@contextmanager
def change(
    competition: Competition, *, by: User | None, form: Form | None = None, at: datetime | None = None
) -> Iterator[Change]:
    """Open a change of ``competition``; on leaving, its revision is raised and the submission kept.

    Raises ``AlreadyDone`` with the first answer when ``form`` came before, and ``Refused`` when its key came
    before with other content. Any exception inside undoes everything.
    """
    with transaction.atomic():
        locked = Competition.objects.select_for_update().get(pk=competition.pk)
        if form is not None:
            refuse_repeat(form, by=by)
        done = Change(competition=locked, by=by, at=at or timezone.now())
        yield done
        locked.revision += 1
        locked.save(update_fields=["revision"])
        if form is not None:
            keep(form, by=by, at=done.at, answer=done.answer, competition=locked)
    competition.revision = locked.revision


def refuse_repeat(form: Form, *, by: User | None) -> None:
    """Raise ``AlreadyDone`` when this form came before, ``Refused`` when its key came with other content."""
    if not sent_before(form):
        return
    first = find_answer(form, by=by)
    if first is not None:
        form.answer.update(first)
        raise AlreadyDone(first)
    raise Refused(
        _(
            "This form was sent before with other content, and that was saved. "
            "Open the page again and check what is there."
        )
    )


def find_answer(form: Form, *, by: User | AnonymousUser | None) -> dict[str, Any] | None:
    """What this form of this person got before; None if it is new, or its key came with other content."""
    found = Submission.objects.filter(
        key=form.key, user=by.pk if by else None, fingerprint=form.fingerprint
    ).first()
    return None if found is None else found.answer


def sent_before(form: Form) -> bool:
    """True if this form was saved already: its answer is known, and nothing needs to be asked again."""
    return Submission.objects.filter(key=form.key).exists()


def keep(
    form: Form,
    *,
    by: User | None,
    at: datetime,
    answer: dict[str, object],
    competition: Competition | None = None,
) -> None:
    """Remember that this form was saved, and what it got; in the transaction that saves it."""
    form.answer.update(answer)
    Submission.objects.create(
        key=form.key,
        competition=competition,
        user=by,
        fingerprint=form.fingerprint,
        answer=answer,
        created_at=at,
    )


def canonical(value: object) -> str:
    """JSON of one spelling: keys sorted, no white space, characters as they are."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def entry_hash(entry: AuditEntry) -> str:
    """SHA-256 over the hash before and everything that the entry says; times in UTC to the microsecond."""
    content = [
        entry.previous_hash,
        entry.competition_id,
        entry.sequence,
        entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        entry.actor_id,
        entry.action,
        entry.target,
        entry.before,
        entry.after,
    ]
    return hashlib.sha256(canonical(content).encode()).hexdigest()
