"""Reads. Facts are fetched first, in a number of queries that does not grow; ``scoring`` computes second.

What is computed is kept under the competition's revision: nothing else invalidates it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.core.cache import cache
from django.db import connection
from django.db.models import Count, Exists, FilteredRelation, OuterRef, Q, QuerySet

from league.models import Competition, Division, Entrant, League, Penalty, Round, Sheet, Stage, Table
from scoring.settlement import SeatResult, settle
from scoring.standings import Game, Row, rank_players
from scoring.units import Score, half

CACHE_SECONDS = 24 * 3600
CODE = 1  # raise when what is kept in the cache changes its shape


@dataclass(frozen=True, slots=True)
class PlayerInfo:
    """What lists show of an entrant; ``entrant`` is the number in page addresses, ``key`` the id in files."""

    entrant: int
    player: int
    key: str
    name: str
    romanized: str
    country: str
    club: str


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One row of the standings: the ranking and whose it is."""

    row: Row
    player: PlayerInfo


@dataclass(frozen=True)
class Standings:
    """The standings of one stage as one audience sees them."""

    stage: int
    rows: tuple[StandingsRow, ...]
    games: int
    tables: int


@dataclass(frozen=True, slots=True)
class TableResult:
    """One table with its current sheet, settled. ``seats`` is empty when it has no sheet to settle."""

    table: Table
    sheet: Sheet | None
    players: tuple[PlayerInfo | None, ...]
    seats: tuple[SeatResult, ...]

    @property
    def status(self) -> str:
        """As the competition file says it: scheduled, entered, confirmed or void."""
        return "scheduled" if self.sheet is None else str(self.sheet.status)

    @property
    def lines(self) -> "list[tuple[int, PlayerInfo | None, SeatResult | None]]":
        """(wind, player, settled seat) of the four seats, for templates."""
        seats: Sequence[SeatResult | None] = self.seats or (None,) * 4
        return [(wind, self.players[wind], seats[wind]) for wind in range(4)]


# --- games


