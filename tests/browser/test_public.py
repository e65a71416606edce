"""The public pages in Chromium: on a phone, without script, and standing open on a wall."""

import re

import pytest

from league.core.search import sort_key
from league.play.calls.queries import calls_of
from league.play.results.services import record_result
from players.models import Player
from tests.browser.kit import SCREEN, SHIFTS, expect, look_again, rows
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

SHEET = (45_000, 35_000, 25_000, 15_000)


@pytest.fixture
def spring() -> Club:
    made = club("spring", players=12)
    made.add_round()
    for number in (1, 2):
        made.record(SHEET, number=number)
    Player.objects.filter(pk=made.players[0].pk).update(name="Maximiliane-Theodora von Wittgenstein-Ho")
    Player.objects.filter(pk=made.players[1].pk).update(romanized="Li Siu Ming", country="HK")
    return made


@pytest.mark.slow
def test_the_name_stays_in_view_while_the_table_is_scrolled_sideways(spring, open_page):
    page = open_page(viewport=SCREEN)
    page.goto("/c/spring/")
    name = page.locator("tbody th.name").first
    rank, total = page.locator("tbody td.rank").first, page.locator("tbody td.total").first
    for cell in (rank, name, total):  # the essential columns are there without scrolling
        box = cell.bounding_box()
        assert 0 <= box["x"] < box["x"] + box["width"] <= SCREEN["width"]

    page.locator(".all-columns").click()
    page.evaluate("document.querySelector('.table-scroll').scrollLeft = 9999")

    assert page.locator("tbody td.places").first.bounding_box()["x"] < SCREEN["width"]
    assert 0 <= name.bounding_box()["x"] < 20
    assert total.bounding_box()["x"] < name.bounding_box()["x"] + name.bounding_box()["width"]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/c/spring/", "/rules/"])
def test_nothing_moves_when_the_typeface_comes_late(spring, path, open_page):
    page = open_page(viewport=SCREEN)
    fonts = []
    page.route("**/*.woff2", lambda route: fonts.append(route))
    page.add_init_script(SHIFTS)
    page.goto(path, wait_until="domcontentloaded")
    page.evaluate(
        "new Promise((done) => new PerformanceObserver(done).observe({ type: 'paint', buffered: true }))"
    )

    for font in fonts:
        font.continue_()
    page.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 200)))")

    assert page.evaluate("shifts") < 0.05


@pytest.mark.slow
def test_a_row_of_the_standings_leads_to_the_player_on_a_phone(spring, open_page):
    page = open_page(viewport=SCREEN)
    page.goto("/c/spring/")
    row = page.locator("tbody tr").first
    name = row.locator("th a").inner_text()

    row.click(position={"x": 300, "y": 50})

    expect(page.locator("h1")).to_contain_text(name)


@pytest.mark.slow
def test_a_phone_that_remembers_a_player_shows_their_line_below_the_standings(spring, open_page):
    page = open_page(viewport=SCREEN)
    page.goto("/c/spring/seat/?q=Dora")
    page.locator(".card-link").first.click()
    page.wait_for_url("**player=**")
    page.goto("/c/spring/")

    expect(page.locator(".own-row")).to_contain_text("Dora")
    expect(page.locator("tr.own th")).to_contain_text("Dora")


@pytest.mark.slow
def test_this_is_me_brings_the_next_table_to_the_front_page_and_the_own_row_into_view(spring, open_page):
    spring.add_players(28)
    spring.add_round()
    page = open_page(viewport=SCREEN)
    page.goto("/c/spring/")
    expect(page.locator("[data-offer]")).to_be_visible()
    last = spring.competition.entrants.get(player=spring.players[11])
    page.goto(f"/c/spring/players/{last.pk}/")
    page.get_by_role("link", name="This is me").click()
    page.get_by_role("button", name="This is me").click()
    page.wait_for_url("**player=**")

    page.goto("/")

    expect(page.locator("[data-next]")).to_contain_text("Table 3")
    expect(page.locator(".hero")).to_be_hidden()
    page.goto("/c/spring/")
    expect(page.locator("tr.own")).to_be_in_viewport()
    expect(page.locator("[data-offer]")).to_have_count(0)
    page.goto(f"/c/spring/players/{last.pk}/")
    expect(page.locator("[data-is-me]")).to_have_text("My seat")


@pytest.mark.slow
def test_who_does_not_play_is_asked_once(spring, open_page):
    page = open_page(viewport=SCREEN)
    page.goto("/c/spring/")
    page.locator("[data-offer] button").click()
    expect(page.locator("[data-offer]")).to_be_hidden()
    page.reload()
    page.wait_for_load_state("networkidle")
    expect(page.locator("[data-offer]")).to_be_hidden()


