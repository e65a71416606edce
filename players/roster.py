"""A roster as text, one player per line, parsed with every problem. Nothing is looked up or saved.

Lines are names, or columns separated by tab, semicolon or comma, with or without headings in English, Chinese
or Japanese. Rows above the headings are titles. Without headings the columns are name, romanized name,
country, club, EMA number, division. If the second one does not look like a romanized name, the reader asks.
"""

import csv
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from itertools import islice, zip_longest

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.countries import country_code
from players.files import MAX_ROWS
from players.matching import Number, exact_key, is_latin, near_key, number_key
from players.models import FederationNumber
from players.text import has_control_characters, tidy

MOST_COLUMNS = 40
MOST_TITLES = 15  # rows above the headings
EMA_DIGITS = 8
LONGEST = dict.fromkeys(("name", "romanized", "club", "team", "division"), 120) | {
    "federation": 20,
    "number": 40,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterLine:
    """A player. ``country`` is alpha-2, ``team`` and ``division`` are as typed."""

    number: int
    name: str
    romanized: str = ""
    country: str = ""
    club: str = ""
    team: str = ""
    division: str = ""
    numbers: tuple[Number, ...] = ()


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
    fields. ``titles``: number of rows above the headings. ``warnings`` do not prevent saving.
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


_SENTENCES: Mapping[str, str | Promise] = {
    "empty": _("This list has no players. Enter one player per line."),
    "too_many": _("A list has at most %(most)s players. This one has more. Import it in parts."),
    "no_name_column": _("No heading for the players’ names. Use “name”, “姓名” or “名前”."),
    "missing_name": _("The name is missing."),
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

# What people call the columns, folded by `exact_key`.
_HEADINGS = {
    "name": (
        "name, player, player name, full name, names, 姓名, 名字, 名前, 氏名, 名稱, 名称, 選手, 选手, "
        "選手名, 選手名前, 玩家, 玩家姓名, 球員, 参加者, 參加者, 中文姓名, 中文名"
    ),
    "first": "first name, given name, given names, forename, vorname, prénom, prenom, nombre, nome, 名",
    "last": (
        "last name, surname, family name, nachname, familienname, nom, apellido, apellidos, cognome, "
        "sobrenome, 姓"
    ),
    "romanized": (
        "romanized, romanised, romanized name, romanised name, romaji, latin name, english name, 羅馬拼音, "
        "罗马拼音, 拼音, 英文姓名, 英文名, 英文名字, ローマ字, ローマ字表記, ローマ字氏名"
    ),
    "country": (
        "land, pays, país, paese, nat., nat, country, country code, nation, nationality, 國家, 国家, 國籍, "
        "国籍, 國家/地區, 國家地區, 国家/地区, 國家或地區, 地區, 地区, 国, 国名, 国・地域"
    ),
    "club": (
        "verein, association, club, affiliation, organisation, organization, 會所, 俱樂部, 俱乐部, "
        "球會, 所屬會, 所屬, 所属, 所属俱乐部, 所屬團體, 所属団体, 所属クラブ, クラブ, 團體, 团体, 協會, "
        "协会, 団体"
    ),
    "team": (
        "team, team name, mannschaft, équipe, equipe, equipo, squadra, 隊, 队, 隊伍, 队伍, 隊名, 队名, 球隊, "
        "球队, 戰隊, 战队, 團隊, 团队, チーム, チーム名"
    ),
    "division": (
        "division, group, class, league, 組別, 组别, 組, 组, 分組, 分组, 部門, 部门, リーグ, 部, グループ, "
        "クラス"
    ),
}
_FIELDS = {
    exact_key(heading): field for field, headings in _HEADINGS.items() for heading in headings.split(", ")
}
# Headings of players that beside a column of names may say their keys, as the standings that we export do.
_WHO = {exact_key(word) for word in ("player", "選手", "选手", "玩家", "球員", "参加者", "參加者")}
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
_NUMBER = re.compile(
    r"(?P<federation>.+?)(?:[\s_-]+(?:number|numero|num\.?|no\.?|nr\.?|nº|id)"
    r"|[\s_-]*(?:#|會員編號|会员编号|會員號碼|会員番号|編號|编号|號碼|号码|番号))",
    re.IGNORECASE,
)
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# Numbers that belong to the list or the person's privacy, not to a federation.
_OTHER_NUMBERS = (
    "player row line seat table phone mobile telephone passport hkid 電話 手機 手机 携帯 携帯電話 選手 玩家 "
    "球員 受付 座位 證件 身份證 身分證"
)
_NO_FEDERATION = set(map(exact_key, _OTHER_NUMBERS.split()))


def read_roster(text: str, said: Sequence[str] = (), *, as_is: bool = True) -> Roster:
    """Parse a list without raising. ``said``: fields as in ``Roster.columns``, or two and ``REST``.

    Wrong EMA numbers get a warning, and are left out unless ``as_is``.
    """
    filled = ((number, cells) for number, cells in _rows(text) if any(cells))
    rows = list(islice(filled, MAX_ROWS + MOST_TITLES + 2))  # with the headings one too many
    at = _find_headings(rows)
    titles, heads = (0, None) if at is None else (at, rows[at][1])
    rows = rows if at is None else rows[at + 1 :]
    if not rows:
        return Roster(problems=(LineProblem(0, "empty"),), twins={})
    if len(rows) > MAX_ROWS:
        return Roster(problems=(LineProblem(0, "too_many", (("most", MAX_ROWS),)),), twins={})
    width = len(heads) if heads else min(max(len(cells) for _number, cells in rows), MOST_COLUMNS)
    known = {*_HEADINGS, *_IN_ORDER, "", *map(_field, heads or ())}
    if said and said[-1] == REST:
        is_answer = heads is None and tuple(said[:-1]) in ORDERS
        said = [*said[:2], *_IN_ORDER[2:width]] if is_answer else ()
    said = said if any(said) and len(said) == width and known.issuperset(said) else ()
    fields = _fields(heads, said)
    columns = tuple(zip_longest((heads or [""] * width), fields[:width], fillvalue=""))
    if not {"name", "first", "last"} & set(fields):
        return Roster(problems=(LineProblem(0, "no_name_column"),), twins={}, columns=columns, titles=titles)
    found = read_cells(fields, rows, as_is=as_is)
    found = replace(found, columns=columns, titles=titles)
    if heads is None and not said and not all(_seems_romanized(cells) for _number, cells in rows):
        return replace(found, problems=(LineProblem(0, "which_columns"), *found.problems), asks=True)
    return replace(found, unused=tuple(title for title, field in columns if title and not field))


def read_cells(
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


# --- text to cells ------------------------------------------------------------------------------------------


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield (line number, cells). Lines are read one by one, so that a stray quote cannot swallow others."""
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    separator = _separator(lines)
    for number, line in enumerate(lines, start=1):
        yield number, _cells(line, separator)


def _separator(lines: Sequence[str]) -> str:
    """Return tab if present, else the mark that most lines have. A list of plain names has none."""
    if any("\t" in line for line in lines):
        return "\t"
    counts = {mark: sum(mark in line for line in lines) for mark in ";,，"}
    return max(counts, key=lambda mark: counts[mark]) if any(counts.values()) else "\t"


def _cells(line: str, separator: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:  # a cell of more than 128 kB, or half a quoted one
        return [cell.strip() for cell in line.split(separator)]


def _find_headings(rows: Sequence[tuple[int, Sequence[str]]]) -> int | None:
    """Return the index of the headings: the first row, or one below titles, which fill fewer cells."""
    most = 0
    for index, (_number, cells) in enumerate(rows[: MOST_TITLES + 1]):
        filled = sum(map(bool, cells))
        if _are_headings(cells) and (index == 0 or filled > max(most, 1)):
            return index
        most = max(most, filled)
    return None


def _are_headings(cells: Sequence[str]) -> bool:
    known = [field for field in map(_field, cells) if field]
    return "name" in known or len(known) >= 2


def _fields(heads: Sequence[str] | None, said: Sequence[str]) -> list[str]:
    """Return each column's field or "". Beside first names alone, "name" is the last name."""
    fields = list(said) or (list(_IN_ORDER) if heads is None else [_field(title) for title in heads])
    if not said and heads is not None:
        names = [i for i, field in enumerate(fields) if field == "name"]
        keys = [i for i in names if exact_key(heads[i]) in _WHO]
        if len(keys) < len(names):
            fields = ["" if i in keys else field for i, field in enumerate(fields)]
    if not said and "first" in fields and "last" not in fields:
        fields = ["last" if field == "name" else field for field in fields]
    return [field if field not in fields[:i] else "" for i, field in enumerate(fields)]


def _seems_romanized(cells: Sequence[str]) -> bool:
    """Return whether the second cell is blank, or in Latin letters what the first one is in others."""
    name, second = (*cells[:2], "", "")[:2]
    if not (name and second):
        return True
    return is_latin(second) and (not is_latin(name) or near_key(name) == near_key(second))


def _field(title: str) -> str:
    """Return the field of a heading, such as "name", or "#EMA" for a federation's number, or ""."""
    title = tidy(title)
    known = _FIELDS.get(exact_key(title.replace("_", " ")))
    if known:
        return known
    if exact_key(title) in {"ema", "ara", "wrc"}:
        return f"#{title.upper()}"
    match = _NUMBER.fullmatch(title)
    federation = tidy(match["federation"].replace("_", " ")) if match else ""
    if not federation or exact_key(federation) in _NO_FEDERATION or len(federation) > LONGEST["federation"]:
        return ""
    return f"#{federation.upper() if federation.isascii() else federation}"


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
    )


def _full_name(first: str, last: str) -> str:
    """Join first and last name. A Chinese or Japanese name has the last name in front, without a space."""
    return last + first if _HAN.search(first) and _HAN.search(last) else f"{first} {last}".strip()


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
    return replace(line, numbers=tuple(each for each in line.numbers if each[0] != FederationNumber.EMA))


def _cell_problems(number: int, values: Mapping[str, str]) -> Iterator[LineProblem]:
    for field, value in values.items():
        most = LONGEST.get("number" if field.startswith("#") else field, 120)
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
    texts = line.name, line.romanized, line.country, line.club, line.team, line.division
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
                params = (("number", f"{each[0]} {each[1]}"), ("other", other))
                yield LineProblem(line.number, "number_twice", params)