def with_facts(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Join the current sheet and the four seats: one row holds all facts of a hanchan."""
    relations = {"now": FilteredRelation("sheets", condition=Q(sheets__is_current=True))}
    for wind, name in enumerate(("e", "s", "w", "n")):
        relations[name] = FilteredRelation("seats", condition=Q(seats__wind=wind))
    return tables.annotate(**relations)


_GAME = ("e__player_id", "s__player_id", "w__player_id", "n__player_id")
_SHEET = ("now__east", "now__south", "now__west", "now__north", "now__sticks")


def counted_tables(stages: Iterable[int], *, statuses: Sequence[str], public: bool) -> QuerySet[Table]:
    """The tables whose current sheet counts; for the public only those of rounds with published results."""
    counts = Q(now__status__in=statuses)  # as a Q: the type checker does not see what with_facts joined
    found = with_facts(Table.objects.all()).filter(counts, round__stage__in=list(stages))
    return found.filter(round__visibility=Round.Visibility.RESULTS) if public else found


def games(stage: int, *, statuses: Sequence[str], public: bool) -> list[Game]:
    """The games of one stage in playing order, straight from one query."""
    sql, parameters = _games_sql(tuple(statuses), public)
    with connection.cursor() as cursor:
        cursor.execute(sql, [stage if value == _THE_STAGE else value for value in parameters])
        found: list[Game] = cursor.fetchall()
    return found


_THE_STAGE = -1  # stands for the stage in a compiled query: no row has this id


@lru_cache
def _games_sql(statuses: tuple[str, ...], public: bool) -> tuple[str, tuple[str | int, ...]]:
    """The query of ``games`` with its parameters. Compiling six joins takes Django as long as reading and
    ranking 500 tables.
    """
    tables = counted_tables([_THE_STAGE], statuses=statuses, public=public)
    rows = tables.order_by("round__number", "number").values_list(*_GAME, *_SHEET)
    sql, parameters = rows.query.sql_with_params()
    return sql, tuple(parameters)


def _games_by_stage(
    stages: Sequence[int], *, statuses: Sequence[str], public: bool
) -> Mapping[int, Sequence[Game]]:
    if len(stages) == 1:
        return {stages[0]: games(stages[0], statuses=statuses, public=public)}
    tables = counted_tables(stages, statuses=statuses, public=public).order_by("round__number", "number")
    found: dict[int, list[Game]] = {stage: [] for stage in stages}
    for stage, *game in tables.values_list("round__stage_id", *_GAME, *_SHEET):
        found[stage].append(tuple(game))
    return found


# --- standings


def standings(stage: Stage, *, public: bool) -> Standings:
    """The standings of a stage. ``public``: only rounds whose results are published, and no penalty of
    another round.
    """
    return standings_of([stage], public=public)[stage.pk]


def standings_of(
    stages: Sequence[Stage], *, public: bool, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Stage id → standings, for stages of one competition; in four queries, or three when ``every`` gives all
    stages of the competition (in order, as ``stages_of`` does). What was computed before is only read.
    """
    keys = {_standings_key(stage, public): stage for stage in stages}
    kept: dict[str, Standings] = cache.get_many(keys)
    missing = {key: stage for key, stage in keys.items() if key not in kept}
    if missing:
        made = _compute(list(missing.values()), public=public, every=every)
        fresh = {key: made[stage.pk] for key, stage in missing.items()}
        cache.set_many(fresh, CACHE_SECONDS)
        kept |= fresh
    return {keys[key].pk: found for key, found in kept.items()}


def _standings_key(stage: Stage, public: bool) -> str:
    competition = stage.division.competition
    return f"standings:{CODE}:{competition.pk}:{competition.revision}:{stage.pk}:{int(public)}"


def compute_standings(stage: Stage, *, public: bool) -> Standings:
    """The standings of a stage from the facts, whatever the cache holds: four queries at any size."""
    return _compute([stage], public=public)[stage.pk]


def _compute(
    stages: Sequence[Stage], *, public: bool, every: Sequence[Stage] | None = None
) -> dict[int, Standings]:
    """Fetch first: the stages up to these, their games and penalties, the entrants. Then rank.

    A division's first stage lists everyone entered in it; a later one those who play in it.
    """
    competition = stages[0].division.competition
    if every is None:
        every = list(Stage.objects.filter(division__in={stage.division_id for stage in stages}))
    chains = {stage.pk: carried_chain(stage, every) for stage in stages}
    needed = list({each.pk: None for chain, _ in chains.values() for each in chain})
    played = _games_by_stage(needed, statuses=competition.counted_statuses, public=public)
    penalties = _penalties_by_stage(needed, public=public)
    people = entrant_infos(competition)
    return {
        stage.pk: _rank(stage, *chains[stage.pk], played=played, penalties=penalties, people=people)
        for stage in stages
    }


def _rank(
    stage: Stage,
    chain: Sequence[Stage],
    from_the_start: bool,
    *,
    played: Mapping[int, Sequence[Game]],
    penalties: Mapping[int, Sequence[tuple[int, int]]],
    people: "Mapping[int, _Entered]",
) -> Standings:
    division, competition = stage.division, stage.division.competition
    rows: list[Row] = []
    carried: dict[int, Score] = {}
    for index, each in enumerate(chain):
        lists_all = index == 0 and from_the_start
        entrants = [p for p, info in people.items() if info.division == division.pk] if lists_all else []
        if index:
            carried = _carry(each.carry, rows, only=_players_of(played[each.pk]))
        rows = rank_players(
            played[each.pk],
            division.rules,
            entrants=entrants,
            penalties=penalties[each.pk],
            carried=carried,
            tie_breaks=competition.tie_breaks,
        )
    shown = tuple(StandingsRow(row=row, player=people[row.player].info) for row in rows)
    return Standings(
        stage=stage.pk, rows=shown, games=sum(r.row.games for r in shown), tables=len(played[stage.pk])
    )


def carried_chain(stage: Stage, every: Iterable[Stage]) -> tuple[list[Stage], bool]:
    """The stages whose points reach this one, oldest first, this one last; and whether they begin with the
    division's first. ``every``: at least the stages of its division.
    """
    same = sorted((s for s in every if s.division_id == stage.division_id), key=lambda s: (s.position, s.pk))
    until = same[: [s.pk for s in same].index(stage.pk) + 1]
    start = max((i for i, s in enumerate(until) if i == 0 or s.carry == Stage.Carry.NONE), default=0)
    return until[start:], start == 0


def _players_of(played: Iterable[Game]) -> set[int]:
    return {player for game in played for player in game[:4]}


def _carry(carry: str, rows: Iterable[Row], *, only: set[int]) -> dict[int, Score]:
    share = half if carry == Stage.Carry.HALF else _all
    return {row.player: share(row.total) for row in rows if row.player in only}


def _all(score: Score) -> Score:
    return score


def _penalties_by_stage(stages: Sequence[int], *, public: bool) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {stage: [] for stage in stages}
    counted = counted_penalties(Penalty.objects.filter(stage__in=stages), public=public)
    for stage, player, score in counted.values_list("stage_id", "player_id", "score"):
        found[stage].append((player, score))
    return found


def counted_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Those that count: shown to this audience, and not revoked."""
    return shown_penalties(penalties, public=public).filter(revoked_at__isnull=True)


def shown_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Revoked ones too; for the public none of a round whose results are not published: nothing leaks."""
    if not public:
        return penalties
    return penalties.filter(Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS))


