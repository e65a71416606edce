"""A player leaves, and the organizer decides about each seat: a substitute, or a forfeited table."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.models import Entrant, Round, Seat, Table
from league.play.bans.queries import open_seats
from league.play.bans.services import take_out
from league.play.results.services import forfeit_table
from league.play.substitutions.queries.substitutes import is_in_dispute
from league.play.substitutions.services.substitutions import WHY, seat_substitute

FORFEIT = 0  # instead of a substitute's id


def forfeit_player(*, entrant: Entrant, reason: str, by: User, form: Sent | None = None) -> Entrant:
    """Withdraw a player for disobeying the referees (HKMA, 裁判守則 3.1)."""
    with change(entrant.competition, by=by, form=form) as done:
        entrant = _reread(entrant)
        if entrant.withdrawn_at is not None:
            raise Refused(_("This player has already left."))
        if not reason.strip():
            raise Refused(
                _("Give a reason for the player leaving. It is kept in the audit log."), field="reason"
            )
        take_out(done, entrant, {"reason": reason.strip()})
        done.answer = {"entrant": entrant.pk}
        return entrant


def decide_seats(
    *,
    entrant: Entrant,
    choices: Mapping[int, int],
    reason: str,
    score: int = 0,
    by: User,
    form: Sent | None = None,
) -> list[Table]:
    """Decide on seats of a player who left: table id → the substitute's player id, or ``FORFEIT``.

    In an open round the substitute came late. The player gets ``score`` tenths per round. If the player was a
    substitute, another one takes the seat and the absent player keeps their points. A forfeited table keeps
    its seats and gets a void sheet. Raise ``Refused`` without a reason, for a table with a sheet or an open
    dispute, and for a substitute who cannot sit there.
    """
    with change(entrant.competition, by=by, form=form) as done:
        entrant = _reread(entrant)
        if entrant.withdrawn_at is None:
            raise Refused(_("This player has not left and keeps all seats."))
        if not reason.strip():
            raise Refused(WHY, field="reason")
        waiting = {seat.table_id: seat for seat in open_seats(entrant.player_id, done.competition)}
        for table, substitute in choices.items():
            if table not in waiting:
                raise Refused(_("One of these tables has just been decided by someone else. Check again."))
            _decide_seat(done, waiting[table], substitute, reason=reason, score=score)
        done.answer = {"entrant": entrant.pk}
        return [waiting[table].table for table in choices]


def _decide_seat(done: Change, seat: Seat, substitute: int, *, reason: str, score: int) -> None:
    if is_in_dispute([seat.table_id]):
        raise Refused(
            _("Table %(table)s has an open dispute. Close it first.") % {"table": seat.table.number}
        )
    if substitute == FORFEIT:
        forfeit_table(done, seat.table, reason=reason)
        return
    late = seat.round.status == Round.Status.OPEN
    given = None if seat.stands_for_id else score
    seat_substitute(done, seat, substitute, late=late, score=given, reason=reason)


def _reread(entrant: Entrant) -> Entrant:
    """The entrant as it is under the lock."""
    return reread(Entrant.objects.select_related("player", "competition"), pk=entrant.pk)
