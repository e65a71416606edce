"""A search for the cheapest tables of one round, or of two rounds in a row.

A round costs the sum of a cost matrix over all pairs at its tables. Simulated annealing: two players of
different tables swap places. Players are 0 to n−1, n a multiple of four.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.seating.checker import SEATS

LEG = 5_000  # steps at one heat

Costs = Sequence[Sequence[float]]  # player × player, the same both ways
Groups = list[list[int]]


@dataclass(frozen=True, slots=True)
class Heat:
    """A round worse by the heat, from `hot` to `cold`, is accepted with probability 1/e."""

    hot: float
    cold: float

    def at(self, share: float) -> float:
        return self.hot * math.pow(self.cold / self.hot, share)


def fours(line: Sequence[int]) -> Groups:
    return [list(line[first : first + SEATS]) for first in range(0, len(line), SEATS)]


def groups_cost(groups: Groups, costs: Costs) -> float:
    return sum(costs[one][other] for group in groups for one, other in combinations(group, 2))


def best_round(start: Groups, costs: Costs, heat: Heat, chance: random.Random, steps: int) -> Groups:
    line = [player for group in start for player in group]
    cost = best = groups_cost(start, costs)
    least, best_line, taken = _least(costs), line[:], 0
    while taken < steps and best > least and len(start) > 1:
        span = min(LEG, steps - taken)
        cost, best, best_line = _steps(
            line, costs, chance, span, heat.at(taken / steps), cost, best, best_line
        )
        taken += span
    return fours(best_line)


def _least(costs: Costs) -> float:
    lines = ([cost for other, cost in enumerate(line) if other != one] for one, line in enumerate(costs))
    return sum(sum(sorted(line)[: SEATS - 1]) for line in lines) / 2


def _steps(
    line: list[int],
    costs: Costs,
    chance: random.Random,
    steps: int,
    heat: float,
    cost: float,
    best: float,
    best_line: list[int],
) -> tuple[float, float, list[int]]:
    """Take so many steps at one heat. One long function because the search spends its time here."""
    draw, power, size = chance.random, math.exp, len(line)
    for _ in range(steps):
        here, there = int(draw() * size), int(draw() * size)
        first, second = here & ~3, there & ~3
        if first == second:
            continue
        one, other = line[here], line[there]
        of_one, of_other = costs[one], costs[other]
        a, b, c, d = line[first : first + 4]
        e, f, g, h = line[second : second + 4]
        change = (
            of_other[a] + of_other[b] + of_other[c] + of_other[d]
            - of_one[a] - of_one[b] - of_one[c] - of_one[d]
            + of_one[e] + of_one[f] + of_one[g] + of_one[h]
            - of_other[e] - of_other[f] - of_other[g] - of_other[h]
            - 2 * of_one[other]
        )  # fmt: skip
        if change <= 0 or draw() < power(-change / heat):
            line[here], line[there] = other, one
            cost += change
            if cost < best:
                best, best_line = cost, line[:]
    return cost, best, best_line


def best_of_two(
    start: Groups,
    costs: tuple[Costs, Costs],
    shared: int,
    heat: Heat,
    chance: random.Random,
    steps: int,
) -> tuple[Groups, Groups]:
    """Return the cheapest two rounds found. A pair that meets in both costs `shared` more."""
    first = [player for group in start for player in group]
    second = first[:]
    lines = (first, second)
    chance.shuffle(second)
    at = tuple(_tables(line) for line in lines)
    table_of, _table_of_second = at
    cost = sum(groups_cost(fours(line), matrix) for line, matrix in zip(lines, costs, strict=True))
    cost += shared * sum(
        table_of[a] == table_of[b] for group in fours(second) for a, b in combinations(group, 2)
    )
    best, best_lines, taken = cost, (first[:], second[:]), 0
    while taken < steps:
        span, now = min(LEG, steps - taken), heat.at(taken / steps)
        cost, best, best_lines = _steps_of_two(
            lines, at, costs, shared, chance, span, now, cost, best, best_lines
        )
        taken += span
    best_first, best_second = best_lines
    return fours(best_first), fours(best_second)


def _tables(line: Sequence[int]) -> list[int]:
    table_of = [0] * len(line)
    for place, player in enumerate(line):
        table_of[player] = place // SEATS
    return table_of


_Two = tuple[list[int], list[int]]


def _steps_of_two(
    lines: _Two,
    at: tuple[list[int], ...],
    costs: tuple[Costs, Costs],
    shared: int,
    chance: random.Random,
    steps: int,
    heat: float,
    cost: float,
    best: float,
    best_lines: _Two,
) -> tuple[float, float, _Two]:
    one_line, other_line = lines
    draw, power, size = chance.random, math.exp, len(one_line)
    for _ in range(steps):
        which = draw() < 0.5
        line, matrix, tables, others = lines[which], costs[which], at[which], at[not which]
        here, there = int(draw() * size), int(draw() * size)
        first, second = here & ~3, there & ~3
        if first == second:
            continue
        one, other = line[here], line[there]
        of_one, of_other, with_one, with_other = matrix[one], matrix[other], others[one], others[other]
        change: float = -2 * of_one[other]
        again = -2 * (with_one == with_other)
        for player in line[first : first + 4]:
            change += of_other[player] - of_one[player]
            table = others[player]
            again += (table == with_other) - (table == with_one)
        for player in line[second : second + 4]:
            change += of_one[player] - of_other[player]
            table = others[player]
            again += (table == with_one) - (table == with_other)
        # each of the two was counted as meeting itself: once too few here, once too often there
        change += shared * (again + 2)
        if change <= 0 or draw() < power(-change / heat):
            line[here], line[there] = other, one
            tables[one], tables[other] = second >> 2, first >> 2
            cost += change
            if cost < best:
                best, best_lines = cost, (one_line[:], other_line[:])
    return cost, best, best_lines
