"""Ten sheets in a row: the page keeps its place, and the next missing sheet is shown."""

import pytest

from players.models import Player
from tests.browser.entry.keys import Keys, entry, focused, saved
from tests.browser.kit import PHONE, SHIFTS, expect
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)

DESK: dict[str, object] = {}
TWO_FRAMES = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


@pytest.mark.slow
@pytest.mark.parametrize("look", [DESK, PHONE], ids=["desk", "phone"])
def test_the_page_does_not_move_while_ten_sheets_are_entered(open_page, sign_in, look):
    made = club("ten", players=40)
    for player in made.players[1::3]:  # names that take two lines on a phone
        Player.objects.filter(pk=player.pk).update(name="Bartholomew Featherstonehaugh")
    made.add_round()
    page = open_page(**look)
    sign_in(page, made.charlie)
    page.goto(entry(made))
    page.evaluate(SHIFTS)
    for number in range(1, 11):
        open_number = page.locator("[data-panel]:not([hidden])")
        expect(open_number).to_have_attribute("data-panel", str(number))
        Keys(page)(f"{number}⏎287⏎312⏎250⏎")
        page.evaluate(TWO_FRAMES)  # the offer of the fourth score is shown
        Keys(page)("=")
        page.evaluate(TWO_FRAMES)
        Keys(page)("⏎")
        saved(page, *range(1, number + 1))
        assert focused(page) == "number"
    expect(page.locator("[data-closing] .alert")).to_be_visible()  # in the place of the last sheet
    assert page.evaluate("window.shifts") < 0.02
