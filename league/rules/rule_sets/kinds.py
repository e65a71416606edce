"""The kinds of settings as people read and type them. `scoring.kinds` has the JSON shapes of their values.

A setting has one field of its name, or several that begin with it: `chombo`, `chombo_each`. An empty input is
None.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.core.numbers import number, number_tenths
from league.core.text import clauses, listed
from league.rules.rule_sets.words.settings import PAO_CHOICES, VALUES, choice_words
from scoring.kinds import PAO_DEFAULTS, Setting, number_of
from scoring.rules import SETTINGS
from scoring.units import parse_score

Typed = Mapping[str, Any]  # by the part of a field's name after the setting's; "" is the setting's own

NUMBER_SEPARATORS = re.compile(r"[\s/,，、|]+")
GROUPING = re.compile(r"[\s,，_'’]")
WHOLE = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)


# --- what people type


class WholeField(forms.IntegerField):
    """A whole number as people write it: 30000, 30,000 or ３００００."""

    widget = forms.TextInput

    def to_python(self, value: object) -> int | None:
        text = GROUPING.sub("", unicodedata.normalize("NFKC", str(value or ""))).replace(
            "\N{MINUS SIGN}", "-"
        )
        if not text:
            return None
        if not WHOLE.fullmatch(text):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return int(text)


class ReadField(forms.CharField):
    """Text that `reader` turns into the JSON form of rule sets."""

    def __init__(self, reader: Callable[[str], object], **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.reader = reader

    def clean(self, value: object) -> Any:
        text = super().clean(value)
        return self.reader(text) if text else None


def read_score(text: str) -> int | float:
    """Read a score with at most one decimal."""
    try:
        return number_of(parse_score(text))
    except ValueError:
        raise ValidationError(
            _("“%(text)s” is not a score. Enter a number with at most one decimal, such as 30 or -7.5."),
            params={"text": text},
        ) from None


def read_four_scores(text: str) -> list[int | float]:
    """Read four scores on one line, "30 10 -10 -30" or "+30/+10/▲10/▲30"."""
    scores = [read_score(part) for part in NUMBER_SEPARATORS.split(text.strip()) if part]
    if len(scores) != 4:
        raise ValidationError(
            _("Enter four numbers, not %(count)s. First place comes first, such as 30 10 -10 -30."),
            params={"count": len(scores)},
        )
    return scores


def read_oka(text: str) -> int | float | str:
    return "auto" if text.casefold() in {"auto", gettext("auto").casefold()} else read_score(text)


def read_floating_uma(text: str) -> dict[str, list[int | float]]:
    """Read lines such as "1: 12 -1 -3 -8": players at or above the start, and the four place points."""
    rows: dict[str, list[int | float]] = {}
    for line in filter(str.strip, text.splitlines()):
        count, colon, scores = unicodedata.normalize("NFKC", line).partition(":")
        if not colon or count.strip() not in {"0", "1", "2", "3", "4"} or count.strip() in rows:
            raise ValidationError(
                _("Begin each line with a number of players from 0 to 4, each only once: 1: 12 -1 -3 -8")
            )
        rows[count.strip()] = read_four_scores(scores)
    return rows


# --- the kinds


class Kind:
    """A kind of settings with one form field. `expected` follows "must be"."""

    expected: Promise

    def written(self, name: str, value: Any) -> str:
        """Return a value in words."""
        return signed(value)

    def field(self, setting: Setting) -> forms.Field:
        raise NotImplementedError

    def fields(self, setting: Setting) -> dict[str, forms.Field]:
        return {"": self.field(setting)}

    def read(self, typed: Typed, setting: Setting) -> object:
        """Return the JSON-shaped value from clean data."""
        return typed[""]

    def fill(self, value: Any) -> Typed:
        """Return the initial values of the fields for a JSON-shaped value."""
        return {"": str(value)}


def signed(value: object) -> str:
    return number_tenths(parse_score(str(value)))


def each_other(points: int) -> str:
    return gettext("%(points)s to each other player") % {"points": number(points)}


def number_input(setting: Setting, inputmode: str) -> forms.TextInput:
    words = setting.nullable and setting_value(setting.name, None)  # False leaves the attribute out
    attrs = {"inputmode": inputmode, "placeholder": words, "class": "rule-number", "autocomplete": "off"}
    return forms.TextInput(attrs)


class Points(Kind):
    expected = _("a whole number of points, for example 25000")

    def written(self, name: str, value: int) -> str:
        return number(value)

    def field(self, setting: Setting) -> forms.Field:
        return WholeField(required=False, widget=number_input(setting, "numeric"))


class Payment(Points):
    def written(self, name: str, value: int) -> str:
        return each_other(value)


class Count(Points):
    expected = _("a whole number")

    def written(self, name: str, value: int) -> str:
        return str(value)


class Minutes(Count):
    def written(self, name: str, value: int) -> str:
        return ngettext("%(count)s minute", "%(count)s minutes", value) % {"count": value}


class Score(Kind):
    expected = _("a number such as 10")

    def written(self, name: str, value: object) -> str:
        return signed(value).removeprefix("+")

    def field(self, setting: Setting) -> forms.Field:
        return ReadField(read_score, max_length=20, widget=number_input(setting, "decimal"))


class YesNo(Kind):
    expected = _("yes or no")

    def written(self, name: str, value: object) -> str:
        return gettext("yes") if value else gettext("no")

    def field(self, setting: Setting) -> forms.Field:
        return forms.BooleanField(required=False)

    def fill(self, value: object) -> Typed:
        return {"": value}


def options_of(setting: Setting) -> list[tuple[str, str]]:
    return [(str(code), capfirst(choice_words(setting.name, code))) for code in setting.choices]


class Choice(Kind):
    expected = _("one of the choices")

    def written(self, name: str, value: Any) -> str:
        return choice_words(name, value)

    def field(self, setting: Setting) -> forms.Field:
        return forms.ChoiceField(choices=options_of(setting), required=False)

    def read(self, typed: Typed, setting: Setting) -> object:
        """Return the code with its type, since some codes are numbers."""
        return {str(code): code for code in setting.choices}.get(typed[""])


class Choices(Choice):
    expected = _("a list of choices")

    def written(self, name: str, value: Any) -> str:
        return listed(choice_words(name, each) for each in value) or gettext("none")

    def field(self, setting: Setting) -> forms.Field:
        ticks = forms.CheckboxSelectMultiple
        return forms.MultipleChoiceField(choices=options_of(setting), required=False, widget=ticks)

    def read(self, typed: Typed, setting: Setting) -> object:
        """Return the codes in the order of the setting's choices. Browsers send another order."""
        return [code for code in setting.choices if str(code) in typed[""]]

    def fill(self, value: Any) -> Typed:
        return {"": [str(each) for each in value]}


