"""Score sheets typed with real keys in Chromium: on a desk, on a phone, on a bad network, without script."""

import re

import pytest

from league.models import Sheet, Submission
from league.results.services import record_result, undo_result
from tests.browser.kit import (
    KEPT,
    PHONE,
    close,
    cut_off,
    expect,
    intercept,
    is_wide,
    kept,
    listed,
    press_keys,
    stop_timers,
    wait_until_kept,
    word,
)
from tests.factories import Club, as_seen, club

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = (28700, 31200, 25000, 35100)
TYPED = "1⏎287⏎312⏎250⏎"  # but for the fourth
POSTING = re.compile(r"/enter/$")
FIRST = (1, 1, POINTS, 0)


@pytest.fixture
def spring(transactional_db) -> Club:
    made = club()
    made.add_round()
    return made


class Keys:
    """A keyboard that counts."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def __call__(self, text: str) -> "Keys":
        """Press one key after the other; ⏎ is Enter, ⇥ is Tab."""
        keys = [{"⏎": "Enter", "⇥": "Tab", " ": "Space"}.get(character, character) for character in text]
        press_keys(self.page, keys)
        self.count += len(keys)
        return self


def entry(spring: Club) -> str:
    return f"/c/{spring.slug}/rounds/{spring.rounds[0].pk}/enter/"


def focused(page) -> str:
    return page.evaluate("document.activeElement.id || document.activeElement.name")


def value(page, seat: str, number: int = 1) -> str:
    return page.locator(f"#t{number}-{seat}").input_value()


def fill(page, *typed: str) -> None:
    """The first table's scores, east first."""
    for seat, score in zip(("east", "south", "west", "north"), typed, strict=True):
        page.locator(f"#t1-{seat}").fill(score)


def said(page) -> str:
    return page.locator("[data-panel]:not([hidden]) [data-sum]").inner_text()


def sheets() -> list[tuple[int, int, tuple[int, ...], int]]:
    found = Sheet.objects.select_related("table").order_by("table__number", "version")
    return [(s.table.number, s.version, s.points, s.sticks) for s in found]


def saved(page, *numbers: int) -> None:
    """These tables have their sheets, and the page shows it."""
    entered = page.locator(".sheet-list a:not([data-show]) .sheet-list-number")
    expect(entered).to_have_text([str(number) for number in numbers or (1,)])


def in_words(page, name: str) -> None:
    """The first kept line says this."""
    expect(page.locator(KEPT).first.locator("span")).to_have_text(name)


@pytest.fixture
def opened(open_page, sign_in, spring):
    """`opened(**options)`: the entry page, Charlie signed in."""

    def opened(**options):
        page = open_page(**options)
        sign_in(page, spring.charlie)
        page.goto(entry(spring))
        return page

    return opened


@pytest.fixture
def desk(opened):
    return opened(viewport={"width": 1280, "height": 900})


@pytest.fixture
def phone(opened):
    return opened(**PHONE)


# --- the keyboard


def test_a_table_takes_at_most_17_keystrokes_and_the_focus_returns_to_the_table_number(desk):
    assert focused(desk) == "number"
    keys = Keys(desk)(f"{TYPED}=⏎")
    saved(desk)
    assert keys.count == 16
    assert sheets() == [FIRST]
    assert (focused(desk), desk.locator("#number").input_value()) == ("number", "")
    # The second table follows without the mouse, with a negative score.
    keys = Keys(desk)("2⏎-52⏎412⏎350⏎=⏎")
    saved(desk, 1, 2)
    assert keys.count <= 17
    assert sheets() == [FIRST, (2, 1, (-5200, 41200, 35000, 49000), 0)]
    assert kept(desk) == []


def test_typing_needs_no_request_until_four_scores_are_there(desk):
    asked = []
    desk.on("request", lambda request: asked.append(request.url) if "/c/" in request.url else None)
    Keys(desk)(TYPED)
    assert asked == []
    Keys(desk)("=")
    desk.locator(".sheet-result .place").first.wait_for()
    assert [re.sub(r".*/(\w+/)\?.*", r"\1", url) for url in asked] == ["preview/"]


def test_the_sum_is_told_in_words_while_typing(desk):
    Keys(desk)(TYPED)
    assert said(desk) == ""
    Keys(desk)("341")
    assert said(desk) == word(desk, "short-stick", points="1,000")
    Keys(desk)("⏎")  # not saved: on to the deposits
    assert focused(desk) == "t1-sticks"
    Keys(desk)("1")
    assert said(desk) == word(desk, "adds-up")
    Keys(desk)("⏎")
    saved(desk)
    assert sheets() == [(1, 1, (28700, 31200, 25000, 34100), 1000)]


