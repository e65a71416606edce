"""Plans from rows of cells, whose columns have fields. Every cell is read, or refused with its row."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NoReturn

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.organizing.seating.imports.tables import Rounds, Seat, gather, split_rounds
from league.organizing.seating.imports.words import field_of, name_winds, read_seats, table_number
from players.cells import Row as NumberedRow
from players.cells import read_cells
from players.text import tidy
from scoring.seating.checker import SEATS
from scoring.units import WINDS

Row = Sequence[str]
Lines = Sequence[tuple[int, Row]]
_Table = tuple[int | None, list[tuple[str, str]]]  # number, players with their winds or ""
_TablesOfRow = tuple[str, int, list[_Table]]  # label of the round, number of the row
# "four": the players of a table in one cell. "across": a round, whose cells are players, tables of four, or
# seats of the row's player.
FIELDS = ("round", "table", "player", "wind", *WINDS, "four", "across")

_NUMBERS = re.compile(r"[0-9]{1,4}(?:\s*[-–/, ]\s*[0-9]{1,4})+", re.ASCII)
_MARKS = re.compile(r"\s*[/,;、，]\s*|\s+[-–]\s+")  # between four names in one cell
_RULE = re.compile(r"[-=_*~:\s]*")
_MINUTES = re.compile("[0-5][0-9](?![0-9])")
_NO_SEAT = frozenset({"-", "–", "—", "/", "x", "bye", "out", "frei", "libre", "libero", "pausa", "pauza"})
_NO_SEAT |= {"", "休", "休み", "輪空", "轮空", "抜け番"}


def read_names(line: str) -> list[str]:
    """Split one line that was typed, at tabs, at semicolons, or else at commas of every kind."""
    if not re.search("[\t;；]", line):
        line = re.sub("[，、]", ",", line)
    return [cell for _number, row in read_cells(line, keeps_lines=True).rows for cell in _tidy_row(row)]


def _tidy_row(row: Row) -> list[str]:
    """Return the cells without bullets and emphasis of Markdown. A ruled line has none."""
    cells = [tidy(cell).strip("*") for cell in row]
    cells[:1] = [re.sub(r"^(?:#+|[-*•])\s+(?=\S)", "", cell) for cell in cells[:1]]
    while cells and not cells[-1]:
        cells.pop()
    return [] if all(_RULE.fullmatch(cell) for cell in cells) else cells


def _split_label(cells: Row) -> Row:
    """Return the cells with "Table 1: Ann" as two. "Round 1 (10:00)" stays whole."""
    label, mark, rest = (cells or [""])[0].replace("：", ":").partition(":")
    is_time = len(cells) == 1 and re.search("[0-9]$", label) and _MINUTES.match(rest) and not _four(rest)
    if mark and not is_time and (field_of(label).field in ("round", "table") or _bare_table(label)):
        return [tidy(label), *([tidy(rest)] if rest.strip() else []), *cells[1:]]
    return cells


def _refuse_row(number: int, row: Row) -> NoReturn:
    text = ", ".join(cell for cell in row if cell)[:80]
    params = {"line": number, "text": text}
    raise ValidationError(_("Line %(line)s was not understood: “%(text)s”."), params=params)


def _cell(row: Row, at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


# --- single cells -------------------------------------------------------------------------------------------


def _four(cell: str) -> list[str]:
    """Return the players of one table in one cell, or of several tables of numbers, or []."""
    if _NUMBERS.fullmatch(cell):
        numbers = re.findall("[0-9]+", cell)
        return numbers if len(numbers) % SEATS == 0 else []
    names = _MARKS.split(cell)
    return names if len(names) == SEATS and all(names) else []


def _spread(row: Row) -> list[str]:
    return [player for cell in row if cell for player in _four(cell) or [cell]]


def _bare_table(cell: str) -> int | None:
    is_bare = re.fullmatch("[0-9]{1,4}|[A-Za-z]", cell, re.ASCII) or field_of(cell).field == "table"
    return table_number(cell) or None if is_bare else None


def _is_round(cell: str) -> bool:
    """Return whether a cell is the heading of a round: "Round 2", "Round 2 (Sunday)", "第2輪"."""
    has_number = re.search("[0-9]", cell) is not None
    return field_of(cell).field == "round" or (
        has_number and any(field_of(word).field == "round" for word in cell.split())
    )


def _is_round_line(row: Row) -> bool:
    filled = [cell for cell in row if cell]
    return len(filled) == 1 and _is_round(filled[0])


# --- the fields of columns ----------------------------------------------------------------------------------


def _is_head(row: Row) -> bool:
    fields = [field_of(cell) for cell in row]
    names = {name for name, _number in fields if name}
    kinds = sum(name in ("round", "table", "player", "number", "wind") for name, _number in fields)
    numbered = {name for name, number in fields if number and name not in ("", "player", "wind")}
    if (
        len(row) < 2
        or len(numbered) > 1
        or numbered & {*WINDS}
        or _seat_numbers(row) not in ([], [1, 2, 3, 4])
    ):
        return False
    return kinds > 1 or "player" in names or len(names) >= SEATS


def _seat_numbers(row: Row) -> list[int]:
    """Return the numbers in headings such as "Player 1", or in the name "Player 7"."""
    return sorted(number for name, number in map(field_of, row) if number and name in ("player", "wind"))


def _find_head(rows: Sequence[Row]) -> int | None:
    at = next((at for at, row in enumerate(rows) if _is_head(row)), None)
    if at is None or not _seat_numbers(rows[at]):
        return at
    cells = (cell for row in rows[at + 1 :] for cell in row if re.search("[0-9]", cell))
    return None if any(field_of(cell).field == "player" for cell in cells) else at


def _fields_of(head: Row, rows: Sequence[Row]) -> list[str]:
    """Return the fields of the columns under these headings."""
    known = [field_of(cell) for cell in head]
    names = [name for name, _number in known]
    if _seat_numbers(head):
        names = [WINDS[n - 1] if n and name in ("player", "wind") else name for name, n in known]
    letters = name_winds(cell for cell in head if not cell.isdigit())
    names = [name or letters.get(cell, "") for cell, name in zip(head, names, strict=True)]
    if {*WINDS} <= {*names}:
        return ["table" if name == "number" and "table" not in names else name for name in names]
    names = [
        "across" if name == "round" and known[at][1] is not None else name for at, name in enumerate(names)
    ]
    if "player" not in names:
        names = ["player" if name == "number" else name for name in names]
    if "player" in names and not {"across", "table"} & {*names}:
        after = names.index("player")
        numbered = [at for at, cell in enumerate(head) if cell.isdigit()]
        for at in numbered or [at for at, name in enumerate(names) if at > after and not name]:
            names[at] = "across"
    if not {"across", "player"} & {*names}:
        tables = [at for at, (name, n) in enumerate(known) if name == "table" and n]
        width = max(len(row) for row in (head, *rows))
        names += [""] * (width - len(names)) if tables else []
        for at, end in pairwise([*tables, width]):
            names[at:end] = {1: ["four"], SEATS: WINDS}.get(end - at, names[at:end])
    if {"player", "table"} <= {*names} and "wind" not in names:
        cells = [_cell(row, names.index("player")) for row in rows if len(row) > 1]
        names = ["four" if name == "player" and cells and all(map(_four, cells)) else name for name in names]
    single = ("round", "table", "player", "number", "wind")
    return ["" if name in single and name in names[:at] else name for at, name in enumerate(names)]


def _guess_fields(rows: Sequence[Row]) -> list[str]:
    """Return the fields of columns without headings, or [] for lines of several kinds."""
    width = max(map(len, rows), default=0)
    full = [row for row in rows if len(row) > 1]
    fours = [[player for cell in row for player in _four(cell)] for row in full]
    if _are_places(rows) or any(len({*four}) < len(four) for four in fours):
        return ["across"] * width
    if _are_players(rows[len(rows) - len(full) :]):  # below titles
        return ["player", *["across"] * (width - 1)]
    if any(_four(cell) for row in rows for cell in row):
        return []
    if full and all(len(row) == SEATS for row in rows):
        return [*WINDS]
    if full and all(len(row) == SEATS + 2 and _is_label(row[0]) and _bare_table(row[1]) for row in full):
        return ["round", "table", *WINDS]
    for name, is_label in (("table", _bare_table), ("round", _is_label)):
        if full and all(len(row) == SEATS + 1 and is_label(row[0]) for row in full):
            return [name, *WINDS]
    return []


def _is_label(cell: str) -> bool:
    return cell.isdigit() or field_of(cell).field == "round"


def _are_places(rows: Sequence[Row]) -> bool:
    """Return whether each row is a place with its player in each round."""
    width = len(rows[0]) if rows else 0
    if len(rows) % SEATS or width < 2 or any(len(row) != width for row in rows):
        return False
    columns = [*zip(*rows, strict=True)]
    if any({*column} != {*columns[0]} or len({*column}) < len(rows) for column in columns):
        return False
    return width % SEATS != 0 or any(len({*row}) < width for row in rows)


def _are_players(rows: Sequence[Row]) -> bool:
    """Return whether each row is a player with the seats in all rounds."""
    if len(rows) < 2 * SEATS or len({row[0] for row in rows}) < len(rows) or len(rows[0]) < 2:
        return False
    columns = [*zip_longest(*rows, fillvalue="")][1:]
    seats = read_seats({cell for column in columns for cell in column if _has_seat(cell)})
    if not all(seats.values()):
        return False
    tables = [Counter(seat[0] for cell in column if (seat := seats.get(cell))) for column in columns]
    return all(set(times.values()) == {SEATS} for times in tables)


def _has_seat(cell: str) -> bool:
    return cell.casefold() not in _NO_SEAT | {"0"}


# --- rows to seats ------------------------------------------------------------------------------------------


class PlanRows:
    """Rows with their headings, if there are some, and the fields of their columns.

    ``said``: chosen fields, which count if there is one for each column. ``has_headings``: whether the first
    row has them, if that was chosen.
    """

    def __init__(
        self, rows: Sequence[NumberedRow], said: Sequence[str] = (), has_headings: bool | None = None
    ) -> None:
        self.has_headings = has_headings
        lines = [(number, _split_label(_tidy_row(row))) for number, row in rows]
        cells = [row for _number, row in lines]
        at = _find_head(cells)
        if has_headings is not None:
            at = next((at for at, row in enumerate(cells) if row), None) if has_headings else None
        self.titles = [] if at is None else lines[:at]
        self.lines = lines if at is None else lines[at + 1 :]
        self.head: Row = [] if at is None else cells[at]
        filled = [row for _number, row in self.lines if row and not _is_round_line(row)]
        found = _guess_fields(filled) if at is None else _fields_of(self.head, filled)
        self.width = max((len(row) for row in (self.head, *filled)), default=0)
        self.is_said = len(said) == self.width and {*said} <= {*FIELDS, ""} and any(said)
        self.fields = [*said] if self.is_said else found
        self.fields += [""] * (self.width - len(self.fields) if self.fields else 0)
        if at is None and self.fields:
            begin = next((at for at, row in enumerate(cells) if len(row) > 1), 0)
            above = lines[:begin]
            self.titles = [(number, row) for number, row in above if row and not _is_round_line(row)]
            self.lines = [line for line in above if _is_round_line(line[1])] + lines[begin:]

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Return (heading or "", field or "") of each column, or () for lines of tables without columns."""
        return tuple(
            (_cell(self.head, at), name if name in FIELDS else "") for at, name in enumerate(self.fields)
        )

    def read(self) -> Rounds:
        """Return the rounds. Raises ``ValidationError``.

        A row is a table, a round, a seat, a player with a seat in each round, or a place with a player in
        each round. Empty lines or headings separate rounds unless a column names them. Without both, rounds
        of all tables end before a player sits again.
        """
        for number, row in self.titles:
            if len(_spread(row)) >= SEATS or _NUMBERS.fullmatch(" ".join(row)):
                _refuse_row(number, row)
        if not self.fields:
            return _read_lines(self.lines)
        if self.head and self.has_headings is None:
            for number, row in self.lines:
                if _is_head(row) and [*map(field_of, row)] != [*map(field_of, self.head)]:
                    _refuse_row(number, row)
            self.lines = [(number, [] if _is_head(row) else row) for number, row in self.lines]
        names = {*self.fields}
        if "four" in names or {*WINDS} <= names:
            self._check_columns("round", "table", "four", *WINDS)
            return self._read_tables()
        if {"across", "player"} <= names:
            self._check_columns("across", "player", "number")
            return gather(self._seats_of_players())
        if "across" in names:
            self._check_columns("across", "table", "wind")
            cells = [_cell(row, at) for _number, row in self.lines for at in self._all("across")]
            are_tables = any(_four(cell) or _NUMBERS.fullmatch(cell) for cell in cells)
            return self._read_columns() if are_tables and "wind" not in names else gather(self._seats())
        if {"player", "table"} <= names:
            self._check_columns("player", "number", "round", "table", "wind")
            return gather(self._seats())
        self._check_columns("number", *FIELDS)
        raise ValidationError(
            _(
                "These columns do not make a plan. Name them Round, Table, East, South, West and North, or "
                "Player, Round 1, Round 2 and so on."
            )
        )

    def _at(self, name: str) -> int | None:
        return self.fields.index(name) if name in self.fields else None

    def _all(self, name: str) -> list[int]:
        return [at for at, each in enumerate(self.fields) if each == name]

    def _check_columns(self, *known: str) -> None:
        """Refuse a filled column with another field, unless it was said to be of no use."""
        for at, name in enumerate(self.fields):
            is_used = name in known or (self.is_said and not name)
            if not is_used and any(_cell(row, at) for _number, row in self.lines if not _is_round_line(row)):
                raise ValidationError(
                    _("Column “%(column)s” was not understood. Choose under “How it was read” what it is."),
                    params={"column": _cell(self.head, at) or at + 1},
                )

    def _refuse_cell(self, number: int, at: int, cell: str) -> NoReturn:
        params = {"line": number, "column": _cell(self.head, at) or at + 1, "text": cell[:80]}
        raise ValidationError(
            _("Line %(line)s, column “%(column)s”: “%(text)s” was not understood."), params=params
        )

    def _table(self, number: int, row: Row) -> int | None:
        at = self._at("table")
        if at is None or not _cell(row, at):
            return None
        found = table_number(row[at])
        return self._refuse_cell(number, at, row[at]) if found is None else found

    def _read_tables(self) -> Rounds:
        """Read a table in each row, or all tables of a round."""
        at, label = self._at("round"), ""
        found: list[_TablesOfRow] = []
        for part, number, row in _parts(self.lines) if at is None else (("", *line) for line in self.lines):
            if at is not None and len(row) == 1:
                if not (row[0].isdigit() or _is_round(row[0])):
                    _refuse_row(number, row)
                label = row[0] if at == 0 and _is_label(row[0]) else label
                continue
            label = part if at is None else _cell(row, at) or label
            tables = [*self._tables_of(number, row)]
            if tables:
                found.append((label, number, tables))
            elif at is None and self._table(number, row) is None:
                _refuse_row(number, row)
        return _rounds_of(found, self.lines, are_labelled=at is not None)

    def _tables_of(self, number: int, row: Row) -> Iterator[_Table]:
        """Yield (number, (wind, player) pairs) of each table in a row."""
        own = self._table(number, row)
        for at in self._all("four"):
            four = self._four(number, row, at)
            for begin in range(0, len(four), SEATS):
                yield self._number_above(at) or own, four[begin : begin + SEATS]
        for columns in zip(*map(self._all, WINDS), strict=False):
            cells = [(wind, _cell(row, at)) for wind, at in zip(WINDS, columns, strict=True)]
            if any(cell for _wind, cell in cells):
                yield self._number_above(columns[0]) or own, [each for each in cells if each[1]]

    def _four(self, number: int, row: Row, at: int) -> list[tuple[str, str]]:
        """Return the players of tables in one cell, with their winds, which are unknown."""
        found = _four(_cell(row, at))
        if _cell(row, at) and not found:
            self._refuse_cell(number, at, row[at])
        return [("", player) for player in found]

    def _number_above(self, at: int) -> int | None:
        name, number = field_of(_cell(self.head, at))
        return number if name == "table" else None

    def _read_columns(self) -> Rounds:
        """Read a column of tables for each round."""
        found = [
            (self._round(at), number, [(self._table(number, row), self._four(number, row, at))])
            for number, row in self.lines
            for at in self._all("across")
        ]
        return _rounds_of(found, self.lines, are_labelled=True)

    def _seats(self) -> Iterator[Seat]:
        """Read a row for each seat, or for each place with its player in each round."""
        rounds, round_, wind_ = self._all("across"), self._at("round"), self._at("wind")
        winds, is_numbered = name_winds(_cell(row, wind_) for _n, row in self.lines), "table" in self.fields
        label, table = "", None
        for place, (number, row) in enumerate(line for line in self.lines if any(line[1])):
            label, own, wind = _cell(row, round_) or label, self._table(number, row), _cell(row, wind_)
            table = table if own is None else own
            if wind_ is not None and wind and wind not in winds:
                self._refuse_cell(number, wind_, wind)
            if (table is None and is_numbered) or not (rounds or _cell(row, self._at("player"))):
                _refuse_row(number, row)
            for at in rounds or self._all("player"):
                if not rounds or _cell(row, at).casefold() not in _NO_SEAT:
                    here = self._round(at) if rounds else label
                    key = None if is_numbered else place // SEATS
                    yield Seat(here, table, row[at], winds.get(wind, ""), number, key)

    def _seats_of_players(self) -> Iterator[Seat]:
        """Read a row for each player, with the seat in each round."""
        who, rounds = self._at("player"), self._all("across")
        seats = read_seats(_cell(row, at) for _number, row in self.lines for at in rounds)
        for number, row in self.lines:
            if any(row) and not _cell(row, who):
                _refuse_row(number, row)
            for at in rounds:
                if _has_seat(_cell(row, at)):
                    table, wind = seats[row[at]] or self._refuse_cell(number, at, row[at])
                    yield Seat(self._round(at), table, _cell(row, who), wind, number)

    def _round(self, at: int) -> str:
        """Return the label of a round's column, which says its number or else its place."""
        return f"{_cell(self.head, at)} {at}"


