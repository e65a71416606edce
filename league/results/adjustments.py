"""Points that no table gave, under the lock of a change. Those for missing a round end where the player plays
it after all.
"""

from datetime import datetime

from django.db.models import QuerySet

from league.core.changes import Change
from league.models import Adjustment, Seat, Table

MISSED = (Adjustment.Kind.ABSENT, Adjustment.Kind.SAT_OUT)


def missed(seats: QuerySet[Seat]) -> QuerySet[Adjustment]:
    """The points, not revoked, that the players in these seats of one round got for missing it. Those of
    substitutes are left out, because their seats count for no one.
    """
    return _missed(seats).filter(revoked_at__isnull=True)


def _missed(seats: QuerySet[Seat]) -> QuerySet[Adjustment]:
    own = seats.filter(stands_for__isnull=True).order_by()
    found = Adjustment.objects.filter(kind__in=MISSED, round__in=own.values("round"))
    return found.filter(player__in=own.values("player"))


def revoke_missed(done: Change, seats: QuerySet[Seat]) -> None:
    """Part of a change that gives players these seats of one round, or their table a result."""
    revoke_all(done, missed(seats))


def give_back_missed(done: Change, table: Table, *, at: datetime) -> None:
    """Part of a change that undoes the sheet that was saved at that time: gives back what it revoked."""
    for each in _missed(Seat.objects.filter(table=table)).filter(revoked_at=at):
        each.revoked_at = None
        each.save(update_fields=["revoked_at"])
        done.log("adjustment.add", f"player:{each.player_id}", after=describe(each))


def revoke_all(done: Change, adjustments: QuerySet[Adjustment]) -> None:
    """Part of a change that takes away the reason for these points."""
    for each in adjustments.filter(revoked_at__isnull=True):
        revoke(done, each, "")


def revoke(done: Change, adjustment: Adjustment, reason: str) -> None:
    """Part of a change: the points no longer count, and stay on the record."""
    adjustment.revoked_at = done.at
    adjustment.save(update_fields=["revoked_at"])
    after = {"reason": reason.strip()} if reason.strip() else {}
    before = describe(adjustment)
    done.log("adjustment.revoke", f"player:{adjustment.player_id}", before=before, after=after)


def describe(adjustment: Adjustment) -> dict[str, object]:
    """The points as the audit log keeps them."""
    return {
        "round": adjustment.round_id,
        "adjustment": str(adjustment.kind),
        "score": adjustment.score,
        "reason": adjustment.reason,
    }
