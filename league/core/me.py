"""Which player this person is in a competition.

The linked player of an account is proved. A phone remembers a player in a cookie, which is only a claim: it
shows pages and calls staff, and never acts. The cookie goes only to the pages below `seat/`. All other pages
stay the same for every visitor, so that the server and proxies can cache them. `static/js/me.js` fetches the
personal parts of pages from below `seat/`.

A browser that acts at a table has a number of its own in a second cookie: random, signed, and different in
every competition. It says which signatures came from one phone.
"""

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse

from league.core.access import Access
from league.core.pages import number_in
from league.models import Channel, Entrant

REMEMBERED = "seat"  # the cookie
PHONE = "phone"  # the cookie with the signed number of this browser
DEVICE = "device"  # the cookie with the signed number of the channel of this phone's notices
REMEMBERED_FOR = 180 * 24 * 3600  # seconds
_DEVICE = Signer(salt="league.device")
_PHONE = Signer(salt="league.phone")


@dataclass(frozen=True, slots=True)
class Me:
    entrant: Entrant
    is_proved: bool


def find_me(request: HttpRequest, access: Access) -> Me | None:
    """Return the player of the account, or else of this phone. Queries: at most 1 for each."""
    entered = access.competition.entrants.select_related("competition", "player__club", "division", "team")
    linked = access.player and entered.filter(player=access.player).first()
    if linked:
        return Me(linked, is_proved=True)
    number = number_in(request.COOKIES, REMEMBERED)
    claimed = entered.filter(pk=number).first() if number is not None else None
    return Me(claimed, is_proved=False) if claimed else None


def remember_me(response: HttpResponse, access: Access, entrant: Entrant | None) -> None:
    """Save the player in the cookie. `entrant`: None forgets the player."""
    below = access.address("seating:my_seat")
    if entrant is None:
        response.delete_cookie(REMEMBERED, path=below, samesite="Lax")
        return
    _set_cookie(response, REMEMBERED, str(entrant.pk), below)


def phone_of(request: HttpRequest) -> str:
    """Return the number of this browser, or a new one, which `remember_phone` saves."""
    try:
        return _PHONE.unsign(request.COOKIES.get(PHONE, ""))
    except BadSignature:
        return secrets.token_hex(16)


def remember_phone(response: HttpResponse, access: Access, phone: str) -> None:
    _set_cookie(response, PHONE, _PHONE.sign(phone), access.address("seating:my_seat"))


def find_device(request: HttpRequest) -> int | None:
    """Return the number of the channel by which this phone gets notices, or None."""
    try:
        return int(_DEVICE.unsign(request.COOKIES.get(DEVICE, "")))
    except (BadSignature, ValueError):
        return None


def remember_device(response: HttpResponse, access: Access, channel: Channel | None) -> None:
    """Save the channel of this phone in a cookie. None forgets it."""
    below = access.address("seating:my_seat")
    if channel is None:
        response.delete_cookie(DEVICE, path=below, samesite="Lax")
    else:
        _set_cookie(response, DEVICE, _DEVICE.sign(str(channel.pk)), below)


def _set_cookie(response: HttpResponse, name: str, value: str, below: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=REMEMBERED_FOR,
        path=below,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
