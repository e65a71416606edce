"""The standings of one stage in files: the rows that the page shows."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.exports.columns import AVERAGE, POINTS, SCORE, WHOLE, Column, average_text
from league.models import Stage
from league.queries import StandingsRow, standings
from scoring.units import Score, decimal_text

PLACES = (
    Column("firsts", _("1st places"), WHOLE),
    Column("seconds", _("2nd places"), WHOLE),
    Column("thirds", _("3rd places"), WHOLE),
    Column("fourths", _("4th places"), WHOLE),
    Column("average_place", _("Average place"), AVERAGE),
    Column("best_points", _("Best points"), POINTS),
)
_BEFORE_CARRIED = (
    Column("rank", _("Rank"), WHOLE),
    Column("player", _("Key")),
    Column("name", pgettext_lazy("of a person", "Name")),
    Column("games", _("Games"), WHOLE),
    Column("score", _("Score"), SCORE),
    Column("penalty", _("Penalties"), SCORE),
)
_ADJUSTED = Column("adjusted", _("Rounds not played"), SCORE)
_BEYOND = Column("beyond", _("Games that do not count"), WHOLE)
_MISSING = Column("missing", _("Games missing for a rank"), WHOLE)
_NUMBERS = (_BEYOND.key, _MISSING.key)
_CARRIED = Column("carried", _("Carried over"), SCORE)
_HEAD_START = Column("head_start", _("Head start (in carried over)"), SCORE)
_AFTER_CARRIED = (Column("total", _("Total"), SCORE), *PLACES)


def carries(stage: Stage) -> bool:
    """Does the stage bring in points, from the one before or as head starts? Only then there is a column for
    them.
    """
    return stage.carry != Stage.Carry.NONE or has_head_starts(stage)


def has_head_starts(stage: Stage) -> bool:
    """Does the cut of the stage give head starts? Only then there is a column for them, too."""
    return bool(stage.cut) and stage.qualified.exclude(head_start=0).exists()


def _brought_columns(stage: Stage, *, public: bool) -> list[Column]:
    """Only where there is something in them: hanchan that do not count or are missing for a rank, points for
    rounds not played, what was carried, head starts.
    """
    rows = [line.row for line in standings(stage, public=public).rows]
    adjusted = any(row.adjusted for row in rows)
    return [
        *([_BEYOND] if any(row.beyond for row in rows) else []),
        *([_MISSING] if any(row.missing for row in rows) else []),
        *([_ADJUSTED] if adjusted else []),
        *([_CARRIED] if carries(stage) else []),
        *([_HEAD_START] if has_head_starts(stage) else []),
    ]


def standings_columns(stage: Stage, *, public: bool) -> list[Column]:
    return [*_BEFORE_CARRIED, *_brought_columns(stage, public=public), *_AFTER_CARRIED]


def standings_rows(stage: Stage, *, public: bool) -> list[list[Any]]:
    """The rows under ``standings_columns``: whole numbers, tenths, fractions."""
    brought = [column.key for column in _brought_columns(stage, public=public)]
    return [_row(line, brought) for line in standings(stage, public=public).rows]


def _row(line: StandingsRow, brought: Sequence[str]) -> list[Any]:
    row, player = line.row, line.player
    values = _values(line)
    before = [row.shown_rank, player.key, player.name, row.games, row.score, row.penalty]
    after = [row.total, *row.places, row.average_place, row.best_points]
    return [*before, *(values[name] for name in brought), *after]


def _values(line: StandingsRow) -> dict[str, Score]:
    """What the columns of ``_brought_columns`` hold."""
    row = line.row
    return {
        "beyond": row.beyond,
        "missing": row.missing,
        "adjusted": row.adjusted,
        "carried": row.carried,
        "head_start": line.head_start,
    }


def standings_json(stage: Stage, *, public: bool) -> dict[str, Any]:
    """The standings as the contract has them: scores as exact text, which no program reads as floats."""
    division = stage.division
    brought = [column.key for column in _brought_columns(stage, public=public)]
    return {
        "competition": division.competition.slug,
        "division": division.slug,
        "stage": stage.slug,
        "rows": [_json_row(each, brought) for each in standings(stage, public=public).rows],
    }


def _json_row(line: StandingsRow, brought: Sequence[str]) -> dict[str, Any]:
    row = line.row
    values = _values(line)
    return {
        "rank": row.shown_rank,
        "player": line.player.key,
        "name": line.player.name,
        "games": row.games,
        "score": decimal_text(row.score),
        "penalty": decimal_text(row.penalty),
        **{name: values[name] if name in _NUMBERS else decimal_text(values[name]) for name in brought},
        "total": decimal_text(row.total),
        "places": list(row.places),
        "average_place": average_text(row.average_place),
        "best_points": row.best_points,
    }
