"""One change: a transaction that locks its scope, writes, logs and raises versions.

Every write to a competition goes through ``change``, which names its scope: a table, a round or the whole
competition. Changes of different tables run side by side. A change excludes every other change of the same
row, above it or below it. SQLite takes its only write lock at BEGIN IMMEDIATE. PostgreSQL locks competition,
round and table in this order, shared above the scope, and the competition's row at the end.

Every change raises ``Competition.version``, from which pages of its staff are made. A change that public
pages show raises ``Competition.revision``, from which public pages are made. A change of a round or table
also raises its own ``version``, for the pages of that table.

The log stays one chain per competition. The end of a change appends to it, under the lock of the
competition's row, which is held only until the commit. Before that, extras follow what was logged
(``league.core.extras``), in the same transaction. A change that is undone tells nothing.
"""

import fcntl
import hashlib
import json
import secrets
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError, connection, transaction
from django.db.models import BigAutoField, Exists, F, Model, QuerySet, UUIDField
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.errors import AlreadyDone, Refused
from league.core.extras import following
from league.core.prepared import Argument, Prepared, PreparedUpdate
from league.models import (
    AuditEntry,
    Competition,
    League,
    LeagueEntry,
    LogText,
    Round,
    Stage,
    Submission,
    Table,
)
from league.models.publicity import public_settings

GENESIS = "0" * 64
DIGEST = "sha256:"  # before the digest of a text in an entry
TEXTS = frozenset({"reason", "note", "subject", "said", "decided", "place", "name"})  # what people write
SENT_BEFORE = _(
    "This form was already submitted with different content, which was saved. Reload the page and check."
)
FINISHED = _("This competition is finished. An organizer can reopen it on the page “Manage”.")
GONE = _("This was deleted or replaced a moment ago. Reload the page.")

Scope = Competition | Round | Table
_TOKEN: ContextVar[int | None] = ContextVar("token", default=None)  # of the API, through which a person acts
Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True)
class Sent:
    """One submission of a form: its key, and a fingerprint of what was typed. ``answer`` is what it got, once
    it is saved, now or before.
    """

    key: uuid.UUID
    fingerprint: str
    answer: dict[str, Any] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, key: uuid.UUID, *content: object) -> "Sent":
        """A submission of ``content`` (anything JSON can hold) under ``key``."""
        return cls(key=key, fingerprint=hashlib.sha256(canonical(list(content)).encode()).hexdigest())


@dataclass(frozen=True)
class Fact:
    """An action that a change logged, for the extras that follow it (``league.core.extras``).

    ``about``: the row concerned, which no log keeps, or None.
    """

    action: str
    target: str
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    about: Any


@dataclass
class Change:
    """An open change. ``log`` every action. A repeat of the same form gets ``answer``.

    ``is_public``: public pages show what changed. The change of a round or table may set it before its end.
    ``is_own``: nobody else could decide this case of the writer’s own, and the log marks it.
    """

    competition: Competition
    by: User | None
    at: datetime
    is_public: bool = True
    is_own: bool = False
    answer: dict[str, object] = field(default_factory=dict)
    entries: list[AuditEntry] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def log(
        self,
        action: str,
        target: str,
        *,
        before: Mapping[str, object] | None = None,
        after: Mapping[str, object] | None = None,
        about: Model | None = None,
    ) -> None:
        """Log an action. ``before`` and ``after`` hold ids, values, and texts under ``TEXTS``.

        The end of the change calls the functions that follow the action, which get ``about`` too, and appends
        the entries to the competition's chain.
        """
        self.facts.append(Fact(action, target, before or {}, after or {}, about))
        league, entry = League(pk=self.competition.league_id), AuditEntry(competition=self.competition)
        if self.is_own:
            after = {**(after or {}), "own_case": True}
        _fill(entry, league, self, action, target, before, after)
        self.entries.append(entry)


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
        """Append an action to the league's log, as ``Change.log``."""
        entry = LeagueEntry(league=self.league)
        _fill(entry, self.league, self, action, target, before, after)
        newest = same_log(entry).order_by("-sequence").values_list("sequence", "hash").first()
        _chain([entry], newest)
        entry.save(force_insert=True)


@contextmanager
def through_token(pk: int) -> Iterator[None]:
    """Name this API token in all entries that are logged inside."""
    before = _TOKEN.set(pk)
    try:
        yield
    finally:
        _TOKEN.reset(before)


def _fill(
    entry: AuditEntry | LeagueEntry,
    league: League,
    done: Change | LeagueChange,
    action: str,
    target: str,
    before: Mapping[str, object] | None,
    after: Mapping[str, object] | None,
) -> None:
    entry.at, entry.actor, entry.action, entry.target = done.at, done.by, action, target
    if (token := _TOKEN.get()) is not None:
        after = {**(after or {}), "token": token}
    entry.before = None if before is None else _keep_texts(before, league)
    entry.after = None if after is None else _keep_texts(after, league)


