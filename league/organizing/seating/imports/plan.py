"""Plans of the organizer's own, read from a file or pasted text, with players for their names or numbers."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, count
from random import Random

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.organizing.seating.imports.nested import is_nested, nested_rows
from league.organizing.seating.imports.rows import PlanRows
from league.organizing.seating.imports.tables import TOO_LARGE, PlanTable, Rounds
from league.people.members.queries import Candidate, Finder
from players.cells import Cells, read_cells, split_sheets
from scoring.seating.checker import SEATS
from scoring.seating.schedule import MOST_ROUNDS

MOST_LINES = 50_000  # 400 players in 60 rounds have 24,000 seats
MOST_PROBLEMS = 10

Plan = Sequence[Sequence[PlanTable]]


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtPlan:
    """A plan as it was read. ``columns``: (heading or "", field or "").

    ``sheet``: the one that was read of the workbook's ``sheets``. ``separators``: see ``Cells``.
    """

    rounds: Rounds = field(default_factory=list)
    problems: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    separators: tuple[str, ...] = ()

    @property
    def tables(self) -> int:
        return sum(map(len, self.rounds))

    @property
    def players(self) -> set[str]:
        return {cell for round_ in self.rounds for table in round_ for cell in table.cells}


def read_plan(
    text: str,
    said: Sequence[str] = (),
    *,
    sheet: str = "",
    separator: str = "",
    has_headings: bool | None = None,
) -> BroughtPlan:
    """Read JSON, lists of Python, or rows, without raising.

    The plan of a workbook is on the chosen sheet, or on the first one that holds a plan or has headings.
    ``said``, ``has_headings``: see ``PlanRows``. ``separator``: see ``read_cells``.
    """
    if text.count("\n") > MOST_LINES:
        return BroughtPlan(problems=(str(TOO_LARGE),))
    if is_nested(text):
        try:
            nested, is_headed = nested_rows(text)
        except ValidationError as error:
            return BroughtPlan(problems=tuple(error.messages))
        return _read_rows(PlanRows([*enumerate(nested, not is_headed)], said, is_headed), Cells(()))
    sheets = split_sheets(text)
    found = []
    for name in [sheet] if sheet in sheets else sheets or [""]:
        try:
            cells = read_cells(text, sheet=name, separator=separator, keeps_lines=True)
        except OverflowError:
            return BroughtPlan(problems=(str(TOO_LARGE),))
        found.append(_read_rows(PlanRows(cells.rows, said, has_headings), cells))
    return min(found, key=lambda plan: (not plan.rounds, not any(title for title, _field in plan.columns)))


def _read_rows(rows: PlanRows, cells: Cells) -> BroughtPlan:
    plan = BroughtPlan(
        columns=rows.columns, sheet=cells.sheet, sheets=cells.sheets, separators=cells.separators
    )
    try:
        rounds = rows.read()
    except ValidationError as error:
        return replace(plan, problems=tuple(error.messages))
    if not cells.rows:  # a row of JSON has no line in its text
        rounds = [[replace(table, row=0) for table in round_] for round_ in rounds]
    problems = [*_problems(rounds)]
    if problems:
        return replace(plan, problems=tuple(problems[:MOST_PROBLEMS]))
    if any(table.number == 0 for round_ in rounds for table in round_):
        rounds = [[replace(t, number=None if t.number is None else t.number + 1) for t in r] for r in rounds]
    return replace(plan, rounds=rounds)


def _problems(plan: Rounds) -> Iterator[str]:
    if not plan:
        yield gettext("No plan yet. Choose a file or paste it.")
    if len(plan) > MOST_ROUNDS:
        yield gettext("A plan has at most %(most)s rounds.") % {"most": MOST_ROUNDS}
        return
    for number, round_ in enumerate(plan, 1):
        for t, table in enumerate(round_, 1):
            if len(table.cells) != SEATS:
                said = gettext("Round %(round)s, table %(table)s: a table needs four players.")
                yield in_row(table.row, said % {"round": number, "table": t})
        listed: set[int | None] = {None}
        for table in round_:
            if table.number in listed - {None}:
                said = gettext("Round %(round)s: table %(table)s is listed twice.")
                yield in_row(table.row, said % {"round": number, "table": table.number})
            listed.add(table.number)
        name, seats = Counter(cell for table in round_ for cell in table.cells).most_common(1)[0]
        if seats > 1:
            said = gettext(
                "Round %(round)s: “%(name)s” has %(count)s seats. A player has one seat in a round."
            )
            row = next(table.row for table in round_ if name in table.cells)
            yield in_row(row, said % {"round": number, "name": name, "count": seats})


def in_row(row: int, problem: str) -> str:
    return gettext("Line %(line)s: %(problem)s") % {"line": row, "problem": problem} if row else problem


def numbers_of(plan: Plan, people: Mapping[int, Candidate]) -> range:
    """Return the numbers of a plan, from 0 or 1. The range is empty for a plan of names or players' keys."""
    cells = {cell for round_ in plan for table in round_ for cell in table.cells}
    if not all(cell.isascii() and cell.isdigit() and len(cell) <= 4 for cell in cells):
        return range(0)
    numbers = {int(cell) for cell in cells}
    if cells <= {candidate.info.key for candidate in people.values()} or len(numbers) < len(cells):
        return range(0)
    first = min(numbers, default=0)
    found = range(first, first + len(numbers))
    return found if first in (0, 1) and numbers == {*found} else range(0)


def place_players(
    plan: Plan,
    people: Mapping[int, Candidate],
    playing: Sequence[int],
    *,
    tables: Iterable[int],
    seed: int | None,
) -> tuple[tuple[Mapping[int, tuple[int, ...]], ...], tuple[int, ...]]:
    """Return (table number → players) for each round, and the players in order of drawn numbers.

    Cells are names or keys of entered players, or numbers. ``seed``: draw the numbers, or None if they follow
    the order of ``playing``. Unnumbered tables take the free ones of ``tables`` first. Raises
    ``ValidationError`` for unknown or withdrawn players or two seats in a round.
    """
    numbers = numbers_of(plan, people)
    order = _in_order_of_numbers(len(numbers), playing, seed) if numbers else []
    who = dict(zip(map(str, numbers), order, strict=True)) or _find_players(plan, people)
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
    return found, () if seed is None else tuple(order)


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


def _in_order_of_numbers(count: int, playing: Sequence[int], seed: int | None) -> list[int]:
    if count != len(playing):
        raise ValidationError(
            _(
                "The plan is for %(plan)s players, but %(count)s play. Mark who does not play, or use "
                "another plan."
            ),
            params={"plan": count, "count": len(playing)},
        )
    if seed is None:
        return list(playing)
    drawn_players = sorted(playing)
    Random(seed).shuffle(drawn_players)  # noqa: S311 - a draw that can be repeated, no secret
    return drawn_players


def _find_players(plan: Plan, people: Mapping[int, Candidate]) -> dict[str, int]:
    finder, found, problems = Finder(people), {}, []
    tables = [table for round_ in plan for table in round_]
    rows = {cell: table.row for table in reversed(tables) for cell in table.cells}
    for cell, row in sorted(rows.items(), key=lambda each: each[1]):
        try:
            player = finder.find(cell)
        except ValidationError as error:
            problems += [in_row(row, message) for message in error.messages]
        else:
            found[cell] = player
            if people[player].withdrawn:
                problems.append(in_row(row, gettext("%(name)s has withdrawn.") % {"name": cell}))
    if problems:
        raise ValidationError(problems[:MOST_PROBLEMS])
    return found