class Uma(Kind):
    expected = _("four numbers, for example 30, 10, -10, -30")

    def written(self, name: str, value: Iterable[object]) -> str:
        return " / ".join(map(signed, value))

    def field(self, setting: Setting) -> forms.Field:
        return ReadField(read_four_scores, max_length=80)

    def fill(self, value: Iterable[object]) -> Typed:
        return {"": plain_scores(value)}


class FloatingUma(Kind):
    expected = _("four numbers for each number of players at or above the starting points")

    def written(self, name: str, value: Mapping[str, Iterable[object]]) -> str:
        row = gettext("%(count)s at or above the starting points: %(uma)s")
        return clauses(
            row % {"count": count, "uma": KINDS["uma"].written(name, uma)} for count, uma in value.items()
        )

    def field(self, setting: Setting) -> forms.Field:
        lines = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})
        return ReadField(read_floating_uma, max_length=600, widget=lines)

    def fill(self, value: Mapping[str, Iterable[object]]) -> Typed:
        return {"": "\n".join(f"{count}: {plain_scores(row)}" for count, row in value.items())}


class Oka(Kind):
    expected = _("a number, or “auto”")

    def field(self, setting: Setting) -> forms.Field:
        return ReadField(read_oka, max_length=20)


class Pao(Choices):
    expected = _("the yaku, and who pays on a tsumo, on a ron and for honba")
    asked: Final = tuple(part for part, words in PAO_CHOICES.items() if len(words) > 1)

    def written(self, name: str, value: Any) -> str:
        if not value["yaku"]:
            return gettext("none")
        parts = {**PAO_DEFAULTS, **value}
        liability = clauses(str(words[parts[part]]) for part, words in PAO_CHOICES.items())
        yaku = super().written(name, value["yaku"])
        return gettext("%(yaku)s: %(liability)s") % {"yaku": yaku, "liability": liability}

    def fields(self, setting: Setting) -> dict[str, forms.Field]:
        parts = {"yaku": self.field(setting)}
        for part in self.asked:
            words = [(code, capfirst(str(said))) for code, said in PAO_CHOICES[part].items()]
            parts[part] = forms.ChoiceField(choices=words, required=False)
        return parts

    def read(self, typed: Typed, setting: Setting) -> object:
        parts = {part: typed.get(part, next(iter(words))) for part, words in PAO_CHOICES.items()}
        if not all(parts.values()):
            return None
        return {"yaku": super().read({"": typed["yaku"]}, setting), **parts}

    def fill(self, value: Mapping[str, Any]) -> Typed:
        parts = {**PAO_DEFAULTS, **value}
        return {part: parts[part] for part in ("yaku", *self.asked)}


