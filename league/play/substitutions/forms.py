from collections.abc import Iterable, Sequence
from copy import copy
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.forms import KeyedForm, TenthsField, TidyCharField, from_model, reason_field
from league.models import Adjustment, Round, Seat
from league.play.substitutions.services.swaps import FOLLOW, STAY
from scoring.units import decimal_text

Options = list[tuple[str, Any]]


def _yes_or_no(**options: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(coerce=lambda text: text == "1", **options)


def _absent_score() -> TenthsField:
    return TenthsField(
        label=_("Score of the absent player"),
        error_messages={"required": _("Enter the absent player’s score for the round: 0 for nothing.")},
    )


class SeatForm(KeyedForm):
    """A form about one seat. ``seen``: the player and the absent player when the page was opened."""

    seen = forms.RegexField(r"\A[0-9]{1,18}-[0-9]{0,18}\Z", widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, seat: Seat, initial: Any = None, **options: Any) -> None:
        self._seat = seat
        seen = {"seen": f"{seat.player_id}-{seat.stands_for_id or ''}"}
        super().__init__(data, initial=seen | (initial or {}), **options)

    def values(self) -> dict[str, Any]:
        """Return the seat as the person saw it. The service compares it with the current seat."""
        values, seat = super().values(), copy(self._seat)
        player, _dash, absent = values.pop("seen").partition("-")
        seat.player_id, seat.stands_for_id = int(player), int(absent) if absent else None
        return values | {"seat": seat}


class SubstituteForm(SeatForm):
    substitute = forms.TypedChoiceField(
        label=_("Substitute"), error_messages={"required": _("Choose the substitute.")}, coerce=int
    )
    late = _yes_or_no(
        label=_("Arrival of the substitute"),
        choices=[
            ("0", _("before the start: the result counts for the places and uma of the others")),
            ("1", _("after the start: the substitute takes last place, and the others move up")),
        ],
        widget=forms.RadioSelect,
        initial="0",
    )
    score = _absent_score()
    onwards = forms.BooleanField(label=_("Also in later rounds, until the player is back"), required=False)
    reason = reason_field()

    def __init__(self, *args: Any, people: Options, suggested: int | None, **options: Any) -> None:
        """``people``: choices in groups. ``suggested``: tenths that the rules give the absent player."""
        given = {} if suggested is None else {"score": decimal_text(suggested)}
        super().__init__(*args, initial=given, **options)
        self.offer(substitute=[("", ""), *people])
        self.fields["score"].help_text = (
            _("The rules say −15,000 points and −15,000 uma (EMA 2025, 7.3).")
            if given
            else _("The rules do not mention it. You decide, for example -30 or 0.")
        )


class NoShowForm(KeyedForm):
    """A no-show. ``seat``: its id, player and absent player when the page was opened."""

    seat = forms.RegexField(
        r"\A[0-9]{1,18}-[0-9]{1,18}-[0-9]{0,18}\Z",
        label=_("Who is missing?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose the missing player.")},
    )
    name = TidyCharField(
        label=_("Substitute"),
        max_length=120,
        required=False,
        help_text=_("A player of the list, or a new name. Leave empty to forfeit the table."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "free"}),
    )
    onwards = _yes_or_no(
        label=_("For which rounds"),
        choices=[("0", _("this round")), ("1", _("this and later rounds, until the player is back"))],
        widget=forms.RadioSelect,
        initial="0",
    )
    score = _absent_score()
    reason = reason_field()

    def __init__(
        self,
        data: Any = None,
        *,
        seats: Sequence[tuple[Seat, str]],
        suggested: int | None,
        missing: int | None,
        **options: Any,
    ) -> None:
        """``seats``: with the names of their players. ``missing``: the id of one of the seats."""
        given = {"score": decimal_text(suggested or 0), "reason": gettext("did not come")}
        super().__init__(data, initial=given, **options)
        codes = {seat.pk: f"{seat.pk}-{seat.player_id}-{seat.stands_for_id or ''}" for seat, _name in seats}
        self.fields["seat"].widget.choices = [(codes[seat.pk], name) for seat, name in seats]
        self.initial["seat"] = codes.get(missing or 0)

    def clean_seat(self) -> Seat:
        pk, player, absent = self.cleaned_data["seat"].split("-")
        return Seat(pk=int(pk), player_id=int(player), stands_for_id=int(absent) if absent else None)


