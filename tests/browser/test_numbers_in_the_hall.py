"""In Chromium: Pantheon's text for 32 players becomes eight rounds, by the numbers that players draw."""

import pytest
from django.urls import reverse

from league.models import Seat
from scoring.seating.base_rounds import fitting
from tests.browser.kit import SCREEN, expect, fill, is_wide, press
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_plan_from_pantheon_is_seated_by_numbers_drawn_in_the_hall(open_page, sign_in):
    here = club("spring", players=32, kind="event")
    rounds = fitting(32, 8)[0].developed(8)
    plan = "\n\n".join("\n".join("-".join(str(p + 1) for p in four) for four in each) for each in rounds)
    page = open_page(viewport=SCREEN)
    sign_in(page, here.alice)
    page.goto(reverse("seating:plan", args=[here.slug, here.stage.pk]))
    page.locator("[name=method][value=plan]").check()
    page.locator("[name=numbers][value=drawn]").check()
    fill(page, text=plan)
    press(page, "seating:plan")
    press(page, "seating:plan")  # after a look at how it was read
    press(page, "seating:numbers")

    scan = page.locator("#scan")
    expect(scan).to_be_focused()
    scan.fill("陳大")  # Enter still chooses characters
    scan.dispatch_event("keydown", {"key": "Enter", "isComposing": True})
    expect(scan).to_have_value("陳大")
    for text in ("陳大文", "7", "12", "p9", "P 10", "12"):
        scan.fill(text)
        scan.press("Enter")
    expect(page.get_by_role("status").filter(has_text="“12”")).to_be_visible()
    expect(page.locator("[data-numbers-count]")).to_have_text("2 / 32")
    assert not is_wide(page)
    page.locator("main form[data-numbers] button[type=submit]").click()
    press(page, "seating:accept")

    for at, round_ in enumerate(rounds, 1):
        for player, number in ((here.players[0], 7), (here.players[8], 12)):
            seat = Seat.objects.get(round__number=at, player=player)
            assert round_[seat.table.number - 1][seat.wind] == number - 1
