"""Workbooks in openpyxl's write-only mode, with heads, looks, widths and print setup.

Only a `Formula` is a formula, and text stays text whatever it begins with. Characters that XML cannot hold
are left out. Numbers are numbers in every language. A sheet holds its rows until it is saved, because
openpyxl needs the column widths before the first row.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any

from openpyxl import Workbook
from openpyxl.cell.cell import Cell, WriteOnlyCell
from openpyxl.styles import Alignment, Border, Font, PatternFill, Side
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet import _writer
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.xml.functions import Element, SubElement

from league.core.files.columns import (
    AVERAGE,
    DATE,
    EXACT,
    LONG,
    MOMENT,
    MONEY,
    POINTS,
    SCORE,
    TEXT,
    WHOLE,
    Column,
)
from league.core.files.csv import FORMULA_STARTS

ExcelRow = tuple[str, Sequence[Any]]  # the look of a row, and its values

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FORMATS: Mapping[str, str] = {
    TEXT: "General",
    LONG: "General",
    WHOLE: "0",
    POINTS: "#,##0",
    SCORE: '+0.0;"−"0.0;0.0',
    AVERAGE: "0.00",
    EXACT: "# ??/??",
    MONEY: "#,##0.00",
    DATE: "yyyy-mm-dd",
    MOMENT: "yyyy-mm-dd hh:mm",
}
PLAIN, BAND, STRUCK, PALE, LEFT = "", "band", "struck", "pale", "left"  # looks of a row

_WORDS = (TEXT, LONG)
_LEFT = (TEXT, LONG, DATE, MOMENT)
_WIDTHS = {SCORE: 8, EXACT: 10, AVERAGE: 6, MONEY: 10, DATE: 11, MOMENT: 17}  # of numbers, in characters
_LEAST, _MOST = 6, 44
_LINE = 15  # points of a line of text
_FONT = "Calibri"
ROWS_MOST = 1_048_576  # rows that Excel opens
_TEXT_MOST = 32_767  # characters that a cell holds
_TITLE_MOST = 31  # UTF-16 units of a sheet's name

# Characters that XML 1.0 cannot hold. Old rows and other programs' files may have them.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_TITLES = re.compile(r"[\\/*?:\[\]]")
_GREEN, _PALE = "FF1F5C4A", "FFF1F5F3"


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula without "=", with English names of functions. `result`: in the unit of the column's kind, or
    None to store none.
    """

    text: str
    result: Any = None


class ExcelBook:
    def __init__(self, *, heading: str) -> None:
        self.workbook = Workbook(write_only=True)
        self.heading = heading
        self.sheets: list[ExcelSheet] = []

    def sheet(self, title: str, columns: Sequence[Column], *, frozen: int = 1) -> "ExcelSheet":
        """Add a sheet. Its first row and its first `frozen` columns stay in view."""
        worksheet = self.workbook.create_sheet(self._free_title(title))
        worksheet.freeze_panes = f"{get_column_letter(frozen + 1)}2"
        _set_up_print(worksheet, self.heading)
        made = ExcelSheet(worksheet, columns)
        self.sheets.append(made)
        return made

    def save(self, stream: IO[bytes]) -> None:
        for sheet in self.sheets:
            sheet.write()
        self.workbook.save(stream)

    def _free_title(self, title: str) -> str:
        plain = _cut(_NOT_IN_TITLES.sub(" ", clean(title)).strip(" '"), _TITLE_MOST) or "Sheet"
        taken = {name.casefold() for name in self.workbook.sheetnames}
        free, number = plain, 2
        while free.casefold() in taken:
            end = f" ({number})"
            free, number = _cut(plain, _TITLE_MOST - len(end)) + end, number + 1
        return free


