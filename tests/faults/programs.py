"""The programs of faults. Each returns what it counted; what is in ``MUST_BE_NONE`` must be 0 or empty."""

import resource
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from django.db import connection
from django.utils import timezone

from league.models import Sheet, Table
from league.organizing.backups.archive import BackupReader
from league.organizing.backups.queries import states
from league.organizing.backups.services import make_backup, restore
from scoring.units import WINDS
from tests.factories import sheet_id
from tests.faults import hall as judged
from tests.faults.hall import SCORERS, Hall, Save
from tests.faults.imports import imports as imports
from tests.faults.tasks import tasks as tasks
from tests.places import Place, new_place
from tests.wire import forms_of

GROUP = 10  # every tenth kill is of the master and all workers
MUST_BE_NONE = (
    *judged.MUST_BE_NONE,
    *("without an answered save", "other standings", "won by none", "won by several"),
    *("half visible", "not repeated", "left behind"),
    *("tasks that did not end", "files that did not arrive"),
)

Progress = Callable[[int], object]


def kills(hall: Hall, home: Path, times: int, progress: Progress) -> dict[str, object]:
    """SIGKILL again and again, of a worker or of the whole server, at moments of chance while people save."""
    whole = done = 0
    with hall.scorers():
        while done < times:
            with hall.server() as master:
                for _ in range(min(GROUP, times - done)):
                    hall.let_work(hall.chance.randint(1, 12))
                    time.sleep(hall.chance.uniform(0, 0.05))
                    done += 1
                    progress(done)
                    if done % GROUP and done < times:
                        hall.kill_a_worker(master)
            whole += 1
        with hall.server():
            hall.let_work(5)
            hall.finish()
    return {"kills": times, "of these of the whole server": whole, **hall.judge()}


def backups(hall: Hall, home: Path, times: int, progress: Progress) -> dict[str, object]:
    """A backup while people save, restored into an empty place: all that was answered before is in it."""
    counts = Counter(
        {name: 0 for name in ("saves during backups", "without an answered save", "other standings")}
    )
    with hall.scorers(), hall.server():
        for number in range(times):
            hall.let_work(hall.chance.randint(1, 6))
            before = Counter(hall.answered)
            kept = home / f"{number}.zip"
            make_backup(kept, at=timezone.now())
            counts["saves during backups"] += len(hall.answered) - before.total()
            with hall.pause(), new_place(home) as empty:
                found, same = restored(kept, empty)
            counts["without an answered save"] += (before - found).total()
            counts["other standings"] += not same
            kept.unlink()
            progress(number + 1)
        hall.finish()
    return {"backups restored": times, **counts, **hall.judge()}


def restores(hall: Hall, home: Path, times: int, progress: Progress) -> dict[str, object]:
    """A backup; then the server is killed while people save; then the backup is restored, in the same place
    and in an empty one. The server works on in the restored database.
    """
    counts = Counter(
        {name: 0 for name in ("saves after backups", "other standings", "with a log left beside it")}
    )
    for number in range(times):
        kept = home / f"{number}.zip"
        with hall.scorers(), hall.server():
            hall.let_work(hall.chance.randint(2, 12))
            make_backup(kept, at=timezone.now())
            before = len(hall.answered)
            connection.close()  # the last one to close the database would clean up after the server
            hall.let_work(hall.chance.randint(2, 12))
        counts["saves after backups"] += len(hall.answered) - before
        log = Path(f"{hall.place.file}-wal")
        counts["with a log left beside it"] += log.exists() and log.stat().st_size > 0
        with new_place(home) as empty:
            found, same = restored(kept, empty)
        found_there, same_there = restored(kept, hall.place, replace=True)
        counts["other standings"] += not (same and same_there and found == found_there)
        hall.begin_again()
        kept.unlink()
        progress(number + 1)
    with hall.scorers(), hall.server():
        hall.let_work(5)
        hall.finish()
    return {"restores into both places": times, **counts, **hall.judge()}


