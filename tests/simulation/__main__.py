"""``python -m tests.simulation``: many events, one seed after the other."""

import argparse
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence

if __name__ == "__main__":
    os.environ |= {"DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    import django

    django.setup()

from django.core.management import call_command
from django.test.utils import setup_test_environment
from tqdm import tqdm

import tests.simulation
from tests.simulation.clubs import play_season
from tests.simulation.play import play_event, thrown_away
from tests.simulation.referees import play_day, referees
from tests.simulation.teams import play_teams


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=tests.simulation.__doc__)
    parser.add_argument("--events", type=int, default=100, help="how many (default: 100)")
    parser.add_argument(
        "--seed", type=int, default=1, help="of the first one; the others follow (default: 1)"
    )
    parser.add_argument("--clubs", action="store_true", help="seasons of clubs, in place of whole events")
    parser.add_argument("--referees", action="store_true", help="days of refereeing, in place of events")
    parser.add_argument("--teams", action="store_true", help="seasons of teams, in place of whole events")
    asked = parser.parse_args(words)
    play = play_season if asked.clubs else play_teams if asked.teams else play_event
    setup_test_environment()
    logging.disable(logging.INFO)
    call_command("migrate", verbosity=0)
    if asked.referees:
        made = referees()
        play = lambda seed: play_day(seed, made)  # noqa: E731
    did: Counter[str] = Counter()
    failed: list[int] = []
    began = time.monotonic()
    every = 0.5 if sys.stderr.isatty() else 60  # seconds
    for seed in tqdm(range(asked.seed, asked.seed + asked.events), mininterval=every):
        try:
            with thrown_away():
                did += play(seed)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong has a seed, and the next event is played
            failed.append(seed)
            sys.stdout.write(f"seed {seed}: {type(error).__name__}: {error}\n")
            sys.stdout.flush()
    seconds = time.monotonic() - began
    counts = ", ".join(f"{name} {count}" for name, count in sorted(did.items()))
    sys.stdout.write(
        f"{asked.events} events in {seconds:.0f} s, {len(failed)} failed {failed[:20]}\n{counts}\n"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
