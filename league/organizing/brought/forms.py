"""Forms of results that people bring: the list, and how it was read."""

from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.files.list_forms import ListFields, ListTextField, ReadingFields, choices_of_columns
from league.core.forms import DespiteFields, KeyedForm
from league.models import Stage
from league.organizing.brought.queries.numbers import DAY_FIRST, MONTH_FIRST
from players.text import validate_visible

FIELD_WORDS = {
    "": _("not used"),
    "day": _("Day"),
    "round": _("Round"),
    "table": _("Table"),
    "player": _("Player"),
    "points": _("Points"),
    "score": _("Score with uma, to compare"),
    "seat": pgettext_lazy("at a table", "Seat"),
    "sticks": _("Riichi deposits"),
    "across": _("Score of a round"),
    "total": _("Total"),
    "games": _("Number of games"),
}


class StageFields(forms.Form):
    """The stage in which the results are saved."""

    stage = forms.TypedChoiceField(label=_("Stage"))

    def __init__(self, *args: object, stages: Sequence[Stage], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        by_pk = {str(stage.pk): stage for stage in stages}
        field = cast("forms.TypedChoiceField", self.fields["stage"])
        field.coerce = by_pk.__getitem__
        field.choices = [(pk, f"{stage.division.name} · {stage.name}") for pk, stage in by_pk.items()]
        field.initial = next(iter(by_pk), None)
        if len(by_pk) < 2:
            field.widget = forms.HiddenInput()


class ResultsForm(ListFields, StageFields):
    MISSING = _("Paste the results, or choose a file.")

    text = ListTextField(
        label=_("Results"),
        required=False,
        widget=forms.Textarea(attrs={"rows": 12, "autofocus": True, "spellcheck": "false", "wrap": "off"}),
    )

    field_order = ("text", "file", "encoding", "stage")


class ResultsPreviewForm(ReadingFields, DespiteFields, KeyedForm, StageFields):
    """The list with the organizer's choices, which the server reads again."""

    FIRST_ROW = _("is a result")

    text = ListTextField(
        label=_("List"), widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "wrap": "off"})
    )
    order = forms.ChoiceField(
        label=_("Dates such as 3/4/2026"),
        required=False,
        choices=[(DAY_FIRST, _("begin with the day")), (MONTH_FIRST, _("begin with the month"))],
    )
    leave_out = forms.BooleanField(label=_("Leave out what has a problem"), required=False)
    note = forms.CharField(
        label=_("What these points are"),
        required=False,
        max_length=100,
        validators=[validate_visible],
        help_text=_("For example “Season 2025”. The page of each player shows it."),
    )

    def reading(self) -> dict[str, Any]:
        """Return how to read the text, as ``read_results`` takes it."""
        if not self.is_bound:
            return {}
        data = cast("QueryDict", self.data)
        order = data.get("order", "")
        order = order if order in (DAY_FIRST, MONTH_FIRST) else ""
        return {**super().reading(), "said": data.getlist("columns"), "order": order}

    def values(self) -> dict[str, Any]:
        return {name: value for name, value in super().values().items() if name != "read_as"}


class UndoForm(KeyedForm):
    """``entry``: the log's entry of what is undone."""

    entry = forms.IntegerField(widget=forms.HiddenInput)


def column_choices(columns: Sequence[tuple[str, str]]) -> list[tuple[str, list[tuple[str, Any, bool]]]]:
    return choices_of_columns(columns, FIELD_WORDS)