def test_a_wrong_sum_is_said_and_not_sent(desk):
    posts = []
    desk.on("request", lambda request: posts.append(request.url) if request.method == "POST" else None)
    Keys(desk)(TYPED)
    for fourth, name, values in (
        ("321", "short-sticks", {"points": "3,000", "count": 3}),
        ("350", "short", {"points": "100"}),
        ("352", "over", {"points": "100"}),
        ("35x", "not-a-number", {}),
        ("", "blank", {}),
    ):
        desk.locator("#t1-north").fill("")
        Keys(desk)(f"{fourth}⏎")
        assert said(desk) == word(desk, name, **values)
        assert value(desk, "north") == fourth
    assert posts == []


def test_points_in_full_and_scores_behind_the_table_number_are_understood(desk):
    Keys(desk)("1 28700 31200 25000⏎=")
    assert value(desk, "north") == "35100"
    assert said(desk) == word(desk, "adds-up")


def test_full_width_digits_are_read_while_typing(desk):
    Keys(desk)("1⏎")
    fill(desk, "２８７", "－３１", "250", "▲10")
    assert said(desk) == word(desk, "short", points="70,400")


def test_the_fourth_score_is_offered_and_never_filled_in_silently(desk):
    Keys(desk)(TYPED)
    assert value(desk, "north") == ""
    assert desk.locator(".sheet-accept").inner_text() == "= 351"
    Keys(desk)("⏎")  # Enter on the empty field neither accepts nor saves
    assert value(desk, "north") == ""
    Keys(desk)("+")
    assert value(desk, "north") == "351"
    assert desk.locator(".sheet-accept").count() == 0
    assert sheets() == []


def test_a_strict_competition_offers_nothing(desk, spring):
    spring.competition.suggest_fourth = False
    spring.competition.save()
    desk.reload()
    Keys(desk)(f"{TYPED}=")
    assert desk.locator(".sheet-accept").count() == 0
    assert (value(desk, "north"), said(desk)) == ("", "")
    Keys(desk)("351⏎")
    saved(desk)


def test_places_and_scores_are_shown_while_typing_as_the_server_settles_them(desk):
    Keys(desk)(f"{TYPED}351")
    shown = desk.locator("[data-panel='1'] .sheet-result")
    expect(shown).to_have_text(["3−16.3", "2+6.2", "4−40.0", "1+50.1"])
    desk.keyboard.press("Backspace")
    assert desk.locator(".sheet-result .place").count() == 0


def test_without_an_answer_the_places_stay_blank_and_saving_works(desk, expect_complaints):
    intercept(desk, "**/preview/**", lambda route: route.abort())
    with desk.expect_event("requestfailed"):
        Keys(desk)(f"{TYPED}351")
    assert desk.locator(".sheet-result .place").count() == 0
    assert desk.locator(".alert-danger").count() == 0
    Keys(desk)("⏎")
    saved(desk)


def test_an_unknown_table_and_one_that_is_in_are_told_apart(desk, spring):
    Keys(desk)("9⏎")
    assert desk.locator("[data-number-error]").inner_text() == word(desk, "no-table", number=9)
    assert focused(desk) == "number"
    spring.record(POINTS)
    desk.reload()
    Keys(desk)("1⏎")
    expect(desk.locator("[data-panel='1'] a[href$='/correct/']")).to_be_focused()
    Keys(desk)("⏎")
    desk.wait_for_url("**/correct/")


def test_unusual_values_put_the_focus_on_the_tick(desk, expect_complaints):
    Keys(desk)("1⏎820⏎180⏎100⏎=⏎")
    expect(desk.locator("#t1-sure")).to_be_focused()
    assert value(desk, "east") == "820"
    assert sheets() == []
    Keys(desk)(" ⏎")
    saved(desk)
    assert sheets() == [(1, 1, (82000, 18000, 10000, 10000), 0)]


def test_a_double_click_saves_once(desk):
    Keys(desk)(f"{TYPED}351")
    desk.locator("[data-panel='1'] [type=submit]").dblclick()
    saved(desk)
    assert sheets() == [FIRST]
    assert Submission.objects.filter(answer__has_key="sheet").count() == 1


