"""The hall in Chromium: tables, screens and the ceremony follow a change by themselves."""

import pytest
from django.db import connection
from django.urls import reverse

from league.core.door import round_code, screen_key
from league.extras.hall.services import add_screen, set_screen
from league.models import Competition, Screen
from league.play.calls.services import call_referee
from league.play.rounds.services import close_round
from players.models import Player
from tests.browser.kit import PHONE, cut_off, expect, fill, is_wide, press, unfold
from tests.factories import Club, club
from tests.hands import phone_at
from tests.league.extras.hall.hall import propose
from tests.served import free_port, served

pytestmark = pytest.mark.django_db(transaction=True)

SOON = 2000  # milliseconds
WALL = {"viewport": {"width": 1920, "height": 1080}}


@pytest.fixture
def here() -> Club:
    made = club()
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    made.add_round(visibility="seating")
    made.record((53_700, 41_300, 19_800, 5_200), round_number=2)
    return made


def screen(made: Club, name: str, shows: str = "blank") -> Screen:
    found = add_screen(competition=made.competition, name=name, by=made.alice)
    return set_screen(screen=found, values={"shows": shows}, by=made.alice)


def address(made: Club, slug: str) -> str:
    return reverse("hall:screen", args=[made.slug, slug])


def names(page: object) -> list[str]:
    return page.locator("#screen .seating-who .name").all_inner_texts()


@pytest.mark.slow
def test_the_hall_follows_a_change_within_two_seconds_and_keeps_its_filter(open_page, sign_in, here):
    page = open_page()
    sign_in(page, here.bob)
    page.goto(reverse("hall:index", args=[here.slug]) + "?state=calling")
    expect(page.locator(".hall-table")).to_have_count(0)
    page.locator(".hall-filters a").first.focus()  # a link in focus does not stop it

    call_referee(table=here.table(number=2), by=None)

    expect(page.locator(".hall-table.hall-held")).to_have_count(1, timeout=SOON)
    assert page.evaluate("document.activeElement.matches('.hall-filters a')")


@pytest.mark.slow
def test_a_screen_opened_with_its_key_shows_the_code_of_the_round(open_page, here):
    here.add_round()
    screen(here, "left", "standings")
    digits = round_code(here.table(3).round)
    page, public = open_page(**WALL), open_page(**WALL)

    page.goto(f"{address(here, 'left')}#{screen_key(here.competition)}")
    public.goto(address(here, "left"))

    expect(page.locator("[data-codes]").get_by_text(digits)).to_be_visible(timeout=3 * SOON)
    set_screen(screen=Screen.objects.get(), values={"shows": "clock"}, by=here.alice)
    expect(page.locator("h1")).to_have_text("Clock", timeout=2 * SOON)
    expect(page.locator("[data-codes]").get_by_text(digits)).to_be_visible()
    expect(public.locator("[data-codes]").get_by_text(digits)).to_have_count(0)


@pytest.mark.slow
def test_a_table_on_a_stream_follows_without_a_background_and_without_a_reload(open_page, here):
    Competition.objects.update(shows_hands=True)
    here.add_round()
    here.competition.refresh_from_db()
    left = screen(here, "Left")
    set_screen(screen=left, values={"shows": "stream", "table": 1, "is_clear": True}, by=here.alice)
    page = open_page(**WALL)
    page.goto(address(here, "left"))
    page.evaluate("window.isSame = true")
    expect(page.locator(".stream-seats > li")).to_have_count(4)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"

    phone = phone_at(here.table(round_number=3))
    phone.see()
    phone.press("start", {"points": [31_000, 31_000, 29_000, 29_000], "deposits": 0, "hand": "S4.0"})

    expect(page.locator(".stream-points").first).to_have_text("31,000", timeout=SOON)
    expect(page.locator(".stream-call")).to_have_count(4)
    assert page.evaluate("window.isSame")


