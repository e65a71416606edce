"""Score sheets typed with real keys in Chromium, on a desk and on a phone."""

import re

import pytest

from league.models import Submission
from tests.browser.entry.keys import FIRST, POINTS, TYPED, Keys, fill, focused, said, saved, sheets, value
from tests.browser.kit import expect, intercept, is_wide, kept, word

pytestmark = pytest.mark.django_db(transaction=True)
IS_44_HIGH = """button => {
    button.scrollIntoView({ block: "center" });
    const box = button.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
    return [-21.9, 0, 21.9].every((from) => document.elementFromPoint(x, y + from) === button);
}"""  # a finger finds it there, whatever its box


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


@pytest.mark.slow
def test_typing_needs_no_request_until_four_scores_are_there(desk):
    asked = []
    desk.on("request", lambda request: asked.append(request.url) if "/c/" in request.url else None)
    Keys(desk)(TYPED)
    assert asked == []
    Keys(desk)("=")
    desk.locator(".sheet-result .place").first.wait_for()
    assert [re.sub(r".*/(\w+/)\?.*", r"\1", url) for url in asked] == ["preview/"]


@pytest.mark.slow
def test_the_page_says_while_typing_whether_the_sum_is_right(desk):
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_points_in_full_and_scores_behind_the_table_number_are_understood(desk):
    Keys(desk)("1 28700 31200 25000⏎=")
    assert value(desk, "north") == "35100"
    assert said(desk) == word(desk, "adds-up")


@pytest.mark.slow
def test_full_width_digits_are_read_while_typing(desk):
    Keys(desk)("1⏎")
    fill(desk, "２８７", "－３１", "250", "▲10")
    assert said(desk) == word(desk, "short", points="70,400")


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_strict_competition_offers_nothing(desk, spring):
    spring.competition.suggest_fourth = False
    spring.competition.save()
    desk.reload()
    Keys(desk)(f"{TYPED}=")
    assert desk.locator(".sheet-accept").count() == 0
    assert (value(desk, "north"), said(desk)) == ("", "")
    Keys(desk)("351⏎")
    saved(desk)


@pytest.mark.slow
def test_places_and_scores_are_shown_while_typing_as_the_server_settles_them(desk):
    Keys(desk)(f"{TYPED}351")
    shown = desk.locator("[data-panel='1'] .sheet-result")
    expect(shown).to_have_text(["3−16.3", "2+6.2", "4−40.0", "1+50.1"])
    desk.keyboard.press("Backspace")
    assert desk.locator(".sheet-result .place").count() == 0


@pytest.mark.slow
def test_without_an_answer_the_places_stay_blank_and_saving_works(desk, expect_complaints):
    intercept(desk, "**/preview/**", lambda route: route.abort())
    with desk.expect_event("requestfailed"):
        Keys(desk)(f"{TYPED}351")
    assert desk.locator(".sheet-result .place").count() == 0
    assert desk.locator(".alert-danger").count() == 0
    Keys(desk)("⏎")
    saved(desk)


@pytest.mark.slow
def test_an_unknown_table_is_an_error_and_a_saved_one_offers_its_correction(desk, spring):
    Keys(desk)("9⏎")
    assert desk.locator("[data-number-error]").inner_text() == word(desk, "no-table", number=9)
    assert focused(desk) == "number"
    spring.record(POINTS)
    desk.reload()
    Keys(desk)("1⏎")
    expect(desk.locator("[data-panel='1'] a[href$='/correct/']")).to_be_focused()
    Keys(desk)("⏎")
    desk.wait_for_url("**/correct/")


@pytest.mark.slow
def test_unusual_values_put_the_focus_on_the_tick(desk, expect_complaints):
    Keys(desk)("1⏎820⏎180⏎100⏎=⏎")
    expect(desk.locator("#t1-sure")).to_be_focused()
    assert value(desk, "east") == "820"
    assert sheets() == []
    Keys(desk)(" ⏎")
    saved(desk)
    assert sheets() == [(1, 1, (82000, 18000, 10000, 10000), 0)]


@pytest.mark.slow
def test_a_double_click_saves_once(desk):
    Keys(desk)(f"{TYPED}351")
    desk.locator("[data-panel='1'] [type=submit]").dblclick()
    saved(desk)
    assert sheets() == [FIRST]
    assert Submission.objects.filter(answer__has_key="sheet").count() == 1


@pytest.mark.slow
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


@pytest.mark.slow
def test_on_a_phone_everything_is_large_enough_and_nothing_scrolls_sideways(phone):
    phone.locator("#number").tap()
    expect(phone.locator("#number")).to_be_focused()
    Keys(phone)("1⏎")
    assert phone.locator("#t1-east").get_attribute("inputmode") == "numeric"
    for sign in phone.locator("[data-panel='1'] .sheet-sign").all():
        box = sign.bounding_box()
        assert min(box["width"], box["height"]) >= 44
    assert not is_wide(phone)


@pytest.mark.slow
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
    assert offer.evaluate(IS_44_HIGH)
    offer.tap()
    expect(phone.locator("#t1-north")).to_have_value("490")
    phone.locator("[data-panel='1'] [type=submit]").tap()
    saved(phone)
    assert sheets() == [(1, 1, (-5200, 41200, 35000, 49000), 0)]
    assert not is_wide(phone)


@pytest.mark.slow
def test_on_a_phone_nothing_moves_when_places_and_scores_come(phone):
    phone.locator("a[data-show='1']").tap()
    save = phone.locator("[data-panel='1'] [type=submit]")
    fill(phone, "287", "312", "250", "35")
    # Chromium may still scroll to what has the focus.
    at = "save => save.getBoundingClientRect().top + scrollY"
    before = save.evaluate(at)
    phone.locator("#t1-north").fill("351")
    expect(phone.locator("[data-panel='1'] .place")).to_have_count(4)
    assert save.evaluate(at) == before
