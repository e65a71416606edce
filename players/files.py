"""A roster's file as text: CSV in usual encodings, or the first sheet of an xlsx workbook.

A workbook becomes tab-separated text with the same line numbers, for ``players.roster``. Any unreadable file,
even a malicious one, raises ``Unreadable`` with its remedy and nothing else.
"""

import codecs
import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from xml.etree.ElementTree import ParseError

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

MAX_BYTES = 5_000_000
MAX_ROWS = 10_000
MAX_TEXT = 2_000_000  # bytes of UTF-8: the text goes to the person and back before it is saved
_LONGEST_CELL = 400  # characters; no field takes more than 120
_MAX_SHEET_ROWS = 20_000  # with the empty ones between
_MAX_COLUMNS = 260  # a round of a seating plan can be one row
_MAX_UNPACKED = 16_000_000  # bytes; a sheet of 10,000 rows unpacks to some 8 million
_MAX_PARTS = 2_000

# Everything that openpyxl, zipfile and the XML parser were seen to raise on damaged files.
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, InvalidFileException, ParseError, NotImplementedError, RuntimeError),
    *(ArithmeticError, AttributeError, EOFError, LookupError, OSError, TypeError, ValueError),
)


TOO_MUCH = _("This text is too long for one import. Send only the columns that are needed.")
TOO_HEAVY = _("This workbook is too large when unpacked. Copy the players to a new one.")


class Unreadable(Exception):
    def __init__(self, message: str | Promise) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return str(self.message)


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a file. ``encoding`` is "" for a workbook. ``guessed``: the file does not name it."""

    text: str
    encoding: str = ""
    guessed: bool = False


ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "big5hkscs": "Big5",
    "gb18030": "GBK",
    "cp932": "Shift-JIS",
    "cp1252": "Latin (Windows)",
}


def is_workbook(data: bytes) -> bool:
    return data.startswith(b"PK")


def text_of(data: bytes, *, encoding: str = "") -> Text:
    """Return a file's text. A stranger's workbook may need much memory: read it in ``league.core.apart``."""
    if len(data) > MAX_BYTES:
        raise Unreadable(_("This file is larger than 5 MB. Send only the columns that are needed."))
    if not data.strip():
        raise Unreadable(_("This file is empty."))
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise Unreadable(_("This is an old Excel file (.xls). Save it as .xlsx or CSV first."))
    found = Text(_sheet_text(data)) if is_workbook(data) else _decoded(data, encoding)
    if len(found.text.encode()) > MAX_TEXT:
        raise Unreadable(TOO_MUCH)
    return found


# --- workbooks ----------------------------------------------------------------------------------------------


def _sheet_text(data: bytes) -> str:
    try:
        refuse_bomb(data)
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)
        sheet = book.worksheets[0]
        sheet.reset_dimensions()  # the size that a file states may be wrong by a million rows
        rows = sheet.iter_rows(max_row=_MAX_SHEET_ROWS + 1, max_col=_MAX_COLUMNS, values_only=True)
        return _tab_separated(rows)
    except BROKEN as error:
        raise Unreadable(
            _(
                "This Excel workbook cannot be read. Open it in a spreadsheet program and save it again as "
                ".xlsx or CSV."
            )
        ) from error


def refuse_bomb(data: bytes) -> None:
    """Raise ``Unreadable`` for a workbook that unpacks to more than this reader takes."""
    # zipfile never unpacks more of a part than its stated size, so the stated sizes bound the whole.
    parts = zipfile.ZipFile(io.BytesIO(data)).infolist()
    if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED:
        raise Unreadable(TOO_HEAVY)


def _tab_separated(rows: Iterator[tuple[object, ...]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, dialect="excel-tab", lineterminator="\n")
    for row in islice(rows, _MAX_SHEET_ROWS):
        cells = [_cell_text(value) for value in row]
        while cells and not cells[-1]:  # a row is as wide as the widest
            cells.pop()
        writer.writerow(cells or [""])
        if out.tell() > MAX_TEXT:  # one long text, named in every cell, is small in the file
            raise Unreadable(TOO_MUCH)
    if next(rows, None) is not None:
        raise Unreadable(_("An import has at most 10,000 rows. This file has more. Split it."))
    return out.getvalue()


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # a federation number that the sheet kept as a number
    if isinstance(value, datetime):
        return value.date().isoformat()
    return re.sub(r"[\t\r\n]+", " ", str(value)[:_LONGEST_CELL])


# --- text ---------------------------------------------------------------------------------------------------

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_HIGH = re.compile(rb"[\x80-\xff]+")
# The bytes that lead a pair, and among them those of the characters in everyday use: each encoding keeps
# its rare ones elsewhere, so text read in the wrong encoding is mostly rare characters.
_PAIRS = {
    "big5hkscs": (re.compile(rb"[\x81-\xfe][\x40-\x7e\xa1-\xfe]"), re.compile(rb"[\xa4-\xc6]")),
    "gb18030": (re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]"), re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")),
    "cp932": (
        re.compile(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]"),
        re.compile(rb"[\x82\x83\x88-\x97]."),
    ),
}
_ENOUGH = 0.5  # of the pairs in everyday use


def _decoded(data: bytes, encoding: str) -> Text:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return Text(_strictly(data[len(mark) :], name), name.removesuffix("-le").removesuffix("-be"))
    if b"\0" in data or encoding == "utf-16":
        return Text(_strictly(data, _utf16_order(data)), "utf-16", guessed=not encoding)
    if encoding:
        return Text(_strictly(data, encoding), encoding)
    if _fits(data, "utf-8"):
        return Text(data.decode("utf-8"), "utf-8")
    guess = _guess(data)
    return Text(_strictly(data, guess), guess, guessed=True)


def _strictly(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise Unreadable(
            _("This file is not text in %(encoding)s. Save it as CSV in UTF-8, or as .xlsx.")
            % {"encoding": ENCODINGS.get(encoding, encoding.upper())}
        ) from error
    if "\0" in text:
        raise Unreadable(_("This is not a text file. Send a CSV file or an .xlsx workbook."))
    return text


def _utf16_order(data: bytes) -> str:
    """Detect the byte order. Latin letters have a zero second in little endian, and first in big endian."""
    return "utf-16-le" if data[1::2].count(0) >= data[::2].count(0) else "utf-16-be"


def _fits(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _guess(data: bytes) -> str:
    """Return the encoding in which most byte pairs are everyday characters, or Latin."""
    runs = _HIGH.findall(data)
    alone = sum(len(run) == 1 for run in runs)
    best, share = max(
        ((name, _everyday(data, name)) for name in _PAIRS if _fits(data, name)),
        key=lambda guess: guess[1],
        default=("cp1252", 0.0),
    )
    # In Latin text almost every accented letter is between plain ones.
    if alone > 0.8 * len(runs) or share < _ENOUGH:
        return "cp1252"
    return best


def _everyday(data: bytes, encoding: str) -> float:
    pair, common = _PAIRS[encoding]
    found = pair.findall(data)
    return sum(bool(common.match(each)) for each in found) / max(len(found), 1)