class ExcelSheet:
    def __init__(self, worksheet: Any, columns: Sequence[Column]) -> None:
        self.worksheet = worksheet
        self.columns = columns
        self._kinds = [column.kind for column in columns]
        self._lines: list[tuple[str, Sequence[str], Sequence[Any]]] = []
        self._styles: dict[tuple[str, str, bool], Any] = {}

    def add(self, values: Sequence[Any], *, look: str = PLAIN, kinds: Sequence[str] | None = None) -> None:
        self._lines.append((look, kinds or self._kinds, values))

    @property
    def values(self) -> list[Sequence[Any]]:
        return [values for _look, _kinds, values in self._lines]

    @property
    def rows(self) -> int:
        return 1 + len(self._lines)

    @property
    def is_full(self) -> bool:
        """Return whether there is no room for another table of four."""
        return self.rows + 4 > ROWS_MOST

    def write(self) -> None:
        """Write everything. openpyxl takes widths and heights first."""
        self._set_widths()
        self.worksheet.row_dimensions[1].height = _head_height(self.columns)
        self.worksheet.append([_head_cell(self.worksheet, column) for column in self.columns])
        for number, (look, kinds, values) in enumerate(self._lines, start=2):
            lines = self._lines_of(kinds, values)
            if lines > 1:  # not every program finds the height of broken lines by itself
                self.worksheet.row_dimensions[number].height = lines * _LINE
            cells = [self._cell(kind, value, look) for kind, value in zip(kinds, values, strict=True)]
            self.worksheet.append(cells)
        self.worksheet.auto_filter.ref = f"A1:{get_column_letter(len(self.columns))}{self.rows}"

    def _set_widths(self) -> None:
        for index, column in enumerate(self.columns):
            most = column.most if column.kind == LONG else _MOST
            width = max([_head_width(column), *(_width(k[index], v[index]) for _, k, v in self._lines)])
            dimension = self.worksheet.column_dimensions[get_column_letter(index + 1)]
            dimension.width = min(max(width, _LEAST), most) + 2

    def _lines_of(self, kinds: Sequence[str], values: Sequence[Any]) -> int:
        return max(
            -(-_width(kind, value) // column.most) if kind == LONG else 1
            for column, kind, value in zip(self.columns, kinds, values, strict=True)
        )

    def _cell(self, kind: str, value: Any, look: str) -> Cell | None:
        if value is None:
            return None if look == PLAIN else Cell(self.worksheet, 1, 1, None, self._style(kind, look))
        if isinstance(value, Formula):
            result = "" if value.result is None else _number(kind, value.result)
            return _FormulaCell(self.worksheet, clean(f"={value.text}"), result, self._style(kind, look))
        is_text = kind in _WORDS
        text = clean(str(value)) if is_text else _number(kind, value)
        quoted = is_text and text.startswith(FORMULA_STARTS)
        cell = Cell(self.worksheet, 1, 1, text, self._style(kind, look, quoted))
        cell.data_type = "s" if is_text else "n"
        return cell

    def _style(self, kind: str, look: str, quoted: bool = False) -> Any:
        key = (kind, look, quoted)
        if key not in self._styles:
            self._styles[key] = _style_cell(self.worksheet, kind, look, quoted)._style  # type: ignore[attr-defined]
        return self._styles[key]


class _FormulaCell(Cell):
    def __init__(self, worksheet: Any, formula: str, result: str, style: Any) -> None:
        super().__init__(worksheet, 1, 1, formula, style)
        self.result = result


def _write_cell(file: Any, worksheet: Any, cell: Cell, styled: bool) -> None:
    """Write a formula with its result, which openpyxl leaves out. Previews and Excel's protected view do not
    compute: a check that must read zero would always read zero there.
    """
    if not isinstance(cell, _FormulaCell):
        _write_plain(file, worksheet, cell, styled)
        return
    element = Element("c", {"r": cell.coordinate, "s": str(cell.style_id)})
    SubElement(element, "f").text = str(cell.value)[1:]
    if cell.result:
        SubElement(element, "v").text = cell.result
    file.write(element)


_write_plain = _writer.write_cell  # type: ignore[attr-defined]
_writer.write_cell = _write_cell  # type: ignore[attr-defined]


# --- looks


def _style_cell(worksheet: Any, kind: str, look: str, quoted: bool) -> Cell:
    cell = WriteOnlyCell(worksheet)
    cell.number_format = FORMATS[kind]
    cell.font = Font(name=_FONT, size=11)
    cell.alignment = _alignment(kind, left=look == LEFT)
    if look == BAND:
        cell.fill = PatternFill("solid", fgColor=_PALE)
    if look in (STRUCK, PALE):
        cell.font = Font(name=_FONT, size=11, strike=look == STRUCK, color="FF6B6B6B")
    cell.quotePrefix = quoted  # keeps it text when a person edits the cell
    return cell


def _alignment(kind: str, *, left: bool) -> Alignment:
    if left or kind in _LEFT:
        return Alignment(vertical="top", horizontal="left", indent=1, wrap_text=kind == LONG)
    return Alignment(vertical="top")


def _head_cell(worksheet: Any, column: Column) -> Cell:
    cell = WriteOnlyCell(worksheet, clean(str(column.header)))
    cell.data_type = "s"
    cell.font = Font(name=_FONT, size=11, bold=True, color="FFFFFFFF")
    cell.fill = PatternFill("solid", fgColor=_GREEN)
    cell.border = Border(bottom=Side(style="thin", color=_GREEN))
    side = "left" if column.kind in _LEFT else "right"
    cell.alignment = Alignment(vertical="center", horizontal=side, indent=side == "left", wrap_text=True)
    return cell


def _head_height(columns: Sequence[Column]) -> int:
    words = max((len(str(column.header).split()) for column in columns), default=1)
    return _LINE * min(max(words, 1), 3) + 4


def _head_width(column: Column) -> int:
    return max((display_width(word) for word in str(column.header).split()), default=0) + 3


def _set_up_print(worksheet: Any, heading: str) -> None:
    worksheet.page_setup.orientation = "landscape"
    worksheet.page_setup.paperSize = 9  # A4
    worksheet.page_setup.fitToWidth, worksheet.page_setup.fitToHeight = 1, 0
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    worksheet.print_title_rows = "1:1"
    worksheet.oddHeader.left.text = clean(heading)[:100].replace("&", "&&")
    worksheet.oddHeader.right.text = "&A"  # the sheet's name
    worksheet.oddFooter.center.text = "&P / &N"


def add_filled(
    book: ExcelBook, title: str, columns: Sequence[Column], lines: Sequence[ExcelRow], *, frozen: int = 1
) -> ExcelSheet:
    """Add a sheet without its optional columns that are empty."""
    filled = [
        index
        for index, column in enumerate(columns)
        if not column.optional or any(values[index] is not None for _, values in lines)
    ]
    sheet = book.sheet(title, [columns[index] for index in filled], frozen=frozen)
    for look, values in lines:
        sheet.add([values[index] for index in filled], look=look)
    return sheet


# --- cells


def clean(text: str) -> str:
    return _NOT_XML.sub("", text)[:_TEXT_MOST]


def _cut(text: str, most: int) -> str:
    """Return the longest beginning with at most this many UTF-16 units, without half a character."""
    return text.encode("utf-16-le")[: 2 * most].decode("utf-16-le", "ignore").rstrip()


@lru_cache(maxsize=8192)  # names come often
def display_width(text: str) -> int:
    """Sum the widths of characters. Chinese and Japanese characters count double, combining marks nothing."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def _width(kind: str, value: Any) -> int:
    if value is None:
        return 0
    if kind in _WORDS and not isinstance(value, Formula):
        return display_width(clean(str(value)))
    if isinstance(value, Formula):
        value = value.result or 0
    return _WIDTHS.get(kind) or _digits(value)


def _digits(number: int) -> int:
    size = len(str(number))
    return size + (size - 1) // 3


def _number(kind: str, value: Any) -> str:
    """Write a number. Scores are tenths. Thirds have a float's precision, so that they sum."""
    if kind in (SCORE, EXACT):
        return repr(float(value / 10))
    if kind == AVERAGE:
        return repr(float(value))
    return repr(to_excel(value)) if kind in (DATE, MOMENT) else str(value)
