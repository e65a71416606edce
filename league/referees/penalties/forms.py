"""Forms about penalties and hands."""

import unicodedata
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.core.forms import KeyedForm, reason_field
from league.core.messages import in_language
from league.core.tags import score
from league.models import Round
from league.rules.penalty_rules.words.catalogues import deduction_words
from league.rules.penalty_rules.words.rulings import PenaltyRules
from scoring.hand_codes import MOST_HONBA
from scoring.infractions import Amounts, levels_in
from scoring.units import parse_score

MOST = 10_000  # tenths: 1,000.0; beyond that a referee typed points instead of score
CHOMBO = "chombo"
OTHER = "other"  # instead of an offence's code: what the penalty rules do not know
REVIEWED = ("reviewed", "sure", "again")  # fields whose error asks for a second step
NO_SCORE = _("Enter a score with at most one decimal, for example 2 or 8.5.")


class PlayerForm(KeyedForm):
    player = forms.TypedChoiceField(
        label=_("Player"), coerce=int, error_messages={"required": _("Choose the player.")}
    )
    again = forms.BooleanField(required=False, widget=forms.HiddenInput)
    counts = forms.TypedChoiceField(
        label=_("It counts"), coerce=int, empty_value=None, required=False, widget=forms.RadioSelect
    )

    def __init__(
        self,
        *args,
        players: list[tuple[int, str]],
        rules: PenaltyRules,
        counts: Sequence[tuple[str, str]] = (),
        rounds: Sequence[Round] = (),
        counting: Round | None = None,
        **kwargs,
    ) -> None:
        """``counts``: from when it can count, as the page offers it.

        A round of ``rounds`` may have been published since the page was made.
        """
        super().__init__(*args, **kwargs)
        self.rules = rules
        self.when = counts
        self.initial["counts"] = str(counting.pk) if counting else ""
        offered = {value for value, _words in counts}
        published = [(str(round_.pk), "") for round_ in rounds if str(round_.pk) not in offered]
        self.offer(player=players, counts=[*(counts or [("", "")]), *published])

    @property
    def all_errors(self) -> list[str]:
        return [
            str(error) for name, errors in self.errors.items() if name not in REVIEWED for error in errors
        ]


