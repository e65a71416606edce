"""Winds for a plan whose tables are known: as even as can be for every player, and each wind once in every
four rounds.

Players and tables form a graph with a line for every seat. Each player's games are cut into blocks of four in
round order, so that no point has more than four lines; the graph is then split twice along closed trails that
take their lines alternately, which halves every point's lines each time. What is left are four sets in which
every table has one line and every block at most one: the four winds. The time is linear in the number of
seats.
"""

import random
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from typing import TypeVar

from league.seating.engine.checker import BLOCK, SEATS

P = TypeVar("P", bound=Hashable)
Table = tuple[int, int, int, int]
Groups = Sequence[Sequence[Sequence[int]]]  # rounds of tables of four players, in any order

_Edge = tuple[int, int]  # the two points that a line joins


def give_winds(rounds: Groups) -> list[list[Table]]:
    """The same tables with their players in the order east, south, west, north."""
    edges, seats = _edges(rounds)
    colours = _four_colours(edges)
    placed = [[[-1] * SEATS for _ in round_] for round_ in rounds]
    for (number, place, player), colour in zip(seats, colours, strict=True):
        placed[number][place][colour] = player
    return [[_table(table) for table in round_] for round_ in placed]


def _table(players: Sequence[int]) -> Table:
    east, south, west, north = players
    return east, south, west, north


def _edges(rounds: Groups) -> tuple[list[_Edge], list[tuple[int, int, int]]]:
    """The lines of the graph, and the seat (round, table, player) of each."""
    points: dict[object, int] = {}
    edges: list[_Edge] = []
    seats: list[tuple[int, int, int]] = []
    games: dict[int, int] = defaultdict(int)

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


def _halves(edges: Sequence[_Edge], chosen: Sequence[int]) -> tuple[list[int], list[int]]:
    """Two halves of the chosen lines: every point's lines are divided evenly, an odd one left over.

    Points with an odd number of lines are joined to a point of their own side that means "nowhere", and
    lines between the two such points make the rest even: then every part of the graph has a closed trail of
    even length, since each line goes from one side to the other.
    """
    ends = _close_trails(edges, chosen)
    at: dict[int, list[int]] = defaultdict(list)
    for index, (one, other) in enumerate(ends):
        at[one].append(index)
        at[other].append(index)
    used = [False] * len(ends)
    halves: tuple[list[int], list[int]] = ([], [])
    for start in range(len(ends)):
        if not used[start]:
            _walk(ends, at, used, ends[start][0], chosen, halves)
    return halves


def _close_trails(edges: Sequence[_Edge], chosen: Sequence[int]) -> list[_Edge]:
    """The chosen lines, and those added so that every point has an even number of lines."""
    ends = [edges[index] for index in chosen]
    degrees: dict[int, int] = defaultdict(int)
    tables, blocks = set(), set()
    for table, block in ends:
        degrees[table] += 1
        degrees[block] += 1
        tables.add(table)
        blocks.add(block)
    odd_tables = [point for point in tables if degrees[point] % 2]
    odd_blocks = [point for point in blocks if degrees[point] % 2]
    nowhere = -1, -2  # on the side of the tables, on the side of the blocks
    ends += [(point, nowhere[1]) for point in odd_tables]
    ends += [(nowhere[0], point) for point in odd_blocks]
    if len(odd_tables) % 2:
        ends.append(nowhere)
    return ends


def _walk(
    ends: Sequence[_Edge],
    at: dict[int, list[int]],
    used: list[bool],
    start: int,
    chosen: Sequence[int],
    halves: tuple[list[int], list[int]],
) -> None:
    """Follows a closed trail through all lines connected with `start`; takes them alternately."""
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
        if line < len(chosen):
            halves[position % 2].append(chosen[line])


def by_need(
    tables: Sequence[Sequence[P]], winds: Mapping[P, Sequence[int]], chance: random.Random
) -> list[tuple[P, P, P, P]]:
    """The tables of one round in the best of their 24 orders, east first, when the rounds before can
    no longer change. `winds`: how often each player had each wind, east to north.

    A wind costs the cube of how much more often its player had it than their rarest one; the cheapest order
    wins, so that the worst balance counts most. Equally good orders are drawn by lot.
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
    """What each wind costs a player who had them so often."""
    least = min(counts)
    return [(times - least) ** 3 for times in counts]
