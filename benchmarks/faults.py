"""What faults leave behind: `python -m benchmarks.faults kills --times 1000`.

gunicorn serves a competition of its own, on a temporary SQLite file or, under `python -m tests.postgres`, on
PostgreSQL. Four scorers save without pause while it is killed (also during an import), backed up or restored,
or finds the disk full.
At the end the facts are compared with the answers that the scorers got (tests/faults). Status 1 if anything
is lost.
"""

import argparse
import logging
import os
import random
import sys
import tempfile
from pathlib import Path

from tqdm import tqdm

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from tests.places import Place, new_place

PROGRAMS = ("kills", "backups", "restores", "full_disks", "races", "imports", "tasks")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", choices=PROGRAMS)
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which things happen")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="umaoka-faults-") as folder,
        new_place(Path(folder), migrated=os.environ.get("MIGRATED", "")) as place,
    ):
        os.environ.update(place.environ)
        chance = random.Random(arguments.seed)  # noqa: S311 - no secret
        return run(arguments.program, Path(folder), place, arguments.times, chance)


def run(program: str, home: Path, place: Place, times: int, chance: random.Random) -> int:
    """Print the counts of the program. Return 1 if something was lost."""
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from django.db import connection

    from tests.faults import programs
    from tests.faults.hall import Hall

    make_tables()
    with tqdm(total=times, desc=program, disable=None, leave=False) as bar:
        hall = Hall(place, home, chance)
        found = getattr(programs, program)(hall, home, times, lambda done: bar.update(done - bar.n))
    say(f"{program} on {connection.vendor}: {machine()}", "")
    table(["what", "count"], [[what, str(count)] for what, count in found.items()])
    return int(any(found[name] for name in programs.MUST_BE_NONE if name in found))


if __name__ == "__main__":
    sys.exit(main())
