"""What an organizer says of people in motion: substitutes, absences, seats and results to be mended."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TenthsField, reason_field
from league.models import Adjustment
from league.substitutions.services.swaps import FOLLOW, STAY
from scoring.units import decimal_text

SEEN = r"\A[0-9]{1,18}-[0-9]{0,18}\Z"

BEFORE, AFTER = "before", "after"  # the start

Options = list[tuple[str, Any]]


class SeatForm(KeyedForm):
    """Something about one seat; ``seen`` is who sat there, and for whom, when the page was opened."""

    seen = forms.RegexField(SEEN, widget=forms.HiddenInput)

    @property
    def seated(self) -> tuple[int, int | None]:
        """Player ids: who was in the seat, and for whom; only of a valid form."""
        player, _dash, absent = self.cleaned_data["seen"].partition("-")
        return int(player), int(absent) if absent else None


class SubstituteForm(SeatForm):
    """Somebody sits for the player."""

    substitute = forms.ChoiceField(
        label=_("Who sits down?"), error_messages={"required": _("Choose the substitute.")}
    )
    came = forms.ChoiceField(
        label=_("When did the substitute come?"),
        choices=[
            (BEFORE, _("before the start: the result counts for the places and the uma of the others")),
            (
                AFTER,
                _("after the start: the substitute takes last place, and the others take those before it"),
            ),
        ],
        widget=forms.RadioSelect,
        initial=BEFORE,
    )
    score = TenthsField(
        label=_("The absent player gets"),
        error_messages={"required": _("Say what the absent player gets for the round: 0 for nothing.")},
    )
    onwards = forms.BooleanField(label=_("In the later rounds too, until the player is back"), required=False)
    reason = reason_field()

    def __init__(self, *args: Any, people: Options, suggested: int | None, **options: Any) -> None:
        if suggested is not None:
            options.setdefault("initial", {"score": decimal_text(suggested)})
        super().__init__(*args, **options)
        field = self.fields["substitute"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", ""), *people]
        self.fields["score"].help_text = (
            _("The rule book asks for this: −15,000 points and −15,000 of uma (EMA 2025, 7.3).")
            if suggested is not None
            else _("The rule book does not say: you decide, for example -30 or 0.")
        )


class ForfeitForm(SeatForm):
    """Nobody plays for somebody who did not come."""

    score = TenthsField(
        label=_("The absent player gets"),
        error_messages={"required": _("Say what the absent player gets for the round: 0 for nothing.")},
    )
    others = TenthsField(
        label=_("The other three get"), required=False, help_text=_("Nothing, if this stays empty.")
    )
    reason = reason_field()


class ReturnForm(SeatForm):
    """The player is back."""

    onwards = forms.BooleanField(
        label=_("In the later rounds too, as far as they have no result"), required=False
    )
    reason = reason_field()


class MendForm(KeyedForm):
    """A round is mended; ``based_on`` is the state of it that the person saw."""

    based_on = forms.CharField(widget=forms.HiddenInput, max_length=64)


class SwapForm(MendForm):
    """Two players change seats. Players come as groups, one a table."""

    one = forms.ChoiceField(label=_("This player"), error_messages={"required": _("Choose a player.")})
    other_player = forms.ChoiceField(
        label=_("changes seats with"), error_messages={"required": _("Choose a player.")}
    )
    penalties = forms.ChoiceField(
        label=_("Penalties that they got at these tables"),
        required=False,
        choices=[
            (FOLLOW, _("follow the player: the right person was named")),
            (STAY, _("stay with the seat: they were logged for whoever really sat there")),
        ],
        widget=forms.RadioSelect,
    )
    reason = reason_field(_("For example “sat at each other’s table”. It stays with the round."))

    def __init__(self, *args: Any, people: Options, with_penalties: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("one", "other_player"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", ""), *people]
        if not with_penalties:
            del self.fields["penalties"]

    @property
    def players(self) -> tuple[int, int]:
        return int(self.cleaned_data["one"]), int(self.cleaned_data["other_player"])


class ExchangeForm(MendForm):
    """Two tables exchange their results."""

    table = forms.ChoiceField(label=_("The result of table"))
    other_table = forms.ChoiceField(label=_("belongs to table"))
    reason = reason_field(_("For example “typed at the wrong table”."))

    def __init__(self, *args: Any, numbers: list[int], **options: Any) -> None:
        super().__init__(*args, **options)
        for name in ("table", "other_table"):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", ""), *((str(number), str(number)) for number in numbers)]

    @property
    def tables(self) -> tuple[int, int]:
        return int(self.cleaned_data["table"]), int(self.cleaned_data["other_table"])


class AdjustmentForm(KeyedForm):
    """Points for a round that the player did not play; ``rounds`` are (id, words)."""

    round = forms.ChoiceField(
        label=_("Round"), error_messages={"required": _("Choose the round that was missed.")}
    )
    kind = forms.ChoiceField(
        label=_("Why"),
        choices=[
            (Adjustment.Kind.ABSENT, Adjustment.Kind.ABSENT.label),
            (Adjustment.Kind.SAT_OUT, Adjustment.Kind.SAT_OUT.label),
        ],
    )
    score = TenthsField(
        label=_("Score"),
        help_text=_("With one decimal at most, for example -30 or 2.5."),
        error_messages={"required": _("Say how much: for example -30.")},
    )
    reason = reason_field()

    def __init__(self, *args: Any, rounds: Options, **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["round"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", ""), *rounds]


class RevokeForm(KeyedForm):
    """An adjustment is taken back."""

    reason = reason_field()


class PoolForm(KeyedForm):
    """A player becomes a substitute, or a substitute a player."""

    substitute = forms.TypedChoiceField(choices=[("1", "1"), ("0", "0")], coerce=lambda text: text == "1")
