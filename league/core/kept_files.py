"""Files that visitors download: made once a revision, one at a time, and kept on disk under a cap.

One process or thread makes a file; the others get ``Busy``, which gunicorn's worker answers by asking again
(``league.core.worker``), so that nobody who waits keeps Django from working. gunicorn empties the folder when
it starts: after a restore the same revision may mean something else.
"""

import fcntl
import hashlib
import io
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render

from league.core.caching import release

MOST_BYTES = 500 * 1024 * 1024  # of all kept files; the least recently used ones go first
IN_ONE_PIECE = 1024 * 1024
BUSY = 503


class Busy(Exception):
    """Another file of this lane is being made."""


def busy(request: HttpRequest) -> HttpResponse:
    """The page for ``Busy``; visitors see it when they have waited long."""
    response = render(request, "core/busy.html", status=BUSY)
    response["Retry-After"] = "1"
    return response


def sent_file(file: BinaryIO, content_type: str) -> HttpResponse | FileResponse:
    """The answer with this file; a large one is sent in pieces."""
    beginning = file.read(IN_ONE_PIECE + 1)
    if len(beginning) <= IN_ONE_PIECE:
        file.close()
        return HttpResponse(beginning, content_type=content_type)
    file.seek(0)
    return FileResponse(file, content_type=content_type)


def kept_file(facts: tuple[object, ...], make: Callable[[], bytes], *, lane: str) -> BinaryIO:
    """The file that ``make`` makes of ``facts`` (all that it depends on besides the release), open to read.

    Raises ``Busy`` while another file of the same ``lane`` is made: large files do not stop small ones. A
    disk that takes no file is no reason to refuse one.
    """
    digest = hashlib.blake2b(repr((release(), facts)).encode(), digest_size=16).hexdigest()
    path = Path(settings.FILES_DIR) / f"{digest}.kept"
    if settings.DEBUG:
        return io.BytesIO(make())
    with suppress(OSError):
        return _opened(path)
    with _alone(path.with_name(f"{lane}.lock")):
        with suppress(OSError):  # another one made it a moment ago
            return _opened(path)
        content = make()
        with suppress(OSError):
            _keep(path, content)
        return io.BytesIO(content)


def _opened(path: Path) -> BinaryIO:
    file = path.open("rb")
    with suppress(OSError):
        os.utime(path)
    return file


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Holds the lock, which the system frees when a process is killed."""
    try:
        lock.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = lock.open("w")
    except OSError:
        yield
        return
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Busy from error
        yield


def _keep(path: Path, content: bytes) -> None:
    draft = path.with_suffix(f".{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    remove_files(path.parent, most=MOST_BYTES)


def remove_files(folder: Path, *, most: float = math.inf, before: float = math.inf) -> int:
    """Removes files not used since ``before`` (seconds of the epoch), or the least recently used ones until
    the others have ``most`` bytes; how many were removed.
    """
    removed = total = 0
    found = [(path, path.stat()) for path in folder.glob("*.kept")]
    for path, about in sorted(found, key=lambda each: each[1].st_mtime, reverse=True):
        total += about.st_size
        if total > most or about.st_mtime < before < math.inf:
            path.unlink(missing_ok=True)
            removed += 1
    return removed
