"""The referee's desk in Chromium: it goes on by itself."""

import pytest
from django.urls import reverse

from league.models import Role
from league.play.calls.services import call_referee, take_call
from league.referees.penalties.services.log import log_offence
from tests.browser.kit import PHONE, SCREEN, SHIFTS, expect, look_again, press, unfold
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


def test_a_call_lies_over_the_page_is_put_away_done_and_undone_and_moves_nothing(open_page, sign_in):
    here, other = club(), club("other")
    for each in (here, other):
        each.add_round()
    Role.objects.create(competition=other.competition, user=here.bob, kind=Role.Kind.REFEREE)
    page = open_page(viewport={"width": 390, "height": 844})
    sign_in(page, here.bob)
    page.goto(reverse("standings:competition", args=[here.slug]))
    page.evaluate(SHIFTS)
    call = call_referee(table=here.table(number=1), by=None, note="Two tiles shown")
    call_referee(table=other.table(number=2), by=None)

    # The call of this competition is on top. The other one is a number, which leads to its desk.
    bar, number = page.locator(".call-bar"), page.locator(".site-calls")
    expect(bar).to_contain_text("Two tiles shown", timeout=5000)
    expect(page.locator(".call:visible")).to_have_count(1)
    expect(number).to_have_text("1")
    assert number.get_attribute("href").endswith(reverse("penalties:desk", args=[other.slug]))

    # Put away it is a number, too, until another call comes.
    bar.locator("[data-put-away]").click()
    expect(bar).to_be_hidden()
    expect(number).to_have_text("2")
    expect(number).to_be_focused()
    page.reload()
    expect(number).to_have_text("2")
    expect(bar).to_be_hidden()
    page.evaluate(SHIFTS)
    call_referee(table=here.table(number=2), by=None, note="A dead hand")
    expect(bar).to_contain_text("A dead hand", timeout=5000)
    assert page.evaluate("window.shifts") == 0

    # The desk lists its own calls, and has the number of the others.
    page.goto(reverse("penalties:desk", args=[here.slug]))
    expect(number).to_have_text("1")
    expect(bar).to_have_count(0)
    page.locator(f"[data-call='{call.pk}'] .call-close button").click()
    expect(page.locator("main .alert-success")).to_contain_text("Call from table 1 closed.")
    page.locator("main .alert-success button").click()
    expect(page.locator(f"[data-call='{call.pk}']")).to_contain_text("Two tiles shown")


@pytest.mark.slow
def test_a_call_is_seen_on_every_page_of_a_referee_within_three_seconds(open_page, sign_in):
    here = club()
    here.add_round()
    page = open_page()
    sign_in(page, here.bob)
    take_call(call=call_referee(table=here.table(number=1), by=None), by=here.bob)
    call = call_referee(table=here.table(number=2), by=None)
    page.goto(reverse("penalties:desk", args=[here.slug]))

    for name in ("calculator:hand", "competitions:home", "rule_sets:index"):
        page.goto(reverse(name))
        expect(page.locator(".site-calls")).to_have_text("2", timeout=3000)
        expect(page.locator(".call-bar")).to_have_count(0)
    page.goto(reverse("standings:competition", args=[here.slug]))
    shown = page.locator(".call:visible")
    expect(shown).to_have_count(1, timeout=3000)
    assert shown.first.get_attribute("data-call") == str(call.pk)  # the open one first
    expect(shown.first.locator("[data-since]")).to_contain_text("waiting 0:")
    page.locator(".call[data-waits]:visible button").first.click()
    expect(page.locator("main .alert-success")).to_be_visible()
    call.refresh_from_db()
    assert call.taken_by == here.bob
