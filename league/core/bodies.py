"""Receives the whole body of a request before Django sees it, and refuses what is too large or too slow.

Only views with ``takes_up_to`` accept more than a form's ``FORM_BYTES``. A refused body is not read, and the
page that says so (``Refusals``) closes the connection.
"""

from collections.abc import Callable
from contextlib import nullcontext
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import Any, TypeVar

from django.core.handlers.wsgi import get_path_info
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import Resolver404, resolve

from league.core.watch import LATE

MEGABYTE = 1024 * 1024
FORM_BYTES = 2 * MEGABYTE
AROUND = MEGABYTE // 16  # the form around a file
PART = 16 * 1024  # bytes that must arrive within PART_SECONDS: less than the slowest mobile network carries
PART_SECONDS = 10
IN_MEMORY = MEGABYTE  # larger bodies wait in a temporary file

REFUSED = "umaoka.refused"  # the key in ``environ``: the status that the request gets
LENGTH_REQUIRED, TIMEOUT, TOO_LARGE = 411, 408, 413

View = TypeVar("View", bound=Callable[..., Any])


def takes_up_to(megabytes: int) -> Callable[[View], View]:
    """A view that accepts a file of so many megabytes, and the form around it."""

    def decorate(view: View) -> View:
        view.most_bytes = megabytes * MEGABYTE + AROUND  # type: ignore[attr-defined]
        return view

    return decorate


def receive(environ: dict[str, Any]) -> None:
    """Puts the whole body in ``wsgi.input``; or nothing, and the reason under ``REFUSED``."""
    length = environ.get("CONTENT_LENGTH") or "0"
    if "HTTP_TRANSFER_ENCODING" in environ:
        return _refuse(environ, LENGTH_REQUIRED)
    if not length.isdecimal() or not (size := int(length[:20])):
        return None
    if size > most_bytes(environ):
        return _refuse(environ, TOO_LARGE)
    body = _read(environ, size)
    if body is None:
        return _refuse(environ, TIMEOUT)
    environ["wsgi.input"] = body
    return None


def most_bytes(environ: dict[str, Any]) -> int:
    """How many bytes the page at this address accepts."""
    try:
        view = resolve(get_path_info(environ)).func
    except Resolver404:
        return FORM_BYTES
    return int(getattr(view, "most_bytes", FORM_BYTES))


def _read(environ: dict[str, Any], size: int) -> SpooledTemporaryFile[bytes] | None:
    """The body; None when the client left or was too slow."""
    source, sock = environ["wsgi.input"], environ.get("gunicorn.socket")
    body = SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - Django reads it later
    while size:
        with LATE.watch(sock, PART_SECONDS) if sock else nullcontext():
            part = source.read(min(size, PART))
        if not part:
            return None
        body.write(part)
        size -= len(part)
    body.seek(0)
    return body


def _refuse(environ: dict[str, Any], status: int) -> None:
    environ |= {REFUSED: status, "CONTENT_LENGTH": "0", "wsgi.input": BytesIO()}


class Refusals:
    """Middleware: the page for a request whose body was refused."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        status = request.META.get(REFUSED)
        if status is None:
            return self.get_response(request)
        megabytes = most_bytes(request.META) // MEGABYTE
        return render(request, "core/refused.html", {"status": status, "megabytes": megabytes}, status=status)