# --- stages and rounds


@dataclass(frozen=True, slots=True)
class StageChoice:
    """A stage, and whether it has results that this audience may see."""

    stage: Stage
    has_results: bool


def stages_of(competition: Competition, *, public: bool) -> list[StageChoice]:
    """All stages of the competition in order, with division and rule set, in one query."""
    results = Sheet.objects.filter(is_current=True, status__in=competition.counted_statuses)
    if public:
        results = results.filter(table__round__visibility=Round.Visibility.RESULTS)
    found = Stage.objects.filter(division__competition=competition).select_related("division__rule_set")
    found = found.order_by("division__position", "division_id", "position", "pk")
    choices = []
    for stage in found.annotate(has_results=Exists(results.filter(table__round__stage=OuterRef("pk")))):
        stage.division.competition = competition  # the one at hand, whose revision was read first
        choices.append(StageChoice(stage, bool(stage.has_results)))
    return choices


def default_stage(competition: Competition, *, public: bool, division: str | None = None) -> Stage | None:
    """The stage that a page shows unasked: see ``newest_with_results``. ``division`` is the slug of one."""
    stages = stages_of(competition, public=public)
    return newest_with_results([c for c in stages if division is None or c.stage.division.slug == division])


def newest_with_results(stages: Sequence[StageChoice]) -> Stage | None:
    """The newest stage with visible results of the first division among ``stages``, else its first stage."""
    if not stages:
        return None
    same = [c for c in stages if c.stage.division_id == stages[0].stage.division_id]
    return next((c.stage for c in reversed(same) if c.has_results), same[0].stage)


@dataclass(frozen=True, slots=True)
class RoundCount:
    """How far a round is: its tables, those with a sheet that is not void, and those confirmed."""

    tables: int = 0
    entered: int = 0
    confirmed: int = 0


def round_counts(rounds: Iterable[int]) -> dict[int, RoundCount]:
    """Round id → how many of its tables are in, in one query."""
    now = FilteredRelation("sheets", condition=Q(sheets__is_current=True))
    is_in = ~Q(now__status=Sheet.Status.VOID) & Q(now__isnull=False)
    grouped = Table.objects.filter(round__in=list(rounds)).annotate(now=now).values("round").order_by()
    counted = grouped.annotate(
        tables=Count("pk"),
        entered=Count("now", filter=is_in),
        confirmed=Count("now", filter=Q(now__status=Sheet.Status.CONFIRMED)),
    )
    fields = ("round", "tables", "entered", "confirmed")
    return {pk: RoundCount(*counts) for pk, *counts in counted.values_list(*fields)}


def unpublished_rounds(stage: Stage) -> int:
    """How many rounds of the stage hold results that the public does not see yet."""
    hidden = Round.objects.filter(stage=stage).exclude(visibility=Round.Visibility.RESULTS)
    return hidden.filter(tables__sheets__is_current=True).distinct().count()


