"""Ten sheets in a row: the page keeps its place, and the next missing sheet is shown."""

import pytest

from tests.browser.entry.keys import Keys, entry, focused, saved
from tests.browser.kit import expect
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)

SHIFTS = """window.shifts = 0; new PerformanceObserver((list) => list.getEntries().forEach(
    (each) => (window.shifts += each.value))).observe({type: "layout-shift", buffered: true})"""


@pytest.mark.slow
def test_the_page_does_not_move_while_ten_sheets_are_entered(open_page, sign_in):
    made = club("ten", players=40)
    made.add_round()
    page = open_page()
    sign_in(page, made.charlie)
    page.goto(entry(made))
    page.evaluate(SHIFTS)
    for number in range(1, 11):
        open_number = page.locator("[data-panel]:not([hidden])")
        expect(open_number).to_have_attribute("data-panel", str(number))
        Keys(page)(f"{number}⏎287⏎312⏎250⏎=⏎")
        saved(page, *range(1, number + 1))
        assert focused(page) == "number"
    expect(page.locator("[data-closing] .alert")).to_be_visible()  # in the place of the last sheet
    assert page.evaluate("window.shifts") < 0.02
