"""The base of commands that print one line per problem on stderr, with status 1 and no traceback."""

import os
import shutil
import sys
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NoReturn

from django.core.management.base import BaseCommand, CommandParser
from django.db import Error, connection

from league.models import Competition, Stage
from league.organizing.backups.queries import NO_TABLES
from league.ranking.standings.queries.stages import default_stage


class Stopped(Exception):
    """An end of the command, with one line per problem."""

    def __init__(self, *lines: object) -> None:
        self.lines = [" ".join(str(line).split()) for line in lines]
        super().__init__(*self.lines)


class LineCommand(BaseCommand):
    """A command whose ``work`` may raise ``Stopped``.

    It skips the system checks, which load every page. A backup or a restore must work even if a page is
    broken.
    """

    requires_system_checks: tuple[str, ...] | Literal["__all__"] = ()

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Report unknown and missing arguments like any problem. Django's parser would end with status 2."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        if parser.called_from_command_line:
            parser.error = self._refuse_words  # type: ignore[method-assign]
        return parser

    def _refuse_words(self, message: str) -> NoReturn:
        self._end([f"{' '.join(message.split())} (--help shows what this command takes)"])

    def work(self, **options: Any) -> None:
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.work(**options)
        except Stopped as stopped:
            self._end(stopped.lines)
        except BrokenPipeError:  # as in `… | head`: the reader has gone
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            self._end([])
        except Error as error:
            said = f"The database refused: {' '.join(str(error).split())}"
            self._end([NO_TABLES if _is_empty() else said])

    def _end(self, lines: Iterable[str]) -> NoReturn:
        for line in lines:
            self.stderr.write(line)
        sys.exit(1)

    def check_format(self, form: str, formats: Collection[str], output: str | None) -> None:
        if form not in formats:
            raise Stopped(f"There is no format “{form}”. Choose from: {', '.join(formats)}.")
        if form == "xlsx" and output is None and self.stdout.isatty():
            raise Stopped("A terminal cannot show a workbook. Name a file, for example --output results.xlsx")

    def deliver(self, content: bytes, output: str | None) -> None:
        """Write to the file ``output``, or to stdout whatever the terminal's encoding."""
        if output is None:
            stream = getattr(self.stdout, "buffer", None)
            if stream is None:  # a test's or a caller's own text stream
                self.stdout.write(content.decode(), ending="")
            else:
                stream.write(content)
                stream.flush()
            return
        try:
            Path(output).write_bytes(content)
        except OSError as error:
            raise Stopped(f"{output}: {error.strerror or error}") from error


def _is_empty() -> bool:
    """Return True if the database answers but lacks our tables."""
    with suppress(Error):
        return Competition._meta.db_table not in connection.introspection.table_names()
    return False


def bar_options() -> dict[str, Any]:
    """Return the options of tqdm's bar, which is drawn on stderr if that is a terminal."""
    size = shutil.get_terminal_size()
    return {"file": sys.stderr, "disable": None, "ncols": size.columns, "nrows": size.lines}


def competition_called(slug: str) -> Competition:
    found = Competition.objects.select_related("league").filter(slug=slug).first()
    if found is None:
        raise Stopped(f"There is no competition “{slug}”.")
    return found


def check_division(competition: Competition, slug: str | None) -> None:
    slugs = list(competition.divisions.values_list("slug", flat=True))
    if slug is not None and slug not in slugs:
        raise Stopped(
            f"There is no division “{slug}” in {competition.slug}. Choose from: {', '.join(slugs)}."
        )


def stage_called(competition: Competition, division: str | None, stage: str | None, *, public: bool) -> Stage:
    """Return the stage of this name. By default, it is the stage that the division's page shows."""
    check_division(competition, division)
    if stage is None:
        found = default_stage(competition, public=public, division=division)
    else:
        stages = Stage.objects.with_rules()
        of_division = {"division__slug": division} if division else {}
        found = (
            stages.filter(division__competition=competition, slug=stage, **of_division)
            .order_by("division__position", "division_id")
            .first()
        )
    if found is None:
        raise Stopped(f"There is no stage “{stage or ''}” in {competition.slug}.")
    return found