@pytest.mark.slow
def test_a_hall_in_the_background_asks_nothing(open_page, sign_in, here):
    page = open_page()
    sign_in(page, here.bob)
    page.goto(reverse("hall:index", args=[here.slug]))
    page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(3000)
    assert [url for url in asked if "revision" in url] == []


@pytest.mark.slow
def test_one_press_approves_what_it_names_on_a_phone(open_page, sign_in, here):
    propose(here, 2)
    page = open_page(**PHONE)
    sign_in(page, here.bob)
    page.goto(reverse("hall:index", args=[here.slug]))
    assert not is_wide(page)
    press(page, "hall:approve")
    expect(page.locator(".alert-success")).to_contain_text("2")
    expect(page.locator(".hall-confirmed.hall-table")).to_have_count(1)


def test_a_screen_is_made_and_set_from_a_phone_and_follows_within_two_seconds(open_page, sign_in, here):
    phone, wall = open_page(**PHONE), open_page(**WALL)
    sign_in(phone, here.alice)
    phone.goto(reverse("hall:screens", args=[here.slug]))
    fill(phone, name="Left")
    press(phone, "hall:screens")
    wall.goto(address(here, "left"))
    expect(wall.locator(".seating-tables")).to_be_visible()

    press(phone, "hall:screen_shows", shows="standings")
    expect(wall.locator(".screen-ranks")).to_be_visible(timeout=SOON)

    unfold(phone, "[name=text]")
    fill(phone, text="Lunch until 13:30")
    phone.locator("[name=is_light]").check()
    press(phone, "hall:screen_settings")
    press(phone, "hall:screen_shows", shows="message")
    expect(wall.locator(".screen-message")).to_have_text("Lunch until 13:30", timeout=SOON)
    assert wall.evaluate("document.documentElement.dataset.bsTheme") == "light"


@pytest.mark.slow
def test_the_ceremony_is_on_two_screens_at_once(open_page, sign_in, here):
    screen(here, "Left", "seats")
    screen(here, "Right", "clock")
    left, right, phone = open_page(**WALL), open_page(**WALL), open_page(**PHONE)
    left.goto(address(here, "left"))
    right.goto(address(here, "right"))
    sign_in(phone, here.alice)
    phone.goto(reverse("hall:ceremony", args=[here.slug]))
    fill(phone, places=3)
    press(phone, "hall:ceremony")
    for each in (left, right):
        expect(each.locator("h1")).to_have_text("Award ceremony", timeout=SOON)
        assert names(each) == []

    for count in (1, 2, 3, 4):  # the fourth place, then the three named ones
        press(phone, "hall:ceremony_reveal")
        for each in (left, right):
            expect(each.locator("#screen .seating-who")).to_have_count(count, timeout=SOON)
    press(phone, "hall:ceremony_reveal", back="on")
    for each in (left, right):
        expect(each.locator("#screen .seating-who")).to_have_count(3, timeout=SOON)
    press(phone, "hall:ceremony_end")
    expect(left.locator(".seating-tables")).to_be_visible(timeout=SOON)


@pytest.mark.slow
def test_a_screen_without_its_server_says_so_and_goes_on_when_it_is_back(open_page, here, expect_complaints):
    found = screen(here, "Left", "seats")
    wall = open_page(**WALL)
    wall.clock.install()
    wall.goto(address(here, "left"))
    expect(wall.locator(".seating-tables")).to_be_visible()
    cut_off(wall)
    wall.clock.run_for(15_000)
    expect(wall.locator("[data-lost]")).to_be_visible()
    expect(wall.locator(".seating-tables")).to_be_visible()  # what it showed stays

    set_screen(screen=found, values={"shows": "standings"}, by=here.alice)
    wall.context.unroute_all()
    wall.clock.run_for(3_000)
    expect(wall.locator(".screen-ranks")).to_be_visible()
    expect(wall.locator("[data-lost]")).to_be_hidden()


