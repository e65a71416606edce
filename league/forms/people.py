"""Forms of roles, invitations and accounts."""

from typing import ClassVar

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.forms.base import KeyedForm, TidyCharField
from league.models import Role


class InvitationForm(KeyedForm):
    """A link for one person."""

    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices, initial=Role.Kind.SCORER)
    note = TidyCharField(
        label=_("For whom"), max_length=120, required=False, help_text=_("Only organizers see this note.")
    )


class RoleForm(KeyedForm):
    """A role at once, for somebody who has an account here."""

    username = forms.CharField(
        label=_("User name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices, initial=Role.Kind.SCORER)


class AccountForm(UserCreationForm):
    """A new account: a user name and a password, nothing else about the person."""

    class Meta:
        model = User
        fields: ClassVar = ["username"]
        labels: ClassVar = {"username": _("User name")}
