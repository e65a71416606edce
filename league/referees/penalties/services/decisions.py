"""Undo, revoke and decide penalties. A logged penalty is never edited."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.core.access import Can
from league.core.changes import Change, Sent, change, reread
from league.core.errors import Refused
from league.models import Dispute, Penalty
from league.play.bans.services import expel, readmit
from league.play.disputes.services import check_ruling
from league.referees.penalties.queries.referee import UNDO, needs_chief
from league.referees.penalties.services.checks import check_referee
from league.referees.penalties.services.record import count_sheet_of, describe, follow_log_of


def undo_penalty(
    *, penalty: Penalty, by: User, form: Sent | None = None, at: datetime | None = None
) -> list[Penalty]:
    """Undo what ``by`` logged within ``UNDO``, with all penalties of the same act."""
    at = at or timezone.now()
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _read(penalty)
        if penalty.is_of_hands:
            raise Refused(
                _("The log of hands asked for this penalty. Correct the hand, or decline the request.")
            )
        if penalty.created_by_id != by.pk:
            raise Refused(
                _("Only the referee who logged a penalty can undo it. Revoke it with a reason instead.")
            )
        if at - penalty.created_at > UNDO:
            raise Refused(_("It is too late to undo this penalty. Revoke it with a reason instead."))
        others = _same_act(penalty).filter(revoked_at__isnull=True).exclude(pk=penalty.pk)
        reason = str(_("undone at once"))
        undone = [_revoke(done, each, reason, "penalty.undo") for each in (penalty, *others)]
        done.answer = {"penalty": penalty.pk}
        return undone


def revoke_penalty(
    *,
    penalty: Penalty,
    reason: str,
    by: User,
    dispute: Dispute | None = None,
    form: Sent | None = None,
    at: datetime | None = None,
) -> Penalty:
    """Revoke a penalty. It stays on record with the reason and no longer counts."""
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _read(penalty)
        check_referee(done, penalty.table, penalty.player_id)
        if dispute is not None:
            check_ruling(dispute, penalty.table_id)
        if not reason.strip():
            raise Refused(_("Give a reason for revoking the penalty."), field="reason")
        _revoke(done, penalty, reason.strip(), "penalty.revoke", dispute=dispute)
        done.answer = {"penalty": penalty.pk}
        return penalty


def decide_request(
    *,
    penalty: Penalty,
    verdict: str,
    by: User,
    reason: str = "",
    form: Sent | None = None,
    at: datetime | None = None,
) -> list[Penalty]:
    """Approve a request, or decline it with a reason, and all requests of the same act.

    A score sheet of its table that has all signatures then counts if nothing else holds it.
    """
    approves = verdict == "approve"
    reason = "" if approves else reason.strip()
    if not approves and not reason:
        raise Refused(_("Give a reason for declining the request."), field="reason")
    with change(penalty.competition, by=by, form=form, at=at) as done:
        penalty = _read(penalty)
        if penalty.status != Penalty.Status.REQUESTED or penalty.revoked_at is not None:
            raise Refused(_("This request has already been decided or undone. Check the list."))
        decided = list(_same_act(penalty).filter(status=penalty.status, revoked_at__isnull=True))
        need = Can.APPROVE if needs_chief(penalty, done.competition.approval_from) else Can.REFEREE
        check_referee(done, penalty.table, *(each.player_id for each in decided), need=need)
        for each in decided:
            each.status = Penalty.Status.IN_FORCE if approves else Penalty.Status.DECLINED
            each.decided_by, each.decided_at, each.decide_reason = by, done.at, reason
            each.save(update_fields=["status", "decided_by", "decided_at", "decide_reason"])
            after = describe(each) | ({"reason": reason} if reason else {})
            done.log(f"penalty.{verdict}", f"penalty:{each.pk}", after=after, about=each)
            expel(done, each)
        count_sheet_of(done, penalty)
        done.answer = {"penalty": penalty.pk}
        return decided


def _read(penalty: Penalty) -> Penalty:
    """Reads it again under the lock: two referees may act on the same penalty at once."""
    related = ("stage__division__competition", "stage__division__rule_set", "player", "table__round")
    return reread(Penalty.objects.select_related(*related), pk=penalty.pk)


def _same_act(penalty: Penalty) -> QuerySet[Penalty]:
    """Return the penalty and those logged for other players in the same act."""
    if penalty.together is None:
        return Penalty.objects.filter(pk=penalty.pk)
    same = Penalty.objects.filter(competition_id=penalty.competition_id, together=penalty.together)
    return same.order_by("pk")


def _revoke(
    done: Change, penalty: Penalty, reason: str, action: str, *, dispute: Dispute | None = None
) -> Penalty:
    if penalty.revoked_at is not None:
        raise Refused(_("This penalty has already been revoked. Log it again if it should count."))
    penalty.revoked_by, penalty.revoked_at, penalty.revoke_reason = done.by, done.at, reason
    penalty.revoked_in = dispute
    penalty.save(update_fields=["revoked_by", "revoked_at", "revoke_reason", "revoked_in"])
    after = {"reason": reason, **({"dispute": dispute.pk} if dispute else {})}
    done.log(action, f"penalty:{penalty.pk}", before=describe(penalty), after=after, about=penalty)
    readmit(done, penalty)
    follow_log_of(done, penalty)
    count_sheet_of(done, penalty)
    return penalty
