from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from league.core.counted import counted_penalties
from league.core.search import sort_key
from league.core.zones import day_of_play
from league.models import Ban, Competition, Entrant, League, Penalty, Round, Seat, Sheet, Waiver
from league.models.querysets import RoundRows
from league.people.members.queries import labels_of
from league.rules.penalty_rules.words.rulings import expels
from players.models import Player


def bans_of(league: League) -> QuerySet[Ban]:
    """Return all bans of a league: lifted ones last, the newest first."""
    bans = Ban.objects.filter(league=league).select_related("player", "created_by", "lifted_by", "penalty")
    return bans.order_by(F("lifted_at").asc(nulls_first=True), "-created_at", "-pk")


def bans_of_player(player: Player, league: League) -> list[Ban]:
    """Return the player's bans in this league, newest first. One query."""
    bans = Ban.objects.filter(player=player, league=league)
    return list(bans.select_related("created_by", "lifted_by").order_by("-created_at", "-pk"))


def banned_here(
    competition: Competition, players: Collection[int] | None = None, *, on: date | None = None
) -> dict[int, Ban]:
    """Return player → the longest ban in force ``on`` this day (None: today) and not waived. One query."""
    day = on or day_of_play(competition)
    in_force = Q(until__isnull=True) | Q(until__gte=day)
    bans_in_force = Ban.objects.filter(
        in_force, league=competition.league_id, since__lte=day, lifted_at__isnull=True
    )
    if players is not None:
        bans_in_force = bans_in_force.filter(player__in=list(players))
    waived = Waiver.objects.filter(ban=OuterRef("pk"), competition=competition)
    longest_last = bans_in_force.filter(~Exists(waived)).order_by(F("until").asc(nulls_last=True), "-pk")
    bans = {ban.player_id: ban for ban in longest_last.select_related("player")}
    return {ban.player_id: ban for ban in sorted(bans.values(), key=lambda ban: ban.pk)}


# --- who left, and what has to be decided


def open_seats(player: int, competition: Competition) -> list[Seat]:
    """Return the player's seats at tables without a sheet in rounds that are not closed, open ones first."""
    unplayed = _without_sheet(Seat.objects.filter(player=player), competition)
    division = "table__round__stage__division"
    related = (f"{division}__competition", f"{division}__rule_set", "stands_for")
    seats = list(unplayed.select_related(*related).order_by("round__number", "round_id"))
    for seat in seats:
        seat.round = seat.table.round
    return sorted(seats, key=lambda seat: seat.round.status != Round.Status.OPEN)


def _without_sheet(seats: RoundRows[Seat], competition: Competition) -> QuerySet[Seat]:
    sheets = Sheet.objects.current().filter(table=OuterRef("table"))
    return seats.of(competition).exclude(round__status=Round.Status.CLOSED).filter(~Exists(sheets))


def free_players(round_: Round) -> list[Entrant]:
    """Return the ``free_substitutes`` who are not banned on the round's day. Two queries."""
    banned = banned_here(round_.competition, on=round_.date)
    return [entrant for entrant in free_substitutes(round_) if entrant.player_id not in banned]


@dataclass(frozen=True)
class Departure:
    """An entrant who left. ``penalty`` expelled them. ``seats``: the number of tables to decide on."""

    entrant: Entrant
    label: str
    penalty: Penalty | None
    seats: int


def departures(competition: Competition) -> list[Departure]:
    """Return expelled players, and withdrawn ones with seats. Those with seats come first. Four queries."""
    gone = competition.entrants.withdrawn()
    entrants = list(gone.select_related("player", "division").order_by("pk"))
    players = [entrant.player_id for entrant in entrants]
    penalties = _expelling(competition, players)
    left = _without_sheet(Seat.objects.filter(player__in=players), competition)
    seats = Counter(left.values_list("player_id", flat=True))
    labels = labels_of(competition, players)
    departed = [
        Departure(
            entrant, labels[entrant.player_id], penalties.get(entrant.player_id), seats[entrant.player_id]
        )
        for entrant in entrants
    ]
    undecided = [each for each in departed if each.penalty is not None or each.seats]
    return sorted(
        undecided, key=lambda each: (not each.seats, sort_key(each.entrant.player.name), each.entrant.pk)
    )


def expelled_by(competition: Competition, player: int) -> Penalty | None:
    """Return the newest penalty in force that expelled this player. One query."""
    return _expelling(competition, [player]).get(player)


def _expelling(competition: Competition, players: Collection[int]) -> dict[int, Penalty]:
    penalties = Penalty.objects.filter(competition=competition, player__in=players).exclude(level="")
    related = ("stage__division__rule_set__own_catalogue", "round", "table", "created_by")
    in_force = counted_penalties(penalties, public=False).select_related(*related).order_by("pk")
    return {penalty.player_id: penalty for penalty in in_force if expels(penalty)}


def free_substitutes(round_: Round) -> list[Entrant]:
    """Return free entrants: substitutes first, then players of the round's division. One query."""
    seated = Seat.objects.filter(round=round_)
    away = seated.filter(stands_for__isnull=False).values("stands_for")
    entered = Entrant.objects.playing().filter(competition=round_.stage.division.competition_id)
    free = entered.exclude(player__in=seated.values("player")).exclude(player__in=away)
    own = round_.stage.division_id
    return sorted(
        free.select_related("player", "division"),
        key=lambda each: (not each.is_substitute, each.division_id != own, each.player.name, each.pk),
    )
