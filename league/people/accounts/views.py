from base64 import b32encode
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordResetConfirmView, PasswordResetView
from django.core.exceptions import PermissionDenied
from django.forms import BaseForm
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

from league.core.errors import Refused
from league.core.forms import attempt
from league.core.network import client_address
from league.core.pages import View, page, page_before, posted, press, refuse_for_now, save
from league.core.qr import qr_code
from league.people.accounts.forms import (
    AllowSignInForm,
    AppForm,
    CodeForm,
    EmailForm,
    FirstForm,
    PasswordFields,
)
from league.people.accounts.passkeys import allow_passkey
from league.people.accounts.queries import (
    desk_to_open,
    has_accounts,
    open_sessions,
    seconds_to_wait,
    security_events,
    zone_near,
)
from league.people.accounts.second_step import CODE, devices_of, waits_for
from league.people.accounts.services import (
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
from league.people.accounts.sign_in import remember_browser
from league.people.accounts.tables import SecurityTable

# axes checks passwords first. A session without a password names the plain backend.
BACKEND = "league.people.accounts.backends.Accounts"


# --- signing in


class SignInView(LoginView):
    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        remember_browser(self.request, response, form.get_user())
        return response

    def get_form(self, form_class: Any = None) -> Any:
        form = super().get_form(form_class)
        form.fields["username"].label = _("Username")
        return form

    def get_default_redirect_url(self) -> str:
        """Send a referee of the only running competition to its desk."""
        slug = desk_to_open(self.request.user)
        return reverse("penalties:desk", args=[slug]) if slug else super().get_default_redirect_url()

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {
            "open_signup": settings.OPEN_SIGNUP,
            "is_new": not has_accounts(),
        }


def locked_out(request: HttpRequest, response: HttpResponse, credentials: Any) -> HttpResponse:
    name = (credentials or {}).get("username") or ""
    seconds = seconds_to_wait(name=name, address=client_address(request), at=timezone.now())
    return refuse_for_now(request, "registration/locked_out.html", seconds)


class ResetView(PasswordResetView):
    """Send a reset link. The answer and its time are the same for every address."""

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
    """Set a new password by the mailed link, and allow sign-in again."""

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        allow_sign_in(by=form.user, name=form.user.get_username())
        return response


# --- one's own account


def for_people(*methods: str, administrators: bool = False) -> Any:
    """Enter a page about oneself, or of `administrators` alone: `view(request, person, …)`."""

    def decorate(view: View) -> View:
        @never_cache
        @sensitive_post_parameters()
        @require_http_methods(list(methods))
        @wraps(view)
        def entered(request: HttpRequest, **kwargs: object) -> Any:
            person = request.user
            if not isinstance(person, User) or (administrators and not person.is_superuser):
                raise PermissionDenied
            return view(request, person, **kwargs)

        return entered

    return decorate


@for_people("GET", "HEAD")
def index(request: HttpRequest, person: User) -> HttpResponse:
    return page(
        request,
        None,
        "accounts/index.html",
        sessions=open_sessions(person, this=request.session.session_key),
        zone=zone_near(person),
        devices=devices_of(person),
    )


@for_people("GET", "HEAD", "POST")
def email(request: HttpRequest, person: User) -> HttpResponse:
    form = EmailForm(posted(request), request=request, initial={"email": person.email})
    return save(
        request,
        form,
        lambda _sent: change_email(person=person, **form.values()),
        about=("email", person.pk),
        done=_("Email address saved."),
        then=reverse("accounts:index"),
    ) or _form_page(request, form, _("Email"), _("Save"))


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
    if waits_for(request) != CODE:
        return redirect("competitions:home")
    form = CodeForm(posted(request))
    if form.is_valid() and attempt(
        form, lambda: take_second_step(request=request, person=person, **form.cleaned_data)
    ):
        return redirect("competitions:home")
    passkeys = any(device.kind == "passkey" for device in devices_of(person))
    return page(request, None, "accounts/second.html", form=form, passkeys=passkeys)


@for_people("GET", "HEAD")
def set_up(request: HttpRequest, person: User) -> HttpResponse:
    return page(request, None, "accounts/set_up.html")


@for_people("GET", "HEAD", "POST")
def app_new(request: HttpRequest, person: User) -> HttpResponse:
    form = AppForm(posted(request), request=request)
    if form.is_valid() and attempt(form, lambda: add_app(person=person, **form.values())):
        otp_login(request, TOTPDevice.objects.filter(user=person).latest("pk"))
        return _show_codes(request, person)
    secret = form.page_secret
    address = TOTPDevice(user=person, key=secret.hex()).config_url
    words = {"code": qr_code(address), "secret": b32encode(secret).decode()}
    return page(request, None, "accounts/app_new.html", form=form, words=words)


@for_people("GET", "HEAD", "POST")
def passkey_new(request: HttpRequest, person: User) -> HttpResponse:
    form = PasswordFields(posted(request), request=request)
    if form.is_valid():
        allow_passkey(request)
        return page(request, None, "accounts/passkey_new.html", status=200)
    return _form_page(request, form, _("Add a passkey"), _("Continue"))


@for_people("GET", "HEAD", "POST")
def codes(request: HttpRequest, person: User) -> HttpResponse:
    form = PasswordFields(posted(request), request=request)
    if form.is_valid() and devices_of(person):
        return _show_codes(request, person)
    return _form_page(
        request,
        form,
        _("Recovery codes"),
        pgettext("an account", "Create"),
        text=_("Old codes no longer work."),
    )


def _form_page(request: HttpRequest, form: BaseForm, title: str, button: str, text: str = "") -> HttpResponse:
    return page(request, None, "accounts/form.html", form=form, title=title, button=button, text=text)


@for_people("GET", "HEAD", "POST")
def device_remove(request: HttpRequest, person: User, kind: str, pk: int) -> HttpResponse:
    if (kind, pk) not in [device[:2] for device in devices_of(person)]:
        raise Http404
    form = PasswordFields(posted(request), request=request)
    title = _("Remove an authenticator app") if kind == "app" else _("Remove a passkey")
    return save(
        request,
        form,
        lambda _sent: remove_device(person=person, kind=kind, pk=pk),
        about=("remove", kind, pk),
        done=pgettext("second step", "Removed."),
        then=reverse("accounts:index"),
    ) or _form_page(request, form, title, pgettext("button", "Remove"))


def _show_codes(request: HttpRequest, person: User) -> HttpResponse:
    made = renew_recovery_codes(person=person)
    return page(request, None, "accounts/codes.html", codes=made, status=200)


@never_cache
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def first(request: HttpRequest) -> HttpResponse:
    """Create the administrator of a new server with the code from its log. 404 once an account exists."""
    if has_accounts():
        raise Http404
    form = FirstForm(posted(request))
    if form.is_valid():
        try:
            person = make_first_account(form)
        except Refused as refusal:
            form.add_error(None, str(refusal))
        else:
            login(request, person, backend=BACKEND)
            return HttpResponseRedirect(page_before(request, reverse("competitions:home")))
    return _form_page(request, form, _("First account"), pgettext("an account", "Create"))


# --- the security log


@for_people("GET", "HEAD", administrators=True)
def security(request: HttpRequest, person: User) -> HttpResponse:
    typed = request.GET.get("q", "").replace("\0", "").strip()[:150]
    events = SecurityTable(security_events(typed), request=request)
    return page(
        request, None, "accounts/security.html", events=events, q=typed, days=settings.SECURITY_LOG_DAYS
    )


@for_people("POST", administrators=True)
def security_allow(request: HttpRequest, person: User) -> HttpResponse:
    form = AllowSignInForm(request.POST)
    return press(
        request,
        lambda _sent: allow_sign_in(by=person, **form.values()),
        form=form,
        about=("allow",),
        done=_("Sign-in allowed again."),
        back=reverse("accounts:security"),
    )
