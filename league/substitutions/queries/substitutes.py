"""People in motion, as computations read them: whose seat a substitute took, points that no table gave."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models import Adjustment, Competition, Dispute, Entrant, Round, Seat, Sheet, Stage


@dataclass(frozen=True, slots=True)
class Substitution:
    """For whom a substitute sits (a player's id); ``late``: play had begun when the substitute came;
    ``until_back``: they sit in later rounds, too.
    """

    stands_for: int
    late: bool
    until_back: bool = False


ByWind = Mapping[int, Substitution]
Substitutes = Mapping[int, ByWind]  # by table; those without a substitute are left out
NO_SUBSTITUTE: ByWind = {}
LATEST = 10**9  # a round after all others


def substitutes(seats: QuerySet[Seat]) -> dict[int, dict[int, Substitution]]:
    """The substitutes among these seats, by table and wind: one query, which reads no other seat."""
    rows = seats.filter(stands_for__isnull=False).order_by()
    columns = ("table_id", "wind", "stands_for_id", "came_late", "until_back")
    found: dict[int, dict[int, Substitution]] = {}
    for table, wind, player, *how in rows.values_list(*columns):
        if player is not None:
            found.setdefault(table, {})[wind] = Substitution(player, *how)
    return found


def late_seats(seats: ByWind) -> tuple[int, ...]:
    """The winds at which a substitute came after play had begun, as the settlement takes them."""
    return tuple(sorted(wind for wind, seat in seats.items() if seat.late))


def late_at(table: QuerySet[Seat]) -> tuple[int, ...]:
    """The winds at which a substitute came after the start, of the seats of one table."""
    found = table.filter(stands_for__isnull=False, came_late=True).order_by("wind")
    return tuple(found.values_list("wind", flat=True))


def counted_adjustments(adjustments: QuerySet[Adjustment], *, public: bool) -> QuerySet[Adjustment]:
    """Those that count: none of a round that is only planned (its seating may still change), and for the
    public none of a round whose results are not published.
    """
    found = adjustments.filter(revoked_at__isnull=True).exclude(round__status=Round.Status.PLANNED)
    if public:
        found = found.filter(Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS))
    return found


# --- who can sit for whom


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


def seats_ahead(player: int, *, after: Round, substituted: bool = False) -> list[Seat]:
    """The seats of a player in the later rounds of the stage, or those in which a substitute sits for them:
    in rounds that are not closed, at tables without a sheet and without an open dispute. One query.
    """
    sheets = Sheet.objects.filter(table=OuterRef("table"), is_current=True)
    disputes = Dispute.objects.filter(table=OuterRef("table"), closed_at__isnull=True)
    found = Seat.objects.filter(round__stage=after.stage_id, round__number__gt=after.number)
    found = found.filter(stands_for=player) if substituted else found.filter(player=player)
    if not substituted:
        found = found.filter(stands_for__isnull=True)
    found = found.exclude(round__status=Round.Status.CLOSED).filter(~Exists(sheets), ~Exists(disputes))
    related = ("table", "round__stage__division__competition", "round__stage__division__rule_set")
    return list(found.select_related(*related).order_by("round__number"))


# --- who sits for whom from a round on


@dataclass(frozen=True, slots=True)
class Sitting:
    """In the round of this ``number`` and id ``sits`` has the seat of ``player`` (ids of players): they are
    one, or a substitute sits there; ``until_back``: in later rounds, too.
    """

    number: int
    round: int
    player: int
    sits: int
    until_back: bool = False


def sittings(stage: Stage) -> list[Sitting]:
    """Who sat in the seats of those for whom anybody sits until they are back, in the order of the rounds.
    One query where there is nobody, else two.
    """
    columns = ("round__number", "round_id", "stands_for_id", "player_id", "until_back")
    found = Seat.objects.filter(round__stage=stage, stands_for__isnull=False).order_by()
    instead = [Sitting(*row) for row in found.values_list(*columns)]
    absent = {each.player for each in instead if each.until_back}
    if not absent:
        return []
    own = Seat.objects.filter(round__stage=stage, stands_for__isnull=True, player__in=absent).order_by()
    there = [Sitting(*row) for row in own.values_list("round__number", "round_id", "player_id", "player_id")]
    return sorted(
        (each for each in (*instead, *there) if each.player in absent), key=lambda each: each.number
    )


def going_on(sittings: Iterable[Sitting], number: int) -> dict[int, Sitting]:
    """Absent player → the last sitting, up to the round of this number, of the substitute who sits for them
    until they are back. Somebody else for a round ends nothing; whoever sits for themselves again is back.
    """
    found: dict[int, Sitting] = {}
    for each in sittings:
        if each.number <= number and each.until_back:
            found[each.player] = each
        elif each.number <= number and each.sits == each.player:
            found.pop(each.player, None)
    return found


def until_back(player: int, competition: Competition) -> list[Seat]:
    """Of each stage the last seat of the substitute who sits for the player until they are back. One query,
    and two for each stage in which anybody did.
    """
    here = Seat.objects.filter(round__stage__division__competition=competition)
    found = here.filter(stands_for=player, until_back=True).select_related("player", "round__stage")
    last = {seat.round.stage: seat for seat in found.order_by("round__number")}
    return [seat for stage, seat in last.items() if player in going_on(sittings(stage), LATEST)]


def is_in_dispute(tables: Iterable[int]) -> bool:
    return Dispute.objects.filter(table__in=list(tables), closed_at__isnull=True).exists()
