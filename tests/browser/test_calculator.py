"""The hand calculator in Chromium: tapped on a phone, typed, shared, and without script."""

import pytest

from tests.browser.kit import PHONE, SCREEN, expect, intercept, is_wide

pytestmark = pytest.mark.django_db(transaction=True)

TSUMO = "[name=how][value=tsumo] + label"
HAND = "234m55z (777z) [1111s] (789s)"
# Links and fields of less than 24 px, and keys in view of which another element takes the tap.
SMALL = """() => [...document.querySelectorAll("main :is(a, input, summary)")].filter((each) => {
    const box = each.getBoundingClientRect();
    return each.checkVisibility() && box.height && Math.min(box.width, box.height) < 23.9;
}).map((each) => each.outerHTML)"""
COVERED = """() => [...document.querySelectorAll("[data-tile]")].filter((each) => {
    const box = each.getBoundingClientRect();
    const found = document.elementFromPoint(box.x + box.width / 2, box.bottom - 2);
    return each.checkVisibility() && box.bottom < innerHeight && !each.contains(found);
}).map((each) => each.dataset.tile)"""


class Board:
    """Someone at the calculator."""

    def __init__(self, page):
        self.page = page

    def tap(self, *tiles: str) -> None:
        for tile in tiles:
            self.page.locator(f'[data-tile="{tile}"]').tap()

    def to(self, place: str) -> "Board":
        self.page.locator(f'[data-place="{place}"]').tap()
        return self

    def holds(self, **fields: str) -> None:
        """Waits until the fields hold this."""
        for name, value in fields.items():
            expect(self.page.locator(f"[name={name}]")).to_have_value(value)

    def shows(self, *words: str) -> None:
        """Waits until the line that stays in view says this."""
        for word in words:
            expect(self.page.locator("#calc-bar")).to_contain_text(word)


def test_a_whole_hand_is_tapped_and_its_address_opens_the_same_elsewhere(open_page):
    page = open_page(**PHONE)
    page.goto("/hand/")
    board = Board(page)
    board.tap("2m", "3m", "4m")
    board.shows("11 more tiles")
    board.to("pon").tap("7z")
    board.to("closed").tap("1s")
    board.to("chi").tap("7s", "9s", "8s")
    board.tap("5z")
    board.shows("Waits for White dragon")
    board.tap("5z")
    board.shows("1 han 60 fu", "2,900")
    board.to("dora").tap("6z")
    board.shows("Mangan", "12,000")
    board.holds(hand=HAND, win="5z", dora="6z")
    page.locator(TSUMO).tap()
    board.shows("4,000 from each")
    expect(page.locator("[role=status]")).to_contain_text("4,000 from each")

    shared = page.locator("#share").input_value()
    assert shared == page.url
    assert page.title() == "Mangan, 4,000 from each: 234m5z5z(777z)[1111s](789s) · Umaoka"
    other = open_page()
    other.goto(shared)
    assert other.title() == page.title()
    assert other.locator("#value").inner_text() == page.locator("#value").inner_text()
    assert other.locator("[data-hand] .tile").count() == page.locator("[data-hand] .tile").count() == 15
    assert other.locator("[name=how][value=tsumo]").is_checked()


@pytest.mark.slow
def test_a_closed_hand_takes_twelve_taps_and_the_rule_set_is_remembered(open_page):
    page = open_page(**PHONE)
    page.goto("/hand/")
    expect(page.locator('[data-tile="0p"]')).to_be_hidden()  # EMA has no red fives
    page.locator("[name=rules]").select_option("mleague")
    expect(page.locator('[data-tile="0p"]')).to_be_visible()
    page.goto("/hand/")
    expect(page.locator("[name=rules]")).to_have_value("mleague")

    board, taps = Board(page), 0
    for place, tiles in {"run": ["2m", "3p", "6p", "0s"], "pair": ["8m"]}.items():
        board.to(place).tap(*tiles)
        taps += 1 + len(tiles)
    page.get_by_role("button", name="Win with 2 of characters").tap()
    page.locator(TSUMO).tap()
    page.locator("[name=riichi][value='1'] + label").tap()
    board.to("dora").tap("1m")
    taps += 5

    board.shows("Haneman")
    board.holds(hand="23488m345678p067s", win="2m", dora="1m")
    assert taps == 12


