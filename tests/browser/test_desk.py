"""The referee's desk in Chromium: it goes on by itself."""

import pytest
from django.urls import reverse

from league.play.calls.services import call_referee, take_call
from league.referees.penalties.services.log import log_offence
from tests.browser.kit import PHONE, SCREEN, expect, look_again, press, unfold
from tests.browser.log_a_penalty.taps import SUBMIT, Taps, at_the_desk, logged
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_call_appears_on_the_desk_after_a_refused_decision(open_page, sign_in, expect_complaints):
    here = club()
    here.add_round()
    here.competition.approval_from = "3"
    here.competition.save()
    asked = {"infraction": "A-VI", "condition": 1}
    log_offence(
        stage=here.stage,
        table=here.table(),
        player_id=here.players[0].pk,
        **asked,
        by=here.bob,
        approves=False,
    )
    page = open_page()
    sign_in(page, here.alice)
    page.goto(reverse("penalties:desk", args=[here.slug]))
    unfold(page, "[name=reason]")
    press(page, "penalties:decide", verdict="decline")
    expect(page.get_by_role("alert")).to_be_visible()

    call_referee(table=here.table(number=2), by=None)
    look_again(page)

    expect(page.locator("#calls")).to_be_visible()
    expect(page.locator("#requests")).to_be_visible()


@pytest.mark.slow
def test_a_penalty_at_any_of_forty_tables_takes_four_taps_without_scrolling(open_page, sign_in):
    hall = club("hall", players=160)
    hall.add_round(visibility="seating")
    call_referee(table=hall.table(number=3), by=None)
    phone = open_page(**PHONE)
    sign_in(phone, hall.bob)
    phone.goto(reverse("penalties:desk", args=[hall.slug]))

    numbers = phone.locator(".desk-numbers a")
    expect(numbers).to_have_count(40)
    boxes = [number.bounding_box() for number in numbers.all()]
    assert max(box["y"] + box["height"] for box in boxes) <= SCREEN["height"]
    taps = Taps(phone)(".desk-numbers li:nth-child(40) a")("a.seat-choice")("a[data-offence='A-I']")(SUBMIT)
    at_the_desk(phone)
    assert (taps.count, logged()) == (4, [("Player 157", "A-I", "2", -20)])


@pytest.mark.slow
def test_a_call_is_seen_on_every_page_of_a_referee_within_three_seconds(open_page, sign_in):
    here = club()
    here.add_round()
    page = open_page()
    sign_in(page, here.bob)
    page.goto(reverse("standings:competition", args=[here.slug]))
    take_call(call=call_referee(table=here.table(number=1), by=None), by=here.bob)
    call = call_referee(table=here.table(number=2), by=None)

    for name in ("standings:competition", "rules", "calculator:hand", "competitions:home"):
        if name != "standings:competition":
            page.goto(reverse(name) if name != "rules" else reverse("rule_sets:index"))
        shown = page.locator("[data-call]")
        expect(shown).to_have_count(2, timeout=3000)
        assert shown.first.get_attribute("data-call") == str(call.pk)  # the open one first
        expect(shown.first.locator("[data-since]")).to_contain_text("waiting 0:")
    page.locator("[data-call][data-waits] button").first.click()
    expect(page.locator("main .alert-success")).to_be_visible()
    call.refresh_from_db()
    assert call.taken_by == here.bob
