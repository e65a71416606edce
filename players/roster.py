"""A roster as text, one player per line, parsed with every problem. Nothing is looked up or saved.

Lines are names, or columns (``players.cells``) with or without headings (``players.headings``). Rows above
the headings are titles. Without headings the columns are name, romanized name, country, club, EMA number,
division, after the numbers of the list if it has them. If the second one does not look like a romanized name,
the reader asks.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from itertools import pairwise, zip_longest
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.cells import Row, find_table
from players.countries import country_code
from players.files import MAX_ROWS
from players.headings import FIELDS, MOST_TITLES, WHO, field_of, find_headings, order_of
from players.matching import Number, exact_key, is_latin, near_key, number_key
from players.models import LONGEST_FEDERATION, LONGEST_NAME, LONGEST_NUMBER, FederationNumber
from players.text import has_control_characters, tidy

MOST_COLUMNS = 40
EMA_DIGITS = 8
# Other texts: LONGEST_NAME.
LONGEST = {"federation": LONGEST_FEDERATION, "number": LONGEST_NUMBER, "tenhou": 60}


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLine:
    """A player. ``country`` is alpha-2, ``team`` and ``division`` are as typed. ``tenhou``: a name on it."""

    number: int
    name: str
    romanized: str = ""
    country: str = ""
    club: str = ""
    team: str = ""
    division: str = ""
    numbers: tuple[Number, ...] = ()
    tenhou: str = ""


@dataclass(frozen=True, slots=True)
class LineProblem:
    """A problem that prevents saving. ``line`` 0 means the whole list."""

    line: int
    code: str
    params: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return str(_SENTENCES[self.code]) % dict(self.params)


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """A parsed roster. ``twins``: line → earlier line that is identical. ``unused``: unknown headings.

    ``namesakes``: line → earlier line of another person with the same name. ``columns``: (heading or "",
    field or ""). ``asks``: the first two columns may be several things, of which ``ORDERS`` names the
    fields. ``titles``: number of rows above the headings. ``warnings`` do not prevent saving. ``sheet``: the
    one that was read of the workbook's ``sheets``. ``separators``: see ``Cells``.
    """

    lines: tuple[RosterLine, ...] = ()
    problems: tuple[LineProblem, ...] = ()
    twins: Mapping[int, int]
    namesakes: Mapping[int, int] = dataclass_field(default_factory=dict)
    unused: tuple[str, ...] = ()
    warnings: tuple[LineProblem, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    titles: int = 0
    asks: bool = False
    has_headings: bool = False
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()


_SENTENCES: Mapping[str, str | Promise] = {
    "empty": _("This list has no players. Enter one player per line."),
    "too_many": _("A list has at most %(most)s players. This one has more. Import it in parts."),
    "no_name_column": _("No heading for the players’ names. Use “name”, “姓名” or “名前”."),
    "missing_name": _("The name is missing."),
    "no_name": _("“%(text)s” is not a name."),
    "is_json": _(
        "This is JSON and not a list. A competition file belongs on the page “Import competition file” of "
        "the league."
    ),
    "is_vcard": _("These are contacts (vCard) and not a list. Save them as CSV, or paste their names."),
    "invisible": _("“%(text)s” contains an invisible control character. Type it again without it."),
    "too_long": _("“%(text)s” is too long. The maximum is %(most)s characters."),
    "unknown_country": _("“%(text)s” is not a country. Enter the two-letter code, for example HK or JP."),
    "number_twice": _("%(number)s is also used in line %(other)s. Each player needs a different number."),
    "too_many_columns": _("This line has more columns than the headings."),
    "which_columns": _(
        "This list has no headings, and its first two columns may be several things. Choose what they are."
    ),
    "ema_number": _("“%(text)s” is not an EMA number: EMA numbers have eight digits, for example 04010023."),
}

_IN_ORDER = ("name", "romanized", "country", "club", f"#{FederationNumber.EMA}", "division")
# What the first two columns may be if no heading says it.
ORDERS = (
    ("first", "last"),
    ("last", "first"),
    ("name", "club"),
    ("name", "country"),
    ("name", "team"),
    ("name", "romanized"),
    ("name", ""),
)
REST = "…"  # after said fields: the other columns in the order of a list without headings
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# A number, a date, a mark of a list, an address, a formula.
_NO_NAME = re.compile(
    r"[-+]?\d[\d.,:/ -]*(?:[ap]m)?|[-*•·#]|\d+[.)]|\S+@\S+\.\w+|https?://\S+|=.*", re.IGNORECASE
)


def read_roster(
    text: str,
    said: Sequence[str] = (),
    *,
    as_is: bool = True,
    sheet: str = "",
    separator: str = "",
    has_headings: bool | None = None,
) -> Roster:
    """Parse a list without raising. ``said``: fields as in ``Roster.columns``, or two and ``REST``.

    Wrong EMA numbers get a warning, and are left out unless ``as_is``. ``sheet``: the chosen one of a
    workbook. ``separator``, ``has_headings``: see ``find_table``.
    """
    try:
        cells, at = find_table(
            text, find_headings, sheet=sheet, separator=separator, has_headings=has_headings
        )
    except OverflowError:
        return Roster(problems=(LineProblem(0, "too_many", (("most", MAX_ROWS),)),), twins={})
    if problem := other_kind(text):
        return Roster(problems=(LineProblem(0, problem),), twins={})
    of_sheet: dict[str, Any] = {
        "sheet": cells.sheet,
        "sheets": cells.sheets,
        "separators": cells.separators,
    }
    rows = list(cells.rows[: MAX_ROWS + MOST_TITLES + 2])  # with the headings one too many
    titles, heads = 0, None
    if at is not None:
        titles, (_number, heads) = at, rows[at]
        rows = rows[at + 1 :]
    if not rows:
        return Roster(problems=(LineProblem(0, "empty"),), twins={}, **of_sheet)
    if len(rows) > MAX_ROWS:
        return Roster(problems=(LineProblem(0, "too_many", (("most", MAX_ROWS),)),), twins={}, **of_sheet)
    width = len(heads) if heads else min(max(len(cells) for _number, cells in rows), MOST_COLUMNS)
    in_order: Sequence[str] = ("", *_IN_ORDER) if heads is None and _is_numbered(rows) else _IN_ORDER
    known = {*FIELDS, *_IN_ORDER, "", *map(field_of, heads or ())}
    if said and said[-1] == REST:
        is_answer = heads is None and tuple(said[:-1]) in ORDERS
        skipped = len(in_order) - len(_IN_ORDER)
        said = [*in_order[:skipped], *said[:2], *in_order[2 + skipped : width]] if is_answer else ()
    said = said if any(said) and len(said) == width and known.issuperset(said) else ()
    if heads is None and not said and _are_countries(rows, in_order.index("romanized")):
        in_order = ["country" if field == "romanized" else field for field in in_order]
    fields = _fields(heads, said, in_order)
    columns = tuple(zip_longest((heads or [""] * width), fields[:width], fillvalue=""))
    if not {"name", "first", "last"} & set(fields):
        nameless = LineProblem(0, "no_name_column")
        return Roster(problems=(nameless,), twins={}, columns=columns, titles=titles, **of_sheet)
    if heads is not None and "name" in fields:
        rows = names_in_order(rows, fields.index("name"), order_of(heads[fields.index("name")]))
    found = read_lines(fields, rows, as_is=as_is)
    found = replace(found, columns=columns, titles=titles, has_headings=heads is not None, **of_sheet)
    names = [cells[in_order.index("name") :] for _number, cells in rows]
    if heads is None and not said and "romanized" in fields and not all(map(_seems_romanized, names)):
        return replace(found, problems=(LineProblem(0, "which_columns"), *found.problems), asks=True)
    return replace(found, unused=tuple(title for title, field in columns if title and not field))


def names_in_order(rows: Sequence[Row], at: int, order: Sequence[str]) -> list[Row]:
    """Return rows with "Anna Berg" for "Berg, Anna" in column ``at``. ``order``: see ``order_of``."""
    if not order:
        return list(rows)
    return [
        (
            number,
            [*cells[:at], _name_in_order(cells[at], order), *cells[at + 1 :]] if at < len(cells) else cells,
        )
        for number, cells in rows
    ]


def other_kind(text: str) -> str:
    """Return the problem of a text that is not a list, "is_json" or "is_vcard", or ""."""
    begin = text.lstrip("\ufeff \t\r\n")
    if begin.startswith("BEGIN:VCARD"):
        return "is_vcard"
    with suppress(ValueError):
        return "is_json" if begin.startswith(("{", "[")) and json.loads(begin) else ""
    return ""


def _are_countries(rows: Sequence[tuple[int, Sequence[str]]], at: int) -> bool:
    """Return whether several rows have a country, and nothing else, in the second column of people."""
    found = [cells[at] for _number, cells in rows if len(cells) > at and cells[at]]
    return len(found) > 1 and all(map(country_code, found))


def _is_numbered(rows: Sequence[tuple[int, Sequence[str]]]) -> bool:
    """Return whether the first of several columns counts the lines."""
    numbers = [cells[0].rstrip(".)") for _number, cells in rows if len(cells) > 1]
    if len(numbers) < 2 or len(numbers) < len(rows) or not all(each.isdecimal() for each in numbers):
        return False
    return all(int(later) > int(former) for former, later in pairwise(numbers))


def read_lines(
    fields: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]], *, as_is: bool = True
) -> Roster:
    """Parse rows of cells without raising. ``fields`` as in ``Roster.columns``, ``rows``: (number, cells)."""
    problems: list[LineProblem] = []
    lines = tuple(_line(number, cells, fields, problems) for number, cells in rows)
    warnings = tuple(_wrong_ema_numbers(lines))
    wrong = set() if as_is else {warning.line for warning in warnings}
    lines = tuple(_without_ema_number(line) if line.number in wrong else line for line in lines)
    twins = _twins(lines)
    problems += _numbers_twice(lines, twins)
    problems.sort(key=lambda problem: problem.line)
    return Roster(
        lines=lines,
        problems=tuple(problems),
        twins=twins,
        namesakes=_namesakes(lines, twins),
        warnings=warnings,
    )


# --- columns ------------------------------------------------------------------------------------------------


def _fields(heads: Sequence[str] | None, said: Sequence[str], in_order: Sequence[str]) -> list[str]:
    """Return each column's field or "". Beside one of two names, "name" is the other."""
    fields = list(said) or (list(in_order) if heads is None else [field_of(title) for title in heads])
    if not said and heads is not None:
        names = [i for i, field in enumerate(fields) if field == "name"]
        keys = [i for i in names if exact_key(heads[i]) in WHO]
        if len(keys) < len(names):
            fields = ["" if i in keys else field for i, field in enumerate(fields)]
    if not said and "name" in fields and ("first" in fields) != ("last" in fields):
        other = "last" if "first" in fields else "first"
        fields = [other if field == "name" else field for field in fields]
    return [field if field not in fields[:i] else "" for i, field in enumerate(fields)]


