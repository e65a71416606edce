"""SIGKILL of those who do long work, at moments of chance, while people save and ask for files.

Every task ends or is visibly failed, and in the end each file arrives as the facts are then.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

from django_tasks_db.models import DBTaskResult

from league.core.tasks import UNDER_WAY
from league.management.commands.work import LEASE
from league.models import KeptFile
from tests.faults.hall import Hall

FILES = ("results.csv", "results.json", "workbook.xlsx")
GROUP = 5  # every fifth kill is of the whole server
WAIT = 2 * LEASE + 30


def tasks(hall: Hall, home: Path, times: int, progress: Callable[[int], object]) -> dict[str, object]:
    """The process of a task, the worker, or the whole server is killed while files are made."""
    counts = dict.fromkeys(("of a task", "of the worker", "of the server", "files that did not arrive"), 0)
    done = 0
    with hall.scorers():
        while done < times:
            with hall.server():
                for number in range(min(GROUP, times - done)):
                    hall.let_work(1)
                    _ask(hall, number)
                    time.sleep(hall.chance.uniform(0, 1))
                    counts[_kill(hall, home)] += 1
                    done += 1
                    progress(done)
            counts["of the server"] += 1
        with hall.server():
            hall.let_work(2)
            hall.finish()
            counts["files that did not arrive"] = sum(not _arrives_new(hall, name) for name in FILES)
            left = _count_left()
    failed = DBTaskResult.objects.failed().count()
    return {
        "kills": times,
        **counts,
        "tasks that failed": failed,
        "tasks that did not end": left,
        **hall.judge(),
    }


def _ask(hall: Hall, number: int) -> int:
    """The status of a file that a visitor asks for."""
    try:
        with urlopen(
            f"http://127.0.0.1:{hall.port}/c/crash/download/{FILES[number % len(FILES)]}", timeout=30
        ) as it:
            return int(it.status)
    except HTTPError as error:
        return error.code


def _kill(hall: Hall, home: Path) -> str:
    """Kill the worker, or if one runs the process of a task. Return which."""
    found = [
        int(process.name)
        for process in Path("/proc").glob("[0-9]*")
        if b"\0work\0" in _read(process / "cmdline") and str(home).encode() in _read(process / "environ")
    ]
    parents = [pid for pid in found if _parent_of(pid) not in found]
    chosen = hall.chance.choice(found) if found else 0
    with suppress(ProcessLookupError):
        os.kill(chosen, signal.SIGKILL) if chosen else None
    return "of the worker" if chosen in parents else "of a task"


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _parent_of(pid: int) -> int:
    words = _read(Path(f"/proc/{pid}/stat")).rpartition(b") ")[2].split()
    return int(words[1]) if len(words) > 1 else 0


def _arrives_new(hall: Hall, name: str) -> bool:
    """Whether the file of the facts as they are now arrives."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        status = _ask(hall, FILES.index(name))
        if status == 200 and not KeptFile.objects.exclude(asked_at=None).exists():
            return all(file.facts == file.asked for file in KeptFile.objects.exclude(read_at=None))
        time.sleep(0.2)
    return False


def _count_left() -> int:
    until = time.monotonic() + WAIT
    waiting = DBTaskResult.objects.filter(status__in=UNDER_WAY)
    while waiting.exists() and time.monotonic() < until:
        time.sleep(0.2)
    return waiting.count()
