"""A print page as a PDF file. WeasyPrint makes it in a process of its own, which loads only this module.

That process reads files below ``static/`` and nothing else: no network, no other file. WeasyPrint needs
libpango and, for Han and kana, a font of the system (docs/operation.md).
"""

import logging
import mimetypes
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from urllib.parse import unquote, urlsplit

from league.core.apart import run_apart

MEGABYTES, SECONDS = 2048, 60
LIBRARY, FONT = "libpango", "fonts-noto-cjk"
_HAN_OR_KANA = re.compile("[\u3040-\u9fa5]")


class NoPdf(Exception):
    """This machine lacks ``LIBRARY`` or ``FONT``."""


def make_pdf(html: str, *, address: str, static: str, folders: Sequence[str]) -> bytes:
    """The page at this address as it is printed. Its styles and fonts, whose addresses begin with ``static``,
    are read from the first of ``folders`` that has them.

    Raises ``NoPdf``, and what ``run_apart`` raises.
    """
    return run_apart(write_pdf, html, address, static, folders, megabytes=MEGABYTES, seconds=SECONDS)


def write_pdf(html: str, address: str, static: str, folders: Sequence[str]) -> bytes:
    """What ``make_pdf`` does, in this process."""
    try:
        with redirect_stdout(sys.stderr):  # it prints which library is missing
            from weasyprint import HTML
            from weasyprint.urls import URLFetcher, URLFetcherResponse
    except (ImportError, OSError) as error:  # OSError: a library of the system is missing
        raise NoPdf(LIBRARY) from error

    class StaticFiles(URLFetcher):  # type: ignore[misc]
        def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
            path = find_static(url, static, folders)
            kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            return URLFetcherResponse(url, path.read_bytes(), {"Content-Type": kind})

    missing = _Missing()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(missing)
    try:
        page = HTML(string=html, base_url=address, url_fetcher=StaticFiles())
        made: bytes = page.write_pdf(pdf_forms=False)
    finally:
        logger.removeHandler(missing)
    if missing.any:
        raise NoPdf(FONT)
    return made


def find_static(url: str, static: str, folders: Sequence[str]) -> Path:
    """The file of this address; raises ``ValueError`` for an address that is not below ``static``."""
    if url.startswith(static):
        name = unquote(urlsplit(url.removeprefix(static)).path)
        for folder in (Path(each).resolve() for each in folders):
            path = (folder / name).resolve()
            if path.is_relative_to(folder) and path.is_file():
                return path
    raise ValueError(url)


class _Missing(logging.Handler):
    """Hears whether a character of the page was in no font."""

    any = False

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg.startswith(".notdef") and _HAN_OR_KANA.search(record.getMessage()):
            self.any = True
