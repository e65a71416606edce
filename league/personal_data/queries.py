"""Who was erased, and where a person is named: the columns in which people write, and how rows belong to
leagues.

Columns are found from the models, so that a new one is searched without being listed here. Entries of logs
hold ids, and digests of what ``LogText`` has.
"""

import json
import re
import unicodedata
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db import models

from league.models import (
    BrowserSession,
    Competition,
    Division,
    League,
    LeagueEntry,
    OwnCatalogue,
    RuleBook,
    Stage,
)
from players.models import Club, FederationNumber, Player, Register
from players.text import validate_visible

_ENDS: dict[type[models.Model], str] = {Competition: "league", League: "pk"}
_OURS = {"league", "players"}
# Not searched: names of things, and records of other people, who may have the same name.
_THINGS = {Register, League, RuleBook, OwnCatalogue, Competition, Division, Stage}
_OTHERS = {Player, Club, FederationNumber, BrowserSession}
_LEAST_LETTERS = 2  # of a name that is looked for inside texts


@dataclass(frozen=True)
class Names:
    """What a person is called, and the pseudonym that takes its place."""

    names: frozenset[str]
    pseudonym: str

    @classmethod
    def of(cls, names: Iterable[str], pseudonym: str) -> "Names":
        return cls(frozenset(n for n in names if len(n) >= _LEAST_LETTERS), pseudonym)

    @property
    def pattern(self) -> re.Pattern[str]:
        """Finds the names as words of their own; scripts without spaces have no such borders."""
        longest_first = sorted(self.names, key=len, reverse=True)
        return re.compile("|".join(map(_as_word, longest_first)) or r"(?!)", re.IGNORECASE)

    def erase(self, text: str) -> str:
        """The text with the pseudonym in the place of the names."""
        return self.pattern.sub(lambda _found: self.pseudonym, text)


def _as_word(name: str) -> str:
    before = r"(?<![^\W_])" if _is_spaced(name[0]) else ""
    after = r"(?![^\W_])" if _is_spaced(name[-1]) else ""
    return before + re.escape(name) + after


def _is_spaced(letter: str) -> bool:
    """Is it of a script that puts spaces between words?"""
    wide = unicodedata.east_asian_width(letter) in {"W", "F"}
    return (letter.isalnum() or letter == "_") and not wide


# --- columns


@cache
def text_columns() -> dict[type[models.Model], tuple[str, ...]]:
    """Model → its columns in which people write about people; not codes."""
    found = {}
    for model in _our_models():
        columns = tuple(f.name for f in model._meta.local_concrete_fields if _is_written(f))
        if columns and model not in _THINGS | _OTHERS:
            found[model] = columns
    return found


def _our_models() -> list[type[models.Model]]:
    return [model for model in apps.get_models() if model._meta.app_label in _OURS]


def _is_written(field: "models.Field[Any, Any]") -> bool:
    return (
        isinstance(field, models.TextField) or field.name == "note" or validate_visible in field.validators
    ) and not isinstance(field, models.JSONField)


@cache
def path_to_league(model: type[models.Model]) -> str | None:
    """The lookup that leads from a row to the id of its league by keys that every row has; None if none."""
    waiting = deque([(model, "")])
    seen = {model}
    while waiting:
        here, path = waiting.popleft()
        if here in _ENDS:
            return f"{path}{_ENDS[here]}"
        for field in here._meta.concrete_fields:
            if not isinstance(field, models.ForeignKey) or field.null:
                continue
            there: type[models.Model] = field.related_model
            if there not in seen:
                seen.add(there)
                waiting.append((there, f"{path}{field.name}__"))
    return None


def rows_with(
    model: type[models.Model], columns: Iterable[str], leagues: Collection[int], names: Names
) -> Iterator[models.Model]:
    """Rows of these leagues in which a name is found in one of the columns."""
    rows = model._base_manager.filter(**{f"{path_to_league(model)}__in": leagues})
    for row in rows.exclude(**dict.fromkeys(columns, "")).iterator():
        values = [getattr(row, column) for column in columns]
        if any(names.pattern.search(value) for value in values):
            yield row


# --- who was erased


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """A line of the list of erasures, which outlives the database: numbers and no name.

    ``mark`` is the player's league or the account as only this database has it: another one gives the same
    number to another person. ``by`` is the account that erased the player.
    """

    at: str
    kind: str
    pk: int
    mark: str
    by: int | None = None

    @property
    def target(self) -> str:
        """As logs name it."""
        return f"{self.kind}:{self.pk}"


def mark_of(person: Player | User) -> str:
    if isinstance(person, User):
        return person.date_joined.isoformat()
    first = LeagueEntry.objects.filter(league__register=person.register_id, sequence=1)
    return first.values_list("hash", flat=True).first() or ""


def read_erased(*paths: Path) -> list[Erased]:
    """The lines of these files, each once, the oldest first. A line without an end was never in force.

    Raises ``ValueError`` for a file that is not such a list.
    """
    texts = [path.read_text() for path in paths if path.exists()]
    lines = {line for text in texts for line in text.splitlines(keepends=True) if line.endswith("\n")}
    try:
        return sorted((Erased(**json.loads(line)) for line in lines), key=lambda line: line.at)
    except TypeError as error:
        raise ValueError from error


def erased_since(at: datetime, lines: Iterable[Erased]) -> Iterator[Erased]:
    for line in lines:
        if datetime.fromisoformat(line.at) > at:
            yield line
