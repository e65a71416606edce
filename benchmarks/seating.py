"""How few repeated meetings a seating has, and how long it takes: `python -m benchmarks.seating`.

Nine parts, the first three beside figures of other programs and of published files:

(a) whole schedules for as many rounds as can pass without a repeat, or nearly;
(b) whole schedules of more rounds than that, where some repeats cannot be avoided (*bound*);
(c) Swiss: every round from the ranks after the one before, with made-up results, through the services;
(d) four random players leave after half the rounds: repeats over the whole event when the rest is seated
    again, in one request and after a whole search;
(e) clubs of one size that stay apart: meetings within a club, and repeats;
(f) how many visits of players to one table go beyond what rounds and tables require, over 528 sizes;
(g) players with uneven winds when the rest is seated after rounds of winds by chance, and how many of them no
    plan can avoid;
(h) the five Swiss plans: repeats and mean distance of ranks over an event that always takes the same one;
(i) clubmates at one table in the rounds after those in which they are kept apart.

Seconds are those of the processor. *even winds*: whether every player had each wind once in each four games.
"""

import argparse
import os
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from scoring.seating.schedule import whole_schedule
from scoring.seating.search import LEG
from scoring.seating.wishes import Apart, Wishes

Sizes = Sequence[tuple[int, int]]

