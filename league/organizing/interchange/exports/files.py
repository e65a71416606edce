"""Rows of standings and results as JSON, CSV or a workbook, for commands and pages."""

import io
import json
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from league.core.files.csv import csv_text
from league.core.files.xlsx import ExcelBook
from league.models import Competition, Stage
from league.organizing.audit_log.queries import head_code
from league.organizing.interchange.exports.competition_file import competition_json
from league.organizing.interchange.exports.divisions import write_divisions
from league.organizing.interchange.exports.workbook import write_results, write_standings, write_workbook
from league.play.results.exports import TableLine, json_rows, result_columns, result_rows, table_lines
from league.ranking.standings.columns import TEAM_FILES
from league.ranking.standings.exports import stage_json, standings_json, standings_table
from league.ranking.teams.exports import add_team_sheets, team_rows, team_table
from league.ranking.teams.queries import team_standings
from league.referees.penalties.exports import penalties_csv, write_penalties

FORMATS = ("json", "csv", "xlsx")


def standings_file(stage: Stage, form: str, *, public: bool) -> bytes:
    if form == "json":
        found = standings_json(stage, public=public)
        rows = found.pop("rows")
        return _json(found | _log(stage.competition), rows)
    if form == "csv":
        return csv_text(*standings_table(stage, public=public)).encode()
    stream = io.BytesIO()
    write_standings(stage, stream, public=public)
    return stream.getvalue()


def team_standings_file(stage: Stage, form: str, *, public: bool) -> bytes:
    """Return the team standings as `json`, `csv` or `xlsx` with a sheet of the players."""
    lines = team_standings(stage, public=public).rows
    if form == "json":
        found = stage_json(stage) | _log(stage.competition) | {"rows": team_rows(lines)}
        return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()
    if form == "csv":
        return csv_text(*team_table(lines)).encode()
    book = ExcelBook(heading=stage.competition.name)
    add_team_sheets(book, [stage], public=public)
    if not lines:
        book.sheet(_("Teams"), TEAM_FILES)  # a workbook without a sheet cannot be opened
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def results_file(
    competition: Competition, lines: Iterable[TableLine], form: str, *, public: bool = True
) -> bytes:
    """Return every seat of ``lines``. ``public``: they are of published rounds only."""
    if form == "json":
        return _json({"competition": competition.slug} | _log(competition), json_rows(lines))
    if form == "csv":
        columns = result_columns(competition, public=public)
        return csv_text(columns, (row for line in lines for row in result_rows(line, columns))).encode()
    stream = io.BytesIO()
    write_results(competition, lines, stream, public=public)
    return stream.getvalue()


def whole_file(competition: Competition, name: str, form: str, *, public: bool) -> bytes:
    """Return a file of a whole competition: its ``results``, ``workbook``, ``divisions``, ``penalties`` or
    ``competition`` file.
    """
    if name == "competition":
        return competition_json(competition).encode()
    if name == "results":
        return results_file(competition, table_lines(competition, public=public), form, public=public)
    if name == "penalties" and form == "csv":
        return penalties_csv(competition, public=public).encode()
    writers = {"workbook": write_workbook, "divisions": write_divisions, "penalties": write_penalties}
    stream = io.BytesIO()
    writers[name](competition, stream, public=public)
    return stream.getvalue()


def _log(competition: Competition) -> dict[str, str]:
    """Return the code of the newest log entry, which shows whether the log was cut since."""
    return {"audit_log": head_code(competition)}


def _json(head: dict[str, Any], rows: Iterable[dict[str, Any]]) -> bytes:
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{json.dumps(head, ensure_ascii=False)[:-1]}, "rows": [\n{lines}\n]}}\n'.encode()
