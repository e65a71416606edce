"""A penalty in four taps on a phone in Chromium: taps counted, what is left to choose, taking back."""

import re

import pytest

from league.models import AuditEntry, Penalty, Role, Table
from tests.browser.kit import KEPT, PHONE, expect
from tests.browser.log_a_penalty.taps import (
    A1,
    CONFIRM,
    SUBMIT,
    TAKE_BACK,
    Taps,
    amount,
    at_the_desk,
    condition,
    desk,
    give_time,
    in_force,
    log,
    logged,
    to_confirm,
)
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


# --- four taps


def test_four_taps_from_the_desk_log_what_the_book_says(phone):
    loads = []
    phone.on("request", lambda asked: loads.append(asked.url) if asked.is_navigation_request() else None)

    taps = to_confirm(phone, "A-I")
    expect(phone.locator(f"{CONFIRM} [name=asked-c0]")).to_have_value("2")
    taps(SUBMIT)
    at_the_desk(phone)

    assert taps.count == 4
    assert len(loads) == 2  # the table's page, and the desk again
    assert logged() == [A1]
    expect(phone.locator("main .alert-success")).to_contain_text("陳大文: −2.0")


@pytest.mark.slow
def test_the_code_on_the_table_spares_the_first_tap(open_page, sign_in, spring):
    page = open_page(**PHONE)
    sign_in(page, spring.bob)
    page.goto(f"/c/{spring.slug}/t/2/")

    taps = Taps(page)("li:nth-child(1) > a.seat-choice")("a[data-offence='D-II']")(SUBMIT)
    at_the_desk(page)

    assert taps.count == 3
    assert logged() == [("Dora", "D-II", "2", -20)]


@pytest.mark.slow
def test_the_phone_s_own_way_back_goes_one_tap_back(phone):
    to_confirm(phone, "A-I")
    shown = phone.locator("[data-step]:not([hidden])")
    for step in ("confirm", "offence", "seat"):
        expect(shown).to_have_attribute("data-step", step)
        if step != "seat":
            phone.go_back()
    phone.go_forward()
    expect(phone.locator("[data-step=offence] [data-said-player]")).to_have_text("陳大文")
    phone.go_back()
    phone.go_back()
    phone.wait_for_url("**/desk/")


@pytest.mark.slow
def test_another_player_after_a_way_back_is_the_one_who_is_logged(phone):
    taps = to_confirm(phone, "A-II")
    taps("a[data-back]")("li:nth-child(3) > a.seat-choice")("a[data-offence='A-VII']")(SUBMIT)
    at_the_desk(phone)

    assert logged() == [("王美麗", "A-VII", "2", -20)]


@pytest.mark.slow
def test_an_offence_is_found_while_typing_in_any_script(phone):
    Taps(phone)("a.table-choice")("a.seat-choice")
    shown = phone.locator("[data-offences] [data-words] >> visible=true")
    for typed, codes in (
        ("a2", ["A-II"]),
        ("相公", ["A-X", "A-III", "T-5"]),
        ("ＫＵＩＫＡＥ", ["A-VI"]),
        ("喰い替え", ["A-VI"]),
        ("empty  WIN", ["C-II", "T-8"]),
        ("zzz", []),
    ):
        phone.locator("#find").fill(typed)

        expect(shown).to_have_count(len(codes))
        for index, code in enumerate(codes):
            expect(shown.nth(index)).to_have_attribute("data-offence", code)
        assert phone.locator("[data-none]").is_visible() is (codes == [])
        assert phone.locator("[data-near]").is_hidden()
        if codes:
            phone.locator("#find").press("Enter")
            expect(phone.locator(CONFIRM)).to_be_visible()
            phone.go_back()
    phone.locator("#find").fill("莊家錯誤了")
    expect(phone.locator("[data-near]")).to_be_visible()
    expect(shown.first).to_have_attribute("data-offence", "A-XI")
    phone.locator("#find").press("Enter")
    expect(phone.locator(CONFIRM)).to_be_hidden()


