"""Plans as JSON, or as lists and tuples of Python, as rows below headings.

Rounds, tables and seats may be lists, or objects with a key for each: ``{"round": 1, "tables": [{"table": 1,
"east": "Ann", …}]}``. What is inside what tells them apart. A seat or table may name its round itself.
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import zip_longest

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.organizing.seating.imports.tables import TOO_LARGE, Seat, by_wind
from league.organizing.seating.imports.words import field_of, name_winds, table_number
from scoring.seating.checker import SEATS
from scoring.units import WINDS

_START = re.compile(r"\s*(?:[\w.]+\s*(?::[^=\n]*)?=\s*)?(?=[\[{(])")
_MOST_PYTHON = 100_000  # characters: its parser needs 400 times as much memory
_UNREADABLE = (SyntaxError, ValueError, TypeError, MemoryError)  # as the parsers raise
_SEAT, _TABLE, _ROUND, _PLAN = range(4)
_LABELS = ("wind", "table", "round")  # of seats, tables and rounds
# Facts of the API's rounds, tables and seats that make no seating, and those that repeat another's.
_OF_API = frozenset(
    {"date", "status", "visibility", "tables", "seating", "sticks", "last_dealer", "revision"}
)
_OF_API |= {"points", "uma", "oka", "score", "chips"}
_REPEATED = {"name": "player", "place": "wind"}

_Part = tuple[int, list[dict[str, str]]]  # level, rows


def is_nested(text: str) -> bool:
    return _START.match(text) is not None


def nested_rows(text: str) -> tuple[list[list[str]], bool]:
    """Return rows, and whether the first one is headings. Raises ``ValidationError``."""
    try:
        value = _load(text)
        if isinstance(value, list | tuple) and all(map(_is_row, value)):
            return [[str(cell)[:200] for cell in row] for row in value], False
        level, rows = _read(value)
    except RecursionError as error:
        raise _broken() from error
    if level == _SEAT:
        raise _broken()
    heads = list(dict.fromkeys(key for row in rows for key in row))
    return [heads, *([row.get(key, "") for key in heads] for row in rows)], True


def _broken() -> ValidationError:
    return ValidationError(_("This JSON is not a plan. Use rounds of tables of four names or numbers."))


def _unknown(key: str) -> ValidationError:
    return ValidationError(
        _("“%(key)s” was not understood. Remove it, or name it round, table, player, wind or east to north."),
        params={"key": key[:80]},
    )


def _load(text: str) -> object:
    """Return the values of JSON, of a Python literal, or of lines with a round each."""
    with suppress(ValueError):
        return json.loads(text)
    python = _START.sub("", text, count=1).strip()
    if len(python) > _MOST_PYTHON:
        raise ValidationError(TOO_LARGE)
    with suppress(*_UNREADABLE):
        return ast.literal_eval(python)
    try:
        return [ast.literal_eval(line.strip().rstrip(",")) for line in python.splitlines() if line.strip()]
    except _UNREADABLE as error:
        raise _broken() from error


def _is_row(value: object) -> bool:
    return isinstance(value, list | tuple) and all(map(_is_name, value))


def _is_name(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _read(value: object) -> _Part:
    if _is_name(value):
        return _SEAT, [{"player": str(value)[:200]}]
    if isinstance(value, list | tuple):
        return _join([_read(each) for each in value])
    if isinstance(value, dict):
        return _read_object({str(key): each for key, each in value.items()})
    raise _broken()


def _join(parts: Sequence[_Part]) -> _Part:
    """Return the table of seats, the round of tables, or the plan of rounds."""
    levels = {level for level, _rows in parts}
    if len(levels) != 1 or _PLAN in levels:
        raise _broken()
    (level,) = levels
    rows = [row for _level, rows in parts for row in rows]
    if level == _SEAT:
        return (_ROUND, rows) if all("table" in row for row in rows) else (_TABLE, [_table(rows)])
    if level == _ROUND:
        rows = [{"round": str(place)} | row for place, (_level, rows) in enumerate(parts) for row in rows]
    return level + 1, rows


def _table(seats: Sequence[Mapping[str, str]]) -> dict[str, str]:
    winds = name_winds(seat.get("wind", "") for seat in seats)
    if unknown := [seat["wind"] for seat in seats if seat.get("wind", "") not in {"", *winds}]:
        raise _unknown(unknown[0])
    players = by_wind(
        [Seat("", None, seat.get("player", ""), winds.get(seat.get("wind", ""), "")) for seat in seats]
    )
    if len(players) > SEATS:
        raise _broken()
    labels = {name: text for seat in seats for name, text in seat.items() if name not in ("player", "wind")}
    return labels | dict(zip_longest(WINDS, players, fillvalue=""))


def _read_object(value: Mapping[str, object]) -> _Part:
    inner = {key: each for key, each in value.items() if isinstance(each, list | tuple | dict)}
    if any(field_of(key) == ("round", None) for key in inner):
        own = {}
    else:
        own = dict(_facts({key: each for key, each in value.items() if key not in inner}))
    if inner:
        level, rows = _inside(inner)
    else:
        level, rows = (_TABLE if own.keys() & {*WINDS} else _SEAT), [{}]
    if "number" in own:
        number = own.pop("number")
        own.setdefault("player" if level == _SEAT else _LABELS[level], number)
    return level, [own | row for row in rows]


def _facts(value: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the field of each key, or the key if it is unknown, and its value."""
    winds = name_winds(value)
    for key, each in value.items():
        if each is not None and key not in _OF_API and _REPEATED.get(key) not in value:
            yield winds.get(key) or field_of(key).field or key, str(each)[:200]


def _inside(inner: Mapping[str, object]) -> _Part:
    """Return what is under a single word such as "tables", or under the labels of rounds, tables or seats."""
    words = [
        key
        for key in inner
        if field_of(key).number is None and table_number(key) is None and not name_winds([key])
    ]
    if words and len(inner) > 1:
        raise _unknown(words[0])
    parts = [_read(each) for each in inner.values()]
    if words:
        return parts[0]
    return _join(
        [
            (level, [{_LABELS[level]: key} | row for row in rows])
            for key, (level, rows) in zip(inner, parts, strict=True)
        ]
    )
