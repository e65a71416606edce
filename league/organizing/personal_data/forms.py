"""Forms that erase people. Each asks twice, since the name cannot be restored."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm


class EraseForm(KeyedForm):
    sure = forms.BooleanField(
        label=_("The person requested this, and I understand that the name cannot be restored"),
        error_messages={"required": _("Tick this box, then erase.")},
    )


class CloseForm(KeyedForm):
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(
        label=_("Close my account. This cannot be undone"),
        error_messages={"required": _("Tick this box, then close the account.")},
    )

    def __init__(self, *args: Any, user: User, **options: Any) -> None:
        super().__init__(*args, **options)
        self.user = user

    def clean_password(self) -> str:
        typed: str = self.cleaned_data["password"]
        if not self.user.check_password(typed):
            raise forms.ValidationError(_("Wrong password. Enter it again."))
        return typed
