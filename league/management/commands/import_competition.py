import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from tqdm import tqdm

from league.core.errors import Refused
from league.management.lines import LineCommand, Stopped, bar_options
from league.models import Competition, League
from league.organizing.interchange.imports import read_competition_file
from league.organizing.interchange.schema import CompetitionFacts
from league.organizing.interchange.schema.problems import BrokenFile
from league.organizing.interchange.services.competition_file import (
    check_replaceable,
    find_losses,
    import_competition,
)
from league.organizing.interchange.services.drafts import remove_abandoned

Row = TypeVar("Row", bound=Model)
OF_THE_ADDRESS = ("file", "replace")  # the fields of refusals that another address would avoid


class Command(LineCommand):
    help = (
        "Load a competition file. Every problem is reported with its place before anything is saved."
        " Without --league the competition gets a new league of its name."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the competition file, or - for standard input")
        parser.add_argument("--dry-run", action="store_true", help="only check the file; save nothing")
        parser.add_argument(
            "--replace",
            action="store_true",
            help="replace the competition with the same slug; its roles and its log are kept",
        )
        parser.add_argument("--league", metavar="SLUG", help="load it into this league")
        parser.add_argument("--owner", metavar="USERNAME", help="who loads it, and owns a new league")

    def work(self, **options: Any) -> None:
        try:
            self._import(**options)
        except KeyboardInterrupt as stop:
            raise Stopped("The import was cancelled. Nothing was saved.") from stop

    def _import(self, **options: Any) -> None:
        facts = _facts(options["file"])
        league = _find(League.objects.all(), "league", slug=options["league"])
        owner = _find(User.objects.all(), "user", username=options["owner"])
        existing = Competition.objects.filter(slug=facts.slug).first()
        try:
            if existing is not None:
                check_replaceable(existing, league=league, replace=options["replace"])
            removed = _losses(existing)
            if options["dry_run"]:
                self.stdout.write(removed.format("would be removed"), ending="")
                self.stdout.write(f"{facts.slug}: no problems. {_counts(facts)}. Nothing was saved.")
                return
            remove_abandoned()
            with tqdm(total=facts.counts["tables"], unit=" tables", **bar_options()) as bar:
                import_competition(
                    facts=facts, league=league, by=owner, replace=options["replace"], progress=bar.update
                )
        except Refused as refused:
            place = "slug: " if refused.field in OF_THE_ADDRESS else ""
            hint = " (--replace)" if refused.field == "replace" else ""
            raise Stopped(f"{place}{refused}{hint}") from refused
        self.stdout.write(removed.format("were removed"), ending="")
        self.stdout.write(f"{facts.slug}: {'replaced' if existing else 'imported'}. {_counts(facts)}.")


def _facts(path: str) -> CompetitionFacts:
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise Stopped(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # a NUL character in the path
        raise Stopped(f"{path!r}: {error}") from error
    try:
        return read_competition_file(content)
    except BrokenFile as broken:
        rest = ["Reading stopped here: the file has more problems."] if broken.stopped else []
        raise Stopped(*broken.problems, *rest) from broken


def _find(rows: QuerySet[Row], name: str, **called: str | None) -> Row | None:
    (value,) = called.values()
    found = rows.filter(**called).first() if value is not None else None
    if value is not None and found is None:
        raise Stopped(f"There is no {name} “{value}”.")
    return found


def _losses(existing: Competition | None) -> str:
    """Return a line about rows that the file does not restore, with a gap for their fate."""
    found = find_losses(existing) if existing else {}
    named = ", ".join(f"{count} {name}" for name, count in found.items() if count)
    return f"Not in the file: {named} {{}}.\n" if named else ""


def _counts(facts: CompetitionFacts) -> str:
    return ", ".join(f"{count} {name}" for name, count in facts.counts.items())
