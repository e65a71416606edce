"""Pages answered from what was made before, as long as nothing changed that they are made of.

``answer`` does that for a page that names those facts. ``public_page`` wraps a view that only reads: it
enters the competition (one query, which also reads its revision) and knows the page's ETag before anything is
computed: this release, the competition and its revision, the language, who reads it in which roles, the
whole address. The same ETag again is answered 304; a page for visitors is kept with its ETag and sent again,
compressed if the browser can.

Promises: the revision is read before the facts, so a page kept with a revision is never older than it. The
next revision takes the place of the one before (``newest``): what changes often takes no more memory. People
who may not see a page never reach the cache. Nothing personal is kept: no page with a message, a CSRF token
or a cookie. Invented parameters and ports make no other page (``settle_address``), and only values that the
view names are kept, so that invented ones cannot crowd out the others.
"""

import gzip
import hashlib
import threading
from collections.abc import Callable, Container, Mapping
from functools import wraps
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified, QueryDict
from django.http.request import split_domain_port
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from league.core.access import Access, enter
from league.core.memory import KEPT_SECONDS, newest, release
from league.core.zones import day_of, day_of_play

AUDIENCES = frozenset({"public"})  # values of the parameter `view`
COMPRESSION = 6  # zlib's default: a standings page of 500 kB becomes 40 kB in some 8 ms, once


class Among(frozenset[str]):
    """Values of a parameter that are worth keeping, among others that the view reads too."""


ANY = Among()
PAGES = Among(str(number) for number in range(1, 100))

# After a change all visitors ask for the same page at once: one thread makes it, the others wait for it. A
# few locks shared by all pages, because a lock for each page would never be forgotten.
_MAKING = tuple(threading.Lock() for _ in range(32))


def public_page(
    also: Callable[..., object] = lambda access, **kwargs: (), /, **parameters: Container[str]
) -> Callable[..., Callable[..., HttpResponseBase]]:
    """Turn ``view(request, access, …)`` into a page of GET and HEAD that is rendered once per version.

    ``also(access, **kwargs)`` returns what the page depends on besides the competition, for example the day
    or the version of its table. ``parameters``: the query parameters that the view reads besides ``view``,
    each with its values, or with those worth keeping (``Among``).
    """
    parameters = {"view": AUDIENCES} | parameters

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
        @require_safe
        @wraps(view)
        def page(request: HttpRequest, slug: str, **kwargs: object) -> HttpResponseBase:
            access = enter(request.user, slug)
            may_keep = settle_address(request, parameters) and not settings.DEBUG
            request.may_keep = may_keep  # type: ignore[attr-defined]
            facts = (*facts_of(access), also(access, **kwargs))
            return answer(request, facts, lambda: view(request, access, **kwargs), may_keep=may_keep)

        return page

    return decorate


def answer(
    request: HttpRequest, facts: tuple[object, ...], make: Callable[[], HttpResponse], *, may_keep: bool
) -> HttpResponseBase:
    """The page that ``make`` makes of ``facts``: 304 for a browser that has it, and for visitors made once if
    it may be kept.

    ``facts``: all that the page depends on besides the release, the language, the reader and the address.
    """
    if settings.DEBUG or _has_messages(request):
        return _never_kept(make())
    tag = etag(request, facts)
    is_visitor = not request.user.is_authenticated
    if tag[2:] in request.headers.get("If-None-Match", ""):
        return _revalidating(HttpResponseNotModified(), tag, shared=may_keep and is_visitor)
    if not is_visitor:
        return _revalidating(make(), tag)
    if not may_keep:
        return _revalidating(_compressed(request, make()), tag)
    return _kept_page(request, tag, make)


def facts_of(access: Access) -> tuple[object, ...]:
    """Return the facts on which every page of this competition depends."""
    competition = access.competition
    # The head of every page shows the league's name, which no version covers, and says by the day what comes
    # next and whether it is over. The notice to visitors ends by the calendar.
    days = day_of_play(competition), day_of(competition)
    return competition.pk, access.seen_version, competition.league.name, *days, sorted(access.roles)


def etag(request: HttpRequest, facts: tuple[object, ...]) -> str:
    """Return the page's ETag. It is weak, because the compressed page has the same one."""
    user = request.user
    reader = None
    if user.is_authenticated:
        # The page holds a token made from this cookie: after signing in again an old page could not sign out.
        token = request.COOKIES.get(settings.CSRF_COOKIE_NAME)
        reader = (user.pk, user.get_username(), user.is_staff, token)
    parts = (
        release(),
        facts,
        get_language(),
        reader,
        request.scheme,
        request.get_host(),  # some pages hold whole addresses
        request.get_full_path(),
        "HX-Request" in request.headers,
    )
    return f'W/"{hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()}"'


