"""Read results from a list that people bring, without the database.

A list has a row for each player and game, or a row for each table. Points are full, in hundreds or in
thousands: the sum of each table tells which. A list without tables has a row for each player, with a score
for each round, or with a total and the number of games.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.core.messages import sheet_problem
from players.cells import find_table
from players.headings import MOST_TITLES
from players.headings import field_of as roster_field
from players.matching import exact_key
from players.text import tidy
from scoring.checks import STICK, check_sheet
from scoring.rules import Rules

MOST_ROWS = 10_000
MOST_COLUMNS = 250
FIELDS = (
    *("day", "round", "table", "player", "points", "score", "seat", "sticks"),
    *("across", "total", "games"),
)
DAY_FIRST, MONTH_FIRST = "day", "month"
UNITS = (1, 100, 1000)

_TABLE = Path(__file__).with_name("headings.tsv")
_LINES = [line.split("\t") for line in _TABLE.read_text(encoding="utf-8").splitlines()]
_KNOWN = {exact_key(heading): name for name, headings in _LINES for heading in headings.split(", ")}
_WINDS = {
    exact_key(word): wind
    for wind, words in enumerate(
        (
            "east, e, 東, 东, 東家, 东家, ton, ost, est, este, oost, øst, wschód, восток, 동",
            "south, s, 南, 南家, nan, süd, sud, sur, zuid, syd, południe, юг, 남",
            "west, w, 西, 西家, sha, xia, ouest, oeste, ovest, vest, zachód, запад, 서",
            "north, n, 北, 北家, pei, bei, nord, norte, noord, północ, север, 북",
        )
    )
    for word in words.split(", ")
}
_NUMBERED = re.compile(r"(?:^[\s#_]*[1-4][\s._:-]+|[\s._:#-]*[1-4]\s*$)")
_ROUND_COLUMN = re.compile(
    r"(?:r|round|runde|ronde|ronda|game|manche|turno|omgang|тур|раунд|第)?\s*\.?\s*\d{1,3}\s*(?:輪|轮|回戦?|回戰|회전)?",
    re.IGNORECASE,
)
_MINUS = "▲△▼▽−–—‐‑-"
_SPACES = re.compile(r"[\s'’\u2009\u202f]")
_UNIT_WORD = re.compile(r"(?:点|點|分|점|pts?\.?|points?|p)$", re.IGNORECASE)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[.,]\d{3})+")
_DATE = re.compile(
    r"(?P<first>\d{1,4})\s*(?P<mark>[-./]|年)\s*(?P<second>\d{1,2})\s*(?:[-./]|月)\s*(?P<third>\d{1,4})\s*(?:日|\.)?"
    r"(?:[T\s(（].*)?"
)
_SERIAL = re.compile(r"[345]\d{4}(?:\.\d+)?")  # days since 1899-12-30, as spreadsheets count
_COMPACT = re.compile(r"(?:19|20)\d{6}")
_FIRST_SERIAL = date(1899, 12, 30)
_SCORES_AT_MOST = 1000
_BALANCED, _UNBALANCED = 0.1, 0.3
_SCORE_AT_MOST = 5000
_MOST_GAMES = 9999
_NOT_PLAYED = {*"-–—/xX×", "n/a", "N/A"}


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem that prevents saving. ``row`` 0 means the whole list."""

    row: int
    code: str
    params: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return str(_SENTENCES[self.code]) % dict(self.params)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A table with its four players. With ``has_seats`` they are in the order of the winds, east first.

    ``scores``: those that the list has beside the points, for comparison.
    """

    rows: tuple[int, ...]
    day: date | None = None
    round: str = ""
    table: str = ""
    names: tuple[str, ...] = ()
    points: tuple[int, ...] = ()
    scores: tuple[Decimal | None, ...] = ()
    sticks: int = 0
    has_seats: bool = False
    problems: tuple[str, ...] = ()

    @property
    def row(self) -> int:
        return self.rows[0]


@dataclass(frozen=True, slots=True)
class Part:
    """A score in tenths without a table: of a round, or the total of ``games``."""

    note: str
    score: int
    games: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    """A player of a list without tables."""

    row: int
    name: str
    parts: tuple[Part, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def score(self) -> int:
        return sum(part.score for part in self.parts)

    @property
    def games(self) -> int:
        return sum(part.games for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """A list of results: of tables, or of balances. ``columns``: (heading or "", field or "").

    ``order``: of days and months, if the list has dates that may be read in both. ``sheet``: the one that was
    read of the workbook's ``sheets``. ``separators``: see ``Cells``.
    """

    games: tuple[Game, ...] = ()
    balances: tuple[Balance, ...] = ()
    problems: tuple[Problem, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    titles: int = 0
    order: str = ""
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()

    @property
    def names(self) -> dict[str, int]:
        """Return each name with its first row. Case, width and spaces make no other name."""
        first: dict[str, tuple[str, int]] = {}
        for game in self.games:
            rows = game.rows if len(game.rows) == len(game.names) else game.rows[:1] * len(game.names)
            for name, row in zip(game.names, rows, strict=True):
                if exact_key(name):
                    first.setdefault(exact_key(name), (name, row))
        for balance in self.balances:
            if exact_key(balance.name):
                first.setdefault(exact_key(balance.name), (balance.name, balance.row))
        return dict(first.values())


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


_SENTENCES: Mapping[str, str | Promise] = {
    "empty": _("This list has no results."),
    "too_many": _("A list has at most %(most)s rows. This one has more. Bring it in parts."),
    "too_wide": _("A list has at most %(most)s columns. This one has more. Bring it in parts."),
    "no_columns": _(
        "The columns with players and points were not found. Choose below what each column is. A list has a "
        "row for each player and game (day, round, table, player, points), a row for each table (day, "
        "four players, four points), or a row for each player with the scores of rounds or a total."
    ),
    "no_day": _("“%(text)s” is not a day. Enter it as 2026-03-14."),
    "players": _("This table has %(count)s players instead of 4."),
    "missing_name": _("The name is missing."),
    "twice": _("%(name)s is at this table twice."),
    "missing_points": _("%(name)s has no points."),
    "no_number": _("%(name)s: “%(text)s” is not a number of points."),
    "seats": _("The seats of this table are not the four winds, each once."),
    "scores": _(
        "The four numbers sum to 0: these are scores with uma, not points. Bring the points at the end of "
        "the game."
    ),
    "no_score": _("%(name)s: “%(text)s” is not a score."),
    "decimals": _("%(name)s: “%(text)s” has more than one decimal."),
    "raw_points": _(
        "These numbers look like points at the end of games. Who played together is missing, so they make no "
        "scores. Bring a row for each player and game, or a row for each table."
    ),
    "listed_twice": _("%(name)s is in this list twice."),
    "no_games": _("%(name)s: “%(text)s” is not a number of games."),
    "other_total": _("%(name)s: the rounds sum to %(sum)s, but the total is %(total)s."),
    "no_deposits": _("“%(text)s” is not a number of riichi deposits."),
}


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
    cells, at = find_table(text, _find_headings, sheet=sheet, separator=separator, has_headings=has_headings)
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
    fields = list(said) if is_said else _fields(heads, rows)
    of_sheet["columns"] = tuple(zip(heads, (each if each in FIELDS else "" for each in fields), strict=True))
    shape = fields.count("player"), fields.count("points")
    if shape == (1, 0) and {"across", "total"} & {*fields}:
        balances = read_balances(heads, fields, rows)
        if isinstance(balances, Problem):
            return Results(problems=(balances,), **of_sheet)
        return Results(balances=balances, **of_sheet)
    if shape not in ((1, 1), (4, 4)):
        return Results(problems=(Problem(0, "no_columns"),), **of_sheet)
    written = _by_row(heads, fields, rows) if shape == (4, 4) else _by_table(fields, rows)
    found = _order(each.day for each in written)
    chosen = order or found or DAY_FIRST
    unit = _usual_unit(written, rules.total_points)
    games = tuple(_game(each, rules, chosen, unit) for each in written)
    return Results(games=games, order="" if found else chosen, **of_sheet)


# --- headings -----------------------------------------------------------------------------------------------


def _find_headings(rows: Sequence[tuple[int, Sequence[str]]]) -> int | None:
    """Return the index of the first row that names players and one more column."""
    for index, (_number, cells) in enumerate(rows[: MOST_TITLES + 1]):
        known = [_field_of(title) for title in cells]
        used = sum(name != "" for name, _wind in known) + sum(map(is_round, cells))
        winds = {wind for _name, wind in known if wind is not None}
        if (("player", None) in known and used > 1) or len(winds) == 4:
            return index
    return None


def _field_of(title: str) -> tuple[str, int | None]:
    """Return the field of a heading, and the wind that it names: of "East points" ("points", 0)."""
    plain = tidy(re.sub(r"[(（\[].*?[)）\]]", " ", title)).strip("*:?：？ ")
    if known := _known(plain):
        return known, None
    if exact_key(plain) in _WINDS:
        return "wind", _WINDS[exact_key(plain)]
    words = re.split(r"[\s_./-]+", plain)
    for word, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
        if rest and exact_key(word) in _WINDS and (known := _known(" ".join(rest))):
            return known, _WINDS[exact_key(word)]
    if plain[:1] in "東东南西北" and (known := _known(plain[1:].removeprefix("家").removeprefix("の"))):
        return known, _WINDS[plain[:1]]
    return _known(_NUMBERED.sub("", plain)), None


def _known(title: str) -> str:
    """Return the field of a heading in full, or "". "-" is known and used for nothing."""
    found = _KNOWN.get(exact_key(title), "")
    return found or ("player" if title and roster_field(title) == "name" else "")


def _fields(heads: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]) -> list[str]:
    """Return each column's field or "". A column named after a wind has names or points, as its cells say."""
    fields = [_field_of(head)[0] for head in heads]
    for column, name in enumerate(fields):
        if name == "wind":
            filled = [row[column] for _number, row in rows if row[column]]
            numbers = sum(read_number(cell) is not None for cell in filled)
            fields[column] = "points" if 2 * numbers > len(filled) else "player"
    if fields.count("player") == 4:  # of columns after each name, the first one has the points
        for column, name in enumerate(fields[:-1]):
            if name == "player" and fields[column + 1] == "" and not heads[column + 1]:
                fields[column + 1] = "points"
    across = [column for column, head in enumerate(heads) if is_round(head)]
    if fields.count("player") == 1 and "points" not in fields and across:
        for column in across:
            fields[column] = "across"
    _separate_scores(fields, rows)
    if "points" not in fields and not {"across", "total"} & {*fields}:
        fields = ["points" if name == "score" else name for name in fields]
    single = ("day", "round", "table", "seat", "sticks", "total", "games")
    return ["" if name in single and name in fields[:i] else name for i, name in enumerate(fields)]