@pytest.mark.slow
def test_a_screen_survives_when_its_server_is_killed_and_started(
    open_page, here, tmp_path, expect_complaints
):
    found, wall = screen(here, "Left", "seats"), open_page(**WALL)
    own = {
        "database": f"sqlite:///{connection.settings_dict['NAME']}",
        "port": free_port(),
        "DJANGO_SETTINGS_MODULE": "tests.served_settings",
    }
    with served(tmp_path, **own) as url:
        wall.goto(url + address(here, "left"))
        expect(wall.locator(".seating-tables")).to_be_visible()
    set_screen(screen=found, values={"shows": "standings"}, by=here.alice)
    wall.wait_for_timeout(2_500)
    expect(wall.locator(".seating-tables")).to_be_visible()
    with served(tmp_path, **own):
        expect(wall.locator(".screen-ranks")).to_be_visible()
        wall.close()


@pytest.mark.slow
def test_parts_turn_by_themselves_and_wait_for_who_reads(open_page, db):
    made = club(players=48)
    made.add_round()
    screen(made, "Left", "seats")
    wall = open_page(**WALL)
    wall.clock.install()
    wall.goto(address(made, "left"))
    part = wall.locator("#screen")
    expect(part).to_have_attribute("data-page", "1")
    wall.clock.run_for(14_000)
    expect(part).to_have_attribute("data-page", "2")
    wall.keyboard.press("Shift")
    wall.clock.run_for(30_000)
    expect(part).to_have_attribute("data-page", "2")
    wall.clock.run_for(45_000)
    expect(part).to_have_attribute("data-page", "1")


@pytest.mark.slow
@pytest.mark.parametrize("shows", Screen.Shows.values)
def test_a_screen_fits_without_scrolling(open_page, shows):
    made = club(players=96)
    made.add_round()
    for number in range(1, 25):
        made.record((45_000, 35_000, 25_000, 15_000), number=number)
    found = screen(made, "Left")
    set_screen(
        screen=found,
        values={"shows": shows, "text": "Lunch until half past one. " * 11, "table": 1},
        by=made.alice,
    )
    wall = open_page(**WALL)
    wall.goto(address(made, "left"))
    for width, height in ((1920, 1080), (1280, 720), (1024, 768)):
        wall.set_viewport_size({"width": width, "height": height})
        size = wall.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert size == [width, height]


LONG_NAMES = ("Takahashi Yuichiro K", "Wong Ka Ming Jonatha", "勅使河原太郎左衛", "Bartholomew Anderson")
CUT_NAMES = """Array.from(document.querySelectorAll(".seating-who, .hall-name")).filter((name) => {
    const content = document.createRange();
    content.selectNodeContents(name);
    return content.getBoundingClientRect().width > name.getBoundingClientRect().width + 0.01;
}).map((name) => name.textContent)"""


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 12, 40])
def test_no_screen_cuts_a_name_and_few_rows_have_large_letters(open_page, players):
    made = club(players=players)
    for at, player in enumerate(made.players):
        Player.objects.filter(pk=player.pk).update(name=LONG_NAMES[at % len(LONG_NAMES)])
    made.add_round()
    for number in range(1, players // 4 + 1):
        made.record((45_000, 35_000, 25_000, 15_000), number=number)
    close_round(round_=made.rounds[0], by=made.alice)
    made.add_round()
    screen(made, "ranks", "standings")
    screen(made, "tables", "seats")
    set_screen(screen=screen(made, "names", "seats"), values={"by_name": True}, by=made.alice)
    page = open_page(**WALL)

    for slug in ("ranks", "tables", "names"):
        page.goto(address(made, slug))
        expect(page.locator(".seating-who").first).to_be_visible()
        assert page.evaluate(CUT_NAMES) == []
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        letters = page.evaluate(
            "parseFloat(getComputedStyle(document.querySelector('.seating-who')).fontSize)"
        )
        assert letters > {4: 55, 12: 38, 40: 30}[players]
