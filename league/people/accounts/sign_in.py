"""The rules for counting failed passwords (AXES_HANDLER), and the browsers known to it.

Sign-in pauses by name and address, and by address alone after very many failures there. A browser that signed
in under the name before has a signed cookie, and only its own mistakes count for it.
"""

import secrets
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from league.models import SecurityEvent
from league.people.accounts.queries import failures, sprays
from league.people.accounts.services import note_event

KNOWN = "known"  # the cookie: name (as a keyed hash) → a random word, for the last people of this browser
KNOWN_SECONDS = 365 * 24 * 3600
MOST_KNOWN = 5


class SignInHandler(AxesDatabaseHandler):  # type: ignore[misc]
    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        if credentials and "webauthn_credential" in credentials:
            return 0  # no one guesses a passkey
        name = get_client_username(request, credentials) or ""
        now, limit = timezone.now(), settings.AXES_FAILURE_LIMIT
        if browser := known_browser(request, name):
            return failures(at=now, name=name, browser=browser).count()
        if sprays(request.axes_ip_address, at=now):  # type: ignore[attr-defined]
            return limit
        found: int = super().get_failures(request, credentials)
        return found

    def user_login_failed(
        self, sender: object, credentials: dict[str, Any], request: Any = None, **kwargs: Any
    ) -> None:
        if request is None:
            return
        name, was_locked = get_client_username(request, credentials) or "", request.axes_locked_out
        facts = {"name": name, "address": request.axes_ip_address, "browser": known_browser(request, name)}
        if not was_locked:
            note_event(SecurityEvent.Kind.FAILED, **facts)
        super().user_login_failed(sender, credentials, request, **kwargs)
        if request.axes_locked_out and not was_locked:
            note_event(SecurityEvent.Kind.PAUSED, **facts)


def known_browser(request: HttpRequest, name: str) -> str:
    return _known_users(request).get(_key(name), "")


def remember_browser(request: HttpRequest, response: HttpResponse, user: User) -> None:
    """Mark the browser as this person's, so that its mistakes count separately."""
    key, known = _key(user.get_username()), _known_users(request)
    known.pop(key, None)
    known = {key: secrets.token_hex(16)} | known
    response.set_cookie(
        KNOWN,
        signing.dumps(dict(list(known.items())[:MOST_KNOWN]), salt=KNOWN),
        max_age=KNOWN_SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
        path="/accounts/",
    )


def _known_users(request: HttpRequest) -> dict[str, str]:
    try:
        return dict(signing.loads(request.COOKIES.get(KNOWN, ""), salt=KNOWN, max_age=KNOWN_SECONDS))
    except signing.BadSignature:
        return {}


def _key(name: str) -> str:
    return salted_hmac(KNOWN, name).hexdigest()[:16]
