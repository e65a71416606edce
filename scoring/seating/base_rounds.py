"""Whole schedules without repeats from stored base rounds (`base_rounds.json`).

A *base round* is developed: each step moves players one place along circles of `period` places, while fixed
players stay. No two players meet twice in all its rounds. `python -m tools.find_base_rounds` finds more.

Places count from 0, circle by circle, then the fixed ones.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import gcd, lcm
from pathlib import Path
from typing import Any

from scoring.seating.checker import BLOCK, SEATS
from scoring.seating.winds import Table, give_winds

_FILE = Path(__file__).with_name("base_rounds.json")

Rounds = list[list[list[int]]]
Starter = tuple[tuple[int, ...], ...]  # a base round: its tables


@dataclass(frozen=True, slots=True)
class BaseRounds:
    """Base rounds. Places below `period * circles` move, those above are fixed."""

    period: int
    circles: int
    starters: tuple[Starter, ...]

    @property
    def players(self) -> int:
        return SEATS * len(self.starters[0])

    @property
    def rounds(self) -> int:
        return self.period * len(self.starters)

    def developed(self, rounds: int) -> Rounds:
        developed_rounds: Rounds = []
        for step in range(-(-rounds // len(self.starters))):
            here = self._after(step)
            developed_rounds += [
                [[here[place] for place in table] for table in starter] for starter in self.starters
            ]
        return developed_rounds[:rounds]

    def seat(self, rounds: int, order: Sequence[int]) -> list[list[Table]]:
        """Return the first `rounds` rounds with winds, and player `order[place]` on each place.

        Rounds that are a number of steps apart have the same shape, so the winds of the first blocks are
        developed with them.
        """
        blocks = lcm(BLOCK, len(self.starters))
        first = give_winds(self.developed(min(rounds, blocks)))
        seated_rounds = []
        for number in range(rounds):
            block, position = divmod(number, blocks)
            here = self._after(block * blocks // len(self.starters))
            who = [order[place] for place in here]
            seated_rounds.append([(who[e], who[s], who[w], who[n]) for e, s, w, n in first[position]])
        return seated_rounds

    def _after(self, steps: int) -> list[int]:
        period, moving = self.period, self.period * self.circles
        moved = [c * period + (x + steps) % period for c in range(self.circles) for x in range(period)]
        return moved + list(range(moving, self.players))


def stored_base_rounds(players: int) -> tuple[BaseRounds, ...]:
    """Return the stored base rounds, fewest rounds first. 4, 8 and 12 players have a single round."""
    if players in (SEATS, 2 * SEATS, 3 * SEATS):
        tables = (tuple(range(first, first + SEATS)) for first in range(0, players, SEATS))
        return (BaseRounds(1, players, (tuple(tables),)),)
    return _all().get(players, ())


def fitting(players: int, rounds: int) -> list[BaseRounds]:
    return [base for base in stored_base_rounds(players) if base.rounds >= rounds]


def perfect_rounds(players: int) -> int:
    return max((base.rounds for base in stored_base_rounds(players)), default=0)


# Groups other than the cyclic one, by the number of their elements, in which more columns are found.
_SHAPES = {4: (2, 2), 8: (2, 2, 2), 9: (3, 3), 12: (2, 6), 16: (2, 2, 2, 2)}
_PATIENCE = 400_000  # steps, a tenth of a second


def turning_quarters(players: int, rounds: int) -> Rounds | None:
    """Return a plan without repeats in which each player sits at each table at most once, or None.

    In each round the players of a quarter move on by as many tables as their quarter says, 1 to 4. None
    unless the number of tables is at least that of rounds and has no factor 2 or 3.
    """
    size = players // SEATS
    if players % SEATS or rounds > size or gcd(size, 6) > 1:
        return None
    return [
        [[part * size + (table - (part + 1) * r) % size for part in range(SEATS)] for table in range(size)]
        for r in range(rounds)
    ]


def one_of_each_quarter(players: int, rounds: int) -> Rounds | None:
    """Return a plan without repeats whose tables have one player of each quarter, or None if none is found.

    It is a transversal design in parallel classes, developed from a difference matrix. The tables of round r
    are the sums of each element of a group of players // 4 elements and column r. None is found for as many
    rounds as a quarter has players if that is 3, 6, 10, 14, 15 or 18.
    """
    size = players // SEATS
    if players % SEATS or rounds > size:
        return None
    if turning := turning_quarters(players, rounds):
        return turning
    shape = _SHAPES.get(size, (size,))
    columns = _difference_matrix(shape, rounds)
    elements = list(product(*map(range, shape)))
    at = {element: place for place, element in enumerate(elements)}

    def sum_of(one: int, other: int) -> int:
        pairs = zip(elements[one], elements[other], shape, strict=True)
        return at[tuple((a + b) % q for a, b, q in pairs)]

    return [
        [[part * size + sum_of(element, column[part]) for part in range(SEATS)] for element in range(size)]
        for column in columns
    ] or None


def _difference_matrix(shape: Sequence[int], count: int) -> list[tuple[int, ...]]:
    """Return columns beginning with 0 of which any two rows differ by each element once, or []."""
    elements = list(product(*map(range, shape)))
    at = {element: place for place, element in enumerate(elements)}
    size = len(elements)
    less = [
        [at[tuple((a - b) % q for a, b, q in zip(one, other, shape, strict=True))] for other in elements]
        for one in elements
    ]
    used = [[False] * size for _ in range(SEATS * (SEATS - 1) // 2)]
    columns: list[tuple[int, ...]] = []
    left = _PATIENCE

    def extend(first: int) -> bool:
        nonlocal left
        if len(columns) == count:
            return True
        for x in range(first, size - count + len(columns) + 1):
            for y in range(size):
                if used[1][y] or used[3][less[y][x]]:
                    continue
                for z in range(size):
                    left -= 1
                    if left < 0:
                        return False
                    differences = (x, y, z, less[y][x], less[z][x], less[z][y])
                    if any(row[each] for row, each in zip(used, differences, strict=True)):
                        continue
                    for row, each in zip(used, differences, strict=True):
                        row[each] = True
                    columns.append((0, x, y, z))
                    if extend(x + 1):
                        return True
                    columns.pop()
                    for row, each in zip(used, differences, strict=True):
                        row[each] = False
        return False

    return columns if extend(0) else []


def stored_plan(players: int, rounds: int) -> Rounds | None:
    """Return a stored plan of exactly so many rounds, with few but unavoidable repeats."""
    plan: Rounds | None = _file()["plans"].get(f"{players}x{rounds}")
    return plan and [[list(table) for table in round_] for round_ in plan]


@cache
def _file() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return content


@cache
def _all() -> dict[int, tuple[BaseRounds, ...]]:
    return {int(players): _read(entries) for players, entries in _file()["base_rounds"].items()}


def _read(entries: Iterable[dict[str, Any]]) -> tuple[BaseRounds, ...]:
    bases = [
        BaseRounds(entry["period"], entry["circles"], tuple(_tables(each) for each in entry["starters"]))
        for entry in entries
    ]
    return tuple(sorted(bases, key=lambda base: base.rounds))


def _tables(tables: Iterable[Iterable[int]]) -> Starter:
    return tuple(tuple(table) for table in tables)
