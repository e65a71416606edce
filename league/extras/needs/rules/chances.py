"""Chances: the rest of a stage is simulated many times from where it stands. An estimate.

A *unit* sits at tables: a player, or a team that names its players later. A *contestant* is ranked: the unit
itself, or its team. Each simulated end draws

1. how different the units are: the spread of strengths, from what the places so far make likely;
2. the strength of each unit, from its games so far, shrunk to the mean, with its uncertainty. After few games
   all are nearly equal;
3. tables for rounds without seats;
4. for each table one table as it was played in this stage. Its four scores go to the units in an order in
   which the stronger one comes before the weaker one with odds of exp(difference of strengths).

Without step 2 forecasts are too sure of themselves (`benchmarks/chances.py` shows their calibration). Equal
totals are ordered at random. The same season and seed give the same chances.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import exp, log, sqrt
from typing import Final

from scoring.settlement import Four
from scoring.units import Score

ENDS: Final = 2_000
MOST_TABLES: Final = 400_000  # to simulate: a longer rest of a stage has fewer ends
FEWEST_ENDS: Final = 400
FEWEST_TABLES: Final = 8  # as played, to draw from
OTHERWISE: Final = 1_000  # one end in so many may differ from what is practically decided
# Spreads of strengths that are tried, with their weights before the first game. The logarithm of odds of two
# players one spread apart: at 0.3 the stronger one comes before the other in 57 of 100 games.
SPREADS: Final = ((0.05, 1.0), (0.15, 2.0), (0.25, 3.0), (0.35, 3.0), (0.5, 2.0), (0.7, 1.0), (1.0, 0.5))
SLOPE: Final = 0.75  # of the mean place by strength: a quarter for each of three opponents
VARIANCE: Final = 1.25  # of one place of 1 to 4


@dataclass(frozen=True, slots=True)
class RoundToCome:
    """A round that is still to be played: tables with four units each, and units who are seated by lot.

    `most`: the number of tables for the lot, or None to seat as many units as possible.
    """

    tables: tuple[Four, ...] = ()
    drawn: tuple[int, ...] = ()
    most: int | None = None

    @property
    def units(self) -> list[int]:
        return [*self.drawn, *chain.from_iterable(self.tables)]

    @property
    def size(self) -> int:
        return len(self.tables) + self.drawn_tables

    @property
    def drawn_tables(self) -> int:
        fit = len(self.drawn) // 4
        return fit if self.most is None else min(fit, self.most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A stage from where it stands.

    `totals`: contestant → tenths. `places`: unit → how often each place. `results`: scores of the tables so
    far, from first to last place. `team`: unit → contestant, for units that are not contestants themselves.
    """

    totals: Mapping[int, Score]
    places: Mapping[int, Four]
    results: Sequence[tuple[float | Score, ...]]
    rounds: Sequence[RoundToCome]
    team: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Chances:
    """Simulated ends of a stage.

    `within`: contestant → the number of `ends` in which it had the rank of each line, or a better one.
    """

    seed: int
    ends: int
    lines: tuple[int, ...]
    within: Mapping[int, tuple[int, ...]]

    def decided(self, contestant: int, line: int) -> bool | None:
        """Return whether it is practically decided that the contestant is within, or outside the line."""
        count = self.within[contestant][self.lines.index(line)]
        if self.ends < OTHERWISE:
            return None
        if (self.ends - count) * OTHERWISE < self.ends:
            return True
        return False if count * OTHERWISE < self.ends else None


def can_simulate(season: Season) -> bool:
    return len(season.results) >= FEWEST_TABLES and bool(season.rounds)


