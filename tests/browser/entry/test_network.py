"""Score sheets typed on a bad network, sent once when it is back."""

import pytest

from tests.browser.entry.keys import (
    FIRST,
    POINTS,
    POSTING,
    TYPED,
    Keys,
    entry,
    focused,
    in_words,
    saved,
    sheets,
    value,
)
from tests.browser.kit import (
    KEPT,
    close,
    cut_off,
    expect,
    hold_posts,
    intercept_posts,
    kept,
    listed,
    lose_answer,
    stop_timers,
    wait_until_kept,
    word,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_sheet_kept_offline_survives_closing_the_page(desk, spring, expect_complaints):
    cut_off(desk)
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    page = close(desk)
    page.goto(entry(spring))
    saved(page)
    assert sheets() == [FIRST]


@pytest.mark.slow
def test_a_lost_answer_does_not_save_twice(desk, expect_complaints):
    stop_timers(desk)
    intercept_posts(desk, POSTING, lose_answer)
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    assert sheets() == [FIRST]
    desk.unroute(POSTING)
    desk.locator(f"{KEPT} [data-do=send]").click()
    saved(desk)
    assert sheets() == [FIRST]
    assert kept(desk) == []


@pytest.mark.slow
def test_what_is_being_typed_outlives_the_answer_to_another_sheet(unsent):
    Keys(unsent)("2⏎300⏎31")
    unsent.context.set_offline(False)
    saved(unsent, 1)
    assert (value(unsent, "east", 2), value(unsent, "south", 2), focused(unsent)) == ("300", "31", "t2-south")
    Keys(unsent)("0⏎280⏎=⏎")
    saved(unsent, 1, 2)
    assert sheets()[1] == (2, 1, (30000, 31000, 28000, 31000), 0)


@pytest.mark.slow
def test_a_sheet_that_is_lost_late_does_not_interrupt_the_next_table(desk):
    stop_timers(desk)
    hold_posts(desk)
    Keys(desk)(f"{TYPED}=⏎")
    desk.keyboard.press("Escape")
    Keys(desk)("2⏎300⏎31")
    desk.evaluate("lose()")
    listed(desk, "unsent")
    assert (value(desk, "east", 2), value(desk, "south", 2), focused(desk)) == ("300", "31", "t2-south")


@pytest.mark.slow
def test_a_sheet_that_is_refused_late_does_not_interrupt_the_next_table(desk, spring, expect_complaints):
    stop_timers(desk)
    hold_posts(desk)
    spring.record(POINTS, by=spring.alice)
    Keys(desk)("1⏎297⏎312⏎250⏎341⏎")
    desk.keyboard.press("Escape")
    Keys(desk)("2⏎300⏎31")
    desk.evaluate("answer()")
    listed(desk, "stopped")
    assert (value(desk, "east", 2), value(desk, "south", 2), focused(desk)) == ("300", "31", "t2-south")
    desk.reload()
    desk.locator(f"{KEPT} [data-do=look]").first.click()
    expect(desk.locator(".sheet-compare")).to_be_visible()


@pytest.mark.slow
def test_a_half_typed_sheet_survives_a_reload(desk):
    Keys(desk)("1⏎287⏎312")
    desk.reload()
    Keys(desk)("1⏎")
    assert (value(desk, "east"), value(desk, "south"), focused(desk)) == ("287", "312", "t1-west")
    assert desk.locator("[data-panel='1'] [data-note]").inner_text() == word(desk, "restored")
    Keys(desk)("250⏎=⏎")
    saved(desk)
    assert kept(desk) == []


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_server_in_trouble_is_asked_again(desk, expect_complaints):
    intercept_posts(desk, POSTING, lambda at: at.fulfill(status=502))
    Keys(desk)(f"{TYPED}=⏎")
    listed(desk, "unsent")
    desk.unroute(POSTING)
    desk.evaluate("window.dispatchEvent(new Event('online'))")
    saved(desk)
    assert sheets() == [FIRST]


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_kept_sheet_can_be_thrown_away_after_asking(unsent):
    discard = unsent.locator(f"{KEPT} [data-do=discard]")
    discard.click()
    assert kept(unsent) == ["unsent"]
    discard.click()
    assert (kept(unsent), unsent.locator(KEPT).count()) == ([], 0)
