"""A season of teams: which four teams meet at each table of each round, whether all teams play or only some.

Teams play equally often, and pairs meet equally often, within one if numbers allow it. Four teams meet again
after the other fours have met as often. Eight teams at one table have every four once in 70 rounds.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, factorial

from scoring.seating.checker import SEATS
from scoring.seating.winds import Table, give_winds

_MOST = 2_000  # ways to seat a round that are compared; of more than that so many are drawn

Fours = list[list[int]]


def team_season(
    teams: Sequence[int],
    days: Sequence[int],
    *,
    tables: int,
    same_all_day: bool,
    before: Sequence[Sequence[int]] = (),
    seed: int,
) -> list[list[Table]]:
    """Return the rounds of all days, each with its tables of four teams, east first.

    `days`: rounds per day. `same_all_day`: the fours of a day's first round stay at their tables. `before`:
    fours that have met. The same arguments give the same season. Raises ValueError for fewer teams than
    seats, or no table.
    """
    if not 0 < tables * SEATS <= len(set(teams)):
        raise ValueError(f"{len(teams)} teams at {tables} tables")
    chance = random.Random(f"{seed}/teams")  # noqa: S311 - a draw that can be repeated, no secret
    count = _Counts(teams)
    for four in before:
        count.add([list(four)])
    rounds: list[Fours] = []
    for length in days:
        here: Fours = []
        for _game in range(length):
            if not (here and same_all_day):
                here = count.best(tables, chance)
            rounds.append(here)
            count.add(here)
    return give_winds(rounds)


class _Counts:
    def __init__(self, teams: Sequence[int]) -> None:
        self.teams = sorted(set(teams))
        self.played, self.met = Counter[int](), Counter[tuple[int, int]]()
        self.fours = Counter[tuple[int, ...]]()

    def add(self, fours: Fours) -> None:
        for four in map(sorted, fours):
            self.played.update(four)
            self.met.update(combinations(four, 2))
            self.fours[tuple(four)] += 1

    def best(self, tables: int, chance: random.Random) -> Fours:
        seats = tables * SEATS
        line = sorted(chance.sample(self.teams, len(self.teams)), key=lambda team: self.played[team])
        most = self.played[line[seats - 1]]
        due = [team for team in line if self.played[team] < most]
        others = [team for team in line if self.played[team] == most]
        missing = seats - len(due)
        ways = factorial(seats) // (factorial(SEATS) ** tables * factorial(tables))
        if comb(len(others), missing) * ways <= _MOST:
            candidates = (fours for more in combinations(others, missing) for fours in _splits([*due, *more]))
        else:
            candidates = (
                _cut(chance.sample([*due, *chance.sample(others, missing)], seats)) for _ in range(_MOST)
            )
        return min(candidates, key=lambda fours: self._cost(fours, line))

    def _cost(self, fours: Fours, line: Sequence[int]) -> tuple[int, int]:
        """Return meetings of these fours, and squared meetings of pairs, including four that rest."""
        playing = {team for four in fours for team in four}
        rest = sorted(team for team in line if team not in playing)
        again = sum(self.fours[tuple(sorted(four))] for four in fours)
        pairs = sum(self.met[pair] ** 2 for four in fours for pair in combinations(sorted(four), 2))
        if len(rest) == SEATS:
            pairs += sum(self.met[pair] ** 2 for pair in combinations(rest, 2))
        return again, pairs


def _splits(teams: Sequence[int]) -> Iterator[Fours]:
    if not teams:
        yield []
        return
    first, *rest = teams
    for three in combinations(rest, SEATS - 1):
        for others in _splits([team for team in rest if team not in three]):
            yield [[first, *three], *others]


def _cut(line: Sequence[int]) -> Fours:
    return [list(line[at : at + SEATS]) for at in range(0, len(line), SEATS)]
