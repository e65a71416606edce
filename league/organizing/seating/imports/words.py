"""Words of plans: headings of columns and keys of JSON with their numbers, winds, tables, seats."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from league.core.files.headings import GAME_FIELDS
from players.headings import field_of as roster_field
from players.matching import exact_key
from scoring.units import WINDS

_TOKEN = re.compile("[0-9]+|[^\\W\\d_\u3040-\u9fff]+|[\u30a1-\u30ff]+|[\u3040-\u9fff]")
_COUNTERS = frozenset("第番號号戦戰次家風风席位座桌台枱檯卓")  # 第3卓, 3番卓, 1号桌, 東家
_JOINED = ("round", "table", "player", "wind")  # but "West No" may be a name
MOST_TABLE = 9_999


class Heading(NamedTuple):
    """The field of a heading, "" if unknown, and its number: of "Round 3" round and 3, of "Table B" 2."""

    field: str
    number: int | None


@lru_cache(10_000)
def field_of(text: str) -> Heading:
    text = text[:80]
    lettered = re.fullmatch(r"(.+?)\s+([A-Z])\W*", text, re.ASCII)
    if lettered and _field(lettered[1]):
        return Heading(_field(lettered[1]), _place(lettered[2]))
    found = re.search("[0-9]{1,4}", text)
    field = "number" if text == "#" else _field(re.sub(r"[0-9第#:：._()\[\]-]+", " ", text))
    return Heading(field, int(found.group()) if found else None)


@lru_cache(10_000)
def _field(word: str) -> str:
    """Return the field of a word, or of joined words: tour_number, playerIndex, Table no."""
    if field := GAME_FIELDS.get(exact_key(word), ""):
        return field
    if _player(word):
        return "player"
    parts = [part for part in re.split(r"[\s_]+|(?<=[a-z])(?=[A-Z])", word.strip()) if part]
    fields = {GAME_FIELDS.get(exact_key(part)) or _player(part) for part in parts}
    if fields == {"player", "number"}:
        return "number"
    return next((field for field in _JOINED if fields - {"number"} == {field}), "")


def _player(word: str) -> str:
    return "player" if roster_field(word) in ("name", "first", "last") else ""


def _place(letter: str) -> int:
    return ord(letter.upper()) - ord("A") + 1


def name_winds(words: Iterable[str]) -> dict[str, str]:
    """Return the wind of each word: 東, Est, 1. O is west beside E, and east beside W. 0 is east before 1."""
    words = set(words)
    if "0" in words and words <= {*"0123"}:
        return {word: WINDS[int(word)] for word in words}
    found = {word: _wind(word) for word in words if _wind(word)}
    initials = [word for word in words if exact_key(word) == "o"]
    missing = {"east", "west"} - set(found.values())
    if len(missing) == 1:
        found |= dict.fromkeys(initials, missing.pop())
    return found


def _wind(word: str) -> str:
    if re.fullmatch("[1-4]", word, re.ASCII):
        return WINDS[int(word) - 1]
    return _field(word) if _field(word) in WINDS else ""


def table_number(text: str) -> int | None:
    """Return the table's number: "3", "Table 3", "第3桌", 2 for "B", and 0 if numbers begin there."""
    tokens = _tokens(text)
    digits = [token for token in tokens if token.isdigit()]
    if not digits and len(tokens) == 1 and _is_letter(tokens[0]):
        return _place(tokens[0])
    return int(digits[0]) if len(digits) == 1 and int(digits[0]) <= MOST_TABLE else None


def _is_letter(token: str) -> bool:
    return len(token) == 1 and token.isascii() and token.isalpha()


def _tokens(text: str) -> list[str]:
    tokens = [token for token in _TOKEN.findall(text) if token not in _COUNTERS]
    return [token for token in tokens if len(token) == 1 or _field(token) not in ("table", "wind")]


def read_seats(cells: Iterable[str]) -> Mapping[str, tuple[int, str] | None]:
    """Return table and wind (or "") of cells such as "3E", "Table 3 East", "3-1", "A1", or None.

    If any cell has a letter other than a wind, the letters of all cells name tables.
    """
    tokens = {cell: _tokens(cell) for cell in cells}
    letters = {token.upper() for found in tokens.values() for token in found if _is_letter(token)}
    is_lettered = not letters <= set("ESWNOT")
    words = {token for found in tokens.values() for token in found}
    winds = name_winds(words)
    return {cell: _seat(found, winds, is_lettered=is_lettered) for cell, found in tokens.items()}


def _seat(tokens: Sequence[str], winds: Mapping[str, str], *, is_lettered: bool) -> tuple[int, str] | None:
    if not is_lettered:
        tokens = [token for token in tokens if token not in ("T", "t")]
        tokens = tokens if tokens and tokens[0].isdigit() else tokens[::-1]
    if not 0 < len(tokens) <= 2 or is_lettered == tokens[0].isdigit():
        return None
    number, wind = table_number(tokens[0]), winds.get(tokens[-1], "") if len(tokens) == 2 else ""
    return (number, wind) if number and (wind or len(tokens) == 1) else None