@pytest.mark.slow
def test_offences_in_use_come_first_and_the_rest_is_folded(phone, spring):
    for index, code in enumerate(("A-VII", "D-II", "C-II", "A-I")):
        log(spring, code, index=index)
    phone.reload()
    taps = Taps(phone)("a.table-choice")("a.seat-choice")

    shown = phone.locator("[data-offences] a[data-words] >> visible=true")
    expect(shown).to_have_count(4)
    assert [item.get_attribute("data-offence") for item in shown.all()] == ["A-I", "A-VII", "C-II", "D-II"]
    taps("[data-group]:last-of-type summary")
    phone.locator("#find").fill("wall")
    expect(phone.locator("a[data-offence='D-III'] >> visible=true")).to_have_count(1)
    expect(phone.locator("a[data-offence='A-I'] >> visible=true")).to_have_count(0)
    phone.locator("#find").fill("")
    taps("a[data-offence='C-II']")(SUBMIT)
    at_the_desk(phone)
    assert logged()[-1][1] == "C-II"


# --- what is left to choose


@pytest.mark.slow
def test_the_second_time_says_why_and_leaves_the_amount_to_buttons(phone, spring, expect_complaints):
    log(spring, "A-I")
    phone.reload()

    taps = to_confirm(phone, "A-I")
    expect(phone.locator(f"{CONFIRM} [data-said-total]")).to_have_text("−2.0")
    expect(phone.locator(f"{CONFIRM} .case-because")).to_contain_text(re.compile(r"\d\d:\d\d by bob-"))
    taps(amount(11))(SUBMIT)
    expect(phone.locator(f"{CONFIRM} [role=alert]")).to_contain_text(re.compile(r"Logged \d+ s ago by bob-"))
    taps(SUBMIT)
    at_the_desk(phone)

    assert logged()[1] == ("陳大文", "A-I", "4", -110)
    expect(phone.locator(".table-held")).to_have_text("Win ban: 陳大文")


@pytest.mark.slow
def test_a_condition_shows_what_it_costs_when_it_is_chosen(phone):
    taps = to_confirm(phone, "A-II")
    shown = phone.locator(f"{CONFIRM} .case-taking >> visible=true")
    expect(shown).to_have_text(["−2.0"])
    taps(condition(1))
    expect(shown).to_have_text(["−8.0 to −12.0"])
    taps(amount(10))(SUBMIT)
    at_the_desk(phone)

    assert logged() == [("陳大文", "A-II", "4", -100)]


@pytest.mark.slow
def test_departing_from_the_book_asks_for_a_remark_and_keeps_what_was_chosen(phone, expect_complaints):
    taps, remark = to_confirm(phone, "A-I"), phone.locator("#remark")
    taps(f"{CONFIRM} details:has([name=level]) summary")(f"{CONFIRM} label:has([name=level][value='4'])")
    taps(amount(9))(SUBMIT)
    expect(remark).to_be_focused()
    remark.evaluate("input => (input.maxLength = 1000)")
    remark.fill("x" * 301)
    taps(SUBMIT)
    expect(phone.locator("[data-wrong]")).to_contain_text("300")
    assert logged() == []
    remark.fill("the wall was hidden on purpose")
    taps(SUBMIT)
    at_the_desk(phone)

    assert logged() == [("陳大文", "A-I", "4", -90)]
    penalty = Penalty.objects.get()
    assert (penalty.suggested, penalty.reason) == ("2", "the wall was hidden on purpose")


@pytest.mark.slow
def test_all_four_are_one_tap_more_and_one_taking_back(phone, expect_complaints):
    taps = to_confirm(phone, "D-V")
    taps(condition(1))
    expect(phone.locator(f"{CONFIRM} .case-effects >> visible=true")).to_have_count(1)
    taps(SUBMIT)
    expect(phone.locator(".review > li")).to_have_count(4)
    taps(SUBMIT)
    at_the_desk(phone)
    assert len(logged()) == 4
    give_time(phone)
    taps(TAKE_BACK)
    expect(phone.locator("main .alert-success")).to_be_visible()

    assert in_force() == 0


