"""Assignment of players to a plan's places by annealing, which keeps its number of repeats."""

import math
import random
from collections.abc import Iterator, Sequence
from itertools import combinations

from scoring.seating.search import Rounds
from scoring.seating.wishes import WISHED, Wishes, extra_costs

STEPS = 40_000
HOT, COLD = 8.0, 0.1
_AFTERWARDS = 0.5  # a meeting of two of a group after they were kept apart: no repeat is at stake here
_NEVER = 1_000  # later than any round

_Link = tuple[int, float, int]  # another player, what meeting them costs, and before which round


def place_players(
    rounds: Rounds, players: int, wishes: Wishes, *, seed: int, steps: int = STEPS
) -> list[int]:
    """Return the player for each place, with numbers from `players` on for extra places."""
    chance = random.Random(f"{seed}/places")  # noqa: S311 - a draw that can be repeated, no secret
    count = sum(len(table) for table in rounds[0])
    order = list(range(count))
    chance.shuffle(order)
    if not wishes.of_meetings:
        return order
    by_group = sorted(order, key=lambda player: _group(wishes, player))
    placing = _Placing(rounds, count, _links(players, len(rounds), wishes, count))
    placements = [placing.better(start, chance, steps // 2) for start in (by_group, order)]
    _cost, best_order = min(placements)
    return best_order


def _group(wishes: Wishes, player: int) -> tuple[str, ...]:
    known = [apart.groups[player] if player < len(apart.groups) else None for apart in wishes.apart]
    return tuple(repr(group) for group in known)


def _links(players: int, rounds: int, wishes: Wishes, count: int) -> list[list[_Link]]:
    links: list[list[_Link]] = [[] for _ in range(count)]
    for one, other, cost, before in _costs(players, rounds, wishes):
        links[one].append((other, cost, before))
        links[other].append((one, cost, before))
    return links


def _costs(players: int, rounds: int, wishes: Wishes) -> Iterator[tuple[int, int, float, int]]:
    """Yield (one, other, cost, before which round). Costs of the first round hold until a wish ends."""
    matrices = extra_costs(players, rounds, wishes, _AFTERWARDS)
    ends = [r for r in range(rounds) if r + 1 == rounds or matrices[r] is not matrices[r + 1]]
    later = None
    for end in reversed(ends):
        costs = matrices[end]
        for one, other in combinations(range(players), 2) if costs else ():
            cost = costs[one][other] - (later[one][other] if later else 0)  # type: ignore[index]
            if cost:
                yield one, other, cost, end + 1
        later = costs
    yield from ((one, other, -WISHED, rounds) for one, other in wishes.wished)
    yield from ((one, other, times, rounds) for (one, other), times in wishes.met.items() if times)


class _Placing:
    def __init__(self, rounds: Rounds, count: int, links: list[list[_Link]]) -> None:
        self.links = links
        self.linked = [player for player, each in enumerate(links) if each]
        self.when = [[_NEVER] * count for _ in range(count)]  # place × place: the round in which they meet
        for number, round_ in reversed(list(enumerate(rounds))):
            for table in round_:
                for one, other in combinations(table, 2):
                    self.when[one][other] = self.when[other][one] = number

    def cost(self, at: Sequence[int]) -> float:
        return sum(self._cost(player, at[player], -1, at) for player in self.linked) / 2

    def _cost(self, player: int, place: int, without: int, at: Sequence[int]) -> float:
        met = self.when[place]
        return sum(
            cost for other, cost, before in self.links[player] if other != without and met[at[other]] < before
        )

    def better(self, order: Sequence[int], chance: random.Random, steps: int) -> tuple[float, list[int]]:
        at = [0] * len(order)
        for place, player in enumerate(order):
            at[player] = place
        cost, least = self.cost(at), self.least()
        best, best_places = cost, at[:]
        for step in range(steps):
            if best <= least:
                break
            change = self._step(at, HOT * (COLD / HOT) ** (step / steps), chance)
            cost += change
            if cost < best:
                best, best_places = cost, at[:]
        return best, [
            player for _, player in sorted((place, player) for player, place in enumerate(best_places))
        ]

    def least(self) -> float:
        return sum(cost for link in self.links for _, cost, _ in link if cost < 0) / 2

    def _step(self, at: list[int], heat: float, chance: random.Random) -> float:
        one = self.linked[int(chance.random() * len(self.linked))]
        other = int(chance.random() * len(at))
        here, there = at[one], at[other]
        change = self._cost(one, there, other, at) - self._cost(one, here, other, at)
        change += self._cost(other, here, one, at) - self._cost(other, there, one, at)
        if one == other or (change > 0 and chance.random() >= math.exp(-change / heat)):
            return 0
        at[one], at[other] = there, here
        return change
