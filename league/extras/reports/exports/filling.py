"""Fill a federation's workbook in a process that has no database and no settings, because strangers made it.

A cell with ``{{ name }}``, or one that a defined name of the workbook names, gets a fact, and so do texts
outside of cells (``texts.py``). A row with names of a block (``player.place``) is repeated for each of its
lines. Formulas, merged cells, heights, conditional formats and defined names below move with the rows, and a
range that ends in the row grows. Charts keep their ranges.
"""

import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from openpyxl import load_workbook
from openpyxl.cell.cell import Cell
from openpyxl.formatting.formatting import ConditionalFormattingList
from openpyxl.formula.tokenizer import Token, Tokenizer
from openpyxl.formula.translate import Translator
from openpyxl.workbook import Workbook
from openpyxl.worksheet.cell_range import MultiCellRange
from openpyxl.worksheet.formula import ArrayFormula
from openpyxl.worksheet.worksheet import Worksheet

from league.core.files.csv import FORMULA_STARTS
from league.core.files.xlsx import clean
from league.extras.reports.exports.texts import Text, texts_of, titles_of, unfilled_texts
from players.files import BROKEN, Unreadable, refuse_bomb

Facts = Mapping[str, Any]  # name → text, number or date
Blocks = Mapping[str, Sequence[Facts]]  # block → lines, whose names begin with the block's

MOST_ROWS = 20_000  # of a sheet that is filled
_MARK = re.compile(r"\{\{\s*(?P<name>[^{}]*?)\s*\}\}")
_ROWS = re.compile(r"(\$?[A-Z]{1,3}\$?|\$?)(\d+)(?::(\$?[A-Z]{1,3}\$?|\$?)(\d+))?", re.I)


class FormProblem(Exception):
    """``code``: broken, heavy, unknown, mixed, tall, none, formula, merged, single or place.

    ``name`` and ``cell``: where, if known.
    """

    def __init__(self, code: str, name: str = "", cell: str = "") -> None:
        super().__init__(code, name, cell)
        self.code, self.name, self.cell = code, name, cell


class Mark(NamedTuple):
    name: str
    cell: str  # "Sheet1!B5"


def try_form(content: bytes, known: Collection[str]) -> list[Mark]:
    """Return the marks of a form that can be filled in.

    Raise ``FormProblem`` for an unreadable form, an unknown name, or a form that cannot be filled in.
    """
    book = _open(content)
    _refuse_unfilled(book, content)
    marks = _marks(book, known)
    blocks = _blocks_of(known)
    try:
        fill_form(content, {}, {block: [{}, {}] for block in blocks}, known)
    except BROKEN as error:
        raise FormProblem("broken") from error
    return marks


def fill_form(content: bytes, facts: Facts, blocks: Blocks, known: Collection[str]) -> bytes:
    book = _open(content)
    _marks(book, known)
    for each in texts_of(book):
        if _MARK.search(each.text):
            each.write(_filled(each, facts))
    for sheet in book.worksheets:
        rows = {row: next(iter(_blocks_in(cells)), "") for row, cells in _marked_rows(sheet).items()}
        for row in sorted(rows, reverse=True):
            lines = blocks.get(rows[row], ()) if rows[row] else [{}]
            _repeat(book, sheet, row, len(lines))
            for at, line in enumerate(lines or [{}]):
                _fill_row(sheet, row + at, {**facts, **line})
    if book.calculation is not None:
        book.calculation.fullCalcOnLoad = True
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _filled(text: Text, facts: Facts) -> str:
    return _MARK.sub(lambda mark: text.escape(_text(facts, mark["name"])), text.text)


def _open(content: bytes) -> Workbook:
    try:
        refuse_bomb(content)
        return load_workbook(io.BytesIO(content), keep_links=False)
    except Unreadable as error:
        raise FormProblem("heavy") from error
    except BROKEN as error:
        raise FormProblem("broken") from error


# --- marks


