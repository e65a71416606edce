"""What the database keeps by the path of its code is found after rooms moved into wings."""

from importlib import import_module

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.urls import reverse
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from league.extras.notices import services
from league.extras.registration.forms import STAMP
from league.people.accounts.sessions import SessionStore
from tests.factories import signed_in, user

ACCOUNT = reverse("accounts:index")
MIGRATION = import_module("league.migrations.0030_moved_functions")
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
    MIGRATION.rename_tasks(apps, None)
    for row, former in zip(rows, FORMER, strict=True):
        row.refresh_from_db()
        assert import_string(row.task_path).func.__name__ == former.rpartition(".")[2]


@pytest.mark.django_db
def test_who_was_signed_in_before_is_signed_in_now():
    client = signed_in(user("alice"))
    session = SessionStore(client.cookies[settings.SESSION_COOKIE_NAME].value)
    session[BACKEND_SESSION_KEY] = MIGRATION.BACKEND[0]
    session.save()
    assert client.get(ACCOUNT).status_code == 302
    MIGRATION.keep_signed_in(apps, None)
    assert client.get(ACCOUNT).status_code == 200


def test_signatures_of_links_in_mails_that_were_sent_stay_valid():
    assert services._OFF.salt == "league.notices.off"
    assert services._CONFIRM.salt == "league.notices.confirm"
    assert STAMP.salt == "league.registration.form"
