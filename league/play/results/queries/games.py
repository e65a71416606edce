"""The games that count. One row of one query holds all facts of a hanchan."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import FilteredRelation, Min, Q, QuerySet, Subquery

from league.core.zones import day_of_play
from league.models import Competition, Round, Seat, Stage, Table
from league.models.play import NOBODY, named_of
from scoring.settlement import NO_CHIPS, NORTH, Ending, needs_ending, settler
from scoring.standings import SUBSTITUTE, Game, player_scores
from scoring.units import Score


@dataclass(frozen=True, slots=True)
class Substitution:
    """``stands_for``: id of the absent player. ``until_back``: also in later rounds."""

    stands_for: int
    late: bool
    until_back: bool = False


ByWind = Mapping[int, Substitution]


Substitutes = Mapping[int, ByWind]  # by table; those without a substitute are left out


NO_SUBSTITUTE: ByWind = {}


def substitutes(seats: QuerySet[Seat]) -> dict[int, dict[int, Substitution]]:
    """Return table → wind → substitute. One query."""
    rows = seats.filter(stands_for__isnull=False).order_by()
    columns = ("table_id", "wind", "stands_for_id", "came_late", "until_back")
    by_table: dict[int, dict[int, Substitution]] = {}
    for table, wind, player, *how in rows.values_list(*columns):
        if player is not None:
            by_table.setdefault(table, {})[wind] = Substitution(player, *how)
    return by_table


def days_of_rounds(competition: Competition) -> dict[int, date]:
    """Return round → day for rounds without a date: the event's only day, or the day of the round's first
    sheet, if that is one of the event's days. Queries: at most 1.
    """
    first = competition.first_day
    last = competition.last_day or competition.only_day
    if first is None or last is None:
        return {}
    undated = Round.objects.of(competition).filter(date=None).order_by()
    begun = undated.values_list("pk").annotate(Min("tables__sheets__entered_at"))
    days = {pk: competition.only_day or (at and day_of_play(competition, at)) for pk, at in begun}
    return {pk: day for pk, day in days.items() if day and first <= day <= last}


def late_seats(seats: ByWind) -> tuple[int, ...]:
    return tuple(sorted(wind for wind, seat in seats.items() if seat.late))


def late_at(table: QuerySet[Seat]) -> tuple[int, ...]:
    late = table.filter(stands_for__isnull=False, came_late=True).order_by("wind")
    return tuple(late.values_list("wind", flat=True))


def with_facts(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Join the current sheet and the four seats to each table."""
    relations = {"now": FilteredRelation("sheets", condition=Q(sheets__is_current=True))}
    for wind, name in enumerate(("e", "s", "w", "n")):
        relations[name] = FilteredRelation("seats", condition=Q(seats__wind=wind))
    return tables.annotate(**relations)


# The columns that ``with_facts`` joins, from east to north.
SEATED = ("e__player_id", "s__player_id", "w__player_id", "n__player_id")
RAW_POINTS = ("now__east", "now__south", "now__west", "now__north")
CHIPS = ("now__east_chips", "now__south_chips", "now__west_chips", "now__north_chips")
ENDING = ("now__sticks", "now__last_dealer", "now__named", *CHIPS)
SHEET = (*SEATED, *RAW_POINTS, *ENDING)
PLAIN = (NORTH, NOBODY, *NO_CHIPS)  # an ending that says nothing besides the deposits
# The columns of a game, without and with all of its ending.
GAME = {False: (*SEATED, *RAW_POINTS, "now__sticks"), True: SHEET}
_NO_SUBSTITUTES: Substitutes = {}


@lru_cache(maxsize=4096)
def ending_of(
    sticks: int | None,
    last_dealer: int | None,
    named: str | None,
    *chips: int | None,
    late: tuple[int, ...] = (),
) -> Ending:
    """Convert the columns of ``ENDING`` for the settlement. Without a sheet they are None."""
    if sticks is None or last_dealer is None:
        return Ending(late=late)
    east, south, west, north = (won or 0 for won in chips)
    return Ending(sticks, last_dealer, named_of(named or NOBODY), (east, south, west, north), late)