# --- lines of tables ----------------------------------------------------------------------------------------


def _parts(lines: Lines) -> Iterator[tuple[str, int, Row]]:
    """Yield lines with the number of the heading above, or of the empty lines if there are no headings."""
    has_headings = any(_is_round_line(row) for _number, row in lines)
    part = 0
    for number, row in lines:
        is_heading = _is_round_line(row)
        part += is_heading if has_headings else not row
        if row and not is_heading:
            yield str(part), number, row


def _rounds_of(found: Sequence[_TablesOfRow], lines: Lines, *, are_labelled: bool) -> Rounds:
    """Return the rounds of rows that are tables, or rounds.

    Rows without a label of their own are in rounds below headings, or else between empty lines.
    """
    are_rounds = not are_labelled and any(len(tables) > 1 for _label, _number, tables in found)
    rounds = gather(
        Seat(str(place) if are_rounds else label, table, player, wind, number, (place, key))
        for place, (label, number, tables) in enumerate(found)
        for key, (table, seats) in enumerate(tables)
        for wind, player in seats
    )
    if are_labelled or are_rounds or any(_is_round_line(row) for _number, row in lines):
        return rounds
    return split_rounds(rounds) if len(rounds) == 1 or all(len(here) == 1 for here in rounds) else rounds


def _read_lines(lines: Lines) -> Rounds:
    """Read lines of a table, which may have a number or stand below it, or lines of all tables of a round."""
    lines = [(number, _spread(row)) for number, row in lines]
    _check_single_cells(lines)
    full = [row for _number, row in lines if len(row) > 1]
    are_rounds = all(len(row) >= 2 * SEATS and len(row) % SEATS < 2 for row in full)
    lines = lines if are_rounds else [part for line in lines for part in _without_heading(*line)]
    found: list[_TablesOfRow] = []
    above = None
    for part, number, row in _parts(lines):
        own = _bare_table(row[0]) if len(row) in (1, SEATS + 1) else None
        players = row[len(row) % SEATS :] if are_rounds else row[1:] if own else row
        if len(row) > 1:
            is_label = row[0] == str(len(found) + 1) or field_of(row[0]).field == "round"
            if are_rounds and len(players) < len(row) and not is_label:
                _refuse_row(number, row)
            size = SEATS if are_rounds else len(players)
            fours = [players[at : at + size] for at in range(0, len(players), size)]
            table = None if are_rounds else own or above
            found.append((part, number, [(table, [("", player) for player in four]) for four in fours]))
        above = own if len(row) == 1 else None
    return _rounds_of(found, lines, are_labelled=False)


def _without_heading(number: int, row: Row) -> list[tuple[int, Row]]:
    """Return a table and the heading of its round before it as two lines."""
    if len(row) == SEATS + 1 and _is_round(row[0]):
        return [(number, row[:1]), (number, row[1:])]
    return [(number, row)]


def _check_single_cells(lines: Lines) -> None:
    """Refuse lines of one cell unless they are headings, or titles above the first heading or table."""
    has_begun = not any(len(row) > 1 for _number, row in lines)
    for number, row in lines:
        is_heading = len(row) == 1 and (_is_round(row[0]) or _bare_table(row[0]) is not None)
        if len(row) == 1 and not is_heading and (has_begun or _NUMBERS.fullmatch(row[0])):
            _refuse_row(number, row)
        has_begun = has_begun or len(row) > 1 or is_heading
