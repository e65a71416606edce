from typing import Any

from django import forms
from django.forms import model_to_dict
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField
from league.models import Division, Screen, Stage

MOST_PLACES = 50


class NewScreenForm(KeyedForm):
    name = TidyCharField(
        label=_("Name"),
        max_length=60,
        help_text=_("Where it hangs, for example “Hall A, left”. The address is made from it."),
    )


class ShowsForm(KeyedForm):
    """The buttons that say what a screen shows."""

    shows = forms.ChoiceField(choices=Screen.Shows.choices, widget=forms.HiddenInput)


class ScreenForm(KeyedForm):
    """The settings of a screen. `show`: show the message at once."""

    name = TidyCharField(label=_("Name"), max_length=60)
    text = TidyCharField(label=_("Message"), max_length=300, required=False)
    division = forms.ModelChoiceField(
        label=_("Division"), queryset=Division.objects.none(), required=False, empty_label=_("all divisions")
    )
    by_name = forms.BooleanField(label=_("Seats by name"), required=False)
    is_light = forms.BooleanField(label=_("Light background"), required=False)
    table = forms.IntegerField(
        label=_("Table for a stream"),
        min_value=1,
        max_value=9_999,
        required=False,
        help_text=_("The number of the table. Add the screen’s address as a browser source."),
    )
    is_clear = forms.BooleanField(label=_("Transparent background for a stream"), required=False)

    def __init__(self, *args: Any, screen: Screen, **kwargs: Any) -> None:
        super().__init__(
            *args, **kwargs | {"initial": model_to_dict(screen), "auto_id": f"id_{screen.pk}_%s"}
        )
        self.screen = screen
        divisions = screen.competition.divisions.all()
        self.fields["division"].queryset = divisions  # type: ignore[attr-defined]
        if len(divisions) < 2:
            del self.fields["division"]


class CeremonyForm(KeyedForm):
    stage = forms.ModelChoiceField(label=_("Standings"), queryset=Stage.objects.none(), empty_label=None)
    places = forms.IntegerField(
        label=_("Places revealed one by one"),
        min_value=1,
        max_value=MOST_PLACES,
        initial=8,
        help_text=_("The first press reveals all others together."),
    )

    def __init__(self, *args: Any, stages: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["stage"].queryset = stages  # type: ignore[attr-defined]