@pytest.mark.slow
def test_tiles_can_be_taken_back_and_the_winning_tile_chosen(open_page):
    page = open_page(**PHONE)
    page.goto("/hand/?hand=234m678p44s55z+(777z)+(333m)&win=5z")
    board = Board(page)
    hand = page.locator("[data-hand]")
    board.holds(win="5z")
    board.to("win")
    hand.get_by_role("button", name="Win with 8 of circles").tap()
    board.holds(win="8p")
    hand.get_by_role("button", name="Remove 3 of characters, 3 of characters, 3 of characters").tap()
    board.holds(hand="234m678p44s55z (777z)")
    page.locator(".calc-board [data-undo]").tap()
    board.holds(hand="234m678p44s55z (777z) (333m)")
    page.locator("[data-clear]").tap()
    board.holds(hand="", win="")
    board.shows("Tap tiles")
    page.locator(".calc-board [data-undo]").tap()
    board.holds(hand="234m678p44s55z (777z) (333m)")


@pytest.mark.slow
def test_no_more_than_four_of_a_tile_and_a_full_hand(open_page):
    page = open_page(**PHONE)
    page.goto("/hand/")
    board = Board(page)
    board.tap("1m", "1m", "1m", "1m")
    expect(page.locator('[data-tile="1m"]')).to_have_attribute("aria-disabled", "true")
    board.to("kan")
    expect(page.locator('[data-tile="1m"]')).to_have_attribute("aria-disabled", "true")
    board.tap("9p")
    page.locator('[data-tile="1m"]').dispatch_event("click")
    board.holds(hand="1111m (9999p)")
    board.tap("2m", "3m", "4m", "5m", "6m", "7m", "8m")
    board.holds(win="8m")
    expect(page.locator('[data-tile][aria-disabled="false"]')).to_have_count(0)


@pytest.mark.slow
def test_everything_that_is_tapped_is_large_enough_for_a_thumb(open_page):
    page = open_page(**PHONE)
    page.goto(f"/hand/?hand={HAND}&dora=1z")
    heights = page.locator("[data-tile], [data-hand] button, [data-indicators] button").evaluate_all(
        "all => all.filter(each => each.offsetParent).map(each => each.getBoundingClientRect().height)"
    )
    assert len(heights) == 34 + 8 + 1
    assert min(heights) >= 44
    assert page.evaluate(SMALL) == []


@pytest.mark.slow
def test_the_result_covers_no_key_of_the_first_screen_and_stays_in_view_below_it(open_page):
    page = open_page(**PHONE)
    page.goto(f"/hand/?hand={HAND}&dora=1z")
    assert page.evaluate(COVERED) == []
    page.locator("[name=sticks]").scroll_into_view_if_needed()
    bar = page.locator("#calc-bar").bounding_box()
    assert 0 <= bar["y"] < 10


@pytest.mark.slow
def test_no_state_of_the_page_is_wider_than_a_phone(open_page):
    queries = (
        "",
        f"?hand={HAND}",
        "?hand=1112345678999s",
        "?hand=111222333m99p789s&win=9s&riichi=1&rules=tenhou",
        "?hand=[1111m][2222m][3333m][4444m]5m&how=tsumo&dora=1z2z3z4z5z&ura=1z2z3z4z5z&riichi=1",
        "?hand=" + "x" * 100,
    )
    page = open_page(viewport=SCREEN)
    for query in queries:
        page.goto(f"/hand/{query}")
        assert not is_wide(page), query


