"""One round at a time, from what was played so far: Swiss, by rank, interval or at random.

Every method takes players in rank order, best first; lets them sit out in turn where they are too many; keeps
forbidden pairs apart and fixed players at their tables as far as possible; numbers the tables so that players
change tables; and gives winds by need. The same arguments, seed and steps give the same round.

*Swiss*: as few repeated meetings as were found, and among those the closest ranks; or more repeats for closer
ranks. *By rank*: 1 to 4 at the
first table, 5 to 8 at the second, … *Interval*: with n tables 1, n+1, 2n+1 and 3n+1 at the first, …, over all
tables or so many at a time. *Random*:
as few repeated meetings as were found; *lots*: drawn, whatever was played before.

Players are any numbers. What was before is read from `History`; nothing here asks a database.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import TypedDict, Unpack

from league.seating.engine.checker import SEATS
from league.seating.engine.one_round import (
    Costs,
    Effort,
    Groups,
    Heat,
    best_of_two,
    best_round,
    fours,
    groups_cost,
)
from league.seating.engine.sitting_out import choose_sitting_out
from league.seating.engine.table_numbers import TablesHad, number_tables
from league.seating.engine.winds import Table, by_need

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What was before: how often pairs met (the lower number first), each player's winds (how often east,
    south, west, north), how often players sat out (as `share_of_sitting_out` counts), and (player, table
    number) → how often. `out_before`, `out_after`: who sits out in the round that they have right before or
    after these.
    """

    met: Mapping[Pair, int] = field(default_factory=dict)
    winds: Mapping[int, Sequence[int]] = field(default_factory=dict)
    sat_out: Mapping[int, Fraction | int] = field(default_factory=dict)
    sat_at: Mapping[Pair, int] = field(default_factory=dict)
    out_before: frozenset[int] = frozenset()
    out_after: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundWishes:
    """`apart`: player → group; two of a group do not meet if possible, whatever their ranks. `forbidden`
    pairs must not meet, `wished` ones should. `fixed`: player → the number of their table.
    """

    apart: Sequence[Mapping[int, Hashable]] = ()
    forbidden: frozenset[Pair] = frozenset()
    wished: frozenset[Pair] = frozenset()
    fixed: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedRound:
    """`tables`: number → east, south, west, north. `repeats`: meetings of pairs that met before. `unmet`:
    pairs that should not meet and do, and fixed players who are not at their table.
    """

    tables: Mapping[int, Table]
    sitting_out: tuple[int, ...]
    repeats: int
    unmet: int
    seed: int


class RoundArguments(TypedDict, total=False):
    """What every method takes besides the order. `tables`: the numbers of the tables in the room, None: as
    many as needed.
    """

    history: History
    wishes: RoundWishes
    tables: Sequence[int] | None
    seed: int
    effort: Effort


_NOTHING, _NO_WISHES = History(), RoundWishes()


def history_of(rounds: Iterable[Mapping[int, Sequence[int]]], players: Collection[int] = ()) -> History:
    """The history of rounds of numbered tables. `players`: they were there in all rounds, and sat out where
    they have no seat.
    """
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
    """As few repeated meetings as were found, then the closest ranks: the least sum of the distances of all
    pairs at a table. Unless it is the `last` round, it takes repeats that spare the next one more of them.
    With `ranks_a_repeat` a repeat is taken if it brings pairs so many ranks closer in all. Where ranks are
    about as close, players meet who need different winds.

    `order`: player ids, best first; for the `facts` see `RoundArguments`. More players than seats sit out.
    Raises ValueError for less than four players, no table, or a player or table named twice.
    """
    job = _Job(order, **facts)
    repeat = 3 * len(job.playing) if ranks_a_repeat is None else ranks_a_repeat
    needed = job.needed_winds()
    costs = job.costs(lambda one, other: abs(one - other) + _shared(needed[one], needed[other]), repeat)
    ahead = ranks_a_repeat is None and not last and job.repeats_are_near
    alone = job.effort.part(0, 0.4) if ahead else job.effort
    groups = best_round(job.by_rank(), costs, Heat(30, 1), job.chance, alone)
    if ahead:
        groups = job.looking_ahead(groups, costs, repeat, job.effort.part(0.4, 1))
    return job.seat(groups)


