"""Winds for a plan with known tables: as even as possible, and each wind once in every four rounds.

Tables and players are the points of a graph with a line per seat. Each player's games are cut into blocks of
four. Two splits along closed trails halve each point's lines. This leaves the four winds, with one line per
table and at most one per block. After games that were played, players then exchange winds along chains of
tables.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from typing import TypeVar

from scoring.seating.checker import BLOCK, SEATS

P = TypeVar("P", bound=Hashable)
Table = tuple[int, int, int, int]
Groups = Sequence[Sequence[Sequence[int]]]  # rounds of tables of four players, in any order

_Edge = tuple[int, int]  # the two points that a line joins
_NONE: Mapping[int, Sequence[int]] = {}
_KICKS = 50  # of a few milliseconds each


def give_winds(rounds: Groups, had: Mapping[int, Sequence[int]] = _NONE) -> list[list[Table]]:
    """Return the same tables with their players in the order east, south, west, north.

    `had`: each player's counts of winds before these rounds, east to north.
    """
    placed = _in_blocks(rounds, {player: sum(counts) for player, counts in had.items()})
    if any(max(counts) > min(counts) for counts in had.values()):
        _Chains([table for round_ in placed for table in round_], had).settle()
    return [[_table(table) for table in round_] for round_ in placed]


def _in_blocks(rounds: Groups, games: Mapping[int, int]) -> list[list[list[int]]]:
    edges, seats = _edges(rounds, games)
    colours = _four_colours(edges)
    placed = [[[-1] * SEATS for _ in round_] for round_ in rounds]
    for (number, place, player), colour in zip(seats, colours, strict=True):
        placed[number][place][colour] = player
    return placed


def _table(players: Sequence[int]) -> Table:
    east, south, west, north = players
    return east, south, west, north


def _edges(rounds: Groups, before: Mapping[int, int]) -> tuple[list[_Edge], list[tuple[int, int, int]]]:
    points: dict[object, int] = {}
    edges: list[_Edge] = []
    seats: list[tuple[int, int, int]] = []
    games = Counter(before)

    def point(name: object) -> int:
        return points.setdefault(name, len(points))

    for number, round_ in enumerate(rounds):
        for place, table in enumerate(round_):
            here = point(("table", number, place))
            for player in table:
                block = point(("player", player, games[player] // BLOCK))
                games[player] += 1
                edges.append((here, block))
                seats.append((number, place, player))
    return edges, seats


def _four_colours(edges: Sequence[_Edge]) -> list[int]:
    colours = [0] * len(edges)
    first, second = _halves(edges, range(len(edges)))
    for base, half in ((0, first), (2, second)):
        one, other = _halves(edges, half)
        for index in one:
            colours[index] = base
        for index in other:
            colours[index] = base + 1
    return colours


def _halves(edges: Sequence[_Edge], chosen_lines: Sequence[int]) -> tuple[list[int], list[int]]:
    """Split the chosen lines in two, so that each point's lines divide evenly up to an odd one.

    Points with an odd number of lines get one to an extra point on the other side, and these two are joined
    if needed. Then every part has a closed trail, of even length because each line joins the two sides.
    """
    ends = _close_trails(edges, chosen_lines)
    at: dict[int, list[int]] = defaultdict(list)
    for index, (one, other) in enumerate(ends):
        at[one].append(index)
        at[other].append(index)
    used = [False] * len(ends)
    halves: tuple[list[int], list[int]] = ([], [])
    for start, (point, _other) in enumerate(ends):
        if not used[start]:
            _walk(ends, at, used, point, chosen_lines, halves)
    return halves


def _close_trails(edges: Sequence[_Edge], chosen_lines: Sequence[int]) -> list[_Edge]:
    ends = [edges[index] for index in chosen_lines]
    degrees: dict[int, int] = defaultdict(int)
    tables, blocks = set(), set()
    for table, block in ends:
        degrees[table] += 1
        degrees[block] += 1
        tables.add(table)
        blocks.add(block)
    odd_tables = [point for point in tables if degrees[point] % 2]
    odd_blocks = [point for point in blocks if degrees[point] % 2]
    no_table, no_block = -1, -2
    ends += [(table, no_block) for table in odd_tables]
    ends += [(no_table, block) for block in odd_blocks]
    if len(odd_tables) % 2:
        ends.append((no_table, no_block))
    return ends


def _walk(
    ends: Sequence[_Edge],
    at: dict[int, list[int]],
    used: list[bool],
    start: int,
    chosen_lines: Sequence[int],
    halves: tuple[list[int], list[int]],
) -> None:
    """Follow a closed trail through all lines connected with `start`, and take its lines alternately."""
    trail: list[int] = []
    stack: list[tuple[int, int]] = [(start, -1)]
    while stack:
        here, came_by = stack[-1]
        lines = at[here]
        while lines and used[lines[-1]]:
            lines.pop()
        if not lines:
            stack.pop()
            if came_by >= 0:
                trail.append(came_by)
            continue
        line = lines.pop()
        used[line] = True
        one, other = ends[line]
        stack.append((other if one == here else one, line))
    for position, line in enumerate(trail):
        if line < len(chosen_lines):
            halves[position % 2].append(chosen_lines[line])


class _Chains:
    """Tables whose players exchange winds until the sum of squared counts falls no further.

    A chain ends with a player short of the wind that its first player has too often. Each player between gets
    one wind at a table and gives it at the next.
    """

    def __init__(self, tables: Sequence[list[int]], had: Mapping[int, Sequence[int]]) -> None:
        self.tables = tables
        games = Counter(player for table in tables for player in table)
        before = {player: had.get(player, (0,) * SEATS) for player in games}
        self.counts = {player: list(counts) for player, counts in before.items()}
        for table in tables:
            self._add(table, 1)
        self.least = sum(_evenest(before[player], times) for player, times in games.items())

    def settle(self) -> None:
        chance = random.Random(len(self.tables))  # noqa: S311 - a search that can be repeated
        self._follow_chains()
        best = self._cost()
        for _ in range(_KICKS):
            if best == self.least:
                break
            kept = [table[:] for table in self.tables]
            for table in chance.choices(self.tables, k=SEATS):
                self._exchange(table, *chance.sample(range(SEATS), 2))
            self._follow_chains()
            if self._cost() > best:
                for table, good in zip(self.tables, kept, strict=True):
                    self._add(table, -1)
                    table[:] = good
                    self._add(table, 1)
            best = min(best, self._cost())

    def _follow_chains(self) -> None:
        while any([self._follow_chain(one, other) for one, other in permutations(range(SEATS), 2)]):
            pass

    def _follow_chain(self, wind: int, other: int) -> bool:
        """Exchange two winds along the shortest chain that evens the counts. Return whether one was found."""
        counts, with_wind = self.counts, defaultdict(list)
        for table in self.tables:
            with_wind[table[wind]].append(table)
        came_by: dict[int, list[int] | None] = {
            p: None for p, had in counts.items() if had[wind] - had[other] > 1
        }
        reached = list(came_by)
        for player in reached:
            for table in with_wind[player]:
                following = table[other]
                if following in came_by:
                    continue
                came_by[following] = table
                reached.append(following)
                if counts[following][wind] < counts[following][other]:
                    while (link := came_by[following]) is not None:
                        following = link[wind]
                        self._exchange(link, wind, other)
                    return True
        return False

    def _exchange(self, table: list[int], wind: int, other: int) -> None:
        self._add(table, -1)
        table[wind], table[other] = table[other], table[wind]
        self._add(table, 1)

    def _add(self, table: Sequence[int], times: int) -> None:
        for wind, player in enumerate(table):
            self.counts[player][wind] += times

    def _cost(self) -> int:
        return sum(times * times for counts in self.counts.values() for times in counts)


def _evenest(had: Sequence[int], games: int) -> int:
    """Return the least sum of squared counts after so many more games."""
    counts = list(had)
    for _ in range(games):
        counts[counts.index(min(counts))] += 1
    return sum(times * times for times in counts)


def by_need(
    tables: Sequence[Sequence[P]], winds: Mapping[P, Sequence[int]], chance: random.Random
) -> list[tuple[P, P, P, P]]:
    """Return one round's tables in the best of their 24 orders, east first, after rounds that cannot change.

    `winds`: each player's counts, east to north. A wind costs the cube of its count above the player's
    rarest, so that the worst balance counts most. `chance` decides between equal orders.
    """
    return [_best_order(table, winds, chance) for table in tables]


def _best_order(
    table: Sequence[P], winds: Mapping[P, Sequence[int]], chance: random.Random
) -> tuple[P, P, P, P]:
    shuffled = list(table)
    chance.shuffle(shuffled)
    costs = {player: _wind_costs(winds.get(player, (0, 0, 0, 0))) for player in shuffled}
    orders = ((e, s, w, n) for e, s, w, n in permutations(shuffled))
    return min(orders, key=lambda order: sum(costs[player][wind] for wind, player in enumerate(order)))


def _wind_costs(counts: Sequence[int]) -> list[int]:
    least = min(counts)
    return [(times - least) ** 3 for times in counts]
