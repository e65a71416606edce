from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.utils import timezone

from league.management.lines import LineCommand, Stopped
from league.organizing.backups.queries import PHOTOGRAPHS, ROWS, NotWhole
from league.organizing.backups.services import make_backup


class Command(LineCommand):
    help = (
        "Writes every row and every photograph to FILE (a ZIP), with a manifest: version, counts, checksums,"
        " the heads of the audit logs and the standings. Checks the database before and the file after."
        " manage.py restore restores it on SQLite and on PostgreSQL."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="where to write; an existing file is never overwritten")
        parser.add_argument(
            "--despite-faults",
            action="store_true",
            help="write the rest if something is missing or broken; the manifest lists it",
        )

    def work(self, **options: Any) -> None:
        file: Path = options["file"]
        if file.exists():
            raise Stopped(f"{file} already exists. Name a new file, for example with today's date.")
        if not file.parent.is_dir():
            raise Stopped(f"The folder {file.parent} does not exist.")
        try:
            manifest = make_backup(file, at=timezone.now(), despite_faults=options["despite_faults"])
        except NotWhole as wrong:
            raise Stopped(*wrong.faults, "No backup was made. Keep the older ones.") from wrong
        rows, photographs = (
            sum(part.count for name, part in manifest.parts.items() if name.startswith(folder))
            for folder in (ROWS, PHOTOGRAPHS)
        )
        competitions = sum(address.startswith("c/") for address in manifest.states)
        for fault in manifest.faults:
            self.stderr.write(fault)
        self.stdout.write(
            f"{file}: {file.stat().st_size:,} bytes, checked. Competitions: {competitions:,},"
            f" rows: {rows:,}, photographs: {photographs:,}."
        )
