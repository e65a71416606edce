"""A search for the best schedule in limited steps, if no stored base rounds fit.

Simulated annealing: two players of a round swap places. The heat falls in *cycles*, each twice as long as the
one before, which begin in turn with the given plans and the best so far. *Legs* have a fixed number of steps
and random numbers that follow from the seed and their number. So a search gives the same plan in one run or
in slices from a `State`.
"""

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from scoring.seating.checker import SEATS
from scoring.seating.sitting_out import choose_sitting_out
from scoring.seating.wishes import (
    IN_A_ROW,
    UNEVEN,
    WISHED,
    Costs,
    Wishes,
    both_ways,
    extra_costs,
    least_cost,
)

Rounds = list[list[list[int]]]  # rounds of tables of four, in no order

LEG = 50_000  # steps; a search can be stopped between two legs
FIRST_CYCLE = 4  # legs; each cycle is twice as long as the one before it …
LONGEST_CYCLE = 256  # … up to this
HOT, WARM, COLD = 0.4, 0.3, 0.24  # heat: a plan worse by that much is taken with a chance of 1/e
CONTENT = 0.8  # the chance that a player without a repeat or an unmet wish is passed over


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a cycle. Missing rounds are drawn, the first `frozen` stay."""

    make: Callable[[], Rounds]
    frozen: int = 0
    heat: float = HOT


def from_nothing() -> Rounds:
    return []


@dataclass(frozen=True, slots=True)
class SearchTask:
    """A search's input. It begins with each of the `starts` in turn, then with the best plan so far."""

    players: int
    rounds: int
    wishes: Wishes
    seed: int
    starts: tuple[Start, ...] = (Start(from_nothing),)

    @property
    def least_cost(self) -> int:
        return least_cost(self.players, self.rounds, self.wishes)


@dataclass(frozen=True, slots=True)
class State:
    legs: int
    current: Rounds
    best: Rounds
    cost: float


def search(problem: SearchTask, *, legs: int, state: State | None = None) -> State:
    """Search until `legs` legs ran in all, or no plan has fewer repeats or unmet wishes."""
    table = _Workbench(problem, state)
    least, movable = problem.least_cost, problem.players > SEATS
    while table.legs < legs and table.best_cost >= least + 1 and movable:
        table.run_leg()
    return table.state()


def plan_cost(rounds: Rounds, players: int, wishes: Wishes) -> float:
    return _Workbench(SearchTask(players, len(rounds), wishes, 0, (Start(lambda: rounds),)), None).best_cost