def _chain(entries: Sequence[AuditEntry | LeagueEntry], newest: tuple[int, str] | None) -> None:
    """Give the entries their places after ``newest``, the last one of their log (sequence and hash)."""
    sequence, previous = newest or (0, GENESIS)
    for number, entry in enumerate(entries, sequence + 1):
        entry.sequence, entry.previous_hash = number, previous
        previous = entry.hash = entry_hash(entry)


def same_log(entry: AuditEntry | LeagueEntry) -> QuerySet[AuditEntry] | QuerySet[LeagueEntry]:
    """Return all entries of the log to which this entry belongs."""
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
    scope: Scope,
    *,
    by: User | None,
    form: Sent | None = None,
    at: datetime | None = None,
    even_finished: bool = False,
    public: bool = True,
) -> Iterator[Change]:
    """Open a change of a competition, or of one of its rounds or tables (loaded with their competition).

    ``public``: public pages show what changes. The change of a round or table may still decide it.
    ``even_finished``: the change does not touch results, so a finished competition takes it, too.

    Raises ``AlreadyDone`` with the first answer if ``form`` came before. Raises ``Refused`` if its key came
    before with other content, if the scope is gone, or if the competition is finished. Any exception inside
    undoes everything. A change of a competition holds no other change of it.

    Raises ``ValueError`` if it is not ``public`` and set what decides about the public (``publicity``).
    """
    competition = competition_of(scope)
    with _turn(), transaction.atomic():
        _lock(scope, competition.pk)
        is_whole = isinstance(scope, Competition)
        if is_whole:  # what is computed inside is cached under the versions of this change
            _RAISE[public](competition=competition.pk)
        locked: Any = next(iter(_LOCKED(competition=competition.pk, key=form and form.key)), None)
        if locked is None:
            raise Refused(GONE, code="gone")
        if form is not None and locked.was_sent:
            refuse_repeat(form, by=by)
        if locked.finished_at and not even_finished:
            raise Refused(FINISHED, code="finished")
        done = Change(locked, by, at or timezone.now(), public)
        settings = public_settings(locked)
        yield done
        _follow(done)
        if not done.is_public:
            _refuse_silence(settings, public_settings(locked))
        if not is_whole:
            _RAISE[done.is_public](competition=locked.pk)
            locked.version, locked.revision = locked.version + 1, locked.revision + done.is_public
        _append_entries(done)
        if form is not None:
            keep(form, by=by, at=done.at, answer=done.answer, competition=locked)
    competition.revision, competition.version = locked.revision, locked.version


def _refuse_silence(before: Mapping[str, object], after: Mapping[str, object]) -> None:
    changed = [name for name in after if after[name] != before[name]]
    if changed:
        raise ValueError(
            f"{', '.join(changed)} of the competition decides what visitors see, and public=False keeps the "
            "pages and files that were made for them. Leave public=False out."
        )


@contextmanager
def _turn() -> Iterator[None]:
    """Queue for SQLite's write lock, in all threads and processes of this machine.

    A writer that waits for SQLite sleeps up to 0.1 seconds between its attempts, and later writers may
    overtake it. The lock of a file beside the database wakes the next writer at once. SQLite's own lock
    decides if the file cannot be opened. A thread inside a transaction does not queue.
    """
    database = str(connection.settings_dict["NAME"])
    in_memory = ":memory:" in database or "mode=memory" in database
    if connection.vendor != "sqlite" or connection.in_atomic_block or in_memory:
        yield
        return
    try:
        file = Path(f"{database}.turn").open("w")  # noqa: SIM115 - closed below
    except OSError:
        yield
        return
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def competition_of(scope: Scope) -> Competition:
    if isinstance(scope, Competition):
        return scope
    round_ = scope.round if isinstance(scope, Table) else scope
    return round_.competition


def _lock(scope: Scope, competition: int) -> None:
    """Lock the scope, and share the locks of all above it. Raises ``Refused`` if the scope is gone."""
    if connection.vendor == "postgresql":
        round_ = None if isinstance(scope, Competition) else scope.pk
        if isinstance(scope, Table):
            round_ = scope.round_id
        with connection.cursor() as cursor:
            cursor.execute(_LOCK[isinstance(scope, Competition)], [2 * competition])
            if round_ is not None:
                cursor.execute(_LOCK[isinstance(scope, Round)], [2 * round_ + 1])
    if isinstance(scope, Table):
        raised_rows = _RAISE_TABLE(table=scope.pk, round=scope.round_id, competition=competition)
    elif isinstance(scope, Round):
        raised_rows = _RAISE_ROUND(round=scope.pk, competition=competition)
    else:
        return
    if not raised_rows:
        raise Refused(GONE, code="gone")


