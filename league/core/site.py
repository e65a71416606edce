"""Pages of the house itself: the language switch, the health check, and what a refused visitor sees."""

import errno
import math
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.db import Error, InterfaceError, InternalError, OperationalError, connection, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import defaults, i18n
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from league import VERSION
from league.models import SecurityEvent

CHECK_SECONDS = 5  # for which a health check holds: anyone may ask, and each one writes to the disk
LONGEST_ADDRESS = 2000  # characters to come back to: Django refuses a redirect that is much longer


# Without a CSRF token, so that a page for everyone holds nothing personal and can be cached. A forged
# request could only change the language in which someone reads, and Django follows `next` on this host only.
@csrf_exempt
@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    return i18n.set_language(request)


@require_GET
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Tell a load balancer or a monitor with 200 or 503 whether the database and the disk can be written."""
    global _checked  # of this worker
    now, (at, fault) = time.monotonic(), _checked
    if now >= at + CHECK_SECONDS:
        _checked = now, fault  # the answer for those who ask meanwhile
        _checked = now, (fault := _find_fault())
    text, status = (fault, 503) if fault else (f"ok {VERSION}", 200)
    return HttpResponse(f"{text}\n", status=status, content_type="text/plain")


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker: at the root, because it speaks for the addresses below its own."""
    text = (settings.BASE_DIR / "static" / "js" / "worker.js").read_text("utf-8")
    return HttpResponse(text, content_type="text/javascript", headers={"Cache-Control": "no-cache"})


_checked: tuple[float, str] = (-math.inf, "")  # the moment of the last health check, and the fault it found


def _find_fault() -> str:
    try:
        SecurityEvent.objects.exists()
    except Error:
        return "database unavailable"
    try:
        _write_row()
    except Error:
        return "database can be read, not written: disk full or read-only"
    try:
        full = any(not _can_write(folder) for folder in _folders())
    except OSError:
        full = True
    return "disk full or read-only" if full else ""


def _write_row() -> None:
    """A row that is committed, so that a full disk is noticed, and gone again."""
    with transaction.atomic():
        SecurityEvent.objects.create(kind=SecurityEvent.Kind.HEALTH, at=timezone.now()).delete()


def _folders() -> set[Path]:
    """Return the folders of facts on this machine: photographs, and the database if it is a file."""
    folders = {Path(settings.EVIDENCE_DIR)}
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).parent)
    return folders


def _can_write(folder: Path) -> bool:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"health")
        file.flush()
        os.fsync(file.fileno())
    return shutil.disk_usage(folder).free >= settings.LEAST_DISK


class HealthCheck:
    """Answers the health check to programs that ask 127.0.0.1, whatever ALLOWED_HOSTS says."""

    HOSTS = frozenset({"127.0.0.1", "[::1]", "localhost"})

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        host = request.META.get("HTTP_HOST", "")
        before, _colon, port = host.rpartition(":")
        name = before if port.isdigit() else host
        if request.path == "/healthz" and name in self.HOSTS:
            return healthz(request)
        return self.get_response(request)


NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS})


def server_error(request: HttpRequest) -> HttpResponse:
    """Render the page of an internal error, or 503 with a remedy if the disk or the database fails."""
    error = sys.exception()
    fails = isinstance(error, OperationalError | InternalError | InterfaceError)
    if fails or (isinstance(error, OSError) and error.errno in NO_ROOM):
        answer = defaults.server_error(request, "503.html")
        answer.status_code = 503  # without Retry-After: the person sends it again
        return answer
    return defaults.server_error(request)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """Let visitors sign in and come back. Tell people who are signed in why they may not enter."""
    if request.user.is_authenticated:
        return defaults.permission_denied(request, exception)
    answer = redirect_to_login(_page_to_return_to(request))
    # htmx would follow the redirect and put the sign-in page into the middle of this one.
    return HttpResponseClientRedirect(answer.url) if "HX-Request" in request.headers else answer


def _page_to_return_to(request: HttpRequest) -> str:
    """Return the page itself. After a POST, or for a part of a page, return the page that the person was
    reading.
    """
    if request.method in {"GET", "HEAD"} and "HX-Request" not in request.headers:
        address = request.get_full_path()
        return address if len(address) <= LONGEST_ADDRESS else request.path
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}, request.is_secure()):
        return "/"
    return urlsplit(came_from)._replace(scheme="", netloc="").geturl()
