"""The page of an import that runs, in Chromium."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import ImportJob
from tests.browser.kit import expect
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_the_keyboard_stays_on_the_button_while_the_progress_is_followed(open_page, sign_in):
    spring = club()
    job = ImportJob.objects.create(
        league=spring.league,
        user=spring.alice,
        status="writing",
        tables=40,
        written=3,
        seen_at=timezone.now() + timedelta(minutes=10),
    )
    page = open_page()
    sign_in(page, spring.alice)
    page.goto(reverse("interchange:job", args=[spring.league.slug, job.pk]))
    said = page.locator("#import-said").element_handle()
    page.locator("#cancel-import").focus()

    ImportJob.objects.update(written=7)
    expect(page.locator("progress[value='7']")).to_have_count(1)
    expect(page.locator("#cancel-import")).to_be_focused()
    assert said.inner_text() == "7 of 40 tables saved."

    ImportJob.objects.update(status="cancelled")
    expect(page.locator("#cancel-import")).to_have_count(0)
    assert said.inner_text() == "The import was cancelled. Nothing was saved."
