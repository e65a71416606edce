"""What workers cost: their first page, and their memory after many saves: `python -m benchmarks.workers`.

gunicorn serves the league of ``benchmarks.pages`` with fewer rounds. (a) One worker: how long the first page
took after the server's start, and after another worker took the place of one that ended; beside the same page
after a change. (b) All workers: a scorer corrects a score sheet again and again, and after each save people
read; the resident size of the largest worker before and after.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from benchmarks.pages import find_league, start_django
from benchmarks.standings import ROOT, machine, say, table
from benchmarks.visitors import seconds
from tests.served import served

if TYPE_CHECKING:
    from tests.pages.forms import PageForm
    from tests.pages.things import Things
    from tests.wire import Visitor

GOALS = {"first page": 0.1, "memory": 150}  # seconds, MB
LANGUAGES = ("en", "ja", "zh-hant", "zh-hans")
WINDS = ("east", "south", "west", "north")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=1_000)
    parser.add_argument("--saves", type=int, default=300)
    parser.add_argument(
        "--directory", type=Path, default=ROOT / "var" / "benchmarks", help="keeps the league"
    )
    arguments = parser.parse_args()
    say(machine(), "")
    with tempfile.TemporaryDirectory(prefix="umaoka-workers-") as home:
        start_django(Path(home))
        here = find_league(arguments.directory, Path(home), arguments.players, arguments.tables)
        first_pages(Path(home), here)
        save_and_read(Path(home), here, arguments.saves)


@contextmanager
def server(home: Path, **environment: str) -> Iterator[str]:
    with served(home, database=os.environ["DATABASE_URL"], **environment) as url:
        yield url


def workers_of(home: Path) -> list[int]:
    """The processes that answer: those whose parent is gunicorn's master."""
    mine = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(home).encode() in (process / "environ").read_bytes():
                parent = (process / "status").read_text().partition("PPid:")[2].split()[0]
                mine.append((int(process.name), int(parent)))
        except OSError:
            continue  # it has ended
    pids = {pid for pid, _parent in mine}
    return sorted(pid for pid, parent in mine if parent in pids)


# --- (a)


def first_pages(home: Path, here: "Things") -> None:
    from django.db.models import F

    from league.models import Competition

    say("(a) The first page of a worker", "")
    with server(home, WEB_CONCURRENCY="1") as url:
        page = f"{url}/c/{here.club.slug}/rounds/"
        first, _size = seconds(page)
        Competition.objects.update(revision=F("revision") + 1)
        changed, _size = seconds(page)
        ended = workers_of(home)
        os.kill(ended[0], signal.SIGTERM)
        while workers_of(home) in ([], ended):
            time.sleep(0.02)
        another, _size = seconds(page)
    heads = ["first page s", "first page of another worker s", "after a change s"]
    table(heads, [[f"{each:.3f}" for each in (first, another, changed)]])
    say(f"Goal: a first page in about {GOALS['first page']} s.", "")


# --- (b)


def save_and_read(home: Path, here: "Things", saves: int) -> None:
    say(f"(b) The largest worker, before and after {saves} saves, with readers", "")
    with server(home) as url:
        scorer = sign_in(url, here)
        readers = [
            scorer,
            *(replace(scorer, cookies={"django_language": language}) for language in LANGUAGES),
        ]
        form = scorer.form(f"/c/{here.club.slug}/tables/{here.table}/correct/", "results:correct")
        for reader in readers:
            read(reader, here)
        before = largest(home)
        begun = time.monotonic()
        for number in range(saves):
            correct(scorer, form, here.table, number)
            read(readers[number % len(readers)], here)
        taken = time.monotonic() - begun
        count = len(workers_of(home))
        rows = [[str(count), str(saves), f"{taken:.0f}", f"{before:.0f}", f"{largest(home):.0f}"]]
    table(["workers", "saves", "seconds", "MB before", "MB after"], rows)
    say(f"Goal: below {GOALS['memory']} MB.", "")


def sign_in(url: str, here: "Things") -> "Visitor":
    from django.conf import settings

    from tests.wire import Visitor

    return Visitor(url, {settings.SESSION_COOKIE_NAME: here.sessions["scorer"]}, seconds=60)


def read(reader: "Visitor", here: "Things") -> None:
    slug = here.club.slug
    for page in ("", f"rounds/{here.round}/", "players/"):
        answer = reader.get(f"/c/{slug}/{page}")
        if answer.status != 200:
            raise RuntimeError(f"{page} answered {answer.status}")


def correct(scorer: "Visitor", form: "PageForm", table: int, number: int) -> None:
    """Correct the sheet for the time of this number. Each sheet differs from the one before."""
    from league.models import Sheet

    more = number % 100 + 1
    points: Sequence[int] = (450 + more, 350, 250, 150 - more)
    typed = {wind: [str(score)] for wind, score in zip(WINDS, points, strict=True)}
    newest = Sheet.objects.get(table=table, is_current=True)
    seen = {"key": [str(uuid4())], "based_on": [str(newest.pk)]}
    answer = scorer.post(form.action, form.fields | typed | seen | {"reason": ["again"]})
    if answer.status != 302:
        raise RuntimeError(f"a save was answered {answer.status}")


def largest(home: Path) -> float:
    """The resident size of the largest worker in MB, with what it shares with the others."""
    sizes = [Path(f"/proc/{pid}/status").read_text() for pid in workers_of(home)]
    return max(int(text.partition("VmRSS:")[2].split()[0]) for text in sizes) / 1024


if __name__ == "__main__":
    sys.exit(main())
