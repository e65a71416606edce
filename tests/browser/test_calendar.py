"""Four players agree on a time, two of them on phones in Chromium; nothing scrolls sideways."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.calendar.services.calendar import set_dates
from league.calendar.services.table_times import agree
from league.models import Appointment, Role
from tests.factories import Club, club, user

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


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


def tap(page, name: str) -> None:
    target = (
        page.locator("main")
        .get_by_role("button", name=name)
        .or_(page.locator("main").get_by_role("link", name=name))
    )
    box = target.first.bounding_box()
    assert box["height"] >= 36, f"{name} is {box['height']} high"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    with page.expect_navigation():
        target.first.tap()


def test_a_time_is_proposed_and_agreed_on_phones(open_page, sign_in, spring):
    address = reverse("results:table", args=[spring.slug, spring.table().pk])
    when = timezone.now() + timedelta(days=5)
    first = open_page(**PHONE)
    sign_in(first, spring.dora)
    first.goto(address)
    tap(first, "Propose a time")
    first.get_by_label("Day and time").fill(f"{when:%Y-%m-%d}T19:30")
    first.get_by_label("Where").fill("3/F")
    tap(first, "Propose this time")
    assert [text.split() for text in first.locator(".proposal-yes").all_inner_texts()] == [
        ["✓", "陳大文", "agrees"]
    ]

    second = open_page(**PHONE)
    sign_in(second, user("eve"))
    second.goto(address)
    tap(second, "I agree")
    assert len(second.locator(".proposal-yes").all()) == 2
    tap(second, "I cannot come then after all")
    tap(second, "I agree")

    proposed = Appointment.objects.get()
    agree(appointment=proposed, players=[p.pk for p in spring.players[2:4]], by=spring.alice)
    first.goto(address)
    assert "19:30" in first.locator(".times-now").inner_text()
    assert first.locator(".proposal").count() == 0
    first.get_by_text("What was said of its time").tap()
    said = first.locator(".times-history li").all_inner_texts()
    assert [("proposed" in said[0]), ("agreed by all four" in said[1]), len(said)] == [True, True, 2]
    assert spring.table().meets_at == proposed.meets_at
