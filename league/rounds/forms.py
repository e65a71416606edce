"""Forms of a round: made, opened and closed, published."""

import datetime
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm
from league.models import Round

HOW_TO_SEAT = [
    ("random", _("Draw seats at random")),
    ("same", _("Draw seats at random among the players of the round before")),
    ("hand", _("Seat by hand")),
    ("paste", _("Paste a seating")),
]


TEAMS = ("teams", _("Seat teams, and their players from the line-ups"))


class RoundForm(KeyedForm):
    number = forms.IntegerField(label=_("Number"), min_value=1, max_value=9999)
    date = forms.DateField(
        label=_("Date"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    how = forms.ChoiceField(label=_("Then"), required=False, widget=forms.RadioSelect, choices=HOW_TO_SEAT)

    def __init__(
        self, *args: Any, last: int, today: datetime.date, teams: bool = False, **kwargs: Any
    ) -> None:
        """``teams``: they name who plays, which is then the first choice."""
        initial = {"number": last + 1, "date": today, "how": TEAMS[0] if teams else "random"}
        super().__init__(*args, **kwargs | {"initial": initial})
        choices = [choice for choice in HOW_TO_SEAT if last or choice[0] != "same"]
        cast(forms.ChoiceField, self.fields["how"]).choices = [TEAMS, *choices] if teams else choices


class StatusForm(KeyedForm):
    """Open or close a round, and if wanted say in the same step what the public sees of it."""

    status = forms.ChoiceField(choices=[("open", "open"), ("close", "close")])
    visibility = forms.ChoiceField(choices=Round.Visibility.choices, required=False)


class VisibilityForm(KeyedForm):
    visibility = forms.ChoiceField(choices=Round.Visibility.choices)
