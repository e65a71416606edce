"""The hands of a table, entered on phones at it: taps, a bad network, two phones."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.db import connection
from django.utils import translation

from league.core.door import scanned_sheet
from league.core.qr import SCANNED
from league.models import HandEntry, Table
from league.play.hands.queries import table_game
from scoring.hanchan import ExhaustiveDraw, Game, Ron, Tsumo
from scoring.payments import HandValue
from tests.browser.kit import (
    PHONE,
    SCREEN,
    close,
    cut_off,
    expect,
    intercept_posts,
    is_wide,
    look_again,
    lose_answer,
    sync_api,
)
from tests.browser.test_every_page import OPTIONS
from tests.factories import Club, club
from tests.scoring.test_hanchan_records import mleague_game, mleague_outcome
from tests.served import free_port, served

Page = sync_api.Page
COUNT_TAPS = """window.taps = Number(sessionStorage.taps || 0); addEventListener("click", (event) => {
    if (event.isTrusted) sessionStorage.taps = window.taps += 1;
}, true);"""
SAVED, WAITS, ASKS = "sent", "waiting", "conflict"


@pytest.fixture
def mleague(transactional_db) -> Club:
    made = club(preset="mleague")
    made.add_round()
    return made


class Keeper:
    """A phone at table 1, and what its person presses."""

    def __init__(self, page: Page, made: Club) -> None:
        self.page = page
        self.table: Table = made.table()
        kept = scanned_sheet(self.table)
        page.context.add_cookies([{"name": SCANNED, "value": kept, "url": page.base_url}])
        self.address = f"/c/{made.slug}/seat/tables/{self.table.pk}/hands/"

    def open(self) -> "Keeper":
        self.page.add_init_script(COUNT_TAPS)
        self.page.goto(self.address)
        expect(self.page.locator("[data-hands]")).to_be_visible()
        return self

    def tap(self, *names: object) -> int:
        """Tap what has these names, one after the other. Return how many taps there were."""
        before = self.page.evaluate("window.taps")
        for name in names:
            self.page.locator(f'[data-do="{name}"]').tap()
        return int(self.page.evaluate("window.taps")) - before

    def ron(self, winner: int, loser: int, value: str = "1-30") -> int:
        return self.tap("ron", f"seat-{winner}", f"seat-{loser}", f"value-{value}", "save")

    def tsumo(self, winner: int, value: str = "1-30") -> int:
        return self.tap("tsumo", f"seat-{winner}", f"value-{value}", "save")

    def draw(self, *tenpai: int) -> int:
        return self.tap("draw", *(f"seat-{seat}" for seat in tenpai), "save")

    def points(self) -> list[int]:
        shown = self.page.locator(".hands-seats .hands-points").all_inner_texts()
        return [int(text.replace(",", "").replace("−", "-")) for text in shown]

    def hand(self) -> str:
        return " ".join(self.page.locator("[data-top] > :is(strong, span)").all_inner_texts()[:2])

    def says(self, state: str) -> None:
        expect(self.page.locator(".hands-sent")).to_have_attribute("data-state", state)

    def reload(self) -> None:
        """Open the page again in this browser."""
        self.page = close(self.page)
        self.open()


@pytest.fixture
def keeper(open_page, mleague) -> Callable[..., Keeper]:
    """`keeper()`: one more phone at the table."""

    def made(**options: Any) -> Keeper:
        page = open_page(**PHONE, **options)
        return Keeper(with_base(page), mleague).open()

    def with_base(page: Page) -> Page:
        page.goto("/healthz")
        page.base_url = page.url.removesuffix("healthz")
        return page

    return made


def kept_game(table: Table) -> Game:
    game = table_game(Table.objects.select_related("round__stage__division__rule_set").get(pk=table.pk)).game
    assert game is not None
    return game


def kinds(table: Table) -> list[str]:
    return list(HandEntry.objects.filter(table=table).order_by("number").values_list("kind", flat=True))


def saved(phone: Keeper, *wanted: str) -> None:
    """Wait until the server has entries of these kinds alone."""
    for _attempt in range(200):
        if kinds(phone.table) == list(wanted):
            return
        phone.page.wait_for_timeout(50)
    assert kinds(phone.table) == list(wanted)


# --- taps


def cell(value: HandValue) -> str:
    return f"{value.limit}0" if value.limit else f"{value.han}-{value.fu}"


def keep_mleague(phone: Keeper, record: Any) -> None:
    """Enter every hand of the record, and count the taps of each."""
    rules = kept_rules(phone.table)
    for hand in record.hands:
        assert phone.points() == record.turned(hand["start"])
        for name in hand["riichi"]:
            assert phone.tap(f"seat-{record.names.index(name)}") == 1
        outcome = mleague_outcome(hand, record, rules)
        if isinstance(outcome, Ron):
            (win,) = outcome.wins
            assert phone.ron(win.winner, outcome.loser, cell(win.value)) == 5
        elif isinstance(outcome, Tsumo):
            assert phone.tsumo(outcome.win.winner, cell(outcome.win.value)) == 4
        else:
            assert isinstance(outcome, ExhaustiveDraw)
            declared = {record.names.index(name) for name in hand["riichi"]}
            others = [seat for seat in outcome.tenpai if seat not in declared]
            assert phone.draw(*others) == 2 + len(others)
    expect(phone.page.locator(".hands-over")).to_be_visible()
    phone.says(SAVED)


@pytest.mark.slow
def test_the_hanchan_of_mleague_is_kept_hand_by_hand_to_its_published_end(keeper):
    phone, record = keeper(), mleague_game()

    keep_mleague(phone, record)

    assert phone.points() == record.final
    game = kept_game(phone.table)
    assert (list(game.points), game.over, len(game.steps)) == (record.final, "length", 11)


def kept_rules(table: Table) -> Any:
    return table.round.stage.division.rule_set.rules


@pytest.mark.slow
def test_taps_are_few(keeper):
    phone = keeper()

    assert phone.tap("seat-1") == 1  # riichi
    assert phone.ron(1, 2, "3-40") == 5
    assert phone.tsumo(0, "2-30") == 4
    assert phone.draw() == 2
    assert phone.draw(0, 3) == 4
    assert phone.tap("more", "chombo", "seat-3", "save") == 4
    assert phone.tap("undo", "undo-it") == 2

    phone.says(SAVED)
    assert kinds(phone.table) == ["riichi", "hand", "hand", "hand", "hand", "hand", "remove"]
    assert [step.result for step in kept_game(phone.table).steps] == ["win", "win", "draw", "draw"]


@pytest.mark.slow
def test_everything_for_one_hand_is_on_one_screen_of_360_pixels(keeper):
    phone = keeper()
    targets = ".hands button:visible"

    for names in (("ron", "seat-0", "seat-1"), ("value-2-30",), ("save", "draw"), ("back", "more")):
        small = phone.page.locator(targets).evaluate_all(
            "all => all.filter(each => each.offsetHeight < 44).map(each => each.dataset.do)"
        )
        assert small == []
        assert not is_wide(phone.page)
        phone.tap(*names)
        lowest = phone.page.locator(".hands .hands-grid, .hands .hands-save, .hands-ways")
        bottom = lowest.first.evaluate("each => each.getBoundingClientRect().bottom")
        assert bottom <= SCREEN["height"]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_step_of_a_hand_is_hard_to_use(keeper, scheme):
    phone = keeper(color_scheme=scheme)
    phone.page.evaluate(Axe().axe_script)

    for names in (
        ("seat-0",),
        ("ron", "seat-1", "seat-0"),
        ("value-4-30",),
        ("save", "draw"),
        ("save", "list"),
    ):
        phone.tap(*names)
        result = phone.page.evaluate("options => axe.run(document, options)", OPTIONS)
        assert [(each["id"], each["nodes"][0]["html"][:90]) for each in result["violations"]] == [], names


# --- what happened


@pytest.mark.slow
def test_the_middle_one_of_three_winners_can_be_chosen_and_two_win_one_after_the_other(keeper, mleague):
    phone = keeper()

    phone.ron(2, 0)  # 1 and 3 would be nearer and farther
    phone.tap("ron", "seat-1", "seat-0", "value-1-30", "another", "seat-3", "value-2-30", "save")

    phone.says(SAVED)
    first, second = kept_game(phone.table).steps
    assert first.winners == (2,)
    assert second.winners == (1,)  # head bump: the page has shown that only the nearest is paid


@pytest.mark.slow
def test_an_earlier_hand_is_corrected_inserted_and_removed_with_a_preview(keeper):
    phone = keeper()
    phone.ron(0, 1, "2-30")
    phone.draw(0)
    phone.says(SAVED)
    before = phone.points()

    first = phone.page.locator(".hands-line").last
    phone.tap("list")
    first.get_by_role("button", name="Correct").tap()
    phone.tap("ron", "seat-3", "seat-1", "value-1-30")
    expect(phone.page.locator(".hands-paid").last).to_contain_text("→")
    assert phone.points() != before
    phone.tap("save")
    phone.says(SAVED)
    assert [step.winners for step in kept_game(phone.table).steps] == [(3,), ()]

    phone.tap("list")
    first.get_by_role("button", name="Insert").tap()
    phone.tap("draw", "seat-0", "save", "list")
    first.get_by_role("button", name="Remove").tap()
    phone.tap("undo-it")
    phone.says(SAVED)
    assert kinds(phone.table) == ["hand", "hand", "correct", "insert", "remove"]
    assert [step.result for step in kept_game(phone.table).steps] == ["win", "draw"]


@pytest.mark.slow
def test_without_points_a_table_says_which_hand_it_plays_and_keeps_points_later(keeper):
    phone = keeper()

    phone.tap("more", "passes", "stays", "draw")
    expect(phone.page.locator("[data-top]")).to_contain_text("East 3")
    phone.says(SAVED)
    phone.table.refresh_from_db()
    assert phone.table.hand == "E3.2"

    phone.tap("start", "next")
    phone.ron(2, 1)
    phone.says(SAVED)
    game = kept_game(phone.table)
    assert (game.steps[0].name.number, game.steps[0].name.honba) == (3, 2)


# --- a bad network


def test_hands_are_kept_without_a_network_and_sent_once_in_their_order(keeper, expect_complaints):
    phone = keeper()
    phone.page.context.set_offline(True)

    phone.tap("seat-2")
    phone.ron(2, 0, "3-30")
    phone.draw(1, 2)
    phone.says(WAITS)
    points = phone.points()
    assert kinds(phone.table) == []
    phone.page.context.set_offline(False)

    phone.says(SAVED)
    assert kinds(phone.table) == ["riichi", "hand", "hand"]
    assert list(kept_game(phone.table).points) == points == phone.points()


@pytest.mark.slow
def test_a_hand_whose_answer_is_lost_is_one_hand(keeper, expect_complaints):
    phone = keeper()
    intercept_posts(phone.page, "**/hands/write/", lose_answer)

    phone.ron(1, 0)
    phone.says(WAITS)
    saved(phone, "hand")
    with phone.page.expect_response("**/hands/state/"):
        look_again(phone.page)
    assert phone.hand() == "East 2 Honba 0"  # not twice, though the server's state has it already
    phone.tap("undo", "undo-it")
    phone.draw()
    phone.page.unroute_all(behavior="wait")
    look_again(phone.page)

    phone.says(SAVED)
    assert kinds(phone.table) == ["hand", "remove", "hand"]
    assert [step.result for step in kept_game(phone.table).steps] == ["draw"]


@pytest.mark.slow
def test_a_landing_page_that_answers_200_does_not_count(keeper, expect_complaints):
    phone = keeper()
    landing = {"status": 200, "content_type": "text/html", "body": "<h1>Welcome to our Wi-Fi</h1>"}
    intercept_posts(phone.page, "**", lambda route: route.fulfill(**landing))

    phone.tsumo(3)
    phone.says(WAITS)
    other_key = {"status": 200, "json": {"saved": "00000000-0000-4000-8000-000000000000", "state": {}}}
    phone.page.unroute_all(behavior="wait")
    intercept_posts(phone.page, "**", lambda route: route.fulfill(**other_key))
    look_again(phone.page)
    phone.says(WAITS)
    phone.page.unroute_all(behavior="wait")
    look_again(phone.page)

    phone.says(SAVED)
    assert kinds(phone.table) == ["hand"]


@pytest.mark.slow
def test_what_waits_outlives_the_browser(keeper, expect_complaints):
    phone = keeper()
    cut_off(phone.page)

    phone.ron(0, 3, "4-25")
    phone.tap("seat-1")
    phone.says(WAITS)
    points = phone.points()
    phone.reload()

    phone.says(SAVED)
    assert phone.points() == points
    assert kinds(phone.table) == ["hand", "riichi"]


@pytest.mark.slow
def test_the_page_opens_without_a_network_with_what_was_entered(keeper, expect_complaints):
    phone = keeper(service_workers="allow")
    phone.page.evaluate("navigator.serviceWorker.ready")
    phone.page.wait_for_function(
        "async (address) => (await (await caches.open('umaoka-pages')).match(address)) !== undefined",
        arg=phone.page.url,
    )
    phone.ron(2, 1)
    phone.says(SAVED)
    phone.page.context.set_offline(True)

    phone.page.reload()
    phone.draw(0, 1)
    phone.says(WAITS)
    points = phone.points()
    phone.page.reload()
    assert phone.points() == points
    phone.page.context.set_offline(False)

    phone.says(SAVED)
    assert kinds(phone.table) == ["hand", "hand"]
    assert list(kept_game(phone.table).points) == points


# --- two phones


@pytest.mark.slow
def test_others_follow(keeper):
    first, second = keeper(), keeper(color_scheme="dark")

    first.tap("seat-3")
    first.ron(3, 0, "2-40")
    first.says(SAVED)
    look_again(second.page)

    expect(second.page.locator("[data-top]")).to_contain_text("East 2")
    assert second.points() == first.points()


@pytest.fixture
def both(keeper, expect_complaints) -> tuple[Keeper, Keeper]:
    """Two phones that entered the first hand, the second one later."""
    first, second = keeper(), keeper()
    second.page.context.set_offline(True)
    second.ron(1, 2)
    second.tap("seat-0")
    first.ron(1, 2, "2-30")
    first.says(SAVED)
    second.page.context.set_offline(False)
    second.says(ASKS)
    expect(second.page.locator("[data-kept] .alert")).to_contain_text("2 han 30 fu")
    return first, second


@pytest.mark.slow
def test_the_later_phone_keeps_what_the_other_entered(both):
    first, second = both

    second.tap("keep-theirs")
    second.says(SAVED)

    assert second.points() == first.points()
    assert kinds(first.table) == ["hand"]  # the riichi was of a hand that is over


@pytest.mark.slow
def test_the_later_phone_has_another_hand(both):
    first, second = both

    second.tap("mine-too")
    second.says(SAVED)

    assert kinds(first.table) == ["hand", "hand", "riichi"]


@pytest.mark.slow
def test_what_the_later_phone_entered_replaces_it(both):
    first, second = both

    second.tap("mine-instead")
    second.says(SAVED)

    assert kinds(first.table) == ["hand", "correct", "riichi"]
    assert len(kept_game(first.table).steps) == 1
    assert kept_game(first.table).points[1] == 26_000


@pytest.mark.slow
def test_a_riichi_that_another_phone_declared_is_not_forgotten(keeper, expect_complaints):
    first, second = keeper(), keeper()
    second.page.context.set_offline(True)
    second.draw(1)
    first.tap("seat-3")
    first.says(SAVED)
    second.page.context.set_offline(False)

    second.says(ASKS)
    second.tap("with-riichi")

    second.says(SAVED)
    game = kept_game(first.table)
    assert (game.deposits, len(game.steps)) == (1000, 1)


# --- refusals


@pytest.mark.slow
def test_a_phone_without_the_code_keeps_what_it_has(keeper, expect_complaints):
    phone = keeper()
    phone.page.context.clear_cookies(name=SCANNED)

    phone.draw()
    expect(phone.page.locator(".hands-sent")).to_contain_text("does not know this phone")
    assert kinds(phone.table) == []
    kept = scanned_sheet(phone.table)
    phone.page.context.add_cookies([{"name": SCANNED, "value": kept, "url": phone.page.base_url}])
    look_again(phone.page)

    phone.says(SAVED)
    assert kinds(phone.table) == ["hand"]


# --- practice


@pytest.mark.slow
def test_practice_is_played_on_the_device_and_writes_nothing(open_page):
    page = open_page(**PHONE)
    page.add_init_script(COUNT_TAPS)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.method))
    page.goto("/practice/hands/?rules=kanto")

    ron = ("seat-0", "ron", "seat-0", "seat-1", "value-mangan0", "save")
    for name in (*ron, "undo", "undo-it", "draw", "save"):
        page.locator(f'[data-do="{name}"]').tap()

    expect(page.locator(".hands-seats .hands-points").first).to_have_text("27,000")  # in riichi
    expect(page.locator("[data-top]")).to_contain_text("Honba 1")
    assert "POST" not in sent
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('umaoka-hands'))") == []
    assert not HandEntry.objects.exists()
    with translation.override("en"):
        assert json.loads(page.locator("#hands-rules").inner_text())["game_length"] == "half"


@pytest.mark.slow
def test_what_is_pressed_while_the_server_is_down_is_saved_once_when_it_is_back(
    open_page, mleague, tmp_path, expect_complaints
):
    own = {
        "database": f"sqlite:///{connection.settings_dict['NAME']}",
        "port": free_port(),
        "DJANGO_SETTINGS_MODULE": "tests.served_settings",
    }
    page = open_page(**PHONE)
    with served(tmp_path, **own) as url:
        page.base_url = url
        phone = Keeper(page, mleague)
        phone.address = url + phone.address
        phone.open()
        phone.ron(1, 0)
        phone.says(SAVED)
    phone.tap("seat-2")
    phone.tsumo(2)
    phone.says(WAITS)
    points = phone.points()
    with served(tmp_path, **own):
        look_again(page)
        phone.says(SAVED)
        assert phone.points() == points
        assert kinds(phone.table) == ["hand", "riichi", "hand"]
        assert list(kept_game(phone.table).points) == points
        page.close()
