"""What the worker does for this room: files for downloads, and imports of uploads."""

import gzip
from typing import cast

from django.utils import translation
from django.utils.translation import gettext as _
from django_tasks import task

from league.core.apart import TooHeavy, within
from league.core.changes import Sent
from league.core.errors import AlreadyDone, Refused
from league.core.kept_files import keep_file
from league.core.tasks import FILES, LONG
from league.models import Competition, ImportJob, Stage
from league.organizing.interchange.exports.files import standings_file, team_standings_file, whole_file
from league.organizing.interchange.imports import TOO_LARGE, read_competition_file
from league.organizing.interchange.schema import CompetitionFacts
from league.organizing.interchange.schema.problems import BrokenFile
from league.organizing.interchange.services.competition_file import import_competition
from league.organizing.interchange.services.drafts import (
    Cancelled,
    begin_again,
    end_job,
    find_upload,
    forget_upload,
    jobs_under_way,
    remove_abandoned,
)

READING_SECONDS = 60  # of the processor


@task(queue_name=FILES)
def write_whole_file(
    key: str, which: str, fmt: str, public: bool, language: str, *, competition: int
) -> None:
    with translation.override(language):
        keep_file(key, lambda found: whole_file(found, which, fmt, public=public))


@task(queue_name=FILES)
def write_stage_file(
    key: str, stage: int, of_teams: bool, fmt: str, public: bool, language: str, *, competition: int
) -> None:
    def write(found: Competition) -> bytes:
        make = team_standings_file if of_teams else standings_file
        return make(Stage.objects.with_rules().get(pk=stage), fmt, public=public)

    with translation.override(language):
        keep_file(key, write)


@task(queue_name=LONG)
def import_upload(pk: int, language: str) -> None:
    """Import the upload of a job and keep in the job how that ended. An interrupted job stays interrupted."""
    job = ImportJob.objects.select_related("league", "user").get(pk=pk)
    content = find_upload(job)
    if content is not None and jobs_under_way().filter(pk=pk).exists():
        with translation.override(language):
            begin_again(job)
            _import(job, content)
    forget_upload(job)
    remove_abandoned()


def _import(job: ImportJob, content: bytes) -> None:
    assert job.key is not None, "begun by a form"
    refused, done = ImportJob.Status.REFUSED, ImportJob.Status.DONE
    try:
        import_competition(
            facts=_read(content),
            league=job.league,
            by=job.user,
            replace=job.replace,
            removes=job.removes,
            form=Sent(job.key, job.fingerprint),
            job=job,
        )
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
        end_job(job, done)
    except BaseException:
        said = _("The import failed. The administrator can find the reason in the log.")
        end_job(job, refused, [["", said]])
        raise


def _read(content: bytes) -> CompetitionFacts:
    with within(READING_SECONDS):
        return read_competition_file(gzip.decompress(content))