def _marks(book: Workbook, known: Collection[str]) -> list[Mark]:
    _mark_named_cells(book, known)
    found = []
    for sheet in book.worksheets:
        if sheet.max_row > MOST_ROWS:
            raise FormProblem("tall", cell=sheet.title)
        for row, cells in _marked_rows(sheet).items():
            for cell in cells:
                at = f"{sheet.title}!{cell.coordinate}"
                for name in _names_in(cell):
                    if name not in known:
                        raise FormProblem("unknown", name, at)
                    if "." in name and _is_merged_down(sheet, cell):
                        raise FormProblem("merged", name, at)
                    found.append(Mark(name, at))
            if len(_blocks_in(cells)) > 1:
                raise FormProblem("mixed", cell=f"{sheet.title}!{row}")
    for each in texts_of(book):
        for name in _names(each.text):
            if name not in known:
                raise FormProblem("unknown", name, each.place)
            if "." in name:
                raise FormProblem("single", name, each.place)
            found.append(Mark(name, each.place))
    if not found:
        raise FormProblem("none")
    return found


def _is_merged_down(sheet: Worksheet, cell: Cell) -> bool:
    here = [cells for cells in sheet.merged_cells.ranges if cell.coordinate in cells]
    return any(each.max_row > cell.row for each in here)


def _refuse_unfilled(book: Workbook, content: bytes) -> None:
    """Refuse a mark that would stay as it was typed."""
    titles = Counter(name for title in titles_of(book) for name in _names(title.text))
    for kind, place, text in unfilled_texts(book, content):
        names = Counter(_names(text))
        left = names - titles if kind == "chart" else names
        if kind == "chart":
            titles -= names
        for name in left:
            raise FormProblem("formula" if kind == "formula" else "place", name, place)


def _mark_named_cells(book: Workbook, known: Collection[str]) -> None:
    """Write the mark into each cell that has a known name. Other names are the form's own, except such as
    begin with the name of a block.
    """
    blocks = _blocks_of(known)
    named = [*book.defined_names.values(), *(n for s in book.worksheets for n in s.defined_names.values())]
    for each in named:
        name = each.name.lower()
        if name not in known:
            if _block_of(name) in blocks:
                raise FormProblem("unknown", each.name, each.attr_text or "")
            continue
        for title, place in each.destinations:
            if title in book.sheetnames:
                first, _colon, _last = place.replace("$", "").partition(":")
                book[title][first].value = f"{{{{ {name} }}}}"


def _marked_rows(sheet: Worksheet) -> dict[int, list[Cell]]:
    found: dict[int, list[Cell]] = {}
    for cell in _cells(sheet, "s"):
        if _MARK.search(str(cell.value)):
            found.setdefault(cell.row, []).append(cell)
    return found


def _cells(sheet: Worksheet, kind: str) -> Iterator[Cell]:
    """Yield the cells of this data type, without the empty ones between."""
    for cell in list(sheet._cells.values()):
        if isinstance(cell, Cell) and cell.data_type == kind:
            yield cell


def _names_in(cell: Cell) -> list[str]:
    return _names(str(cell.value))


def _names(text: str) -> list[str]:
    return [name.lower() for name in _MARK.findall(text)]


def _blocks_in(cells: Sequence[Cell]) -> set[str]:
    return _blocks_of(name for cell in cells for name in _names_in(cell))


def _blocks_of(names: Iterable[str]) -> set[str]:
    return {block for name in names if (block := _block_of(name))}


def _block_of(name: str) -> str:
    """Return the block to which a name belongs, or ""."""
    block, dot, _field = name.partition(".")
    return block if dot else ""


# --- values


def _fill_row(sheet: Worksheet, row: int, values: Facts) -> None:
    for cell in list(sheet[row]):
        if not isinstance(cell, Cell) or cell.data_type != "s" or not _MARK.search(str(cell.value)):
            continue
        text = str(cell.value)
        whole = _MARK.fullmatch(text.strip())
        if whole:
            _set(cell, values.get(whole["name"].lower()))
        else:
            _set(cell, _MARK.sub(lambda mark: _text(values, mark["name"]), text))


def _text(values: Facts, name: str) -> str:
    value = values.get(name.lower())
    return "" if value is None else str(value)


def _set(cell: Cell, value: Any) -> None:
    """Set a value. Text stays text, whatever it begins with."""
    if not isinstance(value, str):
        cell.value = value
        return
    cell.value = clean(value)
    cell.data_type = "s"
    if value.startswith(FORMULA_STARTS):
        cell.quotePrefix = True


# --- rows


