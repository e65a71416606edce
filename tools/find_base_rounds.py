"""Find base rounds: `python -m tools.find_base_rounds PLAYERS`.

A base round (`base_rounds` of the engine) gives rounds without a repeat if no two of its pairs belong
to one class. Two pairs belong to one class if moving all players on the circles takes one to the other.
Annealing swaps players between tables until every class occurs at most once.

There are two shapes. Up to a quarter of the players as rounds: four circles. A quarter of all classes may
stay unused, so this takes seconds to minutes for any number of players up to 400.

Up to the bound of ⌊(n−1)/3⌋ rounds: three circles of as many places as rounds, and fixed players. Nearly
every class is used. The base round stays the same if players go on to the next circle and places are
multiplied by m, where m·m·m is 1 modulo the number of rounds. So only a third of the tables are free. A table
of the circles and a fixed player may also stay, for at most two fixed players. Threes of the others take
turns. With one fixed player a second factor may leave one free table (112, 160 and 184 players). Most numbers
take far longer than minutes: a program in C took 150 seconds for the 33 rounds of 100.

`--circles`, `--period`, `--fixed`, `--base-rounds` find any other shape without such a symmetry. The output
is an entry of `base_rounds.json`.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import gcd

from scoring.seating.base_rounds import BaseRounds
from scoring.seating.checker import SEATS, check_plan, most_rounds

STEPS = 2_000_000  # in one try
Stop = Callable[[], bool]
LEG = 10_000
HOT, COLD = 0.8, 0.15
_FORBIDDEN = 3  # as if a class were there so often already


@dataclass(frozen=True, slots=True)
class BaseShape:
    """Circles of so many places, fixed players, and a number of base rounds.

    With a `factor`, the base round stays the same if every player goes on to the next of three circles with
    places multiplied by it. It also stays if places are multiplied by the `multiplier`.
    """

    period: int
    circles: int
    fixed: int = 0
    base_rounds: int = 1
    factor: int | None = None
    multiplier: int = 1

    @property
    def players(self) -> int:
        return self.period * self.circles + self.fixed

    @property
    def rounds(self) -> int:
        return self.period * self.base_rounds

    @property
    def staying(self) -> range:
        """Return the fixed players that turning leaves in place. Threes of the others take turns."""
        moving = self.period * self.circles
        return range(moving, moving + self.fixed % 3)

    def turned(self, place: int) -> int:
        if place in self.staying:
            return place
        if place >= self.staying.stop:
            three, at = divmod(place - self.staying.stop, 3)
            return self.staying.stop + 3 * three + (at + 1) % 3
        circle, at = divmod(place, self.period)
        return (circle + 1) % self.circles * self.period + at * (self.factor or 1) % self.period

    def scaled(self, place: int) -> int:
        if place >= self.staying.start:
            return place
        circle, at = divmod(place, self.period)
        return circle * self.period + at * self.multiplier % self.period

    def images(self, places: Iterable[int]) -> list[frozenset[int]]:
        """Return the places and their images under all moves that keep the base round."""
        found = [frozenset(places)]
        for each in found:
            for move in (self.turned, self.scaled) if self.factor is not None else ():
                image = frozenset(map(move, each))
                if image not in found:
                    found.append(image)
        return found

    def moved(self, pair: tuple[int, int]) -> tuple[int, int]:
        """Return the pair that represents this pair's class under moves on the circles."""
        (one, at), (other, to) = (divmod(place, self.period) for place in sorted(pair))
        moving = self.circles
        if one >= moving:
            return pair[0], pair[1]
        if other >= moving:
            return one * self.period, max(pair)
        if one == other:
            return one * self.period, one * self.period + min(
                (to - at) % self.period, (at - to) % self.period
            )
        return one * self.period, other * self.period + (to - at) % self.period


