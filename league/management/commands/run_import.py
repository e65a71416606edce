"""Import an upload in its own process, started by the server."""

import resource
import signal
import sys
from argparse import ArgumentParser
from types import FrameType
from typing import NoReturn, cast

from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _

from league.core.apart import TooHeavy, limit
from league.core.changes import Form
from league.core.errors import AlreadyDone, Refused
from league.interchange.imports import TOO_LARGE, read_competition_file
from league.interchange.schema import CompetitionFacts
from league.interchange.schema.problems import BrokenFile
from league.interchange.services.competition_file import import_competition
from league.interchange.services.drafts import Cancelled, end_job, remove_abandoned
from league.models import ImportJob

MEGABYTES = 1024  # 85,000 tables, as many as an upload may hold, need half of it
READING, ALL = 60, 3600  # seconds of processor time


class Command(BaseCommand):
    help = "Imports an upload from standard input. The server starts this; people use import_competition."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("job", type=int)
        parser.add_argument("--database", required=True, help="its name, as the server's connection has it")
        parser.add_argument("--language", default="en", help="language of the messages about the file")

    def handle(self, *, job: int, database: str, language: str, **options: object) -> None:
        if connection.settings_dict["NAME"] != database:
            connection.close()
            connection.settings_dict["NAME"] = database
        found = ImportJob.objects.select_related("league", "user").get(pk=job)
        with translation.override(language):
            _run(found)
        remove_abandoned()


def _run(job: ImportJob) -> None:
    refused, status = ImportJob.Status.REFUSED, ImportJob.Status.DONE
    try:
        _import(_read(), job)
    except BrokenFile as broken:
        problems = [[problem.place, problem.message] for problem in broken.problems]
        end_job(job, refused, problems, stopped=broken.stopped)
    except (MemoryError, TooHeavy):
        end_job(job, refused, [["", str(TOO_LARGE)]])
    except Refused as why:
        end_job(job, refused, [["", str(why)]])
    except Cancelled:
        end_job(job, ImportJob.Status.CANCELLED)
    except AlreadyDone as before:
        ImportJob.objects.filter(pk=job.pk).update(competition=cast("int", before.answer["competition"]))
        end_job(job, status)
    except BaseException:
        end_job(
            job, refused, [["", _("The import failed. The administrator can find the reason in the log.")]]
        )
        raise


def _read() -> CompetitionFacts:
    signal.signal(signal.SIGXCPU, _stop)
    limit(megabytes=MEGABYTES, seconds=READING, at_most=ALL)
    facts = read_competition_file(sys.stdin.buffer.read())
    resource.setrlimit(resource.RLIMIT_CPU, (ALL, ALL))
    return facts


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise TooHeavy


def _import(facts: CompetitionFacts, job: ImportJob) -> None:
    assert job.key is not None, "begun by a form"
    form = Form(job.key, job.fingerprint)
    import_competition(
        facts=facts,
        league=job.league,
        by=job.user,
        replace=job.replace,
        removes=job.removes,
        form=form,
        job=job,
    )
