"""An upload that a process of its own imports: its page shows how far it is, and how it ended."""

import time
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import AuditEntry, Competition, ImportJob
from league.organizing.interchange import forms
from league.organizing.interchange.services.drafts import SILENCE
from tests.factories import club, signed_in
from tests.league.organizing.interchange.files import encoded, small
from tests.shown import html, text

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spring(monkeypatch):
    """A league to which every file is a large one."""
    monkeypatch.setattr(forms, "SMALL", 0)
    return club("spring")


def upload(client: Client, file: object, *, key: object = None, **typed: object):
    typed |= {"key": key or uuid.uuid4(), "file": SimpleUploadedFile("file.json", encoded(file))}
    return client.post("/leagues/spring/import/", typed)


def ended() -> ImportJob:
    """The job once its process has done its work."""
    while (job := ImportJob.objects.get()).status in ("reading", "writing"):
        time.sleep(0.05)
    return job


def test_a_large_file_is_imported_by_a_process_of_its_own(spring):
    alice = signed_in(spring.alice)

    answer = upload(alice, small())

    job = ended()
    page = reverse("interchange:job", args=["spring", job.pk])
    assert (answer.status_code, answer["Location"]) == (302, page)
    made = Competition.objects.get(slug="small")
    assert (made.league, job.competition, job.status, job.written) == (spring.league, made, "done", 1)
    assert AuditEntry.objects.get(competition=made).actor == spring.alice
    assert "Small imported." in text(alice.get(page))
    manage = reverse("competitions:manage", args=["small"])
    assert alice.get(page, headers={"HX-Request": "true"})["HX-Redirect"] == manage


def test_the_problems_of_a_large_file_are_shown_in_the_language_of_the_page(spring):
    alice = signed_in(spring.alice)
    alice.cookies["django_language"] = "ja"

    page = upload(alice, small() | {"name": ""})["Location"]

    ((place, sentence),) = ended().problems
    assert (place, sentence.isascii()) == ("name", False)
    assert sentence in html(alice.get(page))
    assert not Competition.with_drafts.filter(is_draft=True).exists()


def test_the_same_upload_sent_twice_is_one_import_and_another_file_with_its_key_is_refused(spring):
    alice, key = signed_in(spring.alice), uuid.uuid4()

    answers = [upload(alice, small(), key=key)["Location"] for _ in range(2)]
    other = upload(alice, small() | {"name": "Other"}, key=key)

    assert answers[0] == answers[1]
    assert "This form was already submitted with different content, which was saved" in text(other)
    assert ended().status == "done"


def test_one_file_at_a_time_is_imported_into_a_league(spring):
    alice = signed_in(spring.alice)
    job = ImportJob.objects.create(league=spring.league, user=spring.alice, seen_at=timezone.now())

    answer = upload(alice, small())

    assert "Wait until it is finished" in text(answer)
    assert f'"{reverse("interchange:job", args=["spring", job.pk])}"' in html(answer)


def test_an_import_is_cancelled_and_one_that_was_killed_says_so(spring):
    alice = signed_in(spring.alice)
    job = ImportJob.objects.create(
        league=spring.league, user=spring.alice, status="writing", tables=9, seen_at=timezone.now()
    )
    page = reverse("interchange:job", args=["spring", job.pk])
    assert "0 of 9 tables saved" in text(alice.get(page))

    answer = alice.post(reverse("interchange:cancel", args=["spring", job.pk]), follow=True)

    assert "Cancelling the import" in text(answer)
    ImportJob.objects.update(seen_at=timezone.now() - SILENCE)
    assert "was interrupted. Nothing was saved" in text(alice.get(page))
    ImportJob.objects.update(status="cancelled")
    assert "was cancelled. Nothing was saved" in text(alice.get(page))


def test_the_import_of_another_league_is_not_there(spring):
    autumn = club("autumn")
    job = ImportJob.objects.create(league=spring.league, user=spring.alice, seen_at=timezone.now())

    stranger = signed_in(autumn.alice)

    for league in ("spring", "autumn"):
        assert stranger.get(f"/leagues/{league}/import/{job.pk}/").status_code == 404
        assert stranger.post(f"/leagues/{league}/import/{job.pk}/cancel/").status_code == 404
    assert not ImportJob.objects.get().cancel
