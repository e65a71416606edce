"""Winds for a plan with known tables: as even as possible, and each wind once in every four rounds.

Tables and players are the points of a graph with a line per seat. Each player's games are cut into blocks of
four. Two splits along closed trails halve each point's lines. This leaves the four winds, with one line per
table and at most one per block.
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
    """Return the same tables with their players in the order east, south, west, north."""
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
    for start in range(len(ends)):
        if not used[start]:
            _walk(ends, at, used, ends[start][0], chosen_lines, halves)
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
