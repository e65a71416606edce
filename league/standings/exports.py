"""The standings of one stage in files: the rows that the page shows."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.columns import AVERAGE, POINTS, SCORE, WHOLE, Column, average_text
from league.models import Stage
from league.standings.queries.standings import StandingsRow, standings
from scoring.units import decimal_text

PLACES = (
    Column("firsts", _("1st places"), WHOLE),
    Column("seconds", _("2nd places"), WHOLE),
    Column("thirds", _("3rd places"), WHOLE),
    Column("fourths", _("4th places"), WHOLE),
    Column("average_place", _("Average place"), AVERAGE),
    Column("best_points", _("Best points"), POINTS),
)
_BEFORE = (
    Column("rank", _("Rank"), WHOLE),
    Column("player", _("Key")),
    Column("name", pgettext_lazy("of a person", "Name")),
    Column("games", _("Games"), WHOLE),
    Column("score", _("Score"), SCORE),
    Column("penalty", _("Penalties"), SCORE),
)
_BEYOND = Column("beyond", _("Games that do not count"), WHOLE, optional=True)
_MISSING = Column("missing", _("Games missing for a rank"), WHOLE, optional=True)
_ADJUSTED = Column("adjusted", _("Rounds not played"), SCORE, optional=True)
_CARRIED = Column("carried", _("Carried over"), SCORE, optional=True)
_HEAD_START = Column("head_start", _("Head start (in carried over)"), SCORE, optional=True)
_TOTAL = Column("total", _("Total"), SCORE)


def columns_with_something(stage: Stage, lines: Sequence[StandingsRow]) -> list[Column]:
    """Of the columns that most stages do not need those in which something stands: hanchan that do not count
    or are missing for a rank, points for rounds not played, what was carried, head starts.
    """
    starts = any(line.head_start for line in lines)
    found = (
        (_BEYOND, any(line.row.beyond for line in lines)),
        (_MISSING, any(line.row.missing for line in lines)),
        (_ADJUSTED, any(line.row.adjusted for line in lines)),
        (_CARRIED, starts or stage.carry != Stage.Carry.NONE),
        (_HEAD_START, starts),
    )
    return [column for column, something in found if something]


def standings_values(line: StandingsRow) -> dict[str, Any]:
    """By the key of its column: whole numbers, tenths, fractions, text."""
    row, player = line.row, line.player
    return {
        "rank": row.shown_rank,
        "player": player.key,
        "name": player.name,
        "games": row.games,
        "score": row.score,
        "penalty": row.penalty,
        "beyond": row.beyond,
        "missing": row.missing,
        "adjusted": row.adjusted,
        "carried": row.carried,
        "head_start": line.head_start,
        "total": row.total,
        **dict(zip(("firsts", "seconds", "thirds", "fourths"), row.places, strict=True)),
        "average_place": row.average_place,
        "best_points": row.best_points,
    }


def standings_table(stage: Stage, *, public: bool) -> tuple[list[Column], list[list[Any]]]:
    """The columns, and the values of each row under them."""
    lines = standings(stage, public=public).rows
    columns = [*_BEFORE, *columns_with_something(stage, lines), _TOTAL, *PLACES]
    rows = map(standings_values, lines)
    return columns, [[values[column.key] for column in columns] for values in rows]


def standings_json(stage: Stage, *, public: bool) -> dict[str, Any]:
    """The standings as the contract has them: scores as exact text, which no program reads as floats."""
    division, lines = stage.division, standings(stage, public=public).rows
    columns = [*_BEFORE, *columns_with_something(stage, lines), _TOTAL]
    return {
        "competition": division.competition.slug,
        "division": division.slug,
        "stage": stage.slug,
        "rows": [_json_row(line, columns) for line in lines],
    }


def _json_row(line: StandingsRow, columns: Sequence[Column]) -> dict[str, Any]:
    values = standings_values(line)
    return {
        **{c.key: decimal_text(values[c.key]) if c.kind == SCORE else values[c.key] for c in columns},
        "places": list(line.row.places),
        "average_place": average_text(line.row.average_place),
        "best_points": line.row.best_points,
    }
