"""Score sheets as people type them: points in hundreds (`287` is 28,700) or in full, deposits as sticks."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.forms import KeyedForm, TidyCharField, from_model
from league.core.messages import chips_problem, sheet_problem
from league.models import Seat, Sheet
from league.people.members.queries import Finder
from scoring.checks import SheetProblem, check_hands, check_sheet
from scoring.hanchan import Game
from scoring.rules import LAST_DEALER, Rules
from scoring.settlement import NORTH, Ending, Four, named_pairs
from scoring.units import WINDS

STICK = 1000

_NUMBER = re.compile(r"[+-]?[0-9]{1,6}", re.ASCII)
# NFKC turns full-width digits and － into ASCII; ー is what the minus key of a Japanese keyboard gives.
_MINUS_SIGNS = str.maketrans(dict.fromkeys("▲△−–‐‒ー", "-"))


def parse_number(text: str) -> int:
    """Parse "287", "-52", "−52", "▲52" or "２８７". Raise ValueError for anything else."""
    plain = unicodedata.normalize("NFKC", text).strip().translate(_MINUS_SIGNS)
    if not _NUMBER.fullmatch(plain):
        raise ValueError(f"not a whole number of at most six digits: {text!r}")
    return int(plain)


def in_hundreds(points: int) -> str:
    """Return points as a person types them: 28700 is "287", −5200 is "-52"."""
    return str(points // 100)


def understand(hundreds: Sequence[int | None], total: int) -> list[int | None]:
    """Convert scores typed in hundreds or in points to hundreds. ``total``: the hundreds on the table."""
    typed = [number for number in hundreds if number is not None]
    whole = all(number % 100 == 0 for number in typed)
    large = {number for number in typed if abs(number) > 2 * total and number % 100 == 0}
    return [
        number // 100 if number is not None and ((whole and large) or number in large) else number
        for number in hundreds
    ]


class WholeNumberField(forms.Field):
    """A whole number for `parse_number`, times `unit`, or None if nothing was typed."""

    def __init__(self, *, unit: int, **options):
        super().__init__(required=False, **options)
        self.unit = unit

    def to_python(self, value: object) -> int | None:
        if value in self.empty_values or not str(value).strip():
            return None
        try:
            return parse_number(str(value)) * self.unit
        except ValueError:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None


class PlayersField(forms.Field):
    """The ids of the players on the page, by wind: "12-7-3-31"."""

    widget = forms.HiddenInput

    def __init__(self, **options):
        super().__init__(required=False, **options)

    def to_python(self, value: object) -> list[int]:
        if not re.fullmatch(r"[0-9]{1,18}(-[0-9]{1,18}){0,3}|", str(value or ""), re.ASCII):
            raise ValidationError(_("This page is incomplete. Open it again."), code="invalid")
        return [int(part) for part in str(value or "").split("-") if part]


def _points_field() -> WholeNumberField:
    return WholeNumberField(
        unit=100,
        error_messages={
            "invalid": gettext_lazy(
                "Enter the score in hundreds, digits only: 287 for 28,700, -52 for −5,200."
            )
        },
    )


def ending_fields(rules: Rules) -> dict[str, forms.ChoiceField]:
    """Return the choices for the last dealer and the seats that were named, if the rules ask for them."""
    fields = {}
    seats = [(str(seat), str(word)) for seat, word in Seat.Wind.choices]
    if rules.tie_rule == LAST_DEALER:
        label = _("Dealer of the last hand")
        fields["last_dealer"] = forms.ChoiceField(
            label=label, choices=seats, initial=str(NORTH), required=False
        )
    if rules.sashiuma is not None:
        for seat, (wind, (_seat, wind_word)) in enumerate(zip(WINDS, seats, strict=True)):
            label = _("Sashiuma: %(wind)s named") % {"wind": wind_word}
            others = [("", _("no one")), *seats[:seat], *seats[seat + 1 :]]
            fields[f"{wind}_named"] = forms.ChoiceField(
                label=label, choices=others, initial="", required=False
            )
    return fields


def chip_fields(rules: Rules) -> list[str]:
    return [] if rules.chip_value is None else [f"{wind}_chips" for wind in WINDS]


class WithEnding(forms.Form):
    """A form with inputs for the ending, if the rules ask for it. Read its properties only if it is valid."""

    def __init__(self, *args, rules: Rules, **options):
        super().__init__(*args, **options)
        self.rules = rules
        self.fields |= ending_fields(rules)
        for name in chip_fields(rules):
            self.fields[name] = WholeNumberField(
                unit=1, error_messages={"invalid": _("Enter chips as whole numbers: 3, 0, -2.")}
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        typed = [cleaned.get(wind) for wind in WINDS]
        hundreds = [None if points is None else points // 100 for points in typed]
        for wind, number in zip(WINDS, understand(hundreds, self.rules.total_points // 100), strict=True):
            if number is not None:
                cleaned[wind] = number * 100
        return cleaned

    @property
    def last_dealer(self) -> int:
        return int(self.cleaned_data.get("last_dealer") or NORTH)

    @property
    def sashiuma(self) -> dict[int, int]:
        named = {seat: self.cleaned_data.get(f"{wind}_named") for seat, wind in enumerate(WINDS)}
        return {seat: int(target) for seat, target in named.items() if target}

    @property
    def chips(self) -> Four:
        east, south, west, north = (self.cleaned_data.get(f"{wind}_chips") or 0 for wind in WINDS)
        return east, south, west, north


class SeenSheetForm(KeyedForm):
    based_on = forms.IntegerField(min_value=0, widget=forms.HiddenInput)


class SheetForm(WithEnding, SeenSheetForm):
    """One table's score sheet. Cleaned points and deposits are in points.

    An error belongs to its seat or to the whole form. Unusual values are in `warnings` and block until `sure`
    names exactly them, so that a tick for one number never covers another. `is_refused`: the service refused
    the valid form.
    """

    number = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    seated = PlayersField()
    east, south, west, north = (_points_field() for _wind in WINDS)
    sticks = WholeNumberField(
        unit=STICK,
        error_messages={
            "invalid": gettext_lazy("Enter the number of riichi sticks left on the table: 0, 1, 2 …")
        },
    )
    reason = from_model(Sheet, "reason")
    sure = forms.CharField(required=False, max_length=400)

    def __init__(self, *args, game: Game | None = None, **options):
        """``game``: the hands that the table kept, whose contradictions need a tick."""
        super().__init__(*args, **options)
        self.game = game
        self.warnings: list[SheetProblem] = []
        self.is_refused = False

    @property
    def points(self) -> list[int]:
        return [self.cleaned_data[wind] for wind in WINDS]

    @property
    def deposits(self) -> int:
        return self.cleaned_data["sticks"] or 0

    @property
    def ending(self) -> Ending:
        return Ending(self.deposits, self.last_dealer, named_pairs(self.sashiuma), self.chips)

    def values(self) -> dict[str, Any]:
        return {
            "points": self.points,
            "sticks": self.deposits,
            "last_dealer": self.last_dealer,
            "sashiuma": self.sashiuma,
            "chips": self.chips,
            **self._base(),
        }

    def facts(self) -> dict[str, Any]:
        """Return the values with the end of the game as one of them."""
        return {"points": self.points, "ending": self.ending, **self._base()}

    def _base(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("based_on", "seated", "reason")}

    def clean(self):
        super().clean()
        typed = [self.cleaned_data.get(wind) for wind in WINDS]
        problems = check_sheet(typed, self.cleaned_data.get("sticks") or 0, self.rules)
        for problem in problems:
            if problem.level == "error":
                self._add(problem)
        if sum(self.chips):
            self.add_error("north_chips", chips_problem(self.chips))
        self.warnings = [problem for problem in problems if problem.level == "warning"]
        if not self.errors:
            self.warnings += check_hands(typed, self.ending, self.game)
        if self.warnings and self.cleaned_data.get("sure") != fingerprint(self.warnings):
            self.add_error(
                "sure", _("If it is correct, tick the box and save again. Otherwise, correct the number.")
            )
        return self.cleaned_data

    def _add(self, problem: SheetProblem) -> None:
        if problem.seat is None:
            field = "sticks" if problem.code.startswith("sticks") else None
            self.add_error(field, sheet_problem(problem))
        elif WINDS[problem.seat] not in self.errors:
            # At the seat's own field, so without the wind in front.
            alone = SheetProblem(problem.code, problem.level, None, problem.params)
            self.add_error(WINDS[problem.seat], sheet_problem(alone))


class SlipForm(SheetForm):
    """A slip of paper: players and points. ``near``: players whose names are tried first."""

    number = forms.IntegerField(required=False, widget=forms.HiddenInput)
    based_on = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name_east, name_south, name_west, name_north = (
        TidyCharField(max_length=200, error_messages={"required": gettext_lazy("Enter the player’s name.")})
        for _wind in WINDS
    )

    def __init__(self, *args, finder: Finder, near: Collection[int], **options):
        super().__init__(*args, **options)
        self._finder, self._near = finder, near

    def clean(self):
        super().clean()
        self.four: list[int] = []
        for wind in WINDS:
            if typed := self.cleaned_data.get(f"name_{wind}"):
                try:
                    self.four.append(self._finder.guess(typed, self._near))
                except ValidationError as error:
                    self.add_error(f"name_{wind}", error)
        return self.cleaned_data

    def values(self) -> dict[str, Any]:
        names = ("points", "sticks", "last_dealer", "sashiuma", "chips")
        said = {name: super(SlipForm, self).values()[name] for name in names}
        return {"four": self.four, **said}


def fingerprint(warnings: list[SheetProblem]) -> str:
    """Identify the unusual values that a tick confirms: their codes, seats and numbers."""
    return "|".join(f"{w.code}.{w.seat}.{'.'.join(map(str, w.params.values()))}" for w in warnings)


class SheetPreviewForm(WithEnding):
    east, south, west, north = (_points_field() for _wind in WINDS)
    sticks = WholeNumberField(unit=STICK, error_messages={"invalid": ""})
    number = forms.IntegerField(min_value=0, max_value=2**31 - 1, required=False)  # the table's


class AnswerForm(KeyedForm):
    """A signature or an objection of a seat. ``wind`` is empty for staff. Staff give a ``reason``."""

    proposal = forms.IntegerField(min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)
    wind = forms.TypedChoiceField(
        choices=[("", "–"), *Seat.Wind.choices], coerce=int, empty_value=None, required=False
    )
    reason = from_model(Sheet, "reason")


class ApproveForm(KeyedForm):
    """``proposals``: their ids, separated by hyphens."""

    proposals = forms.RegexField(r"^[0-9]{1,18}(-[0-9]{1,18})*$", max_length=20_000, widget=forms.HiddenInput)
    despite_hands = forms.BooleanField(required=False)

    @property
    def accepts_difference(self) -> bool:
        """Return whether somebody who saw the difference from the hands approves this one sheet."""
        return self.cleaned_data["despite_hands"] and len(self.ids()) == 1

    def ids(self) -> list[int]:
        return [int(each) for each in self.cleaned_data["proposals"].split("-")]


class VoidForm(SeenSheetForm):
    reason = from_model(
        Sheet,
        "reason",
        required=True,
        error_messages={"required": gettext_lazy("Give a reason for voiding the result.")},
    )
