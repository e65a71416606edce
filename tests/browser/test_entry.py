"""Score sheets typed with real keys in Chromium: on a desk, on a phone, on a bad network, without script."""

import re

import pytest

from league.models import Sheet, Submission
from league.results.services import record_result
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
POINTS = (28700, 31200, 25000, 35100)
REFUSED = "Failed to load resource: the server responded with a status of"
NO_NETWORK = "Failed to load resource: net::ERR_"


@pytest.fixture
def spring(transactional_db) -> Club:
    made = club()
    made.add_round()
    return made


@pytest.fixture
def expect_complaints(page_problems):
    """Chromium itself writes every refused or failed request to the console; this test provokes some."""
    yield
    page_problems[:] = [said for said in page_problems if not said.startswith((REFUSED, NO_NETWORK))]


class Keys:
    """A keyboard that counts."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def __call__(self, text: str) -> "Keys":
        """Press one key after the other; ⏎ is Enter, ⇥ is Tab."""
        for character in text:
            self.page.keyboard.press({"⏎": "Enter", "⇥": "Tab", " ": "Space"}.get(character, character))
            self.count += 1
        return self


def entry(spring: Club) -> str:
    return f"/c/{spring.slug}/rounds/{spring.rounds[0].pk}/enter/"


def focused(page) -> str:
    return page.evaluate("document.activeElement.id || document.activeElement.name")


def value(page, seat: str, number: int = 1) -> str:
    return page.locator(f"#t{number}-{seat}").input_value()


def said(page) -> str:
    return page.locator("[data-panel]:not([hidden]) [data-sum]").inner_text()


def kept(page) -> int:
    return page.evaluate(
        "Object.keys(localStorage).filter((name) => name.startsWith('umaoka-sheet:')).length"
    )


def sheets() -> list[tuple[int, int, tuple[int, ...], int]]:
    found = Sheet.objects.select_related("table").order_by("table__number", "version")
    return [(s.table.number, s.version, s.points, s.sticks) for s in found]


def saved(page, number: int = 1) -> None:
    page.get_by_text(f"Table {number} is saved").first.wait_for()


@pytest.fixture
def desk(open_page, sign_in, spring):
    """The entry page on a large screen, Charlie signed in."""
    page = open_page(viewport={"width": 1280, "height": 900})
    sign_in(page, spring.charlie)
    page.goto(entry(spring))
    return page


@pytest.fixture
def phone(open_page, sign_in, spring):
    page = open_page(**PHONE)
    sign_in(page, spring.charlie)
    page.goto(entry(spring))
    return page


# --- the keyboard


def test_a_table_takes_at_most_17_keystrokes_and_the_focus_returns_to_the_table_number(desk):
    assert focused(desk) == "number"
    keys = Keys(desk)
    keys("1⏎287⏎312⏎250⏎=⏎")
    saved(desk)
    assert keys.count == 16
    assert sheets() == [(1, 1, POINTS, 0)]
    assert focused(desk) == "number"
    assert desk.locator("#number").input_value() == ""
    # The second table follows without the mouse, with a negative score.
    keys = Keys(desk)
    keys("2⏎-52⏎412⏎350⏎=⏎")
    saved(desk, 2)
    assert keys.count <= 17
    assert sheets() == [(1, 1, POINTS, 0), (2, 1, (-5200, 41200, 35000, 49000), 0)]
    assert "2 of 2 tables entered" in desk.locator("#content").inner_text()
    assert kept(desk) == 0


def test_typing_needs_no_request_until_four_scores_are_there(desk):
    asked = []
    desk.on("request", lambda request: asked.append(request.url) if "/c/" in request.url else None)
    Keys(desk)("1⏎287⏎312⏎250⏎")
    assert asked == []
    Keys(desk)("=")
    desk.locator(".sheet-result .place").first.wait_for()
    assert [re.sub(r".*/(\w+/)\?.*", r"\1", url) for url in asked] == ["preview/"]


def test_the_sum_is_told_in_words_while_typing(desk):
    Keys(desk)("1⏎287⏎312⏎250⏎")
    assert said(desk) == ""
    Keys(desk)("341")
    assert said(desk) == "1,000 missing: a riichi stick on the table?"
    Keys(desk)("⏎")  # not saved: on to the deposits
    assert focused(desk) == "t1-sticks"
    Keys(desk)("1")
    assert said(desk) == "Adds up."
    Keys(desk)("⏎")
    saved(desk)
    assert sheets() == [(1, 1, (28700, 31200, 25000, 34100), 1000)]


@pytest.mark.parametrize(
    ("fourth", "sentence"),
    [
        ("321", "3,000 missing: 3 riichi sticks on the table?"),
        ("350", "100 missing."),
        ("352", "100 too much."),
        ("35x", "Digits only, in hundreds: 287 for 28,700."),
    ],
)
def test_a_wrong_sum_is_told_and_not_sent(desk, fourth, sentence):
    posts = []
    desk.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    Keys(desk)(f"1⏎287⏎312⏎250⏎{fourth}⏎")
    assert said(desk) == sentence
    assert posts == []
    assert value(desk, "north") == fourth


def test_points_instead_of_hundreds_are_recognised(desk):
    Keys(desk)("1⏎28700⏎31200⏎25000⏎35100")
    assert said(desk) == "Type scores in hundreds: 287 for 28,700."


def test_full_width_digits_are_read_while_typing(desk):
    Keys(desk)("1⏎")
    for seat, typed in (("east", "２８７"), ("south", "－３１"), ("west", "250"), ("north", "▲10")):
        desk.locator(f"#t1-{seat}").fill(typed)
    assert said(desk) == "70,400 missing."


def test_the_fourth_score_is_offered_and_never_filled_in_silently(desk):
    Keys(desk)("1⏎287⏎312⏎250⏎")
    assert value(desk, "north") == ""
    assert desk.locator(".sheet-accept").inner_text() == "= 351"
    Keys(desk)("⏎")  # Enter on the empty field neither accepts nor saves
    assert value(desk, "north") == ""
    assert said(desk) == "Type this score too."
    Keys(desk)("+")
    assert value(desk, "north") == "351"
    assert desk.locator(".sheet-accept").count() == 0
    assert sheets() == []


def test_a_strict_competition_offers_nothing(desk, spring):
    spring.competition.suggest_fourth = False
    spring.competition.save()
    desk.reload()
    Keys(desk)("1⏎287⏎312⏎250⏎=")
    assert desk.locator(".sheet-accept").count() == 0
    assert value(desk, "north") == ""
    assert said(desk) == ""
    Keys(desk)("351⏎")
    saved(desk)


def test_places_and_scores_are_shown_while_typing_as_the_server_settles_them(desk):
    Keys(desk)("1⏎287⏎312⏎250⏎351")
    desk.locator(".sheet-result .place").first.wait_for()
    shown = desk.locator("[data-panel='1'] .sheet-result").all_inner_texts()
    assert [re.sub(r"\s+", " ", text) for text in shown] == ["3 −16.3", "2 +6.2", "4 −40.0", "1 +50.1"]
    desk.keyboard.press("Backspace")
    assert desk.locator(".sheet-result .place").count() == 0


def test_without_an_answer_the_places_stay_blank_and_saving_works(desk, expect_complaints):
    desk.route("**/preview/**", lambda route: route.abort())
    Keys(desk)("1⏎287⏎312⏎250⏎351")
    desk.wait_for_timeout(400)
    assert desk.locator(".sheet-result .place").count() == 0
    assert desk.locator(".alert-danger").count() == 0
    Keys(desk)("⏎")
    saved(desk)


def test_an_unknown_table_and_one_that_is_in_are_told_apart(desk, spring):
    Keys(desk)("9⏎")
    assert desk.locator("[data-number-error]").inner_text() == "There is no table 9 in this round."
    assert focused(desk) == "number"
    spring.record(POINTS)
    desk.reload()
    Keys(desk)("1⏎")
    assert "This table has its sheet already." in desk.locator("[data-panel='1']").inner_text()
    assert desk.evaluate("document.activeElement.textContent") == "Correct it"
    Keys(desk)("⏎")
    desk.wait_for_url("**/correct/")


def test_unusual_values_put_the_focus_on_the_tick(desk, expect_complaints):
    Keys(desk)("1⏎820⏎180⏎100⏎=⏎")
    desk.locator("[name=sure]").wait_for()
    assert focused(desk) == "t1-sure"
    assert value(desk, "east") == "820"
    assert sheets() == []
    Keys(desk)(" ⏎")
    saved(desk)
    assert sheets() == [(1, 1, (82000, 18000, 10000, 10000), 0)]


def test_a_double_click_saves_once(desk):
    Keys(desk)("1⏎287⏎312⏎250⏎351")
    desk.locator("[data-panel='1'] [type=submit]").dblclick()
    saved(desk)
    assert sheets() == [(1, 1, POINTS, 0)]
    assert Submission.objects.filter(answer__has_key="sheet").count() == 1


def test_a_correction_takes_three_clicks_from_the_table(open_page, sign_in, spring):
    spring.record(POINTS)
    page = open_page()
    sign_in(page, spring.charlie)
    page.goto(f"/c/{spring.slug}/tables/{spring.table().pk}/")
    page.get_by_role("link", name="Correct").click()  # 1
    assert focused(page) == "t1-east"
    Keys(page)("297⏎⏎⏎341")
    page.get_by_label("Why is the sheet changed?").click()  # 2
    page.keyboard.type("misread")
    page.get_by_role("button", name="Save").click()  # 3
    page.get_by_text("Table 1 is corrected").wait_for()
    assert page.url.endswith(f"/tables/{spring.table().pk}/")
    assert page.locator(".sheet-changed").all_inner_texts() == ["29,700", "34,100"]
    page.go_back()
    page.wait_for_url("**/correct/")


# --- the phone


def test_on_a_phone_everything_is_large_enough_and_nothing_scrolls_sideways(phone):
    phone.locator("#number").tap()
    Keys(phone)("1⏎")
    assert phone.locator("#t1-east").get_attribute("inputmode") == "numeric"
    for sign in phone.locator("[data-panel='1'] .sheet-sign").all():
        box = sign.bounding_box()
        assert box["width"] >= 44
        assert box["height"] >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


def test_on_a_phone_the_minus_and_the_fourth_score_are_a_tap_each(phone):
    phone.locator("a[data-show='1']").tap()
    assert focused(phone) == "t1-east"
    Keys(phone)("52")
    phone.get_by_role("button", name="East: change the sign").tap()
    assert value(phone, "east") == "-52"
    assert focused(phone) == "t1-east"
    Keys(phone)("⏎412⏎350⏎")
    offer = phone.locator(".sheet-accept")
    assert offer.bounding_box()["height"] >= 44
    offer.tap()
    assert value(phone, "north") == "490"
    phone.get_by_role("button", name="Save").tap()
    saved(phone)
    assert sheets() == [(1, 1, (-5200, 41200, 35000, 49000), 0)]
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360


# --- the network


def test_offline_sheets_are_kept_and_sent_once_when_the_network_is_back(desk, expect_complaints):
    desk.context.set_offline(True)
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_text("Table 1 is not sent yet: will be sent when the network is back.").wait_for()
    assert focused(desk) == "number"
    Keys(desk)("2⏎300⏎310⏎280⏎=⏎")  # work goes on
    desk.get_by_text("Table 2 is not sent yet").wait_for()
    assert sheets() == []
    assert kept(desk) == 2
    desk.context.set_offline(False)
    desk.locator("#content").get_by_text("2 of 2 tables entered").wait_for()
    assert sheets() == [(1, 1, POINTS, 0), (2, 1, (30000, 31000, 28000, 31000), 0)]
    assert kept(desk) == 0
    assert desk.get_by_text("is not sent yet").count() == 0


def test_a_sheet_kept_offline_survives_closing_the_page(desk, spring, expect_complaints):
    desk.context.set_offline(True)
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_text("Table 1 is not sent yet").wait_for()
    desk.close()
    page = desk.context.new_page()
    desk.context.set_offline(False)
    page.goto(entry(spring))
    saved(page)
    assert sheets() == [(1, 1, POINTS, 0)]


def test_a_lost_answer_does_not_save_twice(desk, expect_complaints):
    def swallow(route):
        route.fetch(max_redirects=0)  # the server saves it,
        route.abort()  # and nobody hears of it

    posting = re.compile(r"/enter/$")
    desk.route(posting, lambda route: swallow(route) if route.request.method == "POST" else route.continue_())
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_text("Table 1 is not sent yet").wait_for()
    assert sheets() == [(1, 1, POINTS, 0)]
    desk.unroute(posting)
    desk.get_by_role("button", name="Send now").click()
    saved(desk)
    assert sheets() == [(1, 1, POINTS, 0)]
    assert kept(desk) == 0


def test_what_is_being_typed_outlives_the_answer_to_another_sheet(desk, expect_complaints):
    desk.context.set_offline(True)
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_text("Table 1 is not sent yet").wait_for()
    Keys(desk)("2⏎300⏎31")
    desk.context.set_offline(False)
    saved(desk)
    assert (value(desk, "east", 2), value(desk, "south", 2), focused(desk)) == ("300", "31", "t2-south")
    Keys(desk)("0⏎280⏎=⏎")
    saved(desk, 2)
    assert sheets()[1] == (2, 1, (30000, 31000, 28000, 31000), 0)


def test_a_half_typed_sheet_survives_a_reload(desk):
    Keys(desk)("1⏎287⏎312")
    desk.reload()
    Keys(desk)("1⏎")
    assert (value(desk, "east"), value(desk, "south"), focused(desk)) == ("287", "312", "t1-west")
    assert "Typed before on this device and not saved." in desk.locator("[data-panel='1']").inner_text()
    Keys(desk)("250⏎=⏎")
    saved(desk)
    assert kept(desk) == 0


def test_a_half_typed_sheet_is_not_forgotten_when_another_table_is_typed(desk):
    Keys(desk)("1⏎287⏎312")
    assert desk.locator("[data-kept] p").count() == 0  # its form is open
    desk.keyboard.press("Escape")
    assert focused(desk) == "number"
    line = desk.locator("[data-kept] p")
    assert line.locator("span").inner_text() == (
        "Table 1 was typed on this device and not saved: 287 · 312 · – · –."
    )
    line.get_by_role("button", name="Look at it").click()
    assert focused(desk) == "t1-west"
    assert desk.locator("[data-kept] p").count() == 0
    desk.keyboard.press("Escape")
    line.get_by_role("button", name="Throw away").click()
    line.get_by_role("button", name="Really throw away?").click()
    assert (kept(desk), value(desk, "east"), desk.locator("[data-kept] p").count()) == (0, "", 0)


def test_an_unsent_sheet_that_is_changed_is_sent_only_as_changed(desk, expect_complaints):
    desk.context.set_offline(True)
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_text("Table 1 is not sent yet").wait_for()
    Keys(desk)("1⏎")
    desk.locator("#t1-east").fill("297")
    desk.context.set_offline(False)
    desk.evaluate("window.dispatchEvent(new Event('online'))")
    desk.wait_for_timeout(300)
    assert sheets() == []  # half a change is not sent by itself
    desk.locator("#t1-north").fill("341")
    desk.locator("#t1-north").press("Enter")
    saved(desk)
    assert sheets() == [(1, 1, (29700, 31200, 25000, 34100), 0)]


def test_a_server_in_trouble_is_asked_again(desk, expect_complaints):
    posting = re.compile(r"/enter/$")
    desk.route(
        posting,
        lambda route: (
            route.fulfill(status=502, body="Bad gateway")
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_text("Table 1 is not sent yet").wait_for()
    desk.unroute(posting)
    desk.evaluate("window.dispatchEvent(new Event('online'))")
    saved(desk)
    assert sheets() == [(1, 1, POINTS, 0)]


def test_a_sheet_typed_after_signing_out_elsewhere_is_kept_until_the_person_is_back(
    desk, sign_in, spring, expect_complaints
):
    desk.context.clear_cookies()
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_text("Table 1 is not saved yet: open this page again, and sign in if asked.").wait_for()
    assert sheets() == []
    assert kept(desk) == 1
    sign_in(desk, spring.charlie)
    desk.get_by_role("button", name="Open again").click()
    saved(desk)
    assert sheets() == [(1, 1, POINTS, 0)]
    assert kept(desk) == 0


def test_a_kept_sheet_can_be_thrown_away_after_asking(desk, expect_complaints):
    desk.context.set_offline(True)
    Keys(desk)("1⏎287⏎312⏎250⏎=⏎")
    desk.get_by_role("button", name="Throw away").click()
    assert kept(desk) == 1
    desk.get_by_role("button", name="Really throw away?").click()
    assert kept(desk) == 0
    assert desk.get_by_text("is not sent yet").count() == 0


# --- two savers


def test_two_browsers_save_one_table_and_the_second_sees_both_sheets(
    desk, open_page, sign_in, spring, expect_complaints
):
    other = open_page()
    sign_in(other, spring.alice)
    other.goto(entry(spring))
    for page in (desk, other):
        Keys(page)("1⏎287⏎312⏎250⏎")
    Keys(other)("351⏎")
    saved(other)
    Keys(desk)("⇥")
    desk.locator("#t1-east").fill("297")
    desk.locator("#t1-north").fill("341")
    Keys(desk)("⏎")
    desk.get_by_role("heading", name="Table 1: two sheets").wait_for()
    assert desk.locator(".sheet-differs .points").all_inner_texts() == [
        "28,700",
        "29,700",
        "35,100",
        "34,100",
    ]
    assert "alice-spring" in desk.locator(".sheet-compare").inner_text()
    assert sheets() == [(1, 1, POINTS, 0)]
    desk.get_by_label("Why is the saved sheet wrong?").fill("Alice read 297 as 287")
    desk.get_by_role("button", name="Save yours as a correction").click()
    desk.get_by_text("Table 1 is corrected").wait_for()
    assert sheets() == [(1, 1, POINTS, 0), (1, 2, (29700, 31200, 25000, 34100), 0)]
    assert kept(desk) == 0


def test_keeping_the_saved_sheet_forgets_the_other(desk, spring, expect_complaints):
    spring.record(POINTS, by=spring.alice)
    Keys(desk)("1⏎297⏎312⏎250⏎341⏎")
    desk.get_by_role("link", name="Keep the saved sheet").click()
    desk.locator("#number").wait_for()
    assert kept(desk) == 0
    assert sheets() == [(1, 1, POINTS, 0)]


def test_the_decision_between_two_sheets_can_wait(desk, spring, expect_complaints):
    spring.record(POINTS, by=spring.alice)
    Keys(desk)("1⏎297⏎312⏎250⏎341⏎")
    desk.get_by_role("heading", name="Table 1: two sheets").wait_for()
    desk.goto(entry(spring))
    desk.get_by_text("Table 1 is not saved yet: the server asks you to look at it.").wait_for()
    desk.get_by_role("button", name="Look at it").click()
    desk.get_by_role("heading", name="Table 1: two sheets").wait_for()
    assert sheets() == [(1, 1, POINTS, 0)]


def test_a_sheet_that_met_a_newer_one_while_offline_waits_for_its_person(desk, spring, expect_complaints):
    desk.context.set_offline(True)
    Keys(desk)("1⏎297⏎312⏎250⏎341⏎")
    desk.get_by_text("Table 1 is not sent yet").wait_for()
    record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.alice)
    Keys(desk)("2⏎300")
    desk.context.set_offline(False)
    desk.get_by_text("Table 1 is not saved yet: the server asks you to look at it.").wait_for()
    assert (value(desk, "east", 2), focused(desk)) == ("300", "t2-east")


# --- without script


def test_without_script_a_table_is_entered_by_keyboard_too(open_page, sign_in, spring, expect_complaints):
    page = open_page(java_script_enabled=False)
    sign_in(page, spring.charlie)
    page.goto(entry(spring))
    page.locator("#number").fill("1")
    page.locator("#number").press("Enter")
    for seat, typed in (("east", "-52"), ("south", "412"), ("west", "350"), ("north", "480")):
        page.locator(f"#t1-{seat}").fill(typed)
    page.locator("#t1-north").press("Enter")
    assert page.locator(".alert-danger").inner_text().startswith("1,000 missing")
    assert page.locator("#t1-east").input_value() == "-52"
    page.locator("#t1-sticks").fill("1")
    page.get_by_role("button", name="Save").click()
    saved(page)
    assert sheets() == [(1, 1, (-5200, 41200, 35000, 48000), 1000)]
    assert page.locator("[data-panel]:not([hidden])").count() == 0


def test_without_script_two_sheets_are_compared_too(open_page, sign_in, spring, expect_complaints):
    page = open_page(java_script_enabled=False)
    sign_in(page, spring.charlie)
    page.goto(f"{entry(spring)}?table=1")
    for seat, typed in (("east", "297"), ("south", "312"), ("west", "250"), ("north", "341")):
        page.locator(f"#t1-{seat}").fill(typed)
    spring.record(POINTS, by=spring.alice)
    page.locator("[data-panel='1']").get_by_role("button", name="Save").click()
    page.get_by_label("Why is the saved sheet wrong?").fill("Misread")
    page.get_by_role("button", name="Save yours as a correction").click()
    page.get_by_text("Table 1 is corrected").wait_for()
    assert sheets()[1] == (1, 2, (29700, 31200, 25000, 34100), 0)