def test_a_correction_takes_three_clicks_from_the_table(open_page, sign_in, spring):
    spring.record(POINTS)
    page, table = open_page(), f"/c/{spring.slug}/tables/{spring.table().pk}/"
    sign_in(page, spring.charlie)
    page.goto(table)
    page.locator("main a[href$='/correct/']").click()  # 1
    expect(page.locator("#t1-east")).to_be_focused()
    Keys(page)("297⏎⏎⏎341")
    page.locator("[name=reason]").click()  # 2
    page.keyboard.type("misread")
    page.locator("form[data-sheet] [type=submit]").click()  # 3
    expect(page.locator(".sheet-changed")).to_have_text(["29,700", "34,100"])
    assert page.url.endswith(table)
    page.go_back()
    page.wait_for_url("**/correct/")


# --- the phone


def test_on_a_phone_everything_is_large_enough_and_nothing_scrolls_sideways(phone):
    phone.locator("#number").tap()
    expect(phone.locator("#number")).to_be_focused()
    Keys(phone)("1⏎")
    assert phone.locator("#t1-east").get_attribute("inputmode") == "numeric"
    for sign in phone.locator("[data-panel='1'] .sheet-sign").all():
        box = sign.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    assert not is_wide(phone)


def test_on_a_phone_the_minus_and_the_fourth_score_are_a_tap_each(phone):
    east = phone.locator("#t1-east")
    phone.locator("a[data-show='1']").tap()
    expect(east).to_be_focused()
    Keys(phone)("52")
    phone.locator(".sheet-sign").first.tap()
    expect(east).to_have_value("-52")
    expect(east).to_be_focused()
    Keys(phone)("⏎412⏎350⏎")
    offer = phone.locator(".sheet-accept")
    assert offer.bounding_box()["height"] >= 44
    offer.tap()
    expect(phone.locator("#t1-north")).to_have_value("490")
    phone.locator("[data-panel='1'] [type=submit]").tap()
    saved(phone)
    assert sheets() == [(1, 1, (-5200, 41200, 35000, 49000), 0)]
    assert not is_wide(phone)


def test_on_a_phone_nothing_moves_when_places_and_scores_come(phone):
    phone.locator("a[data-show='1']").tap()
    save = phone.locator("[data-panel='1'] [type=submit]")
    fill(phone, "287", "312", "250", "35")
    before = save.bounding_box()
    phone.locator("#t1-north").fill("351")
    expect(phone.locator("[data-panel='1'] .place")).to_have_count(4)
    assert save.bounding_box() == before


# --- the network


@pytest.fixture
def unsent(desk, expect_complaints):
    """The first table is typed without a network."""
    desk.context.set_offline(True)
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    return desk


def test_offline_sheets_are_kept_and_sent_once_when_the_network_is_back(unsent):
    in_words(unsent, word(unsent, "unsent", number=1))
    assert focused(unsent) == "number"
    Keys(unsent)("2⏎300⏎310⏎280⏎=⏎")  # work goes on
    listed(unsent, "unsent", "unsent")
    assert sheets() == []
    unsent.context.set_offline(False)
    saved(unsent, 1, 2)
    assert sheets() == [FIRST, (2, 1, (30000, 31000, 28000, 31000), 0)]
    assert (kept(unsent), unsent.locator(KEPT).count()) == ([], 0)


def test_a_sheet_kept_offline_survives_closing_the_page(desk, spring, expect_complaints):
    cut_off(desk)
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    page = close(desk)
    page.goto(entry(spring))
    saved(page)
    assert sheets() == [FIRST]


def test_a_lost_answer_does_not_save_twice(desk, expect_complaints):
    def swallow(route):
        route.fetch(max_redirects=0)  # the server saves it,
        route.abort()  # and no one hears of it

    stop_timers(desk)
    intercept(desk, POSTING, lambda at: swallow(at) if at.request.method == "POST" else at.continue_())
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    assert sheets() == [FIRST]
    desk.unroute(POSTING)
    desk.locator(f"{KEPT} [data-do=send]").click()
    saved(desk)
    assert sheets() == [FIRST]
    assert kept(desk) == []


def test_what_is_being_typed_outlives_the_answer_to_another_sheet(unsent):
    Keys(unsent)("2⏎300⏎31")
    unsent.context.set_offline(False)
    saved(unsent, 1)
    assert (value(unsent, "east", 2), value(unsent, "south", 2), focused(unsent)) == ("300", "31", "t2-south")
    Keys(unsent)("0⏎280⏎=⏎")
    saved(unsent, 1, 2)
    assert sheets()[1] == (2, 1, (30000, 31000, 28000, 31000), 0)


