"""The same rows as JSON, CSV or a workbook: what commands print and pages offer."""

import io
import json
from collections.abc import Iterable
from typing import Any

from league.exports.csv import csv_text
from league.exports.results import COLUMNS, TableLine, result_rows, results_json
from league.exports.standings import standings_columns, standings_json, standings_rows
from league.exports.workbook import write_results, write_standings
from league.exports.xlsx import MEDIA_TYPE
from league.models import Competition, Stage

FORMATS = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "xlsx": MEDIA_TYPE,
}


def standings_file(stage: Stage, form: str, *, public: bool) -> bytes:
    """The standings in one of ``FORMATS``."""
    if form == "json":
        return _json(standings_json(stage, public=public))
    if form == "csv":
        return csv_text(standings_columns(stage), standings_rows(stage, public=public)).encode()
    stream = io.BytesIO()
    write_standings(stage, stream, public=public)
    return stream.getvalue()


def results_file(competition: Competition, lines: Iterable[TableLine], form: str) -> bytes:
    """Every seat of ``lines`` in one of ``FORMATS``."""
    if form == "json":
        return _json(results_json(competition, lines))
    if form == "csv":
        return csv_text(COLUMNS, (row for line in lines for row in result_rows(line))).encode()
    stream = io.BytesIO()
    write_results(competition, lines, stream)
    return stream.getvalue()


def _json(found: dict[str, Any]) -> bytes:
    return (json.dumps(found, ensure_ascii=False, indent=1) + "\n").encode()
