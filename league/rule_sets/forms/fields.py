"""The settings of a rule set as fields of a form, made from the registry: each kind of setting has its own.

A setting has one field of its name, or several that begin with it: `chombo`, `chombo_each`. For every kind
`FORM_KINDS` says which fields there are, how the JSON-shaped value is read from what was typed (None: nothing
was typed), and how a value is filled in.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.rule_sets.words.settings import PAO_CHOICES, choice_words, setting_value
from scoring.kinds import PAO_DEFAULTS, Setting, number_of
from scoring.rules import SETTINGS
from scoring.units import parse_score

NUMBER_SEPARATORS = re.compile(r"[\s/,，、|]+")
GROUPING = re.compile(r"[\s,，_'’]")
WHOLE = re.compile(r"[+-]?[0-9]{1,15}", re.ASCII)

HELP: Final[Mapping[str, Promise]] = {
    "return_points": _("A player with this many points scores 0 before uma."),
    "uma": _("First to fourth place, without oka: 30 10 -10 -30."),
    "oka": _("Goes to the first place. “auto”: four times return minus start."),
    "floating_uma": _(
        "If uma depends on how many players are at or above the start, one line each: 1: 12 -1 -3 -8"
    ),
    "unbalanced": _("Tables then do not sum to zero; every page that shows it says so."),
}
TICKS: Final[Mapping[str, Promise]] = {  # what stands beside a tick, where the setting's name does not say it
    "unbalanced": _("Our club plays so: uma and oka need not balance start and return"),
}


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
    """A score with at most one decimal, as the JSON of a rule set has it."""

    def clean(self, value: object) -> Any:
        text = super().clean(value).strip()
        return read_score(text) if text else None


class NumbersField(forms.CharField):
    """Four scores in one line, "30 10 -10 -30" or "+30/+10/▲10/▲30", as the JSON of a rule set has them."""

    def clean(self, value: object) -> Any:
        text = super().clean(value)
        return _four_scores(text) if text else None


def read_score(text: str) -> int | float:
    try:
        return number_of(parse_score(text))
    except ValueError:
        raise ValidationError(
            _("“%(text)s” is no score with at most one decimal, such as 30 or -7.5."), params={"text": text}
        ) from None


def _four_scores(text: str) -> list[int | float]:
    found = [read_score(part) for part in NUMBER_SEPARATORS.split(text.strip()) if part]
    if len(found) != 4:
        raise ValidationError(
            _("Type four numbers, first place first: 30 10 -10 -30. There are %(count)s here."),
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
    """Lines such as "1: 12 -1 -3 -8": how many are at or above the start, and the four place points."""

    widget = forms.Textarea(attrs={"rows": 3, "spellcheck": "false"})

    def clean(self, value: object) -> Any:
        rows: dict[str, list[int | float]] = {}
        for line in super().clean(value).splitlines():
            if not line.strip():
                continue
            count, colon, scores = unicodedata.normalize("NFKC", line).partition(":")
            if not colon or count.strip() not in {"0", "1", "2", "3", "4"} or count.strip() in rows:
                raise ValidationError(
                    _("Begin each line with a number of players from 0 to 4, once each: 1: 12 -1 -3 -8")
                )
            rows[count.strip()] = _four_scores(scores)
        return rows or None


# --- the kinds

Typed = Mapping[
    str, Any
]  # what was typed, by the part of the name after the setting's; "" is the setting's own


@dataclass(frozen=True, slots=True)
class FormKind:
    """`fields` makes the fields of a setting by their part of the name; `read` and `fill` go the two ways
    between what the `parts` hold and the setting's JSON-shaped value.
    """

    fields: Callable[[Setting], Mapping[str, forms.Field]]
    read: Callable[[Typed, Setting], object]
    fill: Callable[[Any], Typed]
    parts: tuple[str, ...] = ("",)


def _one(
    make: Callable[[Setting], forms.Field], fill: Callable[[Any], object] = lambda value: value
) -> FormKind:
    """A kind with a single field, whose clean value is the setting's."""
    return FormKind(
        lambda setting: {"": make(setting)}, lambda typed, setting: typed[""], lambda value: {"": fill(value)}
    )


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _whole(setting: Setting) -> forms.Field:
    words = setting_value(setting.name, None) if setting.nullable else ""
    attrs = {"inputmode": "numeric", "placeholder": words, "class": "rule-number", "autocomplete": "off"}
    return WholeField(required=False, widget=forms.TextInput(attrs={k: v for k, v in attrs.items() if v}))


