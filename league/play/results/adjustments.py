"""Points that no table gave. Points for missing a round end if the player plays it after all."""

from datetime import datetime

from django.db.models import QuerySet

from league.core.changes import Change
from league.models import Adjustment, Seat, Table

MISSED = (Adjustment.Kind.ABSENT, Adjustment.Kind.SAT_OUT)


def missed(seats: QuerySet[Seat]) -> QuerySet[Adjustment]:
    """Return the points of these seats' players for missing their round, except those of substitutes."""
    return _points_for_missing(seats).filter(revoked_at__isnull=True)


def _points_for_missing(seats: QuerySet[Seat]) -> QuerySet[Adjustment]:
    own = seats.filter(stands_for__isnull=True).order_by()
    adjustments = Adjustment.objects.filter(kind__in=MISSED, round__in=own.values("round"))
    return adjustments.filter(player__in=own.values("player"))


def revoke_missed(done: Change, seats: QuerySet[Seat]) -> None:
    revoke_all(done, missed(seats))


def give_back_missed(done: Change, table: Table, *, at: datetime) -> None:
    """Restore what the sheet saved ``at`` that time revoked, inside the change that undoes it."""
    for each in _points_for_missing(Seat.objects.filter(table=table)).filter(revoked_at=at):
        each.revoked_at = None
        each.save(update_fields=["revoked_at"])
        done.log("adjustment.add", f"player:{each.player_id}", after=describe(each))


def revoke_all(done: Change, adjustments: QuerySet[Adjustment]) -> None:
    for adjustment in adjustments.filter(revoked_at__isnull=True):
        revoke(done, adjustment, "")


def revoke(done: Change, adjustment: Adjustment, reason: str) -> None:
    """Revoke points inside a change. They stay on record."""
    adjustment.revoked_at = done.at
    adjustment.save(update_fields=["revoked_at"])
    after = {"reason": reason.strip()} if reason.strip() else {}
    before = describe(adjustment)
    done.log("adjustment.revoke", f"player:{adjustment.player_id}", before=before, after=after)


def describe(adjustment: Adjustment) -> dict[str, object]:
    return {
        "round": adjustment.round_id,
        "adjustment": str(adjustment.kind),
        "score": adjustment.score,
        "reason": adjustment.reason,
        **({"games": adjustment.games} if adjustment.games else {}),
    }
