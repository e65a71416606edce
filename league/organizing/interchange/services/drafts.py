"""Drafts of competitions that an import writes, which no page shows.

Short transactions with pauses let other saves get SQLite's only write lock. A draft whose ``ImportJob`` was
not seen lately was left by a killed process, and ``remove_abandoned`` removes it.
"""

import gzip
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import F, Model, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.changes import SENT_BEFORE, Sent, refuse_repeat
from league.core.errors import AlreadyDone, Refused
from league.models import (
    Adjustment,
    Competition,
    Entrant,
    ImportJob,
    KeptFile,
    League,
    Round,
    RuleSet,
    Seat,
    Sheet,
    SittingOut,
    Table,
)
from league.organizing.interchange.schema import CompetitionFacts
from league.people.register.services import forget_players
from players.models import Club, Register

SILENCE = timedelta(minutes=3)  # after which a job is taken for killed
MOST_AT_ONCE = 2  # imports of uploads on a server; each may take 1 GB
KEPT = timedelta(days=7)  # how long it is shown how an import ended
ROWS = 500  # removed in one transaction
REST = 0.025  # seconds: who waits for SQLite asks again as often in the first 0.2 s
UNDER_WAY = (ImportJob.Status.READING, ImportJob.Status.WRITING)

Progress = Callable[[int], object]  # called with the number of tables just written


class Cancelled(Exception):
    """The user cancelled the import."""


def nobody_watches(count: int) -> None:
    """The ``Progress`` of work without a progress bar."""


@dataclass
class Draft:
    competition: Competition
    job: ImportJob
    progress: Progress = nobody_watches

    @contextmanager
    def turn(self, tables: int = 0) -> Iterator[None]:
        """Run one short transaction that writes ``tables`` tables. Raises ``Cancelled``."""
        with short_transaction():
            jobs = ImportJob.objects.filter(pk=self.job.pk)
            if jobs.filter(cancel=True).exists():
                raise Cancelled
            yield
            jobs.update(written=F("written") + tables, seen_at=timezone.now())
        if tables:
            self.progress(tables)


@contextmanager
def short_transaction() -> Iterator[None]:
    """Run a transaction. On SQLite, pause after it."""
    with transaction.atomic():
        yield
    if connection.vendor == "sqlite" and not connection.in_atomic_block:
        time.sleep(REST)


def begin_draft(
    facts: CompetitionFacts, league: League | None, *, job: ImportJob | None, progress: Progress
) -> Draft:
    """Create an empty draft in ``league``, or in a new league without name and owners."""
    hidden = f".{uuid4()}"  # no address has a dot
    with transaction.atomic():
        if league is None:
            register = Register.objects.create(name=hidden)
            league = League.objects.create(name=hidden, slug=hidden, register=register)
        competition = Competition(league=league, slug=hidden, name=facts.name, is_draft=True)
        competition.save(force_insert=True)
        job = job or ImportJob(league=league)
        job.status, job.competition = ImportJob.Status.WRITING, competition
        job.tables, job.seen_at = facts.counts["tables"], timezone.now()
        job.save()
    return Draft(competition, job, progress)


# --- removed


def discard(draft: Competition) -> None:
    """Remove a draft with its new players and its new league."""
    competition, league = draft.pk, draft.league_id
    in_rounds = {"round__stage__division__competition": competition}
    _remove(draft.penalties.all())
    _remove(Adjustment.objects.of(competition))
    _remove(Sheet.objects.filter(**{f"table__{name}": pk for name, pk in in_rounds.items()}))
    _remove(Seat.objects.filter(**in_rounds))
    _remove(SittingOut.objects.filter(**in_rounds))
    _remove(Table.objects.filter(**in_rounds))
    _remove(Round.objects.of(competition))
    rule_sets = list(draft.divisions.values_list("rule_set", flat=True))
    _remove(draft.divisions.all())
    _remove(RuleSet.objects.filter(pk__in=rule_sets, book=None, divisions=None))
    _remove(draft.teams.all())
    while _remove_entrants(draft):
        pass
    with short_transaction():
        Competition.with_drafts.filter(pk=competition).delete()
        for made in League.objects.filter(pk=league, slug__startswith="."):
            made.register.players.all().delete()
            made.delete()
            made.register.delete()


def _remove(rows: QuerySet[Model]) -> None:
    while True:
        with short_transaction():
            keys = list(rows.order_by("pk").values_list("pk", flat=True)[:ROWS])
            rows.model._default_manager.filter(pk__in=keys).delete()
        if len(keys) < ROWS:
            return


