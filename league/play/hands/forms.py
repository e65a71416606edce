import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.forms import KeyedForm
from league.models import HandEntry
from league.play.hands.words.problems import abort_reason, log_problem
from league.play.hands.words.results import value_words
from league.rules.rule_sets.words.yaku import yaku_name
from scoring.hanchan import Hand, Ron, Tsumo
from scoring.hanchan.facts import PASSED, RON, TSUMO, WON
from scoring.hand_log import CORRECT, HAND, INSERT, NAME, RIICHI, START, STEP
from scoring.kinds import PAO_YAKU
from scoring.payments import HandValue, Win
from scoring.rules import Rules
from scoring.score_table import possible_values

MOST_FACTS: Final = 4000  # characters
MOST_AGO: Final = 12 * 3600  # seconds
OUTCOMES: Final = (
    (RON, _("Ron")),
    (TSUMO, _("Tsumo")),
    ("draw", pgettext_lazy("hand", "Draw")),
    ("nagashi", _("Nagashi mangan")),
    ("abort", _("Abortive draw")),
    ("chombo", _("Chombo")),
    ("scores", _("Only the scores are known")),
)
WINS: Final = ("", "_2", "_3")  # endings of the fields of each winner


def _seat(label: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, required=False, coerce=int, empty_value=None)


def _seats(label: Any) -> forms.TypedMultipleChoiceField:
    widget = forms.CheckboxSelectMultiple
    return forms.TypedMultipleChoiceField(label=label, required=False, coerce=int, widget=widget)


def _points(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, required=False, min_value=-1_000_000, max_value=1_000_000)


