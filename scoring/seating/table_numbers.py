"""Table numbers of a round: players with a fixed table sit there, all others at as many tables as possible.

Each table takes the lowest number at which its players sat least often. For speed, the tables at which
players sat are bits of integers, one per repetition. In a plan, tables of a round then swap numbers while
that helps.
"""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Sequence[int])

COMPARED = 50_000  # numbers in a plan at most: some 40 milliseconds …
PATIENCE = 25_000  # … and without a gain
HEAT = 0.5


def number_tables(
    round_: Sequence[T],
    numbers: Sequence[int],
    *,
    fixed: Mapping[int, int],
    had: "TablesHad",
    first: int = 0,
) -> dict[int, T]:
    """Return number → table of one round, and update `had`. `first`: the table that chooses first."""
    free = 0
    for number in numbers[: len(round_)]:
        free |= 1 << number
    table_by_number: dict[int, T] = {}
    turned = [*round_[first % len(round_) :], *round_[: first % len(round_)]] if round_ else []
    for table in sorted(turned, key=lambda table: not any(p in fixed for p in table)) if fixed else turned:
        wanted = [fixed[player] for player in table if player in fixed and free >> fixed[player] & 1]
        number = wanted[0] if wanted else had.least(table, free)
        free &= ~(1 << number)
        table_by_number[number] = table
        had.add(table, number)
    return table_by_number


def spread(
    rounds: Sequence[list[T]], *, fixed: Mapping[int, int], before: Mapping[tuple[int, int], int]
) -> None:
    """Swap table numbers within rounds so that players sit at more tables. Fixed players stay.

    A player who sits at a table t times costs t·(t−1)/2. Tables at which a player sits too often get the
    cheapest number in turn, with a little heat. The same rounds give the same numbers.
    """
    counts = _counts(rounds, before)
    chance = random.Random(len(rounds))  # noqa: S311 - a search that can be repeated
    free = [[at for at, table in enumerate(r) if not any(p in fixed for p in table)] for r in rounds]
    cost = best = 0
    best_rounds = [list(round_) for round_ in rounds]
    waiting: list[tuple[int, int]] = []
    left, end = COMPARED, COMPARED - PATIENCE
    while left > max(end, 0):
        if not waiting:
            waiting = _in_excess(rounds, free, counts, chance)
            left -= sum(map(len, free)) // 2  # takes as long
        if not waiting:
            break
        number, one = waiting.pop()
        left -= len(free[number])
        change, other = _best_exchange(rounds[number], free[number], one, counts, chance)
        if change > 0 and chance.random() >= math.exp(-change / HEAT):
            continue
        _exchange(rounds[number], one, other, counts)
        cost += change
        if cost < best:
            best, best_rounds, end = cost, [list(round_) for round_ in rounds], left - PATIENCE
    for round_, good in zip(rounds, best_rounds, strict=True):
        round_[:] = good


def _counts(rounds: Sequence[list[T]], before: Mapping[tuple[int, int], int]) -> dict[int, list[int]]:
    most = max(map(len, rounds))
    counts = {player: [0] * most for round_ in rounds for table in round_ for player in table}
    for round_ in rounds:
        for at, table in enumerate(round_):
            for player in table:
                counts[player][at] += 1
    for (player, number), times in before.items():
        if player in counts and 1 <= number <= most:
            counts[player][number - 1] += times
    return counts


def _in_excess(
    rounds: Sequence[list[T]],
    free: Sequence[Sequence[int]],
    counts: Mapping[int, Sequence[int]],
    chance: random.Random,
) -> list[tuple[int, int]]:
    need = {
        player: least
        for player, times in counts.items()
        if max(times) > (least := -(-sum(times) // len(times)))
    }
    over, places_in_excess = need.keys(), []
    for number, (round_, places) in enumerate(zip(rounds, free, strict=True)):
        if len(places) > 1:
            near = [at for at in places if not over.isdisjoint(round_[at])]  # few
            places_in_excess += [
                (number, at) for at in near if any(p in over and counts[p][at] > need[p] for p in round_[at])
            ]
    chance.shuffle(places_in_excess)
    return places_in_excess


def _best_exchange(
    round_: Sequence[T],
    places: Sequence[int],
    one: int,
    counts: Mapping[int, Sequence[int]],
    chance: random.Random,
) -> tuple[int, int]:
    rows = [counts[player] for player in round_[one]]
    here, draw, log = sum(row[one] for row in rows), chance.random, math.log
    least, best = math.inf, (0, one)
    for other in places:
        if other == one:
            continue
        change = len(rows) + len(round_[other]) - here
        for row in rows:
            change += row[other]
        for player in round_[other]:
            row = counts[player]
            change += row[one] - row[other]
        noisy = change - HEAT * log(1 - draw())
        if noisy < least:
            least, best = noisy, (change, other)
    return best


def _exchange(round_: list[T], one: int, other: int, counts: Mapping[int, list[int]]) -> None:
    mine, theirs = round_[one], round_[other]
    round_[one], round_[other] = theirs, mine
    for table, old, new in ((mine, one, other), (theirs, other, one)):
        for player in table:
            counts[player][old] -= 1
            counts[player][new] += 1


class TablesHad:
    """Tables at which players sat: `_times[t][player]` has a bit for each number used more than t times."""

    def __init__(self, before: Mapping[tuple[int, int], int] | None = None) -> None:
        self._times: list[dict[int, int]] = [{}]
        for (player, number), times in (before or {}).items():
            for _ in range(times):
                self.add((player,), number)

    def add(self, table: Iterable[int], number: int) -> None:
        bit = 1 << number
        for player in table:
            for level in self._times:
                if not level.get(player, 0) & bit:
                    level[player] = level.get(player, 0) | bit
                    break
            else:
                self._times.append({player: bit})

    def least(self, table: Sequence[int], free: int) -> int:
        for level in self._times:
            taken = 0
            for player in table:
                taken |= level.get(player, 0)
            open_ = free & ~taken
            if open_:
                return (open_ & -open_).bit_length() - 1
        return (free & -free).bit_length() - 1
