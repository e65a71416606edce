"""Expired rows and files are removed. Others stay."""

import io
import uuid
from datetime import timedelta

import pytest
from axes.models import AccessAttempt
from django.core.management import call_command
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from league.models import ApiToken, BrowserSession, Invitation, KeptFile, Outgoing, Submission
from tests.factories import club
from tests.league.extras.api.asking import token_of

pytestmark = pytest.mark.django_db


def clean_up() -> list[str]:
    out = io.StringIO()
    call_command("clean_up", stdout=out)
    return out.getvalue().splitlines()


@pytest.fixture(params=[True, False], ids=["old", "new"])
def old(request) -> bool:
    return request.param


def test_only_what_is_past_its_time_is_removed(old):
    here = club()
    then = timezone.now() - (timedelta(days=31) if old else timedelta())
    ends = then + timedelta(minutes=1)
    BrowserSession.objects.create(session_key="session", session_data="", expire_date=ends)
    Submission.objects.create(key=uuid.uuid4(), fingerprint="", answer={}, created_at=then)
    Invitation.objects.create(competition=here.competition, created_by=here.alice, expires_at=ends)
    attempt = AccessAttempt.objects.create(username="alice", failures_since_start=1)
    AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=then)
    KeptFile.objects.create(key="file", competition=here.competition, read_at=then)
    Outgoing.objects.create(kind="mail", key="one", created_at=then, due_at=then, sent_at=then)
    Outgoing.objects.create(kind="mail", key="two", created_at=then, due_at=then, given_up_at=timezone.now())
    DBTaskResult.objects.create(status="FAILED", finished_at=then, args_kwargs={})

    said = clean_up()

    kept = 0 if old else 1
    what = (
        "sessions",
        "forms",
        "invitations",
        "failed sign-ins",
        "downloads",
        "failed tasks",
        "sent messages",
    )
    assert {f"{each}: {1 - kept} removed" for each in what} <= set(said)
    assert Outgoing.objects.filter(key="two").exists()
    Outgoing.objects.filter(key="two").delete()
    models = (BrowserSession, Submission, Invitation, AccessAttempt, KeptFile, DBTaskResult, Outgoing)
    assert [model.objects.count() for model in models] == [kept] * 7


def test_a_task_of_a_queue_that_is_gone_is_removed():
    for queue in ("mail", "outbox"):
        DBTaskResult.objects.create(status="READY", queue_name=queue, args_kwargs={})
    assert "failed tasks: 0 removed" in clean_up()
    DBTaskResult.objects.update(enqueued_at=timezone.now() - timedelta(days=8))
    assert "failed tasks: 1 removed" in clean_up()
    assert DBTaskResult.objects.get().queue_name == "outbox"


def test_tokens_stay_until_long_after_they_ended_or_were_revoked():
    here, now = club(), timezone.now()
    ends = {
        "in force": {"expires_at": now + timedelta(days=1)},
        "ended": {"expires_at": now - timedelta(days=80)},
        "ended long ago": {"expires_at": now - timedelta(days=100)},
        "revoked": {"expires_at": now + timedelta(days=1), "revoked_at": now - timedelta(days=80)},
        "revoked long ago": {"expires_at": now + timedelta(days=1), "revoked_at": now - timedelta(days=100)},
    }
    for name, values in ends.items():
        token_of(here, "scorer")
        ApiToken.objects.filter(name="program scorer").update(name=name, **values)

    assert "API tokens: 2 removed" in clean_up()

    assert set(ApiToken.objects.values_list("name", flat=True)) == {"in force", "ended", "revoked"}
