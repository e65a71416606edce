"""A last hand typed by people, stored in the address, and the end of a stage.

``DEFAULTS`` hold for what an address leaves out.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from league.core.forms import (
    KeyedForm,
    TenthsField,
    TidyCharField,
    buttons_field,
    from_model,
    number_field,
    tick_field,
)
from league.core.messages import sheet_problem
from league.extras.needs.queries.hand import ALL, MOST_RIVALS, SEAT_NAMES, last_hand, turns
from league.extras.needs.rules import PLACE, RANK, TOTAL, Goal, Stakes
from league.extras.needs.words.hand import PLACE_GOALS, turn_words
from league.models import Stage
from scoring.checks import ERROR, check_sheet
from scoring.hanchan import Game
from scoring.hanchan.course import last_turn
from scoring.payments import DEPOSIT
from scoring.rules import Rules
from scoring.settlement import SEATS, Four
from scoring.units import parse_score

MOST_COUNTED: Final = 99
DEFAULTS: Final[Mapping[str, str]] = {"me": "0", "goal": "place-1", "honba": "0", "sticks": "0"}
GOALS: Final = (
    *((f"{PLACE}-{number}", words) for number, words in enumerate(PLACE_GOALS, 1)),
    (RANK, gettext_lazy("A rank in the standings")),
    (TOTAL, gettext_lazy("A total")),
)
_BETWEEN: Final = re.compile(r"[\s,、，;/]+")


class PointsField(forms.Field):
    """Points of a player, in hundreds or in full, or None if nothing was entered."""

    def to_python(self, value: object) -> int | None:
        text = unicodedata.normalize("NFKC", str(value or "")).replace(",", "").replace("ー", "-")
        try:
            return parse_score(text) // 10 if text.strip() else None
        except ValueError:
            raise ValidationError(
                _("Enter the points in hundreds or in full, for example 287 or 28,700.")
            ) from None


class TotalsField(TidyCharField):
    """Totals of several players, as tenths."""

    def clean(self, value: object) -> Any:
        texts = [text for text in _BETWEEN.split(super().clean(value)) if text]
        try:
            totals = [parse_score(text) for text in texts[: MOST_RIVALS + 1]]
        except ValueError:
            raise ValidationError(
                _("Enter totals with one decimal and a space between them, for example 45.2 30.1 -12.0.")
            ) from None
        if len(totals) > MOST_RIVALS:
            raise ValidationError(_("Enter at most %(most)s totals.") % {"most": MOST_RIVALS})
        return tuple(totals)


def _numbers() -> forms.TextInput:
    return forms.TextInput(attrs={"inputmode": "text", "autocomplete": "off"})


class NeedsForm(forms.Form):
    """A hand, the player who asks, and the goal. `words`: the winds of the seats in this hand.

    Seats have names (``n0`` to ``n3``), points (``p0``), riichi (``r0``) and totals before the game (``t0``).
    """

    use_required_attribute = False

    rules = forms.CharField(label=gettext_lazy("Rule set"), required=False, widget=forms.Select)
    at = forms.CharField(label=pgettext_lazy("one deal", "Hand"), required=False, widget=forms.Select)
    honba = number_field(gettext_lazy("Honba"), 0, MOST_COUNTED)
    sticks = number_field(gettext_lazy("Riichi deposits"), 0, MOST_COUNTED)
    me = buttons_field(gettext_lazy("Asked by"), ())
    goal = forms.ChoiceField(label=gettext_lazy("Goal"), choices=GOALS, required=False)
    rank = number_field(gettext_lazy("Rank"), 1, 9_999)
    total = TenthsField(label=gettext_lazy("Total"), required=False)
    alone = tick_field(gettext_lazy("A shared place or rank is not enough"))
    rivals = TotalsField(
        label=gettext_lazy("Totals of players at other tables"), required=False, widget=_numbers()
    )

    def __init__(
        self, typed: Mapping[str, str], key: str, rules: Rules, rule_sets: Iterable[tuple[str, str]]
    ) -> None:
        """``key``: that of the rule set in use, among ``rule_sets`` (key, name)."""
        every = turns(rules)
        at = typed.get("at", "")
        at = at if at in map(str, every) else str(last_turn(rules))
        super().__init__({**DEFAULTS, **typed, "rules": key, "at": at})
        self.under = rules
        self.dealer = int(at) % 4
        self.words = [str(SEAT_NAMES[(seat - self.dealer) % 4]) for seat in SEATS]
        winds = [(str(seat), word) for seat, word in enumerate(self.words)]
        self.fields["me"] = buttons_field(_("Asked by"), [*winds, (ALL, _("All four"))])
        self.fields["rules"].widget.choices = list(rule_sets)
        self.fields["at"].widget.choices = [(str(turn), turn_words(turn, rules)) for turn in every]
        for seat in SEATS:
            self.fields[f"n{seat}"] = TidyCharField(
                label=pgettext("of a person", "Name"), max_length=40, required=False
            )
            self.fields[f"p{seat}"] = PointsField(label=_("Points"), required=False, widget=_numbers())
            self.fields[f"r{seat}"] = tick_field(_("Riichi"))
            self.fields[f"t{seat}"] = TenthsField(label=_("Total before"), required=False)
        if rules.minutes is not None:
            self.fields["over"] = tick_field(_("The time is up, and no other hand follows"))
        if rules.multiple_ron != "head_bump":
            none = ("", pgettext("double ron", "not shown"))
            losers = [(seat, _("on a discard of %(player)s") % {"player": word}) for seat, word in winds]
            self.fields["double"] = forms.ChoiceField(
                label=_("Double ron"), choices=[none, *losers], required=False
            )

    @property
    def seats(self) -> list[dict[str, Any]]:
        return [
            {
                "seat": seat,
                "texts": [self[f"n{seat}"], self[f"p{seat}"]],
                "riichi": self[f"r{seat}"],
                "total": self[f"t{seat}"],
            }
            for seat in SEATS
        ]

    @property
    def has_standings(self) -> bool:
        names = ("rank", "total", "rivals", *(f"t{seat}" for seat in SEATS))
        return any(self.data.get(name) for name in names) or self.data["goal"] in {RANK, TOTAL}

    @property
    def is_empty(self) -> bool:
        return not any(self.data.get(f"p{seat}") for seat in SEATS)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if self.errors or self.is_empty:
            return data
        typed = [data.get(f"p{seat}") for seat in SEATS]
        most = max(abs(each or 0) for each in typed)
        unit = 100 if most * 100 <= 2 * self.under.total_points else 1
        points = [None if each is None else each * unit for each in typed]
        sticks = DEPOSIT * (data.get("sticks") or 0)
        for problem in check_sheet(points, sticks, self.under):
            if problem.level == ERROR:
                self.add_error(None, sheet_problem(problem, self.words))
        data["points"] = tuple(points)
        if data.get("goal") == TOTAL and data.get("total") is None:
            self.add_error("total", _("Enter the total that is needed."))
        return data

    # What was asked. Needs a valid form.

    @property
    def game(self) -> Game:
        data = self.cleaned_data
        points: Four = data["points"]
        return Game(
            rules=self.under,
            points=points,
            deposits=DEPOSIT * (data["sticks"] or 0),
            turn=int(data["at"]),
            honba=data["honba"] or 0,
            late=self.under.extra_hands - 1 if data.get("over") else None,
        )

    @property
    def riichi(self) -> tuple[int, ...]:
        return tuple(seat for seat in SEATS if self.cleaned_data[f"r{seat}"])

    def asked(self) -> dict[str, Any]:
        """Return the fields of `NeedsPanel`."""
        data = self.cleaned_data
        me = data["me"] or DEFAULTS["me"]
        kind, _dash, place = (data["goal"] or DEFAULTS["goal"]).partition("-")
        number = {PLACE: int(place or 0), RANK: data["rank"] or 1, TOTAL: data["total"]}[kind]
        east, south, west, north = (data[f"t{seat}"] or 0 for seat in SEATS)
        return {
            "hand": last_hand(self.game, self.riichi),
            "asking": SEATS if me == ALL else [int(me)],
            "names": [data[f"n{seat}"] or self.words[seat] for seat in SEATS],
            "goal": Goal(kind, number, kind != TOTAL and data["alone"]),
            "stakes": Stakes((east, south, west, north), data["rivals"]),
            "double": int(data["double"]) if data.get("double") else None,
        }


class StageEndForm(KeyedForm):
    """Numbers of a stage: its rounds, and the places of its cut."""

    rounds = from_model(Stage, "planned_rounds")
    places = from_model(Stage, "planned_cut")

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        initial = {"rounds": stage.planned_rounds, "places": stage.planned_cut}
        super().__init__(*args, **kwargs | {"initial": initial})
