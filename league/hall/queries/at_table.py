"""What the phones at tables sent: current score sheets with their answers, and the hands in play."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from league.models import Competition, HandEntry, Proposal, Sheet, Signature, Table
from scoring.hanchan import IllegalHand, Malformed, from_values
from scoring.settlement import Four


@dataclass(frozen=True, slots=True)
class TableSheet:
    """The answers to a table's current proposal. ``signed``: wind (None: staff) → signature. ``objections``:
    of seats that did not sign later. ``is_complete``: it has all signatures and no objection.
    """

    proposal: Proposal | None = None
    has_result: bool = False
    signed: Mapping[int | None, Signature] = field(default_factory=dict)
    objections: tuple[Signature, ...] = ()
    is_complete: bool = False

    @property
    def waits_again(self) -> bool:
        return self.has_result and self.proposal is not None and not self.is_complete


def proposals_of(tables: Iterable[Table]) -> dict[int, TableSheet]:
    """Return the current proposals of tables that are loaded with their rules, by table. Queries: 3."""
    here = {table.pk: table for table in tables}
    found = Proposal.objects.filter(table__in=here, is_current=True).prefetch_related("signatures")
    done = Sheet.objects.filter(table__in=here, is_current=True).exclude(status=Sheet.Status.VOID)
    with_result = set(done.values_list("table_id", flat=True))
    sheets = {pk: TableSheet(has_result=pk in with_result) for pk in here}
    for each in found:
        sheets[each.table_id] = _answered(each, here[each.table_id], has_result=each.table_id in with_result)
    return sheets


def _answered(proposal: Proposal, table: Table, *, has_result: bool) -> TableSheet:
    last = {each.wind: each for each in proposal.signatures.all()}
    signed = {wind: each for wind, each in last.items() if each.agrees}
    objections = tuple(each for each in last.values() if not each.agrees)
    division = table.round.stage.division
    first = {seat.wind for seat in proposal.settled(division.rules) if seat.place == 1}
    seats = signed.keys() - {None}
    has_all = {
        Competition.Signatures.NONE: True,
        Competition.Signatures.FOUR: len(seats) == 4,
        Competition.Signatures.WINNER: bool(seats & first) and len(seats) > 1,
        Competition.Signatures.STAFF: None in signed,
    }[Competition.Signatures(division.competition.signatures)]
    return TableSheet(proposal, has_result, signed, objections, has_all and not objections)


@dataclass(frozen=True, slots=True)
class TableGame:
    """``hand``: code of the hand in play, or "". ``points_now``: None if the table keeps no points."""

    hand: str
    points_now: Four | None = None
    number: int = 0


def games_of(tables: Sequence[Table]) -> dict[int, TableGame]:
    """Return the games of tables that are loaded with their rules, by table. One query."""
    hands: dict[int, list[object]] = {table.pk: [] for table in tables}
    for entry in HandEntry.objects.filter(table__in=hands, kind=HandEntry.Kind.HAND).order_by("number"):
        hands[entry.table_id].append(entry.facts)
    return {table.pk: _game(table, hands[table.pk]) for table in tables}


def _game(table: Table, hands: Sequence[object]) -> TableGame:
    try:
        game = from_values(table.round.stage.division.rules, hands)
    except (IllegalHand, Malformed):
        return TableGame(table.hand)
    return TableGame(table.hand, game.points if hands else None, len(hands))
