"""Seats, tables and rounds of a plan as it is read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.organizing.seating.imports.words import field_of
from scoring.seating.checker import SEATS
from scoring.units import WINDS

TOO_LARGE = _("This file is too large for a plan.")


@dataclass(frozen=True, slots=True)
class PlanTable:
    """A table. ``row``: the number of its first row, 0 in JSON."""

    number: int | None
    cells: Sequence[str]
    row: int = 0


Rounds = list[list[PlanTable]]


class Seat(NamedTuple):
    """A seat as written. ``wind``: "" if unknown. Seats of one table have the same ``key``."""

    round: str
    table: int | None
    player: str
    wind: str = ""
    row: int = 0
    key: object = None


def gather(seats: Iterable[Seat]) -> Rounds:
    """Return the rounds by the numbers in their labels if each has its own, and their tables by number."""
    found: dict[str, dict[tuple[int | None, object], list[Seat]]] = {}
    for seat in seats:
        found.setdefault(seat.round, {}).setdefault((seat.table, seat.key), []).append(seat)
    numbers = {label: field_of(label).number for label in found}
    labels = [*found]
    if None not in numbers.values() and len({*numbers.values()}) == len(found):
        labels.sort(key=lambda label: numbers[label] or 0)
    return [
        [
            PlanTable(number, by_wind(four), four[0].row)
            for (number, _key), four in sorted(found[label].items(), key=lambda each: each[0][0] or 0)
        ]
        for label in labels
    ]


def by_wind(seats: Sequence[Seat]) -> list[str]:
    """Return players from east to north, or in the given order if no wind is known.

    Raises ``ValidationError`` for a duplicate or missing wind.
    """
    winds = {seat.wind for seat in seats}
    if winds - {""}:
        if "" in winds or len(winds) < len(seats):
            players = ", ".join(seat.player for seat in seats)
            raise ValidationError(
                _("At a table each wind needs one player: %(players)s."), params={"players": players[:200]}
            )
        seats = sorted(seats, key=lambda seat: WINDS.index(seat.wind))
    return [seat.player for seat in seats]


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
