"""Sheets saved a second, by as many scorers as a hall has: `python -m benchmarks.saves`.

gunicorn serves a competition on a temporary SQLite file or, under `python -m tests.postgres`, on PostgreSQL.
The scorers share the open tables of a round and enter one sheet after the other as the page's script sends
them; each reads the answer, which holds what the others saved since. Then as many write the same rows
through a view that does nothing else (benchmarks/bare.py), with the same number of workers. Both in turns,
some times: the pair whose ratio is the median is printed.
"""

import argparse
import http.client
import logging
import os
import secrets
import sys
import tempfile
import time
import uuid
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from tqdm import tqdm

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from benchmarks.workers import workers_of
from tests.places import new_place
from tests.served import served

if TYPE_CHECKING:
    from league.models import Table

POINTS = {"east": 300, "south": 250, "west": 250, "north": 200}  # in hundreds
WARM = 16  # saves before those that are measured
GOALS = {"rate": 0.6, "milliseconds": 12}
HEADS = [
    *("tables", "writers", "saves /s", "bare /s", "saves : bare", "processor ms", "bare processor ms"),
    *("median ms", "p99 ms", "bare median ms", "bare p99 ms", "kB answer", "other answers"),
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="*", default=[8, 60, 250, 400], help="of a round")
    parser.add_argument("--writers", type=int, nargs="*", default=[8, 32])
    parser.add_argument("--saves", type=int, default=400, help="that are measured")
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="umaoka-saves-") as folder, new_place(Path(folder)) as place:
        os.environ.update(place.environ)
        measure(Path(folder), place.url, arguments)


