from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import FieldsOf, KeyedForm, KeyedModelForm, from_model
from league.models import Round, Stage
from league.people.members.queries import PlayerInfo
from scoring.units import WINDS

DRAWN, IN_ORDER = "drawn", "order"


class PlayForm(KeyedModelForm):
    class Meta(FieldsOf):
        model = Stage
        fields = ("play",)


class NewTableForm(KeyedForm):
    date = from_model(Round, "date", label=_("Day"), required=True)
    winds = forms.ChoiceField(
        label=_("Seats"),
        choices=[(DRAWN, _("Draw the winds now")), (IN_ORDER, _("In the order entered, East first"))],
        initial=DRAWN,
        widget=forms.RadioSelect,
    )

    def __init__(
        self, *args: Any, players: Sequence[PlayerInfo], mine: Collection[int], only_mine: bool, **kwargs: Any
    ) -> None:
        """`mine`: the linked players of this person, one of whom has to play if `only_mine`."""
        super().__init__(*args, **kwargs)
        self._needed = set(mine) if only_mine else None
        labels = {info.player: _label(info) for info in players}
        first = next((player for player in sorted(mine) if player in labels), None)
        for index, wind in enumerate(WINDS):
            self.fields[wind] = forms.TypedChoiceField(
                label=_("Player %(number)s") % {"number": index + 1},
                choices=[("", "–"), *labels.items()],
                coerce=int,
                initial=first if index == 0 else None,
                error_messages={"required": _("Choose a player.")},
            )
        self.order_fields([*WINDS, "winds", "date"])

    def values(self) -> dict[str, Any]:
        typed = self.cleaned_data
        return {"four": self._four(), "on": typed["date"], "draws_winds": typed["winds"] == DRAWN}

    def _four(self) -> list[int]:
        return [self.cleaned_data[wind] for wind in WINDS]

    def clean(self) -> dict[str, Any]:
        if not self.errors and self._needed is not None and not self._needed & set(self._four()):
            self.add_error(None, gettext("You can only create tables that you play at yourself."))
        return self.cleaned_data


def _label(info: PlayerInfo) -> str:
    return f"{info.name} ({info.romanized})" if info.romanized else info.name
