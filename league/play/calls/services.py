from contextlib import suppress
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.core.own_table import leave_to_others
from league.core.rounds import reread_round
from league.models import Call, Claim, Competition, Round, Table
from league.models.competitions import new_token
from league.play.calls.queries import ON_CALL, calls_of, message_kinds, messages_of, open_call
from players.models import Player

MOST_CALLS, MOST_WITHIN = 6, timedelta(hours=1)  # of visitors, or of one person, at one table
REOPENABLE = timedelta(minutes=1)  # for the referee who closed a call
MOST_CLAIMS = 40  # messages of visitors who claim to be players, on the lists of one competition


class AlreadyCalled(Exception):
    """The table has an open call. The message says so."""


def claim_seat(
    *, table: Table, player: Player, device: str, by: User | None, at: datetime | None = None
) -> bool:
    """Save that a phone says at the table that it is this player's. Return whether another one says so too.

    A second phone may be a new browser of the same player. So it is let in, and the first one and the hall
    show it.
    """
    claims = Claim.objects.filter(table=table, player=player)
    if claims.filter(device=device).exists():
        return claims.exclude(device=device).exists()
    with change(table, by=by, at=at, public=False) as done:
        is_second = claims.exists()
        Claim.objects.get_or_create(table=table, player=player, device=device, defaults={"at": done.at})
        if is_second:
            done.log("seat.claim", f"table:{table.pk}", after={"player": player.pk})
        return is_second


def call_referee(
    *, table: Table, by: User | None, note: str = "", form: Sent | None = None, at: datetime | None = None
) -> Call:
    """Call a referee to the table. ``by``: None for a visitor there.

    Raise ``AlreadyCalled`` if an earlier call is open. Raise ``Refused`` if the round is not being played,
    the competition takes no calls, or the table has called too often. The limit is per table, because all
    phones in a hall may share an address. The note is not logged, so that it can be erased.
    """
    with change(table, by=by, form=form, at=at, public=False) as done:
        status = Round.objects.filter(pk=table.round_id).values_list("status", flat=True).first()
        if status != Round.Status.OPEN:
            raise Refused(_("This round is not being played, so referees cannot be called."))
        if not done.competition.takes_calls:
            raise Refused(_("Calls are switched off here. Raise your hand, or go to the referees’ desk."))
        waiting = open_call(table)
        if waiting is not None and waiting.taken_by_id is not None:
            raise AlreadyCalled(_("A referee is already on the way."))
        if waiting is not None:
            raise AlreadyCalled(_("A referee has already been called and will come."))
        return _open_call(done, table, by, note, Call.Kind.REFEREE)


def tell_staff(
    *,
    table: Table,
    player: Player,
    kind: str,
    by: User | None,
    note: str = "",
    form: Sent | None = None,
    at: datetime | None = None,
) -> Call:
    """Send a message of a player about their table. ``by``: None for a visitor who claims to be the player.

    Raise ``Refused`` if the message comes too late or too early, is open already, needs a sentence, or if the
    table or all visitors have sent too many. Only staff read it, and nothing else follows from it.
    """
    with change(table, by=by, form=form, at=at, public=False) as done:
        kinds, _until = message_kinds(table, public=by is None, now=done.at)
        if kind not in kinds:
            raise Refused(
                _("The time for objections to this table is over. Go to the referees’ desk.")
                if kind == Call.Kind.OBJECTION
                else _("This table has been played. Tell the organizer if its result is wrong.")
            )
        if kind == Call.Kind.OBJECTION and not note.strip():
            raise Refused(_("Describe what is wrong."), field="note")
        if kind == Call.Kind.OBJECTION and not done.competition.takes_calls:
            raise Refused(_("Calls are switched off here. Raise your hand, or go to the referees’ desk."))
        if _waiting_calls(table, kind, player).exists():
            raise Refused(_("Staff already have this message."))
        listed = [*calls_of(done.competition), *messages_of(done.competition)] if by is None else []
        if sum(call.created_by is None and call.player is not None for call in listed) >= MOST_CLAIMS:
            raise Refused(_("Too many messages are waiting. Go to the referees’ desk."))
        return _open_call(done, table, by, note, kind, player)


