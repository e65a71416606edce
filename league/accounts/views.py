"""Signing in, and the security log of the server."""

from base64 import b32encode
from dataclasses import replace
from functools import wraps
from typing import Any, cast

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordResetConfirmView, PasswordResetView
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_otp import login as otp_login
from django_otp.plugins.otp_totp.models import TOTPDevice

from league.accounts.forms import (
    AllowSignInForm,
    AppForm,
    CodeForm,
    EmailForm,
    FirstForm,
    PasswordFields,
)
from league.accounts.passkeys import allow_passkey
from league.accounts.queries import has_accounts, open_sessions, seconds_to_wait, security_events, zone_near
from league.accounts.second_step import CODE, Device, devices_of, waits_for
from league.accounts.services import (
    add_app,
    allow_sign_in,
    ask_for_reset,
    change_email,
    end_other_sessions,
    end_session,
    make_first_account,
    remove_device,
    renew_recovery_codes,
    take_second_step,
)
from league.accounts.sign_in import remember_browser
from league.core.errors import Refused
from league.core.forms import attempt
from league.core.network import client_address
from league.core.pages import View, page, press, refuse_for_now, save, sent
from league.core.qr import qr_code
from league.people.queries import desk_to_open

PAGE_SIZE = 100
# axes answers first where a password is checked; a session made without one names the plain backend.
BACKEND = "league.accounts.backends.Accounts"


# --- signing in


class SignInView(LoginView):
    """Django's, which remembers the browser."""

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        remember_browser(self.request, response, form.get_user())
        return response

    def get_default_redirect_url(self) -> str:
        """A referee of the one competition that is being played begins at its desk."""
        slug = desk_to_open(self.request.user)
        return reverse("penalties:desk", args=[slug]) if slug else super().get_default_redirect_url()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {
            "open_signup": settings.OPEN_SIGNUP,
            "is_new": not has_accounts(),
        }


def locked_out(request: HttpRequest, response: HttpResponse, credentials: Any) -> HttpResponse:
    """Instead of the sign-in page while sign-in pauses: until when."""
    name = (credentials or {}).get("username") or ""
    seconds = seconds_to_wait(name=name, address=client_address(request), at=timezone.now())
    return refuse_for_now(request, "registration/locked_out.html", seconds)


class ResetView(PasswordResetView):
    """Asks for an e-mail address. The answer and its time are the same whether it is known or not."""

    def form_valid(self, form: Any) -> HttpResponse:
        ask_for_reset(
            email=form.cleaned_data["email"],
            address=client_address(self.request),
            host=self.request.get_host(),
            https=self.request.is_secure(),
            language=get_language() or "en",
        )
        return HttpResponseRedirect(self.get_success_url())


class ResetConfirmView(PasswordResetConfirmView):
    """A new password by the link from the mail; sign-in is allowed again with it."""

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        allow_sign_in(by=form.user, name=form.user.get_username())
        return response


# --- one's own account


def for_people(*methods: str) -> Any:
    """A page of everyone who is signed in, about themselves: ``view(request, person, …)``."""

    def decorate(view: View) -> View:
        @never_cache
        @sensitive_post_parameters()
        @require_http_methods(list(methods))
        @wraps(view)
        def entered(request: HttpRequest, **kwargs: object) -> Any:
            if not isinstance(request.user, User):
                raise PermissionDenied
            return view(request, request.user, **kwargs)

        return entered

    return decorate


@for_people("GET", "HEAD")
def index(request: HttpRequest, person: User) -> HttpResponse:
    """E-mail, password, and where one is signed in."""
    sessions = open_sessions(person, this=request.session.session_key)
    words: dict[str, Any] = {"sessions": sessions, "zone": zone_near(person), "devices": devices_of(person)}
    return page(request, None, "accounts/index.html", **words)


@for_people("GET", "HEAD", "POST")
def email(request: HttpRequest, person: User) -> HttpResponse:
    form = EmailForm(sent(request), request=request, initial={"email": person.email})
    return save(
        request,
        form,
        lambda _sent: change_email(person=person, **form.values()),
        about=("email", person.pk),
        done=_("E-mail address saved."),
        then=reverse("accounts:index"),
    ) or page(request, None, "accounts/form.html", title=_("E-mail address"), form=form, button=_("Save"))


@for_people("POST")
def session_end(request: HttpRequest, person: User, number: str) -> HttpResponse:
    return press(
        request,
        lambda _sent: end_session(person=person, number=number),
        about=("session", number),
        done=_("Session ended."),
        back=reverse("accounts:index"),
    )


