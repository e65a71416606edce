"""Text that people bring as rows of cells: pasted from a spreadsheet, CSV, Markdown, HTML, a list of a chat.

One separator holds for a whole text: a tab, a semicolon, a comma or a bar. A quoted cell may hold it, and a
line break. A mark before each line ("1.", "•") belongs to the list and not to the first cell.
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from players.markup import is_markup, markup_rows

SEPARATORS = {"tab": "\t", "semicolon": ";；", "comma": ",，、", "bar": "|"}
SHEET = "§§ "  # begins a line with the name of a sheet, whose rows follow
MOST_BREAKS = 20  # lines of one quoted cell; more are a stray quote
_QUOTED = re.compile(r'"[^"]*"')
_LIST_MARK = re.compile(r"\s*(?:\(?\d{1,4}[.):、．）](?!\d)|[-*•·‣▪◦–](?=\s))\s*")
_RULE = re.compile(r"[\s|:=-]*")
_MOST = 2 / 3  # of the lines have a mark, if it is the list's

Row = tuple[int, list[str]]


@dataclass(frozen=True, slots=True)
class Cells:
    """The rows of a text, with the numbers of their lines. ``sheets``: names of all sheets of a workbook, of
    which the rows are those of ``sheet``. ``separators``: keys of ``SEPARATORS`` that the text has, the one
    that splits it first.
    """

    rows: Sequence[Row]
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()


def find_table(
    text: str,
    find_headings: Callable[[Sequence[Row]], int | None],
    *,
    sheet: str = "",
    separator: str = "",
    has_headings: bool | None = None,
) -> tuple[Cells, int | None]:
    """Return the chosen sheet, or the first one with headings, or the first, and the index of its headings.

    ``separator``: as for ``read_cells``. ``has_headings``: whether the first row is one, if that was chosen.
    """
    first = read_cells(text, sheet=sheet, separator=separator)
    others = () if sheet in first.sheets else first.sheets[1:]
    every = (first, *(read_cells(text, sheet=name) for name in others))
    cells = next((each for each in every if find_headings(each.rows) is not None), first)
    if has_headings is None:
        return cells, find_headings(cells.rows)
    return cells, 0 if has_headings and cells.rows else None


def read_cells(text: str, *, sheet: str = "", separator: str = "", keeps_lines: bool = False) -> Cells:
    """Split a text into rows, without empty ones and without the marks of a list.

    ``separator``: the chosen key of ``SEPARATORS``, which counts if the text has it.
    ``keeps_lines``: keep empty rows, which separate parts of a plan, and marks, which may be its tables.
    """
    sheets = split_sheets(text)
    if sheets:
        name = sheet if sheet in sheets else next(iter(sheets))
        return Cells(list(_split(sheets[name], "\t", keeps_lines)), name, tuple(sheets))
    if is_markup(text):
        rows = enumerate(markup_rows(text), 1)
        return Cells([(number, row) for number, row in rows if keeps_lines or any(row)])
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    named = re.fullmatch(r"sep=(?P<mark>.)\s*", lines[0], re.IGNORECASE)
    if named:
        lines[0] = ""
    if not keeps_lines:
        lines = _without_marks(lines)
    found = [key for key, marks in SEPARATORS.items() if _most_used(lines, marks)]
    if separator in found:
        mark = _most_used(lines, SEPARATORS[separator])
    else:
        mark = _separator(lines)
        if named and named["mark"] in "".join(SEPARATORS.values()):
            mark = named["mark"]
    found.sort(key=lambda key: mark not in SEPARATORS[key])
    return Cells(list(_split(lines, mark, keeps_lines)), separators=tuple(found))


def join_sheets(sheets: Sequence[tuple[str, str]]) -> str:
    """Return several sheets, each a name and tab-separated text, as one text. A single one needs no name."""
    if len(sheets) == 1:
        ((_name, text),) = sheets
        return text
    named = ((re.sub(r"[\r\n]", " ", name).strip(), text.rstrip()) for name, text in sheets)
    return "".join(f"{SHEET}{name}\n{text}\n" for name, text in named)


def split_sheets(text: str) -> dict[str, list[str]]:
    """Return the lines of each named sheet, or {} for a text without sheets."""
    if not text.startswith(SHEET):
        return {}
    sheets: dict[str, list[str]] = {}
    for line in re.split(r"\r\n|\r|\n", text):
        if line.startswith(SHEET):
            lines = sheets.setdefault(line.removeprefix(SHEET).strip(), [])
        else:
            lines.append(line)
    return sheets


def _separator(lines: Sequence[str]) -> str:
    """Return a tab if there is one, a bar of Markdown, or the mark that most lines have outside quotes."""
    plain = [_QUOTED.sub("", line) for line in lines]
    if any("\t" in line for line in plain):
        return "\t"
    filled = [line for line in plain if line.strip()]
    barred = sum(line.count("|") > 1 or line.strip().startswith("|") for line in filled)
    if filled and barred >= _MOST * len(filled):
        return "|"
    return _most_used(plain, "".join(SEPARATORS.values())) or "\t"


def _most_used(lines: Sequence[str], marks: str) -> str:
    """Return the mark that most lines have, or "" if none has any."""
    counts = {mark: sum(mark in line for line in lines) for mark in marks}
    return max(marks, key=lambda mark: counts[mark]) if any(counts.values()) else ""


def _without_marks(lines: Sequence[str]) -> list[str]:
    filled = [line for line in lines if line.strip()]
    marked = [line for line in filled if _LIST_MARK.match(line)]
    if len(marked) < 2 or len(marked) < _MOST * len(filled):
        return list(lines)
    return [_LIST_MARK.sub("", line, count=1) for line in lines]


def _split(lines: Sequence[str], separator: str, keeps_lines: bool) -> Iterator[Row]:
    at = 0
    while at < len(lines):
        used = _lines_of_record(lines, at, separator)
        line = " ".join(lines[at : at + used])
        cells = _barred(line) if separator == "|" else _cells(line, separator)
        if keeps_lines or any(cells):
            yield at + 1, cells
        at += used


def _lines_of_record(lines: Sequence[str], at: int, separator: str) -> int:
    """Return how many lines a record has. A quote that opens a cell and is never closed opens none."""
    if '"' not in lines[at]:
        return 1
    opens = re.search(rf'(?:^|{re.escape(separator)})\s*"[^"]*$', re.sub(r'""', "", lines[at]))
    if not opens:
        return 1
    quotes = 0
    for used, line in enumerate(lines[at : at + MOST_BREAKS], 1):
        quotes += line.count('"')
        if used > 1 and quotes % 2 == 0:
            return used if re.search(rf'"\s*(?:$|{re.escape(separator)})', line) else 1
    return 1


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [
            cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
        ]
    except csv.Error:  # a cell of more than 128 kB, or half a quoted one
        return [cell.strip() for cell in line.split(separator)]


def _barred(line: str) -> list[str]:
    if _RULE.fullmatch(line):
        return []
    return [cell.strip().strip("*") for cell in re.sub(r"^\s*\||\|\s*$", "", line).split("|")]
