"""Checks of a competition file as a whole: validators of its objects, with the ``File`` as context.

A check ends at a field that could not be read.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from typing import Any, TypeVar

from django.utils.translation import gettext as _
from pydantic import BaseModel

from league.organizing.interchange.schema.problems import Path, place_of, quote, sentence_of
from players.text import tidy

SLUG = re.compile(r"[-a-zA-Z0-9_]{1,60}", re.ASCII)
Found = Iterator[tuple[Path, str]]  # place in the object that is checked, and a sentence
C = TypeVar("C", bound=Callable[..., Found])


class UnknownField(Exception):
    """A field that could not be read."""


class Wrong(Exception):
    """A problem that ends its check."""

    def __init__(self, where: Path, sentence: str) -> None:
        self.where, self.sentence = where, sentence


class File:
    """The context of every check: ids and places in the file, collected before its objects are read."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.path: Path = ()  # of the object whose problems are collected
        self.players = _by(raw, "players", "id")
        self.teams = _by(raw, "teams", "id")
        self._raw = _by(raw, "divisions", "slug")
        self.divisions = type(self._raw)({slug: _stages(each) for slug, each in self._raw.items()})

    @cached_property
    def plays_in(self) -> Mapping[str, str]:
        """Return player → the first division in which the player sits."""
        return {
            tidy(seat[name]): slug
            for slug, division in reversed(self._raw.items())
            for stage in below(division, "stages")
            for round_ in below(stage, "rounds")
            for table in below(round_, "tables")
            for seat in below(table, "seats")
            for name in ("player", "stands_for")
            if isinstance(seat, dict) and isinstance(seat.get(name), str)
        }

    def find_twice(self, values: Iterable[tuple[Path, str, object]]) -> Found:
        """Yield values that come twice, given as owner, field of the owner, and value."""
        first: dict[object, Path] = {}
        for owner, name, value in values:
            if value is not None and first.setdefault(value, owner) is not owner:
                place = place_of((*self.path, *first[value]))
                sentence = _("“%(value)s” is listed twice: also in %(place)s.")
                yield (*owner, name) if name else owner, sentence % {"value": quote(value), "place": place}

    def find_repeated(self, parts: Iterable[Any], name: str) -> Iterator[int]:
        """Yield the indexes of parts at known places whose value of `name` is that of an earlier part."""
        seen = set()
        for index, part in enumerate(parts):
            try:
                value = getattr(part, name) if self._has_place(part) else None
            except (KeyError, UnknownField):
                continue
            if value is not None and value in seen:
                yield index
            seen.add(value)

    def _has_place(self, part: Any) -> bool:
        rounds, table = self.divisions[part.division][part.stage], getattr(part, "table", None)
        return part.round is None or (part.round in rounds and (table is None or table in rounds[part.round]))


def below(owner: object, name: str) -> list[Any]:
    """Return a list in an object that is not checked yet."""
    found = owner.get(name) if isinstance(owner, dict) else None
    return found if isinstance(found, list) else []


class _Unread(dict[Any, Any]):
    """The objects of a list that could not be read."""

    def __contains__(self, key: object) -> bool:
        raise UnknownField(key)


def _by(owner: dict[str, Any], parts: str, field: str) -> dict[Any, Any]:
    every = owner.get(parts)
    if every is None and parts == "teams":
        return {}
    if not isinstance(every, list):
        return _Unread()
    found: dict[Any, Any] = {}
    for part in every:
        value = part.get(field) if isinstance(part, dict) else None
        if field == "number" and type(value) is int:
            found.setdefault(value, part)
        elif isinstance(value, str) and (field != "slug" or SLUG.fullmatch(tidy(value))):
            found.setdefault(tidy(value), part)
    return found


def _below(found: dict[Any, Any], parts: str, field: str) -> dict[Any, dict[Any, Any]]:
    return type(found)({key: _by(each, parts, field) for key, each in found.items()})


def _stages(division: dict[str, Any]) -> dict[str, Any]:
    """Return stage → number of a round → number of a table."""
    rounds = _below(_by(division, "stages", "slug"), "rounds", "number")
    return type(rounds)({slug: _below(each, "tables", "number") for slug, each in rounds.items()})


def check(method: C) -> C:
    """Mark a method as a check. It gets the ``File`` and yields places and sentences."""
    method.is_check = True  # type: ignore[attr-defined]
    return method


@cache
def _checks_of(kind: type[BaseModel]) -> list[Callable[..., Found]]:
    every = [each for base in reversed(kind.__mro__) for each in vars(base).values()]
    return [each for each in every if getattr(each, "is_check", False)]


def find_problems(part: BaseModel, file: File) -> Found:
    """Run all checks of an object, but not the checks of the objects in it."""
    for each in _checks_of(type(part)):
        yield from within((), each(part, file))


def within(where: Path, found: Found) -> Found:
    """Yield what a check found in the part at `where`, until a field could not be read."""
    try:
        for place, sentence in found:
            yield (*where, *place), sentence
    except UnknownField:
        pass
    except Wrong as wrong:
        yield (*where, *wrong.where), wrong.sentence


def choose(where: Path, value: str, choices: Collection[str]) -> None:
    """Raise ``Wrong`` unless the value is one of the choices."""
    if value not in choices:
        raise Wrong(where, sentence_of("choice", value, choices=", ".join(choices)))
