"""Check the author, the player and the place of a penalty."""

from django.utils.translation import gettext_lazy as _

from league.core.access import Can
from league.core.changes import Change
from league.core.errors import Refused
from league.core.own_table import leave_to_others
from league.models import Dispute, Entrant, Penalty, Round, Seat, Table
from league.play.disputes.services import check_ruling

NOT_STARTED = _("This round has not started, so nothing happened in it. Log the penalty without a table.")


def check_player(draft: Penalty, player_id: int) -> None:
    """Refuse to log the draft for a player who was not at its place."""
    competition = draft.stage.competition
    round_ = draft.round
    table = draft.table
    if not draft.infraction and not draft.reason:
        raise Refused(_("Choose an offence or enter a reason."), field="reason")
    if round_ is not None and round_.stage_id != draft.stage_id:
        raise Refused(_("This round belongs to another stage."), field="round")
    seats = Seat.objects.filter(player_id=player_id)
    if table is not None and not seats.filter(table=table).exists():
        raise Refused(_("This player does not sit at this table."), field="player")
    if table is None and round_ is not None and not seats.filter(round=round_).exists():
        raise Refused(_("This player does not play in this round."), field="player")
    if not Entrant.objects.filter(competition=competition, player_id=player_id).exists():
        raise Refused(_("This player is not entered in this competition."), field="player")


def check_referee(done: Change, table: Table | None, *players: int, need: Can = Can.REFEREE) -> None:
    why = _("Referees cannot rule at their own table. Call another referee.")
    if table is None:
        why = _("Referees cannot decide their own penalties. Ask another referee.")
    leave_to_others(done, why, table=table, players=players, need=need)


def check_open(table: Table | None, round_: Round | None, dispute: Dispute | None) -> None:
    """Read the status under the lock. Only a ruling logs a penalty at a table of a closed round.

    Nothing has happened in a round that has not started.
    """
    if dispute is not None:
        check_ruling(dispute, table.pk if table else None)
        return
    if round_ is None:
        return
    status = Round.objects.filter(pk=round_.pk).values_list("status", flat=True).first()
    if status == Round.Status.PLANNED:
        raise Refused(NOT_STARTED)
    if table is not None and status == Round.Status.CLOSED:
        raise Refused(
            _(
                "This round is closed. Log the penalty without a table, open a dispute about the table, or "
                "ask an organizer to reopen the round."
            )
        )
