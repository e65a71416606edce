"""SIGKILL during an import of a competition file, while people save elsewhere.

Pages show the competition that was there before or the whole new one, and the import can be repeated.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import Popen
from threading import Thread
from typing import IO, Any

from django.core.management import call_command
from django.utils import timezone

from benchmarks.imports import Organizer, make_file
from league.models import Competition, ImportJob, League, Sheet
from league.organizing.interchange.services.drafts import SILENCE, jobs_under_way
from players.models import Player
from tests.factories import Club
from tests.faults.hall import Hall
from tests.places import ROOT

WAYS = ("command", "upload as a task", "upload")
TABLES, PLAYERS, A_ROUND = 160, 64, 16
LARGE = 300_000  # bytes: such an upload is read and written by a task
Facts = tuple[str, dict[tuple[int, int], tuple[int, ...]]]


def imports(hall: Hall, home: Path, times: int, progress: Callable[[int], object]) -> dict[str, object]:
    """The command, the process that imports an upload, or the whole server is killed at a moment of chance.
    Then the same file is imported by the command.
    """
    moments = (f"killed {when}" for when in ("before writing", "while writing", "after the end"))
    counts = dict.fromkeys((*moments, "half visible", "not repeated", "left behind"), 0)
    with (home / "imports.log").open("a") as log:
        importing = Importing(hall, home, log)
        importing.whole(0)
        for number in range(1, times + 1):
            way, before = WAYS[number % len(WAYS)], visible()
            expected = facts_of(file_of(number))
            with hall.scorers(), hall.server() as master:
                hall.let_work(2)
                importing.break_off(way, number, master.pid)
            seen = visible()
            drafts = Competition.with_drafts.filter(is_draft=True).exists()
            when = "after the end" if seen == expected else "while writing" if drafts else "before writing"
            counts[f"killed {when}"] += 1
            counts["half visible"] += seen not in (before, expected)
            let_time_pass()
            importing.whole(number)
            counts["not repeated"] += visible() != expected
            call_command("clean_up", stdout=log)
            counts["left behind"] += count_left_behind(hall.club)
            progress(number)
    return {"kills": times, **counts, **hall.judge()}


class Importing:
    """The organizer of the hall, who replaces one competition again and again."""

    def __init__(self, hall: Hall, home: Path, log: IO[str]) -> None:
        self.hall, self.home, self.log = hall, home, log
        self.seconds = 0.0  # that the last import took which was not killed

    def break_off(self, way: str, number: int, server: int) -> None:
        """Begins an import and kills at a moment of chance who imports; an upload's server, too."""
        before = ImportJob.objects.order_by("pk").values_list("pk", flat=True).last() or 0
        if way == "command":
            process = Popen(
                [sys.executable, "manage.py", *self._words(number)],
                cwd=ROOT,
                env=self.hall.place.environ,
                stdout=self.log,
                stderr=self.log,
            )
            self._wait(before, lambda: process.poll() is None)
            process.kill()
            process.wait()
        else:
            sending = Thread(target=self._send, args=(way, number))
            sending.start()
            self._wait(before, lambda: sending.is_alive() or jobs_under_way().exists())
            self._kill_apart()
            os.killpg(server, signal.SIGKILL)
            time.sleep(0.2)  # until one that was being started has its name
            while self._kill_apart():
                time.sleep(0.1)
            sending.join()

    def _wait(self, before: int, alive: Callable[[], bool]) -> None:
        """Until so many tables are written or the import ends; sometimes shorter than it takes to begin."""
        tables = self.hall.chance.randint(-TABLES // 4, TABLES)
        until = time.monotonic() + (self.hall.chance.uniform(0, self.seconds) if tables < 0 else 60)
        while alive() and time.monotonic() < until:
            if ImportJob.objects.filter(pk__gt=before, written__gte=max(tables, 0), tables__gt=0).exists():
                break
            time.sleep(0.01)
        time.sleep(self.hall.chance.uniform(0, 0.1))

    def whole(self, number: int) -> None:
        """An import that is not killed."""
        begun = time.monotonic()
        call_command(*self._words(number), stdout=self.log, stderr=self.log)
        self.seconds = time.monotonic() - begun

    def _words(self, number: int) -> list[str]:
        """The command and its file."""
        path = self.home / "large.json"
        path.write_text(json.dumps(file_of(number)))
        return ["import_competition", str(path), "--replace", "--league", self.hall.club.slug]

    def _send(self, way: str, number: int) -> None:
        text = json.dumps(file_of(number))
        content = (text.ljust(LARGE) if way == "upload as a task" else text).encode()
        with suppress(OSError):  # the server was killed
            organizer = Organizer(f"http://127.0.0.1:{self.hall.port}", self.hall.club)
            organizer.begin(content, replace="on", removes="0")

    def _kill_apart(self) -> bool:
        """Kill the worker, which imports large uploads. Return whether one ran."""
        found = False
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                ours = str(self.home).encode() in (process / "environ").read_bytes()
                if ours and b"\0work\0" in (process / "cmdline").read_bytes():
                    os.kill(int(process.name), signal.SIGKILL)
                    found = True
        return found


def file_of(number: int) -> dict[str, Any]:
    made = make_file(TABLES, players=PLAYERS, a_round=A_ROUND, seed=number)
    return made | {"name": f"Large {number}"}


def visible() -> Facts:
    """What pages show of the competition: its name, and the points of each table by round and number."""
    name = Competition.objects.filter(slug="large").values_list("name", flat=True).first() or ""
    sheets = Sheet.objects.filter(table__round__stage__division__competition__slug="large", is_current=True)
    rows = sheets.values_list("table__round__number", "table__number", "east", "south", "west", "north")
    return name, {(round_, table): tuple(points) for round_, table, *points in rows}


def facts_of(file: dict[str, Any]) -> Facts:
    (division,) = file["divisions"]
    (stage,) = division["stages"]
    return file["name"], {
        (round_["number"], table["number"]): tuple(seat["points"] for seat in table["seats"])
        for round_ in stage["rounds"]
        for table in round_["tables"]
    }


def let_time_pass() -> None:
    """Imports that were killed are taken for running for some minutes; here they are over."""
    long_ago = timezone.now() - 2 * SILENCE
    ImportJob.objects.update(seen_at=long_ago)
    Competition.with_drafts.filter(is_draft=True).update(created_at=long_ago)


def count_left_behind(club: Club) -> int:
    """Drafts, leagues and players of imports that did not come to an end."""
    drafts = Competition.with_drafts.filter(is_draft=True)
    players = Player.objects.filter(register=club.competition.league.register, entrants=None)
    return drafts.count() + League.objects.filter(slug__startswith=".").count() + players.count()
