"""Signing in, and the security log of the server."""

from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.accounts.forms import AllowSignInForm
from league.accounts.queries import seconds_to_wait, security_events
from league.accounts.services import allow_sign_in
from league.accounts.sign_in import remember_browser
from league.core.network import client_address
from league.core.pages import View, page, press, refuse_for_now

PAGE_SIZE = 100


# --- signing in


class SignInView(LoginView):
    """Django's, which remembers the browser."""

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        remember_browser(self.request, response, form.get_user())
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"open_signup": settings.OPEN_SIGNUP}


def locked_out(request: HttpRequest, response: HttpResponse, credentials: Any) -> HttpResponse:
    """Instead of the sign-in page while sign-in pauses: until when."""
    name = (credentials or {}).get("username") or ""
    seconds = seconds_to_wait(name=name, address=client_address(request), at=timezone.now())
    return refuse_for_now(request, "registration/locked_out.html", seconds)


# --- the security log


def for_administrators(*methods: str) -> Any:
    """A page for superusers."""

    def decorate(view: View) -> View:
        @never_cache
        @require_http_methods(list(methods))
        @wraps(view)
        def entered(request: HttpRequest, **kwargs: object) -> Any:
            if not request.user.is_superuser:
                raise PermissionDenied
            return view(request, **kwargs)

        return entered

    return decorate


@for_administrators("GET", "HEAD")
def security(request: HttpRequest) -> HttpResponse:
    """Failed sign-ins with name and address, for as long as they are kept."""
    typed = request.GET.get("q", "").replace("\0", "").strip()[:150]
    shown = Paginator(security_events(typed), PAGE_SIZE).get_page(request.GET.get("page"))
    return page(request, None, "accounts/security.html", page=shown, q=typed, days=settings.SECURITY_LOG_DAYS)


@for_administrators("POST")
def security_allow(request: HttpRequest) -> HttpResponse:
    """End a pause of a name or of an address."""
    form = AllowSignInForm(request.POST)
    return press(
        request,
        lambda _sent: allow_sign_in(by=cast(User, request.user), **form.values()),
        form=form,
        about=("allow",),
        done=_("Sign-in is allowed again."),
        back=reverse("accounts:security"),
    )
