"""Compare the conditions of random last hands with brute force: `python -m benchmarks.last_hands`.

Each hand is asked of a random player, goal and standings, under each rule set in turn, every second time with
settings changed. *values*: hand values played through `scoring.hanchan`, settled and ranked by the standings.
*double rons*: pairs of values on one tile, some per hand. Every difference is printed. The exit code is 1 if
there is one.
"""

import argparse
import sys
import time
from collections import Counter
from random import Random

from benchmarks.standings import machine, say, table
from tests.scoring.last_hands import RULE_SETS, answers, asked


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--pairs", type=int, default=12, help="double rons per hand")
    parser.add_argument("--seed", type=int, default=30)
    arguments = parser.parse_args()
    counts: dict[str, Counter[str]] = {slug: Counter() for slug in RULE_SETS}
    began = time.process_time()
    for number in range(arguments.hands):
        slug = RULE_SETS[number % len(RULE_SETS)]
        random = Random(arguments.seed * 1_000_003 + number)  # noqa: S311 - made-up hands
        compare(random, slug, arguments.pairs, counts[slug])
    say(machine(), "")
    heads = ["hands", "values", "draws", "double rons", "reached", "missed", "goes_on", "differences"]
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


if __name__ == "__main__":
    sys.exit(main())