@pytest.mark.slow
def test_a_phone_without_script_finds_a_player_in_the_standings(spring, open_page):
    spring.add_players(28)
    page = open_page(viewport=SCREEN, java_script_enabled=False)
    page.goto("/c/spring/")
    page.locator("[data-find]").fill("siu ming")
    page.locator("[data-find]").press("Enter")
    expect(page.locator("tbody tr")).to_have_count(1)


@pytest.mark.slow
def test_a_player_objects_from_a_phone_with_one_sentence(spring, open_page):
    page = open_page(viewport=SCREEN)
    page.goto("/c/spring/seat/?q=Dora")
    page.locator(".card-link").first.click()
    page.get_by_role("link", name="Object to the result or a penalty").click()
    page.locator("[name=note]").fill("25,000 is 35,000")
    page.get_by_role("button", name="Object").click()
    expect(page.locator("main")).to_contain_text("The staff have this message.")
    assert [call.note for call in calls_of(spring.competition)] == ["25,000 is 35,000"]


@pytest.mark.slow
def test_sorting_and_languages_work_without_script(spring, open_page):
    page = open_page(java_script_enabled=False)
    page.goto("/c/spring/")
    page.locator("th a[href*='sort=player']").click()
    names = page.locator("tbody th.name a").all_inner_texts()
    assert names == sorted(names, key=sort_key)
    expect(page.locator("th[aria-sort=ascending] a[href*='player']")).to_have_count(1)

    page.locator("details:has([name=language]) summary").click()
    page.locator("[name=language][value=ja]").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert "sort=player" in page.url
    assert "▲50.0" in page.locator("tbody").inner_text()


def test_an_open_page_follows_the_results(spring, open_page):
    page = open_page()
    page.goto("/c/spring/")
    first, last = (page.locator("tbody tr").nth(at).locator(".total") for at in (0, 11))
    expect(last).to_have_text("0.0")

    record_result(table=spring.table(1, 3), points=SHEET[::-1], based_on=0, by=spring.charlie)
    look_again(page)

    expect(first).to_have_text("+60.0")
    expect(page.locator("main .standings tbody tr")).to_have_count(12)  # all have played
    with page.expect_response("**/revision/"):
        look_again(page)  # nothing new: nothing happens
    assert len(rows(page)) == 12


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_places_are_read_on_paper_where_no_background_is_printed(spring, open_page, scheme):
    page = open_page(color_scheme=scheme)
    page.goto("/c/spring/")
    page.emulate_media(media="print", color_scheme=scheme)
    places = page.locator(".places .place").all()
    assert len(places) == 8
    colours = {place.evaluate("element => getComputedStyle(element).color") for place in places}
    assert colours == {"rgb(0, 0, 0)"}


@pytest.mark.slow
def test_the_line_of_the_total_has_a_description_for_those_who_cannot_see_it(spring, open_page):
    spring.add_round()
    spring.record(SHEET[::-1], round_number=2)
    page = open_page()
    page.goto(f"/c/spring/players/{spring.competition.entrants.first().pk}/")
    chart = page.locator("svg[role=img]")
    assert chart.get_attribute("aria-labelledby")
    described = re.findall(r"[+−]?\d+\.\d", chart.locator("desc").text_content())
    assert described == ["+10.0", "+60.0", "0.0"]  # now, at most, and at least, at the start
    assert page.locator(".chart-svg .dot").count() == 3


WITHOUT_POPOVERS = """
    delete HTMLElement.prototype.popover;
    document.addEventListener("DOMContentLoaded", () => {
        document.getElementById("site-menu").removeAttribute("popover");
    });
"""


@pytest.mark.slow
def test_the_menu_of_the_site_opens_and_closes_in_a_browser_without_popovers(spring, open_page):
    page = open_page(viewport=SCREEN)
    page.add_init_script(WITHOUT_POPOVERS)
    page.goto("/c/spring/")
    button, link = page.locator(".site-more"), page.locator("#site-menu a[href='/hand/']")
    expect(link).to_be_hidden()
    expect(button).to_have_attribute("aria-expanded", "false")

    button.click()
    expect(link).to_be_visible()
    expect(button).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Escape")
    expect(link).to_be_hidden()
    expect(button).to_be_focused()

    button.click()
    page.locator("main").click(position={"x": 5, "y": 200})
    expect(link).to_be_hidden()

    button.click()
    button.click()
    expect(link).to_be_hidden()
    button.click()
    link.click()
    page.wait_for_url("**/hand/")
