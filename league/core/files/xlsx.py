"""Workbooks in openpyxl's write-only mode, with heads, looks, widths and print setup.

Only a `Formula` is a formula, and text stays text whatever it begins with. Characters that XML cannot hold
are left out. Numbers are numbers in every language. A sheet holds its rows until it is saved, because
openpyxl needs the column widths before the first row.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any

from django.utils.translation import get_language
from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter
from openpyxl.utils.datetime import to_excel
from openpyxl.worksheet import _writer
from openpyxl.worksheet.properties import PageSetupProperties
from openpyxl.xml.functions import Element, SubElement

from league.core.files.columns import AVERAGE, DATE, EXACT, LONG, MOMENT, MONEY, SCORE, TEXT, Column
from league.core.files.csv import FORMULA_STARTS
from league.core.files.looks import (
    FORMATS,
    HEAD,
    LEFT_KINDS,
    PLAIN,
    SIZE,
    Style,
    script_of,
    style_cell,
)

ExcelRow = tuple[str, Sequence[Any]]  # the look of a row, and its values

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

# Kinds of sheets, the colours of their tabs.
RANKING, ROUNDS, PEOPLE = "FF0E4A39", "FFF2B632", "FF7FB8A2"
REFERENCE, RECKONING = "FF7D8A92", "FFA5673F"

_WORDS = (TEXT, LONG)
_WIDTHS = {SCORE: 8, EXACT: 10, AVERAGE: 6, MONEY: 10, DATE: 11, MOMENT: 17}  # of numbers, in characters
_LEAST, _MOST = 6, 44
_LINE = 15  # points of a line of text
_ROW = 16.5  # points of a row, in which Chinese and Japanese characters are not cut
WIDE = 110  # characters that still fit across upright A4, a little smaller
ROWS_MOST = 1_048_576  # rows that Excel opens
_TEXT_MOST = 32_767  # characters that a cell holds
_TITLE_MOST = 31  # UTF-16 units of a sheet's name

# Characters that XML 1.0 cannot hold. Old rows and other programs' files may have them.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NOT_IN_TITLES = re.compile(r"[\\/*?:\[\]]")


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula without "=", with English names of functions. `result`: in the unit of the column's kind, or
    None to store none.
    """

    text: str
    result: Any = None


@dataclass(frozen=True, slots=True)
class Marked:
    """A number that is shown with signs before and after it. ``room``: signs whose width stays free."""

    value: Any
    before: str = ""
    after: str = ""
    room: str = ""

    def form(self, kind: str) -> str:
        """Return the number format."""
        before = f'"{self.before}"' if self.before else ""
        after = f'"{self.after}"' if self.after else "".join(f"_{sign}" for sign in self.room)
        return ";".join(f"{before}{part}{after}" for part in FORMATS[kind].split(";"))


