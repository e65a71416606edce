"""What the organizer presses by mistake is asked first: a start, a close, and new days of a tournament."""

from datetime import date

import pytest
from django.urls import reverse

from league.models import Competition, Round
from tests.browser.kit import expect, fill, press
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_start_a_close_and_new_days_are_asked_first(page, sign_in):
    here = club(kind="event")
    Competition.objects.filter(pk=here.competition.pk).update(first_day=date(2199, 5, 2))
    for _ in range(2):
        round_ = here.add_round(opened=False)
        Round.objects.filter(pk=round_.pk).update(date=date(2199, 5, 2))
    first, second = here.rounds
    sign_in(page, here.alice)
    manage = reverse("competitions:manage", args=[here.slug])

    page.goto(manage)
    press(page, "rounds:status", pk=second.pk, status="open")
    expect(page.locator("#question")).to_contain_text("still to be played: 1.")
    press(page, "rounds:status", pk=second.pk, status="open")
    press(page, "rounds:status", pk=second.pk, status="plan")
    expect(page.get_by_text("Round 2 is planned again.")).to_be_visible()

    press(page, "rounds:status", pk=first.pk, status="open")
    press(page, "rounds:status", pk=first.pk, status="close")
    expect(page.locator("#question")).to_contain_text("2 of 2 tables have no result: tables 1, 2.")
    press(page, "rounds:status", pk=first.pk, status="close")
    expect(page.get_by_role("heading", name="Play round 1")).to_be_visible()

    page.goto(reverse("competitions:settings_event", args=[here.slug]))
    fill(page, first_day="2199-05-09")
    page.get_by_role("button", name="Save settings").click()
    page.get_by_role("button", name="Move 2 rounds").click()
    expect(page.get_by_text("2 rounds moved.")).to_be_visible()
    assert set(Round.objects.values_list("date", flat=True)) == {date(2199, 5, 9)}
