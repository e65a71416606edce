"""Two people who save one table, and the entry page without script."""

import pytest

from league.play.results.services import record_result, undo_result
from tests.browser.entry.keys import (
    FIRST,
    POINTS,
    POSTING,
    TYPED,
    Keys,
    compared,
    entry,
    fill,
    focused,
    in_words,
    saved,
    sheets,
    value,
)
from tests.browser.kit import KEPT, expect, kept, wait_until_kept, word
from tests.factories import as_seen

pytestmark = pytest.mark.django_db(transaction=True)


# --- two savers


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_save_brings_what_other_scorers_saved_without_the_page(desk, spring):
    asked = []
    desk.on("request", lambda request: asked.append(request.method) if POSTING.search(request.url) else None)
    spring.record(POINTS[::-1], number=2, by=spring.alice)
    Keys(desk)(f"{TYPED}=⏎")
    saved(desk, 1, 2)
    assert (focused(desk), sheets()[0]) == ("number", FIRST)
    expect(desk.locator("#messages > .alert:not([hidden])")).to_have_count(1)
    assert asked == ["POST"]

    # Both tables have replaced their forms, and the list is that of a new page.
    for number in (1, 2):
        Keys(desk)(f"{number}⏎")
        expect(desk.locator(f"[data-panel='{number}'] a[href$='/correct/']")).to_be_focused()
        desk.keyboard.press("Escape")
    shown = desk.locator(".sheet-columns > div").nth(1)
    before = shown.inner_text()
    desk.reload()
    assert shown.inner_text() == before


@pytest.mark.slow
def test_a_save_brings_the_form_of_a_table_whose_sheet_another_scorer_has_undone(desk, spring):
    theirs = spring.record(POINTS[::-1], number=2, by=spring.alice)
    desk.reload()
    saved(desk, 2)
    undo_result(**as_seen(spring.table(number=2)), by=spring.alice, at=theirs.entered_at)
    Keys(desk)(f"{TYPED}=⏎")
    saved(desk, 1)


@pytest.mark.slow
def test_what_is_typed_for_a_table_that_another_scorer_saves_is_kept(desk, spring):
    Keys(desk)("2⏎300⏎31")
    desk.keyboard.press("Escape")
    spring.record(POINTS, number=2, by=spring.alice)
    Keys(desk)(f"{TYPED}=⏎")
    saved(desk, 1, 2)
    in_words(desk, word(desk, "draft", number=2, value="300 · 31 · – · –"))


@pytest.mark.slow
def test_keeping_the_saved_sheet_forgets_the_other(desk, spring, expect_complaints):
    compared(desk, spring)
    desk.locator("a[data-forget]").click()
    expect(desk.locator("#number")).to_be_visible()
    assert kept(desk) == []
    assert sheets() == [FIRST]


@pytest.mark.slow
def test_the_decision_between_two_sheets_can_wait(desk, spring, expect_complaints):
    compared(desk, spring)
    desk.goto(entry(spring))
    in_words(desk, word(desk, "stopped", number=1))
    desk.locator(f"{KEPT} [data-do=look]").click()
    expect(desk.locator(".sheet-compare")).to_be_visible()
    assert sheets() == [FIRST]


@pytest.mark.slow
def test_a_sheet_that_met_a_newer_one_while_offline_waits_for_its_person(unsent, spring):
    record_result(table=spring.table(), points=POINTS[::-1], based_on=0, by=spring.alice)
    Keys(unsent)("2⏎300")
    unsent.context.set_offline(False)
    wait_until_kept(unsent, "stopped", "draft")
    assert (value(unsent, "east", 2), focused(unsent)) == ("300", "t2-east")


# --- without script


@pytest.mark.slow
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
    expect(page.locator("[data-panel]:not([hidden])")).to_have_attribute("data-panel", "2")


@pytest.mark.slow
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