# Players and rounds: Pantheon's random draw, its Swiss, Good Enough Golfers, World Riichi's published files
PUBLISHED = {
    (16, 5): (26, 12, 8, 0), (20, 6): (40, 9, 13, 22), (24, 7): (58, 22, 13, 0), (32, 8): (74, 24, 8, 0),
    (32, 10): (124, 54, 32, 0), (40, 10): (134, 32, 8, 0), (64, 10): (124, 28, 0, 0),
    (100, 8): (65, 5, 0, 0), (200, 10): (109, 17, None, None),
}  # fmt: skip
# annealing in 8 seconds, World Riichi's published files
PUBLISHED_OVERFULL = {
    (16, 8): (72, 72), (20, 7): (20, 41), (20, 8): (50, 67), (20, 10): (110, 114), (24, 8): (26, 33),
    (24, 10): (84, 101), (28, 10): (50, 42),
}  # fmt: skip
GOALS = {(16, 8): 72, (20, 7): 20, (20, 8): 50, (20, 10): 110, (24, 8): 25, (24, 10): 84, (28, 10): 42}
LEAVING = {(24, 6): 4, (32, 8): 5, (40, 10): 6}  # goals of repeats when four leave
CLUBS = [
    (16, 4, 4), (24, 5, 4), (24, 6, 4), (32, 8, 4), (32, 8, 8), (36, 8, 4), (36, 9, 4), (40, 9, 4),
    (40, 10, 4), (40, 8, 5), (48, 12, 4), (48, 8, 6),
]  # fmt: skip
WINDS_AFTER = [(8, 2, 0), (16, 2, 0), (24, 2, 0), (32, 2, 0), (32, 3, 0), (40, 3, 4)]
CLUBS_AFTER = [(24, 6, 6, 2), (32, 8, 8, 3), (40, 8, 10, 3), (40, 8, 5, 3)]
SWISS_GOAL = 50  # the sum of all nine


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--legs", type=int, default=300, help="of a whole schedule, 50,000 steps each")
    parser.add_argument("--players", type=int, default=200, help="only sizes of so many players at most")
    parser.add_argument("--events", type=int, default=3, help="simulated events of each size")
    arguments = parser.parse_args()
    set_up()
    say(machine(), "")
    schedules([size for size in PUBLISHED if size[0] <= arguments.players], arguments.legs)
    overfull([size for size in PUBLISHED_OVERFULL if size[0] <= arguments.players], arguments.legs)
    swiss([size for size in PUBLISHED if size[0] <= arguments.players], arguments.events)
    leaving([size for size in LEAVING if size[0] <= arguments.players], arguments.legs, arguments.events)
    table_visits(arguments.players)
    clubs_apart([size for size in CLUBS if size[0] <= arguments.players], arguments.legs)
    winds_after([size for size in WINDS_AFTER if size[0] <= arguments.players])
    dial(min(32, arguments.players), min(8, arguments.players // 4), arguments.events)
    after_clubs([size for size in CLUBS_AFTER if size[0] <= arguments.players], arguments.events)


def set_up() -> None:
    """A database in memory."""
    os.environ |= {"DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "benchmarks.settings"}
    import django

    django.setup()
    make_tables()


def schedules(sizes: Sizes, legs: int) -> None:
    say("(a) Whole schedules: repeated meetings", "")
    rows = [[*made(size, legs), *(shown(figure) for figure in PUBLISHED[size])] for size in sizes]
    published = ["Pantheon random", "Pantheon Swiss", "Good Enough Golfers", "World Riichi's files"]
    table([*HEADS, *published], rows)


def overfull(sizes: Sizes, legs: int) -> None:
    say("(b) More rounds than can pass without a repeat: repeated meetings", "")
    rows = []
    for size in sizes:
        row = made(size, legs)
        rows.append([*row, str(GOALS[size]), *(shown(figure) for figure in PUBLISHED_OVERFULL[size])])
    table([*HEADS, "goal", "annealing, 8 s", "World Riichi's files"], rows)


HEADS = ["players × rounds", "repeats", "bound", "seconds", "made", "even winds"]


def made(size: tuple[int, int], legs: int) -> list[str]:
    """The row of one size: the product's schedule."""
    start = time.process_time()
    schedule = whole_schedule(*size, seed=1, steps=legs * LEG)
    took = time.process_time() - start
    report = schedule.report
    even = not (report.uneven or report.broken_blocks or report.faults)
    return [
        f"{size[0]}×{size[1]}",
        str(report.repeats),
        str(report.least_repeats),
        f"{took:.2f}",
        "searched" if schedule.steps else "stored",
        "yes" if even else "NO",
    ]


def pairs(tables: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    return [pair for four in tables for pair in combinations(sorted(four), 2)]


def repeats(met: Mapping[tuple[int, int], int]) -> int:
    return sum(times - 1 for times in met.values())


def swiss(sizes: Sizes, events: int) -> None:
    say("(c) Swiss, round by round: repeated meetings, each number an event with other results", "")
    from benchmarks.played import swiss_event

    rows, sums = [], [0] * events
    for size in sizes:
        found = [swiss_event(*size, seed=seed) for seed in range(events)]
        for event, (count, *_) in enumerate(found):
            sums[event] += count
        rows.append([
            f"{size[0]}×{size[1]}",
            ", ".join(str(count) for count, *_ in found),
            f"{max(slowest for _, slowest, *_ in found):.2f}",
            f"{sum(spread for _, _, spread, *_ in found) / events:.1f}",
            shown(PUBLISHED[size][1]),
        ])  # fmt: skip
    heads = [
        "players × rounds",
        "repeats",
        "slowest round, s",
        "ranks apart",
        "Pantheon Swiss",
    ]
    published = sum(PUBLISHED[size][1] or 0 for size in sizes)
    rows.append(["sum", ", ".join(map(str, sums)), "", "", str(published)])
    table(heads, rows)
    say(f"Goal: a sum of at most {SWISS_GOAL} over all nine, and a second a round.", "")


def leaving(sizes: Sizes, legs: int, draws: int) -> None:
    say("(d) Four players leave after half the rounds: repeated meetings in the whole event", "")
    rows = []
    for players, rounds in sizes:
        drawn = [[repeats_after(players, rounds, seed, most) for seed in range(draws)] for most in (30, legs)]
        means = [f"{sum(found) / draws:.1f}" for found in drawn]
        rows.append([f"{players}×{rounds}", *means, str(LEAVING[players, rounds])])
    table(["players × rounds", "in one request", f"after {legs} legs", "goal"], rows)


def repeats_after(players: int, rounds: int, seed: int, legs: int) -> int:
    """Seat the rest of a schedule without a repeat, of which half was played, through the services."""
    from league.organizing.seating.services.plans import search
    from scoring.seating.rounds import history_of

    plan = [dict(enumerate(round_, start=1)) for round_ in whole_schedule(players, rounds, seed=seed).rounds]
    gone = set(random.Random(seed).sample(range(players), 4))  # noqa: S311 - made-up departures
    here = [player for player in range(players) if player not in gone]
    played, seated = plan[: rounds // 2], tuple(plan[rounds // 2 :])
    job = rest_of(here, range(len(played) + 1, rounds + 1), history_of(played, here), seated=seated)
    found = search(job, seed=seed, legs=legs, state=None, most=legs)
    met = Counter(pair for each in (*played, *found.plan) for pair in pairs([*each.values()]))
    return repeats({pair: times for pair, times in met.items() if gone.isdisjoint(pair)})


def rest_of(players: Sequence[int], numbers: Sequence[int], history: Any, **more: Any) -> Any:
    """A job of the services without a database: the rounds of these numbers."""
    from league.organizing.seating.queries.seating import PlanRequest, Target
    from league.organizing.seating.services.plans import Job

    facts = {"asked": PlanRequest(rounds=len(numbers)), "people": {}} | more
    return Job(
        targets=tuple(Target(number, None) for number in numbers),
        players=tuple(players),
        order=tuple(players),
        numbers=tuple(range(1, len(players) // 4 + 1)),
        history=history,
        **facts,
    )


def winds_after(sizes: Sequence[tuple[int, int, int]]) -> None:
    say(
        "(g) Players with uneven winds after rounds of winds by chance, eight rounds in all (unavoidable)",
        "",
    )
    from league.organizing.seating.services.plans import search
    from scoring.seating.rounds import history_of

    rows = []
    for players, before, gone in sizes:
        row = []
        for seed in range(3):
            chance = random.Random(seed)  # noqa: S311 - made-up rounds
            lines = [chance.sample(range(players), players) for _ in range(before)]
            played = [dict(enumerate(zip(*[iter(line)] * 4, strict=True), start=1)) for line in lines]
            here = range(players - gone)
            job = rest_of(here, range(before + 1, 9), history_of(played, here))
            found = search(job, seed=seed, legs=1, state=None)
            winds = history_of([*played, *found.plan]).winds
            uneven = [player for player in here if max(winds[player]) - min(winds[player]) > 1]
            most = [max(job.history.winds[player]) for player in here]
            games = [sum(winds[player]) for player in here]
            never = sum(had > -(-count // 4) for had, count in zip(most, games, strict=True))
            row.append(f"{len(uneven)} ({never})")
        rows.append([f"{players}", str(before), str(gone), ", ".join(row)])
    table(["players", "rounds before", "leave", "uneven"], rows)


def dial(players: int, rounds: int, events: int) -> None:
    say(f"(h) The five Swiss plans of {players} players in {rounds} rounds", "")
    from benchmarks.played import swiss_event
    from league.organizing.seating.queries.seating import WEIGHS

    rows = []
    for weighs in WEIGHS:
        found = [swiss_event(players, rounds, seed=seed, weighs=weighs) for seed in range(events)]
        repeats_, distance, uneven = (sum(each[at] for each in found) / events for at in (0, 3, 4))
        rows.append([weighs, f"{repeats_:.1f}", f"{distance:.2f}", f"{uneven:.1f}"])
    table(["plan", "repeats", "mean distance of ranks", "uneven winds"], rows)


def after_clubs(sizes: Sequence[tuple[int, int, int, int]], draws: int) -> None:
    say("(i) Clubmates at one table, by round, when they are kept apart in the first rounds only", "")
    rows = []
    for players, rounds, count, until in sizes:
        club = [player % count for player in range(players)]
        wishes = Wishes(apart=(Apart(club, until),))
        made = [
            whole_schedule(players, rounds, wishes=wishes, seed=seed, steps=30 * LEG) for seed in range(draws)
        ]
        mates = [
            sum(club[one] == club[other] for each in made for one, other in pairs(each.rounds[at])) / draws
            for at in range(rounds)
        ]
        chance = 3 * players * (players // count - 1) / (2 * (players - 1))
        by_round = ", ".join(f"{number:.1f}" for number in mates)
        rows.append([f"{players}×{rounds}", str(count), str(until), by_round, f"{chance:.1f}"])
    table(["players × rounds", "clubs", "apart in", "mates by round", "by chance"], rows)


def clubs_apart(sizes: Sequence[tuple[int, int, int]], legs: int) -> None:
    say("(e) Clubs of one size that stay apart", "")
    rows = []
    for players, rounds, count in sizes:
        club = [player * count // players for player in range(players)]
        start = time.process_time()
        found = whole_schedule(players, rounds, wishes=Wishes(apart=(Apart(club),)), seed=1, steps=legs * LEG)
        took = time.process_time() - start
        mates = sum(club[one] == club[other] for round_ in found.rounds for one, other in pairs(round_))
        rows.append([f"{players}×{rounds}", str(count), str(mates), str(found.repeats), f"{took:.2f}"])
    table(["players × rounds", "clubs", "within a club", "repeats", "seconds"], rows)


def table_visits(most: int) -> None:
    """Sizes of 16 to 188 players and 4 to 15 rounds."""
    say("(f) Visits to one table beyond need, stored or drawn schedules", "")
    sizes = [(players, rounds) for players in range(16, min(most, 188) + 1, 4) for rounds in range(4, 16)]
    start, beyond = time.process_time(), 0
    for players, rounds in sizes:
        plan = whole_schedule(players, rounds, seed=1, steps=0).rounds
        visits = Counter((player, at) for each in plan for at, four in enumerate(each) for player in four)
        need = -(-rounds // (players // 4))
        beyond += sum(max(0, times - need) for times in visits.values())
    took = time.process_time() - start
    table(["sizes", "beyond need", "seconds"], [[str(len(sizes)), str(beyond), f"{took:.0f}"]])


def shown(figure: int | None) -> str:
    return "–" if figure is None else str(figure)


if __name__ == "__main__":
    main()
