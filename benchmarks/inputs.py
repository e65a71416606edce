"""Hostile inputs over every form, file and address: `python -m benchmarks.inputs --times 100000`.

The same as `tests/test_bad_input.py`, over and over with other seeds, on a temporary database: fields left
out, doubled or replaced by bad text and by ids of another competition; broken bodies, files and queries. Each
is undone. At the end the other competition must be as it was. Status 1 if anything got an error 500, or
changed it.
"""

import argparse
import itertools
import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tqdm import tqdm

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from tests.places import new_place

SHOWN = 20  # of the failures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=10_000, help="how many requests at least")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="umaoka-inputs-") as folder, new_place(Path(folder)) as place:
        os.environ |= place.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
        import django
        from django.test.utils import setup_test_environment

        django.setup()
        logging.disable(logging.ERROR)
        setup_test_environment()
        make_tables()
        return run(arguments.times, arguments.seed)


def run(times: int, first_seed: int) -> int:
    """Print the inputs and the failures. Return 1 if there was a failure."""
    from django.conf import settings
    from django.core.cache import cache
    from django.db import connection

    from tests.hostile_input import Hostile, attack, make_world
    from tests.pages.facts import facts_of

    settings.OPEN_SIGNUP = True
    world = make_world()
    sent: Counter[int] = Counter()
    failed: list[str] = []
    with tqdm(total=times, desc="inputs", disable=None, leave=False) as bar:
        for seed, name, role in attacks(first_seed):
            cache.clear()  # limits begin again for each
            hostile = Hostile(role, world, f"{name} {role} {seed}")
            attack(hostile, name, slice(None))
            sent += hostile.answers
            failed += hostile.failed
            bar.update(hostile.answers.total())
            if sent.total() >= times:
                break
    same = facts_of(world.there.club.competition) == world.facts_there
    say(f"Hostile inputs on {connection.vendor}: {machine()}", "")
    rows = [[f"answered {status}", f"{count:,}"] for status, count in sorted(sent.items())]
    rows.append(["errors 500", str(len(failed))])
    table(["what", "count"], [["sent", f"{sent.total():,}"], *rows])
    say("", f"The other competition is {'as it was' if same else 'CHANGED'}.", *failed[:SHOWN])
    return int(bool(failed) or not same)


def attacks(first_seed: int) -> Iterator[tuple[int, str, str]]:
    """(seed, page, role) without end."""
    from tests.pages.rules import PAGES
    from tests.submissions import SITE, roles_for

    for seed in itertools.count(first_seed):
        for name in (*sorted(PAGES), *SITE):
            for role in roles_for(name):
                yield seed, name, role


if __name__ == "__main__":
    sys.exit(main())
