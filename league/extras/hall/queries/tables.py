"""All tables of the rounds that are on, with what each does and lacks. The number of queries is fixed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Sum

from league.core.access import Access
from league.core.door import round_code
from league.extras.hall.words import State
from league.models import Call, Competition, Dispute, Round, Sheet, Table
from league.people.members.queries import PlayerInfo
from league.play.calendar.queries.table_times import to_make_up
from league.play.calls.queries import Clock, calls_of, claimed_twice, round_clock
from league.play.disputes.queries import open_disputes
from league.play.hands.queries import games_of
from league.play.hands.words.names import short_hand_words
from league.play.open_play.queries import to_be_played
from league.play.results.queries.proposals import TableSheet, proposals_of, undecided_penalties
from league.play.results.queries.tables import TableResult, table_results
from scoring.checks import check_hands
from scoring.hand_codes import dealer_of
from scoring.hand_log import TableGame
from scoring.settlement import Four

RESULT = {Sheet.Status.VOID: State.VOID, Sheet.Status.CONFIRMED: State.CONFIRMED}


class HallSeat(NamedTuple):
    wind: int
    player: PlayerInfo | None
    points: int | None
    is_unsigned: bool


@dataclass(frozen=True, slots=True)
class HallTable:
    """A table in the hall. `since`: when its state began, if known. `held`: what keeps it from approval.
    `unsigned`: seats whose signature is missing. `claimed_twice`: seats that two phones say are theirs.
    """

    result: TableResult
    state: State
    since: datetime | None
    game: TableGame
    sheet: TableSheet
    call: Call | None = None
    dispute: Dispute | None = None
    held: tuple[State, ...] = ()
    unsigned: tuple[int, ...] = ()
    claimed_twice: tuple[int, ...] = ()

    @property
    def table(self) -> Table:
        return self.result.table

    @property
    def states(self) -> tuple[State, ...]:
        """Return all filters that find this table."""
        return (self.state, *self.held)

    @property
    def points(self) -> Four | None:
        """Return the recorded points, or those of the proposal, or those kept during play."""
        recorded = self.result.sheet or self.sheet.proposal
        return recorded.points if recorded else self.game.points_now

    @property
    def hand(self) -> str:
        """Return the hand in play in words, or "" if none is known."""
        known = self.game.hand if self.state == State.PLAYING else ""
        return short_hand_words(known) if known else ""

    @property
    def dealer(self) -> int | None:
        """Return the dealer's seat in the hand in play, or None if no hand is known."""
        return dealer_of(self.game.hand) if self.state == State.PLAYING else None

    @property
    def lines(self) -> list[HallSeat]:
        points: Sequence[int | None] = self.points or (None,) * 4
        players = self.result.players
        return [HallSeat(wind, players[wind], points[wind], wind in self.unsigned) for wind in range(4)]

    @property
    def public_lines(self) -> list[HallSeat]:
        """Return the `lines` without a score sheet that does not count yet."""
        return replace(self, sheet=TableSheet()).lines

    @property
    def is_clean(self) -> bool:
        return self.state == State.SIGNED and not self.held


class HallRound(NamedTuple):
    round: Round
    clock: tuple[Clock, list[tuple[Table, Clock]]] | None
    tables: list[HallTable]

    @property
    def code(self) -> str:
        """Return what phones at its tables give once. For staff only."""
        return round_code(self.round)

    @property
    def clean(self) -> list[HallTable]:
        return [table for table in self.tables if table.is_clean]

    @property
    def clean_numbers(self) -> list[str]:
        return [str(each.table.number) for each in self.clean]


def rounds_on(access: Access) -> list[Round]:
    """Return the open rounds that this person may see, by division. One query."""
    opened = to_be_played(access.rounds().filter(status=Round.Status.OPEN))
    return list(opened.order_by("stage__division__position", "stage__division_id", "-pk"))


