"""What a referee types: an offence or a reason, and a deduction that the book bounds."""

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.forms.base import KeyedForm, TidyCharField
from league.joints import sentences
from league.messages import in_language
from league.offences import JOINT, Amounts, Book, Ruling, level_name
from league.templatetags.umaoka import score
from scoring.rules import Rules
from scoring.units import decimal_text, parse_score

MOST = 10_000  # tenths: 1,000.0; beyond that somebody typed points instead of score
CHOMBO = "chombo"


class OffenceSelect(forms.Select):
    """A select whose options carry what script shows beside the one chosen: the book's words and amount."""

    def __init__(self, book: Book) -> None:
        super().__init__()
        self.book = book

    def create_option(self, name, value, label, selected, index, subindex=None, attrs=None):
        option = super().create_option(name, value, label, selected, index, subindex, attrs)
        ruling = self.book.rulings.get(str(value))
        if ruling is not None:
            option["attrs"]["data-name"] = ruling.name
            option["attrs"]["data-hint"] = sentences(_hints(ruling))
            option["attrs"]["data-amount"] = decimal_text(ruling.amounts[0]) if ruling.amounts else ""
        return option


class PenaltyForm(KeyedForm):
    """Who, what, how much and why. Clean: ``player``, ``infraction``, ``level``, ``score``, ``reason``."""

    player = forms.TypedChoiceField(
        label=_("Player"), coerce=int, error_messages={"required": _("Choose the player.")}
    )
    offence = forms.ChoiceField(label=_("Offence"), required=False)
    level = forms.ChoiceField(label=_("Level"), required=False)
    deduction = forms.CharField(
        label=_("Deduction"),
        required=False,
        max_length=12,
        help_text=_("In score: 2 takes 2.0 off the total. Empty: what the book says."),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )
    add = forms.BooleanField(label=_("Add these points instead of taking them off"), required=False)
    reason = TidyCharField(
        label=_("Reason or note"),
        required=False,
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args, players: list[tuple[int, str]], book: Book, rules: Rules, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.book, self.rules = book, rules
        self._choose_from("player", players)
        self.fields["offence"].widget = OffenceSelect(book)
        self._choose_from("offence", self._offences())
        self._choose_from("level", [("", _("as the book says")), *_levels(book)])
        if not book.levels:
            del self.fields["level"]
            self.fields["deduction"].help_text = _("In score: 2 takes 2.0 off the total.")
        if not self.has_offences:
            del self.fields["offence"]

    @property
    def chombo(self) -> int | None:
        """What a chombo costs where no catalogue says more: tenths, negative; None if paid in the game."""
        return None if self.book.catalogue else self.rules.chombo.score

    @property
    def has_offences(self) -> bool:
        return bool(self.book.catalogue or self.chombo)

    def _choose_from(self, name: str, choices: list) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _offences(self) -> list[tuple[object, object]]:
        choices: list[tuple[object, object]] = [("", _("Something else: write the reason below"))]
        if self.chombo:
            choices.append((CHOMBO, _("Chombo (%(score)s)") % {"score": score(self.chombo)}))
        for heading, rulings in self.book.by_category():
            choices.append((heading, [(ruling.value, _label(ruling)) for ruling in rulings]))
        return choices

    def clean_deduction(self) -> int | None:
        """Tenths as typed: negative where a minus was typed; None if nothing was."""
        typed = self.cleaned_data["deduction"].strip()
        if not typed:
            return None
        try:
            tenths = parse_score(typed)
        except ValueError:
            raise forms.ValidationError(
                _("Write the deduction in score, with one decimal at most: for example 2 or 8.5.")
            ) from None
        if abs(tenths) > MOST:
            raise forms.ValidationError(
                _("Deductions are in score, not in points: 2 for 2,000 points, and 1,000 at most.")
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
        ruling = self.book.rulings.get(data.get("offence") or "")
        codes = (data["level"],) if data.get("level") else ruling.variant.levels if ruling else ()
        data["infraction"] = ruling.infraction.code if ruling else ""
        data["level"] = JOINT.join(codes)
        if not data.get("offence") and not data.get("reason"):
            if "reason" not in self.errors:
                self.add_error("reason", _("Choose an offence or write the reason."))
            return data
        self._settle_score(data, self._amounts(ruling, codes))
        data["reason"] = self._reason(data, ruling)
        return data

    def _amounts(self, ruling: Ruling | None, codes: tuple[str, ...]) -> Amounts:
        """What the book deducts; a chosen level goes before the ruling's own."""
        if self.cleaned_data.get("offence") == CHOMBO and self.chombo:
            return -self.chombo, -self.chombo
        if ruling is not None and codes == ruling.variant.levels:
            return ruling.amounts
        return self.book.amounts(codes)

    def _settle_score(self, data: dict, amounts: Amounts) -> None:
        """The score from what was typed, or from the book; outside the book only with a reason."""
        typed, adds = data["deduction"], data.get("add")
        if typed is None and (amounts is None or adds):
            self.add_error("deduction", _("Type how much, for example 2. With 0 it is only put on record."))
            return
        if adds and typed < 0:
            self.add_error("deduction", _("With “Add these points” ticked, type the points without a minus."))
            return
        least, most = amounts or (0, MOST)
        amount = least if typed is None else abs(typed)
        data["score"] = amount if adds else -amount
        if amounts is None or (not adds and least <= amount <= most):
            return
        if not data.get("reason") and "reason" not in self.errors:
            words = _("Say why: the book gives %(range)s here.") % {"range": range_words(amounts)}
            self.add_error("reason", words)

    def _reason(self, data: dict, ruling: Ruling | None) -> str:
        """The reason as typed. Without one, what code and level do not tell: which condition, or a chombo."""
        typed = data.get("reason", "")
        if data.get("offence") == CHOMBO:
            return f"{CHOMBO}: {typed}" if typed else CHOMBO
        if not typed and ruling and not self.book.tells_condition(ruling, data["level"]):
            return ruling.condition
        return typed


class RevokeForm(KeyedForm):
    reason = TidyCharField(
        label=_("Why is it revoked?"),
        max_length=300,
        error_messages={"required": _("Say why the penalty is revoked.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


def range_words(amounts: tuple[int, int]) -> str:
    """ "−8.0 to −12.0", or the one amount there is."""
    least, most = score(-amounts[0]), score(-amounts[1])
    return least if least == most else gettext("%(least)s to %(most)s") % {"least": least, "most": most}


def _levels(book: Book) -> list[tuple[str, str]]:
    return [(level.code, in_language(level.names)) for level in book.levels.values()]


WHO_ELSE = {
    "all_four": _("The book punishes all four players: log it for each."),
    "nobody": _("The book punishes nobody here."),
    "discarders": _("The book punishes everyone who has discarded since: log it for each."),
}


def _label(ruling: Ruling) -> str:
    """The ruling as a plain select offers it, with what it costs."""
    words = {"offence": ruling.name, "level": level_name(ruling.level)}
    if ruling.amounts and ruling.amounts[1]:
        words["deduction"] = range_words(ruling.amounts)
        return gettext("%(offence)s (%(level)s, %(deduction)s)") % words
    return gettext("%(offence)s (%(level)s)") % words if ruling.level else ruling.name


def _hints(ruling: Ruling) -> list[str]:
    """What the book says of a ruling, in short sentences."""
    level = level_name(ruling.level).capitalize()
    if ruling.amounts:
        deduction = range_words(ruling.amounts)
        hints = [gettext("%(level)s: %(deduction)s.") % {"level": level, "deduction": deduction}]
    elif level:
        hints = [gettext("%(level)s.") % {"level": level}]
    else:
        hints = [gettext("The book names no level here.")]
    if ruling.variant.win_ban:
        hints.append(gettext("Win ban for the rest of the hand."))
    if ruling.variant.who in WHO_ELSE:
        hints.append(str(WHO_ELSE[ruling.variant.who]))
    return hints
