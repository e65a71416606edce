from collections.abc import Sequence
from typing import Any

from league.core.files.columns import exact_value
from league.models import Stage
from league.standings.columns import CARRIED, CSV, JSON, StandingsColumn
from league.standings.queries.standings import StandingsRow, standings


def shown_columns(
    columns: Sequence[StandingsColumn], stage: Stage, lines: Sequence[StandingsRow]
) -> list[StandingsColumn]:
    """Leave out optional columns with only zeros, but show what a stage carries over."""
    carries = stage.carry != Stage.Carry.NONE
    return [column for column in columns if column.is_shown(lines) or (carries and column is CARRIED)]


def standings_table(stage: Stage, *, public: bool) -> tuple[list[StandingsColumn], list[list[Any]]]:
    """Return the columns and the rows of values: whole numbers, tenths, fractions, text."""
    lines = standings(stage, public=public).rows
    columns = shown_columns(CSV, stage, lines)
    return columns, [[column.value(line) for column in columns] for line in lines]


def standings_json(stage: Stage, *, public: bool) -> dict[str, Any]:
    """Return the standings in the contract of the competition file."""
    lines = standings(stage, public=public).rows
    columns = shown_columns(JSON, stage, lines)
    rows = [{column.key: exact_value(column, column.value(line)) for column in columns} for line in lines]
    return {**stage_json(stage), "rows": rows}


def stage_json(stage: Stage) -> dict[str, Any]:
    division = stage.division
    return {"competition": division.competition.slug, "division": division.slug, "stage": stage.slug}
