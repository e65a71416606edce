"""Plans of the organizer's own, read from a file or pasted text, with players for their names or numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count
from random import Random

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.core.files.lists import read_list
from league.organizing.seating.imports.nested import is_nested, read_nested
from league.organizing.seating.imports.rows import TOO_LARGE, read_lines, read_rows
from league.organizing.seating.imports.tables import PlanTable, Rounds
from league.people.members.queries import Candidate, Finder
from players.cells import split_sheets
from players.files import Unreadable
from scoring.seating.checker import SEATS
from scoring.seating.schedule import MOST_ROUNDS

MOST_BYTES = 1_000_000
MOST_LINES = 50_000  # 400 players in 60 rounds have 24,000 seats

Plan = Sequence[Sequence[PlanTable]]


def decode_plan(upload: UploadedFile) -> str:
    """Return the text of a plan's file. A workbook gives its first sheet, tab-separated."""
    if (upload.size or 0) > MOST_BYTES:
        raise ValidationError(TOO_LARGE)
    try:
        return read_list(upload.read(), encoding="").text
    except Unreadable as error:
        raise ValidationError(str(error)) from error


def read_plan(text: str) -> Rounds:
    """Read JSON, lists of Python, or rows in a form of ``read_rows``. Raises ``ValidationError``.

    The plan of a workbook is on its first sheet that holds one.
    """
    if text.count("\n") > MOST_LINES:
        raise ValidationError(TOO_LARGE)
    if is_nested(text):
        return _checked(read_nested(text))
    problems = []
    for sheet in split_sheets(text) or [""]:
        try:
            return _checked(read_rows(read_lines(text, sheet=sheet)))
        except ValidationError as error:
            problems.append(error)
    raise problems[0]


def _checked(plan: Rounds) -> Rounds:
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
        name, seats = Counter(cell for table in round_ for cell in table.cells).most_common(1)[0]
        if seats > 1:
            said = gettext(
                "Round %(round)s: “%(name)s” has %(count)s seats. A player has one seat in a round."
            )
            wrong.append(said % {"round": number, "name": name, "count": seats})
    if wrong:
        raise ValidationError(wrong[:10])
    if any(table.number == 0 for round_ in plan for table in round_):
        return [[table.after_zero for table in round_] for round_ in plan]
    return plan


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
    cells = {cell for round_ in plan for table in round_ for cell in table.cells}
    who = dict(zip(map(str, numbers), order, strict=True)) or _find_players(cells, people)
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
