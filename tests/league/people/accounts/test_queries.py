"""Whose sign-in is paused."""

from datetime import datetime, timedelta

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.utils import timezone

from league.people.accounts.queries import paused_names


def fail(name: str, times: int, at: datetime) -> None:
    attempt = AccessAttempt.objects.create(username=name, failures_since_start=times)
    AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=at)


@pytest.mark.django_db
def test_names_are_paused_that_failed_often_enough_and_recently():
    often, now = settings.AXES_FAILURE_LIMIT, timezone.now()
    fail("alice", often, now)
    fail("bob", often - 1, now)
    fail("carol", often, now - settings.AXES_COOLOFF_TIME - timedelta(minutes=1))
    fail("dave", often, now)

    assert paused_names({"alice", "bob", "carol"}) == {"alice"}