@for_people("POST")
def sessions_end(request: HttpRequest, person: User) -> HttpResponse:
    return press(
        request,
        lambda _sent: end_other_sessions(person=person, this=request.session.session_key),
        about=("sessions", person.pk),
        done=_("All other sessions ended."),
        back=reverse("accounts:index"),
    )


# --- the second step


@for_people("GET", "HEAD", "POST")
def second(request: HttpRequest, person: User) -> HttpResponse:
    """After the password: a code, or a passkey."""
    if waits_for(request) != CODE:
        return redirect("competitions:home")
    form = CodeForm(sent(request))
    if form.is_valid() and attempt(
        form, lambda: take_second_step(request=request, person=person, **form.cleaned_data)
    ):
        return redirect("competitions:home")
    passkeys = any(each.kind == "passkey" for each in devices_of(person))
    return page(request, None, "accounts/second.html", form=form, passkeys=passkeys)


@for_people("GET", "HEAD")
def set_up(request: HttpRequest, person: User) -> HttpResponse:
    """Where the settings ask organizers for a second step, and one has none yet."""
    return page(request, None, "accounts/set_up.html")


@for_people("GET", "HEAD", "POST")
def app_new(request: HttpRequest, person: User) -> HttpResponse:
    """Add an authenticator app: scan, type its code. New recovery codes come with it."""
    form = AppForm(sent(request), request=request)
    if form.is_valid() and attempt(form, lambda: add_app(person=person, **form.values())):
        otp_login(request, TOTPDevice.objects.filter(user=person).latest("pk"))
        return _show_codes(request, person)
    secret = form.shown_secret
    address = TOTPDevice(user=person, key=secret.hex()).config_url
    words = {"code": qr_code(address), "secret": b32encode(secret).decode()}
    return page(request, None, "accounts/app_new.html", form=form, words=words)


@for_people("GET", "HEAD", "POST")
def passkey_new(request: HttpRequest, person: User) -> HttpResponse:
    """Add a passkey, after the password was typed again: the script does the rest."""
    form = PasswordFields(sent(request), request=request)
    if form.is_valid():
        allow_passkey(request)
        return page(request, None, "accounts/passkey_new.html", status=200)
    return page(
        request, None, "accounts/form.html", title=_("Add a passkey"), form=form, button=_("Continue")
    )


@for_people("GET", "HEAD", "POST")
def codes(request: HttpRequest, person: User) -> HttpResponse:
    """New recovery codes, shown once."""
    form = PasswordFields(sent(request), request=request)
    if form.is_valid() and devices_of(person):
        return _show_codes(request, person)
    text = _("Old codes no longer work.")
    words: dict[str, Any] = {
        "title": _("Recovery codes"),
        "text": text,
        "button": pgettext("an account", "Create"),
    }
    return page(request, None, "accounts/form.html", form=form, **words)


@for_people("GET", "HEAD", "POST")
def device_remove(request: HttpRequest, person: User, kind: str, pk: int) -> HttpResponse:
    if Device(kind, pk, "") not in [replace(each, name="") for each in devices_of(person)]:
        raise Http404
    form = PasswordFields(sent(request), request=request)
    title = _("Remove an authenticator app") if kind == "app" else _("Remove a passkey")
    return save(
        request,
        form,
        lambda _sent: remove_device(person=person, kind=kind, pk=pk),
        about=("remove", kind, pk),
        done=pgettext("second step", "Removed."),
        then=reverse("accounts:index"),
    ) or page(
        request, None, "accounts/form.html", title=title, form=form, button=pgettext("button", "Remove")
    )


def _show_codes(request: HttpRequest, person: User) -> HttpResponse:
    made = renew_recovery_codes(person=person)
    return page(request, None, "accounts/codes.html", codes=made, status=200)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def first(request: HttpRequest) -> HttpResponse:
    """The administrator of a new server, with the code from its log; gone when an account exists."""
    if has_accounts():
        raise Http404
    form = FirstForm(sent(request))
    if form.is_valid():
        try:
            person = make_first_account(form)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            login(request, person, backend=BACKEND)
            return redirect("competitions:home")
    return page(
        request,
        None,
        "accounts/form.html",
        title=_("First account"),
        form=form,
        button=pgettext("an account", "Create"),
    )


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
        done=_("Sign-in allowed again."),
        back=reverse("accounts:security"),
    )
