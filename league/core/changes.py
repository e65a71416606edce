"""One change: one transaction that takes the competition's lock, writes, logs and raises the revision.

Every write to a competition goes through ``change``. Inside it no other write to the same competition runs
(SQLite takes its write lock at BEGIN IMMEDIATE, PostgreSQL locks the competition's row), so that what was
read there is still true when it is written, the audit chain cannot fork, and a submission key is looked up
and stored without a race.
"""

import hashlib
import json
import secrets
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import BigAutoField, Exists, F, OuterRef, QuerySet, UUIDField
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.errors import AlreadyDone, Refused
from league.core.prepared import Argument, Prepared, PreparedUpdate
from league.models import AuditEntry, Competition, League, LeagueEntry, LogText, Submission

GENESIS = "0" * 64
DIGEST = "sha256:"  # before the digest of a text in an entry
TEXTS = frozenset({"reason", "note", "subject", "said", "decided", "place", "name"})  # what people write
SENT_BEFORE = _(
    "This form was already submitted with different content, which was saved. Reload the page and check."
)
FINISHED = _("This competition is finished. An organizer can reopen it on the page “Manage”.")


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
    newest: tuple[int, str] | None = None  # the entry that the first one follows on, where it is known

    def log(
        self,
        action: str,
        target: str,
        *,
        before: Mapping[str, object] | None = None,
        after: Mapping[str, object] | None = None,
    ) -> None:
        """Appends to the audit log. ``before`` and ``after`` hold ids, values, and texts under ``TEXTS``."""
        league, entry = League(pk=self.competition.league_id), AuditEntry(competition=self.competition)
        newest, self.newest = self.newest, None
        _append(entry, league, self, action, target, before, after, newest=newest)


@dataclass
class LeagueChange:
    """An open change of a league's settings, owners or rules. ``answer`` as of ``Change``."""

    league: League
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
        """Appends to the league's log, as ``Change.log``."""
        _append(LeagueEntry(league=self.league), self.league, self, action, target, before, after)


def _append(
    entry: AuditEntry | LeagueEntry,
    league: League,
    done: Change | LeagueChange,
    action: str,
    target: str,
    before: Mapping[str, object] | None,
    after: Mapping[str, object] | None,
    *,
    newest: tuple[int, str] | None = None,
) -> None:
    """Chains the entry to the newest one of its log, under the lock of the open change."""
    newest = newest or same_log(entry).order_by("-sequence").values_list("sequence", "hash").first()
    sequence, entry.previous_hash = newest or (0, GENESIS)
    entry.sequence = sequence + 1
    entry.at, entry.actor, entry.action, entry.target = done.at, done.by, action, target
    entry.before = None if before is None else _keep_texts(before, league)
    entry.after = None if after is None else _keep_texts(after, league)
    entry.hash = entry_hash(entry)
    entry.save(force_insert=True)


def same_log(entry: AuditEntry | LeagueEntry) -> QuerySet[AuditEntry] | QuerySet[LeagueEntry]:
    """All entries of the log to which this entry belongs."""
    if isinstance(entry, AuditEntry):
        return AuditEntry.objects.filter(competition=entry.competition_id)
    return LeagueEntry.objects.filter(league=entry.league_id)


def _keep_texts(values: Mapping[str, object], league: League) -> dict[str, object]:
    """The values with digests in place of texts, which may name a person and can then be erased."""
    return {
        name: _keep_text(value, league) if name in TEXTS and isinstance(value, str) and value else value
        for name, value in values.items()
    }


def _keep_text(text: str, league: League) -> str:
    salt = secrets.token_hex(16)
    digest = text_digest(salt, text)
    LogText.objects.create(league=league, digest=digest, salt=salt, text=text)
    return DIGEST + digest


def text_digest(salt: str, text: str) -> str:
    return hashlib.sha256((salt + text).encode()).hexdigest()


@contextmanager
def change(
    competition: Competition,
    *,
    by: User | None,
    form: Form | None = None,
    at: datetime | None = None,
    even_finished: bool = False,
) -> Iterator[Change]:
    """Open a change of ``competition``; on leaving, its revision is raised and the submission kept.

    Raises ``AlreadyDone`` with the first answer when ``form`` came before, and ``Refused`` when its key came
    before with other content, or the competition is finished: then only what does not touch its results may
    change (``even_finished``). Any exception inside undoes everything. A change of a competition holds no
    other change of it.
    """
    with transaction.atomic():
        # The first statement takes the lock of PostgreSQL; the next one sees what was written before.
        _RAISE(competition=competition.pk)
        locked: Any = next(iter(_LOCKED(competition=competition.pk, key=form and form.key)), None)
        if locked is None:
            raise Competition.DoesNotExist
        if form is not None and locked.was_sent:
            refuse_repeat(form, by=by)
        if locked.finished_at and not even_finished:
            raise Refused(FINISHED)
        newest = (locked.sequence, locked.hash) if locked.sequence else None
        done = Change(locked, by, at or timezone.now(), newest=newest)
        yield done
        if form is not None:
            keep(form, by=by, at=done.at, answer=done.answer, competition=locked)
    competition.revision = locked.revision


def _read_locked() -> QuerySet[Competition]:
    """The competition, whether a form came before, and the newest entry of its log."""
    newest = AuditEntry.objects.filter(competition=OuterRef("pk")).order_by("-sequence")
    sent = Submission.objects.filter(key=Argument("key", UUIDField()))
    return Competition.objects.filter(pk=Argument("competition", BigAutoField())).annotate(
        was_sent=Exists(sent), sequence=newest.values("sequence")[:1], hash=newest.values("hash")[:1]
    )


_LOCKED = Prepared(_read_locked)
_RAISE = PreparedUpdate(
    lambda: Competition.objects.filter(pk=Argument("competition", BigAutoField())), revision=F("revision") + 1
)


@contextmanager
def league_change(
    league: League, *, by: User | None, form: Form | None = None, at: datetime | None = None
) -> Iterator[LeagueChange]:
    """Opens a change of a league under its lock, as ``change`` opens one of a competition."""
    with transaction.atomic():
        locked = League.objects.select_for_update().get(pk=league.pk)
        if form is not None:
            refuse_repeat(form, by=by)
        done = LeagueChange(league=locked, by=by, at=at or timezone.now())
        yield done
        if form is not None:
            keep(form, by=by, at=done.at, answer=done.answer)


def refuse_repeat(form: Form, *, by: User | None) -> None:
    """Raise ``AlreadyDone`` when this form came before, ``Refused`` when its key came with other content."""
    if not sent_before(form):
        return
    first = find_answer(form, by=by)
    if first is not None:
        form.answer.update(first)
        raise AlreadyDone(first)
    raise Refused(SENT_BEFORE)


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


def entry_hash(entry: AuditEntry | LeagueEntry) -> str:
    """SHA-256 over the hash before and everything that the entry says; times in UTC to the microsecond."""
    content = [
        entry.previous_hash,
        entry.owner_key,
        entry.sequence,
        entry.at.astimezone(UTC).isoformat(timespec="microseconds"),
        entry.actor_id,
        entry.action,
        entry.target,
        entry.before,
        entry.after,
    ]
    return hashlib.sha256(canonical(content).encode()).hexdigest()