class _Workbench:
    """The plan in progress. A round is a line: four seats per table, then who sits out."""

    def __init__(self, problem: SearchTask, state: State | None) -> None:
        self.problem, self.players = problem, problem.players
        self.seats = problem.players // SEATS * SEATS
        self.extra = extra_costs(problem.players, problem.rounds, problem.wishes)
        self.wished = both_ways(problem.wishes.wished)
        self.legs = state.legs if state else 0
        start = self._start()
        self.frozen, self.heat = self._bounds(start)
        first = state.current if state else problem.starts[0].make()
        lines = self._lines(first, self._chance("first"))
        self._lay(lines if state else self._in_turn(lines))
        self.best_cost = state.cost if state else self.cost
        self.best = self._lines(state.best, self._chance("")) if state else [line[:] for line in self.plan]

    def state(self) -> State:
        return State(self.legs, self._rounds(self.plan), self._rounds(self.best), self.best_cost)

    def run_leg(self) -> None:
        number, leg, length = _cycle(self.legs)
        chance = self._chance(self.legs)
        if leg == 0:
            start = self._start()
            self.frozen, self.heat = self._bounds(start)
            if number:  # the first begins with the plan that is on the table
                lines = self._lines(start.make() if start else None, chance)
                self._lay(self._in_turn(lines) if start else lines)
        for line in self.plan:  # a state does not say in which order they sit out
            line[self.seats :] = sorted(line[self.seats :])
        for part in range(4):
            heat = self.heat * (COLD / self.heat) ** ((leg + part / 4) / length)
            self._steps(LEG // 4, heat, chance)
        self.legs += 1

    def _start(self) -> Start | None:
        starts = self.problem.starts
        number, _leg, _length = _cycle(self.legs)
        turn = number % (len(starts) + 1)
        return None if turn == len(starts) else starts[turn]

    def _bounds(self, start: Start | None) -> tuple[int, float]:
        return (min(start.frozen, self.problem.rounds - 1), start.heat) if start else (0, WARM)

    def _chance(self, name: object) -> random.Random:
        return random.Random(f"{self.problem.seed}/{name}")  # noqa: S311 - a search that can be repeated

    def _lines(self, rounds: Rounds | None, chance: random.Random) -> list[list[int]]:
        if rounds is None:
            return [line[:] for line in self.best]
        given = [self._line(round_) for round_ in rounds[: self.problem.rounds]]
        drawn_rounds = [self._draw(chance) for _ in range(self.problem.rounds - len(given))]
        return given + drawn_rounds

    def _line(self, round_: Sequence[Sequence[int]]) -> list[int]:
        line = [player for table in round_ for player in table]
        seated = set(line)
        return line + [player for player in range(self.players) if player not in seated]

    def _draw(self, chance: random.Random) -> list[int]:
        line = list(range(self.players))
        chance.shuffle(line)
        return line

    def _in_turn(self, lines: list[list[int]]) -> list[list[int]]:
        wishes, seats = self.problem.wishes, self.seats
        sat_out, last = Counter(wishes.sat_out), wishes.out_before
        for number, line in enumerate(lines if seats < self.players else ()):
            beside = last | wishes.out_after if number + 1 == len(lines) else last
            turned = [*line[seats:], *line[:seats]]  # those who sit out stay if others do so as well
            sitting_out = choose_sitting_out(turned, self.players - seats, sat_out=sat_out, beside=beside)
            last = frozenset(sitting_out)
            coming = [at for at in range(seats) if line[at] in last]
            going = [at for at in range(seats, self.players) if line[at] not in last]
            for one, other in zip(coming, going, strict=True):
                line[one], line[other] = line[other], line[one]
            sat_out.update(last)
        return lines

    def _rounds(self, lines: Sequence[Sequence[int]]) -> Rounds:
        return [[list(four) for four in self._fours(line)] for line in lines]

    def _fours(self, line: Sequence[int]) -> list[Sequence[int]]:
        return [line[first : first + SEATS] for first in range(0, self.seats, SEATS)]

    def _lay(self, plan: list[list[int]]) -> None:
        """Load a plan and compute its counts and cost."""
        players, wishes = self.players, self.problem.wishes
        self.plan = plan
        self.met = met = [[0.0] * players for _ in range(players)]
        for (one, other), times in wishes.met.items():
            met[one][other] = met[other][one] = times
        self.out = [wishes.sat_out.get(player, 0) for player in range(players)]
        cost = 0.0
        for line, extra in zip(plan, self.extra, strict=True):
            for four in self._fours(line):
                for one, other in combinations(four, 2):
                    met[one][other] += 1
                    met[other][one] += 1
                    cost += extra[one][other] if extra is not None else 0
            for player in line[self.seats :]:
                self.out[player] += 1
        pairs = sum(times * (times - 1) for line in met for times in line) // 4
        unmet = sum(WISHED for one, other in self.wished if one < other and not met[one][other])
        sitting = UNEVEN * sum(times * (times - 1) // 2 for times in self.out)
        in_a_row = IN_A_ROW * sum(
            len(one & other) for one, other in pairwise(map(frozenset, self._sitting_out()))
        )
        self.cost = cost + pairs + unmet + sitting + in_a_row
        by_extra = {id(extra): _sum(met, extra) for extra in self.extra if extra is not None}
        self.once_more = [by_extra.get(id(extra), met) for extra in self.extra]
        self.matrices = [met, *by_extra.values()]

    def _sitting_out(self) -> list[Collection[int]]:
        wishes = self.problem.wishes
        return [wishes.out_before, *(line[self.seats :] for line in self.plan), wishes.out_after]

    def _in_a_row(self, player: int, number: int) -> int:
        plan, seats, wishes = self.plan, self.seats, self.problem.wishes
        before = plan[number - 1][seats:] if number else wishes.out_before
        after = plan[number + 1][seats:] if number + 1 < len(plan) else wishes.out_after
        return (player in before) + (player in after)

    def _steps(self, steps: int, heat: float, random_: random.Random) -> None:
        """Take `steps` steps at one heat. One long function because the search spends its time here."""
        plan, matrices, out, seats = self.plan, self.matrices, self.out, self.seats
        draw, power, wishing = random_.random, math.exp, {player for pair in self.wished for player in pair}
        frozen, cost, best_cost = self.frozen, self.cost, self.best_cost
        movable = len(plan) - frozen
        # who sits out is as fair as can be: others only so that forbidden pairs do not meet
        places = self.players if self.problem.wishes.forbidden else seats
        for _ in range(steps):
            number = frozen + int(draw() * movable)
            line, costs = plan[number], self.once_more[number]
            here, there = int(draw() * seats), int(draw() * places)
            first, second = here & ~3, there & ~3
            if first == second:
                continue
            one, other = line[here], line[there]
            of_one, of_other = costs[one], costs[other]
            a, b, c, d = line[first : first + 4]
            now = of_one[a] + of_one[b] + of_one[c] + of_one[d]
            if now <= SEATS - 1 and draw() < CONTENT and one not in wishing:
                continue
            change = of_other[a] + of_other[b] + of_other[c] + of_other[d] - of_one[other] - now + SEATS - 1
            if there < seats:
                e, f, g, h = line[second : second + 4]
                change += of_one[e] + of_one[f] + of_one[g] + of_one[h] - of_one[other] + SEATS - 1
                change -= of_other[e] + of_other[f] + of_other[g] + of_other[h]
            else:
                change += UNEVEN * (out[one] - out[other] + 1)
                change += IN_A_ROW * (self._in_a_row(one, number) - self._in_a_row(other, number))
            if wishing:
                change += self._wish_change(one, other, *_mates(line, here, there, seats))
            if change <= 0 or draw() < power(-change / heat):
                mine, theirs = _mates(line, here, there, seats)
                line[here], line[there] = other, one
                for matrix in matrices:
                    for player in mine:
                        matrix[one][player] -= 1
                        matrix[player][one] -= 1
                        matrix[other][player] += 1
                        matrix[player][other] += 1
                    for player in theirs:
                        matrix[other][player] -= 1
                        matrix[player][other] -= 1
                        matrix[one][player] += 1
                        matrix[player][one] += 1
                if there >= seats:
                    out[one] += 1
                    out[other] -= 1
                cost += change
                if cost < best_cost:
                    best_cost = cost
                    self.best = [each[:] for each in plan]
        self.cost, self.best_cost = cost, best_cost

    def _wish_change(self, one: int, other: int, mine: Sequence[int], theirs: Sequence[int]) -> int:
        """Return the change in cost if `one` leaves `mine` for `theirs` and `other` replaces `one`."""
        met, wished = self.met, self.wished
        change = 0
        for player in mine:
            change += WISHED * ((one, player) in wished and met[one][player] == 1)
            change -= WISHED * ((other, player) in wished and met[other][player] == 0)
        for player in theirs:
            change += WISHED * ((other, player) in wished and met[other][player] == 1)
            change -= WISHED * ((one, player) in wished and met[one][player] == 0)
        return change


def _mates(line: Sequence[int], here: int, there: int, seats: int) -> tuple[list[int], list[int]]:
    """Return who sits with each of the two players. At `seats` and above a player sits out."""
    mine, theirs = (line[at & ~3 : (at & ~3) + SEATS] for at in (here, there))
    return [p for p in mine if p != line[here]], [p for p in theirs if p != line[there] and there < seats]


def _sum(one: Costs, other: Costs) -> Costs:
    return [[a + b for a, b in zip(*lines, strict=True)] for lines in zip(one, other, strict=True)]


def _cycle(legs: int) -> tuple[int, int, int]:
    """Return the next leg's cycle, its place in the cycle, and the cycle's length in legs."""
    number, length = 0, FIRST_CYCLE
    while legs >= length:
        legs -= length
        number += 1
        length = min(2 * length, LONGEST_CYCLE)
    return number, legs, length
