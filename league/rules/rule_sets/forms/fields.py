"""Form fields for the settings of a rule set, made from their kinds.

A setting has one field of its name, or several that begin with it: `chombo`, `chombo_each`. An empty input is
None.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.rules.rule_sets.words.values import PAO_CHOICES, choice_words, setting_value
from scoring.kinds import PAO_DEFAULTS, Setting, number_of
from scoring.rules import SETTINGS
from scoring.units import parse_score

NUMBER_SEPARATORS = re.compile(r"[\s/,，、|]+")
GROUPING = re.compile(r"[\s,，_'’]")
WHOLE = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)


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


class ScoreField(forms.CharField):
    """A score with at most one decimal, in the JSON form of rule sets."""

    def clean(self, value: object) -> Any:
        text = super().clean(value).strip()
        return read_score(text) if text else None


class UmaField(forms.CharField):
    """Four scores on one line, "30 10 -10 -30" or "+30/+10/▲10/▲30", in the JSON form of rule sets."""

    def clean(self, value: object) -> Any:
        text = super().clean(value)
        return _four_scores(text) if text else None


def read_score(text: str) -> int | float:
    try:
        return number_of(parse_score(text))
    except ValueError:
        raise ValidationError(
            _("“%(text)s” is not a score. Enter a number with at most one decimal, such as 30 or -7.5."),
            params={"text": text},
        ) from None


def _four_scores(text: str) -> list[int | float]:
    found = [read_score(part) for part in NUMBER_SEPARATORS.split(text.strip()) if part]
    if len(found) != 4:
        raise ValidationError(
            _("Enter four numbers, not %(count)s. First place comes first, such as 30 10 -10 -30."),
            params={"count": len(found)},
        )
    return found


class OkaField(forms.CharField):
    """A score, or "auto"."""

    def clean(self, value: object) -> Any:
        text = super().clean(value).strip()
        if text.casefold() in {"", "auto", gettext("auto").casefold()}:
            return "auto" if text else None
        return read_score(text)


class FloatingField(forms.CharField):
    """Lines such as "1: 12 -1 -3 -8": players at or above the start, and the four place points."""

    widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})

    def clean(self, value: object) -> Any:
        rows: dict[str, list[int | float]] = {}
        for line in super().clean(value).splitlines():
            if not line.strip():
                continue
            count, colon, scores = unicodedata.normalize("NFKC", line).partition(":")
            if not colon or count.strip() not in {"0", "1", "2", "3", "4"} or count.strip() in rows:
                raise ValidationError(
                    _("Begin each line with a number of players from 0 to 4, each only once: 1: 12 -1 -3 -8")
                )
            rows[count.strip()] = _four_scores(scores)
        return rows or None


# --- the kinds

Typed = Mapping[str, Any]  # by the part of a field's name after the setting's; "" is the setting's own


@dataclass(frozen=True, slots=True)
class FormKind:
    """The fields of a setting, and the conversions between their values and its JSON-shaped value."""

    fields: Callable[[Setting], dict[str, forms.Field]]
    read: Callable[[Typed, Setting], object]
    fill: Callable[[Any], Typed]


def _one(
    make: Callable[[Setting], forms.Field], fill: Callable[[Any], object] = lambda value: value
) -> FormKind:
    return FormKind(
        lambda setting: {"": make(setting)}, lambda typed, setting: typed[""], lambda value: {"": fill(value)}
    )


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _number(setting: Setting, inputmode: str) -> forms.TextInput:
    words = setting_value(setting.name, None) if setting.nullable else ""
    attrs = {"inputmode": inputmode, "placeholder": words, "class": "rule-number", "autocomplete": "off"}
    return forms.TextInput({name: value for name, value in attrs.items() if value})


def _whole(setting: Setting) -> forms.Field:
    return WholeField(required=False, widget=_number(setting, "numeric"))


def _score(setting: Setting) -> forms.Field:
    return ScoreField(required=False, max_length=20, widget=_number(setting, "decimal"))


def _options(setting: Setting) -> list[tuple[str, str]]:
    return [(str(code), capfirst(choice_words(setting.name, code))) for code in setting.choices]


def _choice(typed: Typed, setting: Setting) -> object:
    """Return the code with its type, since some codes are numbers."""
    return {str(code): code for code in setting.choices}.get(typed[""])


def _ticks(setting: Setting) -> forms.Field:
    return forms.MultipleChoiceField(
        choices=_options(setting), required=False, widget=forms.CheckboxSelectMultiple
    )


def _ticked(codes: Iterable[str], setting: Setting) -> list[object]:
    """Return the codes in the order of the setting's choices. Browsers send another order."""
    return [code for code in setting.choices if str(code) in set(codes)]


def _plain_scores(scores: Iterable[object]) -> str:
    return " ".join(map(str, scores))