def fragment(request: HttpRequest, access: Access, name: str, make: Callable[[], str]) -> SafeString:
    """Return a part of a page that is the same for all who see the same, cached for signed-in people, too.

    ``name`` states everything that the part depends on beyond the competition, its version, the language and
    the query parameters.
    """
    if not getattr(request, "may_keep", False):
        return SafeString(make())
    competition = access.competition
    query = sorted(request.GET.items())
    audience = bool(access.roles)
    key = _key("part", release(), competition.pk, audience, get_language(), name, request.path, query)
    return SafeString(newest(key, access.seen_version, lambda: str(make())))


def _key(kind: str, *parts: object) -> str:
    return f"{kind}:{hashlib.blake2b(repr(parts).encode(), digest_size=16).hexdigest()}"


def settle_address(request: HttpRequest, parameters: Mapping[str, Container[str]]) -> bool:
    """Remove unread parameters and values, and unused ports of the host, from the request. Return whether the
    page is worth keeping. All such addresses would show the same page.
    """
    settled, may_keep = QueryDict(mutable=True), True
    for name, known in parameters.items():
        values = request.GET.getlist(name)
        if not isinstance(known, Among):
            values = [value for value in values[-1:] if value in known]
        if values:
            settled.setlist(name, values)
            may_keep = may_keep and len(values) == 1 and all(value in known for value in values)
    request.META["QUERY_STRING"] = settled.urlencode()
    request.GET = QueryDict(settled.urlencode())
    name, port = split_domain_port(request.get_host())
    request.META["HTTP_HOST"] = f"{name}:{port}" if port in _ports(request) else name
    return may_keep


def _ports(request: HttpRequest) -> set[str]:
    """The port of this server, and those of CSRF_TRUSTED_ORIGINS."""
    named = {urlsplit(origin).port for origin in settings.CSRF_TRUSTED_ORIGINS}
    return {request.META["SERVER_PORT"], *(str(port) for port in named if port)}


def _has_messages(request: HttpRequest) -> bool:
    """Return whether a message waits to be shown, without marking it as shown."""
    may_have = {"messages", settings.SESSION_COOKIE_NAME} & request.COOKIES.keys()
    return bool(may_have) and len(get_messages(request)) > 0


def _kept_page(request: HttpRequest, tag: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    kept = _from_cache(request, tag)
    if kept is not None:
        return kept
    with _MAKING[hash(tag) % len(_MAKING)]:
        kept = _from_cache(request, tag)  # someone may have made it while this thread waited
        if kept is not None:
            return kept
        response = _revalidating(make(), tag)
        if _may_be_kept(request, response):
            packed = gzip.compress(response.content, COMPRESSION, mtime=0), response["Content-Type"]
            cache.set(_place_of(request), (tag, *packed), KEPT_SECONDS)
            return _unpacked(request, tag, *packed)
    return response


def _place_of(request: HttpRequest) -> str:
    """Return the key under which the page for visitors at this address is kept."""
    place = request.get_host(), request.get_full_path(), "HX-Request" in request.headers
    return _key("page", get_language(), *place)


def _from_cache(request: HttpRequest, tag: str) -> HttpResponse | None:
    kept_as, *kept = cache.get(_place_of(request), [None])
    return _unpacked(request, tag, *kept) if kept_as == tag else None


def _unpacked(request: HttpRequest, tag: str, content: bytes, content_type: str) -> HttpResponse:
    """A page that is kept compressed, as this browser takes it."""
    if takes_gzip(request):
        response = HttpResponse(content, content_type=content_type, headers={"Content-Encoding": "gzip"})
    else:
        response = HttpResponse(gzip.decompress(content), content_type=content_type)
    return _revalidating(response, tag, shared=True)


def takes_gzip(request: HttpRequest) -> bool:
    return "gzip" in request.headers.get("Accept-Encoding", "")


def _compressed(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Compress a page that is not cached, if the browser accepts that.

    Personal pages stay as they are, because the size of a compressed page reveals what is in it.
    """
    if takes_gzip(request) and _may_be_kept(request, response):
        response.content = gzip.compress(response.content, COMPRESSION, mtime=0)
        response["Content-Encoding"] = "gzip"
    return response


def _may_be_kept(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether this is a complete page that sets no cookie and holds no CSRF token."""
    personal = response.cookies or "CSRF_COOKIE_NEEDS_UPDATE" in request.META
    return response.status_code == 200 and not response.streaming and not personal


def _revalidating(response: HttpResponse, tag: str, *, shared: bool = False) -> HttpResponse:
    """Let the browser keep the answer and ask each time whether it still holds. ``shared``: nginx's cache may
    keep it for a second, then asks too (deploy/nginx-two.conf).
    """
    if shared:
        response["X-Accel-Expires"] = "1"  # nginx 1.22 must read it before Cache-Control
    response["ETag"] = tag
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Cookie", "Accept-Language", "Accept-Encoding", "HX-Request"))
    return response


def _never_kept(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-store"
    return response
