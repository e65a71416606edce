"""Plans of the organizer's own: read from a file or pasted text, with players for what stands in them."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.people.queries import Candidate, Finder
from league.seating.engine.checker import SEATS
from league.seating.engine.schedule import MOST_ROUNDS
from players.text import tidy

MOST_BYTES = 1_000_000
MOST_TABLE = 9_999


def decode_plan(upload: UploadedFile) -> str:
    if (upload.size or 0) > MOST_BYTES:
        raise ValidationError(_("This file is too large for a plan."))
    try:
        return upload.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValidationError(_("This file is not in UTF-8. Save it as UTF-8 text or JSON.")) from error


@dataclass(frozen=True, slots=True)
class PlanTable:
    """A table of a plan: its number if the plan has one, and the four cells, east first."""

    number: int | None
    cells: Sequence[str]


Plan = Sequence[Sequence[PlanTable]]


def read_plan(text: str) -> list[list[PlanTable]]:
    """Rounds of tables. JSON: rounds of tables of four; or one table a line, perhaps with its number in
    front, with an empty line or a heading between rounds. Raises ``ValidationError`` with what is wrong, and
    where.
    """
    plan = _from_json(text) if text.lstrip()[:1] in ("[", "{") else list(_from_text(text))
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
        numbers = [table.number for table in round_ if table.number is not None]
        twice = {"round": number, "table": next((n for n in numbers if numbers.count(n) > 1), None)}
        if twice["table"] is not None:
            wrong.append(gettext("Round %(round)s: table %(table)s is listed twice.") % twice)
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


def _from_text(text: str) -> Iterator[list[PlanTable]]:
    here: list[PlanTable] = []
    for line in [*text.splitlines(), ""]:
        cells = [cell for cell in read_cells(line) if cell]
        if len(cells) > 1:
            numbered = len(cells) == SEATS + 1 and re.fullmatch("[1-9][0-9]{0,3}", cells[0], re.ASCII)
            here.append(PlanTable(int(cells[0]), cells[1:]) if numbered else PlanTable(None, cells))
        elif here:  # an empty line, or a heading
            yield here
            here = []


def place_players(
    plan: Plan, people: Mapping[int, Candidate], playing: Sequence[int], *, tables: Iterable[int], seed: int
) -> tuple[Mapping[int, tuple[int, ...]], ...]:
    """Round for round table number → players. The cells are names and keys of those entered, or numbers from
    1, which are drawn. Tables without a number get the first free ones of ``tables``, then any. Raises
    ``ValidationError`` for players who are not found, withdrawn, or twice in a round.
    """
    cells = {cell for round_ in plan for table in round_ for cell in table.cells}
    who = _draw_numbers(cells, people, playing, seed) or _find_players(cells, people)
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
    return found


def _number_tables(
    round_: Sequence[PlanTable], who: Mapping[str, int], tables: Sequence[int]
) -> dict[int, tuple[int, ...]]:
    taken = {table.number for table in round_}
    free = (number for number in dict.fromkeys([*tables, *range(1, MOST_TABLE + 1)]) if number not in taken)
    return {
        next(free) if table.number is None else table.number: tuple(who[cell] for cell in table.cells)
        for table in round_
    }


def _draw_numbers(
    cells: set[str], people: Mapping[int, Candidate], playing: Sequence[int], seed: int
) -> dict[str, int]:
    """Number → player, drawn; empty where the cells are no numbers from 1, or are keys of players."""
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
    drawn = sorted(playing)
    Random(seed).shuffle(drawn)  # noqa: S311 - a draw that can be repeated, no secret
    return {cell: drawn[int(cell) - 1] for cell in cells}


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
    """The names of one line: split at tabs if it has any, else at commas; without empty ones at its end."""
    parts = line.split("\t") if "\t" in line else re.split(r"[,，、;；]", line)
    cells = [tidy(part) for part in parts]
    while cells and not cells[-1]:
        cells.pop()
    return cells
