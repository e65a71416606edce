"""Compare the conditions of random last hands with brute force: `python -m benchmarks.last_hands`.

Each hand is asked of a random player, goal and standings, under each rule set in turn, every second time with
settings changed. *values*: hand values played through `scoring.hanchan`, settled and ranked by the standings.
*reasons*: why the game is over with each of them. *shared*: reached, but only with a shared place or rank.
*double rons*: pairs of values on one tile, some per hand. Every difference is printed. The exit code is 1 if
there is one.

With `--pages` the page `/needs/` is measured instead: as many new hands as asked for, through every
middleware, beside the page of the hand calculator. Numbers are medians of processor time.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from statistics import median
from urllib.parse import urlencode

from benchmarks.database import make_tables
from benchmarks.pages import start_django
from benchmarks.standings import machine, say, table
from benchmarks.steps import Asker
from tests.league.extras.needs.rules.last_hands import RULE_SETS, answers, asked


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=12, help="double rons per hand")
    parser.add_argument("--seed", type=int, default=30)
    parser.add_argument("--pages", type=int, help="measure as many pages")
    arguments = parser.parse_args()
    if arguments.pages:
        return measure_pages(arguments.pages)
    counts: dict[str, Counter[str]] = {slug: Counter() for slug in RULE_SETS}
    began = time.process_time()
    for number in range(arguments.hands):
        slug = RULE_SETS[number % len(RULE_SETS)]
        random = Random(arguments.seed * 1_000_003 + number)  # noqa: S311 - made-up hands
        compare(random, slug, arguments.pairs, counts[slug])
    say(machine(), "")
    heads = ["hands", "values", "draws", "double rons", "reasons"]
    heads += ["reached", "shared", "missed", "goes_on", "differences"]
    lines = [[slug, *(f"{counts[slug][head]:,}" for head in heads)] for slug in RULE_SETS]
    every = sum(counts.values(), Counter())
    table(["rule set", *heads], [*lines, ["all", *(f"{every[head]:,}" for head in heads)]])
    say(f"{time.process_time() - began:.0f} s of processor time", "")
    return 1 if every["differences"] else 0


def compare(random: Random, slug: str, pairs: int, count: Counter[str]) -> None:
    question = asked(random, slug)
    count["hands"] += 1
    for what, expected, said in answers(question, random, pairs):
        count[what] += 1
        count[expected] += 1
        if expected != said:
            count["differences"] += 1
            say(f"{what}: {expected}, not {said}, in {question}")


GOAL = 50  # ms
PAGES = {
    "calculator": "/hand/?hand=234406m77p345678s&win=8s&how=tsumo&honba={honba}&sticks={number}",
    "one player": "/needs/?rules=mleague&{hand}&me=1",
    "a rank": "/needs/?rules=ema-2025&{hand}&me=1&goal=rank&rivals={rivals}",
    "all four": "/needs/?rules=tenhou&{hand}&me=all",
    "double ron": "/needs/?rules=mahjong-soul&{hand}&me=1&double=0",
}


def measure_pages(count: int) -> int:
    with tempfile.TemporaryDirectory(prefix="umaoka-needs-") as home:
        start_django(Path(home))
        make_tables()
        ask, seconds = Asker(), {name: list[float]() for name in PAGES}
        for number in range(count + 1):
            shift = {"honba": number % 9, "number": number, "rivals": "+".join(map(str, range(-30, 30)))}
            for name, address in PAGES.items():
                start = 300 if "ema" in address else 250
                points = {
                    "p0": start + 50 + number,
                    "p1": start + 3,
                    "p2": start - 5,
                    "p3": start - 48 - number,
                }
                shift["hand"] = urlencode({"honba": number % 9, **points})
                began = time.process_time()
                status, _headers, _body = ask(address.format(**shift))
                seconds[name].append(time.process_time() - began)
                assert status == 200, name
    middle = {name: 1000 * median(some[1:]) for name, some in seconds.items()}  # the first loads templates
    say(machine(), "")
    lines = [[name, f"{ms:.1f}", f"{ms / middle['calculator']:.2f}"] for name, ms in middle.items()]
    table(["page", "ms", ": calculator"], lines)
    say(f"Goal: at most {GOAL} ms for one player.", "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