def measure(home: Path, database: str, arguments: argparse.Namespace) -> None:
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from django.db import connection

    make_tables()
    homes = [home / "product", home / "bare"]
    for each in homes:
        each.mkdir()
    bare = {"application": "benchmarks.bare", "database": database}
    rows = []
    with served(homes[0], database=database) as ours, served(homes[1], **bare) as theirs:
        say(f"{machine()}; {connection.vendor}, {len(workers_of(homes[0]))} workers", "")
        sizes = [(tables, writers) for tables in arguments.tables for writers in arguments.writers]
        for tables, writers in tqdm(sizes, disable=None, leave=False):
            hall = Hall(tables, writers, arguments.saves, arguments.repeats)
            connection.close()
            pairs = [
                (hall.run(ours, homes[0], Writer), hall.run(theirs, homes[1], BareWriter))
                for _ in range(arguments.repeats)
            ]
            pairs.sort(key=lambda pair: pair[0].rate / pair[1].rate)
            rows.append([str(tables), str(writers), *figures(*pairs[len(pairs) // 2])])
    table(HEADS, rows)
    goals = f"saves : bare at least {GOALS['rate']}, below {GOALS['milliseconds']} ms of the processor a save"
    say(f"Goals: {goals}.", "")


@dataclass
class Found:
    """Seconds of each save, bytes of all answers, the number of other answers, and seconds of the clock and
    of the workers' processors for all.
    """

    seconds: list[float] = field(default_factory=list)
    bytes: int = 0
    others: int = 0
    clock: float = 0
    processor: float = 0

    @property
    def rate(self) -> float:
        return len(self.seconds) / self.clock

    @property
    def milliseconds(self) -> float:
        return 1000 * self.processor / len(self.seconds)

    @property
    def cuts(self) -> tuple[float, float]:
        """The median, and what one save in a hundred exceeds, in ms."""
        found = quantiles(self.seconds, n=100)
        return 1000 * found[49], 1000 * found[98]


def figures(found: Found, floor: Found) -> list[str]:
    return [
        *(f"{found.rate:.0f}", f"{floor.rate:.0f}", f"{found.rate / floor.rate:.2f}"),
        *(f"{each.milliseconds:.1f}" for each in (found, floor)),
        *(f"{cut:.0f}" for cut in (*found.cuts, *floor.cuts)),
        *(f"{found.bytes / len(found.seconds) / 1000:.1f}", str(found.others + floor.others)),
    ]


class Hall:
    """Open rounds of so many tables, enough for all runs, in a competition of ``writers`` scorers."""

    serial = count(1)

    def __init__(self, tables: int, writers: int, saves: int, repeats: int) -> None:
        from django.contrib.auth.models import User
        from django.db import transaction

        from benchmarks.events import open_rounds
        from league.models import Role, Table

        self.saves = saves
        with transaction.atomic():
            least = 2 * repeats * (saves + WARM)
            stage = open_rounds(f"hall-{next(self.serial)}", tables=tables, least=least)
            self.competition = stage.division.competition
            names = [f"{self.competition.slug}-{number}" for number in range(writers)]
            self.users = [User.objects.create(username=name) for name in names]
            Role.objects.bulk_create(
                Role(competition=self.competition, user=user, kind=Role.Kind.SCORER) for user in self.users
            )
            found = Table.objects.filter(round__stage=stage).prefetch_related("seats")
            self.tables = deque(found.order_by("round__number", "number"))

    def run(self, url: str, home: Path, kind: type["Writer"]) -> Found:
        """So many saves by all writers, after some that warm the workers."""
        writers = [kind(url, self.competition, user) for user in self.users]
        self._save(writers, WARM, Found())
        found = Found()
        begun, taken = time.monotonic(), processor_seconds(home)
        self._save(writers, self.saves, found)
        found.clock = time.monotonic() - begun
        found.processor = processor_seconds(home) - taken
        return found

    def _save(self, writers: list["Writer"], saves: int, found: Found) -> None:
        todo = deque(self.tables.popleft() for _ in range(saves))
        with ThreadPoolExecutor(len(writers)) as pool:
            for job in [pool.submit(writer.save_all, todo, found) for writer in writers]:
                job.result()


def processor_seconds(home: Path) -> float:
    """Return the seconds of the workers of the server in ``home``, user and system together."""
    stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in workers_of(home)]
    return sum(int(ticks) for fields in stats for ticks in fields[11:13]) / os.sysconf("SC_CLK_TCK")


class Writer:
    """A scorer with a connection and a session of their own."""

    def __init__(self, url: str, competition: Any, user: Any) -> None:
        from django.conf import settings

        from tests.factories import signed_in

        server = urlsplit(url)
        self.connection = http.client.HTTPConnection(server.hostname or "", server.port, timeout=60)
        self.competition, self.user = competition, user
        self.token = secrets.token_hex(16)
        session = settings.SESSION_COOKIE_NAME
        cookies = {session: signed_in(user).cookies[session].value, settings.CSRF_COOKIE_NAME: self.token}
        self.headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self.since: dict[int, str] = {}  # round → the newest sheet that its page shows

    def save_all(self, todo: "deque[Table]", found: Found) -> None:
        while True:
            try:
                table = todo.popleft()
            except IndexError:
                return
            address, fields = self.form_of(table)
            begun = time.monotonic()
            self.connection.request("POST", address, urlencode(fields).encode(), self.headers)
            answer = self.connection.getresponse()
            text = answer.read()
            found.seconds.append(time.monotonic() - begun)
            found.bytes += len(text)
            found.others += not self.is_saved(table, text.decode())

    def form_of(self, table: "Table") -> tuple[str, dict[str, object]]:
        """Return the address and the fields that the page's script sends."""
        fields = {
            "csrfmiddlewaretoken": self.token,
            "key": uuid.uuid4(),
            "number": table.number,
            "based_on": 0,
            "seated": "-".join(str(seat.player_id) for seat in table.seats.all()),
            "sticks": 0,
            "since": self.since.get(table.round_id, "0"),
        }
        return f"/c/{self.competition.slug}/rounds/{table.round_id}/enter/", fields | POINTS

    def is_saved(self, table: "Table", text: str) -> bool:
        _before, mark, after = text.partition('data-since="')
        self.since[table.round_id] = after.partition('"')[0]
        return bool(mark)


class BareWriter(Writer):
    def form_of(self, table: "Table") -> tuple[str, dict[str, object]]:
        return f"/{self.competition.pk}/{table.pk}/{self.user.pk}/", {"key": uuid.uuid4()} | POINTS

    def is_saved(self, table: "Table", text: str) -> bool:
        return text == "saved"


if __name__ == "__main__":
    sys.exit(main())
