"""Kill the server while people save, and see what is left: `python -m tests.crash --kills 50`.

gunicorn serves a competition of its own on a temporary SQLite file, with the settings of production. Four
scorers enter and correct score sheets over HTTP, each at tables of their own. Again and again master and
workers are killed at once (SIGKILL), and started again. Whoever got no answer sends the same form again, as a
browser does. At the end the facts are held against what the scorers were told:

* every answered save is there;
* no save is there twice, or half: each version of a sheet has its audit entry and its submission;
* the chain of the audit log is whole, and the revision counts every entry;
* SQLite's own integrity check is content.
"""

import argparse
import logging
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.factories import Club
    from tests.wire import Answer, Visitor

ROOT = Path(__file__).resolve().parent.parent
SCORERS = 4
ROUNDS, TABLES = 4, 8  # tables a round


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the moments at which the server is killed")
    parser.add_argument("--migrated", type=Path, help="an SQLite file with empty tables, to begin with")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="umaoka-crash-") as home:
        if arguments.migrated:
            shutil.copy(arguments.migrated, f"{home}/crash.sqlite3")
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{home}/crash.sqlite3",
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        }
        import django

        django.setup()
        logging.disable(logging.WARNING)
        found = Trial(Path(home), random.Random(arguments.seed)).run(arguments.kills)
    sys.stdout.write("\n".join(f"{name}: {value}" for name, value in found.items()) + "\n")
    return int(any(found[name] for name in MUST_BE_NONE))


MUST_BE_NONE = ("lost", "double", "without audit entry", "without submission", "broken chain", "other faults")