def _remove_entrants(draft: Competition) -> bool:
    """Remove some entrants, with players and clubs that no other row names. Return False if none was left."""
    with short_transaction():
        some = draft.entrants.order_by("pk")[:ROWS].values_list("pk", "player", "player__club")
        entrants, players, clubs = (set(each) for each in zip(*some, strict=True)) if some else ((), (), ())
        Entrant.objects.filter(pk__in=entrants).delete()
        forget_players(players)
        Club.objects.filter(pk__in=clubs - {None}, players=None).delete() if clubs else None
    return bool(entrants)


def remove_abandoned() -> int:
    """Remove the drafts of killed imports and old jobs. Return the number of drafts."""
    now = timezone.now()
    alive = jobs_under_way()
    drafts = list(
        Competition.with_drafts.filter(is_draft=True, created_at__lte=now - SILENCE).exclude(
            pk__in=alive.exclude(competition=None).values("competition")
        )
    )
    for draft in drafts:
        discard(draft)
    ImportJob.objects.filter(seen_at__lt=now - KEPT).delete()
    return len(drafts)


# --- an import that a task does


def begin_job(*, league: League, by: User, form: Sent, replace: bool, removes: int) -> ImportJob:
    """Create the job of an upload.

    Raises ``AlreadyDone`` if the same form came before. Raises ``Refused`` if its key came with another file,
    or while other imports run.
    """
    with transaction.atomic():
        User.objects.select_for_update().get(pk=by.pk)  # the same form sent twice at once waits here
        before = ImportJob.objects.filter(key=form.key, user=by, fingerprint=form.fingerprint).first()
        if before is not None:
            form.answer["job"] = before.pk
            raise AlreadyDone(form.answer)
        if ImportJob.objects.filter(key=form.key).exists():
            raise Refused(SENT_BEFORE)
        refuse_repeat(form, by=by)
        running = jobs_under_way()
        if running.filter(league=league).exists():
            raise Refused(_("A file is being imported into this league. Wait until it is finished."))
        if running.count() >= MOST_AT_ONCE:
            raise Refused(_("The server is importing other files. Send this one again later."))
        job = ImportJob.objects.create(
            league=league,
            user=by,
            key=form.key,
            fingerprint=form.fingerprint,
            replace=replace,
            removes=removes,
            seen_at=timezone.now(),
        )
        form.answer["job"] = job.pk
        return job


def keep_upload(job: ImportJob, content: bytes) -> None:
    """Keep the upload, compressed, until its task has ended."""
    packed = gzip.compress(content, 1)
    KeptFile.objects.create(key=_upload_of(job), asked_at=timezone.now(), content=packed, size=len(packed))


def find_upload(job: ImportJob) -> bytes | None:
    found = KeptFile.objects.filter(key=_upload_of(job)).first()
    return bytes(found.content) if found and found.content else None


def forget_upload(job: ImportJob) -> None:
    KeptFile.objects.filter(key=_upload_of(job)).delete()


def _upload_of(job: ImportJob) -> str:
    return f"upload of import {job.pk}"


def begin_again(job: ImportJob) -> None:
    """Remove what a process that was killed has written of this import."""
    draft = Competition.with_drafts.filter(pk=job.competition_id or 0, is_draft=True).first()
    ImportJob.objects.filter(pk=job.pk).update(written=0, seen_at=timezone.now(), competition=None)
    if draft is not None:
        discard(draft)


def jobs_under_way() -> QuerySet[ImportJob]:
    return ImportJob.objects.filter(status__in=UNDER_WAY, seen_at__gt=timezone.now() - SILENCE)


def is_interrupted(job: ImportJob) -> bool:
    return job.status in UNDER_WAY and job.seen_at <= timezone.now() - SILENCE


def cancel_import(*, job: ImportJob) -> None:
    """Ask the process that writes the draft to remove it at its next turn."""
    ImportJob.objects.filter(pk=job.pk, status__in=UNDER_WAY).update(cancel=True)


def end_job(
    job: ImportJob, status: str, problems: list[list[str]] | None = None, *, stopped: bool = False
) -> None:
    ended = {"status": status, "problems": problems or [], "stopped": stopped, "seen_at": timezone.now()}
    ImportJob.objects.filter(pk=job.pk).update(**ended)
