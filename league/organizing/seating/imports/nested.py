"""Plans as JSON or as lists and tuples of Python.

Rounds, tables and seats may be lists, or objects with a key for each: ``{"round": 1, "tables": [{"table": 1,
"east": "Ann", …}]}``. Objects for single tables or seats that name their round are read as rows are.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.organizing.seating.imports.tables import (
    PlanTable,
    Rounds,
    by_wind,
    gather,
    in_order,
    split_places,
    split_rounds,
)
from league.organizing.seating.imports.words import WINDS, field_of, name_winds, table_number

_START = re.compile(r"\s*(?:[\w.]+\s*(?::[^=\n]*)?=\s*)?(?=[\[{(])")
_TOKEN = re.compile(
    r"""(?s:"(?:[^"\\]|\\.)*(?:"|\\?\Z)|'((?:[^'\\]|\\.)*)(?:'|\\?\Z))|\#[^\n]*|[()]|,(?=\s*[\])}])"""
)
_BRACKETS = {"(": "[", ")": "]", ",": ""}
_SEAT, _TABLE, _ROUND, _PLAN = range(4)
# Facts of the API's rounds, tables and seats that make no seating, and those that repeat another's.
_OF_API = frozenset(
    {"date", "status", "visibility", "tables", "seating", "sticks", "last_dealer", "revision"}
)
_OF_API |= {"points", "uma", "oka", "score", "chips"}
_REPEATED = {"name": "player", "place": "wind"}


def is_nested(text: str) -> bool:
    return _START.match(text) is not None


@dataclass(frozen=True)
class _Part:
    """A seat, table, round or plan. ``content``: the player, (wind, player) pairs, tables, or rounds."""

    level: int
    content: Any
    labels: dict[str, str] = field(default_factory=dict)


def read_nested(text: str) -> Rounds:
    """Raises ``ValidationError``."""
    try:
        found = _read(_load(text))
    except RecursionError as error:
        raise _broken() from error
    if found.level == _SEAT:
        raise _broken()
    if found.level == _TABLE:
        found = _join([found])
    return split_rounds([found.content]) if found.level == _ROUND else list(found.content)


def _broken() -> ValidationError:
    return ValidationError(_("This JSON is not a plan. Use rounds of tables of four names or numbers."))


def _unknown(key: str) -> ValidationError:
    return ValidationError(
        _("“%(key)s” was not understood. Remove it, or name it round, table, player, wind or east to north."),
        params={"key": key[:80]},
    )


def _load(text: str) -> object:
    """Return the values of JSON, of a Python literal, or of lines with a round each."""
    json_text = _TOKEN.sub(_as_json, _START.sub("", text, count=1))
    for each in (text, json_text, f"[{json_text}]"):
        with suppress(ValueError):
            return json.loads(each)
    try:
        return [_load_line(line.strip().rstrip(",")) for line in json_text.splitlines() if line.strip()]
    except ValueError as error:
        raise _broken() from error


def _load_line(line: str) -> object:
    with suppress(ValueError):
        return json.loads(line)
    return json.loads(f"[{line}]")


def _as_json(token: re.Match[str]) -> str:
    if token[1] is not None:
        return json.dumps(token[1].replace("\\'", "'"), ensure_ascii=False)
    return "" if token[0].startswith("#") else _BRACKETS.get(token[0], token[0])


def _read(value: object) -> _Part:
    if isinstance(value, str | int) and not isinstance(value, bool):
        return _Part(_SEAT, str(value)[:200])
    if isinstance(value, list):
        return _join([_read(each) for each in value])
    if isinstance(value, dict):
        return _read_object(value)
    raise _broken()


def _read_object(value: dict[str, object]) -> _Part:
    inner = {key: each for key, each in value.items() if isinstance(each, list | dict)}
    winds = name_winds(value)
    is_whole = any(field_of(key) == ("round", None) for key in inner)
    labels, seats = {}, []
    for key, each in value.items():
        name = winds.get(key) or field_of(key)[0]
        if key in inner or each is None or is_whole or key in _OF_API or _REPEATED.get(key) in value:
            continue
        if name in ("player", *WINDS):
            seats.append(_Part(_SEAT, str(each)[:200], {"wind": name} if name in WINDS else {}))
        elif name:
            labels[name] = str(each)
        else:
            raise _unknown(key)
    if not inner and not seats and "number" in labels:
        seats.append(_Part(_SEAT, labels["number"]))
    found = [*seats, *_inner_parts(inner, winds)]
    if len(found) == 1 and (not inner or _wraps(next(iter(inner)))):
        return _labelled(found[0], labels)
    return _labelled(_join(found), labels)


def _wraps(key: str) -> bool:
    """Return whether a key is a word such as "tables", and not the label of one table."""
    return field_of(key)[1] is None and table_number(key) is None


def _inner_parts(inner: Mapping[str, object], winds: Mapping[str, str]) -> Iterator[_Part]:
    for key, each in inner.items():
        part = _read(each)
        if key in winds and part.level == _SEAT:
            yield _labelled(part, {"wind": winds[key]})
        elif not _wraps(key):
            yield _labelled(part, {"round" if part.level == _ROUND else "table": key})
        elif len(inner) == 1:
            yield part
        else:
            raise _unknown(key)


def _labelled(part: _Part, labels: dict[str, str]) -> _Part:
    return _Part(part.level, part.content, labels | part.labels)


def _join(parts: Sequence[_Part]) -> _Part:
    """Return the table of seats, the round of tables, or the plan of rounds."""
    if len({part.level for part in parts}) != 1 or parts[0].level == _PLAN:
        raise _broken()
    level, named = parts[0].level, {name for part in parts for name in part.labels}
    if level == _SEAT:
        winds = name_winds(part.labels.get("wind", "") for part in parts)
        seats = [(_wind(part, winds), part.content) for part in parts]
        if "table" not in named:
            return _Part(_TABLE, seats)
        places = [(part.labels.get("round", ""), _number(part, "table") or 0) for part in parts]
        return _Part(_PLAN, gather((*at, *seat) for at, seat in zip(places, seats, strict=True)))
    if level == _TABLE and "round" not in named:
        rounds = split_places([[player for _wind, player in part.content] for part in parts])
        if rounds and not named:
            return _Part(_PLAN, rounds)
        return _Part(_ROUND, list(map(_table, parts)))
    found: dict[str, list[PlanTable]] = {}
    for at, part in enumerate(parts):
        label = part.labels.get("round") or part.labels.get("number") or ("" if level == _TABLE else f" {at}")
        found.setdefault(label, []).extend([_table(part)] if level == _TABLE else part.content)
    return _Part(_PLAN, in_order(found))


def _table(part: _Part) -> PlanTable:
    name = "table" if "table" in part.labels else "number"
    return PlanTable(_number(part, name), by_wind(part.content))


def _number(part: _Part, name: str) -> int | None:
    label = part.labels.get(name)
    if label is None:
        return None
    number = table_number(label)
    if number is None:
        raise _unknown(label)
    return number


def _wind(part: _Part, winds: dict[str, str]) -> str:
    label = part.labels.get("wind", "")
    if label and label not in winds:
        raise _unknown(label)
    return winds.get(label, "")
