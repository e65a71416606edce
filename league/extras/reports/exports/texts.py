"""Texts of a workbook outside the values of its cells, and the places where no mark can be filled.

A header, a footer, a comment, the title of a chart and the properties of the file take single facts.
Formulas, validations, formats, names, links, shapes and the heads of tables take none, because a program
computes them or finds other parts by them.
"""

import html
import io
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from openpyxl.workbook.workbook import Workbook
from openpyxl.worksheet.formula import ArrayFormula, DataTableFormula
from openpyxl.worksheet.worksheet import Worksheet

HEADERS: Final = ("oddHeader", "oddFooter", "evenHeader", "evenFooter", "firstHeader", "firstFooter")
PROPERTIES: Final = ("title", "subject", "creator", "description", "keywords", "category")
FILE: Final = "docProps"
_UNSEEN: Final = re.compile(r"xl/(?:charts|drawings|diagrams|threadedComments)/[^/]+\.xml")
_CACHE: Final = re.compile(r"<(?:\w+:)?(strCache|numCache)\b.*?</(?:\w+:)?\1>", re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")


class Text(NamedTuple):
    """A text that takes single facts, at a place such as "Sheet1!B5".

    ``write`` replaces it. ``escape``: how a fact is written there.
    """

    place: str
    text: str
    write: Callable[[str], None]
    escape: Callable[[str], str] = str


def texts_of(book: Workbook) -> Iterator[Text]:
    for sheet in book.worksheets:
        yield from _headers(sheet)
        for cell in sheet._cells.values():
            if comment := getattr(cell, "comment", None):
                yield Text(f"{sheet.title}!{cell.coordinate}", comment.text, _setter(comment, "text"))
    yield from titles_of(book)
    for name in PROPERTIES:
        yield Text(FILE, getattr(book.properties, name) or "", _setter(book.properties, name))


def titles_of(book: Workbook) -> Iterator[Text]:
    sheets: list[Any] = [*book.worksheets, *book.chartsheets]
    for sheet in sheets:
        for chart in sheet._charts:
            yield from _titles(sheet.title, chart)


def _headers(sheet: Worksheet) -> Iterator[Text]:
    for name in HEADERS:
        for side in ("left", "center", "right"):
            part = getattr(getattr(sheet, name), side)
            if part.text:
                yield Text(sheet.title, part.text, _setter(part, "text"), _escape_codes)


def _escape_codes(text: str) -> str:
    return text.replace("&", "&&")  # & begins a code in headers, as in &P


def _titles(sheet: str, chart: Any) -> Iterator[Text]:
    """Yield the paragraphs of the titles of a chart and of its axes. A paragraph may be typed in parts."""
    titles = [getattr(part, "title", None) for part in (chart, *_axes(chart))]
    for title in titles:
        rich = title and title.tx and title.tx.rich
        for paragraph in (rich and rich.p) or ():
            if paragraph.r:
                text = "".join(run.t or "" for run in paragraph.r)
                yield Text(sheet, text, _runs_setter(paragraph.r))


def _axes(chart: Any) -> Iterator[Any]:
    for name in ("x_axis", "y_axis", "z_axis"):
        if (axis := getattr(chart, name, None)) is not None:
            yield axis


def _setter(owner: Any, name: str) -> Callable[[str], None]:
    return lambda text: setattr(owner, name, text)


def _runs_setter(runs: list[Any]) -> Callable[[str], None]:
    def write(text: str) -> None:
        for run in runs:
            run.t = ""
        runs[0].t = text

    return write


# --- places without facts


def unfilled_texts(book: Workbook, content: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, place, text) of places where no mark is filled. ``kind``: formula, chart or place.

    The text of a chart includes its titles.
    """
    for sheet in book.worksheets:
        yield "place", sheet.title, sheet.title
        for cell in sheet._cells.values():
            at = f"{sheet.title}!{cell.coordinate}"
            if text := _formula_of(cell.value):
                yield "formula", at, text
            if link := getattr(cell, "hyperlink", None):
                yield "place", at, _joined(link.target, link.location, link.tooltip, link.display)
        for rule in sheet.data_validations.dataValidation:
            said = _joined(rule.prompt, rule.promptTitle, rule.error, rule.errorTitle)
            text = _joined(rule.formula1, rule.formula2, said)
            yield "place", f"{sheet.title}!{rule.sqref}", text
        for each in sheet.conditional_formatting:
            formulas = [text for rule in each.rules for text in (*rule.formula, rule.text or "")]
            yield "place", f"{sheet.title}!{each.sqref}", " ".join(formulas)
        for table in sheet.tables.values():
            heads = sheet[table.ref][0] if table.headerRowCount != 0 else ()
            for cell in heads:
                yield "place", f"{sheet.title}!{cell.coordinate}", str(cell.value or "")
    for names in (book.defined_names, *(sheet.defined_names for sheet in book.worksheets)):
        for name in names.values():
            yield "place", name.name, name.attr_text or ""
    yield from _unseen(content)


def _joined(*texts: str | None) -> str:
    return " ".join(filter(None, texts))


def _formula_of(value: object) -> str:
    if isinstance(value, ArrayFormula):
        return value.text or ""
    if isinstance(value, DataTableFormula):
        return ""
    return value if isinstance(value, str) and value.startswith("=") else ""


def _unseen(content: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of shapes, charts and threads of comments from the parts of the file.

    Values that a chart keeps of cells are left out.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        for name in file.namelist():
            if _UNSEEN.fullmatch(name):
                text = _CACHE.sub("", file.read(name).decode("utf-8", "replace"))
                _folder, _slash, file_name = name.rpartition("/")
                yield (
                    ("chart" if "/charts/" in name else "place"),
                    file_name,
                    html.unescape(_TAG.sub("", text)),
                )