class HandForm(KeyedForm):
    """An entry of the log: `facts` in JSON from a script, or the plain fields of a hand, of riichi, and of
    the points at the start. The services check them.

    `ago`: seconds since the press. `target` and `after`: numbers or keys. `kept`: the facts of the hand to
    correct, for which there is no field.
    """

    kind = forms.ChoiceField(choices=HandEntry.Kind, widget=forms.HiddenInput, initial=HAND)
    based_on = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    target = forms.CharField(max_length=36, required=False, widget=forms.HiddenInput)
    after = forms.UUIDField(required=False, widget=forms.HiddenInput)
    ago = forms.IntegerField(min_value=0, required=False, widget=forms.HiddenInput)
    facts = forms.CharField(max_length=MOST_FACTS, required=False, widget=forms.HiddenInput)
    outcome = forms.ChoiceField(label=_("Result"), choices=OUTCOMES, required=False)
    winner = _seat(_("Winner"))
    value = forms.ChoiceField(label=_("Value"), required=False)
    liable = _seat(_("Liable player (pao)"))
    liable_yaku = forms.ChoiceField(label=_("Liable for"), required=False)
    loser = _seat(_("Discarder"))
    winner_2 = _seat(_("Second winner"))
    value_2 = forms.ChoiceField(label=_("Value of the second winner"), required=False)
    winner_3 = _seat(_("Third winner"))
    value_3 = forms.ChoiceField(label=_("Value of the third winner"), required=False)
    riichi = _seats(_("Riichi"))
    tile_won = forms.BooleanField(label=_("The discarder’s riichi tile was won on"), required=False)
    tenpai = _seats(_("Tenpai"))
    nagashi = _seats(_("Nagashi mangan"))
    noten_riichi = _seats(_("Riichi without tenpai"))
    abort = forms.ChoiceField(label=_("Abortive draw"), required=False)
    chombo = _seats(_("Chombo"))
    points_0, points_1, points_2, points_3 = (_points("") for _seat_number in range(4))
    deposits = forms.IntegerField(
        label=_("Riichi deposits"), required=False, min_value=0, max_value=1_000_000
    )
    stays = forms.BooleanField(label=_("The dealer stays"), required=False)
    bell = forms.BooleanField(label=_("The time ran out during this hand"), required=False)
    how = forms.CharField(max_length=10, required=False, widget=forms.HiddenInput)
    hand = forms.CharField(max_length=12, required=False, widget=forms.HiddenInput)

    def __init__(
        self,
        *args: Any,
        rules: Rules,
        names: Sequence[str],
        kept: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.rules, self.kept = rules, kept or {}
        seats = list(enumerate(names))
        values = [("", "–"), *((code, value_words(value)) for code, value in values_of(rules).items())]
        reasons = [*rules.abortive_draws, *(["sanchahou"] if rules.multiple_ron == "triple_aborts" else [])]
        everyone = [("", "–"), *seats]
        pao = [("", "–"), *((yaku, yaku_name(yaku)) for yaku in PAO_YAKU)]
        self.offer(
            **dict.fromkeys(("winner", "winner_2", "winner_3", "loser", "liable"), everyone),
            **dict.fromkeys(("value", "value_2", "value_3"), values),
            **dict.fromkeys(("riichi", "tenpai", "nagashi", "noten_riichi", "chombo"), seats),
            liable_yaku=pao,
            abort=[("", "–"), *((code, abort_reason(code)) for code in reasons)],
        )
        for seat, name in seats:
            self.fields[f"points_{seat}"].label = name

    def clean_ago(self) -> int:
        return min(self.cleaned_data["ago"] or 0, MOST_AGO)

    def clean_target(self) -> int | uuid.UUID | None:
        typed = self.cleaned_data["target"]
        if typed.isascii() and typed.isdigit() and len(typed) < 10:
            return int(typed)
        try:
            return uuid.UUID(typed) if typed else None
        except ValueError:
            raise forms.ValidationError(log_problem("target")) from None

    def clean_facts(self) -> dict[str, Any] | None:
        if not self.cleaned_data["facts"]:
            return None
        try:
            facts = json.loads(self.cleaned_data["facts"])
        except (ValueError, RecursionError):
            facts = None
        if not isinstance(facts, dict):
            raise forms.ValidationError(log_problem("malformed"))
        return facts

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("facts") is None and not self.errors:
            data["facts"] = self._facts(data)
        return data

    def _facts(self, data: dict[str, Any]) -> dict[str, Any]:
        points = [data[f"points_{seat}"] or 0 for seat in range(4)]
        kind = data["kind"]
        if kind in (HAND, INSERT, CORRECT):
            riichi = [
                {"seat": seat, "tile": WON if data["tile_won"] and seat == data["loser"] else PASSED}
                for seat in data["riichi"]
            ]
            entered = {"outcome": self._outcome(data, points), "riichi": riichi, "bell": data["bell"]}
            return {**self.kept, **entered}
        hand = {"hand": data["hand"]} if data["hand"] else {}
        return {
            RIICHI: {"seats": data["riichi"]},
            STEP: {"how": data["how"]},
            NAME: hand,
            START: {"points": points, "deposits": data["deposits"] or 0, **hand},
        }.get(kind, {})

    def _outcome(self, data: dict[str, Any], points: list[int]) -> dict[str, Any]:
        """Return the JSON of the outcome. What is missing is missing there, too."""
        shown = {"tenpai": data["tenpai"], "noten_riichi": data["noten_riichi"]}
        wins = list(self._wins(data))
        kind = data["outcome"]
        parts: dict[str, dict[str, Any]] = {
            RON: {"wins": wins, **({} if data["loser"] is None else {"loser": data["loser"]})},
            TSUMO: {"win": wins[0]} if wins else {},
            "draw": shown,
            "nagashi": {"seats": data["nagashi"], **shown},
            "abort": {"reason": data["abort"]},
            "chombo": {"seats": data["chombo"]},
            "scores": {
                "points": points,
                "dealer_repeats": data["stays"],
                "winners": [win["winner"] for win in wins],
            },
        }
        return {"kind": kind, **parts.get(kind, {})}

    def _wins(self, data: dict[str, Any]) -> Iterator[dict[str, Any]]:
        values = values_of(self.rules)
        for ending in WINS:
            winner, code = data[f"winner{ending}"], data[f"value{ending}"]
            if winner is None:
                continue
            liable = []
            if not ending and data["liable"] is not None:
                liable = [{"player": data["liable"], "yaku": data["liable_yaku"]}]
            value = values.get(code)
            worth = {"value": asdict(value)} if value else {}
            yield {"winner": winner, "liable": liable, **worth}


def values_of(rules: Rules) -> dict[str, HandValue]:
    """Return code → value for each value that a win can have under the rules."""
    both = (*possible_values(rules, tsumo=False), *possible_values(rules, tsumo=True))
    values = {_value_code(value): value for value in both}.values()
    in_order = sorted(values, key=lambda value: (value.base, value.han or 0, value.fu or 0))
    return {_value_code(value): value for value in in_order}


def _value_code(value: HandValue) -> str:
    if value.yakuman:
        return f"yakuman-{value.yakuman}"
    return value.limit or f"{value.han}-{value.fu}"


def fields_of(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the plain fields of a saved hand, for its correction."""
    hand, outcome = Hand.from_values(facts), facts["outcome"]
    names = ("loser", "tenpai", "noten_riichi")
    fields: dict[str, Any] = {name: outcome[name] for name in names if name in outcome}
    wins: Sequence[Win] = ()
    match hand.outcome:
        case Ron(wins=found_wins):
            wins = found_wins
        case Tsumo(win=win):
            wins = [win]
    for ending, win in zip(WINS, wins, strict=False):
        fields |= {f"winner{ending}": win.winner, f"value{ending}": _value_code(win.value)}
    for win in wins[:1]:
        for liability in win.liable[:1]:
            fields |= {"liable": liability.player, "liable_yaku": liability.yaku}
    if outcome["kind"] in ("nagashi", "chombo"):
        fields[outcome["kind"]] = outcome["seats"]
    points = {f"points_{seat}": points for seat, points in enumerate(outcome.get("points", ()))}
    return (
        fields
        | points
        | {
            "outcome": outcome["kind"],
            "bell": hand.bell,
            "riichi": [each.seat for each in hand.riichi],
            "tile_won": any(each.tile == WON for each in hand.riichi),
            "abort": outcome.get("reason", ""),
            "stays": outcome.get("dealer_repeats", False),
        }
    )
