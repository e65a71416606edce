"""A secretary's season in Chromium: from a workbook of somebody else's making to the standings."""

import io

import pytest
from django.urls import reverse
from openpyxl import Workbook

from league.models import Sheet, Table
from players.models import Player
from tests.browser.kit import Page, expect, press
from tests.factories import Club, club

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NAMES = (
    "Anna Schmidt",
    "Ben Kim",
    "Chloé Dubois",
    "陳大文",
    "Emil Rask",
    "Fay O’Neill",
    "Gil Ott",
    "Hana Lind",
)
POINTS = (41.2, 32.8, 26.0, 20.0)
MOST_CLICKS = 8


def season() -> bytes:
    """Return a workbook of 18 tables on nine days, with a misspelt name, a text number and a wrong sum."""
    book = Workbook()
    book.active.title = "Notes"
    book.active.append(["Kept by Gil since 2019. Ask me before you change anything."])
    sheet = book.create_sheet("Season 25")
    sheet.append(["Club championship 2025"])
    sheet.append([])
    sheet.append(["Date", "Table", "Player", "Points (k)", "Pl."])
    for day in range(9):
        turned = NAMES[day % 8 :] + NAMES[: day % 8]
        for number, four in ((1, turned[:4]), (2, turned[4:])):
            for place, (name, points) in enumerate(zip(four, POINTS, strict=True), 1):
                first = place == 1
                date = f"{3 + day}.3.2025" if first and number == 1 else None
                sheet.append([date, number if first else None, name, points, place])
    rows = [row for row in sheet.iter_rows() if row[2].value]
    next(row for row in rows[9:] if row[2].value == "Anna Schmidt")[2].value = "Anna Schmitt"
    rows[6][3].value = "32,8"
    rows[-1][3].value = 19.0
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


@pytest.fixture
def here() -> Club:
    return club("spring", players=0)


class Hand:
    """The secretary's hand: presses, and counts how often."""

    def __init__(self, page: Page) -> None:
        self.page, self.clicks = page, 0

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()
        self.clicks += 1

    def choose(self, field: str, option: str) -> None:
        self.page.get_by_label(field).first.select_option(label=option)
        self.clicks += 2


def test_a_season_from_a_workbook_becomes_standings(here, open_page, sign_in):
    page = open_page()
    sign_in(page, here.alice)
    page.goto(reverse("competitions:manage", args=[here.slug]))
    hand = Hand(page)

    press(page, "brought:bring")
    hand.clicks += 2  # a menu, and its link
    page.get_by_label("Or a file").set_input_files(
        {"name": "season.xlsx", "mimeType": "application/octet-stream", "buffer": season()}
    )
    hand.clicks += 2  # the button of the field, and the file
    hand.press("Check list")
    expect(page.get_by_text("1,000 missing")).to_be_visible()
    hand.choose("Anna Schmitt", "The same person as Anna Schmidt in this list")
    hand.press("Save without what has a problem")

    expect(page.get_by_role("heading", name="Standings")).to_be_visible()
    expect(page.get_by_text("17 tables saved. 8 players added.")).to_be_visible()
    assert hand.clicks <= MOST_CLICKS
    assert (Table.objects.count(), Player.objects.count()) == (17, 8)
    assert set(Sheet.objects.values_list("total", flat=True)) == {120_000}
