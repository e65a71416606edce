"""Wishes for a seating besides few repeats, and the cost of an unmet wish.

A seating has one cost. A pair that meets t times costs t·(t−1)/2: 0, 1, 3, …. An unmet wish costs as many
repeats as the constants below, so that a search can weigh both. Players are 0 to n−1.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from scoring.seating.checker import SEATS, least_shared_meetings

FORBIDDEN = 1_000  # a meeting that must not be; two at one table who belong to different fixed tables
APART = 12  # a meeting of two of a group
AFTERWARDS = 1 / 16  # … after the rounds in which they are kept apart
WISHED = 8  # a meeting that never happens
UNEVEN = 200  # sitting out the t-th time costs t−1 times this
IN_A_ROW = 100  # sitting out in two rounds in a row

Pair = tuple[int, int]
Costs = list[list[float]]  # player × player, the same both ways


@dataclass(frozen=True, slots=True)
class Apart:
    groups: Sequence[Hashable | None]
    rounds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """The organizer's wishes and what was before this plan. Pairs are in either order.

    `fixed`: player → table number from 1. `sat_at`: (player, table number) → times before. `out_before`,
    `out_after`: players who sit out in the round right before the plan, and right after it.
    """

    apart: tuple[Apart, ...] = ()
    forbidden: frozenset[Pair] = frozenset()
    wished: frozenset[Pair] = frozenset()
    fixed: Mapping[int, int] = field(default_factory=dict)
    met: Mapping[Pair, int] = field(default_factory=dict)
    sat_out: Mapping[int, int] = field(default_factory=dict)
    sat_at: Mapping[Pair, int] = field(default_factory=dict)
    out_before: frozenset[int] = frozenset()
    out_after: frozenset[int] = frozenset()

    @property
    def of_meetings(self) -> bool:
        return bool(self.apart or self.forbidden or self.wished or self.fixed or self.met)


class WishesError(ValueError):
    pass


def check_wishes(wishes: Wishes, players: int) -> None:
    pairs = (*wishes.forbidden, *wishes.wished, *wishes.met)
    named = [*wishes.fixed, *wishes.sat_out, *(player for pair in pairs for player in pair)]
    if any(not 0 <= player < players for player in named):
        raise WishesError("a wish names a player that there is not")
    if any(one == other for one, other in pairs):
        raise WishesError("a pair needs two players")
    if any(len(apart.groups) != players for apart in wishes.apart):
        raise WishesError("each player has a group, or None")
    if any(not 1 <= table <= players // SEATS for table in wishes.fixed.values()):
        raise WishesError("a fixed table that there is not")
    if any(times > SEATS for times in Counter(wishes.fixed.values()).values()):
        raise WishesError("more than four players are fixed at one table")
    if both_ways(wishes.forbidden) & both_ways(wishes.wished):
        raise WishesError("a pair is both forbidden and wished for")


def both_ways(pairs: Iterable[Pair]) -> set[Pair]:
    return {pair for one, other in pairs for pair in ((one, other), (other, one))}


def extra_costs(
    players: int, rounds: int, wishes: Wishes, afterwards: float = AFTERWARDS
) -> list[Costs | None]:
    """Return each round's cost of a meeting besides repeats, or None if no meeting costs extra.

    Rounds under the same wishes share one matrix. Two players with the same fixed table save `FORBIDDEN` by
    meeting.
    """
    shared: dict[tuple[bool, ...], Costs | None] = {}
    costs_by_round = []
    for number in range(rounds):
        counts = tuple(apart.rounds is None or number < apart.rounds for apart in wishes.apart)
        if counts not in shared:
            costs = [APART if on else afterwards for on in counts]
            shared[counts] = _matrix(players, wishes, costs)
        costs_by_round.append(shared[counts])
    return costs_by_round


def _matrix(players: int, wishes: Wishes, apart: Iterable[float]) -> Costs | None:
    costs: Costs = [[0] * players for _ in range(players)]

    def add(one: int, other: int, cost: float) -> None:
        costs[one][other] += cost
        costs[other][one] += cost

    for each, cost in zip(wishes.apart, apart, strict=True):
        for one, other in _together(each.groups):
            add(one, other, cost)
    for one, other in {(min(pair), max(pair)) for pair in wishes.forbidden}:
        add(one, other, FORBIDDEN)
    for one, other in combinations(wishes.fixed, 2):
        add(one, other, -FORBIDDEN if wishes.fixed[one] == wishes.fixed[other] else FORBIDDEN)
    return costs if any(any(line) for line in costs) else None


def _together(groups: Sequence[Hashable | None]) -> Iterable[Pair]:
    members: dict[Hashable, list[int]] = {}
    for player, group in enumerate(groups):
        if group is not None:
            members.setdefault(group, []).append(player)
    return (pair for group in members.values() for pair in combinations(group, 2))


def least_cost(players: int, rounds: int, wishes: Wishes) -> int:
    tables = players // SEATS
    same_table = Counter(wishes.fixed.values()).values()
    always = sum(n * (n - 1) // 2 for n in same_table)  # pairs that meet in every round
    before = Counter() if always else Counter(wishes.met.values())
    before[0] += players * (players - 1) // 2 - always - before.total()
    repeats = _poured(before, (6 * tables - always) * rounds) + always * rounds * (rounds - 1) // 2
    shared = 0 if players % SEATS else least_shared_meetings(tables)
    repeats = max(repeats, shared * rounds * (rounds - 1) // 2)
    out = Counter(wishes.sat_out.get(player, 0) for player in range(players))
    sitting = _poured(out, players % SEATS * rounds)
    return repeats + UNEVEN * sitting - FORBIDDEN * rounds * always


def _poured(levels: Counter[int], amount: int) -> int:
    """Return the least sum of t·(t−1)/2 after spreading `amount` more over these levels."""
    cost = sum(times * level * (level - 1) // 2 for level, times in levels.items())
    level, wide = min(levels), 0
    while amount > 0:
        wide += levels[level]
        taken = min(wide, amount)
        cost += taken * level
        amount -= taken
        level += 1
    return cost
