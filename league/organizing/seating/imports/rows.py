"""Plans from rows of cells: lines of text, workbooks, tables of Markdown and HTML.

Every cell is read, or refused with its line or column.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import NoReturn

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.organizing.seating.imports.tables import (
    PlanTable,
    Rounds,
    Seat,
    gather,
    in_order,
    split_places,
    split_rounds,
)
from league.organizing.seating.imports.words import WINDS, field_of, name_winds, read_seats, table_number
from players.cells import read_cells
from players.text import tidy
from scoring.seating.checker import SEATS

Row = Sequence[str]
Lines = Sequence[tuple[int, Row]]  # with the number of the line
TOO_LARGE = _("This file is too large for a plan.")

_NUMBERS = re.compile(r"[0-9]{1,4}(?:\s*[-–/, ]\s*[0-9]{1,4})+", re.ASCII)
_MARKS = re.compile(r"\s*[/,;、，]\s*|\s+[-–]\s+")  # between four names in one cell
_RULE = re.compile(r"[-=_*~:\s]*")
_NO_SEAT = frozenset(
    {"0", "-", "–", "—", "/", "x", "bye", "out", "frei", "libre", "libero", "pausa", "pauza"}
)
_NO_SEAT |= {"休", "休み", "輪空", "轮空", "抜け番"}
_SEATED = frozenset({"player", "wind"})
_BLANK, _HEADING = "blank", "heading"


def read_lines(text: str, *, sheet: str = "") -> Lines:
    """Split the lines of a text at the same mark. Empty lines stay, empty cells at a line's end are dropped.

    Raises ``ValidationError`` for a table of a web page with too many cells.
    """
    try:
        rows = read_cells(text, sheet=sheet, keeps_lines=True).rows
    except OverflowError as error:
        raise ValidationError(TOO_LARGE) from error
    return [(number, _tidy_row(row)) for number, row in rows]


def read_names(line: str) -> list[str]:
    """Split one line that was typed, at tabs, at semicolons, or else at commas of every kind."""
    if not re.search("[\t;；]", line):
        line = re.sub("[，、]", ",", line)
    return [cell for _number, row in read_lines(line) for cell in row]


def _tidy_row(row: Row) -> list[str]:
    """Return the cells without bullets and emphasis of Markdown. A ruled line has none."""
    cells = [tidy(cell).strip("*") for cell in row]
    cells[:1] = [re.sub(r"^(?:#+|[-*•])\s+(?=\S)", "", cell) for cell in cells[:1]]
    while cells and not cells[-1]:
        cells.pop()
    return [] if all(_RULE.fullmatch(cell) for cell in cells) else cells


def _split_label(cells: Row) -> Row:
    """Return the cells with "Table 1: Ann" as two."""
    label, mark, rest = (cells or [""])[0].replace("：", ":").partition(":")
    if mark and (field_of(label)[0] in ("round", "table") or _bare_table(label)):
        return [tidy(label), *([tidy(rest)] if rest.strip() else []), *cells[1:]]
    return cells


def read_rows(lines: Lines) -> Rounds:
    """Read rounds from rows, with headings in any known language or without.

    A row is a table (perhaps with its number or round, or as ``1-2-3-4``), a round, a player with a table per
    round, a place with a player per round, or a seat. Empty lines or heading lines separate rounds unless a
    column names them. Without both, rounds of all tables end before a player sits again. Raises
    ``ValidationError``.
    """
    lines = [(number, _split_label(row)) for number, row in lines]
    rows = [row for _number, row in lines]
    head = next((at for at, row in enumerate(rows) if _is_head(row)), None)
    if head is None or (_seat_numbers(rows[head]) and any(map(_has_numbered_names, rows[head + 1 :]))):
        return _without_head(lines)
    for number, row in lines[:head]:
        if len(_spread(row)) >= SEATS or _NUMBERS.fullmatch(" ".join(row)):
            _refuse_line(number, row)
    return _Sheet(rows[head], lines[head + 1 :]).read()


def _refuse_line(number: int, row: Row) -> NoReturn:
    text = ", ".join(cell for cell in row if cell)[:80]
    params = {"line": number, "text": text}
    raise ValidationError(_("Line %(line)s was not understood: “%(text)s”."), params=params)


def _is_head(row: Row) -> bool:
    fields = [field_of(cell) for cell in row]
    names = {name for name, _number in fields if name}
    kinds = sum(name in ("round", "table", "player", "number", "wind") for name, _number in fields)
    numbered = {name for name, number in fields if number and name not in ("", *_SEATED)}
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
    fields = map(field_of, row)
    return sorted(number for name, number in fields if number and name in _SEATED)


def _has_numbered_names(row: Row) -> bool:
    return any(field_of(cell)[0] == "player" for cell in row if re.search("[0-9]", cell))


def _cell(row: Row, at: int | None) -> str:
    return row[at] if at is not None and at < len(row) else ""


# --- below headings -----------------------------------------------------------------------------------------


class _Sheet:
    """Rows below a row of headings. ``names``: the field of each column, "" if unknown."""

    def __init__(self, head: Row, lines: Lines) -> None:
        self.head = head
        self.fields = [field_of(cell) for cell in head]
        self.names = [name for name, _number in self.fields]
        if _seat_numbers(head):
            self.names = [WINDS[n - 1] if n and name in _SEATED else name for name, n in self.fields]
        letters = name_winds(cell for cell in head if not cell.isdigit())
        self.names = [name or letters.get(cell, "") for name, cell in zip(self.names, head, strict=True)]
        for number, row in lines:
            if _is_head(row) and [field_of(cell) for cell in row] != self.fields:
                _refuse_line(number, row)
        self.lines = [(number, [] if _is_head(row) else row) for number, row in lines]

    def at(self, name: str) -> int | None:
        return self.names.index(name) if name in self.names else None

    def read(self) -> Rounds:
        numbers = {number: at for at, (name, number) in enumerate(self.fields) if name == "round"}
        rounds = [numbers[number] for number in sorted(number for number in numbers if number is not None)]
        tables = [at for at, (name, number) in enumerate(self.fields) if name == "table" and number]
        who = self.at("number") if self.at("player") is None else self.at("player")
        if all(self.names.count(wind) == 1 for wind in WINDS):
            return self._by_table()
        if who is not None and not rounds and {"round", "table"} <= set(self.names):
            return gather(self._seats(who))
        if who is not None:
            return gather(self._seats_of_players(who, rounds))
        if rounds:
            return self._rounds_in_columns(rounds)
        if tables:
            return self._tables_in_columns(tables)
        self._check_columns([at for at, name in enumerate(self.names) if name])
        raise ValidationError(
            _(
                "These columns do not make a plan. Name them Round, Table, East, South, West and North, or "
                "Player, Round 1, Round 2 and so on."
            )
        )

    def _check_columns(self, known: Collection[int | None]) -> None:
        width = max([len(self.head), *(len(row) for _number, row in self.lines)])
        for at in range(width):
            if at not in known and any(_cell(row, at) and len(row) > 1 for _number, row in self.lines):
                raise ValidationError(
                    _(
                        "Column “%(column)s” was not understood. Remove it, or name it Round, Table, Player, "
                        "Wind, East, South, West or North."
                    ),
                    params={"column": _cell(self.head, at) or at + 1},
                )

    def _refuse_cell(self, number: int, at: int, cell: str) -> NoReturn:
        params = {"line": number, "column": _cell(self.head, at) or at + 1, "text": cell[:80]}
        raise ValidationError(
            _("Line %(line)s, column “%(column)s”: “%(text)s” was not understood."), params=params
        )

    def _table(self, number: int, row: Row) -> int | None:
        at = self.at("table")
        if at is None or not _cell(row, at):
            return None
        found = table_number(row[at])
        return self._refuse_cell(number, at, row[at]) if found is None else found

    def _by_table(self) -> Rounds:
        round_, winds = self.at("round"), [self.names.index(wind) for wind in WINDS]
        self._check_columns([round_, self.at("table"), *winds])
        if round_ is None:
            return _in_rounds(self._tables(winds))
        found: dict[str, list[PlanTable]] = {}
        label = ""
        for number, row in self.lines:
            cells = [_cell(row, at) for at in winds]
            label = _cell(row, round_) or label
            if len(row) == 1 and not any(cells) and not _is_label(row[0]):
                _refuse_line(number, row)
            if any(cells):
                table = PlanTable(self._table(number, row), [cell for cell in cells if cell])
                found.setdefault(label, []).append(table)
        return in_order(found)

    def _tables(self, winds: Sequence[int]) -> Iterator[PlanTable | str]:
        for number, row in self.lines:
            cells = [_cell(row, at) for at in winds]
            filled = [cell for cell in row if cell]
            if not filled or (len(filled) == 1 and _is_round(filled[0])):
                yield _HEADING if filled else _BLANK
            elif any(cells):
                yield PlanTable(self._table(number, row), [cell for cell in cells if cell])
            elif self._table(number, row) is None:
                _refuse_line(number, row)

    def _seats(self, who: int) -> Iterator[Seat]:
        at = self.at("wind")
        self._check_columns([who, self.at("round"), self.at("table"), at, self.at("number")])
        winds = name_winds(_cell(row, at) for _number, row in self.lines)
        label, table = "", None
        for number, row in self.lines:
            label = _cell(row, self.at("round")) or label
            own = self._table(number, row)
            table = table if own is None else own
            wind = winds.get(_cell(row, at), "")
            if at is not None and _cell(row, at) and not wind:
                self._refuse_cell(number, at, row[at])
            if _cell(row, who) and table is None:
                _refuse_line(number, row)
            if not _cell(row, who) and any(row):
                _refuse_line(number, row)
            if table is not None and _cell(row, who):
                for player in _four(row[who]) or [row[who]]:
                    yield label, table, wind, player

    def _seats_of_players(self, who: int, rounds: Sequence[int]) -> Iterator[Seat]:
        numbered = [at for at, cell in enumerate(self.head) if cell.isdigit()]
        unknown = [at for at, name in enumerate(self.names) if at > who and not name]
        columns = rounds or numbered or unknown
        self._check_columns([who, self.at("number"), *columns])
        seats = read_seats(_cell(row, at) for _number, row in self.lines for at in columns)
        for number, row in self.lines:
            if any(row) and not _cell(row, who):
                _refuse_line(number, row)
            for label, at in enumerate(columns):
                cell = _cell(row, at)
                if _has_seat(cell):
                    table, wind = seats[cell] or self._refuse_cell(number, at, cell)
                    yield str(label), table, wind, row[who]

    def _rounds_in_columns(self, rounds: Sequence[int]) -> Rounds:
        cells = [_cell(row, at) for _number, row in self.lines for at in rounds]
        if self.at("wind") is not None or not any(_four(cell) or _NUMBERS.fullmatch(cell) for cell in cells):
            return gather(self._seats_of_places(rounds))
        self._check_columns([self.at("table"), *rounds])
        found: list[list[PlanTable]] = [[] for _at in rounds]
        for number, row in self.lines:
            for here, at in zip(found, rounds, strict=True):
                four = _four(_cell(row, at))
                if four:
                    here.append(PlanTable(self._table(number, row), four))
                elif _cell(row, at):
                    self._refuse_cell(number, at, row[at])
        return [here for here in found if here]

    def _seats_of_places(self, rounds: Sequence[int]) -> Iterator[Seat]:
        """Read a row per place at a table, with its player in each round."""
        at = self.at("wind")
        self._check_columns([self.at("table"), at, *rounds])
        winds = name_winds(_cell(row, at) for _number, row in self.lines)
        table = None
        for place, (number, row) in enumerate((number, row) for number, row in self.lines if any(row)):
            own = place // SEATS if self.at("table") is None else self._table(number, row)
            table = table if own is None else own
            wind = winds.get(_cell(row, at), "")
            if table is None or (_cell(row, at) and not wind):
                _refuse_line(number, row)
            for label, column in enumerate(rounds):
                if _has_seat(_cell(row, column)):
                    yield str(label), table, wind, row[column]

    def _tables_in_columns(self, tables: Sequence[int]) -> Rounds:
        """Read a round per row. A table has one column of four players, or four columns."""
        spans = [*pairwise([*tables, max([len(self.head), *(len(row) for _number, row in self.lines)])])]
        self._check_columns([self.at("round"), *(at for span in spans for at in range(*span))])
        found = []
        for _number, row in self.lines:
            if _is_round("".join(row)):
                continue
            fours = [_spread([cell for cell in row[slice(*span)] if cell]) for span in spans]
            numbers = [self.fields[at][1] for at in tables]
            found.append([PlanTable(n, four) for n, four in zip(numbers, fours, strict=True) if four])
        return [here for here in found if here]


# --- without headings ---------------------------------------------------------------------------------------


def _four(cell: str) -> list[str]:
    """Return the players of one table in one cell, or of several tables of numbers, or []."""
    if _NUMBERS.fullmatch(cell):
        numbers = re.findall("[0-9]+", cell)
        return numbers if len(numbers) % SEATS == 0 else []
    names = _MARKS.split(cell)
    return names if len(names) == SEATS and all(names) else []


def _spread(row: Row) -> list[str]:
    return [player for cell in row for player in _four(cell) or [cell]]


def _bare_table(cell: str) -> int | None:
    is_bare = re.fullmatch("[0-9]{1,4}|[A-Za-z]", cell, re.ASCII) or field_of(cell)[0] == "table"
    return table_number(cell) or None if is_bare else None


def _is_round(cell: str) -> bool:
    """Return whether a line is the heading of a round: "Round 2", "Round 2 (Sunday)", "第2輪"."""
    has_number = re.search("[0-9]", cell) is not None
    return field_of(cell)[0] == "round" or (
        has_number and any(field_of(word)[0] == "round" for word in cell.split())
    )


def _without_head(lines: Lines) -> Rounds:
    if places := split_places([row for _number, row in lines if row]):
        return places
    fours = [_spread([cell for cell in row if _four(cell)]) for _number, row in lines if len(row) > 1]
    if any(len({*four}) < len(four) for four in fours):
        return _rounds_in_columns(lines)
    spread = [(number, _spread(row)) for number, row in lines]
    _check_single_cells(spread)
    full = [(number, row) for number, row in spread if len(row) > 1]
    for number, row in spread if not full else ():
        if row:
            _refuse_line(number, row)
    if _is_by_player([row for _number, row in full]):
        rounds = range(1, max(len(row) for _number, row in full))
        return _Sheet(["player", *(f"round {number}" for number in rounds)], full).read()
    if full and all(len(row) >= 2 * SEATS and len(row) % SEATS < 2 for _number, row in full):
        return [_round_of(number, row, place) for place, (number, row) in enumerate(full, 1)]
    if full and all(len(row) == SEATS + 2 and _bare_table(row[1]) and _is_label(row[0]) for _n, row in full):
        return _Sheet(["round", "table", *WINDS], full).read()
    return _in_rounds(_tables_of_lines(spread))


def _check_single_cells(lines: Lines) -> None:
    """Refuse lines of one cell unless they are headings, or titles above the first heading or table."""
    has_begun = False
    for number, row in lines:
        is_heading = len(row) == 1 and (_is_round(row[0]) or _bare_table(row[0]) is not None)
        if len(row) == 1 and not is_heading and (has_begun or _NUMBERS.fullmatch(row[0])):
            _refuse_line(number, row)
        has_begun = has_begun or len(row) > 1 or is_heading


def _rounds_in_columns(lines: Lines) -> Rounds:
    for number, row in lines:
        if not all(_four(cell) for cell in row if cell):
            _refuse_line(number, row)
    columns = zip_longest(*(row for _number, row in lines), fillvalue="")
    return [[PlanTable(None, _four(cell)) for cell in column if cell] for column in columns]


def _is_label(cell: str) -> bool:
    return cell.isdigit() or field_of(cell)[0] == "round"


def _round_of(number: int, row: Row, place: int) -> list[PlanTable]:
    """Read a whole round. Its row may begin with a label: its place, or words such as "Round 3"."""
    if len(row) % SEATS and not (row[0] == str(place) or field_of(row[0])[0] == "round"):
        _refuse_line(number, row)
    cells = row[len(row) % SEATS :]
    return [PlanTable(None, cells[at : at + SEATS]) for at in range(0, len(cells), SEATS)]


def _is_by_player(rows: Sequence[Row]) -> bool:
    if len(rows) < 2 * SEATS or len({row[0] for row in rows}) < len(rows):
        return False
    columns = [*zip_longest(*rows, fillvalue="")][1:]
    seats = read_seats({cell for column in columns for cell in column if _has_seat(cell)})
    if not all(seats.values()):
        return False
    tables = [Counter(seat[0] for cell in column if (seat := seats.get(cell))) for column in columns]
    return all(set(times.values()) == {SEATS} for times in tables)


def _has_seat(cell: str) -> bool:
    return bool(cell) and cell.casefold() not in _NO_SEAT


def _tables_of_lines(lines: Lines) -> Iterator[PlanTable | str]:
    table = None
    for _number, row in lines:
        cells = [cell for cell in row if cell]
        if len(cells) == SEATS + 1 and _is_round(cells[0]):
            yield _HEADING
            yield PlanTable(None, cells[1:])
        elif len(cells) > 1:
            own = _bare_table(cells[0]) if len(cells) == SEATS + 1 else None
            yield PlanTable(own or table, cells[1:] if own else cells)
            table = None
        elif cells and not _is_round(cells[0]):
            table = _bare_table(cells[0])
        else:
            yield _HEADING if cells else _BLANK


def _in_rounds(found: Iterable[PlanTable | str]) -> Rounds:
    found = list(found)
    end = _HEADING if _HEADING in found else _BLANK
    rounds: Rounds = [[]]
    for each in found:
        if isinstance(each, PlanTable):
            rounds[-1].append(each)
        elif each == end:
            rounds.append([])
    rounds = [here for here in rounds if here]
    if end == _BLANK and (len(rounds) == 1 or all(len(here) == 1 for here in rounds)):
        return split_rounds(rounds)
    return rounds
