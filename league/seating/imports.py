"""Plans of the organizer's own, read from a file or pasted text, with players for their names or numbers."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count, zip_longest
from operator import itemgetter
from random import Random

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.people.queries import Candidate, Finder
from league.roster.imports import read_list
from league.seating.engine.checker import SEATS
from league.seating.engine.schedule import MOST_ROUNDS
from players.files import Unreadable
from players.matching import exact_key
from players.text import tidy

MOST_BYTES = 1_000_000
MOST_TABLE = 9_999


def decode_plan(upload: UploadedFile) -> str:
    """Return the text of a plan's file. A workbook gives its first sheet, tab-separated."""
    if (upload.size or 0) > MOST_BYTES:
        raise ValidationError(_("This file is too large for a plan."))
    try:
        return read_list(upload.read(), encoding="").text
    except Unreadable as error:
        raise ValidationError(str(error)) from error


@dataclass(frozen=True, slots=True)
class PlanTable:
    number: int | None
    cells: Sequence[str]


Plan = Sequence[Sequence[PlanTable]]


def read_plan(text: str) -> list[list[PlanTable]]:
    """Read JSON, or rows in a form of ``_from_rows``. Raises ``ValidationError``."""
    is_json = text.lstrip()[:1] in ("[", "{")
    plan = _from_json(text) if is_json else _from_rows([read_cells(line) for line in text.splitlines()])
    if not plan:
        raise ValidationError(_("No plan yet. Choose a file or paste it."))
    if len(plan) > MOST_ROUNDS:
        raise ValidationError(_("A plan has at most %(most)s rounds."), params={"most": MOST_ROUNDS})
    wrong = [
        gettext("Round %(round)s, table %(table)s: a table needs four players.") % {"round": r, "table": t}
        for r, round_ in enumerate(plan, 1)
        for t, table in enumerate(round_, 1)
        if len(table.cells) != SEATS
    ]
    for number, round_ in enumerate(plan, 1):
        listed = Counter(table.number for table in round_ if table.number is not None)
        if twice := [table for table, times in listed.items() if times > 1]:
            said = gettext("Round %(round)s: table %(table)s is listed twice.")
            wrong.append(said % {"round": number, "table": twice[0]})
    if wrong:
        raise ValidationError(wrong[:10])
    return plan


def _from_json(text: str) -> list[list[PlanTable]]:
    broken = ValidationError(_("This JSON is not a plan. Use rounds of tables of four names or numbers."))
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise broken from error
    rounds = found.get("rounds") if isinstance(found, dict) else found
    if not isinstance(rounds, list) or not all(isinstance(round_, list) and round_ for round_ in rounds):
        raise broken
    tables = [table for round_ in rounds for table in round_]
    if not all(isinstance(table, list) for table in tables):
        raise broken
    if not all(
        isinstance(each, str | int) and not isinstance(each, bool) for table in tables for each in table
    ):
        raise broken
    return [[PlanTable(None, [str(each)[:200] for each in table]) for table in round_] for round_ in rounds]


# --- rows of cells ------------------------------------------------------------------------------------------

Row = Sequence[str]
Seat = tuple[str, int, int | None, str]  # round, table, wind from 0 if known, player

