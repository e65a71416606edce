"""`What do I need?` in Chromium: entered on a phone, answered while typing, shared, and without script."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse

from league.extras.needs.services import set_stage_end
from tests.browser.kit import PHONE, expect
from tests.browser.test_every_page import DESKTOP, OPTIONS, UNFOLD, UNSTICK
from tests.league.extras.needs.race import NARROW, played

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = ("300", "253", "245", "202")
CALL = "Tsumo 1,000/2,000, ron 5,200, or 2,600 from the leader"
ONE = "/needs/?rules=tenhou&p0=300&p1=253&p2=245&p3=202&me=1&double=0"
FOUR = "/needs/?rules=tenhou&p0=300&p1=253&p2=245&p3=202&me=all&double=3"


def enter(page, points=POINTS) -> None:
    page.get_by_label("Rule set").select_option("mleague")
    for seat, number in enumerate(points):
        page.locator(f"[name=p{seat}]").fill(number)
    page.locator("[name=me][value='1'] + label").click()


def test_the_answer_follows_what_is_entered_and_its_address_opens_the_same_elsewhere(open_page):
    page = open_page(**PHONE)
    page.goto("/needs/")
    expect(page.locator("#answer")).to_contain_text("No points yet")
    enter(page)
    expect(page.locator(".needs-call")).to_have_text(CALL)
    page.locator("[name=p3]").fill("212")
    expect(page.locator("#answer")).to_contain_text("1,000 too much")
    page.locator("[name=p3]").fill("202")
    expect(page.locator(".needs-call")).to_have_text(CALL)

    other = open_page()
    other.goto(page.locator("#share").input_value())
    expect(other.locator(".needs-call")).to_have_text(CALL)
    other.goto(page.url)
    expect(other.locator(".needs-call")).to_have_text(CALL)


@pytest.mark.slow
def test_the_hands_of_another_length_follow_the_rule_set(open_page):
    page = open_page()
    page.goto("/needs/")
    hands = page.get_by_label("Hand", exact=True).locator("option")
    expect(hands).to_have_count(8)
    page.get_by_label("Rule set").select_option("tenhou")
    expect(hands).to_have_count(12)
    expect(page.get_by_label("Double ron")).to_be_visible()


@pytest.mark.slow
def test_it_works_without_script(open_page):
    page = open_page(java_script_enabled=False, **PHONE)
    page.goto("/needs/")
    enter(page)
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".needs-call")).to_have_text(CALL)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_one_player_and_four_side_by_side_are_accessible(theme, width, open_page):
    page, axe = open_page(color_scheme=theme, **width), Axe()
    for address, players in ((ONE, 1), (FOUR, 4)):
        page.goto(address)
        expect(page.locator(".needs-call")).to_have_count(players)
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        page.evaluate(axe.axe_script)
        assert page.evaluate("options => axe.run(document, options)", OPTIONS)["violations"] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width["viewport"]["width"]


# --- the end of a stage


def before_the_last_table():
    """Return a league of eight before the last table of its last round, with four places that qualify."""
    here = played(4, planned=5)
    here.add_round()
    here.record(NARROW, round_number=5, number=2)
    set_stage_end(stage=here.stage, rounds=5, places=4, by=here.alice)
    return here


@pytest.mark.slow
def test_a_player_whom_the_phone_knows_reads_in_one_tap_what_is_needed(open_page):
    here = before_the_last_table()
    entrant = here.competition.entrants.get(player=here.players[0])
    page = open_page(**PHONE)
    page.goto(f"{reverse('seating:my_seat', args=[here.slug])}?player={entrant.pk}")
    page.get_by_role("button", name="This is me").click()
    page.goto(reverse("seating:my_seat", args=[here.slug]))
    page.locator("main").get_by_role("link", name="What is needed?").click()
    expect(page.locator(".needs-cases").first).to_contain_text("1st place")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_on_the_pages_of_a_stage_that_ends(open_page, theme, size):
    here = before_the_last_table()
    entrant = here.competition.entrants.get(player=here.players[0])
    page, axe = open_page(color_scheme=theme, **size), Axe()
    for name, arguments in (
        ("standings:competition", []),
        ("needs:chances", [here.division.slug, here.stage.slug]),
        ("needs:player", [entrant.pk]),
        ("needs:table", [here.table(5, 1).pk]),
    ):
        page.goto(reverse(name, args=[here.slug, *arguments]))
        page.evaluate(UNFOLD)
        page.evaluate(UNSTICK)
        page.evaluate(axe.axe_script)
        found = page.evaluate("options => axe.run(document, options)", OPTIONS)["violations"]
        assert (name, found) == (name, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= size["viewport"]["width"]
