"""Forms of roles, invitations and accounts."""

from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.utils.translation import gettext_lazy as _

from league.forms.base import KeyedForm, TidyCharField
from league.models import Role
from league.queries import PlayerInfo


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


class PlaysAsForm(KeyedForm):
    """As which of the entered players a person plays; nobody is the empty choice."""

    player = forms.TypedChoiceField(
        label=_("Plays as"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("Nobody rules on a table where they sit: another referee is called there."),
    )

    def __init__(self, *args: Any, people: Iterable[PlayerInfo], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = sorted((info.name, info.player) for info in people)
        choices = [("", _("nobody: does not play here")), *((player, name) for name, player in named)]
        cast(forms.ChoiceField, self.fields["player"]).choices = choices


class AccountForm(UserCreationForm):
    """A new account: a user name and a password, nothing else about the person."""

    class Meta:
        model = User
        fields: ClassVar = ["username"]
        labels: ClassVar = {"username": _("User name")}