def ends_of(season: Season) -> int:
    """Return the number of ends that a worker simulates in about a second."""
    tables = sum(round_.size for round_ in season.rounds)
    return max(FEWEST_ENDS, min(ENDS, MOST_TABLES // max(1, tables)))


def simulate(season: Season, lines: Sequence[int], *, seed: int, ends: int | None = None) -> Chances:
    """Simulate the rest of the season. Raises ValueError unless `can_simulate`."""
    if not can_simulate(season):
        raise ValueError(f"{len(season.results)} tables, {len(season.rounds)} rounds to come")
    ends = ends or ends_of(season)
    chance = random.Random(seed)  # noqa: S311 - a simulation that can be repeated
    units = dict.fromkeys(chain.from_iterable(each.units for each in season.rounds))
    strengths = Strengths(season.places, list(units))
    ranked = {contestant: index for index, contestant in enumerate(season.totals)}
    start = [float(total) for total in season.totals.values()]
    results = [tuple(map(float, scores)) for scores in season.results]
    seats = {unit: ranked.get(season.team.get(unit, unit), len(start)) for unit in strengths.units}
    reached = [[0] * len(lines) for _ in start]
    for _ in range(ends):
        totals = [*start, 0.0]  # the last one is of seats that count for no contestant
        weights = strengths.draw(chance)
        for round_ in season.rounds:
            _play(round_, weights, seats, results, totals, chance)
        totals.pop()
        noise = chance.random
        order = sorted(range(len(totals)), key=lambda index: (-totals[index], noise()))
        for number, line in enumerate(lines):
            for index in order[:line]:
                reached[index][number] += 1
    within = {contestant: tuple(reached[index]) for contestant, index in ranked.items()}
    return Chances(seed, ends, tuple(lines), within)


def _play(
    round_: RoundToCome,
    weights: Mapping[int, float],
    seats: Mapping[int, int],
    results: Sequence[Sequence[float]],
    totals: list[float],
    chance: random.Random,
) -> None:
    """Add the scores of a simulated round. Written out for speed: the simulation spends its time here."""
    tables: Sequence[Sequence[int]] = round_.tables
    if round_.drawn:
        line = chance.sample(round_.drawn, 4 * round_.drawn_tables)
        tables = [*tables, *(line[at : at + 4] for at in range(0, len(line), 4))]
    uniform, count = chance.random, len(results)
    for a, b, c, d in tables:
        # Exponential waiting times put the units in the order of Plackett and Luce.
        order = sorted(
            (
                (log(1 - uniform()) / -weights[a], seats[a]),
                (log(1 - uniform()) / -weights[b], seats[b]),
                (log(1 - uniform()) / -weights[c], seats[c]),
                (log(1 - uniform()) / -weights[d], seats[d]),
            )
        )
        for (_time, seat), score in zip(order, results[int(uniform() * count)]):  # noqa: B905 - for speed
            totals[seat] += score


class Strengths:
    """Strengths as far as places tell them: a normal distribution for each unit, for each spread."""

    def __init__(self, places: Mapping[int, Four], units: Sequence[int]) -> None:
        self.units = units
        known = [_mean_place(places[unit]) for unit in places if sum(places[unit])]
        likely = [log(weight) + _likelihood(spread, known) for spread, weight in SPREADS]
        most = max(likely)
        self.likely = [exp(each - most) for each in likely]
        self.posteriors = [
            [_posterior(spread, places.get(unit, (0, 0, 0, 0))) for unit in units]
            for spread, _weight in SPREADS
        ]

    def draw(self, chance: random.Random) -> dict[int, float]:
        """Return unit → exp(strength), of one possible world."""
        [posterior] = chance.choices(self.posteriors, self.likely)
        gauss = chance.gauss
        return {
            unit: exp(gauss(mean, spread)) for unit, (mean, spread) in zip(self.units, posterior, strict=True)
        }


def _mean_place(places: Four) -> tuple[int, float]:
    """Return the number of games, and by how much the mean place is better than 2.5."""
    first, second, third, fourth = places
    games = sum(places)
    return games, (1.5 * first + 0.5 * second - 0.5 * third - 1.5 * fourth) / games if games else 0.0


def _likelihood(spread: float, known: Sequence[tuple[int, float]]) -> float:
    variances = [((SLOPE * spread) ** 2 + VARIANCE / games, mean) for games, mean in known]
    return -sum(log(variance) + mean * mean / variance for variance, mean in variances) / 2


def _posterior(spread: float, places: Four) -> tuple[float, float]:
    """Return mean and standard deviation of a strength (a normal prior, a normal mean place)."""
    games, mean = _mean_place(places)
    precision = 1 / spread**2 + games * SLOPE**2 / VARIANCE
    return games * SLOPE * mean / VARIANCE / precision, 1 / sqrt(precision)