def test_a_half_typed_sheet_survives_a_reload(desk):
    Keys(desk)("1⏎287⏎312")
    desk.reload()
    Keys(desk)("1⏎")
    assert (value(desk, "east"), value(desk, "south"), focused(desk)) == ("287", "312", "t1-west")
    assert desk.locator("[data-panel='1'] [data-note]").inner_text() == word(desk, "restored")
    Keys(desk)("250⏎=⏎")
    saved(desk)
    assert kept(desk) == []


def test_a_half_typed_sheet_is_not_forgotten_when_another_table_is_typed(desk):
    Keys(desk)("1⏎287⏎312")
    line = desk.locator(KEPT)
    assert line.count() == 0  # its form is open
    desk.keyboard.press("Escape")
    assert focused(desk) == "number"
    in_words(desk, word(desk, "draft", number=1, value="287 · 312 · – · –"))
    line.locator("[data-do=look]").click()
    expect(desk.locator("#t1-west")).to_be_focused()
    assert line.count() == 0
    desk.keyboard.press("Escape")
    line.locator("[data-do=discard]").click()
    line.locator("[data-do=discard]").click()
    assert (kept(desk), value(desk, "east"), line.count()) == ([], "", 0)


def test_an_unsent_sheet_that_is_changed_is_sent_only_as_changed(unsent):
    Keys(unsent)("1⏎")
    unsent.locator("#t1-east").fill("297")
    unsent.context.set_offline(False)
    unsent.evaluate("window.dispatchEvent(new Event('online'))")
    assert kept(unsent) == ["draft"]  # half a change is not sent by itself
    unsent.locator("#t1-north").fill("341")
    unsent.locator("#t1-north").press("Enter")
    saved(unsent)
    assert sheets() == [(1, 1, (29700, 31200, 25000, 34100), 0)]


def test_a_server_in_trouble_is_asked_again(desk, expect_complaints):
    intercept(
        desk, POSTING, lambda at: at.fulfill(status=502) if at.request.method == "POST" else at.continue_()
    )
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    desk.unroute(POSTING)
    desk.evaluate("window.dispatchEvent(new Event('online'))")
    saved(desk)
    assert sheets() == [FIRST]


def test_a_sheet_typed_after_signing_out_elsewhere_is_kept_until_the_person_is_back(
    desk, sign_in, spring, expect_complaints
):
    desk.context.clear_cookies()
    Keys(desk)(f"{TYPED}=⏎")
    wait_until_kept(desk, "refused")
    in_words(desk, word(desk, "refused", number=1))
    assert sheets() == []
    sign_in(desk, spring.charlie)
    desk.locator(f"{KEPT} [data-do=reload]").click()
    saved(desk)
    assert sheets() == [FIRST]
    assert kept(desk) == []


def test_another_scorer_on_the_same_device_does_not_send_it(desk, sign_in, spring, expect_complaints):
    stop_timers(desk)
    cut_off(desk)
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    sign_in(desk, spring.alice)
    desk.context.unroute_all()
    desk.locator(f"{KEPT} [data-do=send]").click()  # from the page that is still open
    wait_until_kept(desk, "refused")

    page = close(desk)
    page.goto(entry(spring))
    assert (page.locator(KEPT).count(), kept(page), sheets()) == (0, ["refused"], [])


def test_a_kept_sheet_can_be_thrown_away_after_asking(unsent):
    discard = unsent.locator(f"{KEPT} [data-do=discard]")
    discard.click()
    assert kept(unsent) == ["unsent"]
    discard.click()
    assert (kept(unsent), unsent.locator(KEPT).count()) == ([], 0)


# --- two savers


def test_two_browsers_save_one_table_and_the_second_sees_both_sheets(
    desk, open_page, sign_in, spring, expect_complaints
):
    other = open_page()
    sign_in(other, spring.alice)
    other.goto(entry(spring))
    for page in (desk, other):
        Keys(page)(TYPED)
    Keys(other)("351⏎")
    saved(other)
    Keys(desk)("⇥")
    desk.locator("#t1-east").fill("297")
    desk.locator("#t1-north").fill("341")
    Keys(desk)("⏎")
    differing = desk.locator(".sheet-differs .points")
    expect(differing).to_have_text(["28,700", "29,700", "35,100", "34,100"])
    assert "alice-spring" in desk.locator(".sheet-compare").inner_text()
    assert sheets() == [FIRST]
    desk.locator("#reason").fill("Alice read 297 as 287")
    desk.locator("form[data-sheet] [type=submit]").click()
    saved(desk)
    assert sheets() == [FIRST, (1, 2, (29700, 31200, 25000, 34100), 0)]
    assert kept(desk) == []


