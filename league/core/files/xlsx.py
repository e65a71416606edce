"""Workbooks whose rows are written as they come: openpyxl does the looks, the rows go straight into the XML.

openpyxl's cells cost more than settling the tables that they show (in its write-only mode too), so a
``Sheet`` writes each row as text into a temporary file and notes how wide its columns are; ``Book.save`` lets
openpyxl write the workbook with heads, styles and print setup, and then puts the rows where they belong.

Promises: text is text, never a formula, whatever it begins with: only a ``Formula`` is one; what XML cannot
hold is taken out; numbers are numbers, with a dot and full precision in every language; memory does not grow
with the rows.
"""

import io
import re
import shutil
import tempfile
import unicodedata
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import IO, Any
from xml.sax.saxutils import escape

from openpyxl import Workbook
from openpyxl.cell.cell import Cell, WriteOnlyCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.worksheet.worksheet import Worksheet

from league.core.files.columns import AVERAGE, DATE, LONG, MOMENT, POINTS, SCORE, TEXT, WHOLE, Column
from league.core.files.csv import FORMULA_STARTS
from scoring.units import Score

Line = tuple[str, Sequence[Any]]  # the look of a row, and its values

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FORMATS: Mapping[str, str] = {
    TEXT: "General",
    LONG: "General",
    WHOLE: "0",
    POINTS: "#,##0",
    SCORE: '+0.0;"−"0.0;0.0',
    AVERAGE: "0.00",
    DATE: "yyyy-mm-dd",
    MOMENT: "yyyy-mm-dd hh:mm",
}
PLAIN, BAND, STRUCK, PALE, LEFT = "", "band", "struck", "pale", "left"  # looks of a row

_WIDTHS = {SCORE: 8, AVERAGE: 6, DATE: 11, MOMENT: 17}  # of numbers, in characters
_LEAST, _MOST = 6, 44
_LINE = 15  # points of a line of text
_FONT = "Calibri"
ROWS_MOST = 1_048_576  # rows that Excel opens
_TEXT_MOST = 32_767  # characters that a cell holds
_TITLE_MOST = 31  # characters of a sheet's name

# What XML 1.0 cannot hold. Names come in without it; old rows and other programs' files are not trusted.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_TITLES = re.compile(r"[\\/*?:\[\]]")
_DIMENSION = re.compile(rb'<dimension ref="[^"]*"')
_GREEN, _PALE = "FF1F5C4A", "FFF1F5F3"


@dataclass(frozen=True, slots=True)
class Formula:
    """A cell that the spreadsheet computes: the formula without its "=", with English names of functions, and
    what it comes to (as the column's kind takes it), for programs that only read.
    """

    text: str
    value: Any


class Book:
    """A workbook: ``sheet`` adds one, ``save`` writes them all."""

    def __init__(self, *, heading: str) -> None:
        """``heading`` stands on top of every printed page."""
        self.workbook = Workbook()
        self.workbook.remove(self.workbook.worksheets[0])
        self.heading = heading
        self.sheets: list[Sheet] = []

    def sheet(self, title: str, columns: Sequence[Column], *, frozen: int = 1) -> "Sheet":
        """One more sheet; its first row and its first ``frozen`` columns stay in view."""
        worksheet = self.workbook.create_sheet(self._free_title(title))
        made = Sheet(worksheet, columns, frozen=frozen, heading=self.heading)
        self.sheets.append(made)
        return made

    def save(self, stream: IO[bytes]) -> None:
        for sheet in self.sheets:
            sheet.finish()
        frame = io.BytesIO()
        self.workbook.save(frame)
        bodies = {f"xl/worksheets/sheet{n}.xml": sheet for n, sheet in enumerate(self.sheets, 1)}
        with (
            zipfile.ZipFile(frame) as source,
            zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target,
        ):
            for item in source.infolist():
                with source.open(item) as old, target.open(_fresh(item), "w") as new:
                    if item.filename in bodies:
                        bodies[item.filename].write(old.read(), new)
                    else:
                        shutil.copyfileobj(old, new)

    def _free_title(self, title: str) -> str:
        """A sheet's name that no other has, without what Excel forbids."""
        plain = _NOT_IN_TITLES.sub(" ", clean(title)).strip(" '")[:_TITLE_MOST] or "Sheet"
        taken = {name.casefold() for name in self.workbook.sheetnames}
        free, number = plain, 2
        while free.casefold() in taken:
            end = f" ({number})"
            free, number = plain[: _TITLE_MOST - len(end)] + end, number + 1
        return free


