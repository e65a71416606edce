"""One machine beside two with the proxy's cache, one of them killed: `python -m benchmarks.two_servers`.

Everything is on this machine: PostgreSQL and Redis, gunicorn once behind deploy/nginx.conf, then twice behind
deploy/nginx-two.conf, four scorers who save without pause, and readers of public pages who send no cookie.
Status 1 if an answered save is lost or double.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from statistics import quantiles
from threading import Event
from typing import TYPE_CHECKING
from urllib.request import urlopen

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from tests.places import ROOT, Place
from tests.postgres import cluster, find_binaries, free_port
from tests.proxies import running_nginx, running_redis
from tests.served import wait_for

if TYPE_CHECKING:
    from tests.faults.hall import Hall

OPTIONS = ("unix_socket_directories=", "jit=off")
ONE_ADDRESS = {"rate=100r/s": "rate=100000r/s"}  # from which all clients come here
BAD = (502, 504)  # nginx got no answer
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
    missing = [each for each in ("nginx", "redis-server") if shutil.which(each) is None]
    if binaries is None or missing:
        sys.exit(
            f"Not on this machine: {', '.join(missing) or 'the programs initdb and pg_ctl of PostgreSQL'}."
        )
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="umaoka-servers-")))
        place = Place(stack.enter_context(cluster(binaries, OPTIONS)), home / "photographs")
        os.environ.update(place.environ)
        cache, _server = stack.enter_context(running_redis(home))
        slugs = make_events(arguments.competitions)
        return run(home, place, cache, slugs, arguments.readers, arguments.seconds)


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

    def __init__(self, home: Path, place: Place, cache: str = "") -> None:
        self.port = free_port()
        self.url, self.log = f"http://127.0.0.1:{self.port}", home / f"{self.port}.log"
        own = {"PORT": str(self.port), "TRUSTED_PROXIES": "1"}
        self.environ = place.environ | own | ({"SHARED_CACHE": cache} if cache else {})
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "gunicorn", "--config", "league/server/gunicorn.py", "league.wsgi"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 - words of our own
                command, cwd=ROOT, env=self.environ, stdout=log, stderr=log, start_new_session=True
            )
        wait_for(self.url, self.process, self.log)

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


# --- clients


@dataclass
class Taken:
    """The seconds that people waited with the moment of each answer, and the moments without an answer."""

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
    home: Path, place: Place, proxies: list[str], slugs: Sequence[str], readers: int
) -> Iterator[tuple["Hall", Taken, Taken]]:
    """Scorers and readers at work, at the proxy that is the last of ``proxies``, which may change."""
    from tests.faults.hall import Hall
    from tests.wire import Answer, Visitor

    saves, pages, over = Taken(), Taken(), Event()

    class Scorer(Visitor):
        """A visitor whose answers are counted. After no answer the hall sends the form again."""

        def _send(self, method: str, address: str, body: bytes) -> Answer:
            begun, self.url = time.monotonic(), proxies[-1]
            try:
                answer = super()._send(method, address, body)
                if answer.status in BAD:
                    raise ConnectionError(f"{method} {address} was answered {answer.status}")
            except OSError:
                saves.none.append(time.monotonic())
                raise
            if method == "POST":
                saves.answers.append((time.monotonic(), time.monotonic() - begun))
            return answer

    class Proxied(Hall):
        def sign_in(self) -> Visitor:
            return Scorer(proxies[-1], super().sign_in().cookies, seconds=10)

    hall = Proxied(place, home, random.Random(1))  # noqa: S311 - no secret
    addresses = [f"/c/{slug}/" for slug in (*slugs, hall.club.slug)]
    with hall.scorers(), ThreadPoolExecutor(readers) as pool:
        jobs = [pool.submit(read, proxies, addresses, number, pages, over) for number in range(readers)]
        try:
            yield hall, saves, pages
        finally:
            over.set()
            hall.finish()
    for job in jobs:
        job.result()


def read(proxies: list[str], addresses: Sequence[str], number: int, pages: Taken, over: Event) -> None:
    """Open public pages, one after the other, as a visitor without cookies."""
    turn = number
    while not over.is_set():
        turn += 1
        begun = time.monotonic()
        try:
            with urlopen(proxies[-1] + addresses[turn * 7 % len(addresses)], timeout=10) as answer:  # noqa: S310 - ours
                answer.read()
            pages.answers.append((time.monotonic(), time.monotonic() - begun))
        except (OSError, HTTPException):
            pages.none.append(time.monotonic())


# --- the run


def run(home: Path, place: Place, cache: str, slugs: Sequence[str], readers: int, seconds: float) -> int:
    from tests.faults.hall import MUST_BE_NONE

    rows = []
    with ExitStack() as stack:
        folders = [home / "one", home / "two"]
        for folder in folders:
            folder.mkdir()
        alone = Server(home, place)
        stack.callback(alone.kill)
        net = f"127.0.0.1:{alone.port}"
        single = running_nginx(folders[0], "nginx.conf", ONE_ADDRESS | {"127.0.0.1:8000": net}, tls=False)
        proxies = [stack.enter_context(single)]
        hall, saves, pages = stack.enter_context(clients(home, place, proxies, slugs, readers))
        hall.let_work(8)  # until everything is loaded

        def watch(what: str) -> None:
            begun = time.monotonic()
            time.sleep(seconds)
            ended = time.monotonic()
            rows.append([what, *saves.words(begun, ended), *pages.words(begun, ended)])

        watch("one machine")
        one, other = Server(home, place, cache), Server(home, place, cache)
        stack.callback(one.kill)
        stack.callback(other.kill)
        places = {"10.0.0.1:8000": f"127.0.0.1:{one.port}", "10.0.0.2:8000": f"127.0.0.1:{other.port}"}
        double = running_nginx(folders[1], "nginx-two.conf", ONE_ADDRESS | places, tls=False)
        proxies.append(stack.enter_context(double))
        time.sleep(2)
        alone.kill()
        watch("two machines and the proxy's cache")
        one.kill()
        watch("one of them killed")
        one.start()
        time.sleep(6)  # for which nginx does not ask it
        watch("started again")
        hall.finish()
        verdict = hall.judge()
    say(machine(), "")
    heads = [
        f"{of} {what}"
        for of in ("saves", "pages")
        for what in ("/s", "median s", "p99 s", "slowest s", "unanswered")
    ]
    table(["", *heads], rows)
    table(["what", "count"], [[what, str(count)] for what, count in verdict.items()])
    return int(any(verdict[name] for name in MUST_BE_NONE))


if __name__ == "__main__":
    sys.exit(main())