# They queue in the order of arrival. With locks of rows, shared ones would pass a writer that waits.
_LOCK = {False: "SELECT pg_advisory_xact_lock_shared(%s)", True: "SELECT pg_advisory_xact_lock(%s)"}


def _follow(done: Change) -> None:
    """Call what follows each fact, in the order of the log. A follower sees the rows as the change left them.

    What a follower logs is followed, too.
    """
    for fact in done.facts:
        for follow in following(fact.action):
            follow(done, fact)


def _append_entries(done: Change) -> None:
    if not done.entries:
        return
    newest = AuditEntry.objects.filter(competition=done.competition).order_by("-sequence")
    _chain(done.entries, newest.values_list("sequence", "hash").first())
    AuditEntry.objects.bulk_create(done.entries)


def reread(rows: QuerySet[Row], **where: object) -> Row:
    """Return the only row of ``rows`` with these values, as it is under the lock of a change.

    Raises ``Refused`` if it was deleted since the page was opened.
    """
    row = rows.filter(**where).first()
    if row is None:
        raise Refused(GONE, code="gone")
    return row


def _read_locked() -> QuerySet[Competition]:
    """The competition, and whether a form came before."""
    sent = Submission.objects.filter(key=Argument("key", UUIDField()))
    return _competitions().annotate(was_sent=Exists(sent))


def _competitions() -> QuerySet[Competition]:
    return Competition.objects.filter(pk=Argument("competition", BigAutoField()))


def _rounds() -> QuerySet[Round]:
    here = Stage.objects.filter(division__competition=Argument("competition", BigAutoField()))
    return Round.objects.filter(pk=Argument("round", BigAutoField()), stage__in=here.values("pk"))


def _tables() -> QuerySet[Table]:
    return Table.objects.filter(pk=Argument("table", BigAutoField()), round__in=_rounds().values("pk"))


_LOCKED = Prepared(_read_locked)
_RAISE = {
    False: PreparedUpdate(_competitions, version=F("version") + 1),
    True: PreparedUpdate(_competitions, version=F("version") + 1, revision=F("revision") + 1),
}
_RAISE_ROUND = PreparedUpdate(_rounds, version=F("version") + 1)
_RAISE_TABLE = PreparedUpdate(_tables, version=F("version") + 1)


@contextmanager
def league_change(
    league: League, *, by: User | None, form: Sent | None = None, at: datetime | None = None
) -> Iterator[LeagueChange]:
    """Opens a change of a league under its lock, as ``change`` opens one of a competition."""
    with transaction.atomic():
        locked = reread(League.objects.select_for_update(), pk=league.pk)
        if form is not None:
            refuse_repeat(form, by=by)
        done = LeagueChange(league=locked, by=by, at=at or timezone.now())
        yield done
        if form is not None:
            keep(form, by=by, at=done.at, answer=done.answer)


def refuse_repeat(form: Sent, *, by: User | None) -> None:
    """Raise ``AlreadyDone`` when this form came before, ``Refused`` when its key came with other content."""
    if not sent_before(form):
        return
    first = find_answer(form, by=by)
    if first is not None:
        form.answer.update(first)
        raise AlreadyDone(first)
    raise Refused(SENT_BEFORE, code="key_reused")


def find_answer(form: Sent, *, by: User | AnonymousUser | None) -> dict[str, Any] | None:
    """Return the saved answer to this person's form, or None if the form or its content is new."""
    submission = Submission.objects.filter(
        key=form.key, user=by.pk if by else None, fingerprint=form.fingerprint
    ).first()
    return None if submission is None else submission.answer


def sent_before(form: Sent) -> bool:
    """True if this form was saved already: its answer is known, and nothing needs to be asked again."""
    return Submission.objects.filter(key=form.key).exists()


def keep(
    form: Sent,
    *,
    by: User | None,
    at: datetime,
    answer: dict[str, object],
    competition: Competition | None = None,
) -> None:
    """Remember that this form was saved, and its answer, in the transaction that saves it.

    Raises ``Refused`` if a change of another scope saved its key at the same moment.
    """
    form.answer.update(answer)
    try:
        Submission.objects.create(
            key=form.key,
            competition=competition,
            user=by,
            fingerprint=form.fingerprint,
            answer=answer,
            created_at=at,
        )
    except IntegrityError as error:
        raise Refused(SENT_BEFORE, code="key_reused") from error


def canonical(value: object) -> str:
    """JSON of one spelling: keys sorted, no white space, characters as they are."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def entry_hash(entry: AuditEntry | LeagueEntry) -> str:
    """Return the SHA-256 of the previous hash and all values of the entry, with times in UTC."""
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
