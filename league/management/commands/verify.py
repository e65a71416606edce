import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.db import connection

from league.management.lines import LineCommand, Stopped
from league.models import triggers
from league.organizing.audit_log.queries import Head, heads, read_heads
from league.organizing.backups.archive import BackupReader, BrokenBackup
from league.organizing.backups.queries import faults


class Command(LineCommand):
    help = (
        "Checks the database, its triggers, every audit log from its first entry, and that every photograph"
        " is in its place; then prints the heads of the audit logs. Keep them elsewhere: with --heads they"
        " show a log that was cut or rewritten since."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--heads",
            action="append",
            default=[],
            metavar="FILE_OR_HEAD",
            help="a backup, a file with the output of this command, or a printed code; may be repeated",
        )
        parser.add_argument(
            "--install-triggers",
            action="store_true",
            help="create missing triggers first, after you found out who removed them",
        )

    def work(self, **options: Any) -> None:
        kept = [head for each in options["heads"] for head in _read(each)]
        if options["install_triggers"]:
            triggers.install(connection)
        if wrong := list(faults(kept)):
            raise Stopped(*wrong)
        for head in heads():
            self.stdout.write(str(head))
        checked = f", {len(kept):,} kept heads" if kept else ""
        self.stdout.write(f"The database is whole: tables, triggers, audit logs, photographs{checked}.")


def _read(source: str) -> list[Head]:
    path = Path(source)
    try:
        if zipfile.is_zipfile(path):
            states = BackupReader(path).manifest.states.items()
            return [Head(state.head, state.entries, address) for address, state in states if state.entries]
        found = read_heads(path.read_text() if path.is_file() else source)
    except BrokenBackup as broken:
        raise Stopped(f"{source} is not a whole backup. {broken}") from broken
    except (OSError, UnicodeDecodeError) as error:
        raise Stopped(f"{source} cannot be read: {error}") from error
    if not found:
        raise Stopped(f"{source} is neither a file with heads nor a head or code as it is printed.")
    return found
