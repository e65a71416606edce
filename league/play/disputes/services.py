"""Disputes at a table: open, rule step by step, close, add evidence. Steps are added, never changed.

The table's clock is paused while a dispute keeps the table from playing. Photographs are stored outside
everything that is served.
"""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import BinaryIO, Final

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.translation import gettext_lazy as _

from league.core.access import plays_at
from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.own_table import leave_to_others
from league.core.rounds import check_hand
from league.models import Call, Dispute, DisputeStep, Evidence, Round, Table
from league.play.calls.queries import finished_sheets, objections_until
from league.play.disputes.photographs import CONTENT_TYPE, safe_picture
from league.play.disputes.procedure import (
    BY_PLAYERS,
    CLOSABLE,
    FOLLOWS,
    INTERNAL,
    NEEDED,
    PAUSES,
    RESUMES,
    RULING,
    Step,
)
from league.play.disputes.queries import final_rulings
from league.play.disputes.words import MISSING
from league.play.hands.services import name_hand
from scoring.hand_codes import dealt_again, named_hand

MOST_PHOTOGRAPHS: Final = 12  # of one dispute


def open_dispute(
    *,
    table: Table,
    subject: str,
    by: User,
    hand: str = "",
    despite: bool = True,
    call: Call | None = None,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Dispute:
    """Open a dispute about the current ``hand`` or another one, and pause the table's clock.

    ``despite``: it is about something else than the final ruling about that hand, which is not open to
    objection (HKMA, 罰則總則: 不得異議). ``call``: the objection that it answers, which it closes. Raise
    ``Refused`` if a player of the table comes after ``objections_until``.
    """
    with change(table.competition, by=by, form=form, at=at) as done:
        table = _read_table(table)
        if table.round.status == Round.Status.PLANNED:
            raise Refused(_("This round has not started yet."))
        if Dispute.objects.filter(table=table, closed_at__isnull=True).exists():
            raise Refused(_("This table already has an open dispute. Continue with that one."))
        until = objections_until(table, public=False)
        if plays_at(by.pk, table) and _is_played(table) and not (until and done.at < until):
            raise Refused(_("The time for objections to this table is over. Go to the referees’ desk."))
        if not subject.strip():
            raise Refused(_("Describe what happened."), field="subject")
        hand = named_hand(hand, table.hand)
        if hand != table.hand:
            check_hand(table, hand)
        if not despite:
            _refuse_after_ruling(table, hand)
        dispute = Dispute.objects.create(
            competition=done.competition,
            table=table,
            hand=hand,
            subject=subject.strip(),
            created_by=by,
            created_at=done.at,
        )
        DisputeStep.objects.create(dispute=dispute, kind=Step.OPENED, created_by=by, created_at=done.at)
        if call is not None:  # whose note is the subject now
            answered = Call.objects.filter(pk=call.pk, table=table, closed_at__isnull=True)
            if answered.update(closed_by=by, closed_at=done.at, note=""):
                done.log("call.close", f"call:{call.pk}", after={"table": table.pk}, about=None)
        said = {"table": table.pk, "hand": dispute.hand, "subject": dispute.subject}
        done.log("dispute.open", _target(dispute), after=said)
        _pause(done, dispute)
        done.answer = {"dispute": dispute.pk}
        return dispute


def _refuse_after_ruling(table: Table, hand: str) -> None:
    ruling = next((step for step in reversed(final_rulings(table)) if step.dispute.hand == hand), None)
    if ruling is not None:
        raise Refused(
            _(
                "The final ruling about this hand is not open to objection: “%(decided)s”. Tick below if "
                "something else happened."
            )
            % {"decided": ruling.decided},
            field="despite",
        )


def take_step(
    *,
    dispute: Dispute,
    kind: str,
    by: User,
    said: str = "",
    decided: str = "",
    redeal: bool = False,
    closes: bool = False,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Dispute:
    """Take the step ``kind``.

    ``redeal``: the ruling has the hand dealt again, which ends its bans on winning. ``closes``: play resumes
    without an objection.

    Raise ``Refused`` if the dispute is closed or the step does not follow (``FOLLOWS``). A step also needs
    its text, a hand to redeal that is not over, and a referee who does not play at the table.
    """
    with change(dispute.competition, by=by, form=form, at=at) as done:
        dispute = _read(dispute)
        _check_referee(done, dispute, kind)
        _check_follows(dispute, kind)
        _check_texts(kind, {"said": said, "decided": decided})
        if redeal:
            _check_redeal(dispute, kind)
            name_hand(done, dispute.table, dealt_again(dispute.hand))
        step = DisputeStep(dispute=dispute, kind=kind, created_by=by, created_at=done.at, redeal=redeal)
        step.said, step.decided = said.strip(), decided.strip()
        step.save()
        before = {"step": str(dispute.step)}
        dispute.step = kind
        dispute.save(update_fields=["step"])
        done.log("dispute.step", _target(dispute), before=before, after=describe_step(step))
        if kind in PAUSES:
            _pause(done, dispute)
        if kind in RESUMES:
            _resume(done, dispute)
        if kind == Step.FINAL or (closes and kind in CLOSABLE):
            _close(done, dispute)
        done.answer = {"dispute": dispute.pk}
        return dispute


def close_dispute(
    *, dispute: Dispute, by: User, form: Sent | None = None, at: datetime | None = None
) -> Dispute:
    """Close a dispute without an objection to its preliminary ruling."""
    with change(dispute.competition, by=by, form=form, at=at) as done:
        dispute = _read(dispute)
        _check_referee(done, dispute)
        _check_open(dispute)
        if dispute.step not in CLOSABLE:
            raise Refused(
                _(
                    "A dispute closes with a final ruling, or when play has resumed without an objection. "
                    "Continue with the next step."
                )
            )
        _close(done, dispute)
        done.answer = {"dispute": dispute.pk}
        return dispute


def add_evidence(
    *,
    dispute: Dispute,
    by: User,
    note: str = "",
    photograph: BinaryIO | None = None,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Evidence:
    """Add a note, a photograph, or both. The photograph is stored as ``safe_picture`` writes it.

    Raise ``Refused`` if both are missing, the dispute is closed or has ``MOST_PHOTOGRAPHS``, ``safe_picture``
    refuses the file, or the referee plays at the table.
    """
    if not note.strip() and photograph is None:
        raise Refused(_("Enter a note or choose a photograph."), field="note")
    content = None if photograph is None else safe_picture(photograph)  # slow: before others have to wait
    name = ""
    try:
        with change(dispute.competition, by=by, form=form, at=at) as done:
            _check_evidence(done, _read(dispute), photograph=content is not None)
            evidence = Evidence(dispute=dispute, note=note.strip(), created_by=by, created_at=done.at)
            if content is not None:
                name = default_storage.save(f"{dispute.pk}/{uuid.uuid4()}.jpg", ContentFile(content))
                evidence.file.name = name
                evidence.content_type, evidence.size = CONTENT_TYPE, len(content)
            evidence.save()
            done.log("evidence.add", _target(dispute), after=describe_evidence(evidence))
            done.answer = {"evidence": evidence.pk}
            return evidence
    except BaseException:
        if name:  # the database forgot it: so does the disk
            default_storage.delete(name)
        raise


def check_ruling(dispute: Dispute, table_id: int | None) -> None:
    """Raise ``Refused`` if the dispute is about another table, or has no ruling yet. It may be closed."""
    if dispute.table_id != table_id:
        raise Refused(_("This dispute is about another table. Choose an item of that table."))
    if not DisputeStep.objects.filter(dispute=dispute, kind__in=RULING).exists():
        raise Refused(_("This dispute has no ruling yet. Enter the ruling, then carry it out."))


def describe_step(step: DisputeStep) -> dict[str, object]:
    """Describe a step for the audit log. The referees' meeting has no text there."""
    if step.kind in INTERNAL:
        return {"step": str(step.kind)}
    return {
        "step": str(step.kind),
        **({"said": step.said} if step.said else {}),
        **({"decided": step.decided} if step.decided else {}),
        **({"redeal": True} if step.redeal else {}),
    }


def describe_evidence(evidence: Evidence) -> dict[str, object]:
    return {
        **({"note": evidence.note} if evidence.note else {}),
        **({"bytes": evidence.size} if evidence.file else {}),
    }


# --- what is refused


def _check_referee(done: Change, dispute: Dispute, kind: str = "") -> None:
    if kind not in BY_PLAYERS:
        why = _("Referees cannot rule at their own table. Call another referee.")
        leave_to_others(done, why, table=dispute.table)


def _check_open(dispute: Dispute) -> None:
    if dispute.closed_at is None:
        return
    if dispute.step == Step.FINAL:
        raise Refused(_("This dispute was closed by the final ruling and cannot be reopened."))
    raise Refused(_("This dispute was closed without an objection. Open a new dispute if needed."))


def _check_follows(dispute: Dispute, kind: str) -> None:
    _check_open(dispute)
    if kind in FOLLOWS[dispute.step]:
        return
    if kind == dispute.step:
        raise Refused(_("Someone else has already recorded this step. Check their entry."))
    following = " / ".join(str(Step(each).label) for each in FOLLOWS[dispute.step])
    words = {"step": Step(dispute.step).label, "next": following}
    raise Refused(_("This dispute is at the step “%(step)s”. Next: %(next)s.") % words)


def _check_texts(kind: str, texts: Mapping[str, str]) -> None:
    needed = NEEDED.get(kind)
    if needed and not texts[needed].strip():
        raise Refused(MISSING[needed], field=needed)


def _check_redeal(dispute: Dispute, kind: str) -> None:
    table = dispute.table
    if kind not in RULING:
        raise Refused(_("A hand can be replayed only by a ruling."), field="redeal")
    if table.round.status != Round.Status.OPEN or _is_played(table):
        raise Refused(
            _("A hand cannot be replayed after the game is over. Correct the score sheet instead."),
            field="redeal",
        )
    if table.hand != dispute.hand:
        raise Refused(
            _("The hand of this dispute can no longer be replayed: the table has moved on."), field="redeal"
        )


def _is_played(table: Table) -> bool:
    return finished_sheets().filter(table=table).exists()


def _check_evidence(done: Change, dispute: Dispute, *, photograph: bool) -> None:
    if dispute.closed_at is not None:
        raise Refused(_("A closed dispute accepts no further evidence."))
    why = _("Players of this table cannot add evidence. Give it to the referee.")
    leave_to_others(done, why, table=dispute.table)
    if photograph and dispute.evidence.exclude(file="").count() >= MOST_PHOTOGRAPHS:
        words = _("A dispute can have at most %(most)s photographs. No more can be added.")
        raise Refused(words % {"most": MOST_PHOTOGRAPHS}, field="photograph")


# --- writing


def _read(dispute: Dispute) -> Dispute:
    """Reads it again under the lock: two referees may act on the same dispute at once."""
    division = "table__round__stage__division"
    related = ("competition", f"{division}__competition", f"{division}__rule_set")
    return reread(Dispute.objects.select_related(*related), pk=dispute.pk)


def _read_table(table: Table) -> Table:
    return reread(Table.objects.with_rules(), pk=table.pk)


def _target(dispute: Dispute) -> str:
    return f"dispute:{dispute.pk}"


def _close(done: Change, dispute: Dispute) -> None:
    dispute.closed_at = done.at
    dispute.save(update_fields=["closed_at"])
    done.log("dispute.close", _target(dispute), after={"step": str(dispute.step)}, about=dispute)


def _pause(done: Change, dispute: Dispute) -> None:
    """Pause play unless it is paused already or the table has a result."""
    table = dispute.table
    rests = dispute.paused_at is not None and dispute.resumed_at is None
    if rests or table.round.status != Round.Status.OPEN or _is_played(table):
        return
    dispute.paused_at, dispute.resumed_at = done.at, None
    dispute.save(update_fields=["paused_at", "resumed_at"])
    if table.round.clock_started_at is not None:
        done.log("clock.pause", f"table:{table.pk}", after={"dispute": dispute.pk})


def _resume(done: Change, dispute: Dispute) -> None:
    """Resume play and add the lost time to the table's clock, once."""
    if dispute.paused_at is None or dispute.resumed_at is not None:
        return
    dispute.resumed_at = done.at
    dispute.save(update_fields=["resumed_at"])
    table, started = dispute.table, dispute.table.round.clock_started_at
    if started is None:
        return
    lost = max(0, int((done.at - max(dispute.paused_at, started)).total_seconds()))
    before = {"extra_seconds": table.extra_seconds}
    table.extra_seconds += lost
    table.save(update_fields=["extra_seconds"])
    after = {"extra_seconds": table.extra_seconds, "dispute": dispute.pk}
    done.log("clock.resume", f"table:{table.pk}", before=before, after=after)
