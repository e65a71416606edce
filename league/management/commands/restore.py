from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from league.management.lines import LineCommand, Stopped
from league.organizing.backups.archive import ERASED, BrokenBackup
from league.organizing.backups.places import CannotRestore
from league.organizing.backups.queries import NotWhole
from league.organizing.backups.services import restore


class Command(LineCommand):
    help = (
        "Restores FILE, which manage.py backup wrote on SQLite or on PostgreSQL, into the database of"
        " DATABASE_URL and the folder EVIDENCE_DIR. The server must be stopped. What is restored is compared"
        " with the manifest (rows, audit logs, standings) before it takes the place. People who were erased"
        " after the backup are erased again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--replace", action="store_true", help="set the existing database aside; it is not deleted"
        )

    def work(self, **options: Any) -> None:
        file: Path = options["file"]
        try:
            restored = restore(file, replace=options["replace"], at=timezone.now())
        except BrokenBackup as broken:
            raise Stopped(f"{file} is not a whole backup. {broken}", "Nothing was changed.") from broken
        except CannotRestore as why:
            raise Stopped(why, "Nothing was changed.") from why
        except NotWhole as wrong:
            raise Stopped(*wrong.faults, "Nothing was changed.") from wrong
        manifest = restored.manifest
        for fault in manifest.faults:
            self.stderr.write(f"As in the backup: {fault}")
        self.stdout.write(
            f"Restored the state of {manifest.made_at} (version {manifest.version})."
            f" Competitions and leagues with the same log and standings: {len(manifest.states):,}."
        )
        if restored.aside:
            self.stdout.write(f"The former database is kept: {restored.aside}")
        if restored.erased:
            self.stdout.write(f"Erased again: {', '.join(restored.erased)}")
        for each in restored.not_erased:
            self.stderr.write(f"Not erased again: {each}")
        if not any(path.exists() for path in (Path(settings.ERASED_FILE), file.with_name(ERASED))):
            self.stdout.write(
                f"No list of erasures at {settings.ERASED_FILE}. If people were erased after that time,"
                " put the list there and restore again, or erase them again."
            )