def full_disks(hall: Hall, home: Path, times: int, progress: Progress) -> dict[str, object]:
    """The server may write no more than a little; it says so, and goes on when it may again."""
    with hall.scorers(), hall.server() as master:
        for number in range(times):
            hall.let_work(hall.chance.randint(2, 12))
            refused = hall.counts[hall.NO_ROOM]
            limit_files(hall, master.pid, largest_file(hall.place) + hall.chance.randint(0, 100_000))
            until = time.monotonic() + 60
            while hall.counts[hall.NO_ROOM] < refused + 4 and time.monotonic() < until:
                time.sleep(0.01)
            limit_files(hall, master.pid, resource.RLIM_INFINITY)
            progress(number + 1)
        hall.let_work(5)
        hall.finish()
    return {"full disks": times, hall.NO_ROOM: hall.counts.pop(hall.NO_ROOM), **hall.judge()}


def restored(kept: Path, place: Place, *, replace: bool = False) -> tuple[Counter[Save], bool]:
    """Restores the backup there. Its sheets, and whether logs and standings are those of the manifest."""
    with place.entered():
        aside = restore(kept, replace=replace, at=timezone.now()).aside
        found = Counter((sheet.table_id, sheet.points) for sheet in Sheet.objects.all())
        same = states() == BackupReader(kept).manifest.states
        if aside:
            remove(aside)
    return found, same


def remove(aside: str) -> None:
    """Removes a database that was put aside: hundreds of them would fill the disk."""
    if connection.vendor == "sqlite":
        for path in Path(aside).parent.glob(f"{Path(aside).name}*"):
            path.unlink()
    else:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA {aside} CASCADE")


def largest_file(place: Place) -> int:
    return max(path.stat().st_size for path in place.file.parent.glob(f"{place.file.name}*"))


def limit_files(hall: Hall, master: int, most: int) -> None:
    """Lets the server's processes write no file beyond ``most`` bytes, as on a full disk."""
    for pid in (master, *hall.workers(master)):
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


def races(hall: Hall, home: Path, times: int, progress: Progress) -> dict[str, object]:
    """All scorers correct the same version of one sheet at once, each with other points: one of them wins."""
    counts = Counter(
        {name: 0 for name in ("won by one", "shown both sheets", "won by none", "won by several")}
    )
    with hall.server(), ThreadPoolExecutor(SCORERS) as pool:
        table = Table.objects.filter(round__stage=hall.club.stage).order_by("pk")[0]
        visitors = [hall.sign_in() for _ in range(SCORERS)]
        first = (table.pk, points_of(0, 1))
        hall.save(visitors[0], f"/c/crash/rounds/{table.round_id}/enter/?table={table.number}", first)
        address = f"/c/crash/tables/{table.pk}/correct/"
        forms = [forms_of(each.get(address).text, address) for each in visitors]
        sheets = [next(form.fields for form in found if "east" in form.fields) for found in forms]
        for race in range(1, times + 1):
            saves = [(table.pk, points_of(race, number)) for number in range(SCORERS)]
            seen = {"based_on": [str(sheet_id(table))]}
            fields = [
                sheet | in_hundreds(save[1]) | {"key": [str(uuid.uuid4())]} | seen
                for sheet, save in zip(sheets, saves, strict=True)
            ]
            answers = list(pool.map(lambda each, sent: each.post(address, sent), visitors, fields))
            won = [save for save, answer in zip(saves, answers, strict=True) if answer.status == 302]
            hall.answered += won
            counts["won by none" if not won else "won by one" if len(won) == 1 else "won by several"] += 1
            counts["shown both sheets"] += sum(answer.status == 409 for answer in answers)
            progress(race)
    return {"races": times, **counts, **hall.judge()}


def points_of(race: int, scorer: int) -> tuple[int, int, int, int]:
    """Other ones for each scorer of each of 16,000 races, and none that a page would ask about."""
    number = SCORERS * race + scorer
    east, south, west = (30_000 + 100 * (number // step % 40) for step in (1, 40, 1_600))
    return east, south, west, 120_000 - east - south - west


def in_hundreds(points: Sequence[int]) -> dict[str, list[str]]:
    typed = {wind: [str(score // 100)] for wind, score in zip(WINDS, points, strict=True)}
    return typed | {"sticks": ["0"], "reason": ["again"]}
