"""Four players agree on a time, two of them on phones in Chromium; nothing scrolls sideways."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Appointment, Role
from league.play.calendar.services.calendar import set_dates
from league.play.calendar.services.table_times import agree_to_time
from tests.browser.kit import PHONE, expect, fill, is_wide, way
from tests.factories import Club, club, user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spring(transactional_db) -> Club:
    """A round whose tables meet within two weeks; Dora and Eve are the first two players."""
    made = club()
    today = timezone.now().date()
    set_dates(rounds=[made.add_round()], first=today, until=today + timedelta(days=14), by=made.alice)
    for person, player in ((made.dora, made.players[0]), (user("eve"), made.players[1])):
        Role.objects.update_or_create(
            competition=made.competition, user=person, kind="player", defaults={"player": player}
        )
    return made


def tap(page, to: str) -> None:
    button = way(page, to)
    assert button.bounding_box()["height"] >= 36
    assert not is_wide(page)
    with page.expect_navigation():
        button.tap()


def test_a_time_is_proposed_and_agreed_on_phones(open_page, sign_in, spring):
    address = reverse("results:table", args=[spring.slug, spring.table().pk])
    when = timezone.now() + timedelta(days=5)
    first = open_page(**PHONE)
    sign_in(first, spring.dora)
    first.goto(address)
    tap(first, "calendar:table_time")
    fill(first, meets_at=f"{when:%Y-%m-%d}T19:30", place="3/F")
    tap(first, "calendar:table_time")
    expect(first.locator(".proposal .score-plus")).to_contain_text(["陳大文"])

    second = open_page(**PHONE)
    sign_in(second, user("eve"))
    second.goto(address)
    tap(second, "calendar:agree")
    expect(second.locator(".proposal .score-plus")).to_have_count(2)
    tap(second, "calendar:disagree")
    tap(second, "calendar:agree")

    proposed = Appointment.objects.get()
    agree_to_time(appointment=proposed, players=[p.pk for p in spring.players[2:4]], by=spring.alice)
    first.goto(address)
    expect(first.locator("#times-head + p")).to_contain_text("19:30")
    assert first.locator(".proposal").count() == 0
    first.locator("details:has(ol) summary").tap()
    expect(first.locator("details ol li >> visible=true")).to_have_count(2)
    assert spring.table().meets_at == proposed.meets_at