def object_in(done: Change, table: Table, player: Player, by: User | None) -> None:
    """Call a referee because the player objects to the sheet of the phones, inside a change.

    The objection itself stays if a referee is called already, if calls are switched off, or if the table has
    called too often.
    """
    kind = Call.Kind.OBJECTION
    if done.competition.takes_calls and not _waiting_calls(table, kind, player).exists():
        with suppress(Refused):
            _open_call(done, table, by, "", kind, player)


def _waiting_calls(table: Table, kind: str, player: Player | None) -> QuerySet[Call]:
    return Call.objects.filter(table=table, kind=kind, player=player, closed_at__isnull=True)


def _open_call(
    done: Change, table: Table, by: User | None, note: str, kind: str, player: Player | None = None
) -> Call:
    """Create a call unless the table has sent too many of its kind within the hour."""
    recent = Call.objects.filter(table=table, kind=kind, created_by=by, created_at__gt=done.at - MOST_WITHIN)
    if recent.count() >= MOST_CALLS:
        raise Refused(
            ngettext(
                "A table can send %(count)s call per hour. Raise your hand, or go to the referees’ desk.",
                "A table can send %(count)s calls per hour. Raise your hand, or go to the referees’ desk.",
                MOST_CALLS,
            )
            % {"count": MOST_CALLS}
        )
    call = Call(table=table, kind=kind, player=player, note=note.strip(), created_by=by, created_at=done.at)
    call.save()
    about = {"table": table.pk} | ({"player": player.pk} if player else {})
    action = "call.open" if kind == Call.Kind.REFEREE else f"call.{kind}"
    done.log(action, f"call:{call.pk}", after=about)
    done.answer = {"call": call.pk}
    return call


def take_over_messages(competition: Competition, *, keep: int, gone: int) -> None:
    messages = Call.objects.of(competition)
    waiting = messages.filter(closed_at__isnull=True)
    same = waiting.filter(player=keep, table=OuterRef("table"), kind=OuterRef("kind"))
    waiting.filter(Exists(same), player=gone).delete()
    messages.filter(player=gone).update(player=keep)


def take_call(
    *, call: Call, by: User, seen: int | None = None, form: Sent | None = None, at: datetime | None = None
) -> Call:
    """Accept a call.

    ``seen``: id of the user who had accepted it on the page, or None, so that no referee takes over from a
    colleague unknowingly.
    """
    with change(call.table, by=by, form=form, at=at, public=False) as done:
        call = _read_open_call(call)
        leave_to_others(
            done, _("You are playing at this table. Another referee will come."), table=call.table
        )
        if call.taken_by_id == by.pk:
            raise Refused(_("You have already accepted this call."))
        if call.taken_by_id != seen:
            raise Refused(_("Someone else accepted this call a moment ago."))
        before = {"user": call.taken_by_id}
        call.taken_by, call.taken_at = by, done.at
        call.save(update_fields=["taken_by", "taken_at"])
        done.log("call.take", f"call:{call.pk}", before=before, after={"user": by.pk, "table": call.table_id})
        done.answer = {"call": call.pk}
        return call


def withdraw_call(
    *, call: Call, by: User | None, form: Sent | None = None, at: datetime | None = None
) -> Call:
    """Cancel a call. ``by``: None for a visitor at the table."""
    return _close(call, "call.withdraw", by, form, at)


def close_call(*, call: Call, by: User, form: Sent | None = None, at: datetime | None = None) -> Call:
    """Close a call after a referee was there, and erase its note.

    Raise ``Refused`` for a call or objection at the writer's own table, unless nobody else can answer it.
    """
    return _close(call, "call.close", by, form, at)


