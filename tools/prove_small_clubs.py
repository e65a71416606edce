"""Prove the least figures of plans for 5 to 13 players: `python -m tools.prove_small_clubs`.

Searches all plans with as many tables in each round as the players fill, for any choice of who sits out.
Prints the figures beside the arithmetic bounds of ``least_repeats`` and ``least_pairs``. ``--check`` compares
them with the stored ones. Thirteen players take most of the time, some ten minutes.

What a round adds grows with the rounds before it. Any plan has an order in which every round adds as little
as any later one would in its place. So each round adds at least as much as the one before it, and at most its
share of what is left. Plans that a renaming of the players turns into each other are searched once.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations

from scoring.seating.checker import SEATS, least_pairs, least_repeats

Met = list[list[int]]  # player × player, what a meeting of them would add
Tables = tuple[tuple[int, ...], ...]
MEASURES: dict[str, Callable[[int], int]] = {"repeats": lambda met: min(met, 1), "pairs": lambda met: met}
ROUNDS = {"repeats": {7: 4, 9: 4, 10: 4, 11: 5, 12: 4, 13: 5}, "pairs": {6: 6, 7: 6, 11: 4}}


def least(players: int, rounds: int, measure: str, start: int) -> int:
    """Return the least figure of a plan, which is at least `start`."""
    while not _is_reached(players, rounds, MEASURES[measure], start):
        start += 1
    return start


def _is_reached(players: int, rounds: int, weigh: Callable[[int], int], most: int) -> bool:
    seated: Met = [[0] * players for _ in range(players)]
    first = tuple(tuple(range(at, at + SEATS)) for at in range(0, players // SEATS * SEATS, SEATS))
    layer = [(0, 0, _with(seated, first))]  # what the plan has, what its last round added, who met
    for left in range(rounds - 1, 0, -1):
        found: dict[object, tuple[int, int, Met]] = {}
        for total, last, met in layer:
            for added, tables in _rounds(players, met, (most - total) // left):
                if added < last:
                    continue
                if left == 1:
                    return True
                now = [list(map(weigh, row)) for row in _with(met, tables)]
                name = _without_names(now)
                if name not in found or added < found[name][1]:
                    found[name] = (total + added, added, now)
        layer = [*found.values()]
    return False


def _with(met: Met, tables: Tables) -> Met:
    now = [row[:] for row in met]
    for table in tables:
        for one, other in combinations(table, 2):
            now[one][other] += 1
            now[other][one] += 1
    return now


def _rounds(players: int, cost: Met, most: int) -> Iterator[tuple[int, Tables]]:
    """Yield the rounds that cost at most so much, with their cost."""

    def seat(free: list[int], out: int, spent: int, tables: Tables) -> Iterator[tuple[int, Tables]]:
        if not free:
            yield spent, tables
            return
        one, *others = free
        if out:
            yield from seat(others, out - 1, spent, tables)
        if len(tables) == players // SEATS:
            return
        near = [(other, cost[one][other]) for other in others if spent + cost[one][other] <= most]
        for (b, ab), (c, ac) in combinations(near, 2):
            abc = spent + ab + ac + cost[b][c]
            if abc <= most:
                for d, ad in near:
                    total = abc + ad + cost[b][d] + cost[c][d]
                    if d > c and total <= most:
                        rest = [other for other in others if other not in (b, c, d)]
                        yield from seat(rest, out, total, (*tables, (one, b, c, d)))

    yield from seat(list(range(players)), players % SEATS, 0, ())


def _without_names(met: Met) -> tuple[tuple[int, ...], ...]:
    """Return who met whom after a renaming. Equal results are one plan, though one plan may have several."""
    players = range(len(met))
    colours = [0] * len(met)
    while True:
        colours = _refined(met, colours)
        shared = [colour for colour, times in Counter(colours).items() if times > 1]
        if not shared:
            break
        chosen = colours.index(min(shared))
        colours = [2 * colour + (player != chosen) for player, colour in enumerate(colours)]
    order = sorted(players, key=lambda player: colours[player])
    return tuple(tuple(met[one][other] for other in order[:at]) for at, one in enumerate(order))


def _refined(met: Met, colours: list[int]) -> list[int]:
    while True:
        seen = [
            (colour, tuple(sorted(zip(row, colours, strict=True))))
            for colour, row in zip(colours, met, strict=True)
        ]
        names = {each: at for at, each in enumerate(sorted(set(seen)))}
        if len(names) == len(set(colours)):
            return colours
        colours = [names[each] for each in seen]


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="compare with the stored figures")
    parser.add_argument("--players", type=int, nargs="*", help="only for these numbers")
    asked = parser.parse_args(words)
    wrong = 0
    for measure, known in (("repeats", least_repeats), ("pairs", least_pairs)):
        for players, most in ROUNDS[measure].items():
            if asked.players and players not in asked.players:
                continue
            for rounds in range(2, most + 1):
                began, tables = time.monotonic(), rounds * (players // SEATS)
                arithmetic = known(players, tables, rounds, stored=False)
                found = least(players, rounds, measure, arithmetic)
                stored = known(players, tables, rounds)
                wrong += stored != found
                seconds = time.monotonic() - began
                text = f"{players} players, {rounds} rounds: {measure} {found}, by arithmetic {arithmetic}"
                sys.stdout.write(f"{text}, stored {stored}, {seconds:.0f} s\n")
                sys.stdout.flush()
    return 1 if asked.check and wrong else 0


if __name__ == "__main__":
    sys.exit(main())
