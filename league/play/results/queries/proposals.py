"""The score sheets that come from the tables, and their signatures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Prefetch, QuerySet

from league.models import Competition, Penalty, Proposal, Seat, Sheet, Signature, Table

NONE, TYPED, SIGNED, OBJECTED, RECORDED = "none", "typed", "signed", "objected", "recorded"


@dataclass(frozen=True, slots=True)
class TableSheet:
    """The answers of a table's phones to its newest score sheet.

    ``signed``: wind (None: staff) → signature. ``uncounted``: signatures that do not count because their
    phone signed for another seat. ``objections``: of seats that did not sign later.
    ``is_complete``: it has the signatures that the competition asks for and no objection.
    """

    proposal: Proposal | None = None
    has_result: bool = False
    signed: Mapping[int | None, Signature] = field(default_factory=dict)
    uncounted: Mapping[int | None, Signature] = field(default_factory=dict)
    objections: tuple[Signature, ...] = ()
    is_complete: bool = False

    @property
    def state(self) -> str:
        if self.has_result:
            return RECORDED
        if self.proposal is None:
            return NONE
        if self.objections:
            return OBJECTED
        return SIGNED if self.is_complete else TYPED

    @property
    def waits_again(self) -> bool:
        """Return whether a corrected result waits for signatures."""
        return self.has_result and self.proposal is not None and not self.is_complete

    @property
    def on_one_phone(self) -> list[int]:
        """Return the seats for which a phone signed that had signed for another seat."""
        signatures = [*self.signed.values(), *self.uncounted.values()]
        shared = [signature.wind for signature in signatures if signature.how == Signature.How.SHARED]
        return sorted(wind for wind in shared if wind is not None)

    @property
    def seen(self) -> int:
        return self.proposal.pk if self.proposal else 0


def undecided_penalties(tables: Iterable[Table]) -> QuerySet[Penalty]:
    """Select the undecided requests at these tables."""
    return Penalty.objects.filter(table__in=tables, status=Penalty.Status.REQUESTED, revoked_at=None)


def proposals_of(tables: Iterable[Table]) -> dict[int, TableSheet]:
    """Return table → the answers to its current proposal. Queries: 4.

    The tables have their round, rules and competition.
    """
    by_pk = {table.pk: table for table in tables}
    signatures = Prefetch("signatures", Signature.objects.select_related("player", "user"))
    current = Proposal.objects.current().filter(table__in=list(by_pk)).select_related("user", "player")
    proposals = {each.table_id: each for each in current.prefetch_related(signatures)}
    results = Sheet.objects.current().filter(table__in=list(by_pk)).exclude(status=Sheet.Status.VOID)
    recorded = set(results.values_list("table_id", flat=True))
    seats: dict[int, dict[int, Seat]] = {pk: {} for pk in by_pk}
    for seat in Seat.objects.filter(table__in=list(by_pk)):
        seats[seat.table_id][seat.wind] = seat
    return {
        pk: _table_sheet(table, proposals.get(pk), seats[pk], has_result=pk in recorded)
        for pk, table in by_pk.items()
    }


def _table_sheet(
    table: Table, proposal: Proposal | None, seats: Mapping[int, Seat], *, has_result: bool
) -> TableSheet:
    if proposal is None:
        return TableSheet(has_result=has_result)
    division = table.round.stage.division
    last: dict[int | None, Signature] = {}
    for signature in proposal.signatures.all():
        sits = signature.wind is None or (
            signature.wind in seats and seats[signature.wind].player_id == signature.player_id
        )
        if sits or signature.how == Signature.How.STAFF:
            last[signature.wind] = signature  # in the order of signing
    signed = {wind: each for wind, each in last.items() if each.agrees}
    uncounted = {wind: each for wind, each in signed.items() if not _counts(each, division.competition)}
    signed = {wind: each for wind, each in signed.items() if wind not in uncounted}
    objections = tuple(each for each in last.values() if not each.agrees)
    late = tuple(wind for wind, seat in seats.items() if seat.stands_for_id and seat.came_late)
    first = {seat.wind for seat in proposal.settled(division.rules, late=late) if seat.place == 1}
    needed = has_signatures(division.competition.signatures, set(signed), first)
    return TableSheet(proposal, has_result, signed, uncounted, objections, needed and not objections)


def _counts(signature: Signature, competition: Competition) -> bool:
    return competition.one_phone or signature.how != Signature.How.SHARED


def has_signatures(asked: str, signed: set[int | None], first: set[int]) -> bool:
    """Return whether these seats (None: staff) are all that sign. ``first``: the seats in first place."""
    seats = signed - {None}
    return {
        Competition.Signatures.NONE: True,
        Competition.Signatures.FOUR: len(seats) == 4,
        Competition.Signatures.WINNER: bool(seats & first) and len(seats) > 1,
        Competition.Signatures.STAFF: None in signed,
    }[Competition.Signatures(asked)]
