"""Files that visitors download. A task makes each once per revision of the facts, and the database keeps it.

No request waits for a file. Visitors without an account get the former file, if it is at most some minutes
old and tells nothing that was hidden since. Everybody else gets a page that asks again.
"""

import gzip
import hashlib
import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit

from django.db import transaction
from django.db.models import Q, Sum
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotModified,
    StreamingHttpResponse,
)
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language
from django_tasks.base import Task

from league.core.access import Access
from league.core.caching import etag, facts_of, takes_gzip
from league.core.files.xlsx import MEDIA_TYPE
from league.core.memory import release
from league.core.pages import page
from league.core.tasks import COMPETITION, UNDER_WAY, find_tasks
from league.models import Competition, KeptFile, Round
from league.models.publicity import public_fields, public_settings
from league.models.querysets import remove

MOST_BYTES = 200 * 1024 * 1024  # of all files; the oldest go first
MOST_WAITING = 8  # files of one competition
FORMER = timedelta(minutes=10)  # the longest that a file is shown which is not of the newest facts
FAILED = "failed"  # the code of the refusal if the task failed
PAUSE = timedelta(minutes=1)  # after which a task that failed is tried again
SOON = timedelta(seconds=20)  # in which the page asks again each second
KEPT = timedelta(hours=24)
IN_ONE_PIECE = 1024 * 1024
COMPRESSION = 3
SINCE = "since"  # the parameter of a page that asks again: when it asked first
BACK = "back"  # its page before
_PACKED, _WORKBOOK = b"\x1f\x8b", b"PK"  # with which these files begin
_OTHERS = [name for name in public_fields(Round) if name != "visibility"]
_GZIP = 16  # added to zlib's size of a window: the file has gzip's head


class CannotMake(Exception):
    """The file cannot be made of these facts, for the reason with this code."""


# --- asked for


def find_file(
    request: HttpRequest,
    access: Access,
    task: "Task[Any, Any]",
    *arguments: object,
    facts: tuple[object, ...],
    public: bool,
) -> KeptFile | None:
    """Return the file that the task makes with these arguments, or None until it is there.

    ``facts``: everything that the file depends on besides the release. The task gets the file's key before
    the arguments, and the competition by name. The file may be a former one.
    """
    competition = access.competition
    key, asked = _digest(task.module_path, competition.pk, arguments, public), fingerprint(facts)
    kept_file = KeptFile.objects.filter(key=key).first()
    if not _is_new_enough(request, kept_file, asked, competition):
        if _ask(key, kept_file, competition, task, arguments, asked):
            return KeptFile(refusal=FAILED)
        kept_file = KeptFile.objects.filter(key=key).first()  # tests make it at once
    if _is_new_enough(request, kept_file, asked, competition):
        return kept_file
    may_be_former = public and not request.user.is_authenticated
    return kept_file if may_be_former and _may_be_shown(kept_file, competition) else None


def fingerprint(facts: tuple[object, ...]) -> str:
    """Return the fingerprint of a file that this release makes from ``facts``."""
    return _digest(release(), facts)


