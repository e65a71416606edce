"""Find names of people in all columns of text, which are found from the models."""

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
    GameName,
    KnownNumber,
    League,
    LeagueEntry,
    OwnCatalogue,
    Registrant,
    RuleBook,
    Stage,
)
from players.models import Club, FederationNumber, Player, Register
from players.text import validate_visible

_ENDS: dict[type[models.Model], str] = {Competition: "league", League: "pk"}
_OURS = {"league", "players"}
# Not searched: names of things, and records of other people, who may have the same name.
_THINGS = {Register, League, RuleBook, OwnCatalogue, Competition, Division, Stage}
_OTHERS = {Player, Club, FederationNumber, GameName, BrowserSession, Registrant, KnownNumber}
_LEAST_LETTERS = 2  # of a name that is looked for inside texts


@dataclass(frozen=True)
class Names:
    """The names of a person, and the pseudonym that replaces them."""

    names: frozenset[str]
    pseudonym: str

    @classmethod
    def of(cls, names: Iterable[str], pseudonym: str) -> "Names":
        return cls(frozenset(n for n in names if len(n) >= _LEAST_LETTERS), pseudonym)

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return a pattern for whole names. Scripts without spaces have no borders between words."""
        longest_first = sorted(self.names, key=len, reverse=True)
        return re.compile("|".join(map(_as_word, longest_first)) or r"(?!)", re.IGNORECASE)

    def erase(self, text: str) -> str:
        return self.pattern.sub(lambda _found: self.pseudonym, text)


def _as_word(name: str) -> str:
    before = r"(?<![^\W_])" if _is_spaced(name[0]) else ""
    after = r"(?![^\W_])" if _is_spaced(name[-1]) else ""
    return before + re.escape(name) + after


def _is_spaced(letter: str) -> bool:
    """Return True for a letter of a script with spaces between words."""
    wide = unicodedata.east_asian_width(letter) in {"W", "F"}
    return (letter.isalnum() or letter == "_") and not wide


# --- columns


@cache
def text_columns() -> dict[type[models.Model], tuple[str, ...]]:
    """Return model → columns in which people write about people, without codes."""
    columns_by_model = {}
    for model in _our_models():
        written = (f.name for f in model._meta.local_concrete_fields if _is_written(f))
        columns = tuple(name for name in written if model not in _THINGS or name == "notice")
        if columns and model not in _OTHERS:
            columns_by_model[model] = columns
    return columns_by_model


def _our_models() -> list[type[models.Model]]:
    return [model for model in apps.get_models() if model._meta.app_label in _OURS]


def _is_written(field: "models.Field[Any, Any]") -> bool:
    return (
        isinstance(field, models.TextField) or field.name == "note" or validate_visible in field.validators
    ) and not isinstance(field, models.JSONField)


@cache
def path_to_league(model: type[models.Model]) -> str | None:
    """Return the lookup from a row to its league's id by keys that are never null, or None."""
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
    """Yield rows of these leagues with a name in one of the columns."""
    rows = model._base_manager.filter(**{f"{path_to_league(model)}__in": leagues})
    for row in rows.exclude(**dict.fromkeys(columns, "")).iterator():
        values = [getattr(row, column) for column in columns]
        if any(names.pattern.search(value) for value in values):
            yield row


# --- who was erased


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """A line of the list of erasures, which outlives the database. It has no name.

    ``mark``: the player's league or the account in this database only, since others assign the same numbers.
    ``by``: the account that erased the player.
    """

    at: str
    kind: str
    pk: int
    mark: str
    by: int | None = None

    @property
    def target(self) -> str:
        return f"{self.kind}:{self.pk}"


def mark_of(person: Player | User) -> str:
    if isinstance(person, User):
        return person.date_joined.isoformat()
    first = LeagueEntry.objects.filter(league__register=person.register_id, sequence=1)
    return first.values_list("hash", flat=True).first() or ""


def read_erased(*paths: Path) -> list[Erased]:
    """Return the distinct lines of these files, oldest first. A line without an end never took effect.

    Raises ``ValueError`` for a file of another kind.
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
