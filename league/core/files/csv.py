"""CSV that spreadsheets open rightly: UTF-8 with its mark, decimals with a dot, no cell that is a formula."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

from league.core.files.columns import AVERAGE, LONG, SCORE, TEXT, Column, average_text
from scoring.units import decimal_text

# What makes a spreadsheet read text as a formula, in the wide form of Chinese and Japanese keyboards too.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def csv_text(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> str:
    """Header and rows, from a byte order mark to the last line's end."""
    stream = io.StringIO()
    stream.write("\ufeff")
    writer = csv.writer(stream)
    writer.writerow([column.key for column in columns])
    for row in rows:
        writer.writerow([_cell(column, value) for column, value in zip(columns, row, strict=True)])
    return stream.getvalue()


def _cell(column: Column, value: Any) -> str:
    if value is None:
        return ""
    if column.kind == SCORE:
        return decimal_text(value)
    if column.kind == AVERAGE:
        return average_text(value) or ""
    if isinstance(value, date | datetime):
        return value.isoformat()
    return guarded(str(value)) if column.kind in (TEXT, LONG) else str(value)


def guarded(text: str) -> str:
    """Text with an apostrophe in front where a spreadsheet would take it for a formula."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