def _fresh(item: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """The entry's name and time; its size and checksum will be others."""
    fresh = zipfile.ZipInfo(item.filename, item.date_time)
    fresh.compress_type, fresh.external_attr = zipfile.ZIP_DEFLATED, item.external_attr
    return fresh


class Sheet:
    """One sheet: a head, then rows added one by one."""

    def __init__(self, worksheet: Worksheet, columns: Sequence[Column], *, frozen: int, heading: str) -> None:
        self.worksheet: Worksheet = worksheet
        self.columns = columns
        self.rows = 1
        self.body: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=8 << 20)  # noqa: SIM115  closed on saving
        self.widths = [_head_width(str(column.header)) for column in columns]
        self._letters = [get_column_letter(n) for n in range(1, len(columns) + 1)]
        self._kinds = tuple(column.kind for column in columns)
        self._styles: dict[tuple[str, str, bool], int] = {}
        _write_head(worksheet, columns)
        worksheet.freeze_panes = f"{get_column_letter(frozen + 1)}2"
        _set_up_print(worksheet, heading)

    def add(self, values: Sequence[Any], *, look: str = PLAIN, kinds: Sequence[str] | None = None) -> None:
        """One row. ``kinds`` overrides the columns' for a row that holds something else."""
        self.rows += 1
        row, widths = str(self.rows), self.widths
        parts = [""]
        lines = 1
        for index, (kind, value) in enumerate(zip(kinds or self._kinds, values, strict=True)):
            if value is None and look == PLAIN:
                continue
            place = f'<c r="{self._letters[index]}{row}" s="'
            if value is None:
                parts.append(f'{place}{self._style(kind, look, False)}"/>')
                continue
            if kind in (TEXT, LONG):
                text, width, quoted = _text(str(value))
                style = self._style(kind, look, quoted)
                parts.append(f'{place}{style}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>')
            else:
                computed, value = (value.text, value.value) if isinstance(value, Formula) else ("", value)
                formula = f"<f>{escape(clean(computed))}</f>" if computed else ""
                number, width = _NUMBERS[kind](value), _WIDTHS.get(kind, 0) or _digits(value)
                parts.append(f'{place}{self._style(kind, look, False)}">{formula}<v>{number}</v></c>')
            if kind == LONG:
                lines = max(lines, -(-width // self.columns[index].most))
            if width > widths[index]:
                widths[index] = width
        parts[0] = f'<row r="{row}"{_height(lines)}>'
        parts.append("</row>")
        self.body.write("".join(parts).encode())

    def finish(self) -> None:
        """Column widths and the filter, which need all rows."""
        for letter, width, column in zip(self._letters, self.widths, self.columns, strict=True):
            most = column.most if column.kind == LONG else _MOST
            self.worksheet.column_dimensions[letter].width = min(max(width, _LEAST), most) + 2
        self.worksheet.auto_filter.ref = self.area

    def write(self, frame: bytes, stream: IO[bytes]) -> None:
        """The sheet's XML: ``frame`` is what openpyxl made of its head, the rows come after that."""
        head, end, rest = frame.partition(b"</sheetData>")
        # Readers that stream believe the dimension: without it they would stop after the head.
        stream.write(_DIMENSION.sub(f'<dimension ref="{self.area}"'.encode(), head, count=1))
        self.body.seek(0)
        shutil.copyfileobj(self.body, stream, 1 << 20)
        self.body.close()
        stream.write(end + rest)

    @property
    def area(self) -> str:
        return f"A1:{self._letters[-1]}{self.rows}"

    @property
    def is_full(self) -> bool:
        """Is there no room for another table of four?"""
        return self.rows + 4 > ROWS_MOST

    def _style(self, kind: str, look: str, quoted: bool) -> int:
        """The number of a style in the workbook, made on first use."""
        key = (kind, look, quoted)
        found = self._styles.get(key)
        if found is None:
            found = self._styles[key] = _styled(self.worksheet, kind, look, quoted).style_id
        return found


# --- looks


def _styled(worksheet: Worksheet, kind: str, look: str, quoted: bool) -> Cell:
    cell = WriteOnlyCell(worksheet)
    cell.number_format = FORMATS[kind]
    cell.font = Font(name=_FONT, size=11)
    cell.alignment = _alignment(kind, left=look == LEFT)
    if look == BAND:
        cell.fill = PatternFill("solid", fgColor=_PALE)
    if look in (STRUCK, PALE):
        cell.font = Font(name=_FONT, size=11, strike=look == STRUCK, color="FF6B6B6B")
    cell.quotePrefix = quoted  # stays text when somebody edits the cell
    return cell


_LEFT = (TEXT, LONG, DATE, MOMENT)


def _alignment(kind: str, *, left: bool) -> Alignment:
    """Text stands a little in from the number before it."""
    if left or kind in _LEFT:
        return Alignment(vertical="top", horizontal="left", indent=1, wrap_text=kind == LONG)
    return Alignment(vertical="top")


def _height(lines: int) -> str:
    """The height of a row with broken lines: not every program finds it by itself."""
    return f' ht="{lines * _LINE}" customHeight="1"' if lines > 1 else ""


def _write_head(worksheet: Worksheet, columns: Sequence[Column]) -> None:
    for number, column in enumerate(columns, 1):
        cell = worksheet.cell(row=1, column=number)
        cell.value = clean(str(column.header))
        cell.data_type = "s"
        cell.font = Font(name=_FONT, size=11, bold=True, color="FFFFFFFF")
        cell.fill = PatternFill("solid", fgColor=_GREEN)
        cell.border = Border(bottom=Side(style="thin", color=_GREEN))
        side = "left" if column.kind in _LEFT else "right"
        cell.alignment = Alignment(vertical="center", horizontal=side, indent=side == "left", wrap_text=True)
    words = max((len(str(column.header).split()) for column in columns), default=1)
    worksheet.row_dimensions[1].height = _LINE * min(max(words, 1), 3) + 4


def _set_up_print(worksheet: Worksheet, heading: str) -> None:
    """A4 across, all columns on one page's width, the head repeated, pages numbered."""
    worksheet.page_setup.orientation = "landscape"
    worksheet.page_setup.paperSize = 9  # A4
    worksheet.page_setup.fitToWidth, worksheet.page_setup.fitToHeight = 1, 0
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    worksheet.print_title_rows = "1:1"
    header, footer = worksheet.oddHeader, worksheet.oddFooter
    assert header is not None
    assert footer is not None
    header.left.text = clean(heading)[:100].replace("&", "&&")
    header.right.text = "&A"  # the sheet's name
    footer.center.text = "&P / &N"


def _head_width(text: str) -> int:
    """A head breaks between words; the filter's button takes room beside it."""
    return max((display_width(word) for word in text.split()), default=0) + 3


def add_filled(
    book: Book, title: str, columns: Sequence[Column], lines: Sequence[Line], *, frozen: int = 1
) -> None:
    """A sheet of these lines, without the optional columns in which nothing stands."""
    filled = [
        index
        for index, column in enumerate(columns)
        if not column.optional or any(values[index] is not None for _, values in lines)
    ]
    sheet = book.sheet(title, [columns[index] for index in filled], frozen=frozen)
    for look, values in lines:
        sheet.add([values[index] for index in filled], look=look)


# --- cells


def clean(text: str) -> str:
    """Text as XML can hold it and a cell can show it."""
    return _NOT_XML.sub("", text)[:_TEXT_MOST]


def display_width(text: str) -> int:
    """Characters' widths: those of Chinese and Japanese count double, joining marks nothing."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


@lru_cache(maxsize=8192)
def _text(text: str) -> tuple[str, int, bool]:
    """Escaped text, its width, and whether a spreadsheet could take it for a formula. Names come often."""
    plain = clean(text)
    return escape(plain), display_width(plain), plain.startswith(FORMULA_STARTS)


def _digits(number: int) -> int:
    size = len(str(number))
    return size + (size - 1) // 3


def _score(tenths: Score) -> str:
    """Exact where the decimals are: 184 tenths are 18.4; thirds keep what a float holds, so that they sum."""
    if isinstance(tenths, int):
        whole, tenth = divmod(abs(tenths), 10)
        return f"{'-' if tenths < 0 else ''}{whole}.{tenth}"
    return repr(float(tenths / 10))


def _moment(value: date | datetime) -> str:
    return repr(to_excel(value))


_NUMBERS: Mapping[str, Callable[[Any], str]] = {
    WHOLE: str,
    POINTS: str,
    SCORE: _score,
    AVERAGE: lambda value: repr(float(value)),
    DATE: _moment,
    MOMENT: _moment,
}