# --- people


@dataclass(frozen=True, slots=True)
class _Entered:
    info: PlayerInfo
    division: int | None


def entrant_infos(competition: Competition) -> dict[int, _Entered]:
    """Player id → entrant, all of the competition: a player of one division may play in another."""
    fields = (
        "pk",
        "player_id",
        "key",
        "player__name",
        "player__romanized",
        "player__country",
        "player__club__name",
    )
    found = Entrant.objects.filter(competition=competition).order_by("pk").values_list(*fields, "division_id")
    return {
        player: _Entered(PlayerInfo(pk, player, key, name, romanized, country, club or ""), division_id)
        for pk, player, key, name, romanized, country, club, division_id in found
    }


def players_of(competition: Competition) -> dict[int, PlayerInfo]:
    """Player id → what lists show."""
    return {player: entered.info for player, entered in entrant_infos(competition).items()}


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """One entrant as the public list shows them; ``division`` is its name, or empty."""

    info: PlayerInfo
    division: str
    withdrawn: bool


def entrant_lines(competition: Competition) -> list[EntrantLine]:
    """Everyone entered, by division and name, in one query."""
    found = Entrant.objects.filter(competition=competition).select_related("player__club", "division")
    # Sorted here, because databases put names of several scripts in different orders.
    return [
        EntrantLine(
            info_of(entrant), entrant.division.name if entrant.division else "", bool(entrant.withdrawn_at)
        )
        for entrant in sorted(found, key=_list_order)
    ]


def _list_order(entrant: Entrant) -> tuple[bool, int, int, str, int]:
    division = entrant.division
    place = (True, 0, 0) if division is None else (False, division.position, division.pk)
    return *place, entrant.player.name, entrant.pk


def info_of(entrant: Entrant) -> PlayerInfo:
    """What lists show of this entrant; costs no query when player and club came with it."""
    player = entrant.player
    club = player.club.name if player.club else ""
    return PlayerInfo(entrant.pk, player.pk, entrant.key, player.name, player.romanized, player.country, club)


# --- tables