@pytest.mark.slow
def test_typing_draws_the_hand_and_values_it(open_page):
    page = open_page()
    page.goto("/hand/")
    page.get_by_label("Hand", exact=True).last.fill("111222333m99p789s")
    expect(page.locator(".calc-points")).to_contain_text("12,000")
    expect(page.locator("[data-hand] .tile")).to_have_count(14)
    page.get_by_label("Hand", exact=True).last.fill("111222333m99p78")
    page.get_by_text("“78” has no suit").wait_for()
    page.get_by_label("Rule set").select_option("tenhou")
    page.wait_for_url("**rules=tenhou**")
    assert "hand=111222333m99p78" in page.url


@pytest.mark.slow
def test_keys_alone_build_a_hand(open_page):
    page = open_page()
    page.goto("/hand/")
    page.locator('[data-tile="1m"]').focus()
    for _ in range(3):
        page.keyboard.press("Enter")
    expect(page.locator("[name=hand]")).to_have_value("111m")
    taken = page.locator("[data-hand] button").last
    taken.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[name=hand]")).to_have_value("11m")
    expect(page.locator("[data-hand] :focus")).to_have_count(1)


@pytest.mark.slow
def test_a_message_says_that_the_server_does_not_answer(open_page, expected_problems):
    expected_problems += ["Failed to load resource: net::ERR_", "htmx:"]
    page = open_page()
    page.goto("/hand/?hand=123m")
    intercept(page, "**/hand/**", lambda route: route.abort())
    page.locator('[data-tile="4m"]').click()
    page.get_by_text("The server did not answer, so").wait_for()
    page.unroute("**/hand/**")
    page.locator('[data-tile="5m"]').click()
    page.get_by_text("The server did not answer, so").wait_for(state="hidden")
    expect(page.locator("#value")).to_contain_text("9 more tiles")


@pytest.mark.slow
def test_it_works_without_script(open_page):
    page = open_page(java_script_enabled=False, **PHONE)
    page.goto("/hand/")
    assert page.locator("[data-tile]").first.is_hidden()
    page.locator("[name=hand]").fill(HAND)
    page.locator("[name=dora]").fill("6z")
    page.locator(TSUMO).tap()
    page.locator("[data-calculator] [type=submit]").first.tap()
    expect(page.locator(".calc-limit")).to_contain_text("Mangan")
    expect(page.locator(".calc-points")).to_have_text("4,000 from each")
    expect(page.locator("[data-hand] .tile")).to_have_count(15)
    board = Board(page)
    board.holds(hand=HAND)
    page.locator(".calc-samples a").first.tap()
    board.holds(hand="234456m77p345678s")


@pytest.mark.slow
@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_who_is_liable_is_tapped_and_stays_while_the_hand_changes(open_page, script):
    page = open_page(**PHONE, java_script_enabled=script)
    page.goto("/hand/?hand=234m88s(555z)(666z)(777z)&win=8s&seat=1")
    page.locator(".calc-liable a").last.tap()
    other = page.locator(".calc-liable a").last
    expect(other).to_have_attribute("aria-current", "true")
    name = other.inner_text()
    expect(page.locator(".calc-table").first).to_contain_text(name)

    page.locator(TSUMO).tap()
    if not script:
        page.locator("[data-calculator] [type=submit]").first.tap()

    pays = page.locator(".calc-table").first.locator("tbody tr", has_text=name)
    expect(pays.locator("td").first).to_have_text("32,000")
    expect(page.locator("[name=how][value=tsumo]")).to_be_checked()
    page.wait_for_url("**liable_daisangen=other**")


@pytest.mark.slow
def test_a_whole_hand_is_drawn_in_an_older_browser(open_page):
    page = open_page(**PHONE)
    page.add_init_script("delete Array.prototype.findLast")  # iOS 15.0 has none
    page.goto("/hand/?hand=123m456p789s1177z&win=7z")
    expect(page.locator("[data-hand] .calc-group-win button")).to_have_count(1)
