import secrets
from base64 import b32decode, b32encode
from typing import Any, ClassVar

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.changes import Sent
from league.core.forms import KeyedForm
from league.people.accounts.queries import is_first_code


class PasswordFields(KeyedForm):
    """A change that asks for the password again. Wrong ones count like those of the sign-in."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request
        self.order_fields([name for name in self.fields if name != "password"])

    def clean_password(self) -> str:
        typed: str = self.cleaned_data["password"]
        name = self.request.user.get_username()
        if authenticate(self.request, username=name, password=typed) != self.request.user:
            raise forms.ValidationError(_("Wrong password. Enter your sign-in password."))
        return typed

    def values(self) -> dict[str, Any]:
        return {name: value for name, value in super().values().items() if name != "password"}

    def submission(self, *context: object) -> Sent:
        """Leave the password out: not even its fingerprint is stored."""
        typed = {name: str(value) for name, value in self.values().items()}
        return Sent.of(self.cleaned_data["key"], type(self).__name__, typed, *context)


class EmailForm(PasswordFields):
    email = forms.EmailField(
        label=_("Email"),
        required=False,
        max_length=254,
        help_text=_("Used for a new password and notices about your account. Leave empty to remove it."),
    )


SECRET_BYTES = 20  # RFC 4226 recommends 160 bits


class CodeForm(forms.Form):
    code = forms.CharField(
        label=pgettext_lazy("second step", "Code"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True}),
        help_text=_("Six digits from your app, or one of your recovery codes."),
    )

    def clean_code(self) -> str:
        return "".join(self.cleaned_data["code"].split()).lower()


def new_secret() -> str:
    return b32encode(secrets.token_bytes(SECRET_BYTES)).decode()


class AppForm(PasswordFields):
    """The first code of a new authenticator app. The page holds the secret, so that a GET writes nothing."""

    secret = forms.CharField(max_length=40, widget=forms.HiddenInput, initial=new_secret)
    code = forms.CharField(
        label=pgettext_lazy("second step", "Code"),
        max_length=20,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
        help_text=_("The six digits shown in the app now."),
    )

    def clean_secret(self) -> bytes:
        secret = _read_secret(self.cleaned_data["secret"])
        if secret is None:
            raise forms.ValidationError(_("This page was out of date. Reload it and submit again."))
        return secret

    def clean_code(self) -> str:
        return "".join(self.cleaned_data["code"].split())

    @property
    def page_secret(self) -> bytes:
        return _read_secret(self["secret"].value() or "") or b32decode(new_secret())


def _read_secret(typed: str) -> bytes | None:
    try:
        secret = b32decode(typed)
    except ValueError:
        return None
    return secret if len(secret) == SECRET_BYTES else None


class FirstForm(UserCreationForm):
    code = forms.CharField(
        label=_("Code"),
        max_length=40,
        help_text=_("The server wrote it to its log at startup."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    field_order = ("code", "username", "email")

    class Meta:
        model = User
        fields: ClassVar = ["username", "email"]
        labels: ClassVar = {"username": _("Username"), "email": _("Email")}

    def clean_code(self) -> str:
        typed: str = self.cleaned_data["code"].strip()
        if not is_first_code(typed):
            raise forms.ValidationError(_("Wrong code. Look for it in the log of the server."))
        return typed


class AllowSignInForm(KeyedForm):
    name = forms.CharField(required=False, max_length=150, widget=forms.HiddenInput)
    address = forms.GenericIPAddressField(required=False, widget=forms.HiddenInput)

    def values(self) -> dict[str, Any]:
        return super().values() | {"address": self.cleaned_data["address"] or None}
