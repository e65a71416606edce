"""A file that people bring, as text: CSV in usual encodings, or a workbook (xlsx, xls, ods).

A sheet of a workbook becomes tab-separated text with the same line numbers (``players.cells``). Any
unreadable file, even a malicious one, raises ``Unreadable`` with its remedy and nothing else.
"""

import codecs
import csv
import io
import re
import zipfile
import zlib
from dataclasses import dataclass
from datetime import datetime
from xml.etree.ElementTree import ParseError

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from openpyxl.utils.exceptions import InvalidFileException
from python_calamine import (
    CalamineError,
    CalamineSheet,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from players.cells import join_sheets

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
    """The text of a file. ``encoding`` is "" for a workbook. ``guessed``: the file does not name it.

    ``skipped``: names of sheets that are hidden or empty.
    """

    text: str
    encoding: str = ""
    guessed: bool = False
    skipped: tuple[str, ...] = ()

    @property
    def encoding_name(self) -> str:
        return ENCODINGS.get(self.encoding, "")


ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "big5hkscs": "Big5",
    "gb18030": "GBK",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
    "cp1252": "Latin (Windows)",
    "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
}
_ZIP, _OLD = b"PK", b"\xd0\xcf\x11\xe0"  # with which xlsx and ods begin, and xls
_MANIFEST = "META-INF/manifest.xml"
_OTHER = (b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b")
OTHER_KIND = _("This is not a table. Bring a workbook (.xlsx, .xls, .ods), a CSV file, or pasted text.")


def is_workbook(data: bytes) -> bool:
    return data.startswith((_ZIP, _OLD))


def text_of(data: bytes, *, encoding: str = "") -> Text:
    """Return a file's text. A stranger's workbook may need much memory: read it in ``league.core.apart``."""
    if len(data) > MAX_BYTES:
        raise Unreadable(_("This file is larger than 5 MB. Send only the columns that are needed."))
    if not data.strip():
        raise Unreadable(_("This file is empty."))
    if data.lstrip().startswith(_OTHER):
        raise Unreadable(OTHER_KIND)
    found = _workbook(data) if is_workbook(data) else _decoded(data, encoding)
    if len(found.text.encode()) > MAX_TEXT:
        raise Unreadable(TOO_MUCH)
    return found


# --- workbooks ----------------------------------------------------------------------------------------------


def _workbook(data: bytes) -> Text:
    """Return all sheets with cells that are not hidden, or those that are if there are no others."""
    try:
        if data.startswith(_ZIP):
            refuse_bomb(data)
        if _is_encrypted(data):
            raise PasswordError
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        shown = [one.name for one in book.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
        names = [one.name for one in book.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet]
        sheets = {name: _tab_separated(book.get_sheet_by_name(name)) for name in names}
    except PasswordError as error:
        raise Unreadable(_("This workbook has a password. Save a copy without one.")) from error
    except (*BROKEN, CalamineError) as error:
        raise Unreadable(
            _(
                "This workbook cannot be read. Open it in a spreadsheet program and save it again as .xlsx "
                "or CSV."
            )
        ) from error
    filled = {name: text for name, text in sheets.items() if text.strip()}
    kept = {name: text for name, text in filled.items() if name in shown} or filled
    if not kept:
        raise Unreadable(_("This workbook is empty."))
    skipped = tuple(name for name in sheets if name not in kept)
    return Text(join_sheets([*kept.items()]), skipped=skipped)


def _is_encrypted(data: bytes) -> bool:
    """Return whether a workbook has a password. The reader says of one that it is of no known format."""
    if data.startswith(_OLD):
        return "EncryptedPackage".encode("utf-16-le") in data  # xlsx
    archive = zipfile.ZipFile(io.BytesIO(data))
    return _MANIFEST in archive.namelist() and b"encryption-data" in archive.read(_MANIFEST)  # ods


def refuse_bomb(data: bytes) -> None:
    """Raise ``Unreadable`` for a workbook that unpacks to more than this reader takes."""
    # zipfile never unpacks more of a part than its stated size, so the stated sizes bound the whole.
    parts = zipfile.ZipFile(io.BytesIO(data)).infolist()
    if len(parts) > _MAX_PARTS or sum(part.file_size for part in parts) > _MAX_UNPACKED:
        raise Unreadable(TOO_HEAVY)


def _tab_separated(sheet: CalamineSheet) -> str:
    out = io.StringIO()
    writer = csv.writer(out, dialect="excel-tab", lineterminator="\n")
    rows = sheet.to_python(skip_empty_area=False, nrows=_MAX_SHEET_ROWS + 1)
    if len(rows) > _MAX_SHEET_ROWS:
        raise Unreadable(_("An import has at most 10,000 rows. This file has more. Split it."))
    for row in rows:
        cells = [_cell_text(value) for value in row[:_MAX_COLUMNS]]
        while cells and not cells[-1]:  # a row is as wide as the widest
            cells.pop()
        writer.writerow(cells or [""])
        if out.tell() > MAX_TEXT:  # one long text, named in every cell, is small in the file
            raise Unreadable(TOO_MUCH)
    return out.getvalue()


def _cell_text(value: object) -> str:
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
# its rare ones elsewhere, so text read in the wrong encoding is mostly rare characters. EUC-KR keeps its
# syllables, and EUC-JP its kana, where GB18030 has everyday characters: these two come first.
_PAIRS = {
    "cp932": (
        re.compile(rb"[\x81-\x9f\xe0-\xfc][\x40-\x7e\x80-\xfc]|[\xa1-\xdf]"),
        re.compile(rb"[\x82\x83\x88-\x97]."),
    ),
    "cp949": (re.compile(rb"[\x81-\xfe][\x41-\xfe]"), re.compile(rb"[\xb0-\xc8][\xa1-\xfe]")),
    "euc_jp": (re.compile(rb"[\xa1-\xfe][\xa1-\xfe]"), re.compile(rb"[\xa4\xa5][\xa1-\xfe]")),
    "big5hkscs": (re.compile(rb"[\x81-\xfe][\x40-\x7e\xa1-\xfe]"), re.compile(rb"[\xa4-\xc6]")),
    "gb18030": (re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]"), re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")),
}
# The share of the pairs in everyday use from which a text is in this encoding.
_ENOUGH = {"cp932": 0.5, "cp949": 0.98, "euc_jp": 0.15, "big5hkscs": 0.5, "gb18030": 0.5}
_FIRST = ("cp932", "cp949", "euc_jp")
# Letters of Central Europe that are signs and not letters in Western Europe: ł Ł ą Ą ż Ż ś ź ť ľ.
_CENTRAL = re.compile(
    rb"[A-Za-z\xc0-\xff][\xb3\xa3\xb9\xa5\xbf\xaf\x9d\xbe]|[\xa3\xaf\x8c\x8f][A-Za-z\xc0-\xff]"
)


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
    """Return the encoding in which most byte pairs are everyday characters, or one of single bytes.

    charset-normalizer was tried on lists of 2 to 8 names. It read 83 of 120 in GB18030 as Korean.
    """
    runs = _HIGH.findall(data)
    alone = sum(len(run) == 1 for run in runs)
    # In Latin text almost every accented letter is between plain ones.
    if alone <= 0.8 * len(runs):
        shares = {name: _everyday(data, name) for name in _PAIRS if _fits(data, name)}
        likely = [name for name, share in shares.items() if share >= _ENOUGH[name]]
        first = [name for name in likely if name in _FIRST]
        if likely:
            return first[0] if first else max(likely, key=lambda name: shares[name])
        letters = sum(len(run) for run in runs)
        cyrillic = sum(byte >= 0xC0 or byte in b"\xa8\xb8" for run in runs for byte in run)
        if _fits(data, "cp1251") and cyrillic > 0.9 * letters and letters >= 3 * len(runs):
            return "cp1251"
    return "cp1250" if _CENTRAL.search(data) and _fits(data, "cp1250") else "cp1252"


def _everyday(data: bytes, encoding: str) -> float:
    pair, common = _PAIRS[encoding]
    pairs = pair.findall(data)
    return sum(bool(common.match(each)) for each in pairs) / max(len(pairs), 1)
