"""Record, correct, confirm and void score sheets. Every version stays in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db.models import BigAutoField, Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _

from league.core.access import Can
from league.core.changes import GONE, Change, Sent, change
from league.core.errors import Conflict, Refused
from league.core.messages import chips_problem, sheet_problem
from league.core.own_table import leave_to_others
from league.core.prepared import Argument, Prepared
from league.core.text import sentences
from league.models import (
    Competition,
    Dispute,
    Proposal,
    Round,
    RuleSet,
    Seat,
    Sheet,
    Stage,
    Submission,
    Table,
)
from league.models.play import NOBODY, sheet_columns
from league.play.calendar.queries.table_times import POSTPONED, last_decision
from league.play.calendar.services.table_times import forget_made_up, note_made_up
from league.play.disputes.services import check_ruling
from league.play.hands.queries import table_game
from league.play.results.adjustments import give_back_missed, missed, revoke_missed
from league.play.results.queries.games import SEATED, with_facts
from league.play.results.release import release_if_complete
from scoring.checks import check_hands, check_sheet
from scoring.settlement import NO_CHIPS, NOBODY_NAMED, NORTH, Ending, Four, named_pairs

UNDO, GRACE = timedelta(seconds=10), timedelta(seconds=5)  # for a slow network
RECORD = "result.record"  # of the log
OWN_TABLE = _("You are playing at this table. Another staff member must decide.")
SAVED_MEANWHILE = _(
    "Another score sheet for this table was saved while you were typing. Compare the two and choose the "
    "correct one."
)
UNDONE_MEANWHILE = _(
    "The score sheet that you opened has been undone. Check what you typed, then save it again."
)
CLOSED = _("This round is closed. Ask an organizer to reopen it and change the score sheet.")


def record_result(
    *,
    table: Table,
    points: Sequence[int],
    sticks: int = 0,
    last_dealer: int = NORTH,
    sashiuma: Mapping[int, int] = NOBODY_NAMED,
    chips: Four = NO_CHIPS,
    based_on: int,
    by: User | None,
    seated: Sequence[int] | None = None,
    reason: str = "",
    dispute: Dispute | None = None,
    despite_hands: bool = True,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Sheet:
    """Save a score sheet as the table's current version and return it.

    ``points``: raw points from east to north. ``sticks``: deposits left, in points. ``last_dealer``,
    ``sashiuma`` (seat → named seat) and ``chips`` matter only if the rule set knows them. ``based_on``: id of
    the sheet on the page (0: none). ``seated``: the players on the page. ``reason``: required to replace a
    sheet that others know (``needs_reason``). ``dispute``: its ruling asks for the correction.
    ``despite_hands``: the sender has seen what the table's recorded hands say. Adjustments of the players
    for missing the round are revoked.

    Raise ``Conflict`` if another sheet is current. Raise ``Refused`` if the sheet is impossible or unchanged,
    the round is not open, or seats are empty or have changed. Raise ``AlreadyDone`` for a form sent before.
    """
    ending = Ending(sticks, last_dealer, named_pairs(sashiuma), chips)
    with change(table, by=by, form=form, at=at) as done:
        if not despite_hands:
            check_witness(table, points, ending)
        return record_in(
            done, table, points, ending, based_on=based_on, seated=seated, reason=reason, dispute=dispute
        )


def check_witness(table: Table, points: Sequence[int], ending: Ending) -> None:
    """Refuse a sheet that the recorded hands of its table contradict."""
    if problems := check_hands(points, ending, table_game(table).game):
        said = [_("The score sheet does not agree with the recorded hands."), *map(sheet_problem, problems)]
        raise Refused(sentences(said), code=problems[0].code)


def record_in(
    done: Change,
    table: Table,
    points: Sequence[int],
    ending: Ending,
    *,
    based_on: int,
    seated: Sequence[int] | None = None,
    reason: str = "",
    dispute: Dispute | None = None,
    signed: Proposal | None = None,
    confirmed_by: User | None = None,
) -> Sheet:
    """Record a sheet inside a change. ``signed``: the table's proposal, whose sheet is confirmed at once, by
    ``confirmed_by`` or by its signatures.
    """
    now = _read_now(table, based_on=based_on)
    _check_open(now)
    if dispute is not None:
        check_ruling(dispute, table.pk)
    _check_seats(now, seated)
    check_possible(table, points, ending)
    if signed is None:
        _check_correction(now, points, ending, reason=reason)
    done.is_public = done.is_public and now.is_public
    if now.is_to_make_up:
        note_made_up(done, table)
    status = Sheet.Status.ENTERED if signed is None else Sheet.Status.CONFIRMED
    sheet = _write_version(
        done,
        table,
        now.sheet,
        points,
        ending,
        reason=reason,
        action=RECORD,
        status=status,
        dispute=dispute,
        signed=signed,
        confirmed_by=confirmed_by,
        proposed=now.has_proposals,
    )
    if now.has_missed:
        revoke_missed(done, table.seats.all())
    return sheet


def may_undo(sheet: Sheet, by: int | None, *, at: datetime) -> bool:
    """Return whether this person typed the sheet a moment ago and it is not confirmed."""
    mine = sheet.is_typed and sheet.entered_by_id is not None and sheet.entered_by_id == by
    return mine and sheet.status == Sheet.Status.ENTERED and at - sheet.entered_at <= UNDO + GRACE


def undo_result(
    *, table: Table, based_on: int, by: User, form: Sent | None = None, at: datetime | None = None
) -> None:
    """Delete the sheet that this person saved a moment ago. The previous version counts again."""
    with change(table, by=by, form=form, at=at) as done:
        now = _read_now(table, based_on=based_on)
        _check_open(now)
        sheet = now.sheet
        if sheet is None or not may_undo(sheet, by.pk, at=done.at):
            raise Refused(_("Too late to undo. Correct the score sheet instead."))
        before = table.sheets.exclude(pk=sheet.pk).order_by("-version").first()
        done.log(
            "result.undo",
            f"table:{table.pk}",
            before=describe(sheet),
            after=describe(before) if before else None,
        )
        sheet.delete()
        forget_made_up(table, at=sheet.entered_at)
        give_back_missed(done, table, at=sheet.entered_at)
        # Its form may come again, as one that was never sent.
        Submission.objects.filter(competition=done.competition, user=by, created_at=sheet.entered_at).delete()
        if before is not None:
            before.is_current = True
            before.save(update_fields=["is_current"])
        if newest := _newest_proposal(table):
            # The one that the sheet replaced, if no later one did.
            newest.is_current = newest.sheet_id == (before.pk if before else None)
            newest.save(update_fields=["is_current"])
        done.answer = {"table": table.pk}


def void_result(
    *,
    table: Table,
    based_on: int,
    reason: str,
    by: User,
    dispute: Dispute | None = None,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Sheet:
    """Void the result and keep the sheet. ``record_result`` can replace it."""
    with change(table, by=by, form=form, at=at) as done:
        now = _read_now(table, based_on=based_on)
        done.is_public = now.is_public
        current = now.sheet
        _check_open(now)
        if dispute is not None:
            check_ruling(dispute, table.pk)
        if current is None or current.status == Sheet.Status.VOID:
            raise Refused(_("This table has no result to void."))
        if not reason.strip():
            raise Refused(_("Give a reason for voiding the result."), field="reason")
        return _write_version(
            done,
            table,
            current,
            current.points,
            current.ending,
            reason=reason,
            action="result.void",
            status=Sheet.Status.VOID,
            dispute=dispute,
        )


def forfeit_table(done: Change, table: Table, *, reason: str) -> Sheet:
    """Give the table a void sheet inside a change, after a player left.

    It has the starting points, because nothing was played to an end. A result can still be recorded. Raise
    ``Conflict`` if the table has a sheet.
    """
    _check_seats(_read_now(table, based_on=0), None)
    start = table.rules.start_points
    return _write_version(
        done,
        table,
        None,
        (start, start, start, start),
        Ending(),
        reason=reason,
        action="result.forfeit",
        status=Sheet.Status.VOID,
    )


def confirm_result(
    *, table: Table, based_on: int, by: User, form: Sent | None = None, at: datetime | None = None
) -> Sheet:
    """Confirm the current sheet as a second person.

    Raise ``Refused`` for the person who entered it, and for staff who play at the table and can leave it to
    others (not in free play). Raise ``Conflict`` if another sheet is current. A closed round
    allows this: the last table could not be confirmed otherwise.
    """
    with change(table, by=by, form=form, at=at) as done:
        now = _read_now(table, based_on=based_on)
        sheet, done.is_public = now.sheet, now.is_public
        if sheet is None or sheet.status != Sheet.Status.ENTERED:
            why = _("This table has no score sheet awaiting confirmation.")
            raise Refused(why, code="nothing_to_confirm")
        if sheet.entered_by_id == by.pk:
            why = _("You entered this score sheet. Ask a second person to confirm it.")
            raise Refused(why, code="own_sheet")
        if table.round.stage.play != Stage.Play.OPEN:  # where one of the four confirms
            leave_to_others(done, OWN_TABLE, table=table, need=Can.STAFF, but=[sheet.entered_by_id])
        return confirm_in(done, table, sheet, by)


def confirm_in(done: Change, table: Table, sheet: Sheet, by: User | None) -> Sheet:
    """Confirm the sheet inside a change. ``by``: None if its signatures confirm it."""
    before = describe(sheet)
    sheet.status, sheet.confirmed_by, sheet.confirmed_at = Sheet.Status.CONFIRMED, by, done.at
    sheet.save(update_fields=["status", "confirmed_by", "confirmed_at"])
    done.log("result.confirm", f"table:{table.pk}", before=before, after=describe(sheet))
    release_if_complete(done, table)
    done.answer = {"sheet": sheet.pk}
    return sheet


def place_facts(done: Change, table: Table, source: Sheet | None, *, reason: str) -> Sheet | None:
    """Write ``source`` as the table's next version, inside a change that corrects seats or tables.

    The new version has to be confirmed again, because the confirmation meant other people. Without a
    ``source`` the table's own sheet becomes void. Return None if there is nothing to write.
    """
    current = Sheet.objects.current().filter(table=table).first()
    said = current if source is None else source
    if said is None:
        return None
    status = said.status if source is not None else Sheet.Status.VOID
    if status == Sheet.Status.CONFIRMED:
        status = Sheet.Status.ENTERED
    sheet = _write_version(
        done, table, current, said.points, said.ending, reason=reason, action="result.move", status=status
    )
    if status != Sheet.Status.VOID:
        revoke_missed(done, table.seats.all())
    return sheet


def describe(sheet: Sheet) -> dict[str, object]:
    return {
        "version": sheet.version,
        "status": str(sheet.status),
        "points": list(sheet.points),
        "sticks": sheet.sticks,
        "reason": sheet.reason,
        **({"last_dealer": sheet.last_dealer} if sheet.last_dealer != NORTH else {}),
        **({"named": sheet.named} if sheet.named != NOBODY else {}),
        **({"chips": list(sheet.chips)} if any(sheet.chips) else {}),
        **({"dispute": sheet.dispute_id} if sheet.dispute_id else {}),
    }


@dataclass(frozen=True, slots=True)
class _TableNow:
    """A table under the lock, with what other people changed since the page was opened."""

    round_status: str
    visibility: str
    players: tuple[int | None, ...]  # by wind
    decision: str | None  # of the calendar, see ``last_decision``
    has_missed: bool  # a player here has points for missing the round
    has_proposals: bool  # its phones typed a sheet
    sheet: Sheet | None

    @property
    def is_to_make_up(self) -> bool:
        return self.sheet is None and self.decision == POSTPONED

    @property
    def is_public(self) -> bool:
        """Whether visitors see a change of the result, of a date made up, or of points for a missed round."""
        return self.visibility == Round.Visibility.RESULTS or self.is_to_make_up or self.has_missed


def _read_now(table: Table, *, based_on: int) -> _TableNow:
    """Raises ``Conflict`` when another sheet than ``based_on`` is current, ``Refused`` without a table."""
    # An id, because a sheet that was undone frees its version for another one.
    # The race of two savers is decided here, under the lock of the table: the second sees the first one.
    division = table.round.stage.division
    rows = _NOW(table=table.pk, competition=division.competition_id)
    if not rows:
        raise Refused(GONE, code="gone")
    (row,) = rows
    status, visibility, decision, has_missed, has_proposals, rule_set, sheet, *players = row
    table.round.visibility = visibility
    if division.rule_set_id != rule_set:  # an organizer has just given it other rules
        division.rule_set = RuleSet.objects.get(pk=rule_set)
    current = Sheet.objects.select_related("entered_by").get(pk=sheet) if sheet else None
    if (sheet or 0) != based_on:
        raise Conflict(SAVED_MEANWHILE if current else UNDONE_MEANWHILE, current=current)
    return _TableNow(
        round_status=status,
        visibility=visibility,
        players=tuple(players),
        decision=decision,
        has_missed=bool(has_missed),
        has_proposals=bool(has_proposals),
        sheet=current,
    )


def _facts_now() -> "QuerySet[Table, tuple[Any, ...]]":
    competition = Argument("competition", BigAutoField())
    table = Table.objects.filter(pk=Argument("table", BigAutoField())).of(competition)
    seats = Seat.objects.filter(table=OuterRef(OuterRef("pk")))  # of the table, in a query of adjustments
    proposed = Exists(Proposal.objects.filter(table=OuterRef("pk")))
    tables_now = with_facts(table).annotate(
        decision=last_decision(), has_missed=Exists(missed(seats)), has_proposals=proposed
    )
    rules = "round__stage__division__rule_set"
    known = ("round__status", "round__visibility", "decision", "has_missed", "has_proposals")
    return tables_now.values_list(*known, rules, "now__pk", *SEATED)


_NOW = Prepared(_facts_now)


def _check_open(now: _TableNow) -> None:
    if now.round_status == Round.Status.PLANNED:
        why = _("This round has not started yet. Start it, then enter results.")
        raise Refused(why, code="round_not_open")
    if now.round_status == Round.Status.CLOSED and not now.is_to_make_up:
        raise Refused(CLOSED, code="round_closed")


def _check_seats(now: _TableNow, seated: Sequence[int] | None) -> None:
    # A new seating may have come between the page and the sheet: scores must not land on other people.
    sitting = [player for player in now.players if player is not None]
    if seated is not None and sitting != list(seated):
        raise Refused(
            _("The seating of this table has changed since you opened the page. Check the names, then save."),
            code="seating_changed",
        )
    if len(sitting) != 4:
        raise Refused(_("This table has an empty seat. Seat four players first."), code="empty_seat")


def needs_reason(sheet: Sheet, visibility: str) -> bool:
    """Return whether a correction needs a reason: the sheet is confirmed, void or published."""
    return sheet.status != Sheet.Status.ENTERED or visibility == Round.Visibility.RESULTS


def _check_correction(now: _TableNow, points: Sequence[int], ending: Ending, *, reason: str) -> None:
    current = now.sheet
    if current is None:
        return
    is_same = (current.points, current.ending) == (tuple(points), ending)
    if is_same and current.status != Sheet.Status.VOID:
        raise Refused(_("Nothing to correct: this is the same as the saved sheet."), code="unchanged")
    if needs_reason(current, now.visibility) and not reason.strip():
        raise Refused(
            _("Give a reason for the correction, for example “entered 207 instead of 270”."),
            field="reason",
            code="reason_missing",
        )


def check_possible(table: Table, points: Sequence[int], ending: Ending) -> None:
    rules = table.rules
    if ending.sashiuma and rules.sashiuma is None:
        raise Refused(_("These rules have no sashiuma, so no one can be named."))
    if any(namer == named for namer, named in ending.sashiuma):
        raise Refused(_("A player must name one of the other three."))
    if any(ending.chips) and rules.chip_value is None:
        raise Refused(_("These rules have no chips."))
    if sum(ending.chips):
        raise Refused(chips_problem(ending.chips))
    errors = [p for p in check_sheet(points, ending.sticks, rules) if p.level == "error"]
    if errors:
        raise Refused(sentences(sheet_problem(p) for p in errors), code=errors[0].code)


def _write_version(
    done: Change,
    table: Table,
    current: Sheet | None,
    points: Sequence[int],
    ending: Ending,
    *,
    reason: str,
    action: str,
    status: str = Sheet.Status.ENTERED,
    dispute: Dispute | None = None,
    signed: Proposal | None = None,
    confirmed_by: User | None = None,
    proposed: bool = True,
) -> Sheet:
    if current is not None:
        current.is_current = False
        current.save(update_fields=["is_current"])
    sheet = Sheet.objects.create(
        table=table,
        version=current.version + 1 if current else 1,
        status=status,
        **sheet_columns(points, ending),
        total=table.rules.total_points,
        reason=reason.strip(),
        dispute=dispute,
        entered_by=signed.user if signed else done.by,
        entered_at=done.at,
        is_typed=action == RECORD,
        confirmed_by=confirmed_by,
        confirmed_at=done.at if status == Sheet.Status.CONFIRMED else None,
    )
    if proposed:
        _follow_sheet(done, current, sheet, signed)
    before = describe(current) if current else None
    done.log(action, f"table:{table.pk}", before=before, after=describe(sheet), about=sheet)
    release_if_complete(done, table)
    done.answer = {"sheet": sheet.pk}
    return sheet


def _follow_sheet(done: Change, before: Sheet | None, sheet: Sheet, signed: Proposal | None) -> None:
    """Link the proposal from which the sheet was recorded, or retire the current one.

    If people at the table had signed the sheet ``before``, its correction asks for signatures again (HKMA
    半莊結束 §7: signatures mean that the score is right).
    """
    newest = _newest_proposal(sheet.table)
    if newest is None:
        return
    if signed is not None:
        signed.sheet = sheet
        signed.save(update_fields=["sheet"])
        return
    if newest.is_current:
        newest.is_current = False
        newest.save(update_fields=["is_current"])
    asks = done.competition.signatures != Competition.Signatures.NONE and sheet.status != Sheet.Status.VOID
    if asks and before is not None and newest.sheet_id == before.pk:
        write_proposal(done, sheet.table, sheet.points, sheet.ending, number=newest.number + 1, sheet=sheet)


def _newest_proposal(table: Table) -> Proposal | None:
    return Proposal.objects.filter(table=table).order_by("-number").first()


def write_proposal(
    done: Change, table: Table, points: Sequence[int], ending: Ending, *, number: int, **more: Any
) -> Proposal:
    """Create the table's current proposal inside a change. The one before is retired."""
    return Proposal.objects.create(
        table=table,
        number=number,
        **sheet_columns(points, ending),
        user=done.by,
        at=done.at,
        **more,
    )
