import re
import unicodedata
from collections.abc import Collection, Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TidyCharField, date_field
from league.models import Stage
from league.people.members.queries import PlayerInfo
from scoring.units import WINDS

DRAWN, IN_ORDER = "drawn", "order"


class PlayForm(KeyedForm):
    play = forms.ChoiceField(label=_("Stage format"), choices=Stage.Play.choices, widget=forms.RadioSelect)


class NewTableForm(KeyedForm):
    date = date_field(_("Day"))
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

    @property
    def four(self) -> list[int]:
        return [self.cleaned_data[wind] for wind in WINDS]

    def clean(self) -> dict[str, Any]:
        if not self.errors and self._needed is not None and not self._needed & set(self.four):
            self.add_error(None, gettext("You can only create tables that you play at yourself."))
        return self.cleaned_data


def _label(info: PlayerInfo) -> str:
    return f"{info.name} ({info.romanized})" if info.romanized else info.name


class AmountField(forms.CharField):
    """An amount of money as a Decimal, or None: "8", "8.50", "8,50", "1,000" and "1.000,50"."""

    _AMOUNT = re.compile(r"([1-9][0-9]{0,2}(?:[.,’' ][0-9]{3})+|[0-9]+)(?:[.,]([0-9]{1,2}))?", re.ASCII)

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(required=False, max_length=20, widget=widget, **options)

    def clean(self, value: object) -> Any:
        text = unicodedata.normalize("NFKC", super().clean(value)).strip()
        if not text:
            return None
        typed = self._AMOUNT.fullmatch(text)
        amount = Decimal(f"{re.sub('[^0-9]', '', typed[1])}.{typed[2] or 0}") if typed else Decimal(-1)
        if not 0 <= amount < 10**6:
            raise forms.ValidationError(gettext("Enter an amount below one million, for example 8.50."))
        return amount


class PresenceForm(KeyedForm):
    entrant = forms.IntegerField(widget=forms.HiddenInput)
    act = forms.ChoiceField(choices=[(act, act) for act in ("come", "leave", "pay", "owe")])
    pays = forms.BooleanField(required=False, widget=forms.HiddenInput)


class FeeForm(KeyedForm):
    fee = AmountField(label=_("Table fee"))
    guest_fee = AmountField(
        label=_("Table fee of guests"), help_text=_("Leave empty if guests pay the same.")
    )


class GuestForm(KeyedForm):
    name = TidyCharField(
        label=_("Name of the guest"), max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
