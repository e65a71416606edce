"""A print page as a PDF file. WeasyPrint makes it in a process of its own, which loads only this module.

That process reads files below ``static/`` and PNG pictures inside the page: no network, no other file.
WeasyPrint needs libpango and fonts of the system for all but Latin, Greek and Cyrillic letters
(docs/operation.md).
"""

import logging
import mimetypes
import sys
import unicodedata
from base64 import b64decode
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from league.core.apart import run_apart

MEGABYTES, SECONDS = 2048, 60
PICTURE = "data:image/png;base64,"  # how the page itself holds a picture
_PNG = {"Content-Type": "image/png"}
LIBRARY, FONT, EMOJI_FONT, OTHER_FONT = (
    "libpango",
    "fonts-noto-cjk",
    "fonts-noto-color-emoji",
    "fonts-noto-core",
)


class NoPdf(Exception):
    """This machine lacks ``LIBRARY`` or one of the fonts, whose package is named."""


def make_pdf(html: str, *, address: str, static: str, folders: Sequence[str]) -> bytes:
    """The page at this address as it is printed. Its styles and fonts, whose addresses begin with ``static``,
    are read from the first of ``folders`` that has them.

    Raises ``NoPdf``, and what ``run_apart`` raises.
    """
    return run_apart(write_pdf, html, address, static, folders, megabytes=MEGABYTES, seconds=SECONDS)


def write_pdf(html: str, address: str, static: str, folders: Sequence[str]) -> bytes:
    """Write the PDF of ``make_pdf`` in this process."""
    missing = _Missing()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(missing)
    try:
        made: bytes = lay_out(html, address, static, folders).write_pdf(pdf_forms=False)
    finally:
        logger.removeHandler(missing)
    if missing.fonts:
        raise NoPdf(min(missing.fonts))
    return made


def lay_out(html: str, address: str, static: str, folders: Sequence[str]) -> Any:
    """Return WeasyPrint's document of the page, whose ``pages`` are laid out."""
    try:
        with redirect_stdout(sys.stderr):  # it prints which library is missing
            from weasyprint import HTML
            from weasyprint.urls import URLFetcher, URLFetcherResponse
    except (ImportError, OSError) as error:  # OSError: a library of the system is missing
        raise NoPdf(LIBRARY) from error

    class StaticFiles(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
            if url.startswith(PICTURE):
                return URLFetcherResponse(url, b64decode(url.removeprefix(PICTURE)), _PNG)
            path = find_static(url, static, folders)
            kind, _encoding = mimetypes.guess_type(path.name)
            headers = {"Content-Type": kind or "application/octet-stream"}
            return URLFetcherResponse(url, path.read_bytes(), headers)

    return HTML(string=html, base_url=address, url_fetcher=StaticFiles()).render(pdf_forms=False)


def find_static(url: str, static: str, folders: Sequence[str]) -> Path:
    """Return the file of this address. Raise ``ValueError`` for an address that is not below ``static``."""
    if url.startswith(static):
        name = unquote(urlsplit(url.removeprefix(static)).path)
        for folder in (Path(each).resolve() for each in folders):
            path = (folder / name).resolve()
            if path.is_relative_to(folder) and path.is_file():
                return path
    raise ValueError(url)


class _Missing(logging.Handler):
    """Collects the packages of fonts that would have the characters that no font of this machine has."""

    def __init__(self) -> None:
        super().__init__()
        self.fonts: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg.startswith(".notdef") and isinstance(record.args, tuple):
            character, *_others = record.args
            self.fonts |= {font_of(str(character))} - {""}


def font_of(character: str) -> str:
    """Return the package of a font for the character, or "" for one that no font shows."""
    kind, name = unicodedata.category(character), unicodedata.name(character, "")
    if name.startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "FULLWIDTH", "HALFWIDTH")):
        return FONT
    if kind in {"So", "Sk"} or (kind == "Cn" and character > "\U0001f000"):
        return EMOJI_FONT
    return OTHER_FONT if kind.startswith(("L", "M", "N", "S")) else ""