class Chombo(Kind):
    expected = _("a deduction such as -20, or a payment during the game")
    ways: Final = {
        "score": _("Deduction from the total"),
        "reverse_mangan": _("Payment of a mangan to the others"),
        "each": _("Payment to each other player, in points"),
        "reverse_mangan+score": _("A mangan paid to the others, and a deduction from the total"),
        "each+score": _("Points paid to each other player, and a deduction from the total"),
    }

    def written(self, name: str, value: object) -> str:
        if not isinstance(value, Mapping):
            return signed(value)
        paid = each_other(value["each"]) if "each" in value else str(VALUES[name]["reverse_mangan"])
        return clauses([paid, signed(value["score"])]) if "score" in value else paid

    def fields(self, setting: Setting) -> dict[str, forms.Field]:
        return {
            "": forms.ChoiceField(choices=list(self.ways.items()), required=False),
            "score": ReadField(read_score, label=_("Deduction, such as -20"), max_length=20),
            "each": WholeField(label=_("Points to each other player"), required=False),
        }

    def read(self, typed: Typed, setting: Setting) -> object:
        parts = str(typed[""]).split("+")
        if parts == ["reverse_mangan"]:
            return "reverse_mangan"
        if parts != ["each"] and len(parts) == 1:
            return typed["score"]
        values = {part: part == "reverse_mangan" or typed[part] for part in parts}
        return None if None in values.values() else values

    def fill(self, value: object) -> Typed:
        if not isinstance(value, Mapping):
            value = {"reverse_mangan": True} if value == "reverse_mangan" else {"score": value}
        way = "+".join(part for part in ("reverse_mangan", "each", "score") if part in value)
        return {"": way, "score": str(value.get("score", "")), "each": str(value.get("each", ""))}


def plain_scores(scores: Iterable[object]) -> str:
    return " ".join(map(str, scores))


KINDS: Final[Mapping[str, Kind]] = {
    "points": Points(),
    "payment": Payment(),
    "count": Count(),
    "minutes": Minutes(),
    "score": Score(),
    "yes_no": YesNo(),
    "choice": Choice(),
    "choices": Choices(),
    "uma": Uma(),
    "floating_uma": FloatingUma(),
    "oka": Oka(),
    "pao": Pao(),
    "chombo": Chombo(),
}


# --- the settings


def setting_value(name: str, value: object) -> str:
    """Return a JSON-shaped value in words."""
    if isinstance(value, str | int | float | None) and value in VALUES.get(name, {}):
        return str(VALUES[name][value])
    if value is None:
        return gettext("none")
    return KINDS[SETTINGS[name].kind].written(name, value)


def fields_of(name: str) -> dict[str, forms.Field]:
    parts = KINDS[SETTINGS[name].kind].fields(SETTINGS[name])
    return {_whole_name(name, part): field for part, field in parts.items()}


def _whole_name(setting: str, part: str) -> str:
    return f"{setting}_{part}" if part else setting


@cache
def names_of(name: str) -> tuple[str, ...]:
    return tuple(fields_of(name))


def initial_of(name: str, value: object) -> dict[str, Any]:
    """Return the initial values of a setting's fields for its JSON-shaped value."""
    parts = {"": ""} if value is None else KINDS[SETTINGS[name].kind].fill(value)
    return {_whole_name(name, part): filled for part, filled in parts.items()}


def read_setting(name: str, cleaned: Mapping[str, Any]) -> object:
    """Return the JSON-shaped value of a setting from clean data, or None if it was left empty."""
    typed = {full.removeprefix(name).removeprefix("_"): cleaned.get(full) for full in names_of(name)}
    return KINDS[SETTINGS[name].kind].read(typed, SETTINGS[name])
