"""Which table of a round gets which number: players with a fixed table sit there, all others at as many
different tables as possible.

Each table of players takes the lowest number at which its players have sat least often, those with a fixed
number first. For speed, the tables at which players have sat are bits of whole numbers, one for each time.
Where all rounds are still open, tables of a round then exchange their numbers as long as that helps.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T", bound=Sequence[int])

EXCHANGES = 2_500  # tried at most in a plan: some milliseconds


def number_tables(
    round_: Sequence[T],
    numbers: Sequence[int],
    *,
    fixed: Mapping[int, int],
    had: "TablesHad",
    first: int = 0,
) -> dict[int, T]:
    """Number → table of players, for one round. `numbers`: the tables of the room, at least as many as
    needed. Updates `had`. `first`: the table of players that chooses first, so that not always the same gets
    what is left.
    """
    free = 0
    for number in numbers[: len(round_)]:
        free |= 1 << number
    found: dict[int, T] = {}
    turned = [*round_[first % len(round_) :], *round_[: first % len(round_)]] if round_ else []
    for table in sorted(turned, key=lambda table: not any(p in fixed for p in table)) if fixed else turned:
        wanted = [fixed[player] for player in table if player in fixed and free >> fixed[player] & 1]
        number = wanted[0] if wanted else had.least(table, free)
        free &= ~(1 << number)
        found[number] = table
        had.add(table, number)
    return found


def spread(
    rounds: Sequence[list[T]], *, fixed: Mapping[int, int], before: Mapping[tuple[int, int], int]
) -> None:
    """Exchanges the numbers of two tables of a round (numbered from 1) where players then sit at more
    different tables; players with a fixed table stay.
    """
    counts = {player: [0] * (len(rounds[0]) + 1) for table in rounds[0] for player in table}
    for round_ in rounds:
        for number, table in enumerate(round_, start=1):
            for player in table:
                counts.setdefault(player, [0] * (len(round_) + 1))[number] += 1
    for (player, number), times in before.items():
        if player in counts and number < len(counts[player]):
            counts[player][number] += times
    left = EXCHANGES
    while left > 0:
        helped, tried = _exchange_once(rounds, counts, fixed, left)
        left = left - tried if helped else 0


def _exchange_once(
    rounds: Sequence[list[T]], counts: Mapping[int, list[int]], fixed: Mapping[int, int], most: int
) -> tuple[bool, int]:
    """Tries every two tables of every round once, at most `most`; returns whether any helped, how many."""
    helped, tried = False, 0
    for round_ in rounds:
        free = [n for n, table in enumerate(round_, start=1) if not any(player in fixed for player in table)]
        for one, other in combinations(free, 2):
            if tried >= most:
                return helped, tried
            tried += 1
            if _exchange(round_, one, other, counts):
                helped = True
    return helped, tried


def _exchange(round_: list[T], one: int, other: int, counts: Mapping[int, list[int]]) -> bool:
    """Exchanges two numbers if their players then repeat fewer tables in all."""
    mine, theirs = round_[one - 1], round_[other - 1]
    change = 0
    for player in mine:
        change += counts[player][other] - counts[player][one] + 1
    for player in theirs:
        change += counts[player][one] - counts[player][other] + 1
    if change >= 0:
        return False
    round_[one - 1], round_[other - 1] = theirs, mine
    for player in mine:
        counts[player][one] -= 1
        counts[player][other] += 1
    for player in theirs:
        counts[player][other] -= 1
        counts[player][one] += 1
    return True


class TablesHad:
    """How often players have sat at which table: `self._times[t][player]` has a bit for each number at which
    they sat more than t times.
    """

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
        """The lowest free number at which none of them has sat more often than necessary."""
        for level in self._times:
            taken = 0
            for player in table:
                taken |= level.get(player, 0)
            open_ = free & ~taken
            if open_:
                return (open_ & -open_).bit_length() - 1
        return (free & -free).bit_length() - 1
