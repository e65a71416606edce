"""Exports as tests read them: JSON, and the cells of workbooks."""

import io
import json
from collections.abc import Iterator
from typing import Any

import openpyxl
from openpyxl.cell.cell import Cell

from league.models import Competition, Stage
from league.organizing.interchange.exports.files import standings_file
from league.organizing.interchange.exports.workbook import write_workbook
from league.ranking.standings.queries.stages import default_stage

DANGEROUS = (
    "=1+1",
    '=HYPERLINK("http://evil.example","x")',
    "+852 1234",
    "-20",
    "@SUM(A1)",
    "＝1+1",
    "=cmd|' /C calc'!A0",
)


def stage_of(competition: Competition) -> Stage:
    found = default_stage(competition, public=True)
    assert found is not None
    return found


def json_standings(competition: Competition, *, public: bool = True) -> Any:
    return json.loads(standings_file(stage_of(competition), "json", public=public))


def open_workbook(content: bytes) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(content))


def workbook_of(competition: Competition, *, public: bool = True, language: str = "en") -> openpyxl.Workbook:
    stream = io.BytesIO()
    write_workbook(competition, stream, public=public, language=language)
    return open_workbook(stream.getvalue())


def cells(book: openpyxl.Workbook) -> Iterator[Cell]:
    for sheet in book:
        for row in sheet.iter_rows():
            yield from (cell for cell in row if cell.value is not None)


def rows_of(book: openpyxl.Workbook, title: str) -> list[dict[str, Any]]:
    head, *rows = book[title].iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]
