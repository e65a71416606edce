"""A hall that writes while visitors read: `python -m benchmarks.hall`.

gunicorn serves a competition on a temporary SQLite file or, under `python -m tests.postgres`, on PostgreSQL.
Each table of a round writes once a second: its score sheet, a call for a referee, the call's withdrawal, and
so on with the next round. Visitors reload the standings twice a second, as a browser does that has the page.
Once the results of the rounds are hidden, once they are published as they come.
"""

import argparse
import http.client
import logging
import os
import sys
import tempfile
import time
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit

from benchmarks.database import make_tables
from benchmarks.saves import Hall, Writer
from benchmarks.standings import machine, say, table
from tests.places import new_place
from tests.served import served

if TYPE_CHECKING:
    from league.models import Table

HEADS = [
    *("results", "tables", "writes", "refused", "median ms", "p99 ms"),
    *("reloads", "304", "304 : reloads", "median ms", "p99 ms"),
]
PAUSE = 0.5  # seconds between two reloads of a visitor


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--visitors", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="umaoka-hall-") as folder, new_place(Path(folder)) as place:
        os.environ.update(place.environ)
        measure(Path(folder), place.url, arguments)


def measure(home: Path, database: str, arguments: argparse.Namespace) -> None:
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from django.db import connection

    make_tables()
    rows = []
    with served(home, database=database) as url:
        say(f"{machine()}; {connection.vendor}", "")
        for results in ("hidden", "results"):
            hall = Hall(arguments.tables, arguments.tables, arguments.tables * arguments.seconds // 6, 1)
            connection.close()
            rows.append([results, str(arguments.tables), *watch(url, hall, results, arguments)])
    table(HEADS, rows)
    say("Goal: all reloads of hidden results are answered 304.", "")


@dataclass
class Times:
    """Seconds of each request, and how many had the answer that ``is_good`` asks for."""

    seconds: list[float] = field(default_factory=list)
    good: int = 0

    def figures(self) -> list[str]:
        cuts = quantiles(self.seconds, n=100)
        return [f"{1000 * cuts[49]:.0f}", f"{1000 * cuts[98]:.0f}"]


def watch(url: str, hall: Hall, results: str, arguments: argparse.Namespace) -> list[str]:
    from league.models import Round

    Round.objects.filter(stage__division__competition=hall.competition).update(visibility=results)
    todo: dict[int, deque[Table]] = {}
    for each in hall.tables:
        todo.setdefault(each.number, deque()).append(each)
    until = time.monotonic() + arguments.seconds
    writes, reloads = Times(), Times()
    writers = [TableWriter(url, hall.competition, user) for user in hall.users]
    with ThreadPoolExecutor(arguments.tables + arguments.visitors) as pool:
        jobs = [
            pool.submit(writer.write_all, tables, until, writes)
            for writer, tables in zip(writers, todo.values(), strict=True)
        ]
        page = f"/c/{hall.competition.slug}/"
        jobs += [pool.submit(reload, url, page, until, reloads) for _ in range(arguments.visitors)]
        for job in jobs:
            job.result()
    asked = len(reloads.seconds)
    return [
        *(str(len(writes.seconds)), str(len(writes.seconds) - writes.good), *writes.figures()),
        *(str(asked), str(reloads.good), f"{reloads.good / asked:.2f}", *reloads.figures()),
    ]


def reload(url: str, page: str, until: float, found: Times) -> None:
    """Ask for the page again and again with the ETag of the last answer."""
    server = urlsplit(url)
    connection = http.client.HTTPConnection(server.hostname or "", server.port, timeout=60)
    tag = ""
    while time.monotonic() < until:
        begun = time.monotonic()
        connection.request("GET", page, headers={"If-None-Match": tag, "Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        answer.read()
        if tag:
            found.seconds.append(time.monotonic() - begun)
            found.good += answer.status == http.HTTPStatus.NOT_MODIFIED
        tag = answer.getheader("ETag", "")
        time.sleep(PAUSE)


class TableWriter(Writer):
    """The requests of one table."""

    def write_all(self, tables: "deque[Table]", until: float, found: Times) -> None:
        while tables and time.monotonic() < until:
            table = tables.popleft()
            for send in (self.call, self.withdraw, self.enter):
                begun = time.monotonic()
                is_good = send(table)
                found.seconds.append(time.monotonic() - begun)
                found.good += is_good
                time.sleep(max(0, begun + 1 - time.monotonic()))

    def post(self, address: str, fields: dict[str, object], is_good: Callable[[int, str], bool]) -> bool:
        self.connection.request("POST", address, urlencode(fields).encode(), self.headers)
        answer = self.connection.getresponse()
        return is_good(answer.status, answer.read().decode())

    def call(self, table: "Table") -> bool:
        return self._press(table, "call/")

    def withdraw(self, table: "Table") -> bool:
        return self._press(table, "call/back/")

    def _press(self, table: "Table", button: str) -> bool:
        address = f"/c/{self.competition.slug}/tables/{table.pk}/{button}"
        key = {"csrfmiddlewaretoken": self.token, "key": uuid.uuid4()}
        return self.post(address, key, lambda status, _text: status == http.HTTPStatus.FOUND)

    def enter(self, table: "Table") -> bool:
        address, fields = self.form_of(table)
        return self.post(address, fields, lambda _status, text: self.is_saved(table, text))


if __name__ == "__main__":
    sys.exit(main())
