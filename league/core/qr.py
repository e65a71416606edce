from functools import lru_cache
from typing import Any

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString

from league.core.text import without_scheme

# One of the eight masks, which differ in how even the picture is: to choose among them takes most of the time
# of a code. On 300 of our addresses this one has 2 % more penalty points by the standard (ISO/IEC 18004) than
# the best, and is read from blurred, noisy and scratched pictures as often.
MASK = 2
SCANNED = "table"  # the cookie that keeps what was scanned last
SCANNED_SECONDS = 12 * 3600


@lru_cache(maxsize=512)  # of 2 kB: the papers of a round are looked at, then printed
def qr_code(address: str) -> SafeString:
    """Draw the address as SVG in the colours of the page, readable even with a scratch."""
    made = segno.make(address, error="q", micro=False, mask=MASK)
    return SafeString(made.svg_inline(omitsize=True, border=2, svgclass="code", lineclass=None))


def coded_address(request: HttpRequest, path: str) -> dict[str, Any]:
    address = request.build_absolute_uri(path)
    return {"code": qr_code(address), "address": without_scheme(address)}


def remember_scan(response: HttpResponse, code: str, *, below: str) -> None:
    """Save the secret part of a scanned code in a cookie for the pages `below` this address.

    The address stays without it, so that visitors' pages are the same for all.
    """
    response.set_cookie(
        SCANNED,
        code,
        max_age=SCANNED_SECONDS,
        path=below,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def scanned(request: HttpRequest) -> str:
    return request.COOKIES.get(SCANNED, "")