@pytest.mark.slow
def test_others_who_did_the_same_are_ticked_and_forgotten_with_another_offence(phone, expect_complaints):
    others = f"{CONFIRM} details:has([name=others]) summary"
    taps = to_confirm(phone, "A-I")(others)
    offered = phone.locator("[data-other]:visible")
    expect(offered).to_have_count(3)
    offered.nth(0).click()
    phone.go_back()
    taps("a[data-offence='D-I']")  # its list of others is open
    expect(phone.locator("[name=others]:checked")).to_have_count(0)
    offered.nth(1).click()
    taps(SUBMIT)
    expect(phone.locator(".review > li")).to_have_count(2)
    taps(SUBMIT)
    at_the_desk(phone)

    assert [line[1:] for line in logged()] == [("D-I", "2", -20)] * 2


@pytest.mark.slow
def test_rules_without_a_book_lose_none_of_several_without_network(
    transactional_db, open_page, sign_in, expect_complaints
):
    made = club(preset="tenhou")
    made.add_round(visibility="seating")
    page = open_page(**PHONE)
    sign_in(page, made.bob)
    page.goto(desk(made))
    taps = Taps(page)("a.table-choice")
    page.context.set_offline(True)
    for count, seat in enumerate((1, 2), 1):
        taps(f"li:nth-child({seat}) > a.seat-choice")
        page.locator("[data-step=free] [name=reason]").fill("late")
        page.locator("[data-step=free] [name=deduction]").fill("2")
        taps(SUBMIT)
        expect(page.locator(KEPT)).to_have_count(count)
    page.context.set_offline(False)
    at_the_desk(page)

    assert logged() == [("陳大文", "", "", -20), ("李小明", "", "", -20)]


@pytest.mark.slow
def test_what_the_book_does_not_know_is_written_and_the_next_one_begins_with_nothing(
    phone, expect_complaints
):
    taps, free = to_confirm(phone, "other")(SUBMIT), phone.locator("[data-step=free]")
    expect(free.locator(".field-errors").first).to_be_visible()
    free.locator("[name=level]").select_option("6")
    free.locator("[name=reason]").fill("bets")
    free.locator("[name=deduction]").fill("0")
    taps(SUBMIT)
    expect(free.locator("[data-expels]")).to_contain_text("陳大文")
    expect(free.locator(".says-plain")).to_be_hidden()
    taps("[data-step=free] a[data-back]")("li:nth-child(2) > a.seat-choice")("a[data-offence='other']")
    expect(free.locator(".says-plain")).to_be_visible()
    assert free.locator("form").evaluate("form => new FormData(form).has('sure')") is False
    for name in ("level", "reason", "deduction"):
        expect(free.locator(f"[name={name}]")).to_have_value("")
    free.locator("[name=reason]").fill("late")
    free.locator("[name=deduction]").fill("2")
    taps(SUBMIT)
    at_the_desk(phone, "stopped")

    assert logged() == [("李小明", "", "", -20)]


@pytest.mark.slow
def test_the_hand_is_over_with_one_tap(phone, spring):
    Table.objects.update(hand="E1.0")
    log(spring, "A-X", 0)
    phone.reload()
    Taps(phone)("button[name=hand][value='E2.0']")
    expect(phone.locator(".table-held")).to_have_count(0)

    assert spring.table().hand == "E2.0"


@pytest.mark.slow
def test_a_table_where_the_referee_plays_cannot_be_tapped(phone, spring):
    Role.objects.filter(user=spring.bob).update(player=spring.players[0])
    phone.reload()

    assert phone.locator("a.table-choice").all_inner_texts()[0].startswith("Table 2")
    expect(phone.locator(".table-choice-mine")).to_contain_text("Another referee must decide")


# --- taking back


@pytest.mark.slow
def test_a_penalty_is_taken_back_and_after_ten_seconds_no_more(phone, spring):
    to_confirm(phone, "A-I")(SUBMIT)
    at_the_desk(phone)
    give_time(phone)
    button = phone.locator(TAKE_BACK)
    expect(button.locator("[data-left]")).to_have_text(re.compile(r"^([1-9]|10) s$"))
    button.tap()
    expect(phone.locator("main .alert-success")).to_be_visible()
    assert Penalty.objects.get().revoke_reason == "undone at once"
    assert AuditEntry.objects.latest("sequence").action == "penalty.undo"

    log(spring, "A-VII")
    give_time(phone)
    expect(button).to_have_count(1)
    phone.clock.install()
    phone.reload()
    phone.clock.fast_forward(11_000)
    expect(phone.locator("[data-undo]")).to_have_count(0)
    assert in_force() == 1
