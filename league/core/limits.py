"""Limits of request bodies. Views with ``takes_up_to`` accept a file, all others a form of ``FORM_BYTES``."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

MEGABYTE = 1024 * 1024
FORM_BYTES = 2 * MEGABYTE
AROUND = MEGABYTE // 16  # the form around a file
MOST_BYTES = 21 * MEGABYTE  # a proxy lets no larger body through (deploy/)
PART = 64 * 1024
LENGTH_REQUIRED, TOO_LARGE = 411, 413

View = TypeVar("View", bound=Callable[..., Any])


def takes_up_to(megabytes: int) -> Callable[[View], View]:
    """Let a view accept a file of so many megabytes, and the form around it."""

    def decorate(view: View) -> View:
        view.most_bytes = megabytes * MEGABYTE + AROUND  # type: ignore[attr-defined]
        return view

    return decorate


class Limits:
    """Middleware that refuses a body before Django parses it. It stands before all that read forms."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], *_arguments: object
    ) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        size = int(length[:20]) if length.isdecimal() else 0
        most = getattr(view, "most_bytes", FORM_BYTES)
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return _refuse(request, LENGTH_REQUIRED, most)
        if size <= most:
            return None
        while size <= MOST_BYTES and request.read(PART):
            pass  # a proxy that cannot send the whole body shows a page of its own
        return _refuse(request, TOO_LARGE, most)


def _refuse(request: HttpRequest, status: int, most: int) -> HttpResponse:
    values = {"status": status, "megabytes": most // MEGABYTE}
    return render(request, "core/refused.html", values, status=status)
