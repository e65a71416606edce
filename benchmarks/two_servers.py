"""Two application servers on one PostgreSQL with a copy for readers, one server killed:
`python -m benchmarks.two_servers`.

Everything is on this machine: a primary and a streaming standby in temporary clusters, gunicorn once or twice
with the configuration of production, four scorers who save without pause, and readers of public pages. A
client without an answer sends the same to the other server. Status 1 if an answered save is lost or double.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import cycle
from pathlib import Path
from statistics import quantiles
from threading import Event
from typing import TYPE_CHECKING
from urllib.request import urlopen

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from tests.places import ROOT, Place
from tests.postgres import cluster, find_binaries, free_port, standby
from tests.served import wait_for

if TYPE_CHECKING:
    from tests.faults.hall import Hall

OPTIONS = ("unix_socket_directories=", "wal_level=replica", "max_wal_senders=4", "jit=off")
FAIL_SECONDS = 2
PLAYERS, TABLES = 64, 160  # of each competition that is only read


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=10, help="of each row of the table")
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--competitions", type=int, default=10, help="that are read, besides the one played")
    arguments = parser.parse_args()
    binaries = find_binaries()
    if binaries is None:
        sys.exit("PostgreSQL's programs initdb and pg_ctl are not on this machine.")
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="umaoka-servers-")))
        primary = stack.enter_context(cluster(binaries, OPTIONS))
        place = Place(primary, home / "photographs")
        os.environ.update(place.environ)
        slugs = make_events(arguments.competitions)
        copy = stack.enter_context(ExitStack())
        replica = copy.enter_context(standby(binaries, primary, OPTIONS))
        return run(home, place, replica, copy.close, slugs, arguments.readers, arguments.seconds)


def make_events(count: int) -> list[str]:
    import django

    django.setup()
    make_tables()
    from benchmarks.events import make_event

    sizes = [(PLAYERS, TABLES + number) for number in range(count)]
    return [make_event(players=n, tables=m).division.competition.slug for n, m in sizes]


# --- servers


class Server:
    """gunicorn, as `deploy/` starts it."""

    def __init__(self, home: Path, place: Place, replica: str = "") -> None:
        port = free_port()
        self.url, self.log = f"http://127.0.0.1:{port}", home / f"{port}.log"
        self.environ = place.environ | {"PORT": str(port)}
        if replica:
            self.environ["REPLICA_URL"] = replica
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "gunicorn", "--config", "league/core/gunicorn.py", "league.wsgi"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - words of our own
                command, cwd=ROOT, env=self.environ, stdout=log, stderr=log, start_new_session=True
            )
        wait_for(self.url, self.process, self.log)

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


# --- clients


@dataclass
class Taken:
    """What people waited, in seconds, with the moment of each answer; and the moments without an answer."""

    answers: list[tuple[float, float]] = field(default_factory=list)
    none: list[float] = field(default_factory=list)

    def words(self, begun: float, ended: float) -> list[str]:
        """Answers a second, median, p99, the slowest, and how often there was none."""
        seconds = [taken for at, taken in self.answers if begun <= at < ended]
        cuts = quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else [0.0] * 99
        without = sum(begun <= at < ended for at in self.none)
        figures = (cuts[49], cuts[98], max(seconds, default=0))
        return [f"{len(seconds) / (ended - begun):,.1f}", *(f"{s:.2f}" for s in figures), str(without)]


@contextmanager
def clients(
    home: Path, place: Place, urls: list[str], slugs: Sequence[str], readers: int
) -> Iterator[tuple["Hall", Taken, Taken]]:
    """Scorers and readers at work, at the servers in ``urls``, which may change."""
    from tests.faults.hall import Hall
    from tests.wire import Answer, Visitor

    saves, pages, over = Taken(), Taken(), Event()

    class Scorer(Visitor):
        """Asks the other server after it got no answer; the form is sent again by the hall."""

        def _send(self, method: str, address: str, body: bytes) -> Answer:
            begun = time.monotonic()
            if self.url not in urls:
                self.url = urls[0]
            try:
                answer = super()._send(method, address, body)
            except OSError:
                saves.none.append(time.monotonic())
                self.url = urls[(urls.index(self.url) + 1) % len(urls)] if self.url in urls else urls[0]
                raise
            if method == "POST":
                saves.answers.append((time.monotonic(), time.monotonic() - begun))
            return answer

    class Servers(Hall):
        turns = cycle(range(2))

        def sign_in(self) -> Visitor:
            visitor = super().sign_in()
            return Scorer(urls[next(self.turns) % len(urls)], visitor.cookies, seconds=10)

    hall = Servers(place, home, random.Random(1))  # noqa: S311 - no secret
    addresses = [f"/c/{slug}/" for slug in (*slugs, hall.club.slug)]
    with hall.scorers(), ThreadPoolExecutor(readers) as pool:
        jobs = [pool.submit(read, urls, addresses, number, pages, over) for number in range(readers)]
        yield hall, saves, pages
        over.set()
        hall.finish()
    for job in jobs:
        job.result()


def read(urls: list[str], addresses: Sequence[str], number: int, pages: Taken, over: Event) -> None:
    """A visitor who opens public pages, of each server in turn. One that did not answer is not asked for some
    seconds, as proxies do.
    """
    turn, failed = number, dict[str, float]()
    while not over.is_set():
        turn += 1
        begun = time.monotonic()
        well = [url for url in urls if failed.get(url, 0) < begun - FAIL_SECONDS] or urls
        url = well[turn % len(well)]
        try:
            with urlopen(url + addresses[turn * 7 % len(addresses)], timeout=10) as answer:  # noqa: S310 - ours
                answer.read()
            pages.answers.append((time.monotonic(), time.monotonic() - begun))
        except (OSError, HTTPException):
            pages.none.append(time.monotonic())
            failed[url] = time.monotonic()


def warm(server: Server, slugs: Sequence[str]) -> None:
    """Until each of its workers has loaded what it needs."""
    taken, over = Taken(), Event()
    with ThreadPoolExecutor(4) as pool:
        addresses = [f"/c/{slug}/" for slug in slugs]
        jobs = [pool.submit(read, [server.url], addresses, number, taken, over) for number in range(4)]
        while len(taken.answers) < 4 * len(slugs):
            time.sleep(0.05)
        over.set()
        for job in jobs:
            job.result()


# --- the run


def run(
    home: Path,
    place: Place,
    replica: str,
    stop_replica: Callable[[], None],
    slugs: Sequence[str],
    readers: int,
    seconds: float,
) -> int:
    from tests.faults.hall import MUST_BE_NONE

    alone = Server(home, place)
    urls, rows, behind, asked = [alone.url], [], 0.0, []
    with clients(home, place, urls, slugs, readers) as (hall, saves, pages):
        hall.let_work(8)  # until everything is loaded

        def watch(what: str) -> None:
            nonlocal behind
            begun = time.monotonic()
            while time.monotonic() < begun + seconds:
                time.sleep(0.2)
                behind = max(behind, seconds_behind(place.url))
            ended = time.monotonic()
            rows.append([what, *saves.words(begun, ended), *pages.words(begun, ended)])

        watch("one server")
        one, other = Server(home, place, replica), Server(home, place, replica)
        warm(one, slugs)
        warm(other, slugs)
        urls[:] = [one.url, other.url]
        alone.kill()
        watch("two servers and a replica")
        asked = [transactions(url) for url in (place.url, replica)]
        one.kill()
        watch("one of them killed")
        one.start()
        warm(one, slugs)
        watch("started again")
        asked = [
            after - before
            for after, before in zip(map(transactions, (place.url, replica)), asked, strict=True)
        ]
        stop_replica()
        watch("the replica stopped")
        hall.finish()
        one.kill()
        other.kill()
    say(machine(), "")
    heads = [
        f"{of} {what}"
        for of in ("saves", "pages")
        for what in ("/s", "median s", "p99 s", "slowest s", "unanswered")
    ]
    table(["", *heads], rows)
    say(f"The replica was {behind * 1000:.0f} ms behind at most.")
    say(
        f"Transactions from the kill to the stop of the replica: {asked[0]:,} primary, {asked[1]:,} replica.",
        "",
    )
    verdict = hall.judge()
    table(["what", "count"], [[what, str(count)] for what, count in verdict.items()])
    return int(any(verdict[name] for name in MUST_BE_NONE))


def seconds_behind(primary: str) -> float:
    found = ask(primary, "SELECT COALESCE(max(EXTRACT(epoch FROM replay_lag)), 0) FROM pg_stat_replication")
    return float(found)


def transactions(url: str) -> int:
    return int(ask(url, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"))


def ask(url: str, sql: str) -> float:
    import psycopg

    with psycopg.connect(url) as opened:
        (found,) = opened.execute(sql).fetchone() or (0,)
        return float(found)


if __name__ == "__main__":
    sys.exit(main())