WINDS = ("east", "south", "west", "north")
_HEADINGS = {
    "round": "round rd rnd r game hanchan 輪 輪次 轮 轮次 回 回戦 回戰 半荘 節",
    "table": "table tbl t 桌 桌號 桌号 桌次 台 卓 卓番号 卓番",
    "player": "player name 選手 选手 玩家 球員 姓名 名字 名前 氏名",
    "number": "no nr number 編號 编号 號碼 号码 番号",
    "wind": "wind seat 風 风 風位 风位 座位 席 家",
    "east": "east e 東 东 東家 东家 東風",
    "south": "south s 南 南家",
    "west": "west w 西 西家",
    "north": "north n 北 北家",
}
_FIELDS = {exact_key(word): field for field, words in _HEADINGS.items() for word in words.split()}
_FOUR = re.compile(r"[0-9]{1,4}(?:\s*[-–/ ]\s*[0-9]{1,4}){3}", re.ASCII)
_WIND = {mark: at for at, marks in enumerate(("E東东1", "S南2", "W西3", "N北4")) for mark in marks}
_SEAT = re.compile(
    r"(?:table|tbl|t)?\s*([ESWN東东南西北]?)\s*0*([1-9][0-9]{0,3})\s*(?:番?卓|桌)?[\s./:-]*([ESWN東东南西北1-4]?)",
    re.ASCII | re.IGNORECASE,
)


def _from_rows(rows: Sequence[Row]) -> list[list[PlanTable]]:
    """Read rounds from rows, with headings in any of our languages or without.

    A row is a table (perhaps with its number or round, or as ``1-2-3-4``), a round, a player with a table per
    round, or a seat. Empty lines or heading lines separate rounds unless a column names them.
    """
    head = next((at for at, row in enumerate(rows) if _is_head(row)), None)
    if head is None:
        return _without_head(rows)
    fields = [_field(cell) for cell in rows[head]]
    names = [name for name, _number in fields]
    body = [() if _is_head(row) else row for row in rows[head + 1 :]]
    if sorted(n for name, n in fields if n and name in ("player", "wind")) == [1, 2, 3, 4]:
        names = [WINDS[n - 1] if n and name in ("player", "wind") else name for name, n in fields]
    if all(names.count(wind) == 1 for wind in WINDS):
        return _by_table(body, names)
    rounds = [at for at, (name, number) in enumerate(fields) if name == "round" and number is not None]
    who = next((names.index(each) for each in ("player", "number") if each in names), None)
    if who is not None and not rounds and {"round", "table"} <= set(names):
        return _gather(_seats(body, names, who))
    if who is not None:
        return _gather(_seats_of_players(body, who, rounds or range(who + 1, len(fields))))
    if len(rounds) > 1:
        return _without_head(_turned([[_cell(row, at) for at in rounds] for row in body]))
    return _without_head(body, [number for name, number in fields if name == "table" and number])


def _field(cell: str) -> tuple[str, int | None]:
    """Return the field of a heading and its number: "Round 3" is round, 3. The field is "" if unknown."""
    found = re.search("[0-9]{1,4}", cell)
    word = exact_key(re.sub(r"[0-9第:.#_]+", " ", cell))
    name = "number" if cell == "#" else _FIELDS.get(word, "")
    return name, int(found[0]) if found else None


def _is_head(row: Row) -> bool:
    names = {name for name, _number in map(_field, row) if name}
    kinds = sum(name in ("round", "table", "player", "number") for name, _number in map(_field, row))
    return len(row) > 1 and (kinds > 1 or "player" in names or len(names) >= SEATS)


def _cell(row: Row, at: int) -> str:
    return row[at] if at < len(row) else ""


def _turned(rows: Sequence[Row]) -> list[list[str]]:
    return [[cell for cell in column if cell] for column in zip_longest(*rows, fillvalue="")]


def _by_table(rows: Iterable[Row], names: Sequence[str]) -> list[list[PlanTable]]:
    found: dict[object, list[PlanTable]] = {}
    label: object = 0
    round_column = names.index("round") if "round" in names else None
    number = names.index("table") if "table" in names else None
    for at, row in enumerate(rows):
        cells = [_cell(row, names.index(wind)) for wind in WINDS]
        if not any(cells):
            label = label if round_column is not None else at + 1
            continue
        label = (_cell(row, round_column) or label) if round_column is not None else label
        here = None if number is None else _table_number(_cell(row, number))
        found.setdefault(label, []).append(PlanTable(here, [cell for cell in cells if cell]))
    return list(found.values())


