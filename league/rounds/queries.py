"""How far rounds are, and tables with their players, current sheet and settlement."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import Count, FilteredRelation, Q, QuerySet

from league.core.substitutes import Substitution, late_seats
from league.models import Competition, Round, Sheet, Stage, Table
from league.people.queries import PlayerInfo, players_of
from scoring.settlement import SeatResult


@dataclass(frozen=True, slots=True)
class RoundCount:
    """How many tables a round has, and how many of them with a sheet that is not void, with a confirmed one,
    with any sheet.
    """

    tables: int = 0
    entered: int = 0
    confirmed: int = 0
    with_sheet: int = 0


def round_counts(rounds: Iterable[int]) -> dict[int, RoundCount]:
    """Round id → how far it is; one query."""
    now = FilteredRelation("sheets", condition=Q(sheets__is_current=True))
    is_in = ~Q(now__status=Sheet.Status.VOID) & Q(now__isnull=False)
    grouped = Table.objects.filter(round__in=list(rounds)).annotate(now=now).values("round").order_by()
    counted = grouped.annotate(
        tables=Count("pk"),
        entered=Count("now", filter=is_in),
        confirmed=Count("now", filter=Q(now__status=Sheet.Status.CONFIRMED)),
        with_sheet=Count("now"),
    )
    fields = ("round", "tables", "entered", "confirmed", "with_sheet")
    return {pk: RoundCount(*counts) for pk, *counts in counted.values_list(*fields)}


def unpublished_rounds(stage: Stage) -> int:
    """How many rounds of the stage hold results that the public does not see yet."""
    hidden = Round.objects.filter(stage=stage).exclude(visibility=Round.Visibility.RESULTS)
    return hidden.filter(tables__sheets__is_current=True).distinct().count()


# --- tables


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table with its current sheet, settled. ``seats`` is empty when it has no sheet to settle.

    ``instead``: wind → for whom a substitute sits there (None: a player who is not entered any more).
    """

    table: Table
    sheet: Sheet | None
    players: tuple[PlayerInfo | None, ...]
    seats: tuple[SeatResult, ...]
    instead: Mapping[int, PlayerInfo | None] = field(default_factory=dict)
    late: tuple[int, ...] = ()  # the winds of substitutes who came after play had begun

    @property
    def status(self) -> str:
        """As the competition file says it: scheduled, entered, confirmed or void."""
        return "scheduled" if self.sheet is None else str(self.sheet.status)

    @property
    def substitutions(self) -> list[tuple[int, PlayerInfo | None, PlayerInfo | None, bool]]:
        """(wind, substitute, for whom, whether after the start) of the seats of substitutes."""
        return [(wind, self.players[wind], self.instead[wind], wind in self.late) for wind in self.instead]

    @property
    def lines(self) -> list[tuple[int, PlayerInfo | None, SeatResult | None]]:
        """(wind, player, settled seat) of the four seats, for templates."""
        seats: Sequence[SeatResult | None] = self.seats or (None,) * 4
        return [(wind, self.players[wind], seats[wind]) for wind in range(4)]


def table_results(tables: QuerySet[Table], competition: Competition) -> list[TableResult]:
    """The given tables in playing order, settled: four queries at any size."""
    ordered = tables.select_related("round__stage__division__rule_set").prefetch_related("seats")
    ordered = ordered.order_by(
        "round__stage__division__position",
        "round__stage__division_id",
        "round__stage__position",
        "round__stage_id",
        "round__number",
        "number",
    )
    found = list(ordered)
    sheets = Sheet.objects.filter(table__in=tables.values("pk"), is_current=True).select_related(
        "entered_by", "confirmed_by"
    )
    by_table = {sheet.table_id: sheet for sheet in sheets}
    rounds: dict[int, Round] = {}
    for table in found:  # that reads the rules of a round once
        table.round = rounds.setdefault(table.round_id, table.round)
    seats = [seat for table in found for seat in table.seats.all()]
    seated = {player for seat in seats for player in (seat.player_id, seat.stands_for_id) if player}
    people = players_of(competition, only=seated)
    return [_table_result(table, by_table.get(table.pk), people) for table in found]


def _table_result(table: Table, sheet: Sheet | None, people: Mapping[int, PlayerInfo]) -> TableResult:
    by_wind = {seat.wind: people.get(seat.player_id) for seat in table.seats.all()}
    instead = {
        seat.wind: Substitution(seat.stands_for_id, seat.came_late)
        for seat in table.seats.all()
        if seat.stands_for_id is not None
    }
    late = late_seats(instead)
    seats: tuple[SeatResult, ...] = ()
    if sheet is not None:
        seats = sheet.settled(table.round.stage.division.rules, late=late)
    return TableResult(
        table,
        sheet,
        tuple(by_wind.get(wind) for wind in range(4)),
        seats,
        instead={wind: people.get(seat.stands_for) for wind, seat in instead.items()},
        late=late,
    )


def without_results(results: Iterable[TableResult]) -> list[TableResult]:
    """The seating alone: all that the public sees of a round whose seating is published, not its results."""
    return [replace(result, sheet=None, seats=()) for result in results]