def shapes(players: int, rounds: int) -> list[BaseShape]:
    """Return the shapes to search for so many rounds."""
    found = []
    if rounds <= players // SEATS:
        found.append(BaseShape(players // SEATS, SEATS))
    for period in range(most_rounds(players), max(rounds, players // SEATS + 1) - 1, -1):
        fixed = players - 3 * period
        if fixed == 1 and (multiplier := _multiplier(period)) > 1:
            found.append(BaseShape(period, 3, fixed, 1, 1, multiplier))
        factors = [m for m in range(1, period) if m**3 % period == 1]
        # without a factor but 1 those tables that stay would all be alike
        found += [BaseShape(period, 3, fixed, 1, m) for m in (*factors[1:], 1) if m > 1 or fixed % 3 < 2]
    return found


def _multiplier(period: int) -> int:
    """Return the number with the most powers that fix no place but 0, an odd number of them, or 1.

    The places then fall into four times as many tables.
    """
    best, most = 1, 1
    for number in (each for each in range(2, period) if gcd(each, period) == 1):
        powers = [number]
        while powers[-1] != 1 and gcd(powers[-1] - 1, period) == 1:
            powers.append(powers[-1] * number % period)
        times = len(powers)
        if powers[-1] == 1 and times % 2 and times > most and (period - 1) % (SEATS * times) == 0:
            best, most = number, times
    return best


def find_base_rounds(
    shape: BaseShape,
    *,
    seed: int,
    tries: int,
    steps: int = STEPS,
    stop: Stop = lambda: False,
    progress: Callable[[int, int], None] | None = None,
) -> BaseRounds | None:
    """Return base rounds of this shape, or None after so many tries. `progress` gets tries and fewest excess
    pairs.
    """
    classes = _classes(shape)
    least = shape.players
    for number in range(tries):
        chance = random.Random(f"{seed}/{number}")  # noqa: S311 - a search that can be repeated
        layout = _layout(shape, classes, chance)
        cost = _annealed(layout, shape, classes, chance, steps, stop)
        least = min(least, cost)
        if progress is not None:
            progress(number + 1, least)
        if cost == 0:
            return _read_layout(layout, shape)
        if stop():
            break
    return None


def _classes(shape: BaseShape) -> list[list[int]]:
    """Return place × place → class of the pair. 0 is for pairs that may never meet."""
    moving = shape.period * shape.circles
    numbers: dict[tuple[int, int], int] = {}
    found = [[0] * shape.players for _ in range(shape.players)]
    for pair in combinations(range(shape.players), 2):
        one, other = shape.moved(pair)
        half = one // shape.period == other // shape.period and 2 * (other - one) == shape.period
        if one >= moving or half:
            continue  # in every round, or twice in the rounds that half of the circle gives
        if (one, other) not in numbers:
            _number(numbers, shape, (one, other))
        found[pair[0]][pair[1]] = found[pair[1]][pair[0]] = numbers[one, other]
    return found


def _number(numbers: dict[tuple[int, int], int], shape: BaseShape, pair: tuple[int, int]) -> None:
    """Number the pair's class, together with its images under the shape's moves."""
    number = max(numbers.values(), default=0) + 1
    waiting = [pair]
    while waiting:
        one, other = waiting.pop()
        if (one, other) not in numbers:
            numbers[one, other] = number
            if shape.factor is not None:
                waiting.append(shape.moved((shape.turned(one), shape.turned(other))))
                waiting.append(shape.moved((shape.scaled(one), shape.scaled(other))))


@dataclass(slots=True)
class _Layout:
    """Tables in progress, four seats each. `used`: class → occurrences. `kept`: tables that stay when players
    turn.
    """

    line: list[int]
    used: list[int]
    cost: int
    kept: list[list[int]] = field(default_factory=list)


def _layout(shape: BaseShape, classes: Sequence[Sequence[int]], chance: random.Random) -> _Layout:
    used = [0] * (max(map(max, classes)) + 1)
    used[0] = _FORBIDDEN
    kept: list[list[int]] = []
    if shape.factor is None:
        line = [place for _ in range(shape.base_rounds) for place in _shuffled(shape.players, chance)]
    else:
        line, kept = _turning(shape, classes, used, chance)
    layout = _Layout(line, used, 0, kept)
    for first in range(0, len(line), SEATS):
        for one, other in combinations(line[first : first + SEATS], 2):
            layout.cost += used[classes[one][other]]
            used[classes[one][other]] += 1
    return layout


def _turning(
    shape: BaseShape, classes: Sequence[Sequence[int]], used: list[int], chance: random.Random
) -> tuple[list[int], list[list[int]]]:
    left = dict.fromkeys(_shuffled(shape.players, chance))
    firsts = [at for at in left if at < shape.period] if shape.multiplier == 1 else [0]
    kept = []
    for fixed in shape.staying:
        at = next(at for at in firsts if at in left and not used[classes[at][shape.turned(at)]])
        used[classes[at][shape.turned(at)]] += 1
        kept.append([fixed, at, shape.turned(at), shape.turned(shape.turned(at))])
        for place in kept[-1]:
            del left[place]
    line = []
    while left:
        orbit = [place for (place,) in shape.images([next(iter(left))])]
        line.append(chance.choice(orbit))
        for place in orbit:
            del left[place]
    return line, kept


def _shuffled(count: int, chance: random.Random) -> list[int]:
    line = list(range(count))
    chance.shuffle(line)
    return line


def _annealed(
    layout: _Layout,
    shape: BaseShape,
    classes: Sequence[Sequence[int]],
    chance: random.Random,
    steps: int,
    stop: Stop,
) -> int:
    for taken in range(0, steps, LEG):
        if not layout.cost or stop():
            break
        _steps(layout, shape, classes, chance, HOT * math.pow(COLD / HOT, taken / steps))
    return layout.cost


def _steps(
    layout: _Layout, shape: BaseShape, classes: Sequence[Sequence[int]], chance: random.Random, heat: float
) -> None:
    """Take `LEG` steps at one heat: two places change tables, or one is turned."""
    line, used = layout.line, layout.used
    size, turning = len(line), shape.factor is not None
    a_round = shape.players if not turning else len(line)
    for _ in range(LEG):
        here = int(chance.random() * size)
        if turning and chance.random() < 0.5:
            move = shape.scaled if shape.multiplier > 1 and chance.random() < 0.5 else shape.turned
            changes = [(here, move(line[here]))]
        else:
            there = here // a_round * a_round + int(chance.random() * a_round)
            if here // SEATS == there // SEATS:
                continue
            changes = [(here, line[there]), (there, line[here])]
        before = [(place, line[place]) for place, _ in changes]
        change = sum(_put(line, used, classes, *each) for each in changes)
        if change > 0 and chance.random() >= math.exp(-change / heat):
            for each in before:
                _put(line, used, classes, *each)
        else:
            layout.cost += change
            if not layout.cost:
                return


def _put(line: list[int], used: list[int], classes: Sequence[Sequence[int]], place: int, player: int) -> int:
    """Put a player on a place, and return the change in cost."""
    first, old, change = place & ~3, line[place], 0
    of_old, of_new = classes[old], classes[player]
    others = [line[at] for at in range(first, first + SEATS) if at != place]
    for other in others:
        used[of_old[other]] -= 1
        change -= used[of_old[other]]
    for other in others:
        change += used[of_new[other]]
        used[of_new[other]] += 1
    line[place] = player
    return change


def _read_layout(layout: _Layout, shape: BaseShape) -> BaseRounds | None:
    """Return the base rounds if developing them shows no repeat."""
    tables = [layout.line[first : first + SEATS] for first in range(0, len(layout.line), SEATS)]
    if shape.factor is not None:
        tables = [sorted(image) for table in (*layout.kept, *tables) for image in shape.images(table)]
    size = shape.players // SEATS
    starters = tuple(
        tuple(tuple(table) for table in tables[first : first + size]) for first in range(0, len(tables), size)
    )
    base = BaseRounds(shape.period, shape.circles, starters)
    report = check_plan(base.developed(base.rounds), range(shape.players))
    return None if report.faults or report.repeats else base


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.find_base_rounds",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("players", type=int)
    parser.add_argument("--rounds", type=int, help="at least so many (as many as can be)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="stop after so long")
    parser.add_argument("--steps", type=int, default=STEPS, help="in one try")
    for name in ("--circles", "--period", "--fixed", "--base-rounds"):
        parser.add_argument(name, type=int)
    arguments = parser.parse_args(words)
    if arguments.players < SEATS or arguments.players % SEATS:
        parser.error("PLAYERS is a multiple of four")
    if (arguments.circles is None) != (arguments.period is None):
        parser.error("a shape needs --circles and --period")
    end = time.monotonic() + arguments.seconds
    asked = _read_shapes(arguments)
    for shape in asked:
        _say(f"{shape}\n")
        found = find_base_rounds(
            shape,
            seed=arguments.seed,
            tries=20 if shape is not asked[-1] else sys.maxsize,
            steps=arguments.steps,
            stop=lambda: time.monotonic() >= end,
            progress=lambda tries, least: _say(f"\r{tries} tries, {least} pairs too many in the best"),
        )
        _say("\n")
        if found is not None:
            sys.stdout.write(_entry(found) + "\n")
            return 0
    _say("none found\n")
    return 1


def _read_shapes(arguments: argparse.Namespace) -> list[BaseShape]:
    if arguments.circles and arguments.period:
        shape = BaseShape(
            arguments.period, arguments.circles, arguments.fixed or 0, arguments.base_rounds or 1
        )
        return [shape] if shape.players == arguments.players else []
    return shapes(arguments.players, arguments.rounds or most_rounds(arguments.players))


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _entry(base: BaseRounds) -> str:
    starters: Iterable[object] = base.starters
    parts = {"period": base.period, "circles": base.circles, "starters": starters}
    return json.dumps(parts, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(main())