class ForfeitForm(SeatForm):
    score = _absent_score()
    others = TenthsField(
        label=_("Score of the other three"), required=False, help_text=_("Leave empty for nothing.")
    )
    reason = reason_field()


class ReturnForm(SeatForm):
    onwards = forms.BooleanField(label=_("Also in later rounds without a result"), required=False)
    reason = reason_field()


class RoundStateForm(KeyedForm):
    """A form about a round. ``based_on``: the ``round_state`` when the page was opened."""

    based_on = forms.CharField(widget=forms.HiddenInput, max_length=64)


class SwapForm(RoundStateForm):
    player = forms.TypedChoiceField(
        label=_("First player"), error_messages={"required": _("Choose a player.")}, coerce=int
    )
    other_player = forms.TypedChoiceField(
        label=_("Second player"), error_messages={"required": _("Choose a player.")}, coerce=int
    )
    penalties = forms.ChoiceField(
        label=_("Penalties logged at these tables"),
        required=False,
        choices=[
            (FOLLOW, _("move with the player: the right person was named")),
            (STAY, _("stay with the seat: they were meant for the player who actually sat there")),
        ],
        widget=forms.RadioSelect,
    )
    hands = forms.ChoiceField(
        required=False, choices=[(each, each) for each in ("", FOLLOW, STAY)], widget=forms.HiddenInput
    )
    reason = reason_field(_("For example “sat at each other’s tables”. Kept with the round."))

    def __init__(self, *args: Any, people: Options, with_penalties: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.offer(player=[("", ""), *people], other_player=[("", ""), *people])
        if not with_penalties:
            del self.fields["penalties"]


class ExchangeForm(RoundStateForm):
    table = forms.TypedChoiceField(label=_("First table"), coerce=int)
    other_table = forms.TypedChoiceField(label=_("Second table"), coerce=int)
    reason = reason_field(_("For example “entered at the wrong table”."))

    def __init__(self, *args: Any, numbers: Iterable[int], **options: Any) -> None:
        super().__init__(*args, **options)
        tables = [("", ""), *((number, number) for number in numbers)]
        self.offer(table=tables, other_table=tables)


class AdjustmentForm(KeyedForm):
    round = forms.TypedChoiceField(
        label=_("Round"), error_messages={"required": _("Choose the missed round.")}, coerce=int
    )
    kind = from_model(
        Adjustment,
        "kind",
        label=_("Reason"),
        choices=[(kind, kind.label) for kind in (Adjustment.Kind.ABSENT, Adjustment.Kind.SAT_OUT)],
        widget=forms.Select,
    )
    score = from_model(
        Adjustment,
        "score",
        form_class=TenthsField,
        error_messages={"required": _("Enter an amount, for example -30.")},
    )
    reason = reason_field()

    def __init__(self, *args: Any, rounds: Iterable[Round], **options: Any) -> None:
        super().__init__(*args, **options)
        self._rounds = {round_.pk: round_ for round_ in rounds}
        groups: dict[str, list[tuple[int, str]]] = {}
        for pk, round_ in self._rounds.items():
            heading = f"{round_.stage.division.name} · {round_.stage.name}"
            groups.setdefault(heading, []).append((pk, _("Round %(number)s") % {"number": round_.number}))
        self.offer(round=[("", ""), *groups.items()])

    def values(self) -> dict[str, Any]:
        values = super().values()
        round_ = self._rounds[values.pop("round")]
        return values | {"round_": round_, "stage": round_.stage}


class RevokeAdjustmentForm(KeyedForm):
    reason = reason_field()


class PoolForm(KeyedForm):
    is_substitute = _yes_or_no(choices=[("1", "1"), ("0", "0")])
