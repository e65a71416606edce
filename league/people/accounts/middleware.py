from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django_htmx.http import HttpResponseClientRedirect

from league.people.accounts.second_step import CODE, SET_UP, waits_for

# Pages that a person sees before the second step.
OPEN = {"logout", "set_language", "healthz", "otp_webauthn:js-i18n-catalog"}
PAGES = {
    CODE: OPEN
    | {
        "accounts:second",
        "otp_webauthn:credential-authentication-begin",
        "otp_webauthn:credential-authentication-complete",
    },
    SET_UP: OPEN
    | {
        "accounts:set_up",
        "accounts:app_new",
        "accounts:passkey_new",
        "otp_webauthn:credential-registration-begin",
        "otp_webauthn:credential-registration-complete",
    },
}
FIRST_PAGE = {CODE: "accounts:second", SET_UP: "accounts:set_up"}


class PrivatePages:
    """Forbids caching of pages behind a sign-in, unless their view allows it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if "Cache-Control" not in response and request.user.is_authenticated:
            response["Cache-Control"] = "private, no-store"
        return response


class SecondStep:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        waits = waits_for(request)
        if not waits or not request.user.is_authenticated or _page_of(request) in PAGES[waits]:
            return self.get_response(request)
        there = reverse(FIRST_PAGE[waits])
        return HttpResponseClientRedirect(there) if "HX-Request" in request.headers else redirect(there)


def _page_of(request: HttpRequest) -> str:
    try:
        return resolve(request.path_info).view_name
    except Resolver404:
        return ""