def _table_number(cell: str) -> int | None:
    found = re.search("[1-9][0-9]{0,3}", cell)
    return int(found[0]) if found else None


def _seats(rows: Iterable[Row], names: Sequence[str], who: int) -> Iterator[Seat]:
    round_, table = names.index("round"), names.index("table")
    wind = names.index("wind") if "wind" in names else len(names)
    for row in rows:
        number = _table_number(_cell(row, table))
        if _cell(row, who) and number:
            yield _cell(row, round_), number, _WIND.get(_cell(row, wind)[:1].upper()), _cell(row, who)


def _seats_of_players(rows: Iterable[Row], who: int, columns: Iterable[int]) -> Iterator[Seat]:
    columns = list(columns)
    for row in rows:
        for at in columns:
            seat = _SEAT.fullmatch(_cell(row, at))
            if seat and _cell(row, who):
                yield str(at), int(seat[2]), _WIND.get((seat[1] or seat[3]).upper()), row[who]


def _gather(seats: Iterable[Seat]) -> list[list[PlanTable]]:
    found: dict[str, dict[int, list[tuple[int, str]]]] = {}
    for round_, table, wind, player in seats:
        found.setdefault(round_, {}).setdefault(table, []).append((-1 if wind is None else wind, player))
    return [
        [
            PlanTable(n, [cell for _wind, cell in sorted(four, key=itemgetter(0))])
            for n, four in sorted(here.items())
        ]
        for _label, here in sorted(found.items(), key=lambda each: (len(each[0]), each[0]))
    ]


def _without_head(rows: Sequence[Row], numbers: Sequence[int] = ()) -> list[list[PlanTable]]:
    groups = [[cell for cell in row if _FOUR.fullmatch(cell)] for row in rows]
    if any(len(set(_numbers(row))) < len(_numbers(row)) for row in groups):
        groups = rows = _turned(groups)  # a column is a round
    spread = [_numbers(group) if group else list(row) for group, row in zip(groups, rows, strict=True)]
    full = [row for row in spread if len(row) > 1]
    if full and all(len(row) >= 2 * SEATS and len(row) % SEATS < 2 for row in full):
        return [_tables_of(row[len(row) % SEATS :], numbers) for row in full]
    if full and all(len(row) == SEATS + 2 and all(map(_table_number, row[:2])) for row in full):
        return _by_table(full, ["round", "table", *WINDS])
    if _is_by_player(full):
        return _gather(_seats_of_players(full, 0, range(1, len(full[0]))))
    return list(_rounds_of_lines(spread))


def _numbers(cells: Iterable[str]) -> list[str]:
    return [number for cell in cells for number in re.findall("[0-9]+", cell)]


def _tables_of(cells: Sequence[str], numbers: Sequence[int]) -> list[PlanTable]:
    fours = [list(cells[at : at + SEATS]) for at in range(0, len(cells), SEATS)]
    known = numbers if len(numbers) == len(fours) else [None] * len(fours)
    return [PlanTable(number, four) for number, four in zip(known, fours, strict=True) if any(four)]


def _is_by_player(rows: Sequence[Row]) -> bool:
    if len(rows) < 2 * SEATS or len({row[0] for row in rows}) < len(rows):
        return False
    columns = list(zip_longest(*rows, fillvalue=""))[1:]
    seats = [[_SEAT.fullmatch(cell) for cell in column if re.search("[1-9]", cell)] for column in columns]
    tables = [Counter(seat[2] for seat in column if seat) for column in seats]
    return all(map(all, seats)) and all(set(times.values()) == {SEATS} for times in tables)


def _rounds_of_lines(rows: Iterable[Row]) -> Iterator[list[PlanTable]]:
    here: list[PlanTable] = []
    for row in [*rows, ()]:
        cells = [cell for cell in row if cell]
        if len(cells) > 1:
            name, number = _field(cells[0])
            numbered = len(cells) == SEATS + 1 and number and (name == "table" or cells[0] == str(number))
            here.append(PlanTable(number, cells[1:]) if numbered else PlanTable(None, cells))
        elif here:  # an empty line, or a heading
            yield here
            here = []


