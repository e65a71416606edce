"""The first sheet of a workbook, which is printed for the wall.

A band has the title and facts. Below it are lines, sections with a heading of their own, and notes. Few lines
have large letters and the paper on its side. Up to `ONE_PAGE` lines are printed on one page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from openpyxl.cell.cell import Cell
from openpyxl.styles import Alignment
from openpyxl.utils import get_column_letter

from league.core.files.columns import LONG, TEXT, WHOLE, Column
from league.core.files.looks import FACT, LAST_FACT, LOOKS, NOTE, RANKS, SIZE, TITLE, script_of
from league.core.files.xlsx import (
    RANKING,
    ExcelBook,
    ExcelSheet,
    clean,
    display_width,
    head_height,
    header_text,
)

FEW, SOME, ONE_PAGE = 18, 30, 48  # lines: with large letters, with high rows, on one page
_LARGE = 13  # points of letters of few lines
_ACROSS, _ACROSS_FEW = 92, 134  # characters across upright A4, and across A4 on its side
_TOO_WIDE = 150  # characters
_HEIGHT, _ROOMY = 1.55, 2.0  # of a row, by the size of its letters
_MORE = {TITLE: 6, LAST_FACT: 5, NOTE: -1}  # points


@dataclass(frozen=True, slots=True)
class WallText:
    """Texts around the lines. ``footer``: at the left of every page."""

    title: str
    facts: Sequence[str]
    notes: Sequence[str]
    footer: str


class WallSheet(ExcelSheet):
    least, head_room, gap = 3, 1, 2

    def __init__(self, book: ExcelBook, name: str, columns: Sequence[Column], text: WallText) -> None:
        worksheet = book.new_worksheet(name, tab=RANKING, at=0)
        super().__init__(worksheet, columns)
        book.sheets.insert(0, self)
        self.text = text
        self.head = 2 + len(text.facts)  # the row of the headings
        self._row = 0
        worksheet.sheet_view.showGridLines = False
        worksheet.freeze_panes = f"A{self.head + 1}"
        worksheet.print_title_rows = f"{self.head}:{self.head}"
        _set_up_pages(worksheet, text.footer)

    @property
    def rows(self) -> int:
        return self.head + len(self._lines)

    def add_heading(self, text: str, *, look: str) -> None:
        """Add a line across all columns."""
        kinds = (LONG, *(column.kind for column in self.columns[1:]))
        self.add([text, *(None,) * (len(self.columns) - 1)], look=look, kinds=kinds)

    def write(self) -> None:
        lines = len(self._lines)
        self.size = _LARGE if lines <= FEW else SIZE
        widths = self.widths()
        across = sum(widths)
        self.set_widths(widths, upright=lines > FEW and across <= _TOO_WIDE)
        self.worksheet.page_setup.fitToHeight = int(lines <= ONE_PAGE)
        self._write_band(across)
        self._append(self.head_cells(), head_height(self.columns) * self.size / SIZE)
        for look, kinds, values in self._lines:
            if kinds[0] == LONG:
                self._write_across(values[0], look, across)
                continue
            cells = [self.cell(kind, value, look) for kind, value in zip(kinds, values, strict=True)]
            if self.columns[0].kind == WHOLE:
                cells[0] = self.cell(WHOLE, values[0], RANKS[look])
            self._append(cells, self.size * (_ROOMY if FEW < lines <= SOME else _HEIGHT))
        self._append([], self.size)
        for note in self.text.notes:
            self._write_across(note, NOTE, across)

    def widths(self) -> list[int]:
        """Return widths for the size of the letters. The first column of texts takes what is left."""
        widths = [-(-width * self.size // SIZE) for width in super().widths()]
        across = _ACROSS_FEW if self.size == _LARGE else _ACROSS
        first_texts = next(index for index, column in enumerate(self.columns) if column.kind == TEXT)
        widths[first_texts] += max(0, across - sum(widths))
        return widths

    def head_cells(self) -> list[Cell]:
        cells = super().head_cells()
        if self.columns[0].kind == WHOLE:
            cells[0].alignment = Alignment(vertical="center", horizontal="center", wrap_text=True)
        return cells

    def _write_band(self, across: int) -> None:
        """Write the title and the facts in one font."""
        facts = self.text.facts
        script = script_of(clean(" ".join([self.text.title, *facts])), self.language)
        self._write_across(self.text.title, TITLE, across, script)
        for number, fact in enumerate(facts, start=1):
            self._write_across(fact, LAST_FACT if number == len(facts) else FACT, across, script)

    def _write_across(self, text: str, look: str, across: int, script: str | None = None) -> None:
        size = self.size + LOOKS[look].size
        lines = -(-display_width(text) * size // (across * SIZE)) or 1
        first = self.cell(LONG, text, look, script=script)
        rest = [self.cell(column.kind, None, look) for column in self.columns[1:]]
        self._append([first, *rest], size * lines * _HEIGHT + _MORE.get(look, 0))
        self.worksheet.merged_cells.add(f"A{self._row}:{get_column_letter(len(self.columns))}{self._row}")

    def _append(self, cells: Sequence[object], height: float) -> None:
        self._row += 1
        self.worksheet.row_dimensions[self._row].height = height
        self.worksheet.append(cells)


def _set_up_pages(worksheet: Any, footer: str) -> None:
    """Leave the header out of the first page, which has the title, and write the footer on each page."""
    pages = worksheet.HeaderFooter
    pages.differentFirst = True
    for each in (pages.firstFooter, pages.oddFooter):
        each.left.text = header_text(footer)
        each.center.text = "&P / &N"
