"""The phones of a hall that finishes at once: `python -m benchmarks.phones`.

gunicorn serves an open round on a temporary SQLite file or, under `python -m tests.postgres`, on PostgreSQL.
Within the given seconds every table finishes, in an order drawn from a seed: one of its four phones types the
score sheet, and all four read it and sign. Meanwhile staff keep open the pages of the hall, the referees'
desk and the entry of results, and ask for them every second. At the end the facts are compared with what was
typed. Then as many requests at the same moments write through a view that does nothing else
(benchmarks/bare.py).
"""

import argparse
import http.client
import logging
import os
import random
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

from benchmarks.database import make_tables
from benchmarks.saves import processor_seconds
from benchmarks.standings import machine, say, table
from tests.places import new_place
from tests.served import served

if TYPE_CHECKING:
    from league.models import Table

HEADS = ["request", "number", "errors", "median ms", "95 % ms"]
KINDS = ("scan", "page", "sheet", "signature", "hall", "desk", "entry", "bare write")
WINDS = ("east", "south", "west", "north")
START = 1_000  # points of a table, in hundreds


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=60, help="in which all tables finish")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="umaoka-phones-") as folder, new_place(Path(folder)) as place:
        os.environ.update(place.environ)
        return measure(Path(folder), place.url, arguments)


def measure(home: Path, database: str, arguments: argparse.Namespace) -> int:
    """Print the times and the counts. Return 1 if a sheet or signature was lost or doubled."""
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from django.db import connection

    make_tables()
    hall, found = Hall(arguments), Found()
    connection.close()
    taken = []
    for part, application, run in (
        ("product", "league.wsgi", hall.finish),
        ("bare", "benchmarks.bare", hall.write_bare),
    ):
        (home / part).mkdir()
        before = found.requests
        with served(home / part, database=database, application=application) as url:
            begun = processor_seconds(home / part)
            run(url, found)
            spent = processor_seconds(home / part) - begun
            taken.append(1000 * spent / (found.requests - before))
    say(f"{machine()}; {connection.vendor}, {arguments.tables} tables in {arguments.seconds:g} s", "")
    table(HEADS, [found.row(kind) for kind in KINDS])
    ratios = [found.cut(kind, 49) / found.cut("bare write", 49) for kind in ("sheet", "signature")]
    say("Sheet : bare {:.1f}, signature : bare {:.1f} (medians).".format(*ratios))
    say("Processor a request, all kinds: {:.1f} ms, bare {:.1f} ms.".format(*taken), "")
    counts = hall.judge()
    table(["what", "count"], [[what, str(count)] for what, count in counts.items()])
    say("Goal: no error, nothing lost or twice.", "")
    return int(any(count for what, count in counts.items() if what.startswith(("lost", "double"))))


@dataclass
class Found:
    """Seconds of each request by its kind, and the errors."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    errors: Counter[str] = field(default_factory=Counter)

    @property
    def requests(self) -> int:
        return sum(map(len, self.seconds.values()))

    def cut(self, kind: str, percent: int) -> float:
        """Return a percentile in milliseconds."""
        times = self.seconds[kind]
        return 1000 * (quantiles(times, n=100)[percent] if len(times) > 1 else sum(times))

    def row(self, kind: str) -> list[str]:
        cuts = [f"{self.cut(kind, percent):.0f}" for percent in (49, 94)]
        return [kind, str(len(self.seconds[kind])), str(self.errors[kind]), *cuts]


class Browser:
    """A connection with cookies, opened again if the server closed it."""

    def __init__(self, url: str, found: Found, cookies: dict[str, str] | None = None) -> None:
        server = urlsplit(url)
        self.connection = http.client.HTTPConnection(server.hostname or "", server.port, timeout=60)
        self.found, self.cookies = found, cookies or {}

    def ask(self, kind: str, address: str, fields: dict[str, object] | None = None, *, good: int) -> str:
        """Return the answer's text, and count an error unless its status is `good`."""
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        body = None
        if fields is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            typed = fields | {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
            body = urlencode(typed, doseq=True).encode()
        begun = time.monotonic()
        try:
            self.connection.request("GET" if body is None else "POST", address, body, headers)
            answer = self.connection.getresponse()
            text = answer.read().decode(errors="replace")
        except OSError:
            self.found.errors[kind] += 1
            self.connection.close()
            return ""
        self.found.seconds[kind].append(time.monotonic() - begun)
        self.found.errors[kind] += answer.status != good
        for value in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(value).items()}
        return text