def _digest(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()


def _is_new_enough(request: HttpRequest, file: KeptFile | None, asked: str, competition: Competition) -> bool:
    """Whether the file is of the facts that are asked for, or was begun since this browser asked first."""
    if file is None or file.facts == asked:
        return file is not None
    since = _asked_since(request)
    return file.read_at is not None and file.read_at >= since and _may_be_shown(file, competition)


def _asked_since(request: HttpRequest) -> datetime:
    now, typed = timezone.now(), request.GET.get(SINCE, "")
    if not (typed.isascii() and typed.isdigit() and len(typed) < 15):
        return now
    return max(now - FORMER, datetime.fromtimestamp(int(typed) / 1000, tz=UTC))


def _may_be_shown(file: KeptFile | None, competition: Competition) -> bool:
    """Whether a file that is not of the newest facts is young and tells nothing that is hidden now."""
    if file is None or not file.content or file.read_at is None or file.read_at < timezone.now() - FORMER:
        return False
    return set(file.published) <= set(_public_facts(competition))


def _public_facts(competition: Competition) -> list[str]:
    """Return what the public may see, as words. A word is missing once something is hidden."""
    rounds = Round.objects.of(competition)
    words = [f"{name} {value}" for name, value in public_settings(competition).items()]
    for pk, visibility, *others in rounds.values_list("pk", "visibility", *_OTHERS):
        # Every visibility includes those before it.
        seen = Round.Visibility.values[1 : Round.Visibility.values.index(visibility) + 1]
        words += [f"{each} {pk}" for each in seen]
        words += [f"{name} {pk} {value}" for name, value in zip(_OTHERS, others, strict=True)]
    return words


def _ask(
    key: str,
    found: KeptFile | None,
    competition: Competition,
    task: "Task[Any, Any]",
    arguments: tuple[object, ...],
    asked: str,
) -> bool:
    """Enqueue the task unless it waits or runs already, or many others of the competition wait. Return
    whether it has failed a moment ago.
    """
    if found is not None and _is_under_way(task, key):
        if found.asked != asked:
            KeptFile.objects.filter(key=key).update(asked=asked)
        return False
    now = timezone.now()
    with transaction.atomic():
        KeptFile.objects.get_or_create(key=key, defaults={"competition": competition})
        file = KeptFile.objects.select_for_update().defer("content").get(key=key)
        if _is_under_way(task, key):  # another request was faster
            return False
        if any(each.finished_at and each.finished_at > now - PAUSE for each in find_tasks(task, key)):
            return True
        waiting = KeptFile.objects.filter(competition=competition, asked_at__gt=now - FORMER)
        if (others := waiting.exclude(pk=file.pk).count()) < MOST_WAITING:
            file.asked, file.asked_at = asked, now
            file.save(update_fields=["asked", "asked_at"])
            # The first of each competition goes before the second of any.
            task.using(priority=-others).enqueue(key, *arguments, **{COMPETITION: competition.pk})
    return False


def _is_under_way(task: "Task[Any, Any]", key: str) -> bool:
    return any(each.status in UNDER_WAY for each in find_tasks(task, key))


def wait_page(request: HttpRequest, access: Access, *, failed: bool = False) -> HttpResponse:
    """Render the page that asks for the file again until it is there, or says that it could not be made. Its
    status is 503, so that programs ask again, too.
    """
    since, query = _asked_since(request), request.GET.copy()
    query[SINCE] = str(int(since.timestamp() * 1000))
    query[BACK] = back = _page_that_asked(request, access)
    seconds = 1 if timezone.now() - since < SOON else 5
    words = {"seconds": seconds, "query": query.urlencode(), "failed": failed, "back": back}
    response = page(request, access, "core/busy.html", status=503, **words)
    response["Retry-After"] = str(int(PAUSE.total_seconds()) if failed else seconds)
    response["Cache-Control"] = "private, no-store"
    response._has_been_logged = True  # type: ignore[attr-defined]  # Django logs a 503 as an error
    return response


def _page_that_asked(request: HttpRequest, access: Access) -> str:
    """Return the page of this site from which the file was asked for, or the competition's front page."""
    said = urlsplit(request.headers.get("Referer", ""))
    came_from = f"{said.path}?{said.query}" if said.query else said.path
    is_ours = said.netloc == request.get_host() and said.path != request.path
    there = request.GET.get(BACK, "") or (came_from if is_ours else "")
    ours = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return there if ours else access.address("standings:competition")


# --- made


def keep_file(key: str, make: Callable[[Competition], bytes]) -> None:
    """Make the file of this key, in a task, and keep it.

    ``make`` reads the competition after the fingerprint of the last request, so that no file is older than
    its fingerprint says. If an erasure removed the file meanwhile, nothing is kept.
    """
    file = KeptFile.objects.select_related("competition__league").defer("content").filter(key=key).first()
    if file is None or file.competition is None:
        return
    read_at, before = timezone.now(), _public_facts(file.competition)
    try:
        content, refusal = pack(make(file.competition)), ""
    except CannotMake as error:
        content, refusal = b"", str(error)
    published = sorted({*before, *_public_facts(file.competition)})
    with transaction.atomic():
        KeptFile.objects.filter(pk=file.pk).update(
            content=content,
            size=len(content),
            refusal=refusal,
            facts=file.asked,
            read_at=read_at,
            published=published,
            asked_at=None,
        )
        _remove_oldest()


def pack(content: bytes) -> bytes:
    """Compress the content, unless it is a workbook."""
    return content if content.startswith(_WORKBOOK) else gzip.compress(content, COMPRESSION, mtime=0)


def content_of(file: KeptFile) -> bytes:
    """Return the unpacked content, empty if the file could not be made."""
    content = bytes(file.content or b"")
    return gzip.decompress(content) if content.startswith(_PACKED) else content


def _remove_oldest() -> None:
    total = KeptFile.objects.aggregate(all=Sum("size"))["all"] or 0
    for pk, size in KeptFile.objects.exclude(read_at=None).order_by("read_at").values_list("pk", "size"):
        if total <= MOST_BYTES:
            return
        KeptFile.objects.filter(pk=pk).delete()
        total -= size


def remove_old_files() -> int:
    """Remove files that were made or asked for long ago. Return how many."""
    old = timezone.now() - KEPT
    never_read = Q(read_at=None) & (Q(asked_at__lt=old) | Q(asked_at=None))
    return remove(KeptFile.objects.filter(Q(read_at__lt=old) | never_read))


# --- sent

MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "xlsx": MEDIA_TYPE,
    "pdf": "application/pdf",
}