class OffenceForm(PlayerForm):
    """The last step: an offence, its condition, and the referee's departures from the rules.

    One form without script holds the inputs of all conditions and levels. Their names end with the condition
    (``c0``), a level that the rules leave to the referee (``o0-4``), or any other level (``l4``).
    """

    others = forms.TypedMultipleChoiceField(
        label=_("Other players with the same offence"), coerce=int, required=False
    )
    infraction = forms.ChoiceField(label=_("Offence"), error_messages={"required": _("Choose the offence.")})
    condition = forms.IntegerField(
        label=_("Condition"),
        min_value=0,
        max_value=99,
        error_messages={"required": _("Choose the condition.")},
    )
    level = forms.ChoiceField(label=_("Level"), required=False)
    deal = forms.ChoiceField(label=pgettext_lazy("one deal", "Hand"), required=False)
    honba = forms.IntegerField(label=_("Honba"), required=False, min_value=0, max_value=MOST_HONBA)
    reason = reason_field(_("Required if you depart from the rules."), label=_("Remark"), required=False)
    reviewed = forms.CharField(max_length=300, required=False, widget=forms.HiddenInput)

    def __init__(self, *args, deals: list[tuple[str, str]], **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.offer(
            others=kwargs["players"],
            infraction=[(entry.code, entry.code) for entry in self.rules.offered],
            level=[("", ""), *((code, code) for code in self.rules.levels)],
            deal=[("", ""), *deals],
        )

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        condition = data.get("condition")
        if not isinstance(condition, int) or "level" in self.errors:
            return data
        data["asked"] = self.data.get(f"asked-c{condition}")
        data["option"] = self._option(condition)
        data["units"] = self._units(condition)
        data["amount"] = self._amount(self._key(condition, str(data.get("level") or ""), data["option"]))
        return data

    def _option(self, condition: int) -> str:
        level = self.data.get(f"option-c{condition}", "")
        if level and level not in self.rules.levels:
            self.add_error("level", _("These rules have no such level. Choose one of the listed levels."))
        return level

    def _key(self, condition: int, level: str, option: str) -> str:
        order = list(self.rules.levels)
        if level:
            return f"l{order.index(level)}"
        return f"o{condition}-{order.index(option)}" if option in order else f"c{condition}"

    def _units(self, condition: int) -> int:
        typed = unicodedata.normalize("NFKC", self.data.get(f"units-c{condition}", "1")).strip()
        if typed.isascii() and typed.isdigit() and len(typed) <= 2:
            return int(typed)
        self.add_error(None, _("Enter the number of tiles or minutes, for example 3."))
        return 1

    def _amount(self, key: str) -> int | None:
        typed = self.data.get(f"amount-{key}", "").strip()
        if not typed:
            return None
        try:
            tenths = abs(parse_score(typed))
        except ValueError:
            tenths = MOST + 1
        if tenths > MOST:
            self.add_error(None, NO_SCORE)
            return None
        return tenths

    @property
    def code(self) -> str:
        return str(self.data.get("infraction", ""))

    @property
    def hand(self) -> str:
        """Return the code of the hand, or an empty text if the choice is missing or invalid."""
        cleaned = getattr(self, "cleaned_data", {})
        deal = cleaned.get("deal")
        return f"{deal}.{cleaned.get('honba') or 0}" if deal else ""

    def offence(self) -> dict[str, Any]:
        """Return the fields of a penalty that the referee chose."""
        names = ("infraction", "condition", "units", "reason")
        return {name: self.cleaned_data[name] for name in names} | {"hand": self.hand}

    def decision(self) -> dict[str, Any]:
        """Return what the referee decided within the rules or against them."""
        level = self.cleaned_data["level"] or self.cleaned_data["option"]
        asked = self.cleaned_data["asked"]
        return {
            "levels": (level,) if level else None,
            "asked": None if asked is None else levels_in(asked),
            "amount": self.cleaned_data["amount"],
        }

    def values(self) -> dict[str, Any]:
        return {
            "player_id": self.cleaned_data["player"],
            "others": self.cleaned_data["others"],
            "reviewed": self.cleaned_data.get("reviewed", ""),
            "again": self.cleaned_data.get("again", False),
            **self.offence(),
            **self.decision(),
        }


class PenaltyForm(PlayerForm):
    """A penalty in the referee's own words. ``chombo``: its score in tenths, None if paid in the game."""

    code = OTHER

    offence = forms.ChoiceField(label=_("Offence"), required=False)
    reason = reason_field(needed=_("Enter a reason."), required=False)  # of a chombo; else it is needed
    level = forms.ChoiceField(label=_("Level"), required=False)
    deduction = forms.CharField(
        label=_("Deduction"),
        required=False,
        max_length=12,
        help_text=_("Score: 2 deducts 2.0 from the total. Leave empty to deduct what the rules say."),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    add = forms.BooleanField(label=_("Add these points instead of deducting them"), required=False)
    sure = forms.BooleanField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args, chombo: int | None, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.chombo, levels = chombo, self.rules.levels.values()
        named = [(level.code, in_language(level.names)) for level in levels]
        self.offer(level=[("", _("no level")), *named])
        if not levels:
            del self.fields["level"]
            self.fields["deduction"].help_text = _("Score: 2 deducts 2.0 from the total.")
        if self.chombo:
            costs = _("Chombo (%(score)s)") % {"score": score(self.chombo)}
            self.offer(offence=[("", _("Something else: enter the reason below")), (CHOMBO, costs)])
        else:
            del self.fields["offence"]
            self.fields["reason"].required = True

    def clean_deduction(self) -> int | None:
        """Return tenths with the typed sign, or None if nothing was typed."""
        typed = self.cleaned_data["deduction"].strip()
        if not typed:
            return None
        try:
            tenths = parse_score(typed)
        except ValueError:
            raise forms.ValidationError(NO_SCORE) from None
        if abs(tenths) > MOST:
            raise forms.ValidationError(
                _("Enter a score, not points: 2 for 2,000 points. The maximum is 1,000.")
            )
        if typed.startswith(("+", "\uff0b")) and not self.data.get(self.add_prefix("add")):
            raise forms.ValidationError(
                _("A deduction lowers the total. To raise it, tick “Add these points”.")
            )
        return tenths

    def clean(self) -> dict[str, object]:
        data = super().clean() or {}
        if "deduction" not in data or "offence" in self.errors or "level" in self.errors:
            return data
        data["level"] = data.get("level") or ""
        if not data.get("offence") and not data.get("reason"):
            if "reason" not in self.errors:
                self.add_error("reason", _("Enter a reason."))
            return data
        self._settle_score(data, self._amounts(str(data["level"])))
        if data.get("offence") == CHOMBO:
            typed = data.get("reason", "")
            data["reason"] = f"{CHOMBO}: {typed}" if typed else CHOMBO
        return data

    def _amounts(self, level: str) -> Amounts:
        if self.cleaned_data.get("offence") == CHOMBO and self.chombo:
            return -self.chombo, -self.chombo
        return self.rules.amounts((level,)) if level else None

    def _settle_score(self, data: dict, amounts: Amounts) -> None:
        """Set the score from the input or the rules. Outside the rules it needs a reason."""
        typed = data["deduction"]
        adds = data.get("add")
        if typed is None and (amounts is None or adds):
            self.add_error(
                "deduction", _("Enter an amount, for example 2. With 0 the penalty is only recorded.")
            )
            return
        if adds and typed < 0:
            self.add_error(
                "deduction", _("With “Add these points” ticked, enter the points without a minus.")
            )
            return
        least, most = amounts or (0, MOST)
        amount = least if typed is None else abs(typed)
        data["score"] = amount if adds else -amount
        if amounts is None or (not adds and least <= amount <= most):
            return
        if not data.get("reason") and "reason" not in self.errors:
            given = deduction_words(amounts) or score(0)
            self.add_error("reason", _("Give a reason: the rules say %(range)s here.") % {"range": given})

    def values(self) -> dict[str, Any]:
        data = self.cleaned_data
        named = {name: data[name] for name in ("level", "score", "reason", "sure", "again")}
        return {"player_id": data["player"], **named}
