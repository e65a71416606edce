from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, choice_of, from_model
from league.models import Invitation, Role, Team
from league.people.members.queries import PlayerInfo


class RoleFields(KeyedForm):
    kind = from_model(Role, "kind", widget=forms.Select, initial=Role.Kind.SCORER)
    team = from_model(Role, "team", queryset=Team.objects.none(), empty_label="–")

    def __init__(self, *args: Any, teams: QuerySet[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if teams.exists():
            cast("forms.ModelChoiceField[Team]", self.fields["team"]).queryset = teams
            return
        self.fields["team"].widget = forms.HiddenInput()
        kinds = [(kind, label) for kind, label in Role.Kind.choices if kind != Role.Kind.CAPTAIN]
        self.offer(kind=kinds)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        is_captain = data.get("kind") == Role.Kind.CAPTAIN
        if is_captain and not data.get("team") and "team" not in self.errors:
            self.add_error("team", gettext("Choose the captain’s team."))
        return data | {"team": data.get("team") if is_captain else None}


class InvitationForm(RoleFields):
    player = choice_of(from_model(Invitation, "player"), coerce=int, empty_value=None)
    note = from_model(Invitation, "note")

    def __init__(self, *args: Any, people: Iterable[PlayerInfo], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer(player=_player_choices(people, "–"))


class RoleForm(RoleFields):
    username = forms.CharField(
        label=_("Username"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    field_order = ("username", "kind", "team")


class PlaysAsForm(KeyedForm):
    player = choice_of(from_model(Role, "player"), coerce=int, empty_value=None)

    def __init__(self, *args: Any, people: Iterable[PlayerInfo], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer(player=_player_choices(people, _("none: does not play here")))


def _player_choices(people: Iterable[PlayerInfo], no_player: Any) -> list[tuple[Any, Any]]:
    named = sorted((info.name, info.player) for info in people)
    return [("", no_player), *((player, name) for name, player in named)]


class AccountForm(UserCreationForm):
    class Meta:
        model = User
        fields: ClassVar = ["username", "email"]
        labels: ClassVar = {"username": _("Username"), "email": _("Email")}
