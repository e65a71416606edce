import datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.core.forms import FieldsOf, KeyedForm, KeyedModelForm, from_model
from league.models import Round

TEAMS, SAME = "teams", "same"
HOW_TO_SEAT = [
    (TEAMS, _("Seat teams, then their players from the line-ups")),
    ("random", _("Draw seats at random")),
    (SAME, _("Draw seats at random among the players of the previous round")),
    ("hand", _("Seat by hand")),
    ("paste", _("Paste seating")),
]


class RoundForm(KeyedModelForm):
    how = forms.ChoiceField(label=_("Then"), required=False, widget=forms.RadioSelect)

    class Meta(FieldsOf):
        model = Round
        fields = ("number", "date")

    def __init__(
        self, *args: Any, last: int, today: datetime.date, teams: bool = False, **kwargs: Any
    ) -> None:
        initial = {"number": last + 1, "date": today, "how": TEAMS if teams else "random"}
        super().__init__(*args, **kwargs | {"initial": initial})
        without = {*(() if teams else [TEAMS]), *(() if last else [SAME])}
        self.offer(how=((way, label) for way, label in HOW_TO_SEAT if way not in without))

    def values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("number", "date")}


class StatusForm(KeyedForm):
    """Starts, reopens or closes a round, or takes its start back. Can set its visibility in the same step.

    `sure`: the organizer has answered the question.
    """

    status = forms.ChoiceField(
        choices=[(each, each) for each in ("open", "close", "plan")], widget=forms.HiddenInput
    )
    sure = forms.BooleanField(required=False, widget=forms.HiddenInput)
    visibility = from_model(Round, "visibility", required=False, widget=forms.HiddenInput)


class PublishForm(KeyedForm):
    round = forms.ModelMultipleChoiceField(Round.objects.none(), widget=forms.MultipleHiddenInput)

    def __init__(self, data: Any, *, rounds: QuerySet[Round]) -> None:
        super().__init__(data)
        field = self.fields["round"]
        assert isinstance(field, forms.ModelMultipleChoiceField)
        field.queryset = rounds

    def values(self) -> dict[str, Any]:
        return {"rounds": self.cleaned_data["round"]}


class VisibilityForm(KeyedForm):
    visibility = from_model(Round, "visibility", widget=forms.HiddenInput)