def _separate_scores(fields: list[str], rows: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Tell points from scores if each player has both: scores sum to about zero."""
    columns = [column for column, name in enumerate(fields) if name == "points"]
    if len(columns) != 2 * fields.count("player"):
        return
    half = len(columns) // 2
    for some, others in ((columns[::2], columns[1::2]), (columns[:half], columns[half:])):
        for scores, points in ((some, others), (others, some)):
            if _balance(scores, rows) < _BALANCED < _UNBALANCED < _balance(points, rows):
                for column in scores:
                    fields[column] = "score"
                return


def _balance(columns: Sequence[int], rows: Sequence[tuple[int, Sequence[str]]]) -> float:
    """Return how far these numbers are from summing to zero, from 0 to 1."""
    numbers = [read_number(row[column]) or Decimal() for _number, row in rows for column in columns]
    return float(abs(sum(numbers, Decimal())) / (sum(map(abs, numbers), Decimal()) or 1))


def is_round(head: str) -> bool:
    """Return whether a heading names a round or its day."""
    return bool(head) and (bool(_ROUND_COLUMN.fullmatch(head)) or read_day(head) is not None)


# --- lists without tables -----------------------------------------------------------------------------------


def read_balances(
    heads: Sequence[str], fields: Sequence[str], rows: Sequence[tuple[int, Sequence[str]]]
) -> tuple[Balance, ...] | Problem:
    """Return what the list says of each player, or why its numbers cannot be scores."""
    columns = [column for column, name in enumerate(fields) if name == "across"]
    scores = columns or [fields.index("total")]
    numbers = [read_number(row[column]) for _number, row in rows for column in scores]
    unit = Decimal(1)
    if any(number is not None and abs(number) > _SCORE_AT_MOST for number in numbers):
        if _balance(scores, rows) > _BALANCED:
            return Problem(0, "raw_points")
        unit = Decimal(1000)
    notes = {column: _round_name(heads[column]) for column in columns}
    seen: set[str] = set()
    found = []
    for number, row in rows:
        name = _cell(fields, row, "player")
        if not name and not any(row[column] for column in scores):
            continue
        problems: list[Problem] = []
        if not exact_key(name):
            problems.append(Problem(number, "missing_name"))
        elif exact_key(name) in seen:
            problems.append(Problem(number, "listed_twice", (("name", name),)))
        seen.add(exact_key(name))
        if columns:
            parts = _rounds_of(name, number, row, notes, unit, problems)
            _check_total(name, number, _cell(fields, row, "total"), parts, unit, problems)
        else:
            parts = _total_of(name, number, fields, row, unit, problems)
        said = tuple(str(problem) for problem in problems)
        found.append(Balance(row=number, name=name, parts=tuple(parts), problems=said))
    return tuple(found)


def _round_name(head: str) -> str:
    return str(_("Round %(number)s") % {"number": head}) if head.isdecimal() else head


def _rounds_of(
    name: str,
    number: int,
    row: Sequence[str],
    notes: Mapping[int, str],
    unit: Decimal,
    problems: list[Problem],
) -> list[Part]:
    parts = []
    for column, note in notes.items():
        score = _tenths(name, number, row[column], unit, problems)
        if score is not None:
            parts.append(Part(note, score, 1))
    return parts


def _total_of(
    name: str,
    number: int,
    fields: Sequence[str],
    row: Sequence[str],
    unit: Decimal,
    problems: list[Problem],
) -> list[Part]:
    score = _tenths(name, number, _cell(fields, row, "total"), unit, problems)
    written = _cell(fields, row, "games")
    games = read_number(written) if written else Decimal()
    if games is None or games % 1 or not 0 <= games <= _MOST_GAMES:
        problems.append(Problem(number, "no_games", (("name", name), ("text", written[:40]))))
        return []
    return [] if score is None else [Part("", score, int(games))]


def _check_total(
    name: str, number: int, written: str, parts: Sequence[Part], unit: Decimal, problems: list[Problem]
) -> None:
    total = read_number(written) if written else None
    whole = sum(part.score for part in parts)
    if total is not None and abs(total * 10 / unit - whole) > 1 and not problems:
        said = (("name", name), ("sum", f"{whole / 10:+.1f}"), ("total", written[:40]))
        problems.append(Problem(number, "other_total", said))


def _tenths(name: str, number: int, text: str, unit: Decimal, problems: list[Problem]) -> int | None:
    """Return a score in tenths, or None for a cell that says that the player did not play."""
    if not text or text in _NOT_PLAYED:
        return None
    found = read_number(text)
    about = (("name", name), ("text", text[:40]))
    if found is None:
        problems.append(Problem(number, "no_score", about))
        return None
    tenths = found * 10 / unit
    if tenths % 1:
        problems.append(Problem(number, "decimals", about))
        return None
    return int(tenths)


# --- tables -------------------------------------------------------------------------------------------------


def _by_row(
    heads: Sequence[str], fields: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]
) -> list[_Written]:
    """Return a table for each row. Winds in the headings say the seats."""
    players, points = _columns_by_seat(heads, fields, "player"), _columns_by_seat(heads, fields, "points")
    scores = _columns_by_seat(heads, fields, "score")
    scores = scores if len(scores) == len(players) else [-1] * len(players)
    has_seats = all(_field_of(heads[column])[1] is not None for column in players)
    written, above = [], {"day": "", "round": ""}
    for number, row in rows:
        said = {name: _cell(fields, row, name) for name in ("day", "round", "table", "sticks")}
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
    winds = {column: _field_of(heads[column])[1] for column in columns}
    known = {wind for wind in winds.values() if wind is not None}
    return sorted(columns, key=lambda column: winds[column] or 0) if len(known) == 4 else columns


def _by_table(fields: Sequence[str], rows: Iterable[tuple[int, Sequence[str]]]) -> list[_Written]:
    """Gather the rows of each table. A blank day, round or table is the one above.

    A table that returns in a list without rounds played several games, in fours.
    """
    groups: dict[tuple[str, ...], list[tuple[_Entry, str]]] = {}
    above = ("", "", "")
    for number, row in rows:
        said = [_cell(fields, row, name) for name in ("day", "round", "table")]
        above = (said[0] or above[0], said[1] or above[1], said[2] or above[2])
        name, points, seat = (_cell(fields, row, each) for each in ("player", "points", "seat"))
        entry = _Entry(number, name, points, _seat(seat), _cell(fields, row, "score"))
        groups.setdefault(above, []).append((entry, _cell(fields, row, "sticks")))
    splits = "table" not in fields or "round" not in fields
    written = []
    for (day, round_, table), entries in groups.items():
        size = 4 if splits and len(entries) % 4 == 0 else len(entries)
        parts = [entries[at : at + size] for at in range(0, len(entries), size)]
        for part in parts:
            sticks = next((sticks for _entry, sticks in part if sticks), "")
            written.append(_Written(day, round_, table, [entry for entry, _sticks in part], sticks))
    return written


def _cell(fields: Sequence[str], row: Sequence[str], name: str) -> str:
    return row[fields.index(name)] if name in fields else ""


def _seat(text: str) -> int | None:
    """Return a wind, or -1 for other texts."""
    if not text:
        return None
    folded = exact_key(text)
    return int(folded) - 1 if folded in ("1", "2", "3", "4") else _WINDS.get(folded, -1)


def _game(written: _Written, rules: Rules, order: str, usual: int) -> Game:
    rows = tuple(dict.fromkeys(entry.row for entry in written.entries)) or (0,)
    problems = list(written.problems)
    day = read_day(written.day, order) if written.day else None
    if written.day and day is None:
        problems.append(Problem(rows[0], "no_day", (("text", written.day[:40]),)))
    entries, has_seats = _seated(written, problems, rows[0])
    problems += _entry_problems(entries, rows[0])
    numbers = [read_number(entry.points) for entry in entries]
    sticks = _read_sticks(written, problems, rows[0])
    said = [str(problem) for problem in problems]
    points: tuple[int, ...] = ()
    known = [number for number in numbers if number is not None]
    if len(known) == len(entries) == 4:
        if _are_scores(known):
            said.append(str(Problem(rows[0], "scores")))
        else:
            exact = _in_points(known, sticks, rules.total_points, usual)
            parts = [entry for entry, number in zip(entries, exact, strict=True) if number % 1]
            said += [str(_not_a_number(rows[0], entry)) for entry in parts]
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


# --- points -------------------------------------------------------------------------------------------------


def read_number(text: str) -> Decimal | None:
    """Return a number as people write it, or None: 25,000, 25.3, −1.2, ▲12, (800), full-width digits."""
    plain = _UNIT_WORD.sub("", _SPACES.sub("", unicodedata.normalize("NFKC", text)))
    bracketed = re.fullmatch(r"\((.+)\)", plain)
    plain = bracketed[1] if bracketed else plain
    is_minus = bool(bracketed) or plain[:1] in (*_MINUS,)
    plain = plain.removeprefix("+") if bracketed or not is_minus else plain[1:]
    if "," in plain and "." in plain:
        grouping = "," if plain.rindex(".") > plain.rindex(",") else "."
        plain = plain.replace(grouping, "")
    elif _GROUPED.fullmatch(plain):
        plain = re.sub(r"[.,]", "", plain)
    plain = plain.replace(",", ".")
    if len(plain) > 12 or not re.fullmatch(r"[0-9]+(?:\.[0-9]+)?", plain):
        return None
    return -Decimal(plain) if is_minus else Decimal(plain)


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


# --- days ---------------------------------------------------------------------------------------------------


def read_day(text: str, order: str = DAY_FIRST) -> date | None:
    """Return a day as people write it, or None. ``order``: of dates with slashes that begin with no year."""
    plain = unicodedata.normalize("NFKC", text).strip()
    if _COMPACT.fullmatch(plain):
        return _day(int(plain[:4]), int(plain[4:6]), int(plain[6:]))
    if _SERIAL.fullmatch(plain):
        return _FIRST_SERIAL + timedelta(days=int(float(plain)))
    match = _DATE.fullmatch(plain)
    if not match:
        return None
    first, second, third = (int(match[name]) for name in ("first", "second", "third"))
    if len(match["first"]) == 4:
        return _day(first, second, third)
    is_month_first = match["mark"] == "/" and order == MONTH_FIRST
    return _day(third, first, second) if is_month_first else _day(third, second, first)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        found = date(year if year > 99 else 2000 + year, month, day)
    except ValueError:
        return None
    return found if found.year >= 1970 else None


def _order(days: Iterable[str]) -> str:
    """Return the only order in which all dates with slashes are days, or "" if both are possible."""
    slashed = [
        (int(match["first"]), int(match["second"]))
        for match in map(_DATE.fullmatch, {unicodedata.normalize("NFKC", day).strip() for day in days})
        if match and match["mark"] == "/" and len(match["first"]) < 4
    ]
    if not slashed or any(first > 12 for first, _second in slashed):
        return DAY_FIRST
    return MONTH_FIRST if any(second > 12 for _first, second in slashed) else ""