class ExcelBook:
    def __init__(self, *, heading: str) -> None:
        self.workbook = Workbook(write_only=True)
        self.heading = heading
        self.sheets: list[ExcelSheet] = []

    def sheet(self, title: str, columns: Sequence[Column], *, frozen: int = 1, tab: str = "") -> "ExcelSheet":
        """Add a sheet. Its first row and its first `frozen` columns stay in view."""
        worksheet = self.new_worksheet(title, tab=tab)
        worksheet.freeze_panes = f"{get_column_letter(frozen + 1)}2"
        worksheet.print_title_rows = "1:1"
        made = ExcelSheet(worksheet, columns)
        self.sheets.append(made)
        return made

    def new_worksheet(self, title: str, *, tab: str, at: int | None = None) -> Any:
        worksheet: Any = self.workbook.create_sheet(self._free_title(title), at)
        worksheet.sheet_properties.tabColor = tab or None
        _set_up_print(worksheet, self.heading)
        return worksheet

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
    size = SIZE
    least, head_room, gap = _LEAST, 3, 2  # characters of a column, beside its longest word, between columns

    def __init__(self, worksheet: Any, columns: Sequence[Column]) -> None:
        self.worksheet = worksheet
        self.columns = columns
        self.language = get_language() or ""
        self._kinds = [column.kind for column in columns]
        self._lines: list[tuple[str, Sequence[str], Sequence[Any]]] = []
        self._styles: dict[Style, Any] = {}

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
        widths = self.widths()
        self.set_widths(widths, upright=sum(widths) <= WIDE)
        self.worksheet.sheet_format.defaultRowHeight = _ROW
        self.worksheet.sheet_format.customHeight = True
        self.worksheet.row_dimensions[1].height = head_height(self.columns)
        self.worksheet.append(self.head_cells())
        for number, (look, kinds, values) in enumerate(self._lines, start=2):
            lines = self._lines_of(kinds, values)
            if lines > 1:  # not every program finds the height of broken lines by itself
                self.worksheet.row_dimensions[number].height = lines * _LINE
            self.worksheet.append(
                [
                    self.cell(kind, value, look, is_tall=lines > 1)
                    for kind, value in zip(kinds, values, strict=True)
                ]
            )
        self.worksheet.auto_filter.ref = f"A1:{get_column_letter(len(self.columns))}{self.rows}"

    def widths(self) -> list[int]:
        """Return the width of each column, in characters."""
        widths = []
        for index, column in enumerate(self.columns):
            most = column.most if column.kind == LONG else _MOST
            head = _head_width(column) + self.head_room
            width = max([head, *(_width(k[index], v[index]) for _, k, v in self._lines)])
            widths.append(min(max(width, self.least), most) + self.gap)
        return widths

    def set_widths(self, widths: Sequence[int], *, upright: bool) -> None:
        for index, width in enumerate(widths, start=1):
            self.worksheet.column_dimensions[get_column_letter(index)].width = width
        self.worksheet.page_setup.orientation = "portrait" if upright else "landscape"

    def head_cells(self) -> list[Cell]:
        return [self._head_cell(column) for column in self.columns]

    def _head_cell(self, column: Column) -> Cell:
        text = clean(str(column.header))
        style = Style(TEXT, HEAD, self.size, script_of(text, self.language))
        cell = style_cell(self.worksheet, style, text)
        cell.data_type = "s"
        side = "left" if column.kind in LEFT_KINDS else "right"
        cell.alignment = Alignment(vertical="center", horizontal=side, indent=side == "left", wrap_text=True)
        return cell

    def _lines_of(self, kinds: Sequence[str], values: Sequence[Any]) -> int:
        return max(
            -(-_width(kind, value) // column.most) if kind == LONG else 1
            for column, kind, value in zip(self.columns, kinds, values, strict=True)
        )

    def cell(
        self, kind: str, value: Any, look: str, *, is_tall: bool = False, script: str | None = None
    ) -> Cell:
        """Return a cell. ``script``: of the font, instead of that of its text."""
        form = ""
        if isinstance(value, Marked):
            value, form = value.value, value.form(kind)
        if value is None:
            return Cell(self.worksheet, 1, 1, None, self._style(Style(kind, look, self.size)))
        if isinstance(value, Formula):
            result = "" if value.result is None else _number(kind, value.result)
            style = self._style(Style(kind, look, self.size, is_tall=is_tall))
            return _FormulaCell(self.worksheet, clean(f"={value.text}"), result, style)
        if kind in _WORDS:
            text = clean(str(value))
            script = script_of(text, self.language) if script is None else script
            is_quoted = text.startswith(FORMULA_STARTS)
            style = self._style(Style(kind, look, self.size, script, is_quoted=is_quoted, is_tall=is_tall))
            cell = Cell(self.worksheet, 1, 1, text, style)
            cell.data_type = "s"
            return cell
        sign = (value > 0) - (value < 0) if kind in (SCORE, EXACT) else 0
        style = self._style(Style(kind, look, self.size, sign=sign, is_tall=is_tall, form=form))
        cell = Cell(self.worksheet, 1, 1, _number(kind, value), style)
        cell.data_type = "n"
        return cell

    def _style(self, style: Style) -> Any:
        if style not in self._styles:
            self._styles[style] = style_cell(self.worksheet, style)._style  # type: ignore[attr-defined]
        return self._styles[style]


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


# --- pages and columns


def head_height(columns: Iterable[Column]) -> int:
    words = max((len(str(column.header).split()) for column in columns), default=1)
    return _LINE * min(max(words, 1), 3) + 4


def _head_width(column: Column) -> int:
    return max((display_width(word) for word in str(column.header).split()), default=0)


def _set_up_print(worksheet: Any, heading: str) -> None:
    worksheet.page_setup.paperSize = 9  # A4
    worksheet.page_setup.fitToWidth, worksheet.page_setup.fitToHeight = 1, 0
    worksheet.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    margins = worksheet.page_margins
    margins.left = margins.right = 0.5  # inches
    margins.top = margins.bottom = 0.75
    margins.header = margins.footer = 0.35
    worksheet.print_options.horizontalCentered = True
    worksheet.oddHeader.left.text = header_text(heading)
    worksheet.oddHeader.right.text = "&A"  # the sheet's name
    worksheet.oddFooter.center.text = "&P / &N"


def header_text(text: str) -> str:
    """Return a text for a header or footer, in which & begins a code."""
    return clean(text)[:100].replace("&", "&&")


def add_filled(
    book: ExcelBook,
    title: str,
    columns: Sequence[Column],
    lines: Sequence[ExcelRow],
    *,
    frozen: int = 1,
    tab: str = "",
) -> ExcelSheet:
    """Add a sheet without its optional columns that are empty."""
    filled = filled_columns(columns, lines)
    sheet = book.sheet(title, [columns[index] for index in filled], frozen=frozen, tab=tab)
    for look, values in lines:
        sheet.add([values[index] for index in filled], look=look)
    return sheet


def filled_columns(columns: Sequence[Column], lines: Sequence[ExcelRow]) -> list[int]:
    """Return the indexes of the columns that are not optional or have a value."""
    return [
        index
        for index, column in enumerate(columns)
        if not column.optional or any(values[index] is not None for _, values in lines)
    ]


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
    if isinstance(value, Marked):
        return _width(kind, value.value) + display_width(value.before + (value.after or value.room))
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
