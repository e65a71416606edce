"""A whole copy of the SQLite database while people go on working, checked before it is called good; and
beside it the photographs that are evidence of disputes, as an archive.
"""

import sqlite3
import tarfile
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from league.audit_log.queries import verify_chain
from league.models import Competition


class Command(BaseCommand):
    help = (
        "Copies the SQLite database to FILE, and checks the copy and every competition's audit log."
        " Photographs of disputes go into an archive beside it, FILE.evidence.tar."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write; an existing file is never overwritten")

    def handle(self, *, file: Path, **options: object) -> None:
        if connection.vendor != "sqlite":
            raise CommandError(
                "This server uses PostgreSQL: make the backup with pg_dump --format=custom, and copy the"
                f" folder {settings.EVIDENCE_DIR} with it."
            )
        archive = file.with_name(f"{file.name}.evidence.tar")
        for target in (file, archive):
            if target.exists():
                raise CommandError(
                    f"{target} exists already. Name a new file, for example with today's date."
                )
        if not file.parent.is_dir():
            raise CommandError(f"The folder {file.parent} does not exist.")
        _refuse_broken_logs()
        draft = file.with_name(f".{file.name}.part")
        _copy(draft)
        _check(draft)
        # After the database: a photograph is written before its row, so that each row's file is there by now.
        names = _photographs(draft)
        missing = _pack(names, archive) if names else []
        draft.replace(file)
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes, checked.")
        if names:
            self.stdout.write(f"{archive}: {len(names) - len(missing)} photographs.")
        for name in missing:
            self.stderr.write(f"{name}: this photograph is not in {settings.EVIDENCE_DIR} any more.")


def _refuse_broken_logs() -> None:
    for competition in Competition.objects.order_by("slug"):
        broken = verify_chain(competition).broken_at
        if broken is not None:
            raise CommandError(
                f"The audit log of {competition.slug} is broken at entry {broken}: keep older backups."
            )


def _copy(target: Path) -> None:
    # The backup API, not the file: a copy of the file alone misses what is still in the write-ahead log.
    connection.ensure_connection()
    with closing(sqlite3.connect(target)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")


def _check(copy: Path) -> None:
    with closing(sqlite3.connect(copy)) as opened:
        verdict = opened.execute("PRAGMA integrity_check").fetchone()[0]
        dangling = opened.execute("PRAGMA foreign_key_check").fetchone()
    if verdict != "ok" or dangling:
        copy.unlink()
        raise CommandError(
            f"The copy is damaged ({verdict if verdict != 'ok' else dangling}): look at the disk."
        )


def _photographs(copy: Path) -> list[str]:
    """The files that the copied database speaks of; others in the folder belong to nothing."""
    with closing(sqlite3.connect(copy)) as opened:
        found = opened.execute("SELECT file FROM league_evidence WHERE file <> '' ORDER BY id").fetchall()
    return [name for (name,) in found]


def _pack(names: list[str], archive: Path) -> list[str]:
    """Write the archive; the names of files that are not there any more."""
    folder = Path(settings.EVIDENCE_DIR)
    missing = [name for name in names if not (folder / name).is_file()]
    draft = archive.with_name(f".{archive.name}.part")
    with tarfile.open(draft, "w") as packed:
        for name in names:
            if name not in missing:
                packed.add(folder / name, arcname=name, recursive=False)
    draft.replace(archive)
    return missing
