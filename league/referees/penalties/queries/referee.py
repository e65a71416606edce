"""The facts behind a ruling: players, their records, the sanction, the bans on winning."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Count

from league.core.counted import counted_penalties
from league.core.zones import day_of_play
from league.models import Competition, Dispute, Penalty, Seat, Table
from league.play.calls.queries import finished_sheets
from league.rules.penalty_rules.words.rulings import Ruling, penalty_rules_of
from players.models import Player
from scoring.escalation import Act, Sanction
from scoring.hand_codes import is_known
from scoring.infractions import levels_in

USUAL = 8  # offences offered first
UNDO = timedelta(seconds=10)  # how long a referee can take back what they logged


def players_at(table: Table) -> list[Player]:
    seats = Seat.objects.filter(table=table).select_related("player").order_by("wind")
    return [seat.player for seat in seats]


def needs_chief(penalty: Penalty, limit: str) -> bool:
    """Return whether the chief referee decides a request. Any referee decides one of the log of hands, unless
    its level needs the chief's approval. `limit`: the lowest such level, or "".
    """
    rules = penalty_rules_of(penalty.stage.division.rule_set)
    return not penalty.is_of_hands or (bool(limit) and rules.reaches(penalty.level, limit))


# --- the record, and what the rules ask for after it


def act_at(
    competition: Competition,
    table: Table | None,
    code: str,
    *,
    hand: str,
    at: datetime,
    levels: tuple[str, ...] = (),
    key: int | None = None,
) -> Act:
    """Return an act for the escalation. ``key``: id of its penalty."""
    hanchan = table.pk if table else None
    known_hand = (hanchan, hand) if hanchan and is_known(hand) else None
    return Act(code, levels, hanchan, known_hand, day_of_play(competition, at), key)


def records_of(competition: Competition, players: Iterable[int]) -> dict[int, list[Penalty]]:
    """Return player → penalties that count, oldest first, for each of the players. One query."""
    records: dict[int, list[Penalty]] = {player: [] for player in players}
    penalties = Penalty.objects.filter(competition=competition, player__in=list(records))
    in_force = counted_penalties(penalties, public=False).select_related("table", "round", "created_by")
    for penalty in in_force.order_by("created_at", "pk"):
        records[penalty.player_id].append(penalty)
    return records


def earlier(competition: Competition, record: Iterable[Penalty]) -> list[Act]:
    """Convert a record for the escalation."""
    return [
        act_at(
            competition,
            penalty.table,
            penalty.infraction,
            hand=penalty.hand,
            at=penalty.created_at,
            levels=levels_in(penalty.level),
            key=penalty.pk,
        )
        for penalty in record
    ]


def sanction_of(draft: Penalty, ruling: Ruling, player_id: int, *, at: datetime) -> Sanction:
    """Return the sanction that the rules give the player for an unsaved penalty. One query."""
    competition = draft.stage.competition
    before = earlier(competition, records_of(competition, [player_id])[player_id])
    act = act_at(competition, draft.table, draft.infraction, hand=draft.hand, at=at)
    rules = penalty_rules_of(draft.stage.division.rule_set)
    return rules.sanction(ruling, before, act, units=draft.units)


def usual_offences(competition: Competition) -> list[str]:
    logged = Penalty.objects.filter(competition=competition).exclude(infraction="")
    codes = logged.values("infraction").annotate(times=Count("pk")).order_by("-times", "infraction")
    return [code for code, _times in codes.values_list("infraction", "times")[:USUAL]]


# --- the hand that is played, with its bans on winning


def is_over(table: Table) -> bool:
    """Return whether the game of the table has ended, so that no hand of it will follow."""
    return finished_sheets().filter(table=table).exists()


def hand_of_act(table: Table | None, dispute: Dispute | None) -> str:
    """Return the table's hand, or for a ruling the hand of its dispute, which may be over by now.

    A game that is over has no hand in which something can happen.
    """
    if table is None:
        return ""
    if dispute is not None and (is_known(table.hand) or not is_known(dispute.hand)):
        return dispute.hand
    return "" if is_over(table) else table.hand


def has_hand(table: Table | None, hand: str) -> bool:
    """Return whether there is a hand on which a penalty can have effects.

    A ban on winning, for example, holds in the hand of the offence only (HKMA 罰則總則: 處分局內為和了禁止).
    """
    return table is not None and (is_known(hand) or not is_over(table))
