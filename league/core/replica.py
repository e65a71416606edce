"""A copy of the database that is only read (REPLICA_URL): public pages for people who are not signed in.

All else reads the database itself. So do these pages, for some seconds, in a browser that has sent a form, so
that people see what they did; and for everyone while the copy does not answer.
"""

import logging
import time
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.http import HttpRequest, HttpResponseBase

REPLICA = "replica"
WROTE = "__Host-wrote" if settings.HTTPS else "wrote"  # the cookie of a browser that has sent a form
WROTE_SECONDS = 15  # the longest that the copy may be behind without anyone missing what they wrote
REST = 30  # seconds in which a copy that did not answer is not asked again

logger = logging.getLogger("umaoka")
_reads_copy = ContextVar("reads_copy", default=False)
_silent_until = 0.0


class Router:
    """Which database a query is for (DATABASE_ROUTERS)."""

    def db_for_read(self, model: object, **hints: object) -> str:
        return REPLICA if _reads_copy.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, model: object, **hints: object) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: object, other: object, **hints: object) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: object) -> bool:
        return db == DEFAULT_DB_ALIAS


def reads_replica(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """For a view that only reads, and answers with a page that is made when it returns."""

    @wraps(view)
    def read(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        if not _may_read_copy(request):
            return view(request, **kwargs)
        token = _reads_copy.set(True)
        try:
            return view(request, **kwargs)
        except Error:  # a genuine fault comes again below
            _let_rest()
        finally:
            _reads_copy.reset(token)
        return view(request, **kwargs)

    return read


def _may_read_copy(request: HttpRequest) -> bool:
    return (
        REPLICA in settings.DATABASES
        and time.monotonic() > _silent_until
        and not {settings.SESSION_COOKIE_NAME, WROTE} & request.COOKIES.keys()
    )


def _let_rest() -> None:
    global _silent_until  # of this worker: each finds out by itself
    logger.warning("The replica does not answer. For %s seconds the database itself is read.", REST)
    _silent_until = time.monotonic() + REST
    connections[REPLICA].close()


class AfterWriting:
    """Middleware: marks the browser that has sent a form."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            response.set_cookie(
                WROTE, "1", max_age=WROTE_SECONDS, secure=settings.HTTPS, httponly=True, samesite="Lax"
            )
        return response
