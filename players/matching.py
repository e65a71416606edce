"""Matching of records of one person by folded names and federation numbers. Matches are only offered.

An *exact* match has the same name up to case, width, spaces and shapes of apostrophes, or a nearly equal name
and the same number. Romanized names, countries and numbers that both have agree. A *near* match differs in
accents, umlauts (Müller, Mueller), long vowels (Ōno, Ohno, Ono), hyphens, order of parts, romanized name, or
country, or shares only a number.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Protocol

from players.folding import folded, narrow

Number = tuple[str, str]  # federation, number

# Long vowels of Japanese names, and German umlauts.
_VOWELS = (
    (re.compile(r"([aou])e"), r"\1"),
    (re.compile(r"ou|oo|oh(?![aeiouy])"), "o"),
    (re.compile(r"uu"), "u"),
)
_CROWD = 20  # records under one key of which pairs are made: more would be pages of them
_SHORT = 6  # letters; below it a name with its letters in another order is another name
_LONG = 8  # letters; below it a name with another letter is another name
_LONG_PART = 3  # letters, of the first or last name with another letter


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    pk: int
    name: str
    romanized: str = ""
    country: str = ""
    club: str = ""
    numbers: tuple[Number, ...] = ()
    entered: bool = False


class Facts(Protocol):
    """Facts about a person from a list, a form or an entry. Blank facts are not known."""

    @property
    def name(self) -> str: ...
    @property
    def romanized(self) -> str: ...
    @property
    def country(self) -> str: ...
    @property
    def club(self) -> str: ...
    @property
    def numbers(self) -> tuple[Number, ...]: ...


@dataclass(frozen=True, slots=True)
class Match:
    person: Person
    exact: bool


def exact_key(name: str) -> str:
    """Fold case, width (ＡＢＣ, ABC), spaces, invisible joiners and the shapes of apostrophes and hyphens."""
    return narrow(name).replace(" ", "")


def near_key(name: str) -> str:
    """Fold also accents, spellings of umlauts and long vowels, and the order of parts of Latin names."""
    letters = "".join(c for c in folded(name) if c.isalnum())
    if not letters.isascii():
        return letters
    for long, short in _VOWELS:
        letters = long.sub(short, letters)
    if len(letters) < _SHORT:
        return letters
    digits = "".join(c for c in letters if c.isdigit())  # Player 12 is not Player 21
    return "".join(sorted(c for c in letters if not c.isdigit())) + digits


def typing_keys(name: str) -> set[str]:
    """Return keys of which long Latin names share one if a letter of a part is missing or another one."""
    parts = [part for part in sorted(re.split(r"\W+", folded(name))) if part]
    if sum(map(len, parts)) < _LONG or not "".join(parts).isascii():
        return set()
    keys = {" ".join(parts)}
    for at, part in enumerate(parts):
        if len(part) >= _LONG_PART and part.isalpha():
            cut = [part[:i] + part[i + 1 :] for i in range(len(part))]
            keys |= {" ".join([*parts[:at], each, *parts[at + 1 :]]) for each in cut}
    return keys


def is_latin(text: str) -> bool:
    """Return whether all letters are Latin, accents included."""
    return near_key(text).isascii()


def number_key(number: Number) -> Number:
    """Fold case, width and spaces. Leading zeros count."""
    federation, digits = number
    return exact_key(federation), exact_key(digits)


def by_federation(numbers: Iterable[Number]) -> dict[str, Number]:
    """Return folded federation → the last of its numbers."""
    keys = {number: number_key(number) for number in numbers}
    return {federation: number for number, (federation, _digits) in keys.items()}


class Index:
    """People of a register by number and name, without comparing all pairs."""

    def __init__(self, people: Iterable[Person]) -> None:
        self._people: dict[int, Person] = {}
        self._by_key: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for person in people:
            self.add(person)

    def add(self, person: Person) -> None:
        """Add a person, or replace the record of the same `pk`."""
        self._people[person.pk] = person
        for key in _keys(person.name, person.romanized, person.numbers):
            self._by_key[key].append(person.pk)
        self.__dict__.pop("_by_typing", None)

    def matches(self, *, name: str, romanized: str, country: str, numbers: Iterable[Number]) -> list[Match]:
        """Return who this may be, exact matches first, then oldest records."""
        numbers = tuple(numbers)
        found = {pk for key in _keys(name, romanized, numbers) for pk in self._by_key.get(key, ())}
        matches = [
            Match(person, _is_exact(person, name, romanized, country, numbers))
            for person in map(self._people.__getitem__, found)
        ]
        return sorted(matches, key=lambda m: (not m.exact, m.person.pk))

    def mistyped(self, name: str) -> list[Person]:
        """Return whose name or romanized name this may be with a typing error, oldest records first."""
        found = {pk for key in typing_keys(name) for pk in self._by_typing.get(key, ())}
        return [self._people[pk] for pk in sorted(found)]

    @cached_property
    def _by_typing(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = defaultdict(list)
        for person in self._people.values():
            for key in typing_keys(person.name) | typing_keys(person.romanized):
                found[key].append(person.pk)
        return found

    def holders(self, number: Number) -> list[int]:
        return self._by_key.get(("number", *number_key(number)), [])

    def pairs(self) -> Iterator[tuple[Person, Person, bool]]:
        """Yield (older record, newer record, exact) for records that may be one person, exact ones first."""
        together = {
            (min(a, b), max(a, b))
            for group in self._by_key.values()
            for a, b in combinations(group[:_CROWD], 2)
        }
        exact: list[tuple[Person, Person, bool]] = []
        similar: list[tuple[Person, Person, bool]] = []
        for older, newer in sorted(together):
            a, b = self._people[older], self._people[newer]
            is_exact = _is_exact(a, b.name, b.romanized, b.country, b.numbers)
            group = exact if is_exact else similar
            group.append((a, b, is_exact))
        yield from (*exact, *similar)


def with_facts(person: Person, said: Facts) -> Person:
    """Return the person's record as these facts would change it.

    Blank facts change nothing, nor do case, width and spaces. A name that the record has as the romanized
    one is not a new name.
    """
    is_known = near_key(said.name) == near_key(person.romanized) != "" and not said.romanized
    given, known = by_federation(said.numbers), by_federation(person.numbers)
    return replace(
        person,
        name=person.name if is_known else _newer(person.name, said.name),
        romanized=_newer(person.romanized, said.romanized),
        country=said.country or person.country,
        club=_newer(person.club, said.club),
        numbers=tuple(
            number if key not in given or number_key(given[key]) == number_key(number) else given[key]
            for key, number in known.items()
        )
        + tuple(number for key, number in given.items() if key not in known),
    )


def _newer(known: str, said: str) -> str:
    return said if said and exact_key(said) != exact_key(known) else known


def _is_exact(person: Person, name: str, romanized: str, country: str, numbers: Iterable[Number]) -> bool:
    theirs, given = dict(map(number_key, person.numbers)), dict(map(number_key, numbers))
    shared = theirs.keys() & given.keys()
    if any(theirs[federation] != given[federation] for federation in shared):
        return False
    if shared:
        return bool(_name_keys(person.name, person.romanized) & _name_keys(name, romanized))
    if country and person.country and country != person.country:
        return False
    if romanized and person.romanized and near_key(romanized) != near_key(person.romanized):
        return False
    return exact_key(person.name) == exact_key(name)


def _name_keys(*names: str) -> set[str]:
    return {near_key(name) or exact_key(name) for name in names if name}


def _keys(name: str, romanized: str, numbers: Iterable[Number]) -> set[tuple[str, ...]]:
    keys: set[tuple[str, ...]] = {("number", *number_key(number)) for number in numbers}
    keys |= {("name", key) for key in _name_keys(name, romanized)}
    return keys | {("exact", exact_key(name))}