def _seems_romanized(cells: Sequence[str]) -> bool:
    """Return whether the second cell is blank, or in Latin letters what the first one is in others."""
    name, second = (*cells[:2], "", "")[:2]
    if not (name and second):
        return True
    return is_latin(second) and (not is_latin(name) or near_key(name) == near_key(second))


# --- cells to players ---------------------------------------------------------------------------------------


def _line(
    number: int, cells: Sequence[str], fields: Sequence[str], problems: list[LineProblem]
) -> RosterLine:
    values = {field: _value(field, tidy(cell)) for field, cell in zip(fields, cells, strict=False) if field}
    first, last = values.pop("first", ""), values.pop("last", "")
    name = values["name"] = values.get("name") or _full_name(first, last)
    found = list(_cell_problems(number, values))
    if not exact_key(name):
        found.append(LineProblem(number, "missing_name"))
    elif _NO_NAME.fullmatch(name):
        found.append(LineProblem(number, "no_name", (("text", name[:40]),)))
    if any(cells[len(fields) :]):
        found.append(LineProblem(number, "too_many_columns"))
    written = values.get("country", "")
    country = country_code(written) if written else ""
    if country is None and not has_control_characters(written):
        found.append(LineProblem(number, "unknown_country", (("text", written[:40]),)))
    problems += found
    return RosterLine(
        number=number,
        name=name,
        romanized=values.get("romanized", ""),
        country=country or "",
        club=values.get("club", ""),
        team=values.get("team", ""),
        division=values.get("division", ""),
        numbers=tuple((f[1:], v) for f, v in values.items() if f.startswith("#") and v),
        tenhou=values.get("tenhou", ""),
    )