def _close(call: Call, action: str, by: User | None, form: Sent | None, at: datetime | None) -> Call:
    with change(call.table, by=by, form=form, at=at, public=False) as done:
        call = _read_open_call(call)
        if action == "call.close" and call.kind in ON_CALL:
            leave_to_others(
                done, _("You are playing at this table. Another referee must decide."), table=call.table
            )
        call.closed_by, call.closed_at, call.note = by, done.at, ""
        call.save(update_fields=["closed_by", "closed_at", "note"])
        done.log(action, f"call:{call.pk}", after={"table": call.table_id}, about=call)
        done.answer = {"call": call.pk}
        return call


def reopen_call(
    *, call: Call, note: str = "", by: User, form: Sent | None = None, at: datetime | None = None
) -> Call:
    """Take back a moment later that `by` closed the call. `note`: its erased note.

    Raise ``Refused`` if it is too late, or if the table or player has called again.
    """
    with change(call.table, by=by, form=form, at=at, public=False) as done:
        call_now = reread(Call.objects.with_competition(), pk=call.pk)
        if call_now.closed_at is None:
            raise Refused(_("This call is open again."))
        if call_now.closed_by_id != by.pk or done.at - call_now.closed_at > REOPENABLE:
            raise Refused(_("A closed call can be reopened only at once, by the referee who closed it."))
        if _waiting_calls(call_now.table, call_now.kind, call_now.player).exists():
            raise Refused(_("This table has called again. Answer the new call."))
        call_now.closed_by, call_now.closed_at, call_now.note = None, None, note
        call_now.save(update_fields=["closed_by", "closed_at", "note"])
        done.log("call.reopen", f"call:{call_now.pk}", after={"table": call_now.table_id})
        done.answer = {"call": call_now.pk}
        return call_now


def renew_table_codes(*, competition: Competition, by: User, form: Sent | None = None) -> None:
    """Replace the QR codes of the tables. Visitors can no longer call with the old ones."""
    with change(competition, by=by, form=form) as done:
        done.competition.table_key = new_token()
        done.competition.save(update_fields=["table_key"])
        done.log("table.codes", f"competition:{competition.pk}")


def start_clock(
    *,
    round_: Round,
    by: User,
    again: bool = False,
    minutes: int | None = None,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Round:
    """Start the time of the round. ``again``: restart it for all tables. ``minutes``: the time of this round
    if its rules have no time limit.
    """
    with change(round_, by=by, form=form, at=at) as done:
        started = reread_round(round_)
        is_limited = started.rules.minutes is not None
        if not is_limited and minutes is None:
            raise Refused(
                _("The rules of this division have no time limit. Enter the minutes of this round."),
                field="minutes",
            )
        if started.status != Round.Status.OPEN:
            raise Refused(_("This round has not started. Start it, then start its clock."))
        if started.clock_started_at is not None and not again:
            raise Refused(_("The clock of this round is already running."))
        before = _clock_facts(started)
        started.clock_started_at, started.clock_minutes = done.at, None if is_limited else minutes
        started.save(update_fields=["clock_started_at", "clock_minutes"])
        Table.objects.filter(round=started).update(extra_seconds=0)  # time lost before this start
        done.log("clock.start", f"round:{started.pk}", before=before, after=_clock_facts(started))
        done.answer = {"round": started.pk}
        return started


def _read_open_call(call: Call) -> Call:
    """Reads it again under the lock: two referees may press at once."""
    call_now = reread(Call.objects.with_competition(), pk=call.pk)
    if call_now.closed_at is not None:
        raise Refused(_("This call is closed: a referee has already been at the table."))
    return call_now


def _clock_facts(round_: Round) -> dict[str, object]:
    facts: dict[str, object] = {"started": _timestamp(round_.clock_started_at)}
    if round_.clock_minutes is not None:
        facts["clock_minutes"] = round_.clock_minutes
    return facts


def _timestamp(at: datetime | None) -> str:
    return at.isoformat(timespec="seconds") if at else ""
