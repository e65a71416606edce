"""The problems of a competition file: a place, and a sentence with the remedy.

A place is a path in the file, for example ``divisions[0].stages[0].rounds[3].tables[1].seats[2].player``.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.text import has_control_characters

Path = tuple[str | int, ...]  # of fields and of indexes in lists, as pydantic writes it


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A problem. Its place is empty if it concerns the whole file."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


MOST_PROBLEMS = 200  # of a file: then nothing more of it is read


class BrokenFile(Exception):
    """A file that cannot be imported, with its problems. ``stopped``: it has more."""

    def __init__(self, problems: Iterable[FileProblem], *, stopped: bool = False) -> None:
        self.problems, self.stopped = tuple(problems), stopped
        super().__init__("\n".join(map(str, self.problems)))


def place_of(path: Path) -> str:
    parts = (f"[{part}]" if isinstance(part, int) else f".{quote(part)}" for part in path)
    return "".join(parts).removeprefix(".")


def clean(text: str) -> str:
    """Replace the characters of a quotation that a page or a terminal cannot show."""
    text = text[:500]
    if text.isprintable():
        return text
    return "".join("\N{REPLACEMENT CHARACTER}" if has_control_characters(c) else c for c in text)


def quote(value: object) -> str:
    """Return a value as a sentence can quote it: short, on one line, all visible."""
    if isinstance(value, dict | list):  # it may be nested deeply, or hold half of the file
        return "{…}" if isinstance(value, dict) else "[…]"
    if type(value) is int and abs(value) >= 10**20:
        return _("a number with more than 20 digits")
    text = value if isinstance(value, str) else json.dumps(value)
    return clean(text if len(text) <= 60 else f"{text[:59]}…")


# What pydantic, or a kind of value (``interchange.schema.kinds``), calls an error → its sentence.
_OUT_OF_BOUNDS = gettext_lazy("This number is too small or too large: %(value)s.")
_SENTENCES: Final[Mapping[str, Promise]] = {
    "missing": gettext_lazy("This is missing."),
    "missing_choice": gettext_lazy("This is missing. Choose from: %(choices)s."),
    "choice": gettext_lazy("%(value)s is not available here. Choose from: %(choices)s."),
    "string_type": gettext_lazy("Enter text, not %(value)s."),
    "too_long": gettext_lazy("Use at most %(most)s characters, not %(count)s."),
    "too_many": gettext_lazy("The maximum here is %(most)s, but there are %(count)s."),
    "invisible": gettext_lazy("This text contains an invisible control character. Remove it."),
    "int_type": gettext_lazy("Enter a whole number, not %(value)s."),
    "greater_than_equal": _OUT_OF_BOUNDS,
    "less_than_equal": _OUT_OF_BOUNDS,
    "bool_type": gettext_lazy("Enter true or false, not %(value)s."),
    "list_type": gettext_lazy("Enter a list [ ]."),
    "dict_type": gettext_lazy("Enter an object { }."),
    "model_type": gettext_lazy("Enter an object { }."),
    "slug": gettext_lazy("An address consists of letters a to z, digits, - and _."),
    "country": gettext_lazy("Enter the country as two letters (ISO 3166), for example HK or JP."),
    "federation": gettext_lazy("A federation’s name has 1 to 20 visible characters."),
    "hand": gettext_lazy("Enter a hand as wind, number and honba, for example E1.0."),
    "timezone": gettext_lazy(
        "“%(name)s” is not a time zone. Choose one such as Asia/Hong_Kong or Europe/Paris."
    ),
    "day": gettext_lazy("Enter the date as year-month-day, for example 2025-04-30."),
    "uuid": gettext_lazy("Enter a UUID, for example 3f2b8c1e-0d4a-4c52-9a3e-5b7f6d1c2a90."),
    "moment": gettext_lazy("Enter a time with its zone, for example 2026-11-20T18:00:00+09:00."),
    "score": gettext_lazy("Enter a score with at most one decimal, for example -20.0, not %(value)s."),
    "deduction": gettext_lazy("Enter the deduction with a minus and at most one decimal, for example -20.0."),
    "mers_weight": gettext_lazy("Enter a number below 100 with at most one decimal, for example 2.5."),
    "amount": gettext_lazy(
        "Enter an amount from 0 to 999,999.99 with at most two decimals, for example 80.50, not %(value)s."
    ),
    "movement": gettext_lazy("These promotion and relegation settings cannot be read."),
}


def sentence_of(code: str, value: object = None, **words: Any) -> str:
    quoted = f"“{quote(value)}”" if code == "choice" else quote(value)
    return str(_SENTENCES[code]) % {"value": quoted, "name": quote(value), **words}