def seat_by_rank(order: Sequence[int], **facts: Unpack[RoundArguments]) -> SeatedRound:
    """1 to 4 together, 5 to 8, …; wishes move players to the nearest ranks. As `seat_swiss`."""
    job = _Job(order, **facts)
    costs = job.costs(lambda one, other: abs(one // SEATS - other // SEATS))
    return job.seat(best_round(job.by_rank(), costs, Heat(3, 0.2), job.chance, job.effort))


def seat_by_interval(
    order: Sequence[int], *, step: int | None = None, **facts: Unpack[RoundArguments]
) -> SeatedRound:
    """With n tables 1, n+1, 2n+1 and 3n+1 together, 2, n+2, …; else as `seat_by_rank`. `step`: n tables at a
    time, from the best players on, fewer at the end; None: all.
    """
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
        """In tables; as many more as are seated at a time for players of two of these groups."""
        here, there = at[one], at[other]
        return abs(here - there) + step * (here // step != there // step)

    return job.seat(best_round(start, job.costs(distance), Heat(3, 0.2), job.chance, job.effort))


def seat_at_random(
    order: Sequence[int], *, few_repeats: bool = True, **facts: Unpack[RoundArguments]
) -> SeatedRound:
    """Drawn; with `few_repeats` drawn among the rounds with the fewest repeated meetings that were found."""
    job = _Job(order, **facts)
    costs = job.costs(lambda one, other: 0, repeat=1 if few_repeats else 0)
    return job.seat(best_round(job.draw(), costs, Heat(0.6, 0.1), job.chance, job.effort))


def ranks_apart(order: Sequence[int], tables: Iterable[Sequence[int]]) -> int:
    """The sum of the distances in rank of all pairs at a table."""
    rank = {player: at for at, player in enumerate(order)}
    return sum(abs(rank[one] - rank[other]) for four in tables for one, other in combinations(four, 2))


def _shared(one: frozenset[int], other: frozenset[int]) -> int:
    """What it costs in ranks that two players meet who both need these winds: two for one wind that both
    need, less where they have a choice.
    """
    return 2 * len(one & other) // (len(one) * len(other))


# --- how they work ------------------------------------------------------------------------------------------

_FORBIDDEN, _APART, _WISHED = 1_000, 30, 20  # times what a repeat costs


class _Job:
    """One round that is being seated. Inside, players are 0, 1, … in the order of those who play."""

    def __init__(
        self,
        order: Sequence[int],
        *,
        history: History = _NOTHING,
        wishes: RoundWishes = _NO_WISHES,
        tables: Sequence[int] | None = None,
        seed: int = 0,
        effort: Effort | None = None,
    ) -> None:
        if len(set(order)) != len(order):
            raise ValueError("a player is named twice")
        count = len(order) // SEATS if tables is None else min(len(tables), len(order) // SEATS)
        if not count:
            raise ValueError("there must be four players and a table")
        self.history, self.wishes, self.seed, self.effort = history, wishes, seed, effort or Effort()
        self.numbers = list(range(1, count + 1)) if tables is None else _used(tables, count, wishes)
        self.chance = random.Random(f"{seed}/round")  # noqa: S311 - a draw that can be repeated, no secret
        self.sitting_out = self._sitting_out(order, len(order) - count * SEATS)
        self.playing = [player for player in order if player not in self.sitting_out]

    def _sitting_out(self, order: Sequence[int], count: int) -> tuple[int, ...]:
        """Who of those whose turn it is is drawn, but players with a fixed table come last."""
        drawn, history = list(order), self.history
        self.chance.shuffle(drawn)
        beside = history.out_before | history.out_after
        chosen = choose_sitting_out(
            drawn, count, sat_out=history.sat_out, beside=beside, last=self.wishes.fixed
        )
        return tuple(player for player in order if player in chosen)

    @property
    def repeats_are_near(self) -> bool:
        """Whether a player will have met half of the others after this round and the next one."""
        playing, met = set(self.playing), Counter[int]()
        for pair in self.history.met:
            met.update(pair if playing.issuperset(pair) else ())
        return 2 * (max(met.values(), default=0) + 2 * (SEATS - 1)) >= len(self.playing)

    def needed_winds(self) -> list[frozenset[int]]:
        """Of each who plays, the winds that they had least often."""
        had = [self.history.winds.get(player, (0,) * SEATS) for player in self.playing]
        return [frozenset(wind for wind in range(SEATS) if each[wind] == min(each)) for each in had]

    def by_rank(self) -> Groups:
        return [list(range(first, first + SEATS)) for first in range(0, len(self.playing), SEATS)]

    def draw(self) -> Groups:
        line = list(range(len(self.playing)))
        self.chance.shuffle(line)
        return fours(line)

    def costs(self, distance: Callable[[int, int], int], repeat: int = 0) -> list[list[int]]:
        """What it costs that two meet: their distance, `repeat` for each time they met, and wishes."""
        place = {player: at for at, player in enumerate(self.playing)}
        size = range(len(self.playing))
        costs = [[distance(one, other) if one != other else 0 for other in size] for one in size]
        unit = max(repeat, max(map(max, costs)), 1)
        for (one, other), cost in self._extra(repeat, unit):
            if one in place and other in place:
                costs[place[one]][place[other]] += cost
                costs[place[other]][place[one]] += cost
        return costs

    def _extra(self, repeat: int, unit: int) -> Iterable[tuple[Pair, int]]:
        if repeat:
            # the third meeting is worse than the second: t more for who met t times
            yield from ((pair, repeat * times) for pair, times in self.history.met.items())
        yield from ((pair, unit * _APART) for pair in self._of_a_group())
        yield from ((pair, unit * _FORBIDDEN) for pair in self.wishes.forbidden)
        yield from ((pair, -unit * _WISHED) for pair in self.wishes.wished)
        for one, other in combinations(self.wishes.fixed, 2):
            same = self.wishes.fixed[one] == self.wishes.fixed[other]
            yield (one, other), unit * (-_FORBIDDEN if same else _FORBIDDEN)

    def _of_a_group(self) -> Iterable[Pair]:
        for groups in self.wishes.apart:
            members: dict[Hashable, list[int]] = {}
            for player in self.playing:
                if groups.get(player) is not None:
                    members.setdefault(groups[player], []).append(player)
            for each in members.values():
                yield from combinations(each, 2)

    def looking_ahead(self, groups: Groups, costs: Costs, repeat: int, effort: Effort) -> Groups:
        """These tables, or others if they and the round after them together have fewer repeats: what can be
        put off may never come.
        """
        after = self.costs(lambda one, other: 0, repeat)
        heat = Heat(0.6 * repeat, 0.03 * repeat)
        following = _once_more(after, groups, repeat)
        then = best_round(self.draw(), following, heat, self.chance, effort.part(0, 0.2))
        ahead = groups_cost(then, following)
        if ahead < repeat:
            return groups
        first, second = best_of_two(groups, (costs, after), repeat, heat, self.chance, effort.part(0.2, 1))
        both = groups_cost(first, after) + groups_cost(second, _once_more(after, first, repeat))
        return first if both < groups_cost(groups, after) + ahead else groups

    def seat(self, groups: Groups) -> SeatedRound:
        """The round with these tables: equally good numbers go to those with the best players first."""
        people = [[self.playing[at] for at in sorted(group)] for group in groups]
        seats = by_need(people, self.history.winds, self.chance)
        ordered = [four for _, four in sorted(zip(map(min, groups), seats, strict=True))]
        had = TablesHad(self.history.sat_at)
        tables = number_tables(ordered, self.numbers, fixed=self.wishes.fixed, had=had)
        return self._report(dict(sorted(tables.items())))

    def _report(self, tables: Mapping[int, Table]) -> SeatedRound:
        pairs = [tuple(sorted(pair)) for table in tables.values() for pair in combinations(table, 2)]
        met, wishes = self.history.met, self.wishes
        unwanted = {tuple(sorted(pair)) for pair in (*wishes.forbidden, *self._of_a_group())}
        away = sum(wishes.fixed.get(p, number) != number for number, table in tables.items() for p in table)
        return SeatedRound(
            tables=tables,
            sitting_out=self.sitting_out,
            repeats=sum(1 for one, other in pairs if met.get((one, other)) or met.get((other, one))),
            unmet=sum(pair in unwanted for pair in pairs) + away,
            seed=self.seed,
        )


def _used(tables: Sequence[int], count: int, wishes: RoundWishes) -> list[int]:
    """The tables that are used: those with a fixed player, then the first."""
    if len(set(tables)) != len(tables):
        raise ValueError("a table is named twice")
    fixed = set(wishes.fixed.values())
    return sorted(sorted(tables, key=lambda number: (number not in fixed, number))[:count])


def _once_more(costs: Costs, groups: Groups, repeat: int) -> Costs:
    """The costs after these tables have met too."""
    found = [list(line) for line in costs]
    for group in groups:
        for one, other in combinations(group, 2):
            found[one][other] += repeat
            found[other][one] += repeat
    return found
