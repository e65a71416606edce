"""What the server writes about requests: pages and ids, never names, addresses of people or secret codes."""

import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Lock

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.db.backends.signals import connection_created
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Histogram,
    generate_latest,
    multiprocess,
)

_LOGGER = logging.getLogger(__name__)
PAGE = "umaoka.page"  # the key in ``environ``: the page's name, for gunicorn's access log
UNKNOWN = "-"

SECONDS = Histogram(
    "umaoka_request_seconds",
    "Time that Django took for a request.",
    ["page", "method", "status"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 5, 30),
)
_METHODS = frozenset({"GET", "HEAD", "POST"})


def page_of(request: HttpRequest) -> str:
    """Return the name of the page at an address, such as "standings:stage", or "-" if there is none."""
    match = getattr(request, "resolver_match", None)
    return match.view_name if match and match.view_name else UNKNOWN


def ids_of(request: HttpRequest) -> str:
    """The competition and the numbers in the address: "spring 7". Codes and other words are left out."""
    match = getattr(request, "resolver_match", None)
    named = match.kwargs.items() if match else ()
    return " ".join(str(value) for name, value in named if name == "slug" or isinstance(value, int))


class Measured:
    """Middleware, the first: counts and times requests, and names the page for the access log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        response = self.get_response(request)
        page = request.META[PAGE] = page_of(request)
        method = request.method if request.method in _METHODS else "other"
        with suppress(Exception):  # a page is worth more than its count, whose files may be gone
            SECONDS.labels(page, method, response.status_code).observe(time.perf_counter() - begun)
        return response


class WithoutAddresses(logging.Filter):
    """Filter that replaces the address of a request by page and ids, because it may hold a code or a name.

    It leaves one line of a request that was refused.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest) and isinstance(record.args, tuple):
            said = f"{page_of(request)} {ids_of(request)}".strip()
            record.args = tuple(said if arg == request.path else arg for arg in record.args)
        if getattr(record, "status_code", 500) < 500:
            record.exc_info = record.exc_text = None
        return True


class Outages(logging.Filter):
    """Filter that leaves two lines of an outage of the database server: its start, and its end with a count.

    Each process has its own count. A new connection ends an outage. Other faults keep their traceback.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.lock, self.failed, self.since = Lock(), 0, 0.0
        connection_created.connect(self.end)

    def filter(self, record: logging.LogRecord) -> bool:
        _kind, error, _traceback = record.exc_info or (None, None, None)
        if not _is_outage(error):
            return True
        with self.lock:
            self.failed += 1
            if self.failed > 1:
                return False
            self.since = time.monotonic()
        record.exc_info = record.exc_text = None
        record.msg, record.args = "The database does not answer: %s", (" ".join(str(error).split()),)
        return True

    def end(self, **_sent: object) -> None:
        with self.lock:
            failed, self.failed = self.failed, 0
        if failed:
            seconds = time.monotonic() - self.since
            _LOGGER.warning("The database answers again after %.0f s. Failed requests: %d", seconds, failed)


def _is_outage(error: BaseException | None) -> bool:
    """Return whether PostgreSQL could not be reached or closed the connection.

    Such errors have no SQLSTATE, or one of class 08 or 57P (PostgreSQL 15, Appendix A). Errors of SQLite do
    not have the attribute.
    """
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "sqlstate", "")
    return state is None or state.startswith(("08", "57P"))


@require_GET
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Serve metrics to requests with METRICS_TOKEN. Answer 404 to all others, and without a token."""
    expected = f"Bearer {settings.METRICS_TOKEN}"
    if not settings.METRICS_TOKEN or not constant_time_compare(
        request.headers.get("Authorization", ""), expected
    ):
        raise Http404
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
