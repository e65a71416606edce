from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.db import Error
from django.utils import timezone

from league import VERSION
from league.management.lines import LineCommand, Stopped
from league.organizing.backups.places import is_used
from league.organizing.backups.queries import NotWhole, errors_in_words, faults
from league.organizing.backups.services import make_backup


class Command(LineCommand):
    help = (
        "Makes a backup, applies the migrations of this version, collects the static files, and verifies the"
        " database. Run it with the server stopped, after the new version is in its place. It makes the"
        " tables of an empty database, without a backup."
    )
    requires_system_checks = "__all__"  # of a new version, before anything changes

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--backups",
            type=Path,
            default=settings.VAR_DIR / "backups",
            metavar="FOLDER",
            help="where the backup is written (var/backups)",
        )

    def work(self, **options: Any) -> None:
        backups: Path = options["backups"]
        now = timezone.now()
        kept = backups / f"before-{VERSION}-{now:%Y%m%d-%H%M%S}.zip"
        try:
            with errors_in_words():
                if used := is_used():
                    backups.mkdir(parents=True, exist_ok=True, mode=0o700)
                    make_backup(kept, at=now)
                    self.stdout.write(f"Backup: {kept}")
        except NotWhole as found:
            raise Stopped(*found.faults, "No backup was made, and nothing was upgraded.") from found
        try:
            call_command("migrate", verbosity=0)
            wrong = list(faults())
        except Error as error:
            wrong = [f"The migrations failed: {error}"]
        if wrong:
            back = f"To go back: the former version, then manage.py restore --replace {kept}"
            raise Stopped(*wrong, *([back] if used else []))
        call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write(f"The database is whole, with the tables of version {VERSION}. Restart the server.")