def _repeat(book: Workbook, sheet: Worksheet, row: int, count: int) -> None:
    """Make ``count`` rows of one, with its cells, formats, height and merged cells."""
    if count < 2:
        return
    more = count - 1
    heights = {at: each.height for at, each in sheet.row_dimensions.items() if each.height is not None}
    for at in heights:
        sheet.row_dimensions[at].height = None
    sheet.insert_rows(row + 1, more)
    for at, height in heights.items():
        sheet.row_dimensions[at + more if at > row else at].height = height
    _move_references(book, sheet, row, more)
    merged = [cells for cells in sheet.merged_cells.ranges if cells.min_row == cells.max_row == row]
    pattern = list(sheet[row])
    for at in range(row + 1, row + count):
        sheet.row_dimensions[at].height = heights.get(row)
        for cell in pattern:
            if isinstance(cell, Cell):
                _copy(cell, sheet, at)
        for each in merged:
            sheet.merge_cells(start_row=at, end_row=at, start_column=each.min_col, end_column=each.max_col)


def _copy(cell: Cell, sheet: Worksheet, row: int) -> None:
    to: Any = sheet.cell(row, cell.column)
    to._style = copy(cell._style)  # type: ignore[attr-defined]
    to.value = cell.value
    if cell.data_type == "f" and isinstance(cell.value, str):
        to.value = Translator(cell.value, cell.coordinate).translate_formula(to.coordinate)


def _move_references(book: Workbook, sheet: Worksheet, row: int, more: int) -> None:
    """Adjust whatever names rows of the sheet, after ``more`` rows came below ``row``."""

    def here(reference: str) -> str:
        return _moved(reference, row, more)

    def area(cells: str) -> str:
        return here(" ".join(each if ":" in each else f"{each}:{each}" for each in cells.split()))

    for each in list(sheet.merged_cells.ranges):
        if each.max_row > row:
            each.expand(down=more) if each.min_row <= row else each.shift(row_shift=more)
    for validation in sheet.data_validations.dataValidation:
        validation.sqref = MultiCellRange(area(str(validation.sqref)))
        for name in ("formula1", "formula2"):
            if text := getattr(validation, name):
                setattr(validation, name, _adjusted(f"={text}", sheet, sheet, here)[1:])
    formats, sheet.conditional_formatting = sheet.conditional_formatting, ConditionalFormattingList()
    for format_ in formats:
        for rule in format_.rules:
            rule.formula = [_adjusted(f"={text}", sheet, sheet, here)[1:] for text in rule.formula]
            sheet.conditional_formatting.add(area(str(format_.sqref)), rule)
    tables: list[Any] = list(sheet.tables.values())
    for owner in (sheet.auto_filter, *tables, *(table.autoFilter for table in tables)):
        if owner is not None and owner.ref:
            owner.ref = here(owner.ref)
    if sheet.print_area:
        sheet.print_area = here(sheet.print_area.replace(f"'{sheet.title}'!", ""))
    for other in book.worksheets:
        for cell in _cells(other, "f"):
            if isinstance(cell.value, ArrayFormula):
                cell.value.text = _adjusted(cell.value.text or "=", other, sheet, here)
                cell.value.ref = here(cell.value.ref) if other is sheet else cell.value.ref
            else:
                cell.value = _adjusted(str(cell.value), other, sheet, here)
    for names in (book.defined_names, *(worksheet.defined_names for worksheet in book.worksheets)):
        for each in names.values():
            each.attr_text = _adjusted(f"={each.attr_text}", None, sheet, here)[1:]


def _adjusted(formula: str, at: Worksheet | None, sheet: Worksheet, here: Callable[[str], str]) -> str:
    """Return the formula of a cell of sheet ``at`` with its references to ``sheet`` adjusted."""
    tokens = Tokenizer(formula)
    for token in tokens.items:
        if token.type == Token.OPERAND and token.subtype == Token.RANGE:
            title, mark, reference = token.value.rpartition("!")
            named = title.strip("'").replace("''", "'")
            if named == sheet.title if mark else at is sheet:
                token.value = f"{title}{mark}{here(reference)}"
    return tokens.render()


def _moved(reference: str, row: int, more: int) -> str:
    """Return "A5:B9" or "A5" after ``more`` rows came below ``row``. A range that ends there grows."""

    def replace(found: re.Match[str]) -> str:
        first_column, first_row, last_column, last_row = found.groups()
        first, last = int(first_row), last_row and int(last_row)
        begin = f"{first_column}{first + more * (first > row)}"
        return begin if not last else f"{begin}:{last_column}{last + more * (last >= row)}"

    return _ROWS.sub(replace, reference)
