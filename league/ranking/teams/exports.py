from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.files.columns import Column, exact_value
from league.core.files.looks import BAND, PLAIN
from league.core.files.xlsx import RANKING, ExcelBook
from league.core.stages import part_names
from league.models import Stage
from league.ranking.standings.columns import (
    EXACT_TOTAL,
    MEMBER_FILES,
    MEMBER_JSON,
    TEAM_BROUGHT,
    TEAM_FILES,
    TEAM_JSON,
    StandingsColumn,
)
from league.ranking.teams.queries import TeamLine, team_standings

_MEMBERS = (Column("team", gettext_lazy("Team")), *MEMBER_FILES)


def team_table(lines: Sequence[TeamLine]) -> tuple[Sequence[StandingsColumn], list[list[Any]]]:
    """Return the columns of a file and the values of each team."""
    columns = [*_with_exact_total(TEAM_FILES, lines), *_brought_columns(lines)]
    return columns, [_values(columns, line) for line in lines]


def add_team_sheets(book: ExcelBook, stages: Sequence[Stage], *, public: bool) -> None:
    lines_by_stage = [(stage, team_standings(stage, public=public, every=stages).rows) for stage in stages]
    for stage, lines in [(stage, rows) for stage, rows in lines_by_stage if rows]:
        whose = part_names(stage, stages)
        columns = [*TEAM_FILES, *_brought_columns(lines)]
        sheet = book.sheet(" ".join([_("Teams"), *whose]), columns, frozen=3, tab=RANKING)
        for line in lines:
            sheet.add(_values(columns, line))
        sheet = book.sheet(" ".join([_("Team members"), *whose]), _MEMBERS, frozen=2, tab=RANKING)
        for number, line in enumerate(lines):
            for member in line.members:
                row = [line.team.name, *_values(MEMBER_FILES, member)]
                sheet.add(row, look=BAND if number % 2 else PLAIN)


def _values(columns: Sequence[StandingsColumn], line: Any) -> list[Any]:
    return [column.value(line) for column in columns]


def _brought_columns(lines: Sequence[TeamLine]) -> list[StandingsColumn]:
    return [column for column in TEAM_BROUGHT if column.is_shown(lines)]


def _with_exact_total(
    columns: Sequence[StandingsColumn], lines: Sequence[TeamLine]
) -> Sequence[StandingsColumn]:
    """Add the column of exact totals if one decimal is not enough for them."""
    return [*columns, EXACT_TOTAL] if EXACT_TOTAL.is_shown(lines) else columns


def team_rows(lines: Sequence[TeamLine]) -> list[dict[str, Any]]:
    """Return the rows of teams for JSON, with the shares of their players."""
    columns = _with_exact_total(TEAM_JSON, lines)
    return [
        _json_row(columns, line) | {"players": [_json_row(MEMBER_JSON, member) for member in line.members]}
        for line in lines
    ]


def _json_row(columns: Sequence[StandingsColumn], line: Any) -> dict[str, Any]:
    return {column.key: exact_value(column, column.value(line)) for column in columns}
