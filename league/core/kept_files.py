"""Files that visitors download: made once a revision, one at a time, and kept on disk under a cap.

One process or thread makes a file. The others get ``Busy``, and a page that says when to ask again. gunicorn
empties the folder when it starts: after a restore the same revision may mean something else.
"""

import fcntl
import gzip
import hashlib
import io
import math
import os
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render

from league.core.caching import takes_gzip
from league.core.memory import release

MOST_BYTES = 500 * 1024 * 1024  # of all kept files; the least recently used ones go first
IN_ONE_PIECE = 1024 * 1024
COMPRESSION = 3
BUSY = 503
_PACKED, _WORKBOOK = b"\x1f\x8b", b"PK"  # with which these files begin
_GZIP = 16  # added to zlib's size of a window: the file has gzip's head


class Busy(Exception):
    """Another file of this lane is being made."""


def busy(request: HttpRequest) -> HttpResponse:
    """The page for ``Busy``; visitors see it when they have waited long."""
    response = render(request, "core/busy.html", status=BUSY)
    response["Retry-After"] = "1"
    return response


def sent_file(request: HttpRequest, file: BinaryIO, content_type: str) -> HttpResponseBase:
    """The answer with a kept file: packed if the browser takes that, and a large one in pieces."""
    headers = {"Content-Type": content_type, "Vary": "Accept-Encoding"}
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    is_packed = file.read(len(_PACKED)) == _PACKED
    file.seek(0)
    if is_packed and takes_gzip(request):
        headers["Content-Encoding"], is_packed = "gzip", False
    pieces = _read(file, unpack=is_packed)
    if size <= IN_ONE_PIECE:
        return HttpResponse(b"".join(pieces), headers=headers)
    return StreamingHttpResponse(pieces, headers=headers)


def _read(file: BinaryIO, *, unpack: bool) -> Iterator[bytes]:
    packed = zlib.decompressobj(zlib.MAX_WBITS | _GZIP)
    with file:
        while piece := file.read(IN_ONE_PIECE):
            yield packed.decompress(piece) if unpack else piece


def kept_file(facts: tuple[object, ...], make: Callable[[], bytes], *, lane: str) -> BinaryIO:
    """The file that ``make`` makes of ``facts`` (all that it depends on besides the release), packed, open to
    read.

    Raises ``Busy`` while another file of the same ``lane`` is made: large files do not stop small ones. A
    file that the disk cannot keep is returned all the same.
    """
    digest = hashlib.blake2b(repr((release(), facts)).encode(), digest_size=16).hexdigest()
    path = Path(settings.FILES_DIR) / f"{digest}.kept"
    if settings.DEBUG:
        return io.BytesIO(pack(make()))
    with suppress(OSError):
        return _opened(path)
    with _alone(path.with_name(f"{lane}.lock")):
        with suppress(OSError):  # another one made it a moment ago
            return _opened(path)
        packed = pack(make())
        with suppress(OSError):
            _keep(path, packed)
        return io.BytesIO(packed)


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


def _keep(path: Path, packed: bytes) -> None:
    draft = path.with_suffix(f".{os.getpid()}.part")
    try:
        draft.write_bytes(packed)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    remove_files(path.parent, most=MOST_BYTES)


def pack(content: bytes) -> bytes:
    """The content compressed, unless it is: a workbook, or a file that another process packed."""
    is_packed = content.startswith((_PACKED, _WORKBOOK))
    return content if is_packed else gzip.compress(content, COMPRESSION, mtime=0)


def remove_files(folder: Path, *, most: float = math.inf, before: float = math.inf) -> int:
    """Removes files not used since ``before`` (seconds of the epoch), or the least recently used ones until
    the others have ``most`` bytes; how many were removed. With those that a killed worker left half written.
    """
    removed = total = 0
    found = []
    for path in (*folder.glob("*.kept"), *folder.glob("*.part")):
        with suppress(FileNotFoundError):  # another process removes them too
            found.append((path, path.stat()))
    for path, about in sorted(found, key=lambda each: each[1].st_mtime, reverse=True):
        total += about.st_size
        if total > most or about.st_mtime < before < math.inf:
            path.unlink(missing_ok=True)
            removed += 1
    return removed
