"""The games that count: one row of one query holds all facts of a hanchan."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.db import connection
from django.db.models import FilteredRelation, Q, QuerySet

from league.core.substitutes import Substitutes, late_seats
from league.models import Round, Table
from league.models.play import NOBODY, named_of
from scoring.settlement import NORTH, Ending
from scoring.standings import SUBSTITUTE, Game


def with_facts(tables: QuerySet[Table]) -> QuerySet[Table]:
    """Join the current sheet and the four seats: one row holds all facts of a hanchan."""
    relations = {"now": FilteredRelation("sheets", condition=Q(sheets__is_current=True))}
    for wind, name in enumerate(("e", "s", "w", "n")):
        relations[name] = FilteredRelation("seats", condition=Q(seats__wind=wind))
    return tables.annotate(**relations)


# The columns that ``with_facts`` joins, from east to north.
SEATED = ("e__player_id", "s__player_id", "w__player_id", "n__player_id")
RAW_POINTS = ("now__east", "now__south", "now__west", "now__north")
ENDING = ("now__sticks", "now__last_dealer", "now__named")
_GAME = (*SEATED, *RAW_POINTS, "now__sticks")
GAME_AND_ENDING = ("pk", *SEATED, *RAW_POINTS, *ENDING)
_NO_SUBSTITUTES: Substitutes = {}


def ending_of(sticks: int | None, last_dealer: int | None, named: str | None) -> Ending:
    """The columns of ``ENDING`` as the settlement takes them; a table without a sheet has none of them."""
    return sticks or 0, NORTH if last_dealer is None else last_dealer, named_of(named or NOBODY)


def counted_tables(stages: Iterable[int], *, statuses: Sequence[str], public: bool) -> QuerySet[Table]:
    """The tables whose current sheet counts; for the public only those of rounds with published results."""
    counts = Q(now__status__in=statuses)  # as a Q: the type checker does not see what with_facts joined
    found = with_facts(Table.objects.all()).filter(counts, round__stage__in=list(stages))
    return found.filter(round__visibility=Round.Visibility.RESULTS) if public else found


def games(
    stage: int,
    *,
    statuses: Sequence[str],
    public: bool,
    with_endings: bool = False,
    substitutes: Substitutes = _NO_SUBSTITUTES,
) -> list[Game]:
    """The games of one stage in playing order, from one query.

    ``with_endings``: with all that the sheets say of the ending, for rule sets that need it
    (``scoring.settlement.needs_ending``). The seats of ``substitutes`` count for no player.
    """
    folded = with_endings or bool(substitutes)
    with connection.cursor() as cursor:
        cursor.execute(*_games_sql(stage, tuple(statuses), public, folded))
        return _as_games(cursor.fetchall(), substitutes, folded=folded)


@lru_cache(maxsize=512)
def _games_sql(stage: int, statuses: tuple[str, ...], public: bool, folded: bool) -> tuple[str, Any]:
    """The query of ``games``. It is kept, because Django needs longer to build and compile its six joins than
    to read and rank 250 tables.
    """
    tables = counted_tables([stage], statuses=statuses, public=public)
    return _rows(tables, folded=folded).query.sql_with_params()


def games_before(
    stage: int,
    number: int,
    *,
    statuses: Sequence[str],
    with_endings: bool,
    substitutes: Substitutes,
) -> list[Game]:
    """The games of the stage's rounds below this number, hidden ones too, in playing order: one query."""
    tables = counted_tables([stage], statuses=statuses, public=False).filter(round__number__lt=number)
    folded = with_endings or bool(substitutes)
    return _as_games(_rows(tables, folded=folded), substitutes, folded=folded)


def games_by_stage(
    stages: Sequence[int],
    *,
    statuses: Sequence[str],
    public: bool,
    with_endings: bool,
    substitutes: Substitutes,
) -> Mapping[int, Sequence[Game]]:
    """Stage → its games in playing order, from one query; the arguments are those of ``games``."""
    if len(stages) == 1:
        only = games(
            stages[0], statuses=statuses, public=public, with_endings=with_endings, substitutes=substitutes
        )
        return {stages[0]: only}
    folded = with_endings or bool(substitutes)
    tables = counted_tables(stages, statuses=statuses, public=public)
    found: dict[int, list[Sequence[Any]]] = {stage: [] for stage in stages}
    for stage, *row in _rows(tables, "round__stage_id", folded=folded):
        found[stage].append(row)
    return {stage: _as_games(rows, substitutes, folded=folded) for stage, rows in found.items()}


def _rows(tables: QuerySet[Table], *before: str, folded: bool) -> QuerySet[Table, tuple[Any, ...]]:
    """The columns ``before``, then ``_GAME`` or, ``folded``, ``GAME_AND_ENDING``, in playing order."""
    columns = GAME_AND_ENDING if folded else _GAME
    return tables.order_by("round__number", "number").values_list(*before, *columns)


def _as_games(rows: Iterable[Sequence[Any]], substitutes: Substitutes, *, folded: bool) -> list[Game]:
    return [folded_game(row, substitutes) for row in rows] if folded else [tuple(row) for row in rows]


def folded_game(row: Sequence[Any], substitutes: Substitutes) -> Game:
    """A row of ``GAME_AND_ENDING`` as a game: its last three columns in one, with the seats of substitutes
    who came late.
    """
    table, a, b, c, d, east, south, west, north, *columns = row
    ending = ending_of(*columns)
    instead = substitutes.get(table)
    if instead is None:
        return a, b, c, d, east, south, west, north, ending
    a, b, c, d = (SUBSTITUTE if wind in instead else player for wind, player in enumerate((a, b, c, d)))
    return a, b, c, d, east, south, west, north, (*ending, late_seats(instead))
