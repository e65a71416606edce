"""What an organizer wants of a seating besides few repeats, and what an unmet wish costs.

One sum judges a seating. A pair that meets t times costs t·(t−1)/2: nothing for the first meeting, one for
the second, two more for the third. An unmet wish costs as many repeats as the constants below say, so that a
search weighs one against the other. Players are 0 to n−1.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from league.seating.engine.checker import SEATS, least_shared_meetings

FORBIDDEN = 1_000  # a meeting that must not be; two at one table who belong to different fixed tables
APART = 12  # a meeting of two of a group
WISHED = 8  # a meeting that never happens
UNEVEN = 200  # sitting out the t-th time costs t−1 times this
IN_A_ROW = 100  # sitting out in two rounds in a row

Pair = tuple[int, int]
Costs = list[list[int]]  # player × player, the same both ways


@dataclass(frozen=True, slots=True)
class Apart:
    """Members of a group (a club, a country) stay apart: in the first `rounds` rounds, None: in all.
    `groups`: the group of each player, None for none.
    """

    groups: Sequence[Hashable | None]
    rounds: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the organizer wants, and what was before this plan.

    `forbidden`: pairs that must not meet; `wished`: pairs that should meet at least once. `fixed`: the table
    number (from 1) at which a player always sits. `met`: how often pairs met before; `sat_out`: how often
    players sat out before; `sat_at`: (player, table number) → how often before. `out_before`, `out_after`:
    who sits out in the round right before the plan, and in the one after it. Pairs go either way.
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
        """Whether more matters of the meetings than that none is repeated."""
        return bool(self.apart or self.forbidden or self.wished or self.fixed or self.met)


class WishesError(ValueError):
    """Wishes that no plan can meet, or about players who do not exist."""


def check_wishes(wishes: Wishes, players: int) -> None:
    """Raises `WishesError` for players or tables that do not exist, more than four fixed at one table, and a
    pair that is both forbidden and wished for.
    """
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


def extra_costs(players: int, rounds: int, wishes: Wishes) -> list[Costs | None]:
    """What a meeting costs in each round besides being a repeat; None where no meeting does. Rounds under the
    same wishes share one matrix. Two players who are fixed at one table save `FORBIDDEN` by meeting.
    """
    shared: dict[tuple[bool, ...], Costs | None] = {}
    found = []
    for number in range(rounds):
        counts = tuple(apart.rounds is None or number < apart.rounds for apart in wishes.apart)
        if counts not in shared:
            shared[counts] = _matrix(
                players, wishes, [a for a, on in zip(wishes.apart, counts, strict=True) if on]
            )
        found.append(shared[counts])
    return found


def _matrix(players: int, wishes: Wishes, apart: Iterable[Apart]) -> Costs | None:
    costs = [[0] * players for _ in range(players)]

    def add(one: int, other: int, cost: int) -> None:
        costs[one][other] += cost
        costs[other][one] += cost

    for each in apart:
        for one, other in _together(each.groups):
            add(one, other, APART)
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
    """A lower bound: no plan costs less."""
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
    """The least sum of t·(t−1)/2 when `amount` more are spread over these levels."""
    cost = sum(times * level * (level - 1) // 2 for level, times in levels.items())
    level, wide = min(levels), 0
    while amount > 0:
        wide += levels[level]
        taken = min(wide, amount)
        cost += taken * level
        amount -= taken
        level += 1
    return cost
