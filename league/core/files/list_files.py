"""A list as CSV or a workbook."""

import io
from collections.abc import Sequence
from typing import Any

from django.http import HttpResponse

from league.core.files.columns import Column
from league.core.files.csv import csv_text
from league.core.files.looks import PLAIN
from league.core.files.xlsx import MEDIA_TYPE, ExcelBook, add_filled

FORMATS = {"csv": "text/csv; charset=utf-8", "xlsx": MEDIA_TYPE}


def send_list(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Any]],
    form: str,
    *,
    name: str,
    heading: str,
    title: str,
) -> HttpResponse:
    """Send a list. ``name``: of the file, without its suffix. ``title``: of the workbook's sheet, whose first
    two columns stay in view.
    """
    if form == "csv":
        content = csv_text(columns, rows).encode()
    else:
        book, stream = ExcelBook(heading=heading), io.BytesIO()
        add_filled(book, title, columns, [(PLAIN, row) for row in rows], frozen=2)
        book.save(stream)
        content = stream.getvalue()
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    return HttpResponse(content, FORMATS[form], headers=headers)
