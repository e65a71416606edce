"""Short runs of the programs: nothing that was answered is lost, and every backup is restored as it was.

With ``--long`` they run twice as long, and an import is killed on PostgreSQL too, where one transaction holds
as much as in the other programs.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.places import SERVER

ROOT = Path(__file__).resolve().parents[2]
ON_POSTGRESQL = SERVER.startswith("postgres")
pytestmark = [pytest.mark.both_databases, pytest.mark.slow]


@pytest.fixture
def counted(empty_tables, pytestconfig):
    """`counted(program, times)`: what the program counted, after it found nothing lost."""

    def run(program: str, times: int) -> dict[str, str]:
        times *= 1 + pytestconfig.option.long
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.faults", program, f"--times={times}"],
            cwd=ROOT,
            env=os.environ | {"MIGRATED": empty_tables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        found = re.findall(r"^\|\s+(.+?) \|\s+(.+?) \|$", done.stdout, re.MULTILINE)
        return dict(found) | {"times": str(times)}

    return run


def test_killed_servers_lose_nothing_and_keep_nothing_half(counted):
    found = counted("kills", 2 if ON_POSTGRESQL else 4)

    assert int(found["saves answered"]) > 3
    assert int(found["requests without an answer"]) > 0


def test_a_backup_made_while_people_save_holds_all_that_was_answered_before(counted):
    found = counted("backups", 1)

    assert found["backups restored"] == found["times"]


def test_after_a_killed_server_a_backup_is_restored_in_the_same_place_and_in_an_empty_one(counted):
    found = counted("restores", 1)

    assert int(found["saves after backups"]) > 0
    if not ON_POSTGRESQL:
        assert found["with a log left beside it"] == found["times"]


@pytest.mark.skipif(ON_POSTGRESQL, reason="its files are PostgreSQL's own")
def test_a_server_on_a_full_disk_says_so_and_loses_nothing(counted):
    found = counted("full_disks", 1)

    assert int(found["answers that say the disk is full"]) > 0


def test_of_those_who_correct_one_version_at_once_one_wins_and_the_others_see_both(counted):
    found = counted("races", 3)

    assert found["won by one"] == found["times"]
    assert int(found["shown both sheets"]) == 3 * int(found["times"])


@pytest.mark.skipif("ON_POSTGRESQL and not config.option.long", reason="runs with --long")
def test_an_import_that_is_killed_shows_nothing_by_halves_and_can_be_repeated(counted):
    found = counted("imports", 3)

    killed = sum(int(count) for name, count in found.items() if name.startswith("killed"))
    assert int(found["kills"]) == killed


@pytest.mark.skipif("ON_POSTGRESQL and not config.option.long", reason="runs with --long")
def test_long_work_that_is_killed_ends_all_the_same(counted):
    found = counted("tasks", 3)

    assert int(found["of a task"]) + int(found["of the worker"]) == int(found["kills"])
