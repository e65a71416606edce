from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.core.forms import FieldsOf, KeyedForm, KeyedModelForm, from_model
from league.models import Ceremony, Division, Screen, Stage


class NewScreenForm(KeyedForm):
    name = from_model(
        Screen,
        "name",
        help_text=_("Where it hangs, for example “Hall A, left”. The address is made from it."),
    )


class ShowsForm(KeyedForm):
    """The buttons that say what a screen shows."""

    shows = from_model(Screen, "shows", widget=forms.HiddenInput)


class ScreenForm(KeyedModelForm):
    """The settings of a screen. `show`: show the message at once."""

    class Meta(FieldsOf):
        model = Screen
        fields = ("name", "text", "division", "by_name", "is_light", "table", "is_clear")

    division = from_model(
        Screen, "division", queryset=Division.objects.none(), empty_label=_("all divisions")
    )

    def __init__(self, *args: Any, screen: Screen, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"instance": screen, "auto_id": f"id_{screen.pk}_%s"})
        self.screen = screen
        divisions = screen.competition.divisions.all()
        self.fields["division"].queryset = divisions  # type: ignore[attr-defined]
        if len(divisions) < 2:
            del self.fields["division"]


class CeremonyForm(KeyedForm):
    stage = from_model(Ceremony, "stage", queryset=Stage.objects.none(), empty_label=None)
    places = from_model(Ceremony, "places", initial=8)

    def __init__(self, *args: Any, stages: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stage"].queryset = stages  # type: ignore[attr-defined]