def _score(setting: Setting) -> forms.Field:
    words = setting_value(setting.name, None) if setting.nullable else ""
    attrs = {"inputmode": "decimal", "placeholder": words, "class": "rule-number", "autocomplete": "off"}
    widget = forms.TextInput(attrs={k: v for k, v in attrs.items() if v})
    return ScoreField(required=False, max_length=20, widget=widget)


def _options(setting: Setting) -> list[tuple[str, str]]:
    return [(str(code), capfirst(choice_words(setting.name, code))) for code in setting.choices]


def _choice(typed: Typed, setting: Setting) -> object:
    """The code that the registry has: some are numbers."""
    return {str(code): code for code in setting.choices}.get(typed[""])


def _ticks(setting: Setting) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(
        choices=_options(setting), required=False, widget=forms.CheckboxSelectMultiple
    )


def _ticked(codes: Iterable[str], setting: Setting) -> list[object]:
    """In the order of the registry, whatever the order in which a browser sends them."""
    return [code for code in setting.choices if str(code) in set(codes)]


def plain_scores(scores: Iterable[object]) -> str:
    return " ".join(str(score) for score in scores)


def _floating_lines(value: Mapping[str, Iterable[object]] | None) -> str:
    return "\n".join(f"{count}: {plain_scores(row)}" for count, row in (value or {}).items())


_PAO_ASKED = tuple(part for part, words in PAO_CHOICES.items() if len(words) > 1)


def _pao_fields(setting: Setting) -> dict[str, forms.Field]:
    parts: dict[str, forms.Field] = {"yaku": _ticks(setting)}
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
    "score": _("Points off the total, in scores"),
    "reverse_mangan": _("A mangan paid to the others"),
    "each": _("Points paid to each other player"),
}


def _chombo_fields(setting: Setting) -> dict[str, forms.Field]:
    return {
        "": forms.ChoiceField(choices=list(_CHOMBO.items()), required=False),
        "score": ScoreField(label=_("Deduction, such as -20"), required=False, max_length=20),
        "each": WholeField(label=_("Points to each other player"), required=False),
    }


def _read_chombo(typed: Typed, setting: Setting) -> object:
    if typed[""] == "reverse_mangan":
        return "reverse_mangan"
    if typed[""] == "each":
        return None if typed["each"] is None else {"each": typed["each"]}
    return typed["score"]


def _fill_chombo(value: object) -> dict[str, Any]:
    if value == "reverse_mangan":
        return {"": "reverse_mangan", "score": "", "each": ""}
    if isinstance(value, Mapping):
        return {"": "each", "score": "", "each": _text(value["each"])}
    return {"": "score", "score": _text(value), "each": ""}


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
    "uma": _one(lambda setting: NumbersField(required=False, max_length=80), plain_scores),
    "oka": _one(lambda setting: OkaField(required=False, max_length=20), _text),
    "floating_uma": _one(lambda setting: FloatingField(required=False, max_length=600), _floating_lines),
    "pao": FormKind(_pao_fields, _read_pao, _fill_pao, ("yaku", *_PAO_ASKED)),
    "chombo": FormKind(_chombo_fields, _read_chombo, _fill_chombo, ("", "score", "each")),
}


def field_name(setting: str, part: str) -> str:
    return f"{setting}_{part}" if part else setting


def fields_of(name: str) -> dict[str, forms.Field]:
    """The form fields of a setting by their whole names."""
    setting = SETTINGS[name]
    return {field_name(name, part): made for part, made in FORM_KINDS[setting.kind].fields(setting).items()}


def initial_of(name: str, value: object) -> dict[str, Any]:
    """What the fields of a setting hold for its JSON-shaped value."""
    filled = FORM_KINDS[SETTINGS[name].kind].fill(value)
    return {field_name(name, part): held for part, held in filled.items()}


def read_setting(name: str, cleaned: Mapping[str, Any]) -> object:
    """The JSON-shaped value of a setting in a form's clean data; None when nothing was typed."""
    setting = SETTINGS[name]
    kind = FORM_KINDS[setting.kind]
    return kind.read({part: cleaned.get(field_name(name, part)) for part in kind.parts}, setting)


def names_of(name: str) -> list[str]:
    """The names of a setting's fields."""
    return [field_name(name, part) for part in FORM_KINDS[SETTINGS[name].kind].parts]
