"""One round at a time, from the games played so far: Swiss, by rank, by interval or at random.

All methods take player ids in rank order. Extra players sit out in turn, forbidden pairs stay apart, fixed
players sit at their tables if possible, players change tables, and winds go by need. Equal arguments give
equal rounds.

Swiss: fewest repeats found, then closest ranks, or more repeats for closer ranks. By rank: 1 to 4, 5 to 8, ….
Interval: with n tables 1, n+1, 2n+1 and 3n+1 meet. Random: fewest repeats found. Lots: drawn regardless of
repeats.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TypedDict, Unpack

from scoring.seating.checker import SEATS
from scoring.seating.one_round import (
    Costs,
    Groups,
    Heat,
    best_of_two,
    best_round,
    fours,
    groups_cost,
)
from scoring.seating.sitting_out import choose_sitting_out
from scoring.seating.table_numbers import TablesHad, number_tables
from scoring.seating.winds import Table, by_need

STEPS = 800_000  # less than a second

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """Games played before. Keys of `met` have the lower player first, those of `sat_at` are (player, table).

    `sat_out`: see `share_of_sitting_out`. `out_before`, `out_after`: players out in their rounds right before
    and after.
    """

    met: Mapping[Pair, int] = field(default_factory=dict)
    winds: Mapping[int, Sequence[int]] = field(default_factory=dict)
    sat_out: Mapping[int, Fraction | int] = field(default_factory=dict)
    sat_at: Mapping[Pair, int] = field(default_factory=dict)
    out_before: frozenset[int] = frozenset()
    out_after: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWishes:
    """`apart`: player → group, whose members do not meet if possible. `were_apart`: groups of earlier rounds,
    whose members meet if that saves repeats. `fixed`: player → table number. `lowest_out`: of the
    players whose turn it is the lowest-ranked sit out, instead of a draw.
    """

    apart: Sequence[Mapping[int, Hashable]] = ()
    were_apart: Sequence[Mapping[int, Hashable]] = ()
    forbidden: frozenset[Pair] = frozenset()
    wished: frozenset[Pair] = frozenset()
    fixed: Mapping[int, int] = field(default_factory=dict)
    lowest_out: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedRound:
    """A round. `unmet`: unwanted meetings, and players away from their fixed table."""

    tables: Mapping[int, Table]
    sitting_out: tuple[int, ...]
    repeats: int
    unmet: int
    seed: int


class RoundArguments(TypedDict, total=False):
    history: History
    wishes: RoundWishes
    tables: Sequence[int] | None
    seed: int
    steps: int


_NOTHING, _NO_WISHES = History(), RoundWishes()


def history_of(rounds: Iterable[Mapping[int, Sequence[int]]], players: Collection[int] = ()) -> History:
    """Return the history of rounds of numbered tables. `players` without a seat in a round sat out."""
    met: Counter[Pair] = Counter()
    winds: dict[int, list[int]] = {}
    sat_at: Counter[Pair] = Counter()
    sat_out: Counter[int] = Counter()
    last: frozenset[int] = frozenset()
    for round_ in rounds:
        last = frozenset(players) - {player for table in round_.values() for player in table}
        sat_out.update(last)
        for number, table in round_.items():
            met.update((min(pair), max(pair)) for pair in combinations(table, 2))
            sat_at.update((player, number) for player in table)
            for wind, player in enumerate(table):
                winds.setdefault(player, [0] * SEATS)[wind] += 1
    return History(met=met, winds=winds, sat_out=sat_out, sat_at=sat_at, out_before=last)


# --- the methods --------------------------------------------------------------------------------------------


def seat_swiss(
    order: Sequence[int],
    *,
    last: bool = False,
    ranks_a_repeat: int | None = None,
    **facts: Unpack[RoundArguments],
) -> SeatedRound:
    """Seat players with fewest repeats, then closest ranks: the least sum of rank differences at tables.

    Unless it is the `last` round, accept repeats that save more of them in the next one. With
    `ranks_a_repeat`, accept a repeat that brings pairs so many ranks closer. If ranks are about equal,
    players who need different winds meet.

    `order`: player ids, best first. Extra players sit out. Raises ValueError for fewer than four players, no
    table, or a duplicate player or table.
    """
    job = _Job(order, **facts)
    repeat = 3 * len(job.playing) if ranks_a_repeat is None else ranks_a_repeat
    needed = job.needed_winds()
    costs = job.costs(lambda one, other: abs(one - other) + _shared(needed[one], needed[other]), repeat)
    ahead = ranks_a_repeat is None and not last and job.repeats_are_near
    steps = job.steps if ranks_a_repeat is None else job.steps // 4
    groups = best_round(job.by_rank(), costs, Heat(30, 1), job.chance, steps * 2 // 5 if ahead else steps)
    if ahead:
        groups = job.looking_ahead(groups, costs, repeat, job.steps * 3 // 5)
    return job.seat(groups)


def seat_by_rank(order: Sequence[int], **facts: Unpack[RoundArguments]) -> SeatedRound:
    """Seat 1 to 4 together, 5 to 8, …. Wishes move players to the nearest ranks. Errors as `seat_swiss`."""
    job = _Job(order, **facts)
    costs = job.costs(lambda one, other: abs(one // SEATS - other // SEATS))
    return job.seat(best_round(job.by_rank(), costs, Heat(3, 0.2), job.chance, job.steps))


def seat_by_interval(
    order: Sequence[int], *, step: int | None = None, **facts: Unpack[RoundArguments]
) -> SeatedRound:
    """Seat 1, n+1, 2n+1 and 3n+1 of n tables together, and so on. `step`: n tables at a time, None: all."""
    job = _Job(order, **facts)
    count = len(job.playing) // SEATS
    step = min(step or count, count)
    start = [
        list(range(SEATS * first + at, SEATS * (first + wide), wide))
        for first in range(0, count, step)
        for wide in (min(step, count - first),)
        for at in range(wide)
    ]
    at = {player: number for number, four in enumerate(start) for player in four}

    def distance(one: int, other: int) -> int:
        here, there = at[one], at[other]
        return abs(here - there) + step * (here // step != there // step)

    return job.seat(best_round(start, job.costs(distance), Heat(3, 0.2), job.chance, job.steps))


def seat_at_random(
    order: Sequence[int], *, few_repeats: bool = True, **facts: Unpack[RoundArguments]
) -> SeatedRound:
    """Draw a round. `few_repeats`: among the rounds with the fewest repeats found."""
    job = _Job(order, **facts)
    costs = job.costs(lambda one, other: 0, repeat=1 if few_repeats else 0)
    return job.seat(best_round(job.draw(), costs, Heat(0.6, 0.1), job.chance, job.steps))


def report_round(
    order: Sequence[int], given: Mapping[int, Sequence[int]], **facts: Unpack[RoundArguments]
) -> SeatedRound:
    """Return a round with the given tables, at which all players sit."""
    tables = {number: (east, south, west, north) for number, (east, south, west, north) in given.items()}
    return _Job(order, **facts).report(tables)


def ranks_apart(order: Sequence[int], tables: Iterable[Sequence[int]]) -> int:
    rank = {player: at for at, player in enumerate(order)}
    return sum(abs(rank[one] - rank[other]) for four in tables for one, other in combinations(four, 2))


def _shared(one: frozenset[int], other: frozenset[int]) -> int:
    """Return the cost in ranks of shared needed winds: 2 for one, less with a choice."""
    return 2 * len(one & other) // (len(one) * len(other))


# --- how they work ------------------------------------------------------------------------------------------

_FORBIDDEN, _APART, _WISHED = 1_000, 30, 20  # times what a repeat costs


class _Job:
    def __init__(
        self,
        order: Sequence[int],
        *,
        history: History = _NOTHING,
        wishes: RoundWishes = _NO_WISHES,
        tables: Sequence[int] | None = None,
        seed: int = 0,
        steps: int | None = None,
    ) -> None:
        if len(set(order)) != len(order):
            raise ValueError("a player is named twice")
        count = len(order) // SEATS if tables is None else min(len(tables), len(order) // SEATS)
        if not count:
            raise ValueError("there must be four players and a table")
        self.history, self.wishes, self.seed, self.steps = (
            history,
            wishes,
            seed,
            STEPS if steps is None else steps,
        )
        self.numbers = list(range(1, count + 1)) if tables is None else _used_tables(tables, count, wishes)
        self.chance = random.Random(f"{seed}/round")  # noqa: S311 - a draw that can be repeated, no secret
        self.sitting_out = self._sitting_out(order, len(order) - count * SEATS)
        self.playing = [player for player in order if player not in self.sitting_out]

    def _sitting_out(self, order: Sequence[int], count: int) -> tuple[int, ...]:
        """Choose among the players whose turn it is. Players with a fixed table come last.

        With `lowest_out` the lowest-ranked sit out, except before the first game, when nobody has a rank.
        """
        drawn_order, history = list(order), self.history
        self.chance.shuffle(drawn_order)
        if self.wishes.lowest_out and history.met:
            drawn_order = list(reversed(order))
        beside = history.out_before | history.out_after
        sitting_out = choose_sitting_out(
            drawn_order, count, sat_out=history.sat_out, beside=beside, last=self.wishes.fixed
        )
        return tuple(player for player in order if player in sitting_out)

    @property
    def repeats_are_near(self) -> bool:
        """Return whether a player will have met half of the others after this round and the next."""
        playing, met = set(self.playing), Counter[int]()
        for pair in self.history.met:
            met.update(pair if playing.issuperset(pair) else ())
        return 2 * (max(met.values(), default=0) + 2 * (SEATS - 1)) >= len(self.playing)

    def needed_winds(self) -> list[frozenset[int]]:
        had = [self.history.winds.get(player, (0,) * SEATS) for player in self.playing]
        return [frozenset(wind for wind in range(SEATS) if each[wind] == min(each)) for each in had]

    def by_rank(self) -> Groups:
        return [list(range(first, first + SEATS)) for first in range(0, len(self.playing), SEATS)]

    def draw(self) -> Groups:
        line = list(range(len(self.playing)))
        self.chance.shuffle(line)
        return fours(line)

    def costs(self, distance: Callable[[int, int], int], repeat: int = 0) -> list[list[float]]:
        place = {player: at for at, player in enumerate(self.playing)}
        size = range(len(self.playing))
        costs: list[list[float]] = [
            [distance(one, other) if one != other else 0 for other in size] for one in size
        ]
        unit = max(repeat, max(map(max, costs)), 1)
        for (one, other), cost in self._extra(repeat, unit):
            if one in place and other in place:
                costs[place[one]][place[other]] += cost
                costs[place[other]][place[one]] += cost
        return costs

    def _extra(self, repeat: int, unit: float) -> Iterable[tuple[Pair, float]]:
        if repeat:
            # the third meeting is worse than the second: t more for who met t times
            yield from ((pair, repeat * times) for pair, times in self.history.met.items())
            # who were kept apart have not met, so that few repeats alone would bring them together
            yield from ((pair, repeat / 4) for pair in self._of_a_group(self.wishes.were_apart))
        yield from ((pair, unit * _APART) for pair in self._of_a_group(self.wishes.apart))
        yield from ((pair, unit * _FORBIDDEN) for pair in self.wishes.forbidden)
        yield from ((pair, -unit * _WISHED) for pair in self.wishes.wished)
        for one, other in combinations(self.wishes.fixed, 2):
            same = self.wishes.fixed[one] == self.wishes.fixed[other]
            yield (one, other), unit * (-_FORBIDDEN if same else _FORBIDDEN)

    def _of_a_group(self, apart: Sequence[Mapping[int, Hashable]]) -> Iterable[Pair]:
        for groups in apart:
            members: dict[Hashable, list[int]] = {}
            for player in self.playing:
                if groups.get(player) is not None:
                    members.setdefault(groups[player], []).append(player)
            for member in members.values():
                yield from combinations(member, 2)

    def looking_ahead(self, groups: Groups, costs: Costs, repeat: int, steps: int) -> Groups:
        after = self.costs(lambda one, other: 0, repeat)
        heat = Heat(0.6 * repeat, 0.03 * repeat)
        following = _once_more(after, groups, repeat)
        then = best_round(self.draw(), following, heat, self.chance, steps // 5)
        ahead = groups_cost(then, following)
        if ahead < repeat:
            return groups
        first, second = best_of_two(groups, (costs, after), repeat, heat, self.chance, steps * 4 // 5)
        both = groups_cost(first, after) + groups_cost(second, _once_more(after, first, repeat))
        return first if both < groups_cost(groups, after) + ahead else groups

    def seat(self, groups: Groups) -> SeatedRound:
        """Number the tables and assign winds. Equally good numbers go to the best players first."""
        people = [[self.playing[at] for at in sorted(group)] for group in groups]
        seats = by_need(people, self.history.winds, self.chance)
        ordered = [four for _, four in sorted(zip(map(min, groups), seats, strict=True))]
        had = TablesHad(self.history.sat_at)
        tables = number_tables(ordered, self.numbers, fixed=self.wishes.fixed, had=had)
        return self.report(dict(sorted(tables.items())))

    def report(self, tables: Mapping[int, Table]) -> SeatedRound:
        pairs = [tuple(sorted(pair)) for table in tables.values() for pair in combinations(table, 2)]
        met, wishes = self.history.met, self.wishes
        unwanted = {tuple(sorted(pair)) for pair in (*wishes.forbidden, *self._of_a_group(wishes.apart))}
        away = sum(wishes.fixed.get(p, number) != number for number, table in tables.items() for p in table)
        return SeatedRound(
            tables=tables,
            sitting_out=self.sitting_out,
            repeats=sum(1 for one, other in pairs if met.get((one, other)) or met.get((other, one))),
            unmet=sum(pair in unwanted for pair in pairs) + away,
            seed=self.seed,
        )


def _used_tables(tables: Sequence[int], count: int, wishes: RoundWishes) -> list[int]:
    if len(set(tables)) != len(tables):
        raise ValueError("a table is named twice")
    fixed = set(wishes.fixed.values())
    return sorted(sorted(tables, key=lambda number: (number not in fixed, number))[:count])


def _once_more(costs: Costs, groups: Groups, repeat: int) -> Costs:
    raised_costs = [list(line) for line in costs]
    for group in groups:
        for one, other in combinations(group, 2):
            raised_costs[one][other] += repeat
            raised_costs[other][one] += repeat
    return raised_costs
