"""Passkeys (django-otp-webauthn): their site, and its addresses, guarded against malformed requests."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST
from django.views.i18n import JavaScriptCatalog
from django_otp_webauthn import views
from django_otp_webauthn.exceptions import OTPWebAuthnApiError
from django_otp_webauthn.helpers import WebAuthnHelper

from league.people.accounts.words import NOT_ADDED, NOT_USED, WORDS_OF_SCRIPTS

MAY_ADD = "may_add_passkey"  # in the session: until when, in seconds, since the password was typed again
ADD_SECONDS = 600


def site_of(request: HttpRequest) -> str:
    """Return the host of this request, one of ALLOWED_HOSTS. A passkey works for it alone."""
    host, _colon, _port = request.get_host().partition(":")
    return host


class PasskeyHelper(WebAuthnHelper):  # type: ignore[misc]
    def get_allowed_origins(self) -> list[str]:
        return [f"{self.request.scheme}://{self.request.get_host()}"]


def allow_passkey(request: HttpRequest) -> None:
    request.session[MAY_ADD] = timezone.now().timestamp() + ADD_SECONDS


def _guard(view: Callable[..., HttpResponseBase], *, adds: bool) -> Callable[..., HttpResponseBase]:
    """Refuse malformed JSON, and new passkeys without the password, in our words."""

    @require_POST
    @wraps(view)
    def guarded(request: HttpRequest) -> HttpResponseBase:
        if adds and request.session.get(MAY_ADD, 0) < timezone.now().timestamp():
            return _refuse(_("Enter your password again, then add the passkey."), 403)
        status = 400
        try:
            if isinstance(json.loads(request.body or "{}"), dict):
                answer = view(request)
                if answer.status_code < 400:
                    return answer
                status = answer.status_code
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OTPWebAuthnApiError):
            pass
        return _refuse(NOT_ADDED if adds else NOT_USED, status)

    return guarded


def _refuse(why: object, status: int) -> JsonResponse:
    return JsonResponse({"detail": str(why)}, status=status)


class Words(JavaScriptCatalog):
    def get_catalog(self) -> dict[str, list[str] | str]:
        return {said: str(ours) for said, ours in WORDS_OF_SCRIPTS.items()}


def _address(name: str, view: Any, *, adds: bool) -> Any:
    route = name.removeprefix("credential-").replace("-", "/")
    return path(f"{route}/", _guard(view.as_view(), adds=adds), name=name)


app_name = "otp_webauthn"  # under which the library's scripts look for them
urlpatterns = [
    _address("credential-registration-begin", views.BeginCredentialRegistrationView, adds=True),
    _address("credential-registration-complete", views.CompleteCredentialRegistrationView, adds=True),
    _address("credential-authentication-begin", views.BeginCredentialAuthenticationView, adds=False),
    _address("credential-authentication-complete", views.CompleteCredentialAuthenticationView, adds=False),
    path("words/", Words.as_view(packages=["django_otp_webauthn"]), name="js-i18n-catalog"),
]
