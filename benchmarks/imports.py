"""Files that mean harm, and a large import while other people save: `python -m benchmarks.imports`.

gunicorn serves a league on a temporary SQLite file, as in production. (a) A competition file of six million
empty objects and a workbook that unpacks to gigabytes are sent by an organizer: how much memory the workers
and the processes that read took at most. (b) A competition file is uploaded while four scorers save score
sheets: how long each save took, and the import. (c) The same file read and imported without a server, beside
Django's bulk_create of the same rows.
"""

import argparse
import io
import json
import os
import random
import secrets
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from tests.served import served

if TYPE_CHECKING:
    from tests.factories import Club
    from tests.wire import Answer, Visitor

SCORERS = 4
WINDS = ("east", "south", "west", "north")
OBJECTS = 6_230_000  # 18.7 MB
HEAD = '{"format": "umaoka-competition", "version": 1, "slug": "large", "name": "Large", "timezone": "UTC", '
OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:"
GOALS = {"memory": 300, "p99": 2, "bulk_create": 1.2}  # MB, seconds, times


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=70_000)
    parser.add_argument("--before", type=float, default=10, help="seconds of saves before the import of (b)")
    parser.add_argument("--alone", type=int, default=100_000, help="tables of (c)")
    parser.add_argument("--parts", default="abc", help="those that are measured")
    parser.add_argument("--objects", type=int, default=OBJECTS, help="of the competition file of (a)")
    arguments = parser.parse_args()
    say(machine(), "")
    with tempfile.TemporaryDirectory(prefix="umaoka-imports-") as home:
        os.environ |= {
            "DATABASE_URL": f"sqlite:///{home}/served.sqlite3",
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        }
        import django

        django.setup()
        make_tables()
        if {"a", "b"} & set(arguments.parts):
            hall = make_hall()
            with served(Path(home), database=os.environ["DATABASE_URL"]) as url:
                if "a" in arguments.parts:
                    send_bombs(Path(home), url, hall, arguments.objects)
                if "b" in arguments.parts:
                    import_while_others_save(Path(home), url, hall, arguments.tables, arguments.before)
        if "c" in arguments.parts:
            import_beside_bulk_create(arguments.alone)


def make_hall() -> "Club":
    """A league in which a table for each scorer waits for its score sheet."""
    from tests.factories import club

    hall = club("hall", players=4 * SCORERS)
    hall.add_round()
    for number in range(1, SCORERS + 1):
        hall.record((40_000, 35_000, 25_000, 20_000), number=number)
    return hall


# --- (a)


def send_bombs(home: Path, url: str, hall: "Club", objects: int) -> None:
    say("(a) Files that mean harm", "")
    alice, rows = Organizer(url, hall), []
    objects_file = f'{HEAD}"players": [{"{}," * objects}{{}}]}}'.encode()
    for name, send, content in (
        ("competition file", alice.send_competition, objects_file),
        ("workbook", alice.send_roster, small_workbook()),
    ):
        with watch_memory(home) as memory:
            begun = time.monotonic()
            said = send(content)
            seconds = time.monotonic() - begun
        size = f"{len(content) / 1000:,.0f}"
        figures = (f"{seconds:.1f}", f"{memory.workers:.0f}", f"{memory.readers:.0f}")
        rows.append([name, size, said, *figures])
    table(["file", "kB", "answer", "seconds", "MB worker", "MB reading process"], rows)
    say(f"Goal: below {GOALS['memory']} MB each.", "")