def read_sheet(
    columns: Sequence[Any], *, late: tuple[int, ...] = ()
) -> tuple[Sequence[Any], Sequence[Any], Ending]:
    """Split the columns ``SHEET`` into the four players, their points and the ending."""
    return columns[:4], columns[4:8], ending_of(*columns[8:], late=late)


def counted_tables(stages: Iterable[int], *, statuses: Sequence[str], public: bool) -> QuerySet[Table]:
    """Select the tables whose current sheet counts. The public sees only published rounds."""
    counts = Q(now__status__in=statuses)  # as a Q: the type checker does not see what with_facts joined
    counted = with_facts(Table.objects.all()).filter(counts, round__stage__in=list(stages))
    if not public:
        return counted
    return counted.filter(round__visibility=Round.Visibility.RESULTS)


def count_newest_games(stage: int, *, statuses: Sequence[str], public: bool) -> int:
    """Return how many ``games`` at the end of a stage belong to its newest round. One query."""
    tables = counted_tables([stage], statuses=statuses, public=public)
    newest = tables.order_by("-round__number").values("round__number")[:1]
    return tables.filter(round__number=Subquery(newest)).count()


def games(
    stage: int,
    *,
    statuses: Sequence[str],
    public: bool,
    with_endings: bool = False,
    substitutes: Substitutes = _NO_SUBSTITUTES,
) -> list[Game]:
    """Return the games of a stage in playing order. One query.

    ``with_endings``: read how each hanchan ended, for rule sets that need it
    (``scoring.settlement.needs_ending``). The seats of ``substitutes`` count for no player.
    """
    if _READ.get() is not None:
        rows = _numbered(stage, tuple(statuses), public, with_endings)
        return as_games([row[:-1] for row in rows], substitutes, with_endings=with_endings)
    with connection.cursor() as cursor:
        cursor.execute(*_games_sql(stage, tuple(statuses), public, with_endings, bool(substitutes)))
        return as_games(cursor.fetchall(), substitutes, with_endings=with_endings)


Rows = list[tuple[Any, ...]]
_READ: ContextVar[dict[tuple[object, ...], Rows] | None] = ContextVar("_READ", default=None)


@contextmanager
def games_read_once() -> Iterator[None]:
    """Let ``games`` and ``games_with_rounds`` of one stage share one query inside the block."""
    token = _READ.set({})
    try:
        yield
    finally:
        _READ.reset(token)


def _numbered(stage: int, statuses: tuple[str, ...], public: bool, with_endings: bool) -> Rows:
    """Return the rows of a stage with the table and the round's number, as last columns."""
    known = _READ.get()
    key = (stage, statuses, public, with_endings)
    if known is not None and key in known:
        return known[key]
    tables = counted_tables([stage], statuses=statuses, public=public)
    with connection.cursor() as cursor:
        cursor.execute(*_rows(tables, "round__number", with_endings=with_endings).query.sql_with_params())
        rows = list(cursor.fetchall())
    if known is not None:
        known[key] = rows
    return rows


@lru_cache(maxsize=512)
def _games_sql(
    stage: int, statuses: tuple[str, ...], public: bool, with_endings: bool, with_tables: bool
) -> tuple[str, Any]:
    """Cache the SQL. Django takes longer to compile its six joins than to read and rank 250 tables."""
    tables = counted_tables([stage], statuses=statuses, public=public)
    rows = _rows(tables, with_endings=with_endings, with_tables=with_tables)
    return rows.query.sql_with_params()


def games_with_rounds(
    stage: int, *, statuses: Sequence[str], public: bool, with_endings: bool, substitutes: Substitutes
) -> list[tuple[int, Game]]:
    """Return (round number, game) of a stage in playing order. One query."""
    rows = _numbered(stage, tuple(statuses), public, with_endings)
    played = as_games(rows, substitutes, with_endings=with_endings)
    return [(row[-1], game) for row, game in zip(rows, played, strict=True)]  # the last column is the round


