from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from league.models import Competition, Dispute, Round, Seat, Sheet, Stage

LATEST = 10**9  # a round after all others


def seats_ahead(player: int, *, after: Round, substituted: bool = False) -> list[Seat]:
    """Return the player's own or ``substituted`` seats in later rounds that can still change. One query."""
    sheets = Sheet.objects.current().filter(table=OuterRef("table"))
    disputes = Dispute.objects.filter(table=OuterRef("table"), closed_at__isnull=True)
    seats = Seat.objects.filter(round__stage=after.stage_id, round__number__gt=after.number)
    seats = seats.filter(stands_for=player) if substituted else seats.filter(player=player, stands_for=None)
    seats = seats.exclude(round__status=Round.Status.CLOSED).filter(~Exists(sheets), ~Exists(disputes))
    return list(seats.with_rules().select_related("table").order_by("round__number"))


# --- who sits for whom from a round on


def sittings(stage: Stage) -> list[Seat]:
    """Return the seats of players with a lasting substitute, by round. At most two queries."""
    seats = Seat.objects.filter(round__stage=stage).select_related("round").order_by()
    instead = list(seats.filter(stands_for__isnull=False))
    absent = {seat.owner_id for seat in instead if seat.until_back}
    if not absent:
        return []
    own = seats.filter(stands_for__isnull=True, player__in=absent)
    return sorted(
        (seat for seat in (*instead, *own) if seat.owner_id in absent), key=lambda seat: seat.round.number
    )


def lasting_sittings(seats: Iterable[Seat], number: int) -> dict[int, Seat]:
    """Return absent player → last seat of their lasting substitute, unless they sit themselves again."""
    lasting: dict[int, Seat] = {}
    for seat in seats:
        if seat.round.number <= number and seat.until_back:
            lasting[seat.owner_id] = seat
        elif seat.round.number <= number and seat.stands_for_id is None:
            lasting.pop(seat.owner_id, None)
    return lasting


def until_back(player: int, competition: Competition) -> list[Seat]:
    """Return the last seat of the player's lasting substitute per stage. Queries: 1 + 2 per such stage."""
    here = Seat.objects.of(competition)
    lasting_seats = here.filter(stands_for=player, until_back=True).select_related("player", "round__stage")
    last = {seat.round.stage: seat for seat in lasting_seats.order_by("round__number")}
    return [seat for stage, seat in last.items() if player in lasting_sittings(sittings(stage), LATEST)]


def is_in_dispute(tables: Iterable[int]) -> bool:
    return Dispute.objects.filter(table__in=list(tables), closed_at__isnull=True).exists()
