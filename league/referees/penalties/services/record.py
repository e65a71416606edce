"""Put a penalty on record, with its effects on the table."""

from league.core.changes import Change
from league.models import Penalty
from league.play.bans.services import expel
from league.play.hands.offences import follow_log
from league.play.results.proposals import count_signed_sheet
from league.referees.penalties.services.hands import read_table


def save_penalty(done: Change, penalty: Penalty) -> Penalty:
    penalty.competition = done.competition
    penalty.created_by, penalty.created_at = done.by, done.at
    penalty.save()
    requested = penalty.status == Penalty.Status.REQUESTED
    action = "penalty.request" if requested else "penalty.log"
    done.log(action, f"penalty:{penalty.pk}", after=describe(penalty), about=penalty)
    expel(done, penalty)
    follow_log_of(done, penalty)
    count_sheet_of(done, penalty)
    return penalty


def describe(penalty: Penalty) -> dict[str, object]:
    """Describe a penalty for the audit log: ids, never names. Usual values are left out."""
    return {
        "player": penalty.player_id,
        "stage": penalty.stage_id,
        "round": penalty.round_id,
        "table": penalty.table_id,
        "infraction": penalty.infraction,
        "level": penalty.level,
        "score": penalty.score,
        "reason": penalty.reason,
        **({"condition": penalty.condition} if penalty.condition is not None else {}),
        **({"hand": penalty.hand} if penalty.hand and penalty.condition is not None else {}),
        **({"suggested": penalty.suggested} if penalty.suggested else {}),
        **({"win_ban": True} if penalty.win_ban else {}),
        **({"together": str(penalty.together)} if penalty.together else {}),
        **({"logged_hand": penalty.logged_hand} if penalty.is_of_hands else {}),
        **({"dispute": penalty.dispute_id} if penalty.dispute_id else {}),
    }


def follow_log_of(done: Change, penalty: Penalty) -> None:
    """Withdraw a request of the log of hands that a referee logged, or make it again after a revocation."""
    if penalty.table is not None and not penalty.is_of_hands:
        follow_log(done, read_table(penalty.table))


def count_sheet_of(done: Change, penalty: Penalty) -> None:
    if penalty.table is not None:
        count_signed_sheet(done, read_table(penalty.table))