def hall_rounds(competition: Competition, rounds: Sequence[Round]) -> list[HallRound]:
    """Return all facts of these rounds. Queries: a fixed number, and 3 for each round with a clock."""
    here = Table.objects.filter(round__in=[round_.pk for round_ in rounds])
    results = table_results(here, competition, rounds=rounds)
    tables = [each.table for each in results]
    sheets, games = proposals_of(tables), games_of(tables)
    postponed = set(to_make_up(here).values_list("pk", flat=True))
    calls = {call.table_id: call for call in reversed(calls_of(competition))}
    disputes = {dispute.table_id: dispute for dispute in reversed(open_disputes(competition))}
    again = claimed_twice(tables)
    undecided = set(undecided_penalties(tables).values_list("table_id", flat=True))

    def hall_table(result: TableResult) -> HallTable:
        pk, sheet, game = result.table.pk, sheets[result.table.pk], games[result.table.pk]
        state = _state(result, sheet, game, is_postponed=pk in postponed)
        held = {
            State.CALLING: pk in calls,
            State.DISPUTED: pk in disputes,
            State.OBJECTED: bool(sheet.objections),
            State.UNDECIDED: pk in undecided,
            **_contradictions(result, sheet, game),
        }
        return HallTable(
            result,
            state,
            _since(state, result, sheet),
            game,
            sheet,
            calls.get(pk),
            disputes.get(pk),
            tuple(name for name, is_so in held.items() if is_so),
            _unsigned(competition, sheet),
            tuple(wind for wind, who in enumerate(result.players) if who and who.player in again.get(pk, {})),
        )

    by_round: dict[int, list[HallTable]] = {round_.pk: [] for round_ in rounds}
    for result in results:
        by_round[result.table.round_id].append(hall_table(result))
    return [
        HallRound(round_, round_clock(round_, sees_results=True), by_round[round_.pk]) for round_ in rounds
    ]


def _contradictions(result: TableResult, sheet: TableSheet, game: TableGame) -> dict[State, bool]:
    """Return how the table's sheet contradicts its recorded hands."""
    is_void = result.sheet is not None and result.sheet.status == Sheet.Status.VOID
    facts = result.sheet if result.sheet and not is_void else sheet.proposal
    problems = check_hands(facts.points, facts.ending, game.game) if facts else ()
    codes = {problem.code for problem in problems}
    return {State.DIFFERS: "differs_from_hands" in codes, State.EARLY: "before_the_end" in codes}


def _state(result: TableResult, sheet: TableSheet, game: TableGame, *, is_postponed: bool) -> State:
    recorded = result.sheet
    if recorded is not None and recorded.status != Sheet.Status.VOID:
        signed_again = sheet.proposal is not None and sheet.is_complete
        usual = State.SIGNED if signed_again else State.ENTERED
        return RESULT.get(Sheet.Status(recorded.status), usual)
    if sheet.proposal is not None:
        return State.SIGNED if sheet.is_complete else State.TYPED
    if recorded is not None or is_postponed:
        return State.VOID if recorded else State.POSTPONED
    begun = result.table.round.clock_started_at or game.hand or game.number
    return State.PLAYING if begun else State.WAITING


def _since(state: State, result: TableResult, sheet: TableSheet) -> datetime | None:
    recorded, proposal = result.sheet, sheet.proposal
    if state == State.PLAYING:
        return result.table.round.clock_started_at
    if recorded is not None and state in {State.ENTERED, State.CONFIRMED, State.VOID}:
        return recorded.confirmed_at or recorded.entered_at
    if proposal is None:
        return None
    return max([proposal.at, *(each.at for each in sheet.signed.values())])


def _unsigned(competition: Competition, sheet: TableSheet) -> tuple[int, ...]:
    waits = sheet.proposal is not None and not sheet.is_complete
    asks_four = competition.signatures == Competition.Signatures.FOUR
    return tuple(wind for wind in range(4) if waits and asks_four and wind not in sheet.signed)


# --- for visitors


def live_rounds(access: Access) -> list[Round]:
    """Return the open rounds whose points visitors may follow: those with published results. One query.

    A round with hidden results tells visitors nothing, because the points of a game are its result.
    """
    opened = rounds_on(access) if access.competition.shows_hands else []
    return [each for each in opened if each.visibility == Round.Visibility.RESULTS]


def live_version(rounds: Collection[Round]) -> int:
    """Return a number that rises with every change of the tables of these rounds. Queries: at most 1."""
    if not rounds:
        return 0
    found = Table.objects.filter(round__in=[round_.pk for round_ in rounds]).aggregate(total=Sum("version"))
    return (found["total"] or 0) + sum(round_.version for round_ in rounds)