def test_a_save_brings_what_other_scorers_saved_without_the_page(desk, spring):
    asked = []
    desk.on("request", lambda request: asked.append(request.method) if POSTING.search(request.url) else None)
    spring.record(POINTS[::-1], number=2, by=spring.alice)
    Keys(desk)(f"{TYPED}=⏎")
    saved(desk, 1, 2)
    assert (focused(desk), sheets()[0]) == ("number", FIRST)
    expect(desk.locator("#content > .alert")).to_have_count(1)
    assert asked == ["POST"]

    # Both tables stand in the place of their forms, and the list is that of a new page.
    for number in (1, 2):
        Keys(desk)(f"{number}⏎")
        expect(desk.locator(f"[data-panel='{number}'] a[href$='/correct/']")).to_be_focused()
        desk.keyboard.press("Escape")
    shown = desk.locator(".sheet-columns > div").nth(1)
    before = shown.inner_text()
    desk.reload()
    assert shown.inner_text() == before


def test_a_save_brings_the_form_of_a_table_whose_sheet_another_scorer_has_undone(desk, spring):
    theirs = spring.record(POINTS[::-1], number=2, by=spring.alice)
    desk.reload()
    saved(desk, 2)
    undo_result(**as_seen(spring.table(number=2)), by=spring.alice, at=theirs.entered_at)
    Keys(desk)(f"{TYPED}=⏎")
    saved(desk, 1)


def test_what_is_typed_for_a_table_that_another_scorer_saves_is_kept(desk, spring):
    Keys(desk)("2⏎300⏎31")
    desk.keyboard.press("Escape")
    spring.record(POINTS, number=2, by=spring.alice)
    Keys(desk)(f"{TYPED}=⏎")
    saved(desk, 1, 2)
    in_words(desk, word(desk, "draft", number=2, value="300 · 31 · – · –"))


def compared(desk, spring: Club) -> None:
    """Another sheet than the one that is typed here was saved: the page shows both."""
    spring.record(POINTS, by=spring.alice)
    Keys(desk)("1⏎297⏎312⏎250⏎341⏎")
    expect(desk.locator(".sheet-compare")).to_be_visible()


def test_keeping_the_saved_sheet_forgets_the_other(desk, spring, expect_complaints):
    compared(desk, spring)
    desk.locator("a[data-forget]").click()
    expect(desk.locator("#number")).to_be_visible()
    assert kept(desk) == []
    assert sheets() == [FIRST]


def test_the_decision_between_two_sheets_can_wait(desk, spring, expect_complaints):
    compared(desk, spring)
    desk.goto(entry(spring))
    in_words(desk, word(desk, "stopped", number=1))
    desk.locator(f"{KEPT} [data-do=look]").click()
    expect(desk.locator(".sheet-compare")).to_be_visible()
    assert sheets() == [FIRST]


def test_a_sheet_that_met_a_newer_one_while_offline_waits_for_its_person(unsent, spring):
    record_result(table=spring.table(), points=POINTS[::-1], based_on=0, by=spring.alice)
    Keys(unsent)("2⏎300")
    unsent.context.set_offline(False)
    wait_until_kept(unsent, "stopped", "draft")
    assert (value(unsent, "east", 2), focused(unsent)) == ("300", "t2-east")


# --- without script


def test_without_script_a_table_is_entered_by_keyboard_too(opened, expect_complaints):
    page = opened(java_script_enabled=False)
    page.locator("#number").fill("1")
    page.locator("#number").press("Enter")
    fill(page, "-52", "412", "350", "480")
    page.locator("#t1-north").press("Enter")
    expect(page.locator(".alert-danger")).to_contain_text("1,000")
    assert page.locator("#t1-east").input_value() == "-52"
    page.locator("#t1-sticks").fill("1")
    page.locator("form[data-sheet] [type=submit] >> visible=true").click()
    saved(page)
    assert sheets() == [(1, 1, (-5200, 41200, 35000, 48000), 1000)]
    assert page.locator("[data-panel]:not([hidden])").count() == 0


def test_without_script_two_sheets_are_compared_too(opened, spring, expect_complaints):
    page = opened(java_script_enabled=False)
    page.goto(f"{entry(spring)}?table=1")
    fill(page, "297", "312", "250", "341")
    spring.record(POINTS, by=spring.alice)
    page.locator("[data-panel='1'] [type=submit]").click()
    page.locator("#reason").fill("Misread")
    page.locator("form[data-sheet] [type=submit]").click()
    saved(page)
    assert sheets()[1] == (1, 2, (29700, 31200, 25000, 34100), 0)