def table_results(tables: QuerySet[Table], competition: Competition) -> list[TableResult]:
    """The given tables in playing order, settled: four queries at any size."""
    ordered = tables.select_related("round__stage__division__rule_set").prefetch_related("seats")
    ordered = ordered.order_by(
        "round__stage__division__position",
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
    people = players_of(competition)
    return [_table_result(table, by_table.get(table.pk), people) for table in found]


def _table_result(table: Table, sheet: Sheet | None, people: Mapping[int, PlayerInfo]) -> TableResult:
    by_wind = {seat.wind: people.get(seat.player_id) for seat in table.seats.all()}
    seats: tuple[SeatResult, ...] = ()
    if sheet is not None:
        seats = settle(sheet.points, table.round.stage.division.rules, sticks=sheet.sticks)
    return TableResult(table, sheet, tuple(by_wind.get(wind) for wind in range(4)), seats)


def without_results(results: Iterable[TableResult]) -> list[TableResult]:
    """The seating alone: all that the public sees of a round whose seating is published, not its results."""
    return [TableResult(result.table, None, result.players, ()) for result in results]


# --- the organizer's board
# -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundState:
    """How far a round is: tables seated, tables with a score sheet (a void one too), penalties logged."""

    round: Round
    tables: int
    entered: int
    penalties: int

    @property
    def complete(self) -> bool:
        return 0 < self.tables == self.entered

    @property
    def deletable(self) -> bool:
        return not self.entered and not self.penalties


@dataclass(frozen=True, slots=True)
class Step:
    """What a division needs next. ``code``: players, round, seat, open, enter, close or publish."""

    code: str
    stage: Stage | None
    state: RoundState | None = None
    next_number: int = 1  # of the round to be made


@dataclass(frozen=True, slots=True)
class StageState:
    """A stage with its rounds, in playing order."""

    stage: Stage
    rounds: tuple[RoundState, ...]

    @property
    def newest_first(self) -> tuple[RoundState, ...]:
        return self.rounds[::-1]


@dataclass(frozen=True, slots=True)
class DivisionState:
    """A division with its stages, how many players are entered and not withdrawn, and what to do next."""

    division: Division
    players: int
    stages: tuple[StageState, ...]
    step: Step

    @property
    def has_sheets(self) -> bool:
        return any(state.entered for stage in self.stages for state in stage.rounds)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that the organizer's page shows; ``homeless`` players are entered in no division."""

    divisions: tuple[DivisionState, ...]
    homeless: int


def board(competition: Competition) -> Board:
    """The state of all divisions, stages and rounds: four queries at any size."""
    divisions = list(Division.objects.filter(competition=competition).select_related("rule_set"))
    stages = list(Stage.objects.filter(division__competition=competition))
    rounds: dict[int, list[RoundState]] = {stage.pk: [] for stage in stages}
    for state in _round_states(competition):
        rounds[state.round.stage_id].append(state)
    entered = Entrant.objects.filter(competition=competition, withdrawn_at__isnull=True)
    counts = dict(entered.order_by().values_list("division_id").annotate(Count("pk")))
    found = []
    for division in divisions:
        mine = tuple(StageState(s, tuple(rounds[s.pk])) for s in stages if s.division_id == division.pk)
        players = counts.get(division.pk, 0)
        found.append(DivisionState(division, players, mine, next_step(players, mine)))
    return Board(tuple(found), homeless=counts.get(None, 0))


def _round_states(competition: Competition) -> Iterator[RoundState]:
    found = Round.objects.filter(stage__division__competition=competition).annotate(
        tables_seated=Count("tables", distinct=True),
        tables_entered=Count("tables__sheets", filter=Q(tables__sheets__is_current=True), distinct=True),
        penalties_logged=Count("penalties", distinct=True),
    )
    for round_ in found.order_by("number", "pk"):
        yield RoundState(round_, round_.tables_seated, round_.tables_entered, round_.penalties_logged)


def next_step(players: int, stages: Sequence[StageState]) -> Step:
    """What the division waits for: first what is going on, then what is prepared, then what is new."""
    states = [(stage.stage, state) for stage in stages for state in stage.rounds]
    for code, waits in _WAITING:
        for stage, state in states:
            if waits(state):
                return Step("players" if code == "seat" and players < 4 else code, stage, state)
    if states and states[-1][1].round.visibility != Round.Visibility.RESULTS:
        return Step("publish", *states[-1])
    if players < 4:
        return Step("players", None)
    if states:
        stage, newest = states[-1]
        return Step("round", stage, next_number=newest.round.number + 1)
    return Step("round", stages[0].stage if stages else None)


_WAITING: tuple[tuple[str, Callable[[RoundState], bool]], ...] = (
    ("enter", lambda state: state.round.status == Round.Status.OPEN and not state.complete),
    ("close", lambda state: state.round.status == Round.Status.OPEN),
    ("open", lambda state: state.round.status == Round.Status.PLANNED and bool(state.tables)),
    ("seat", lambda state: state.round.status == Round.Status.PLANNED),
)


# --- seating
# -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entrant who may be seated; ``division`` is the one they are entered in."""

    info: PlayerInfo
    division: int | None
    withdrawn: bool


def candidates(competition: Competition) -> dict[int, Candidate]:
    """Player id → everyone entered, withdrawn or not, in the order of entry: two queries."""
    gone = set(
        Entrant.objects.filter(competition=competition, withdrawn_at__isnull=False).values_list(
            "player_id", flat=True
        )
    )
    return {
        player: Candidate(entered.info, entered.division, player in gone)
        for player, entered in entrant_infos(competition).items()
    }


# --- a league
# -----------------------------------------------------------------------------------------------------------


def competitions_of(league: League) -> QuerySet[Competition]:
    """The league's competitions, newest first, with ``players`` entered and ``rounds`` made."""
    return Competition.objects.filter(league=league).annotate(
        players=Count("entrants", distinct=True), rounds=Count("divisions__stages__rounds", distinct=True)
    )