def _full_name(first: str, last: str) -> str:
    """Join first and last name. A Chinese or Japanese name has the last name in front, without a space."""
    return last + first if _HAN.search(first) and _HAN.search(last) else f"{first} {last}".strip()


def _name_in_order(text: str, order: Sequence[str]) -> str:
    parts = [part.strip() for part in re.split(r"[,，、]", text)]
    if len(order) != len(parts) or not all(parts):
        return text
    said = dict(zip(order, parts, strict=True))
    return _full_name(said["first"], said["last"])


def _value(field: str, text: str) -> str:
    """Normalize a federation's number. An EMA number gets back the zero that spreadsheets drop."""
    if not field.startswith("#"):
        return text
    number = unicodedata.normalize("NFKC", text).removesuffix(".0")
    is_short = field == f"#{FederationNumber.EMA}" and number.isdigit() and len(number) == EMA_DIGITS - 1
    return f"0{number}" if is_short else number


def _wrong_ema_numbers(lines: Iterable[RosterLine]) -> Iterator[LineProblem]:
    for line in lines:
        number = dict(line.numbers).get(FederationNumber.EMA, "")
        if number and not (number.isdigit() and len(number) == EMA_DIGITS):
            yield LineProblem(line.number, "ema_number", (("text", number[:40]),))


