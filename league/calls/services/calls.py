"""Calls for a referee: a table asks, somebody takes the call, somebody has been there."""

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.access import plays_at
from league.core.changes import Form, change
from league.core.errors import Refused
from league.models import Call, Round, Table


class AlreadyCalled(Refused):
    """The table has an open call: nothing needs to be done but to wait."""


def call_referee(
    *,
    table: Table,
    by: User | None,
    note: str = "",
    form: Form | None = None,
    at: datetime | None = None,
) -> Call:
    """The table asks for a referee; ``by`` None is a visitor at the table.

    Raises ``AlreadyCalled`` when it asked before and nobody has been there yet, ``Refused`` when the round is
    not being played.
    """
    with change(table.round.stage.division.competition, by=by, form=form, at=at) as done:
        status = Round.objects.filter(pk=table.round_id).values_list("status", flat=True).first()
        if status != Round.Status.OPEN:
            raise Refused(_("This round is not being played: no referee goes round its tables."))
        waiting = Call.objects.filter(table=table, closed_at__isnull=True).first()
        if waiting is not None and waiting.taken_by_id is not None:
            raise AlreadyCalled(_("A referee is on the way already."))
        if waiting is not None:
            raise AlreadyCalled(_("A referee has been called already: somebody will come."))
        call = Call.objects.create(table=table, note=note.strip(), created_by=by, created_at=done.at)
        after = {"table": table.pk, **({"note": call.note} if call.note else {})}
        done.log("call.open", f"call:{call.pk}", after=after)
        done.answer = {"call": call.pk}
        return call


def take_call(
    *,
    call: Call,
    by: User,
    seen: int | None = None,
    form: Form | None = None,
    at: datetime | None = None,
) -> Call:
    """``by`` goes to the table. ``seen`` is who had taken the call when the page was opened (a user's number,
    None: nobody): taking it over from a colleague is done knowingly or not at all.
    """
    with change(call.table.round.stage.division.competition, by=by, form=form, at=at) as done:
        call = _again(call)
        if plays_at(by.pk, call.table):
            raise Refused(_("You play at this table: another referee goes there."))
        if call.taken_by_id == by.pk:
            raise Refused(_("You have taken this call already."))
        if call.taken_by_id != seen:
            raise Refused(_("Somebody else took this call a moment ago."))
        before = {"user": call.taken_by_id}
        call.taken_by, call.taken_at = by, done.at
        call.save(update_fields=["taken_by", "taken_at"])
        done.log("call.take", f"call:{call.pk}", before=before, after={"user": by.pk, "table": call.table_id})
        done.answer = {"call": call.pk}
        return call


def close_call(*, call: Call, by: User, form: Form | None = None, at: datetime | None = None) -> Call:
    """Somebody has been there: the table may call again."""
    with change(call.table.round.stage.division.competition, by=by, form=form, at=at) as done:
        call = _again(call)
        call.closed_by, call.closed_at = by, done.at
        call.save(update_fields=["closed_by", "closed_at"])
        done.log("call.close", f"call:{call.pk}", after={"table": call.table_id})
        done.answer = {"call": call.pk}
        return call


def _again(call: Call) -> Call:
    """Read again under the lock: two referees may press at once."""
    found = Call.objects.select_related("table__round__stage__division__competition").get(pk=call.pk)
    if found.closed_at is not None:
        raise Refused(_("Somebody has been at this table already: the call is done."))
    return found
