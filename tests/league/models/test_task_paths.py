"""Tasks that waited before their rooms moved into wings still find their functions."""

from importlib import import_module

import pytest
from django.apps import apps
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

MIGRATION = import_module("league.migrations.0030_task_paths")
FORMER = (
    "league.statistics.tasks.keep_hands",
    "league.needs.tasks.keep_chances",
    "league.reports.tasks.write_ema",
    "league.reports.tasks.write_form",
    "league.reports.tasks.write_certificates",
    "league.seating.services.drafts.search_in_slices",
    "league.seating.views.papers.write_papers",
    "league.interchange.tasks.write_whole_file",
    "league.interchange.tasks.write_stage_file",
    "league.interchange.tasks.import_upload",
    "league.core.outbox.send_due",
)


@pytest.mark.django_db
def test_every_task_of_the_release_before_is_found_where_it_is_now():
    empty = {"args": [], "kwargs": {}}
    rows = [
        DBTaskResult.objects.create(task_path=path, args_kwargs=empty, backend_name="default", worker_ids=[])
        for path in FORMER
    ]
    MIGRATION.rename(apps, None)
    for row, former in zip(rows, FORMER, strict=True):
        row.refresh_from_db()
        assert import_string(row.task_path).func.__name__ == former.rpartition(".")[2]