def _without_ema_number(line: RosterLine) -> RosterLine:
    others = tuple((to, number) for to, number in line.numbers if to != FederationNumber.EMA)
    return replace(line, numbers=others)


def _cell_problems(number: int, values: Mapping[str, str]) -> Iterator[LineProblem]:
    for field, value in values.items():
        most = LONGEST.get("number" if field.startswith("#") else field, LONGEST_NAME)
        if has_control_characters(value):
            visible = "".join("\ufffd" if has_control_characters(c) else c for c in value[:40])
            yield LineProblem(number, "invisible", (("text", visible),))
        elif len(value) > most:
            yield LineProblem(number, "too_long", (("text", value[:40] + "…"), ("most", most)))


def _twins(lines: Sequence[RosterLine]) -> dict[int, int]:
    """Return line → first earlier line with the same facts, case, width and spaces aside."""
    first: dict[object, int] = {}
    found = (
        (line.number, first.setdefault(_folded(line), line.number)) for line in lines if exact_key(line.name)
    )
    return {number: earlier for number, earlier in found if earlier != number}


def _folded(line: RosterLine) -> tuple[object, ...]:
    texts = line.name, line.romanized, line.country, line.club, line.team, line.division, line.tenhou
    return (*map(exact_key, texts), frozenset(map(number_key, line.numbers)))


def _namesakes(lines: Sequence[RosterLine], twins: Mapping[int, int]) -> dict[int, int]:
    """Return line → first earlier line with the same name and other facts."""
    first: dict[str, int] = {}
    found = (
        (line.number, first.setdefault(exact_key(line.name), line.number)) for line in lines if line.name
    )
    return {number: earlier for number, earlier in found if earlier != number and number not in twins}


def _numbers_twice(lines: Sequence[RosterLine], twins: Mapping[int, int]) -> Iterator[LineProblem]:
    holders: dict[Number, int] = {}
    for line in lines:
        for each in line.numbers:
            other = holders.setdefault(number_key(each), line.number)
            if other not in (line.number, twins.get(line.number)):
                params = (("number", " ".join(each)), ("other", other))
                yield LineProblem(line.number, "number_twice", params)
