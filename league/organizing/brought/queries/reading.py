"""Read results from a list that people bring, without the database.

A list has a row for each player and game, or a row for each table. Points are full, in hundreds or in
thousands: the sum of each table tells which. A list without tables has a row for each player, with a score
for each round, or with a total and the number of games.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from league.core.files.headings import WIND_OF
from league.core.messages import sheet_problem
from league.organizing.brought.queries.columns import (
    FIELDS,
    cell_of,
    fields_of,
    find_headings,
    heading_of,
    is_unneeded,
)
from league.organizing.brought.queries.facts import Game, Problem, Results
from league.organizing.brought.queries.numbers import DAY_FIRST, only_order, read_day, read_number
from league.organizing.brought.queries.totals import read_balances
from players.cells import find_table
from players.headings import order_of
from players.matching import exact_key
from players.roster import names_in_order, other_kind
from players.text import tidy
from scoring.checks import STICK, check_sheet
from scoring.rules import Rules

MOST_ROWS = 10_000
MOST_COLUMNS = 250
UNITS = (1, 100, 1000)
_SCORES_AT_MOST = 1000


@dataclass(slots=True)
class _Entry:
    """A player of a game, as written."""

    row: int
    name: str
    points: str
    seat: int | None = None
    score: str = ""


@dataclass(slots=True)
class _Written:
    """A table of the list, as written."""

    day: str
    round: str
    table: str
    entries: list[_Entry]
    sticks: str = ""
    problems: list[Problem] = field(default_factory=list)


def read_results(
    text: str,
    rules: Rules,
    said: Sequence[str] = (),
    *,
    sheet: str = "",
    separator: str = "",
    has_headings: bool | None = None,
    order: str = "",
) -> Results:
    """Parse a list without raising. ``said``: fields as in ``Results.columns``. ``order`` of dates such as
    3/4/2026: the chosen one, if any. ``rules``: how many points a table has.
    """
    if problem := other_kind(text):
        return Results(problems=(Problem(0, problem),))
    cells, at = find_table(text, find_headings, sheet=sheet, separator=separator, has_headings=has_headings)
    rows, heads = list(cells.rows), list(cells.rows[at][1]) if at is not None else None
    titles, rows = at or 0, rows if at is None else rows[at + 1 :]
    of_sheet: dict[str, Any] = {
        "titles": titles,
        "sheet": cells.sheet,
        "sheets": cells.sheets,
        "separators": cells.separators,
    }
    if not rows:
        return Results(problems=(Problem(0, "empty"),), **of_sheet)
    if len(rows) > MOST_ROWS:
        return Results(problems=(Problem(0, "too_many", (("most", MOST_ROWS),)),), **of_sheet)
    width = max(len(row) for _number, row in (*rows, (0, heads or [])))
    if width > MOST_COLUMNS:
        return Results(problems=(Problem(0, "too_wide", (("most", MOST_COLUMNS),)),), **of_sheet)
    heads = [*(heads or []), *[""] * width][:width]
    rows = [(number, [*map(tidy, row), *[""] * width][:width]) for number, row in rows]
    is_said = len(said) == width and {*said} <= {*FIELDS, ""}
    fields = list(said) if is_said else fields_of(heads, rows)
    of_sheet["columns"] = tuple(zip(heads, (each if each in FIELDS else "" for each in fields), strict=True))
    for at, each in enumerate(fields):
        if each == "player":
            rows = names_in_order(rows, at, order_of(heads[at]))
    of_sheet["unneeded"] = tuple(
        head for head, each in zip(heads, fields, strict=True) if each not in FIELDS and is_unneeded(head)
    )
    shape = fields.count("player"), fields.count("points")
    if shape == (1, 0) and {"across", "total"} & {*fields}:
        balances = read_balances(heads, fields, rows)
        if isinstance(balances, Problem):
            return Results(problems=(balances,), **of_sheet)
        return Results(balances=balances, **of_sheet)
    if shape not in ((1, 1), (4, 4)):
        return Results(problems=(Problem(0, "no_columns"),), **of_sheet)
    written = _by_row(heads, fields, rows) if shape == (4, 4) else _by_table(fields, rows)
    found = only_order(each.day for each in written)
    chosen = order or found or DAY_FIRST
    unit = _usual_unit(written, rules.total_points)
    games = tuple(_game(each, rules, chosen, unit) for each in written)
    return Results(games=games, order="" if found else chosen, **of_sheet)


def _by_row(
    heads: Sequence[str], fields: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]
) -> list[_Written]:
    """Return a table for each row. Winds in the headings say the seats."""
    players, points = _columns_by_seat(heads, fields, "player"), _columns_by_seat(heads, fields, "points")
    scores = _columns_by_seat(heads, fields, "score")
    scores = scores if len(scores) == len(players) else [-1] * len(players)
    has_seats = all(heading_of(heads[column]).wind is not None for column in players)
    written, above = [], {"day": "", "round": ""}
    for number, row in rows:
        said = {name: cell_of(fields, row, name) for name in ("day", "round", "table", "sticks")}
        above = {name: said[name] or before for name, before in above.items()}
        entries = [
            _Entry(
                number,
                row[player],
                row[point],
                seat if has_seats else None,
                row[score] if score >= 0 else "",
            )
            for seat, (player, point, score) in enumerate(zip(players, points, scores, strict=True))
        ]
        named = [entry for entry in entries if entry.name or entry.points]
        written.append(_Written(above["day"], above["round"], said["table"], named, said["sticks"]))
    return written


def _columns_by_seat(heads: Sequence[str], fields: Sequence[str], name: str) -> list[int]:
    columns = [column for column, each in enumerate(fields) if each == name]
    winds = {column: heading_of(heads[column]).wind for column in columns}
    known = {wind for wind in winds.values() if wind is not None}
    return sorted(columns, key=lambda column: winds[column] or 0) if len(known) == 4 else columns


def _by_table(fields: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]) -> list[_Written]:
    """Gather the rows of each table. A blank day, round or table is the one above.

    A table that returns in a list without rounds played several games, in fours.
    """
    groups: dict[tuple[str, ...], list[tuple[_Entry, str]]] = {}
    day = round_ = table = ""
    for number, row in rows:
        day = cell_of(fields, row, "day") or day
        round_ = cell_of(fields, row, "round") or round_
        table = cell_of(fields, row, "table") or table
        name, points, seat = (cell_of(fields, row, each) for each in ("player", "points", "seat"))
        entry = _Entry(number, name, points, _seat(seat), cell_of(fields, row, "score"))
        groups.setdefault((day, round_, table), []).append((entry, cell_of(fields, row, "sticks")))
    splits = "table" not in fields or "round" not in fields
    written = []
    for (day, round_, table), entries in groups.items():
        size = 4 if splits and len(entries) % 4 == 0 else len(entries)
        parts = [entries[at : at + size] for at in range(0, len(entries), size)]
        for part in parts:
            sticks = next((sticks for _entry, sticks in part if sticks), "")
            written.append(_Written(day, round_, table, [entry for entry, _sticks in part], sticks))
    return written


def _seat(text: str) -> int | None:
    """Return a wind, or -1 for other texts."""
    if not text:
        return None
    folded = exact_key(text)
    return int(folded) - 1 if folded in ("1", "2", "3", "4") else WIND_OF.get(folded, -1)


def _game(written: _Written, rules: Rules, order: str, usual: int) -> Game:
    rows = tuple(dict.fromkeys(entry.row for entry in written.entries)) or (0,)
    first_row, *_others = rows
    problems = list(written.problems)
    day = read_day(written.day, order) if written.day else None
    if written.day and day is None:
        problems.append(Problem(first_row, "no_day", (("text", written.day[:40]),)))
    entries, has_seats = _seated(written, problems, first_row)
    problems += _entry_problems(entries, first_row)
    numbers = [read_number(entry.points) for entry in entries]
    sticks = _read_sticks(written, problems, first_row)
    said = [str(problem) for problem in problems]
    points: tuple[int, ...] = ()
    known = [number for number in numbers if number is not None]
    if len(known) == len(entries) == 4:
        if _are_scores(known):
            said.append(str(Problem(first_row, "scores")))
        else:
            exact = _in_points(known, sticks, rules.total_points, usual)
            parts = [entry for entry, number in zip(entries, exact, strict=True) if number % 1]
            said += [str(_not_a_number(first_row, entry)) for entry in parts]
            if not parts:
                points = tuple(map(int, exact))
                wrong = [each for each in check_sheet(points, sticks, rules) if each.level == "error"]
                said += [sheet_problem(each, [entry.name for entry in entries]) for each in wrong]
    return Game(
        rows=rows,
        day=day,
        round=written.round,
        table=written.table,
        names=tuple(entry.name for entry in entries),
        points=points,
        scores=tuple(read_number(entry.score) for entry in entries) if points else (),
        sticks=sticks,
        has_seats=has_seats,
        problems=tuple(said),
    )


def _seated(written: _Written, problems: list[Problem], row: int) -> tuple[list[_Entry], bool]:
    seats = [entry.seat for entry in written.entries if entry.seat is not None]
    if not seats or len(written.entries) != 4:
        return written.entries, False
    if sorted(seats) != [0, 1, 2, 3]:
        problems.append(Problem(row, "seats"))
        return written.entries, False
    return sorted(written.entries, key=lambda entry: entry.seat or 0), True


def _entry_problems(entries: Sequence[_Entry], row: int) -> Iterator[Problem]:
    if len(entries) != 4:
        yield Problem(row, "players", (("count", len(entries)),))
        return
    times = Counter(exact_key(entry.name) for entry in entries)
    for entry in entries:
        if not exact_key(entry.name):
            yield Problem(row, "missing_name")
        elif times.pop(exact_key(entry.name), 1) > 1:
            yield Problem(row, "twice", (("name", entry.name),))
        if not entry.points:
            yield Problem(row, "missing_points", (("name", entry.name),))
        elif read_number(entry.points) is None:
            yield _not_a_number(row, entry)


def _not_a_number(row: int, entry: _Entry) -> Problem:
    return Problem(row, "no_number", (("name", entry.name), ("text", entry.points[:40])))


def _read_sticks(written: _Written, problems: list[Problem], row: int) -> int:
    """Return riichi deposits in points, written so or counted."""
    if not written.sticks:
        return 0
    number = read_number(written.sticks)
    if number is None or number < 0 or number % 1:
        problems.append(Problem(row, "no_deposits", (("text", written.sticks[:40]),)))
        return 0
    return int(number) * (1 if number >= 100 else STICK)


def _are_scores(numbers: Sequence[Decimal]) -> bool:
    return not sum(numbers) and any(numbers) and all(abs(number) < _SCORES_AT_MOST for number in numbers)


def _in_points(numbers: Sequence[Decimal], sticks: int, total: int, usual: int) -> tuple[Decimal, ...]:
    """Return the points, read in the unit that fits the table's total, or else in the list's usual one."""
    unit = next((unit for unit in UNITS if sum(numbers) * unit + sticks == total), usual)
    return tuple(number * unit for number in numbers)


def _usual_unit(written: Iterable[_Written], total: int) -> int:
    units: Counter[int] = Counter()
    for each in written:
        numbers = [read_number(entry.points) for entry in each.entries]
        whole = sum((number for number in numbers if number is not None), Decimal())
        # Of a wrong sum, too, the unit is that of the nearest total.
        units[min(UNITS, key=lambda unit: abs(whole * unit - total))] += len(numbers) == 4
    return units.most_common(1)[0][0] if units else UNITS[0]
