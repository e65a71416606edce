"""Charts in Chromium, on a phone and without script: others chosen, a line highlighted, the numbers read."""

import pytest

from league.models import Role
from tests.browser.kit import PHONE, expect, press
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

SHEETS = (
    (45_000, 35_000, 25_000, 15_000),
    (20_000, 31_000, 50_000, 19_000),
    (10_000, 21_000, 30_000, 59_000),
)


@pytest.fixture
def spring() -> Club:
    made = club("spring")
    for number, sheet in enumerate(SHEETS, 1):
        made.add_round()
        made.record(sheet, round_number=number)
        made.record(sheet[::-1], round_number=number, number=2)
    return made


def test_a_visitor_chooses_players_and_highlights_one_without_script(spring, open_page):
    page = open_page(java_script_enabled=False, **PHONE)
    page.goto("/c/spring/")
    press(page, "statistics:race")
    expect(page.locator(".chart-svg .line")).to_have_count(8)
    for name in [player.name for player in spring.players[2:]]:
        page.get_by_label(name, exact=True).uncheck()
    page.get_by_role("button", name="Show").click()

    expect(page.locator(".chart-svg .line")).to_have_count(2)
    expect(page.get_by_role("img", name="Running totals")).to_be_visible()
    expect(page.locator(".marks-1 text").first).to_be_hidden()

    page.locator(".legend-1").tap()

    expect(page.locator(".marks-1 text").first).to_be_visible()
    expect(page.locator(".marks-2 text").first).to_be_hidden()
    expect(page.locator(".chart-svg .line-2")).to_have_css("opacity", "0.18")
    page.get_by_text("The numbers as a table").click()
    table = page.get_by_role("table", name="Running totals")
    expect(table.locator("tbody tr")).to_have_count(4)


@pytest.mark.slow
def test_the_way_from_a_player_to_the_opponents_and_back(spring, open_page):
    page = open_page(**PHONE)
    page.goto(f"/c/spring/players/{spring.competition.entrants.get(player=spring.players[0]).pk}/")
    press(page, "statistics:player")
    expect(page.get_by_role("heading", level=1)).to_contain_text(spring.players[0].name)
    page.get_by_role("link", name=spring.players[1].name).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(spring.players[1].name)
    press(page, "results:table")
    expect(page.get_by_role("heading", level=1)).to_have_text("Table 1")


@pytest.mark.slow
def test_a_player_shows_the_page_of_all_competitions_and_hides_it(spring, open_page, sign_in):
    entrant = spring.competition.entrants.get(player=spring.players[0])
    Role.objects.filter(competition=spring.competition, user=spring.dora).update(player=entrant.player)
    page, visitor = open_page(**PHONE), open_page()
    sign_in(page, spring.dora)
    page.goto(f"/c/spring/players/{entrant.pk}/statistics/")
    press(page, "statistics:career")
    page.get_by_role("button", name="Show this page to everyone").click()
    expect(page.get_by_text("Everyone can read this page now.")).to_be_visible()
    visitor.goto(f"/c/spring/players/{entrant.pk}/career/")
    expect(visitor.get_by_role("heading", level=1)).to_contain_text(entrant.player.name)
    page.get_by_role("button", name="Hide this page from visitors").click()
    visitor.reload()
    expect(visitor.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