@dataclass
class Trial:
    home: Path
    chance: random.Random
    port: int = 0
    over: Event = field(default_factory=Event)
    jobs: list[Future[None]] = field(default_factory=list)
    answered: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    sent_again: list[tuple[int, tuple[int, ...], float]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def run(self, kills: int) -> dict[str, object]:
        from django.core.management import call_command

        from tests.postgres import free_port

        call_command("migrate", verbosity=0)
        self.port = free_port()
        crash, before = self._competition()
        visitors = [self._signed_in(crash) for _ in range(SCORERS)]
        with ThreadPoolExecutor(SCORERS) as pool:
            self.jobs = [pool.submit(self._score, crash, visitor, n) for n, visitor in enumerate(visitors)]
            try:
                self._kill_again_and_again(kills)
            finally:
                self.over.set()
            for job in self.jobs:
                job.result()
        return {"kills": kills, **self._judge(crash, before)}

    def _competition(self) -> "tuple[Club, int]":
        """A competition with its rounds open, and its revision."""
        from tests.factories import club

        made = club("crash", players=4 * TABLES)
        for _ in range(ROUNDS):
            made.add_round()
        made.competition.refresh_from_db()
        return made, made.competition.revision

    def _signed_in(self, crash: "Club") -> "Visitor":
        from django.conf import settings
        from django.test import Client

        from tests.wire import Visitor

        client, name = Client(), settings.SESSION_COOKIE_NAME
        client.force_login(crash.charlie)
        return Visitor(f"http://127.0.0.1:{self.port}", {name: client.cookies[name].value}, seconds=10)

    # --- the server

    def _kill_again_and_again(self, kills: int) -> None:
        for _ in range(kills):
            with self._server():
                self._let_work(self.chance.randint(5, 60))
                time.sleep(self.chance.uniform(0, 0.05))
        with self._server():  # the last one lives until everybody has their answer
            self._let_work(5)
            self.over.set()
            wait(self.jobs, timeout=10)

    def _let_work(self, saves: int) -> None:
        enough, until = len(self.answered) + saves, time.monotonic() + 20
        while len(self.answered) < enough and time.monotonic() < until:
            time.sleep(0.005)

    @contextmanager
    def _server(self) -> Iterator[None]:
        """The server, ready; at the end its process group is killed: the master and both workers at once."""
        command = [sys.executable, "-m", "gunicorn", "--config", "league/core/gunicorn.py", "league.wsgi"]
        environ = os.environ | {"PORT": str(self.port), "WEB_CONCURRENCY": "2"}
        with (self.home / "server.log").open("ab") as log:
            master = subprocess.Popen(
                command, cwd=ROOT, env=environ, stdout=log, stderr=log, start_new_session=True
            )
            try:
                self._wait(master)
                yield
            finally:
                os.killpg(master.pid, signal.SIGKILL)
                master.wait()

    def _wait(self, master: subprocess.Popen[bytes]) -> None:
        from tests.wire import Visitor

        asking, until = Visitor(f"http://127.0.0.1:{self.port}", seconds=2), time.monotonic() + 30
        while time.monotonic() < until and master.poll() is None:
            try:
                if asking.get("/healthz").status == 200:
                    return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError((self.home / "server.log").read_text()[-3_000:])

    # --- the scorers

    def _score(self, crash: "Club", visitor: "Visitor", number: int) -> None:
        """Enter and correct the sheets of this scorer's tables, one after the other, until it is over."""
        from league.models import Table

        tables = list(Table.objects.filter(round__stage=crash.stage).order_by("pk"))[number::SCORERS]
        saved = 0
        while not self.over.is_set():
            table = tables[saved % len(tables)]
            more = saved // len(tables) + 1  # each sheet differs from the one before
            east, north = 30_000 + 100 * more, 30_000 - 100 * more
            address = f"/c/crash/tables/{table.pk}/correct/"
            if more == 1:
                address = f"/c/crash/rounds/{table.round_id}/enter/?table={table.number}"
            if not self._save(visitor, address, table.pk, (east, 31_000, 29_000, north)):
                return
            saved += 1

    def _save(self, visitor: "Visitor", address: str, table: int, points: tuple[int, ...]) -> bool:
        page = self._until_answered(lambda: visitor.get(address))
        if page is None:
            return False
        from tests.wire import forms_of

        sheets = [form for form in forms_of(page.text, address) if "east" in form.fields]
        number = address.partition("?table=")[2]
        form = next(form for form in sheets if not number or form.fields["number"] == [number])
        winds = zip(("east", "south", "west", "north"), points, strict=True)
        typed = {wind: [str(score // 100)] for wind, score in winds}
        fields = form.fields | typed | {"sticks": ["0"], "reason": ["again"]}
        tries: list[float] = []
        answer = self._until_answered(lambda: tries.append(time.time()) or visitor.post(form.action, fields))
        if answer is None:
            return False
        if len(tries) > 1:
            self.sent_again.append((table, points, tries[-1]))
        if answer.status == 302:
            self.answered.append((table, points))
        else:
            self.counts[f"answered {answer.status}"] += 1
        return True

    def _until_answered(self, ask) -> "Answer | None":
        """The first answer; None when the trial ended before there was one."""
        while True:
            try:
                return ask()
            except OSError:
                self.counts["no answer"] += 1
                if self.over.wait(0.05):
                    return None

    # --- the verdict

    def _judge(self, crash: "Club", before: int) -> dict[str, object]:
        from django.db import connection

        from league.audit_log.queries import verify_chain
        from league.models import AuditEntry, Sheet, Submission

        competition = crash.competition
        competition.refresh_from_db()
        sheets = list(Sheet.objects.order_by("table", "version"))
        stored = Counter((sheet.table_id, sheet.points) for sheet in sheets)
        entered = {(sheet.table_id, sheet.points): sheet.entered_at for sheet in sheets}
        logged = Counter(
            (int(entry.target.partition(":")[2]), entry.after["version"])
            for entry in AuditEntry.objects.filter(competition=competition, action="result.record")
        )
        sent = Counter(answer["sheet"] for answer in Submission.objects.values_list("answer", flat=True))
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA integrity_check")
            integrity = cursor.fetchone()[0]
        return {
            "saves answered": len(self.answered),
            "requests without an answer": self.counts.pop("no answer", 0),
            "saves stored": len(sheets),
            "saves sent again": len(self.sent_again),
            "of these stored the first time": sum(
                (table, points) in entered and entered[table, points].timestamp() < last
                for table, points, last in self.sent_again
            ),
            "lost": sum((Counter(self.answered) - stored).values()),
            "double": sum(count - 1 for count in stored.values()),
            "without audit entry": sum(logged[sheet.table_id, sheet.version] != 1 for sheet in sheets),
            "without submission": sum(sent[sheet.pk] != 1 for sheet in sheets),
            "broken chain": verify_chain(competition).broken_at or "",
            "other faults": "; ".join([
                *(f"{count} {what}" for what, count in self.counts.items()),
                *([] if integrity == "ok" else [integrity]),
                *([] if competition.revision == before + len(sheets) else ["the revision"]),
            ]),
        }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
