"""Compare chances with what happened: `python -m benchmarks.chances`.

Random seasons: strengths and points are drawn by another model than that of `rules/chances.py` of the extra
`needs` (normal points of every player, shifted by the strength, whose spread is drawn for each season).
After each round the chances of every player to come first and to come into the upper half are noted, and so
is what happened. *Real*: the seasons of `tests/data`, in the same way. A table shows for each tenth of
forecasts how often it happened. The Brier score (mean squared error, less is better) stands beside that of
equal chances for all. "Otherwise" counts what was practically decided and did not happen.

With `--proofs` random last tables are played to many ends, against what was said to be proven. So are
results at both ends of each span of points and within, which must lie in exactly one span.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from benchmarks.standings import machine, say, table
from league.extras.needs.rules.chances import ENDS, RoundToCome, Season, can_simulate, simulate
from scoring.presets import resolve
from scoring.rules import Rules
from scoring.settlement import SEATS, FourScores, settler
from scoring.standings import Game, rank_players
from tests.league.extras.needs.rules.last_hanchan import CHANGES, compare
from tests.league.extras.needs.rules.last_hanchan_spans import compare_spans, random_last

DATA = Path(__file__).parents[1] / "tests" / "data"
GOAL = 3  # per cent
FEWEST_SEASONS = 200  # for the goal
Rounds = list[list[Game]]


@dataclass
class Tally:
    """Forecasts by tenth: how many, their sum, and how many came true."""

    tenths: list[list[float]] = field(default_factory=lambda: [[0, 0.0, 0] for _ in range(10)])
    brier: float = 0.0
    equal: float = 0.0
    decided: int = 0
    otherwise: int = 0
    seasons: int = 0

    @property
    def forecasts(self) -> int:
        return int(sum(count for count, _sum, _true in self.tenths))

    def add(self, forecast: float, equal: float, happened: bool, decided: bool | None) -> None:
        tenth = self.tenths[min(9, int(forecast * 10))]
        tenth[0] += 1
        tenth[1] += forecast
        tenth[2] += happened
        self.brier += (forecast - happened) ** 2
        self.equal += (equal - happened) ** 2
        self.decided += decided is not None
        self.otherwise += decided is not None and decided != happened

    @property
    def largest_gap(self) -> float:
        """Return the largest difference of a tenth with a hundredth of all forecasts, in per cent."""
        filled = [each for each in self.tenths if each[0] * 100 >= self.forecasts]
        return max(100 * abs(total / count - true / count) for count, total, true in filled)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seasons", type=int, default=240)
    parser.add_argument("--ends", type=int, default=1_000, help=f"per forecast (pages: {ENDS})")
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--proofs", type=int, help="play so many random last tables instead")
    arguments = parser.parse_args()
    began = time.process_time()
    if arguments.proofs:
        return prove(arguments.proofs)
    simulated, real = Tally(), Tally()
    for number in range(arguments.seasons):
        rounds, rules, players = random_season(Random(arguments.seed * 1_000_003 + number))  # noqa: S311
        ask(rounds, rules, players, simulated, ends=arguments.ends)
    for name, preset in (("mleague-2018-19.json", "mleague"), ("sample-24-players.json", "ema-2016")):
        played, players = real_season(name)
        ask(played, resolve(preset), players, real, ends=arguments.ends)
    say(machine(), "")
    for name, found in (("random", simulated), ("real", real)):
        show(name, found)
    say(f"{time.process_time() - began:.0f} s of processor time", "")
    is_enough = arguments.seasons >= FEWEST_SEASONS
    return 1 if is_enough and simulated.largest_gap > GOAL else 0


def random_season(chance: Random) -> tuple[Rounds, Rules, list[int]]:
    rules = resolve(chance.choice(("mleague", "ema-2025", "wrc-2025", "jpml-a")))
    players = list(range(chance.choice((8, 12, 16, 24))))
    spread = chance.uniform(0, 5_000)  # of mean points
    strength = [chance.gauss(0, spread) for _ in players]
    rounds = []
    for _ in range(chance.choice((4, 6, 8, 12))):
        line = chance.sample(players, len(players))
        fours = [line[at : at + 4] for at in range(0, len(line), 4)]
        rounds.append([played(four, strength, rules, chance) for four in fours])
    return rounds, rules, players


def played(four: Sequence[int], strength: Sequence[float], rules: Rules, chance: Random) -> Game:
    drawn = [strength[player] + chance.gauss(0, 13_000) for player in four]
    mean = sum(drawn) / 4
    points = [rules.start_points + round((each - mean) / 100) * 100 for each in drawn]
    points[0] += rules.total_points - sum(points)
    a, b, c, d = four
    east, south, west, north = points
    return a, b, c, d, east, south, west, north, 0


def real_season(name: str) -> tuple[Rounds, list[int]]:
    file = json.loads((DATA / name).read_text(encoding="utf-8"))
    players = {player["id"]: number for number, player in enumerate(file["players"])}
    rounds = [
        [
            (
                *(players[seat["player"]] for seat in each["seats"]),
                *(seat["points"] for seat in each["seats"]),
                each.get("sticks", 0),
            )
            for each in round_["tables"]
        ]
        for round_ in file["divisions"][0]["stages"][0]["rounds"]
    ]
    return rounds, list(players.values())


def ask(rounds: Rounds, rules: Rules, players: Sequence[int], tally: Tally, *, ends: int) -> None:
    """Note the chances after every round, and what happened."""
    tally.seasons += 1
    lines = (1, len(players) // 2)
    end = ranks([game for games in rounds for game in games], rules, players)
    every = range(1, len(rounds)) if len(rounds) <= 20 else range(8, len(rounds), 7)
    for at in every:
        season = season_after(rounds, at, rules, players)
        if not can_simulate(season):
            continue
        found = simulate(season, lines, seed=at, ends=ends)
        for player, counts in found.within.items():
            for line, count in zip(lines, counts, strict=True):
                decided = found.decided(player, line) if ends >= 1000 else None
                tally.add(count / ends, line / len(players), end[player] <= line, decided)


def ranks(games: Sequence[Game], rules: Rules, players: Sequence[int]) -> dict[int, int]:
    return {row.player: row.rank for row in rank_players(games, rules, entrants=players)}


def season_after(rounds: Rounds, at: int, rules: Rules, players: Sequence[int]) -> Season:
    games = [game for round_ in rounds[:at] for game in round_]
    rows = rank_players(games, rules, entrants=players)
    settle = settler(rules)
    return Season(
        totals={row.player: row.total for row in rows},
        places={row.player: row.places for row in rows},
        results=[in_order(settle(*game[4:])[1]) for game in games],
        rounds=[RoundToCome(tables=tuple(game[:4] for game in round_)) for round_ in rounds[at:]],
    )


def in_order(scores: FourScores) -> FourScores:
    first, second, third, fourth = sorted(scores, reverse=True)
    return first, second, third, fourth


def show(name: str, tally: Tally) -> None:
    def lines() -> Iterator[list[str]]:
        for number, (count, total, true) in enumerate(tally.tenths):
            share = [f"{100 * total / count:.1f}", f"{100 * true / count:.1f}"] if count else ["–", "–"]
            gap = f"{100 * (true - total) / count:+.1f}" if count else "–"
            yield [f"{10 * number}–{10 * number + 10} %", f"{count:,}", *share, gap]

    say(f"{name}: {tally.seasons} seasons, {tally.forecasts:,} forecasts", "")
    table(["forecast", "count", "mean %", "happened %", "difference"], list(lines()))
    count = tally.forecasts
    say(f"Brier score {tally.brier / count:.4f}, of equal chances {tally.equal / count:.4f}.")
    say(f"Largest difference of a tenth: {tally.largest_gap:.1f} (goal {GOAL}).")
    say(f"Practically decided: {tally.decided:,}, otherwise: {tally.otherwise}.", "")


def prove(tables: int) -> int:
    """Play random last tables, and results in every span. Raises AssertionError at a contradiction."""
    began, seen, ends, results, untried = time.process_time(), dict[str, int](), 0, 0, 0
    for seed in range(tables):
        count, found = compare(1_000 + seed, 200)
        ends += count
        seen = {name: seen.get(name, 0) + number for name, number in found.items()}
        chance = Random(seed)  # noqa: S311
        last, goal = random_last(chance)
        for seat in SEATS:
            checked = compare_spans(last, seat, goal, chance)
            results, untried = results + checked.results, untried + checked.untried
    say(machine(), "")
    say(f"{tables} tables under {len(CHANGES)} rule sets, {ends:,} ends of a player without contradiction:")
    say(", ".join(f"{name} {number:,}" for name, number in seen.items()))
    say(f"{results:,} results at the ends of spans and within, each in one span and without contradiction")
    say(f"{untried:,} points of spans without a result among the tries")
    say(f"{time.process_time() - began:.0f} s of processor time", "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
