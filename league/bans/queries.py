"""Bans: who may not play in a league's competitions, and where a ban is waived. And who was expelled here."""

import zoneinfo
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from league.models import (
    Ban,
    Competition,
    Entrant,
    League,
    Penalty,
    Round,
    Seat,
    Sheet,
    Waiver,
)
from league.penalty_rules.offences import book_of


def day_of(competition: Competition, at: datetime | None = None) -> date:
    """The day where the competition is; today unless a time is given."""
    return (at or timezone.now()).astimezone(zoneinfo.ZoneInfo(competition.timezone)).date()


def standing(bans: QuerySet[Ban], on: date) -> QuerySet[Ban]:
    """Those that hold on this day: begun, not over, not lifted."""
    return bans.filter(Q(until__isnull=True) | Q(until__gte=on), since__lte=on, lifted_at__isnull=True)


def bans_of(league: League) -> QuerySet[Ban]:
    """All bans of a league: those that are not lifted first, then the newest."""
    found = Ban.objects.filter(league=league).select_related("player", "created_by", "lifted_by", "penalty")
    return found.order_by(F("lifted_at").asc(nulls_first=True), "-created_at", "-pk")


def banned_here(
    competition: Competition, players: Collection[int] | None = None, *, on: date | None = None
) -> dict[int, Ban]:
    """Player → the ban by which they may not play here on this day (None: today), of these players or of all.

    Of several the one that lasts longest; none that is waived in this competition. One query.
    """
    waived = Waiver.objects.filter(ban=OuterRef("pk"), competition=competition)
    found = standing(Ban.objects.filter(league=competition.league_id), on or day_of(competition))
    if players is not None:
        found = found.filter(player__in=list(players))
    held: dict[int, Ban] = {}
    for ban in found.filter(~Exists(waived)).select_related("player").order_by("pk"):
        if ban.player_id not in held or _lasts_longer(ban, held[ban.player_id]):
            held[ban.player_id] = ban
    return held


def _lasts_longer(one: Ban, other: Ban) -> bool:
    return other.until is not None and (one.until is None or one.until > other.until)


# --- who left, and what has to be decided


def open_seats(player: int, competition: Competition) -> list[Seat]:
    """The seats of this player in rounds that are planned or open, at tables without a sheet, those where
    they sit for somebody else among them; the table now comes first. One query.
    """
    found = _without_sheet(Seat.objects.filter(player=player), competition)
    related = (
        "table__round__stage__division__competition",
        "table__round__stage__division__rule_set",
        "stands_for",
    )
    seats = list(found.select_related(*related).order_by("round__number", "round_id"))
    for seat in seats:
        seat.round = seat.table.round
    return sorted(seats, key=lambda seat: seat.round.status != Round.Status.OPEN)


def _without_sheet(seats: QuerySet[Seat], competition: Competition) -> QuerySet[Seat]:
    sheets = Sheet.objects.filter(table=OuterRef("table"), is_current=True)
    found = seats.filter(round__stage__division__competition=competition)
    return found.exclude(round__status=Round.Status.CLOSED).filter(~Exists(sheets))


def free_players(round_: Round) -> list[Entrant]:
    """Who may sit down in this round for somebody else (``free_substitutes``), without those who are banned
    on its day. Two queries.
    """
    banned = banned_here(round_.stage.division.competition, on=round_.date)
    return [entrant for entrant in free_substitutes(round_) if entrant.player_id not in banned]


def expelling(penalty: Penalty) -> bool:
    """Does the level that the penalty keeps expel its player, by the book in which it is read?"""
    book = book_of(penalty.stage.division.rule_set)
    return book.reading(penalty.infraction, penalty.level).expels(penalty.level)


@dataclass(frozen=True)
class Departure:
    """Somebody who left, with the penalty that expelled them (None: forfeited, or withdrew) and the tables at
    which they still have a seat.
    """

    entrant: Entrant
    penalty: Penalty | None
    seats: int


def departures(competition: Competition) -> list[Departure]:
    """Everyone who was expelled, and everyone who withdrew and still has a seat at a table without a sheet;
    those with seats to decide about first. Three queries.
    """
    gone = list(_gone(competition))
    by_player = _expelled(competition, {entrant.player_id for entrant in gone})
    seats = _seats_left(competition, by_player.keys() | {entrant.player_id for entrant in gone})
    found = [
        Departure(entrant, by_player.get(entrant.player_id), seats.get(entrant.player_id, 0))
        for entrant in gone
    ]
    told = [each for each in found if each.penalty is not None or each.seats]
    return sorted(told, key=lambda each: (not each.seats, each.entrant.player.name, each.entrant.pk))


def _gone(competition: Competition) -> QuerySet[Entrant]:
    found = Entrant.objects.filter(competition=competition, withdrawn_at__isnull=False)
    return found.select_related("player", "division").order_by("pk")


def _expelled(competition: Competition, players: Iterable[int]) -> dict[int, Penalty]:
    """Player → the newest penalty in force that expelled them."""
    found = Penalty.objects.filter(
        competition=competition,
        player__in=list(players),
        status=Penalty.Status.IN_FORCE,
        revoked_at__isnull=True,
    ).exclude(level="")
    related = ("stage__division__rule_set__own_catalogue", "round", "table", "created_by")
    return {p.player_id: p for p in found.select_related(*related).order_by("pk") if expelling(p)}


def expelled_by(competition: Competition, player: int) -> Penalty | None:
    """The newest penalty in force that expelled this player; None if there is none. One query."""
    return _expelled(competition, [player]).get(player)


def _seats_left(competition: Competition, players: Iterable[int]) -> dict[int, int]:
    """Player → at how many tables without a sheet they have a seat, in rounds that are not closed."""
    found = _without_sheet(Seat.objects.filter(player__in=list(players)), competition)
    counts: dict[int, int] = {}
    for player in found.values_list("player_id", flat=True):
        counts[player] = counts.get(player, 0) + 1
    return counts


def free_substitutes(round_: Round) -> list[Entrant]:
    """Who may sit down in this round for somebody else: entered, not withdrawn, without a seat in it, and
    nobody for whom somebody sits; substitutes first, then those of the round's own division. One query.
    """
    seated = Seat.objects.filter(round=round_)
    away = seated.filter(stands_for__isnull=False).values("stands_for")
    entered = Entrant.objects.filter(
        competition=round_.stage.division.competition_id, withdrawn_at__isnull=True
    )
    free = entered.exclude(player__in=seated.values("player")).exclude(player__in=away)
    own = round_.stage.division_id
    return sorted(
        free.select_related("player", "division"),
        key=lambda each: (not each.is_substitute, each.division_id != own, each.player.name, each.pk),
    )
