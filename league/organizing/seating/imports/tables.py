"""Tables and rounds of a plan as it is read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.organizing.seating.imports.words import WINDS, field_of
from scoring.seating.checker import SEATS


@dataclass(frozen=True, slots=True)
class PlanTable:
    number: int | None
    cells: Sequence[str]

    @property
    def after_zero(self) -> "PlanTable":
        """Return the table of a plan whose tables count from 0."""
        return PlanTable(None if self.number is None else self.number + 1, self.cells)


Rounds = list[list[PlanTable]]
Seat = tuple[str, int, str, str]  # round, table, wind or "", player
T = TypeVar("T")


def gather(seats: Iterable[Seat]) -> Rounds:
    """Return the rounds of single seats, tables by number."""
    found: dict[str, dict[int, list[tuple[str, str]]]] = {}
    for round_, table, wind, player in seats:
        found.setdefault(round_, {}).setdefault(table, []).append((wind, player))
    return [
        [PlanTable(number, by_wind(four)) for number, four in sorted(here.items())]
        for here in in_order(found)
    ]


def by_wind(seats: Sequence[tuple[str, str]]) -> list[str]:
    """Return players from east to north, or in the given order if no wind is known.

    Raises ``ValidationError`` for a duplicate or missing wind.
    """
    winds = {wind for wind, _player in seats}
    if winds - {""}:
        if "" in winds or len(winds) < len(seats):
            players = ", ".join(player for _wind, player in seats)
            raise ValidationError(
                _("At a table each wind needs one player: %(players)s."), params={"players": players[:200]}
            )
        seats = sorted(seats, key=lambda each: WINDS.index(each[0]))
    return [player for _wind, player in seats]


def in_order(found: Mapping[str, T]) -> list[T]:
    """Return the values by the numbers in their labels if each has its own, else in the given order."""
    numbers = {label: field_of(label)[1] for label in found}
    order = {label: number for label, number in numbers.items() if number is not None}
    if len(set(order.values())) < len(found):
        return [*found.values()]
    return [found[label] for label in sorted(order, key=lambda label: order[label])]


def split_places(rows: Sequence[Sequence[str]]) -> Rounds:
    """Return the rounds of rows for places, which have a player per round. Return [] for rows of tables."""
    width = len(rows[0]) if rows else 0
    if len(rows) % SEATS or width < 2 or any(len(row) != width for row in rows):
        return []
    columns = [*zip(*rows, strict=True)]
    if any({*column} != {*columns[0]} or len({*column}) < len(rows) for column in columns):
        return []
    if width % SEATS == 0 and all(len({*row}) == width for row in rows):
        return []
    return [
        [PlanTable(None, column[at : at + SEATS]) for at in range(0, len(rows), SEATS)] for column in columns
    ]


def split_rounds(rounds: Rounds) -> Rounds:
    """Return rounds of all tables that the players fill, if players sit again after each, else ``rounds``."""
    tables = [table for here in rounds for table in here]
    found: Rounds = []
    seen: set[object] = set()
    for table in tables:
        here = {*table.cells, table.number} - {None}
        if not found or here & seen:
            found.append([])
            seen = set()
        seen |= here
        found[-1].append(table)
    count = len({cell for table in tables for cell in table.cells}) // SEATS
    return found if all(len(here) == count for here in found) else rounds
