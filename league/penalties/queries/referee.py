"""What a referee needs before ruling: the player's record, what the book asks for, who may not win."""

import zoneinfo
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from league.core.counted import counted_penalties
from league.core.rounds import hand_at
from league.models import Competition, DisputeStep, Penalty, Round, Stage, Table
from league.penalty_rules.words.rulings import JOINT, Sanction, penalty_rules_of
from scoring.escalation import Earlier, Moment
from scoring.hand_codes import FIRST

USUAL = 8  # offences offered first
UNDO = timedelta(seconds=10)  # how long one takes back what one logged


def moment(table: Table | None, hand: str, at: datetime, competition: Competition) -> Moment:
    """When and where something happened, as the escalation asks: a table is a hanchan."""
    day = at.astimezone(zoneinfo.ZoneInfo(competition.timezone)).date()
    where = table.pk if table else None
    return Moment(hanchan=where, hand=(where, hand) if where and hand else None, day=day)


def records_of(competition: Competition, players: Iterable[int]) -> dict[int, list[Penalty]]:
    """Player → the penalties of this competition that count, oldest first; for each of them. One query."""
    records: dict[int, list[Penalty]] = {player: [] for player in players}
    found = Penalty.objects.filter(competition=competition, player__in=list(records))
    counted = counted_penalties(found, public=False).select_related("table", "round", "created_by")
    for penalty in counted.order_by("created_at", "pk"):
        records[penalty.player_id].append(penalty)
    return records


def earlier(competition: Competition, record: Iterable[Penalty]) -> list[Earlier]:
    """A record as the escalation reads it; keys are the penalties' own."""
    return [
        Earlier(
            code=penalty.infraction,
            levels=tuple(penalty.level.split(JOINT)) if penalty.level else (),
            moment=moment(penalty.table, penalty.hand, penalty.created_at, competition),
            key=penalty.pk,
        )
        for penalty in record
    ]


@dataclass(frozen=True)
class Advice:
    """What the book asks for, and the earlier penalties for which it asks for more, newest first."""

    asked: Sanction
    because: tuple[Penalty, ...]


def advice(
    *,
    stage: Stage,
    table: Table | None,
    player_id: int,
    infraction: str,
    condition: int,
    hand: str,
    at: datetime,
    units: int = 1,
) -> Advice:
    """What the book asks for this offence of this player, here and now. One query.

    Raises KeyError for an offence or a condition that the book does not have.
    """
    competition = stage.division.competition
    record = records_of(competition, [player_id])[player_id]
    now = moment(table, hand, at, competition)
    book = penalty_rules_of(stage.division.rule_set)
    ruling = book.ruling(infraction, condition)
    asked = book.sanction(ruling, earlier(competition, record), now, units=units)
    by_key = {penalty.pk: penalty for penalty in record}
    reasons = tuple(by_key[each.key] for each in asked.suggestion.because if isinstance(each.key, int))
    return Advice(asked=asked, because=reasons)


def bans_at(table: Table) -> QuerySet[Penalty]:
    """The penalties by which somebody may not win the hand that this table plays."""
    return _bans().filter(table=table, hand=hand_at(table))


def active_bans(competition: Competition) -> list[Penalty]:
    """Everyone who may not win the hand that their table plays, in open rounds, by table. One query."""
    first_hand = Q(hand=F("table__hand")) | Q(hand=FIRST, table__hand="")
    found = _bans().filter(first_hand, competition=competition, round__status=Round.Status.OPEN)
    waiting = found.exclude(table__sheets__is_current=True)
    related = waiting.select_related("player", "table", "round__stage__division__rule_set", "created_by")
    return list(related.order_by("round__number", "table__number", "player__name", "pk"))


def _bans() -> QuerySet[Penalty]:
    """Not those of a hand that a ruling had dealt anew afterwards: its bans have ended with it."""
    dealt_anew = DisputeStep.objects.filter(
        redeal=True,
        dispute__table=OuterRef("table"),
        dispute__hand=OuterRef("hand"),
        created_at__gte=OuterRef("created_at"),
    )
    return counted_penalties(Penalty.objects.filter(win_ban=True), public=False).filter(~Exists(dealt_anew))


def usual_offences(competition: Competition) -> list[str]:
    """The codes that were logged here most often, most used first."""
    logged = Penalty.objects.filter(competition=competition).exclude(infraction="")
    counted = logged.values("infraction").annotate(times=Count("pk")).order_by("-times", "infraction")
    return [code for code, _times in counted.values_list("infraction", "times")[:USUAL]]


def requests(competition: Competition) -> QuerySet[Penalty]:
    """Penalties that wait for the chief referee, oldest first."""
    waiting = Penalty.objects.filter(
        competition=competition, status=Penalty.Status.REQUESTED, revoked_at__isnull=True
    )
    related = ("stage__division__rule_set__own_catalogue", "round", "table", "player", "created_by")
    return waiting.select_related(*related).order_by("created_at", "pk")
