"""CSV that spreadsheets open correctly: UTF-8 with its byte order mark, decimal dots, formulas as text."""

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from league.core.files.columns import LONG, TEXT, Column, exact_value

# Signs that begin a formula, also in the wide form of Chinese and Japanese keyboards.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def csv_text(columns: Sequence[Column], rows: Iterable[Sequence[Any]]) -> str:
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
    if isinstance(value, date):
        return value.isoformat()
    text = str(exact_value(column, value))
    return guard(text) if column.kind in (TEXT, LONG) else text


def guard(text: str) -> str:
    """Prefix text that a spreadsheet would take for a formula with an apostrophe."""
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text
