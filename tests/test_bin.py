"""`bin/test` ends at once with all that it started."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SLEEPING = """
import os, subprocess, time
from pathlib import Path

def test_it():
    server = subprocess.Popen(["sleep", "300"], start_new_session=True)
    Path({ready!r}).write_text(f"{{os.getpid()}} {{server.pid}}")
    time.sleep(300)
"""


def interrupt(run: subprocess.Popen[bytes]) -> None:
    """Send what Ctrl-C sends: the signal to all processes in front of the terminal."""
    os.killpg(run.pid, signal.SIGINT)


@pytest.mark.parametrize("stop", [subprocess.Popen.terminate, interrupt])
def test_a_signal_ends_the_tests_and_what_they_started(tmp_path, stop: Callable[..., None]):
    ready = tmp_path / "ready"
    (tmp_path / "test_sleeping.py").write_text(SLEEPING.format(ready=str(ready)))
    words = ["-c", "/dev/null", "-p", "no:django", "-p", "no:cacheprovider", str(tmp_path)]
    run = subprocess.Popen([ROOT / "bin/test", *words], start_new_session=True, stdout=subprocess.DEVNULL)
    until(ready.exists)
    time.sleep(0.1)
    started = ready.read_text().split()

    stop(run)

    assert run.wait(timeout=20) != 0
    assert [pid for pid in started if is_running(pid)] == []


def is_running(pid: str) -> bool:
    """Check that the process has a command. One that has ended, and waits for its parent, has none."""
    try:
        return Path("/proc", pid, "cmdline").read_bytes() != b""
    except FileNotFoundError:
        return False


def until(found: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not found():
        assert time.monotonic() < end
        time.sleep(0.05)