def send_download(
    request: HttpRequest,
    access: Access,
    task: "Task[Any, Any]",
    *arguments: object,
    fmt: str,
    name: Iterable[str] = (),
    title: Iterable[str] = (),
    public: bool,
) -> HttpResponseBase:
    """Return the file that the task makes with these arguments, ``public`` and the language, the page that
    waits for it, or 304. ``name`` is ASCII, ``title`` the words of the page.

    Raise ``CannotMake`` if the task could not make it.
    """
    facts = facts_of(access)
    tag = etag(request, facts)
    # The same for all who get this file.
    facts = (access.competition.seen_version(public=public), *facts[2:-1])
    if tag[2:] in request.headers.get("If-None-Match", ""):
        response: HttpResponseBase = HttpResponseNotModified()
    else:
        about = (*arguments, public, get_language() or "en")
        file = find_file(request, access, task, *about, facts=facts, public=public)
        if file is not None and file.refusal not in ("", FAILED):
            raise CannotMake(file.refusal)
        if file is None or file.content is None:
            return wait_page(request, access, failed=file is not None)
        response = sent_file(request, bytes(file.content), MEDIA_TYPES[fmt])
        plain = f"{'-'.join([access.competition.slug, *name])}.{fmt}"
        words = f"{' '.join([access.competition.name, *title])}.{fmt}"
        response["Content-Disposition"] = disposition(plain, words)
        if file.facts != fingerprint(facts):
            tag = ""  # a former file
    if tag:
        response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    return response


def disposition(plain: str, words: str) -> str:
    """Return the header that saves a file under its ``words``, or for old programs under ``plain``."""
    safe = quote("".join(" " if c in '\\/:*?"<>|' else c for c in words))
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{safe}"


def sent_file(request: HttpRequest, packed: bytes, content_type: str) -> HttpResponseBase:
    """Return the answer with a file: packed if the browser takes that, and a large one in pieces."""
    headers = {"Content-Type": content_type, "Vary": "Accept-Encoding"}
    unpack = packed.startswith(_PACKED)
    if unpack and takes_gzip(request):
        headers["Content-Encoding"], unpack = "gzip", False
    pieces = _pieces(packed) if unpack else iter([packed])
    if len(packed) <= IN_ONE_PIECE:
        return HttpResponse(b"".join(pieces), headers=headers)
    return StreamingHttpResponse(pieces, headers=headers)


def _pieces(packed: bytes) -> Iterator[bytes]:
    file, unpacked = io.BytesIO(packed), zlib.decompressobj(zlib.MAX_WBITS | _GZIP)
    while piece := file.read(IN_ONE_PIECE):
        yield unpacked.decompress(piece)
