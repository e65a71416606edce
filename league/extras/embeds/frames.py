"""Pages that every site may show in an iframe.

A framed page shows what visitors see, also to people who are signed in: no cookie is read or set, and links
open in a new tab. Only these pages allow frames of other sites. The address names the theme, the language and
the number of rows.
"""

import re
from collections.abc import Callable
from functools import wraps

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_exempt

from league.core.caching import public_page

THEMES = ("auto", "light", "dark")
AUTO, LIGHT, DARK = THEMES
LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)
MOST_ROWS = 100
ROWS = frozenset(map(str, range(1, MOST_ROWS + 1)))
WIDTH = 600  # pixels that a frame asks for

# For frames of a fixed height, by page: pixels around the rows, pixels of a row, usual number of rows.
_HEIGHTS = {
    "standings": (112, 46, 10),
    "stage": (112, 46, 10),
    "tables": (120, 140, 4),
    "player": (280, 41, 5),
}
_FRAMED = re.compile(r"/c/[^/]+/embed/")


class WithoutCookies:
    """Middleware that hides cookies from framed pages, before the session and the language read them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not _FRAMED.match(request.path_info):
            return self.get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        response = self.get_response(request)
        varies = [name.strip() for name in response.get("Vary", "").split(",")]
        response["Vary"] = ", ".join(name for name in varies if name and name != "Cookie")
        return response


def framed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """Turn ``view(request, access, …)`` into a framed page, rendered once per revision."""
    render = public_page(theme=frozenset(THEMES), language=LANGUAGES, rows=ROWS)(view)

    @csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]
    @xframe_options_exempt
    @wraps(view)
    def framed_page(request: HttpRequest, slug: str, **kwargs: object) -> HttpResponseBase:
        with translation.override(language_of(request)):
            response = render(request, slug=slug, **kwargs)
            response["Content-Language"] = translation.get_language()
        return response

    return framed_page


def language_of(request: HttpRequest) -> str:
    """Return the language of the address, or else that of the request."""
    asked = request.GET.get("language", "")
    return asked if asked in LANGUAGES else translation.get_language() or settings.LANGUAGE_CODE


def rows_of(request: HttpRequest, name: str) -> int:
    asked = request.GET.get("rows", "")
    _around, _row, usual = _HEIGHTS[name]
    return int(asked) if asked in ROWS else usual


def frame_height(name: str, rows: int | None = None) -> int:
    """Return the height in pixels of a frame of this many rows, or of the usual number of rows."""
    around, row, usual = _HEIGHTS[name]
    return around + row * (rows or usual)


def rows_in(name: str, height: int) -> int:
    """Return how many rows fit a frame of this height in pixels, at least 1."""
    around, row, _usual = _HEIGHTS[name]
    return min(max((height - around) // row, 1), MOST_ROWS)


def frame_code(address: str, title: str, *, width: int | str, height: int) -> SafeString:
    """Return the HTML of a frame. ``address``: absolute. ``width``: pixels or "100%"."""
    return format_html(
        '<iframe src="{}" title="{}" width="{}" height="{}" frameborder="0" loading="lazy"></iframe>',
        address,
        title,
        width,
        height,
    )
