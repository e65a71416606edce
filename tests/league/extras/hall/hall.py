"""Tables with proposals of the phones, signed or not."""

from django.utils import timezone

from league.models import Proposal, Signature, Table
from tests.factories import Club

POINTS = (28_700, 31_200, 25_000, 35_100)


def propose(made: Club, number: int, *, signed: int = 4, points: tuple[int, ...] = POINTS) -> Proposal:
    """The table's next proposal, with the signatures of so many seats."""
    table = made.table(number=number)
    last = table.proposals.count()
    table.proposals.update(is_current=False)
    east, south, west, north = points
    found = Proposal.objects.create(
        table=table, number=last + 1, east=east, south=south, west=west, north=north, at=timezone.now()
    )
    for seat in table.seats.order_by("wind")[:signed]:
        Signature.objects.create(
            proposal=found, wind=seat.wind, player=seat.player, how="phone", at=timezone.now()
        )
    touch(table)
    return found


def touch(table: Table) -> None:
    """Raise the versions as a change of the table does."""
    table.version += 1
    table.save(update_fields=["version"])
    competition = table.round.stage.division.competition
    competition.version += 1
    competition.save(update_fields=["version"])