class Hall:
    """An open round whose competition asks for four signatures and counts signed sheets at once."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        from django.db import transaction

        from benchmarks.events import open_rounds
        from league.models import Competition, Table

        with transaction.atomic():
            stage = open_rounds("phones", tables=arguments.tables, least=arguments.tables)
            here = Competition.objects.filter(pk=stage.division.competition_id)
            here.update(signatures="four", signed_counts=True, kind="event")
            self.competition: Competition = here.get()
            self.staff = self._make_staff()
        related = "round__stage__division__competition"
        tables = Table.objects.filter(round__stage=stage).select_related(related).prefetch_related("seats")
        self.tables = list(tables.order_by("number"))
        self.round = self.tables[0].round_id
        self.entrants = dict(self.competition.entrants.values_list("player_id", "pk"))
        chance = random.Random(arguments.seed)  # noqa: S311 - no secret
        self.seconds = arguments.seconds
        self.moments = [chance.uniform(0, arguments.seconds) for _table in self.tables]
        self.points = [_points(chance) for _table in self.tables]

    def _make_staff(self) -> dict[str, dict[str, str]]:
        """Return the cookies of a referee and a scorer."""
        from django.conf import settings
        from django.contrib.auth.models import User

        from league.models import Role
        from tests.factories import signed_in

        session, found = settings.SESSION_COOKIE_NAME, {}
        for kind in (Role.Kind.REFEREE, Role.Kind.SCORER):
            user = User.objects.create(username=f"phones-{kind}")
            Role.objects.create(competition=self.competition, user=user, kind=kind)
            found[str(kind)] = {session: signed_in(user).cookies[session].value}
        return found

    def address(self, path: str) -> str:
        return f"/c/{self.competition.slug}/{path}"

    # --- the product

    def finish(self, url: str, found: Found) -> None:
        """Let all tables scan, then finish at their moments while staff watch."""
        with ThreadPoolExecutor(len(self.tables) + 3) as pool:
            phones = list(pool.map(lambda table: self._scan(url, found, table), self.tables))
            begun = time.monotonic()
            watching = [
                pool.submit(self._watch, url, found, begun, kind, self.address(path), role)
                for kind, path, role in (
                    ("hall", "hall/", "scorer"),
                    ("desk", "desk/", "referee"),
                    ("entry", f"rounds/{self.round}/enter/", "scorer"),
                )
            ]
            self._at_their_moments(pool, begun, lambda index: self._finish_table(phones[index], index))
            for job in watching:
                job.result()

    def _at_their_moments(self, pool: ThreadPoolExecutor, begun: float, act: Callable[[int], None]) -> None:
        def wait_and_act(index: int) -> None:
            time.sleep(max(0, begun + self.moments[index] - time.monotonic()))
            act(index)

        for job in [pool.submit(wait_and_act, index) for index in range(len(self.tables))]:
            job.result()

    def _scan(self, url: str, found: Found, table: "Table") -> list[Browser]:
        """Return the table's four phones, each with its player."""
        from league.core.door import sheet_code

        phones = [Browser(url, found) for _seat in range(4)]
        code = sheet_code(table)
        for phone, seat in zip(phones, table.seats.all(), strict=True):
            phone.ask("scan", self.address(f"t/{table.number}/{code}/"), good=302)
            at_table = self.address(f"seat/tables/{table.pk}/")
            phone.ask("page", at_table, good=200)
            phone.ask("scan", f"{at_table}me/", {"player": self.entrants[seat.player_id]}, good=302)
        return phones

    def _finish_table(self, phones: Sequence[Browser], index: int) -> None:
        """Type the sheet on the first phone, then read and sign it on all four."""
        table = self.tables[index]
        sheet = self.address(f"seat/tables/{table.pk}/sheet/")
        seated = "-".join(str(seat.player_id) for seat in table.seats.all())
        typed = {"number": table.number, "based_on": 0, "seated": seated, "sticks": 0}
        typed |= dict(zip(WINDS, self.points[index], strict=True))
        phones[0].ask("page", sheet, good=200)
        phones[0].ask("sheet", sheet, {"key": uuid.uuid4(), **typed}, good=302)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda seat: _sign(phones[seat], sheet, seat), range(4)))

    def _watch(self, url: str, found: Found, begun: float, kind: str, address: str, role: str) -> None:
        browser = Browser(url, found, dict(self.staff[role]))
        while time.monotonic() < begun + self.seconds:
            asked = time.monotonic()
            browser.ask(kind, address, good=200)
            time.sleep(max(0, asked + 1 - time.monotonic()))

    # --- the facts

    def judge(self) -> dict[str, int]:
        """Compare the sheets and signatures with what was typed."""
        from league.models import Sheet, Signature

        sheets = Sheet.objects.filter(table__in=self.tables, entered_by=None)
        signed = Signature.objects.filter(proposal__table__in=self.tables, agrees=True)
        found = Counter((sheet.table_id, sheet.points) for sheet in sheets.filter(status="confirmed"))
        seats = Counter(signed.values_list("proposal__table_id", "wind"))
        typed = [
            (each.pk, tuple(100 * number for number in points))
            for each, points in zip(self.tables, self.points, strict=True)
        ]
        wanted = [(each.pk, wind) for each in self.tables for wind in range(4)]
        return {
            "sheets typed": len(typed),
            "lost sheets": sum(each not in found for each in typed),
            "double sheets": sheets.count() - len({table for table, _points in found}),
            "signatures given": len(wanted),
            "lost signatures": sum(each not in seats for each in wanted),
            "double signatures": sum(count - 1 for count in seats.values()),
        }

    # --- the bare view

    def write_bare(self, url: str, found: Found) -> None:
        """Write at the same moments as the phones did: a sheet and four signatures for each table."""
        from django.contrib.auth.models import User

        from league.models import Table

        scorer = User.objects.get(username="phones-scorer").pk
        rows = [
            [
                Table.objects.create(round_id=self.round, number=1000 + 5 * index + part).pk
                for part in range(5)
            ]
            for index in range(len(self.tables))
        ]

        def write(index: int) -> None:
            browser = Browser(url, found)
            for row in rows[index]:
                fields: dict[str, object] = {"key": uuid.uuid4(), **dict(zip(WINDS, (250,) * 4, strict=True))}
                browser.ask("bare write", f"/{self.competition.pk}/{row}/{scorer}/", fields, good=200)

        with ThreadPoolExecutor(len(self.tables)) as pool:
            self._at_their_moments(pool, time.monotonic(), write)


def _points(chance: random.Random) -> tuple[int, ...]:
    """Return four scores in hundreds."""
    three = [chance.randrange(100, 400) for _seat in range(3)]
    return (*three, START - sum(three))


def _sign(phone: Browser, sheet: str, seat: int) -> None:
    page = phone.ask("page", sheet, good=200)
    proposal: Any = page.partition('name="proposal" value="')[2].partition('"')[0]
    phone.ask(
        "signature", f"{sheet}sign/", {"key": uuid.uuid4(), "proposal": proposal, "wind": seat}, good=302
    )


if __name__ == "__main__":
    sys.exit(main())
