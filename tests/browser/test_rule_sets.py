"""The pages of rule sets in Chromium: looked up and compared on a phone, printed on one sheet of paper."""

import re

import pytest

from league.organizing.division_rules.services import change_rules
from league.rules.rule_sets.services import copied_rules, create_book, newest_edition
from scoring.presets import presets, resolve
from scoring.rules import LOCAL_YAKU
from tests.browser.kit import A4, SCREEN, expect, is_wide, printed_sheets
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

SLUGS = [each.slug for each in presets()]
ALL = "&".join(f"set={slug}" for slug in SLUGS)


@pytest.fixture
def spring() -> Club:
    return club("spring")


@pytest.mark.slow
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_two_rule_sets_are_found_compared_and_their_differences_read_on_a_phone(spring, open_page, script):
    page = open_page(viewport=SCREEN, java_script_enabled=script)
    page.goto("/")
    page.locator("header [popovertarget]").click()
    page.locator("header a[href='/rules/']").click()
    for slug in ("hkma-a-2025-04", "tenhou"):
        page.locator(f"[name=set][value={slug}]").check()
    page.locator("main form[action$='/compare/'] [type=submit]").first.click()

    table = page.locator("table.compare")
    expect(table.locator(".compare-name")).to_have_text([re.compile("HKMA"), re.compile("Tenhou")])
    everything = table.locator("tr:has(.compare-value)").count()
    differing = table.locator("tr.differs").count()

    switch = page.get_by_role("switch").first
    switch.click()

    expect(switch).to_be_checked()
    rows = table.locator("tr:has(.compare-value)")
    assert 10 < rows.count() == differing < everything
    assert rows.locator("td.differs .compare-mark").all_inner_texts() == ["≠"] * differing
    last = table.locator("tr.differs td").nth(1).bounding_box()  # both values, without scrolling sideways
    assert 0 < last["x"] < last["x"] + last["width"] <= SCREEN["width"]
    settings = [cell for cell in table.locator(".compare-above th").all_inner_texts() if cell]
    assert len([setting for setting in settings if setting.startswith("≠ ")]) == differing


@pytest.mark.slow
def test_all_rule_sets_at_once_are_not_wider_than_a_phone(spring, open_page):
    page = open_page(viewport=SCREEN)
    page.goto(f"/rules/compare/?{ALL}&sources=1")
    assert not is_wide(page)


@pytest.mark.slow
@pytest.mark.parametrize("page_of", ["summary", "scores"])
def test_no_price_runs_out_of_its_cell_on_a_phone(spring, open_page, page_of):
    page = open_page(viewport=SCREEN)
    page.goto(f"/rules/hkma-a-2025-04/{page_of}/")
    prices = page.locator(".scores :is(.ron, .tsumo)")
    assert prices.count() > 100
    too_wide = "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)"
    assert prices.evaluate_all(too_wide) == []


@pytest.mark.slow
def test_names_and_settings_stay_in_view_while_many_are_compared(spring, open_page):
    page = open_page(viewport={"width": 1280, "height": 800})
    page.goto(f"/rules/compare/?{ALL}")
    box = page.locator(".compare-box")
    name, setting = page.locator(".compare-name").first, page.locator(".compare-setting").nth(3)
    far = page.locator(".compare-name").last
    assert far.bounding_box()["x"] > 1280

    box.evaluate("box => { box.scrollTop = 120; box.scrollLeft = 99999 }")

    edge, found = box.bounding_box(), far.bounding_box()
    assert edge["x"] <= found["x"] < found["x"] + found["width"] <= edge["x"] + edge["width"] + 1
    assert edge["y"] <= found["y"] < edge["y"] + 40
    assert edge["x"] <= setting.bounding_box()["x"] < edge["x"] + 5
    assert name.bounding_box()["x"] < edge["x"]


def test_a_link_to_the_contradictions_opens_them(spring, open_page):
    page = open_page()
    page.goto("/rules/hkma-a-2025-04/")
    quoted = page.get_by_text("本聯賽不採用切上滿貫")
    assert not quoted.is_visible()
    page.locator("#kiriage_mangan a[href^='#']").click()
    expect(quoted).to_be_visible()


PAPER = {"width": 726, "height": 1054}  # A4 without its margins, in pixels


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh-Hant-HK", "zh-Hans", "ja"])
def test_the_summary_of_every_rule_set_is_one_sheet_of_a4(spring, open_page, language):
    """Each is as high as paper allows; the highest is printed."""
    page = open_page(locale=language, viewport=PAPER)
    page.emulate_media(media="print")
    heights = {}
    for slug in SLUGS:
        page.goto(f"/rules/{slug}/summary/")
        assert page.locator("html").get_attribute("lang") == language
        heights[slug] = page.locator(".wall").evaluate("wall => wall.offsetHeight")
    assert {slug: height for slug, height in heights.items() if height > PAPER["height"]} == {}

    page.goto(f"/rules/{max(heights, key=heights.__getitem__)}/summary/")
    assert printed_sheets(page) == [A4]


@pytest.mark.slow
def test_the_summary_of_a_leagues_own_edition_is_one_sheet_of_a4(spring, open_page):
    odd = {"uma": [500, 100, -100, -300], "unbalanced": True}  # with a note above
    values = {**resolve("kanto").as_values(), "local_yaku": list(LOCAL_YAKU), **odd}
    rules = copied_rules("kanto", values, by=spring.alice)
    book = create_book(league=spring.league, name="Rules of the house " * 6, rules=rules, by=spring.alice)
    change_rules(division=spring.division, to=newest_edition(book), by=spring.alice)
    page = open_page()
    page.goto("/rules/c:spring:main/summary/")
    expect(page.locator(".wall-source")).to_contain_text("Rules of the house")
    expect(page.locator("main .note")).to_be_visible()
    assert printed_sheets(page) == [A4]


@pytest.mark.slow
def test_every_score_table_is_one_sheet_of_a4(spring, open_page):
    page = open_page(color_scheme="dark")
    printed = {}
    for slug in SLUGS:
        page.goto(f"/rules/{slug}/scores/")
        printed[slug] = printed_sheets(page)
    assert printed == {slug: [A4] for slug in SLUGS}


@pytest.mark.slow
def test_the_summary_is_black_on_white_paper_in_the_dark_too(spring, open_page):
    page = open_page(color_scheme="dark")
    page.goto("/rules/c:spring:main/summary/")
    page.emulate_media(media="print", color_scheme="dark")
    value = page.locator(".wall dd").first
    assert value.evaluate("element => getComputedStyle(element).color") == "rgb(0, 0, 0)"
    assert not page.locator("header.site-header").is_visible()
