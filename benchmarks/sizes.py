"""How large facts are, and how long a backup of them takes: `python -m benchmarks.sizes`.

On a temporary SQLite file or, under `python -m tests.postgres`, on PostgreSQL. Players are entered in bulk,
score sheets are saved one by one as people do, each with its entry of the log and its key. Bytes are those of
the database with its indexes.
"""

import argparse
import os
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

from benchmarks.database import make_tables
from benchmarks.standings import machine, say, table
from tests.places import new_place

FEW_PLAYERS, A_ROUND = 64, 16


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=800, help="each with a score sheet")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="umaoka-sizes-") as folder, new_place(Path(folder)) as place:
        os.environ.update(place.environ)
        import django

        django.setup()
        make_tables()
        measure(Path(folder), arguments.players, arguments.tables)


def measure(home: Path, players: int, tables: int) -> None:
    from django.db import connection
    from django.utils import timezone

    from benchmarks.events import make_event
    from league.organizing.backups.queries import faults
    from league.organizing.backups.services import make_backup

    rows = []

    def grow(what: str, count: int, work: Callable[[], object]) -> None:
        before, bytes_before, begun = count_rows(), size(), time.monotonic()
        work()
        seconds = time.monotonic() - begun
        made = sum((count_rows() - before).values())
        figures = (made / count, (size() - bytes_before) / count, 1000 * seconds / count)
        rows.append([what, f"{count:,}", *(f"{figure:,.1f}" for figure in figures)])

    grow("player entered, in bulk", players, lambda: make_event(players=players, tables=0))
    grow("table with its score sheet", tables, lambda: save_sheets(tables))
    say(f"{connection.vendor}: {machine()}", "")
    table(["what", "times", "rows each", "bytes each", "ms each"], rows)
    kept, found = home / "kept.zip", []
    for what, work in (
        ("verify", lambda: list(faults())),
        ("backup", lambda: make_backup(kept, at=timezone.now())),
        ("restore", lambda: restore_elsewhere(home, kept)),
    ):
        begun = time.monotonic()
        work()
        found.append([what, f"{time.monotonic() - begun:.1f}"])
    every = sum(count_rows().values())
    found += [["rows", f"{every:,}"], ["MB database", mega(size())], ["MB backup", mega(kept.stat().st_size)]]
    table(["of all this", "seconds or size"], found)


def mega(count: float) -> str:
    return f"{count / 1e6:,.1f}"


def save_sheets(tables: int) -> None:
    """Save sheets as forms do: one change each, with its key."""
    from league.core.changes import Sent
    from league.models import Table
    from league.play.results.services import record_result
    from tests.factories import club

    hall = club("sizes", players=FEW_PLAYERS)
    for _ in range(-(-tables // A_ROUND)):
        hall.add_round()
    every = Table.objects.filter(round__stage=hall.stage).order_by("pk")[:tables]
    for number, each in enumerate(tqdm(every, disable=None, leave=False)):
        more = 100 * (number % 100)
        points = (45_000 + more, 35_000 - more, 25_000, 15_000)
        record_result(
            table=each, points=points, based_on=0, by=hall.charlie, form=Sent.of(uuid.uuid4(), *points)
        )


def restore_elsewhere(home: Path, kept: Path) -> None:
    from django.utils import timezone

    from league.organizing.backups.services import restore

    with new_place(home) as empty, empty.entered():
        restore(kept, replace=False, at=timezone.now())


def count_rows() -> Counter[str]:
    from django.apps import apps

    return Counter({model._meta.label: model._base_manager.count() for model in apps.get_models()})


def size() -> int:
    """Bytes of the database."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute(
                "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count,"
                " pragma_freelist_count, pragma_page_size"
            )
        else:
            cursor.execute("SELECT pg_database_size(current_database())")
        (found,) = cursor.fetchone()
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
