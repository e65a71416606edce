"""A hall in which people save without pause: gunicorn with a competition of its own, and four scorers.

The scorers enter and correct score sheets over HTTP, each at tables of their own, with the settings of
production. A scorer without an answer sends the same form again, as a browser does. ``judge`` compares
the facts with the answers that the scorers got:

* every answered save is there;
* no save is there twice, or half: each version of a sheet has its audit entry and its submission;
* the revision counts every save;
* the database is whole: its file, triggers, and the chain of the audit log.
"""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from django.conf import settings
from django.db import connection
from django.test import Client

from league.models import AuditEntry, Sheet, Submission, Table
from league.organizing.backups.queries import faults
from tests.factories import Club, club
from tests.places import ROOT, Place
from tests.postgres import free_port
from tests.wire import Answer, Visitor, forms_of

SCORERS = 4
ROUNDS, TABLES = 4, 8  # tables a round
NO_ROOM = "Its disk is full, or its database does not answer"
MUST_BE_NONE = ("lost", "double", "without audit entry", "without submission", "other faults")

Save = tuple[int, tuple[int, ...]]  # the table, and the points of its sheet


class Hall:
    """A competition in this process's database, which is that of ``place`` and has its tables."""

    NO_ROOM = "answers that say the disk is full"

    def __init__(self, place: Place, home: Path, chance: random.Random) -> None:
        self.place, self.log, self.chance = place, home / "server.log", chance
        self.port = free_port()
        self.over, self.going = Event(), Event()
        self.jobs: list[Future[None]] = []
        self.answered: list[Save] = []
        self.sent_again: list[tuple[Save, float]] = []
        self.counts: Counter[str] = Counter()
        self.club: Club = club("crash", players=4 * TABLES)
        for _ in range(ROUNDS):
            self.club.add_round()
        self.club.competition.refresh_from_db()
        self.before = self.club.competition.revision

    # --- the server

    @contextmanager
    def server(self) -> Iterator[subprocess.Popen[bytes]]:
        """The server, ready; at the end its process group is killed: the master and its workers at once."""
        command = [sys.executable, "-m", "gunicorn", "--config", "league/server/gunicorn.py", "league.wsgi"]
        environ = self.place.environ | {"PORT": str(self.port), "WEB_CONCURRENCY": "2"}
        with self.log.open("ab") as log:
            master = subprocess.Popen(
                command, cwd=ROOT, env=environ, stdout=log, stderr=log, start_new_session=True
            )
            try:
                self._wait(master)
                yield master
            finally:
                os.killpg(master.pid, signal.SIGKILL)
                master.wait()

    def _wait(self, master: subprocess.Popen[bytes]) -> None:
        asking, until = Visitor(f"http://127.0.0.1:{self.port}", seconds=2), time.monotonic() + 60
        while time.monotonic() < until and master.poll() is None:
            try:
                if asking.get("/healthz").status == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(self.log.read_text()[-3_000:])

    def workers(self, master: int) -> list[int]:
        return [int(pid) for pid in Path(f"/proc/{master}/task/{master}/children").read_text().split()]

    def kill_a_worker(self, master: subprocess.Popen[bytes]) -> None:
        """SIGKILL for one worker; the master starts another one."""
        while not (workers := self.workers(master.pid)):
            time.sleep(0.01)
        os.kill(self.chance.choice(workers), signal.SIGKILL)

    # --- the scorers

    @contextmanager
    def scorers(self) -> Iterator[None]:
        """They work inside; those who no longer get an answer give up at the end."""
        self.over.clear()
        self.going.set()
        visitors = [self.sign_in() for _ in range(SCORERS)]
        with ThreadPoolExecutor(SCORERS) as pool:
            self.jobs = [pool.submit(self._score, visitor, n) for n, visitor in enumerate(visitors)]
            try:
                yield
            finally:
                self.over.set()
            for job in self.jobs:
                job.result()

    def let_work(self, saves: int) -> None:
        """Waits until so many more saves were answered."""
        enough, until = len(self.answered) + saves, time.monotonic() + 60
        while len(self.answered) < enough and not any(job.done() for job in self.jobs):
            if time.monotonic() > until:
                raise RuntimeError(f"No scorer can save. {self.log.read_text()[-3_000:]}")
            time.sleep(0.005)

    @contextmanager
    def pause(self) -> Iterator[None]:
        """No scorer begins another sheet inside: the machine is busy with something else."""
        self.going.clear()
        yield
        self.going.set()

    def finish(self) -> None:
        """Lets everyone get their last answer from the server that runs."""
        self.over.set()
        wait(self.jobs, timeout=30)

    def sign_in(self) -> Visitor:
        client, name = Client(), settings.SESSION_COOKIE_NAME
        client.force_login(self.club.charlie)
        return Visitor(f"http://127.0.0.1:{self.port}", {name: client.cookies[name].value}, seconds=10)

    def _score(self, visitor: Visitor, number: int) -> None:
        """Enters and corrects the sheets of this scorer's tables, one after the other, until it is over."""
        tables = list(Table.objects.filter(round__stage=self.club.stage).order_by("pk"))[number::SCORERS]
        versions = Counter(Sheet.objects.values_list("table", flat=True))
        connection.close()
        while not self.over.is_set():
            if not self.going.wait(0.1):
                continue
            table = min(tables, key=lambda each: versions[each.pk])
            versions[table.pk] += 1
            more = versions[table.pk]
            # No sheet is like another one, and none so unusual that the page asks.
            some, others = 100 * (more % 100), 100 * (more // 100)
            points = (30_000 + some, 31_000 + others, 29_000 - others, 30_000 - some)
            address = f"/c/crash/tables/{table.pk}/correct/"
            if more == 1:
                address = f"/c/crash/rounds/{table.round_id}/enter/?table={table.number}"
            if not self.save(visitor, address, (table.pk, points)):
                return

    def save(self, visitor: Visitor, address: str, save: Save) -> bool:
        page = self._until_answered(lambda: visitor.get(address))
        if page is None:
            return False
        sheets = [form for form in forms_of(page.text, address) if "east" in form.fields]
        number = address.partition("?table=")[2]
        form = next(form for form in sheets if not number or form.fields["number"] == [number])
        winds = zip(("east", "south", "west", "north"), save[1], strict=True)
        typed = {wind: [str(score // 100)] for wind, score in winds}
        fields = form.fields | typed | {"sticks": ["0"], "reason": ["again"]}
        tries: list[float] = []
        answer = self._until_answered(lambda: tries.append(time.time()) or visitor.post(form.action, fields))
        if answer is None:
            return False
        if len(tries) > 1:
            self.sent_again.append((save, tries[-1]))
        if answer.status == 302:
            self.answered.append(save)
        else:
            self.counts[f"answered {answer.status}"] += 1
        return True

    def _until_answered(self, ask: Callable[[], Answer]) -> Answer | None:
        """The first answer but for a full disk; None when it is over before there was one."""
        while True:
            try:
                answer = ask()
            except OSError:
                self.counts["no answer"] += 1
            else:
                if NO_ROOM not in answer.text:
                    return answer
                self.counts[self.NO_ROOM] += 1
            if self.over.wait(0.05):
                return None

    # --- the verdict

    def begin_again(self) -> None:
        """Takes what is in the database for answered: after another state of it was restored."""
        self.club.competition.refresh_from_db()
        self.answered = [(sheet.table_id, sheet.points) for sheet in Sheet.objects.all()]
        self.sent_again.clear()
        self.before = self.club.competition.revision - len(self.answered)

    def judge(self) -> dict[str, object]:
        competition = self.club.competition
        competition.refresh_from_db()
        own = {"table__round__stage": self.club.stage}
        sheets = list(Sheet.objects.filter(**own).order_by("table", "version"))
        stored = Counter((sheet.table_id, sheet.points) for sheet in sheets)
        entered = {(sheet.table_id, sheet.points): sheet.entered_at for sheet in sheets}
        logged = Counter(
            (int(entry.target.partition(":")[2]), entry.after["version"])
            for entry in AuditEntry.objects.filter(competition=competition, action="result.record")
        )
        sent = Counter(answer.get("sheet") for answer in Submission.objects.values_list("answer", flat=True))
        return {
            "saves answered": len(self.answered),
            "requests without an answer": self.counts.pop("no answer", 0),
            "saves stored": len(sheets),
            "saves sent again": len(self.sent_again),
            "of these stored the first time": sum(
                save in entered and entered[save].timestamp() < last for save, last in self.sent_again
            ),
            "lost": sum((Counter(self.answered) - stored).values()),
            "double": sum(count - 1 for count in stored.values()),
            "without audit entry": sum(logged[sheet.table_id, sheet.version] != 1 for sheet in sheets),
            "without submission": sum(sent[sheet.pk] != 1 for sheet in sheets),
            "other faults": "; ".join([
                *(f"{count} {what}" for what, count in self.counts.items()),
                *faults(),
                *([] if competition.revision == self.before + len(sheets) else ["the revision"]),
            ]),
        }  # fmt: skip
