"""Penalties: logged, and revoked with a reason. Nothing about a logged penalty is ever edited."""

from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.models import Entrant, Penalty, Round, Seat, Stage, Table
from league.services.changes import Form, change
from league.services.errors import Refused


def log_penalty(
    *,
    stage: Stage,
    player_id: int,
    score: int,
    by: User | None,
    round_: Round | None = None,
    table: Table | None = None,
    infraction: str = "",
    level: str = "",
    reason: str = "",
    form: Form | None = None,
    at: datetime | None = None,
) -> Penalty:
    """Log a penalty of ``score`` tenths (negative: a deduction); it counts at once.

    Raises ``Refused`` when the player is not entered, does not sit at ``table`` or in ``round_``, or when
    neither an offence nor a reason is given.
    """
    round_ = table.round if table else round_
    with change(stage.division.competition, by=by, form=form, at=at) as done:
        _check(stage, player_id, round_, table, infraction=infraction, reason=reason)
        penalty = Penalty.objects.create(
            competition=done.competition,
            stage=stage,
            round=round_,
            table=table,
            player_id=player_id,
            infraction=infraction,
            level=level,
            score=score,
            reason=reason.strip(),
            logged_by=by,
            logged_at=done.at,
        )
        done.log("penalty.log", f"penalty:{penalty.pk}", after=describe(penalty))
        done.answer = {"penalty": penalty.pk}
        return penalty


def revoke_penalty(
    *, penalty: Penalty, reason: str, by: User, form: Form | None = None, at: datetime | None = None
) -> Penalty:
    """Revoke a penalty: it stays on the record with who revoked it and why, and counts no more."""
    with change(penalty.competition, by=by, form=form, at=at) as done:
        # Read again under the lock: two referees may revoke the same penalty at once.
        penalty = Penalty.objects.select_related("stage__division__competition", "player").get(pk=penalty.pk)
        if penalty.revoked_at is not None:
            raise Refused(_("This penalty was revoked already. Log it again if it should count."))
        if not reason.strip():
            raise Refused(_("Say why the penalty is revoked."), field="reason")
        penalty.revoked_by, penalty.revoked_at, penalty.revoke_reason = by, done.at, reason.strip()
        penalty.save(update_fields=["revoked_by", "revoked_at", "revoke_reason"])
        done.log(
            "penalty.revoke",
            f"penalty:{penalty.pk}",
            before=describe(penalty),
            after={"reason": reason.strip()},
        )
        done.answer = {"penalty": penalty.pk}
        return penalty


def describe(penalty: Penalty) -> dict[str, object]:
    """The penalty as the audit log keeps it: ids, never names."""
    return {
        "player": penalty.player_id,
        "stage": penalty.stage_id,
        "round": penalty.round_id,
        "table": penalty.table_id,
        "infraction": penalty.infraction,
        "level": penalty.level,
        "score": penalty.score,
        "reason": penalty.reason,
    }


def _check(
    stage: Stage, player_id: int, round_: Round | None, table: Table | None, *, infraction: str, reason: str
) -> None:
    if not infraction and not reason.strip():
        raise Refused(_("Choose an offence or write the reason."), field="reason")
    if round_ is not None and round_.stage_id != stage.pk:
        raise Refused(_("This round belongs to another stage."), field="round")
    seats = Seat.objects.filter(player_id=player_id)
    if table is not None and not seats.filter(table=table).exists():
        raise Refused(_("This player does not sit at this table."), field="player")
    if table is None and round_ is not None and not seats.filter(round=round_).exists():
        raise Refused(_("This player does not play in this round."), field="player")
    if not Entrant.objects.filter(competition=stage.division.competition, player_id=player_id).exists():
        raise Refused(_("This player is not entered in this competition."), field="player")
