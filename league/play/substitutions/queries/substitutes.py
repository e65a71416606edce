from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from league.models import Competition, Dispute, Round, Seat, Sheet, Stage

LATEST = 10**9  # a round after all others


def seats_ahead(player: int, *, after: Round, substituted: bool = False) -> list[Seat]:
    """Return the player's own or ``substituted`` seats in later rounds that can still change. One query."""
    sheets = Sheet.objects.current().filter(table=OuterRef("table"))
    disputes = Dispute.objects.filter(table=OuterRef("table"), closed_at__isnull=True)
    found = Seat.objects.filter(round__stage=after.stage_id, round__number__gt=after.number)
    found = found.filter(stands_for=player) if substituted else found.filter(player=player, stands_for=None)
    found = found.exclude(round__status=Round.Status.CLOSED).filter(~Exists(sheets), ~Exists(disputes))
    return list(found.with_rules().select_related("table").order_by("round__number"))


# --- who sits for whom from a round on


@dataclass(frozen=True, slots=True)
class Sitting:
    """A player's seat in a round: ``sits`` is the id of the player or of a substitute.

    ``until_back``: the substitute stays in later rounds.
    """

    number: int
    round: int
    player: int
    sits: int
    until_back: bool = False


def sittings(stage: Stage) -> list[Sitting]:
    """Return who sat in the seats of players with a lasting substitute, by round. At most two queries."""
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


def lasting_sittings(sittings: Iterable[Sitting], number: int) -> dict[int, Sitting]:
    """Return absent player → last sitting of their lasting substitute, unless they sit themselves again."""
    found: dict[int, Sitting] = {}
    for each in sittings:
        if each.number <= number and each.until_back:
            found[each.player] = each
        elif each.number <= number and each.sits == each.player:
            found.pop(each.player, None)
    return found


def until_back(player: int, competition: Competition) -> list[Seat]:
    """Return the last seat of the player's lasting substitute per stage. Queries: 1 + 2 per such stage."""
    here = Seat.objects.of(competition)
    found = here.filter(stands_for=player, until_back=True).select_related("player", "round__stage")
    last = {seat.round.stage: seat for seat in found.order_by("round__number")}
    return [seat for stage, seat in last.items() if player in lasting_sittings(sittings(stage), LATEST)]


def is_in_dispute(tables: Iterable[int]) -> bool:
    return Dispute.objects.filter(table__in=list(tables), closed_at__isnull=True).exists()