def small_workbook() -> bytes:
    """Return 1 kB of an ods file with one cell that is repeated 16 million times."""
    out = io.BytesIO()
    names = "".join(f' xmlns:{name}="{OPEN_DOCUMENT}{name}:1.0"' for name in ("office", "table", "text"))
    sheet = (
        f"<office:document-content{names}><office:body><office:spreadsheet>"
        '<table:table table:name="A"><table:table-row table:number-rows-repeated="1000">'
        '<table:table-cell office:value-type="string" table:number-columns-repeated="16000">'
        "<text:p>name</text:p></table:table-cell></table:table-row></table:table>"
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr(
            "META-INF/manifest.xml", f'<manifest:manifest xmlns:manifest="{OPEN_DOCUMENT}manifest:1.0"/>'
        )
        archive.writestr("content.xml", sheet)
    return out.getvalue()


@dataclass
class Memory:
    """The largest resident sizes so far, in MB: of a worker, and of a process that a worker started."""

    workers: float = 0
    readers: float = 0

    def look(self, home: Path) -> None:
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if str(home).encode() not in (process / "environ").read_bytes():
                    continue
                words = (process / "cmdline").read_text()
                size = (process / "status").read_text().partition("VmHWM:")[2].split()[0]
            except (OSError, IndexError):
                continue  # it has ended
            if "gunicorn" in words:
                self.workers = max(self.workers, int(size) / 1024)
            elif "work" in words.split("\0") or "league.core.apart" in words:
                self.readers = max(self.readers, int(size) / 1024)


@contextmanager
def watch_memory(home: Path) -> Iterator[Memory]:
    memory, over = Memory(), Event()

    def watch() -> None:
        while not over.wait(0.02):
            memory.look(home)

    watcher = Thread(target=watch)
    watcher.start()
    try:
        yield memory
    finally:
        over.set()
        watcher.join()


# --- (b)


def import_while_others_save(home: Path, url: str, hall: "Club", tables: int, before: float) -> None:
    say(f"(b) {SCORERS} scorers save while a competition file is imported", "")
    content = json.dumps(make_file(tables), separators=(",", ":")).encode()
    alone = save_until(url, hall, lambda: time.sleep(before))
    with watch_memory(home) as memory:
        begun = time.monotonic()
        said: list[str] = []
        during = save_until(url, hall, lambda: said.append(Organizer(url, hall).send_competition(content)))
        seconds = time.monotonic() - begun
    rows = [
        ["none", "–", "–", *figures_of(alone), "–", "–"],
        [
            f"{tables:,} tables",
            f"{seconds:.1f}",
            said[0],
            *figures_of(during),
            f"{memory.workers:.0f}",
            f"{memory.readers:.0f}",
        ],
    ]
    heads = ["import", "seconds", "ended", "saves", "other answers", "median s", "p99 s", "slowest s"]
    table([*heads, "MB worker", "MB importing process"], rows)
    say(f"Goal: p99 below {GOALS['p99']} s, no other answer.", "")


@dataclass
class Saves:
    seconds: list[float] = field(default_factory=list)
    others: int = 0


def figures_of(saves: Saves) -> list[str]:
    cuts = quantiles(saves.seconds, n=100)
    figures = [f"{seconds:.2f}" for seconds in (cuts[49], cuts[98], max(saves.seconds))]
    return [f"{len(saves.seconds):,}", str(saves.others), *figures]


def save_until(url: str, hall: "Club", work: Callable[[], object]) -> Saves:
    """Return how long the scorers' saves took until ``work`` was done."""
    found, over = Saves(), Event()
    with ThreadPoolExecutor(SCORERS) as pool:
        jobs = [pool.submit(correct, url, hall, number, found, over) for number in range(1, SCORERS + 1)]
        try:
            work()
        finally:
            over.set()
        for job in jobs:
            job.result()
    return found


def correct(url: str, hall: "Club", number: int, found: Saves, over: Event) -> None:
    """Corrects the sheet of one table again and again, as fast as a hall of scorers together."""
    visitor = sign_in(url, hall, hall.charlie)
    address = f"/c/{hall.slug}/tables/{hall.table(number=number).pk}/correct/"
    saved = 0
    while saved < 2 or not over.is_set():
        saved += 1
        more = saved % 100 + 1  # each sheet differs from the one before
        form = visitor.form(address, "results:correct")
        points = zip(WINDS, (400 + more, 350, 250, 200 - more), strict=True)
        typed = form.fields | {wind: [str(score)] for wind, score in points} | {"reason": ["again"]}
        begun = time.monotonic()
        answer = visitor.post(form.action, typed)
        found.seconds.append(time.monotonic() - begun)
        found.others += answer.status != 302
        over.wait(0.1)


def make_file(tables: int, *, players: int = 1_000, a_round: int = 250, seed: int = 1) -> dict[str, Any]:
    """A season of so many tables, some a round, with results drawn from a seed."""
    from benchmarks.events import drawn_points

    chance = random.Random(seed)  # noqa: S311 - chance that can be repeated
    ids = [f"p{number}" for number in range(players)]
    rounds = []
    for number, first in enumerate(range(0, tables, a_round), start=1):
        chance.shuffle(ids)
        made = []
        for index in range(min(a_round, tables - first)):
            points, sticks = drawn_points(chance)
            four = zip(
                ("east", "south", "west", "north"), ids[4 * index : 4 * index + 4], points, strict=True
            )
            seats = [{"wind": wind, "player": player, "points": score} for wind, player, score in four]
            made.append({"number": index + 1, "status": "confirmed", "sticks": sticks, "seats": seats})
        rounds.append({"number": number, "tables": made})
    stage = {"slug": "regular", "name": "Regular season", "carry": "none", "rounds": rounds}
    division = {"slug": "main", "name": "Main", "rules": {"preset": "mleague"}, "stages": [stage]}
    head: dict[str, Any] = json.loads(HEAD + '"players": []}')
    return head | {"players": [{"id": pk, "name": f"選手 {pk}"} for pk in ids], "divisions": [division]}


# --- (c)


def import_beside_bulk_create(tables: int) -> None:
    from league.organizing.interchange.imports import read_competition_file
    from league.organizing.interchange.services.competition_file import import_competition

    say("(c) A competition file read and imported, beside bulk_create of the same rows", "")
    content = json.dumps(make_file(tables) | {"slug": "alone"}, separators=(",", ":")).encode()
    begun, clock = time.process_time(), time.monotonic()
    facts = read_competition_file(content)
    read = time.process_time() - begun
    imported = import_competition(facts=facts, league=None, by=None)
    ours, waited = time.process_time() - begun, time.monotonic() - clock
    del facts
    rows = take_rows(imported.pk)
    begun = time.process_time()
    create(rows)
    theirs = time.process_time() - begun
    figures = (f"{read:.1f}", f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.2f}", f"{waited:.0f}")
    heads = ["tables", "reading s", "import s", "bulk_create s", "import : bulk_create", "import, clock s"]
    table(heads, [[f"{tables:,}", *figures]])
    say(f"Goal: at most {GOALS['bulk_create']} times bulk_create, of the processor.", "")


def take_rows(competition: int) -> dict[Any, list[dict[str, Any]]]:
    """The rows of the import by table, each as its columns, and gone from the database. Only rows to which
    others point keep their keys.
    """
    from league.models import Entrant, Round, Seat, Sheet, Table
    from players.models import Player

    inside = {"round__stage__division__competition": competition}
    found = {
        Player: Player.objects.filter(entrants__competition=competition),
        Entrant: Entrant.objects.filter(competition=competition),
        Round: Round.objects.filter(stage__division__competition=competition),
        Table: Table.objects.filter(**inside),
        Seat: Seat.objects.filter(**inside),
        Sheet: Sheet.objects.filter(**{f"table__{name}": pk for name, pk in inside.items()}),
    }
    without = {Entrant, Seat, Sheet}
    rows = {model: [dict(row) for row in each.values()] for model, each in found.items()}
    for model in reversed(found):
        keys = [row.pop("id") if model in without else row["id"] for row in rows[model]]
        model.objects.filter(pk__range=(min(keys), max(keys)))._raw_delete("default")
    return rows


def create(rows: dict[Any, list[dict[str, Any]]]) -> None:
    from django.db import transaction

    with transaction.atomic():
        for model, every in rows.items():
            model._default_manager.bulk_create((model(**row) for row in every), batch_size=500)


# --- the organizer


def sign_in(url: str, hall: "Club", person: Any) -> "Visitor":
    from django.conf import settings

    from tests.factories import signed_in
    from tests.wire import Visitor

    name = settings.SESSION_COOKIE_NAME
    return Visitor(url, {name: signed_in(person).cookies[name].value}, seconds=120)


class Organizer:
    """Alice, who sends files and waits for the end of their import."""

    def __init__(self, url: str, hall: "Club") -> None:
        self.visitor, self.hall = sign_in(url, hall, hall.alice), hall

    def begin(self, content: bytes, **typed: str) -> "Answer":
        """Uploads a competition file."""
        page = f"/leagues/{self.hall.slug}/import/"
        return self._send(page, "interchange:import", content, "f.json", **typed)

    def send_competition(self, content: bytes) -> str:
        answer = self.begin(content)
        if answer.status != 302:
            return f"{answer.status}"
        return self._wait(answer.location)

    def send_roster(self, content: bytes) -> str:
        page = f"/c/{self.hall.slug}/manage/players/import/"
        answer = self._send(page, "roster:import", content, "f.xlsx")
        return "refused" if answer.status == 422 else str(answer.status)

    def _wait(self, page: str) -> str:
        from django.db import connection

        from league.models import ImportJob

        job = int(page.rstrip("/").rpartition("/")[2])
        while True:
            status = str(ImportJob.objects.values_list("status", flat=True).get(pk=job))
            if status not in ("reading", "writing"):
                connection.close()
                return status
            time.sleep(0.2)

    def _send(self, address: str, page: str, content: bytes, name: str, **typed: str) -> "Answer":
        form = self.visitor.form(address, page)
        fields = form.fields | {name: [value] for name, value in typed.items()}
        boundary = secrets.token_hex(16)
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'
            for field, values in fields.items()
            for value in values
            if field != "file"
        ]
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = "".join([*parts, head]).encode() + content + f"\r\n--{boundary}--\r\n".encode()
        self.visitor.headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        try:
            return self.visitor._send("POST", address, body)
        finally:
            self.visitor.headers = {}


if __name__ == "__main__":
    sys.exit(main())
