from collections.abc import Iterable
from typing import Any, ClassVar, cast

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField
from league.models import Role, Team
from league.people.members.queries import PlayerInfo


class TeamField(forms.ModelChoiceField):
    def __init__(self, **options: Any) -> None:
        super().__init__(
            Team.objects.none(),
            label=_("Team"),
            required=False,
            empty_label="–",
            help_text=_("For captains: the team whose line-ups they enter."),
            **options,
        )


class RoleFields(KeyedForm):
    def __init__(self, *args: Any, teams: QuerySet[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if teams.exists():
            cast("forms.ModelChoiceField[Team]", self.fields["team"]).queryset = teams
            return
        self.fields["team"].widget = forms.HiddenInput()
        kinds = [choice for choice in Role.Kind.choices if choice[0] != Role.Kind.CAPTAIN]
        self.offer(kind=kinds)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        is_captain = data.get("kind") == Role.Kind.CAPTAIN
        if is_captain and not data.get("team") and "team" not in self.errors:
            self.add_error("team", gettext("Choose the captain’s team."))
        return data | {"team": data.get("team") if is_captain else None}


class InvitationForm(RoleFields):
    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices, initial=Role.Kind.SCORER)
    team = TeamField()
    player = forms.TypedChoiceField(
        label=_("Linked player"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("The account is linked to this player."),
    )
    note = TidyCharField(
        label=_("Invited person"),
        max_length=120,
        required=False,
        help_text=_("Only organizers see this note."),
    )

    def __init__(self, *args: Any, people: Iterable[PlayerInfo], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer(player=_player_choices(people, "–"))


class RoleForm(RoleFields):
    username = forms.CharField(
        label=_("Username"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    kind = forms.ChoiceField(label=_("Role"), choices=Role.Kind.choices, initial=Role.Kind.SCORER)
    team = TeamField()


class PlaysAsForm(KeyedForm):
    player = forms.TypedChoiceField(
        label=_("Linked player"),
        required=False,
        coerce=int,
        empty_value=None,
        help_text=_("Referees cannot rule at their own table. Another referee is called."),
    )

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
