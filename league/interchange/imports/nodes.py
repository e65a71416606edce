"""Reading JSON that somebody else wrote: every problem is noted with its place, and reading goes on.

A place is the path in the file, for example ``divisions[0].stages[0].rounds[3].tables[1].seats[2].player``.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from players.text import has_control_characters, tidy

LARGEST = 2**31 - 1  # what an integer column holds
SLUG = 60  # characters
SLUG_FORM = re.compile(r"[-a-zA-Z0-9_]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class FileProblem:
    """One problem: where (empty for the whole file), and a sentence that says what to do."""

    place: str
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


class BrokenFile(Exception):
    """A file that is not imported, with every problem that was found in it."""

    def __init__(self, problems: Iterable[FileProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


def visible(text: str) -> str:
    """Text that may quote the file, without anything that a page or a terminal could not show."""
    return "".join("\N{REPLACEMENT CHARACTER}" if has_control_characters(c) else c for c in text[:500])


def shown(value: object) -> str:
    """A value of the file inside a sentence: short, on one line, nothing invisible."""
    if isinstance(value, dict | list):  # it may be nested deeply, or hold half of the file
        return "{…}" if isinstance(value, dict) else "[…]"
    text = value if isinstance(value, str) else json.dumps(value)
    return visible(text if len(text) <= 60 else f"{text[:59]}…")


def digits(number: int) -> str:
    """A whole number in a sentence; one of hundreds of digits helps nobody."""
    return str(number) if abs(number) < 10**20 else _("a number of more than 20 digits")


@dataclass(slots=True)
class Node:
    """One JSON object of the file and its place. Reading a field notes what is wrong with it and goes on."""

    value: dict[str, Any]
    parent: "Node | None"
    key: str
    problems: list[FileProblem]
    good: bool = True  # nothing was noted about its own fields

    @property
    def place(self) -> str:
        above = self.parent.place if self.parent else ""
        return f"{above}.{self.key}" if above else self.key

    def note(self, key: str, message: str) -> None:
        """A problem of the field ``key`` (the object itself if empty)."""
        place = ".".join(part for part in (self.place, key) if part)
        self.problems.append(FileProblem(place, message))
        self.good = False

    def text(self, key: str, *, most: int, needed: bool = True) -> str:
        """Tidied text of at most ``most`` characters; empty (and noted, if ``needed``) without any."""
        value = self.value.get(key)
        if value is None:
            value = ""
        if not isinstance(value, str):
            self.note(key, _("Write text here, not %(value)s.") % {"value": shown(value)})
            return ""
        value = tidy(value)
        if not value and needed:
            self.note(key, _("This is missing."))
        elif len(value) > most:
            self.note(
                key,
                _("At most %(most)s characters; there are %(count)s.") % {"most": most, "count": len(value)},
            )
        elif has_control_characters(value):
            self.note(key, _("This text contains an invisible control character. Take it out."))
        else:
            return value
        return ""

    def slug(self, key: str = "slug") -> str:
        value = self.text(key, most=SLUG)
        if value and not SLUG_FORM.fullmatch(value):
            self.note(key, _("An address has letters a to z, digits, - and _ only."))
            return ""
        return value

    def whole(self, key: str, *, least: int = 0, default: int | None = None) -> int | None:
        """A whole number that the database can hold, or None (noted)."""
        value = self.value.get(key)
        if value is None and default is not None:
            return default
        if value is None:
            self.note(key, _("This is missing."))
        elif isinstance(value, bool) or not isinstance(value, int):
            self.note(key, _("Write a whole number here, not %(value)s.") % {"value": shown(value)})
        elif not least <= value <= LARGEST:
            self.note(key, _("This number is too small or too large: %(value)s.") % {"value": digits(value)})
        else:
            return value
        return None

    def choice(self, key: str, choices: Iterable[str], *, default: str | None = None) -> str:
        """One of ``choices``; without ``default`` it must be said."""
        value = self.value.get(key)
        if value is None and default is not None:
            return default
        known = [str(choice) for choice in choices]
        if isinstance(value, str) and value in known:
            return value
        if value is None:
            self.note(key, _("This is missing. Choose from: %(choices)s.") % {"choices": ", ".join(known)})
        else:
            self.note(
                key,
                _("There is no %(value)s here. Choose from: %(choices)s.")
                % {"value": f"“{shown(value)}”", "choices": ", ".join(known)},
            )
        return known[0]

    def flag(self, key: str, *, default: bool) -> bool:
        value = self.value.get(key)
        if value is not None and not isinstance(value, bool):
            self.note(key, _("Write true or false here, not %(value)s.") % {"value": shown(value)})
        return value if isinstance(value, bool) else default

    def object(self, key: str, *, needed: bool = True) -> "Node | None":
        value = self.value.get(key)
        if value is None and not needed:
            return None
        if not isinstance(value, dict):
            self.note(key, _("This is missing.") if value is None else _("Write an object { } here."))
            return None
        return Node(value, self, key, self.problems)

    def items(self, key: str, *, needed: bool = True) -> list[Any]:
        value = self.value.get(key)
        if isinstance(value, list):
            return value
        if value is not None:
            self.note(key, _("Write a list [ ] here."))
        elif needed:
            self.note(key, _("This is missing."))
        return []

    def children(self, key: str, *, needed: bool = True) -> Iterator["Node"]:
        """The objects of the list ``key``."""
        for index, value in enumerate(self.items(key, needed=needed)):
            if isinstance(value, dict):
                yield Node(value, self, f"{key}[{index}]", self.problems)
            else:
                self.note(f"{key}[{index}]", _("Write an object { } here."))

    def once(self, key: str, value: str | int | None, seen: dict[Any, "Node"]) -> None:
        """Note a value that an object before had already; ``seen`` remembers who had it."""
        if value is None or value == "":
            return
        first = seen.setdefault(value, self)
        if first is not self:
            self.note(
                key,
                _("“%(value)s” comes twice: %(place)s has it too.")
                % {"value": shown(value), "place": first.place},
            )