def _floating_lines(value: Mapping[str, Iterable[object]] | None) -> str:
    return "\n".join(f"{count}: {_plain_scores(row)}" for count, row in (value or {}).items())


_PAO_ASKED: Final = tuple(part for part, words in PAO_CHOICES.items() if len(words) > 1)


def _pao_fields(setting: Setting) -> dict[str, forms.Field]:
    parts = {"yaku": _ticks(setting)}
    for part in _PAO_ASKED:
        words = [(code, capfirst(str(said))) for code, said in PAO_CHOICES[part].items()]
        parts[part] = forms.ChoiceField(choices=words, required=False)
    return parts


def _read_pao(typed: Typed, setting: Setting) -> object:
    parts = {
        part: typed[part] if part in _PAO_ASKED else next(iter(PAO_CHOICES[part])) for part in PAO_CHOICES
    }
    if not all(parts.values()):
        return None
    return {"yaku": _ticked(typed["yaku"], setting), **parts}


def _fill_pao(value: Mapping[str, Any]) -> dict[str, Any]:
    parts = PAO_DEFAULTS | dict(value)
    return {part: parts[part] for part in ("yaku", *_PAO_ASKED)}


_CHOMBO: Final = {
    "score": _("Deduction from the total"),
    "reverse_mangan": _("Payment of a mangan to the others"),
    "each": _("Payment to each other player, in points"),
    "reverse_mangan+score": _("A mangan paid to the others, and a deduction from the total"),
    "each+score": _("Points paid to each other player, and a deduction from the total"),
}
_AND: Final = "+"


def _chombo_fields(setting: Setting) -> dict[str, forms.Field]:
    return {
        "": forms.ChoiceField(choices=list(_CHOMBO.items()), required=False),
        "score": ScoreField(label=_("Deduction, such as -20"), required=False, max_length=20),
        "each": WholeField(label=_("Points to each other player"), required=False),
    }


def _read_chombo(typed: Typed, setting: Setting) -> object:
    parts = str(typed[""]).split(_AND)
    if len(parts) == 1 and parts[0] != "each":
        return "reverse_mangan" if parts[0] == "reverse_mangan" else typed["score"]
    values = {part: part == "reverse_mangan" or typed[part] for part in parts}
    return None if None in values.values() else values


def _fill_chombo(value: object) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        value = {"reverse_mangan": True} if value == "reverse_mangan" else {"score": value}
    kinds = (part for part in ("reverse_mangan", "each", "score") if part in value)
    typed = {part: _text(value[part]) if part in value else "" for part in ("score", "each")}
    return {"": _AND.join(kinds), **typed}


FORM_KINDS: Final[Mapping[str, FormKind]] = {
    "points": _one(_whole, _text),
    "count": _one(_whole, _text),
    "score": _one(_score, _text),
    "yes_no": _one(lambda setting: forms.BooleanField(required=False)),
    "choice": FormKind(
        lambda setting: {"": forms.ChoiceField(choices=_options(setting), required=False)},
        _choice,
        lambda value: {"": str(value)},
    ),
    "choices": FormKind(
        lambda setting: {"": _ticks(setting)},
        lambda typed, setting: _ticked(typed[""], setting),
        lambda value: {"": [str(each) for each in value]},
    ),
    "uma": _one(lambda setting: UmaField(required=False, max_length=80), _plain_scores),
    "oka": _one(lambda setting: OkaField(required=False, max_length=20), _text),
    "floating_uma": _one(lambda setting: FloatingField(required=False, max_length=600), _floating_lines),
    "pao": FormKind(_pao_fields, _read_pao, _fill_pao),
    "chombo": FormKind(_chombo_fields, _read_chombo, _fill_chombo),
}


def fields_of(name: str) -> dict[str, forms.Field]:
    made = FORM_KINDS[SETTINGS[name].kind].fields(SETTINGS[name])
    return {_whole_name(name, part): field for part, field in made.items()}


def _whole_name(setting: str, part: str) -> str:
    return f"{setting}_{part}" if part else setting


@cache
def names_of(name: str) -> tuple[str, ...]:
    return tuple(fields_of(name))


def initial_of(name: str, value: object) -> dict[str, Any]:
    """Return the initial values of a setting's fields for its JSON-shaped value."""
    filled = FORM_KINDS[SETTINGS[name].kind].fill(value)
    return {_whole_name(name, part): held for part, held in filled.items()}


def read_setting(name: str, cleaned: Mapping[str, Any]) -> object:
    """Return the JSON-shaped value of a setting from clean data, or None if it was left empty."""
    typed = {full.removeprefix(name).removeprefix("_"): cleaned.get(full) for full in names_of(name)}
    return FORM_KINDS[SETTINGS[name].kind].read(typed, SETTINGS[name])