# --- players for cells --------------------------------------------------------------------------------------


def place_players(
    plan: Plan, people: Mapping[int, Candidate], playing: Sequence[int], *, tables: Iterable[int], seed: int
) -> tuple[tuple[Mapping[int, tuple[int, ...]], ...], tuple[int, ...]]:
    """Return (table number → players) for each round, and the players in order of drawn numbers.

    Cells are names or keys of entered players, or numbers from 1, which are drawn. Unnumbered tables take the
    free ones of ``tables`` first. Raises ``ValidationError`` for unknown or withdrawn players or two seats in
    a round.
    """
    cells = {cell for round_ in plan for table in round_ for cell in table.cells}
    drawn_players = _draw_numbers(cells, people, playing, seed)
    who = drawn_players or _find_players(cells, people)
    found = tuple(_number_tables(round_, who, sorted(tables)) for round_ in plan)
    for number, placed in enumerate(found, 1):
        seen: set[int] = set()
        for player in (player for four in placed.values() for player in four):
            if player in seen:
                raise ValidationError(
                    _("Round %(round)s: %(name)s is seated twice."),
                    params={"round": number, "name": people[player].info.name},
                )
            seen.add(player)
    return found, tuple(drawn_players[cell] for cell in sorted(drawn_players, key=int))


def _number_tables(
    round_: Sequence[PlanTable], who: Mapping[str, int], tables: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    taken = {table.number for table in round_}
    others = (number for number in count(1) if number not in tables)
    free = (number for number in chain(tables, others) if number not in taken)
    return {
        next(free) if table.number is None else table.number: tuple(who[cell] for cell in table.cells)
        for table in round_
    }


def _draw_numbers(
    cells: set[str], people: Mapping[int, Candidate], playing: Sequence[int], seed: int
) -> dict[str, int]:
    """Draw players for numbers. Return {} if the cells are not the numbers from 1, or are players' keys."""
    if not all(cell.isascii() and cell.isdigit() and len(cell) <= 4 for cell in cells):
        return {}
    keys = {candidate.info.key for candidate in people.values()}
    if cells <= keys or {int(cell) for cell in cells} != set(range(1, len(cells) + 1)):
        return {}
    if len(cells) != len(playing):
        raise ValidationError(
            _(
                "The plan is for %(plan)s players, but %(count)s play. Mark who does not play, or use "
                "another plan."
            ),
            params={"plan": len(cells), "count": len(playing)},
        )
    drawn_players = sorted(playing)
    Random(seed).shuffle(drawn_players)  # noqa: S311 - a draw that can be repeated, no secret
    return {cell: drawn_players[int(cell) - 1] for cell in cells}


def _find_players(cells: set[str], people: Mapping[int, Candidate]) -> dict[str, int]:
    finder, found, problems = Finder(people), {}, []
    for cell in sorted(cells):
        try:
            player = finder.find(cell)
        except ValidationError as error:
            problems += error.messages
        else:
            found[cell] = player
            if people[player].withdrawn:
                problems.append(gettext("%(name)s has withdrawn.") % {"name": cell})
    if problems:
        raise ValidationError(problems[:10])
    return found


def read_cells(line: str) -> list[str]:
    """Split one line at tabs, or at commas if it has none. Empty cells at its end are dropped."""
    parts = line.split("\t") if "\t" in line else re.split(r"[,，、;；]", line)
    if '"' in line:
        mark = next((each for each in "\t;,，、；" if each in line), ",")
        with suppress(csv.Error):  # a cell of more than 128 kB
            parts = next(csv.reader([line], delimiter=mark), [])
    cells = [tidy(part) for part in parts]
    while cells and not cells[-1]:
        cells.pop()
    return cells
