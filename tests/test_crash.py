"""A server killed while people save loses nothing that it confirmed; tests/crash.py tells how."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_a_killed_server_loses_nothing_and_keeps_nothing_half(migrated):
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash", "--kills", "2", "--migrated", str(migrated)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = dict(line.split(":") for line in done.stdout.splitlines())
    assert int(found["saves answered"]) > 10  # somebody was at work
    assert int(found["requests without an answer"]) > 0  # and was disturbed