def round_scores(stage: Stage, *, public: bool) -> Iterator[tuple[int, dict[int, Score]]]:
    """Yield (round number, player → tenths) per game. Substitutes are one player. Two queries."""
    rules = stage.rules
    settle = settler(rules)
    played = games_with_rounds(
        stage.pk,
        statuses=stage.competition.counted_statuses,
        public=public,
        with_endings=needs_ending(rules),
        substitutes=substitutes(Seat.objects.filter(round__stage=stage)),
    )
    for number, game in played:
        yield number, dict(player_scores(game, settle))


def games_between(
    stage: int,
    days: tuple[date, date] | None,
    *,
    statuses: Sequence[str],
    public: bool,
    with_endings: bool,
    substitutes: Substitutes,
) -> list[Game]:
    """Return the ``games`` in rounds between these two days, inclusive (None: all rounds)."""
    tables = counted_tables([stage], statuses=statuses, public=public)
    if days is not None:
        tables = tables.filter(round__date__range=days)
    return as_games(_rows(tables, with_endings=with_endings), substitutes, with_endings=with_endings)


def games_by_stage(
    stages: Sequence[int],
    *,
    statuses: Sequence[str],
    public: bool,
    with_endings: bool,
    substitutes: Substitutes,
) -> Mapping[int, Sequence[Game]]:
    """Return stage → ``games``. One query."""
    if len(stages) == 1:
        (stage,) = stages
        only = games(
            stage, statuses=statuses, public=public, with_endings=with_endings, substitutes=substitutes
        )
        return {stage: only}
    tables = counted_tables(stages, statuses=statuses, public=public)
    by_stage: dict[int, list[tuple[Any, ...]]] = {stage: [] for stage in stages}
    for row in _rows(tables, "round__stage_id", with_endings=with_endings):
        by_stage[row[-1]].append(row)  # the last column is the stage
    return {stage: as_games(rows, substitutes, with_endings=with_endings) for stage, rows in by_stage.items()}


def _rows(
    tables: QuerySet[Table], *after: str, with_endings: bool, with_tables: bool = True
) -> QuerySet[Table, tuple[Any, ...]]:
    columns = (*GAME[with_endings], *(["pk"] if with_tables else []), *after)
    return tables.order_by("round__number", "number").values_list(*columns)


def as_games(rows: Iterable[tuple[Any, ...]], substitutes: Substitutes, *, with_endings: bool) -> list[Game]:
    """Convert rows with the columns ``GAME`` and, if there are ``substitutes``, the table.

    Rows and games are tuples with four players, four points and the ending, since a season has 100 000.
    """
    rows = list(rows)
    if with_endings:
        games = [row[:9] if row[9:15] == PLAIN else (*row[:8], ending_of(*row[8:15])) for row in rows]
    else:
        games = [row[:9] for row in rows]  # the same tuple, if it has no more
    table = len(GAME[with_endings])
    for index, row in enumerate(rows if substitutes else ()):
        if row[table] in substitutes:
            games[index] = _with_substitutes(games[index], substitutes[row[table]])
    return games


def _with_substitutes(game: Game, instead: ByWind) -> Game:
    *players, east, south, west, north, ending = game
    a, b, c, d = (SUBSTITUTE if wind in instead else player for wind, player in enumerate(players))
    ending = ending if isinstance(ending, Ending) else Ending(ending)
    return a, b, c, d, east, south, west, north, ending._replace(late=late_seats(instead))


def hides_results(division: int) -> bool:
    """Return whether a closed round is not published. One query."""
    closed = Round.objects.filter(stage__division=division, status=Round.Status.CLOSED)
    return closed.exclude(visibility=Round.Visibility.RESULTS).exists()
