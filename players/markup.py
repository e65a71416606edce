"""Rows of HTML tables, as copied from a page or saved by a spreadsheet program."""

import re
from html.parser import HTMLParser

from players.text import tidy

MOST_CELLS = 200_000
_BLOCKS = frozenset({"br", "caption", "div", "h1", "h2", "h3", "h4", "h5", "h6", "li", "p"})


def is_markup(text: str) -> bool:
    return re.search(r"<t[rdh]\b", text, re.IGNORECASE) is not None


def markup_rows(text: str) -> list[list[str]]:
    """Return the cells of each row, empty under spanning cells. Text between tables has its own rows.

    Raises ``OverflowError`` for more than `MOST_CELLS`.
    """
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.end_row()
    if reader.count >= MOST_CELLS:
        raise OverflowError(MOST_CELLS)
    return reader.rows


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.row: list[str] = []
        self.texts: list[str] = []
        self.span: tuple[int, int] | None = None  # columns and rows of the open cell
        self.below: dict[int, int] = {}  # column → rows that a cell above still spans
        self.is_silent = False
        self.count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "th"):
            self._end_cell()
            self.texts = []
            given = dict(attrs)
            self.span = (_span(given.get("colspan")), _span(given.get("rowspan")))
        elif tag in ("script", "style"):
            self.is_silent = True
        elif tag in _BLOCKS and self.span is not None:
            self.texts.append("/" if any(map(str.strip, self.texts)) else "")
        elif tag in _BLOCKS or tag in ("tr", "table"):
            self.end_row()

    def handle_endtag(self, tag: str) -> None:
        self.is_silent = False
        if tag in ("td", "th"):
            self._end_cell()
        elif tag == "tr" or (tag in _BLOCKS and self.span is None):
            self.end_row()
        elif tag == "table":
            self.end_row()
            self.rows.append([])
            self.below = {}

    def handle_data(self, data: str) -> None:
        if not self.is_silent:
            self.texts.append(data)

    def _end_cell(self) -> None:
        if self.span is None:
            return
        self._skip_spanned()
        columns, rows = self.span
        self.count += columns
        for at in range(columns if self.count < MOST_CELLS else 0):
            self.below[len(self.row)] = rows - 1
            self.row.append("" if at else tidy(" ".join(self.texts)).strip("/ "))
        self.span, self.texts = None, []

    def _skip_spanned(self) -> None:
        while self.below.get(len(self.row), 0) > 0 and self.count < MOST_CELLS:
            self.below[len(self.row)] -= 1
            self.row.append("")
            self.count += 1

    def end_row(self) -> None:
        self._end_cell()
        if self.row:
            self._skip_spanned()
            self.rows.append(self.row)
        elif text := tidy(" ".join(self.texts)):
            self.rows.append([text])
        self.row, self.texts = [], []


def _span(text: str | None) -> int:
    return max(1, int(text)) if text and re.fullmatch("[0-9]{1,4}", text, re.ASCII) else 1
