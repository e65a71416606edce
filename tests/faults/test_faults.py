"""Short runs of the programs, on PostgreSQL shorter ones: nothing that was answered is lost, and every backup
is restored as it was.
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
pytestmark = pytest.mark.both_databases


@pytest.fixture
def counted(empty_tables):
    """`counted(program, times)`: what the program counted, after it found nothing lost."""

    def run(program: str, times: int) -> dict[str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.faults", program, f"--times={times}"],
            cwd=ROOT,
            env=os.environ | {"MIGRATED": empty_tables},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        return dict(re.findall(r"^\|\s+(.+?) \|\s+(.+?) \|$", done.stdout, re.MULTILINE))

    return run


def test_killed_servers_lose_nothing_and_keep_nothing_half(counted):
    found = counted("kills", 2 if ON_POSTGRESQL else 4)

    assert int(found["saves answered"]) > 3
    assert int(found["requests without an answer"]) > 0


def test_a_backup_made_while_people_save_holds_all_that_was_answered_before(counted):
    times = 1 if ON_POSTGRESQL else 2
    assert counted("backups", times)["backups restored"] == str(times)


def test_after_a_killed_server_a_backup_is_restored_in_the_same_place_and_in_an_empty_one(counted):
    found = counted("restores", 1 if ON_POSTGRESQL else 2)

    assert int(found["saves after backups"]) > 0
    if not ON_POSTGRESQL:
        assert found["with a log left beside it"] == "2"


@pytest.mark.skipif(ON_POSTGRESQL, reason="its files are PostgreSQL's own")
def test_a_server_on_a_full_disk_says_so_and_loses_nothing(counted):
    found = counted("full_disks", 2)

    assert int(found["answers that say the disk is full"]) > 0


def test_of_those_who_correct_one_version_at_once_one_wins_and_the_others_see_both(counted):
    found = counted("races", 3)

    assert (found["won by one"], found["shown both sheets"]) == ("3", "9")


def test_an_import_that_is_killed_shows_nothing_by_halves_and_can_be_repeated(counted):
    found = counted("imports", 2 if ON_POSTGRESQL else 3)

    assert int(found["kills"]) == sum(
        int(count) for name, count in found.items() if name.startswith("killed")
    )


def test_long_work_that_is_killed_ends_all_the_same(counted):
    found = counted("tasks", 2 if ON_POSTGRESQL else 4)

    assert int(found["of a task"]) + int(found["of the worker"]) == int(found["kills"])
