"""Penalties logged on a bad network, by a phone that was closed, signed out, or handed on."""

import pytest

from league.models import Penalty, Role, Submission
from league.play.rounds.services import close_round
from tests.browser.kit import (
    KEPT,
    PHONE,
    close,
    cut_off,
    expect,
    hold_posts,
    intercept_posts,
    kept,
    listed,
    lose_answer,
    press,
    stop_timers,
    unfold,
    wait_until_kept,
)
from tests.browser.log_a_penalty.taps import (
    A1,
    CONFIRM,
    POSTING,
    SUBMIT,
    Taps,
    at_the_desk,
    confirm_without_network,
    desk,
    log,
    logged,
    to_confirm,
)
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_cut_after_the_confirm_it_is_kept_and_sent_once_when_the_network_is_back(phone, expect_complaints):
    taps = confirm_without_network(phone)
    expect(phone.locator(KEPT)).to_contain_text(
        "陳大文 · A-I Drawing before one’s turn · Main, Regular season"
    )
    assert (logged(), kept(phone)) == ([], ["unsent"])
    phone.context.set_offline(False)
    at_the_desk(phone)

    assert taps.count == 4
    assert logged() == [A1]
    assert Submission.objects.filter(answer__has_key="penalties").count() == 1


@pytest.mark.slow
def test_work_goes_on_without_a_network(phone, expect_complaints):
    taps = Taps(phone)("a.table-choice")
    phone.context.set_offline(True)
    for count, (seat, code) in enumerate(((1, "A-I"), (2, "A-VII"), (1, "A-I")), 1):
        taps(f"li:nth-child({seat}) > a.seat-choice")(f"a[data-offence='{code}']")(SUBMIT)
        expect(phone.locator(KEPT)).to_have_count(count)
    phone.context.set_offline(False)
    at_the_desk(phone, "stopped")

    # The third was tapped as a first time: the book asks for more now, and the referee looks again.
    assert logged() == [A1, ("李小明", "A-VII", "2", -20)]
    phone.locator(f"{KEPT}[data-state=stopped] [data-do=look]").tap()
    expect(phone.locator(f"{CONFIRM} [name=asked-c0]")).to_have_value("4")
    taps(SUBMIT)
    at_the_desk(phone)
    assert logged()[2] == ("陳大文", "A-I", "4", -80)


@pytest.mark.slow
@pytest.mark.parametrize(("then", "count"), [("lose()", 0), ("answer()", 1)])
def test_a_late_answer_does_not_interrupt_the_next_penalty(phone, then, count):
    taps = to_confirm(phone, "A-I")
    stop_timers(phone)
    hold_posts(phone)
    taps(SUBMIT)("[data-step=confirm] a[data-back]")("li:nth-child(2) > a.seat-choice")(
        "a[data-offence='A-VII']"
    )
    phone.evaluate(then)
    expect(phone.locator(KEPT)).to_have_count(1)
    expect(phone.locator(f"{CONFIRM} [data-said-player]")).to_have_text("李小明")
    assert (phone.locator(CONFIRM).is_visible(), len(logged())) == (True, count)


@pytest.mark.slow
def test_the_desk_is_not_loaded_again_while_a_reason_is_typed(open_page, sign_in, spring, expect_complaints):
    page = open_page(**PHONE)
    sign_in(page, spring.alice)
    log(spring, "A-VII", index=1)
    Penalty.objects.update(status=Penalty.Status.REQUESTED)
    page.goto(desk(spring))
    taps = to_confirm(page, "A-I")
    intercept_posts(page, POSTING, lambda at: at.fulfill(status=502))
    taps(SUBMIT)
    listed(page, "unsent")
    page.goto(desk(spring))
    unfold(page, "[name=reason]")
    reason = page.locator("main [name=reason]")
    reason.fill("no pro")
    page.unroute(POSTING)

    def work_is_sent() -> None:
        page.evaluate("window.dispatchEvent(new Event('online'))")

    work_is_sent()
    expect(page.locator(f"{KEPT} a")).to_have_count(1)
    reason.blur()
    work_is_sent()
    expect(reason).to_have_value("no pro")
    expect(page.locator(f"{KEPT} a")).to_have_count(1)

    reason.fill("")
    reason.blur()
    work_is_sent()
    expect(page.locator(f"{KEPT} a")).to_have_count(0)
    assert len(logged()) == 2


@pytest.mark.slow
def test_what_is_kept_survives_closing_the_page(phone, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    cut_off(phone)
    taps(SUBMIT)
    listed(phone, "unsent")
    page = close(phone)
    page.goto(desk(spring))
    at_the_desk(page)

    assert logged() == [A1]


@pytest.mark.slow
def test_a_lost_answer_does_not_log_twice(phone, expect_complaints):
    taps = to_confirm(phone, "A-I")
    intercept_posts(phone, POSTING, lose_answer)
    taps(SUBMIT)
    listed(phone, "unsent")
    assert len(logged()) == 1
    phone.unroute(POSTING)
    phone.locator(f"{KEPT} [data-do=send]").tap()
    at_the_desk(phone)

    assert logged() == [A1]


@pytest.mark.slow
def test_a_double_tap_logs_once_also_on_an_old_phone(phone):
    phone.add_init_script("delete AbortSignal.timeout")
    to_confirm(phone, "A-I")
    phone.locator(SUBMIT).dblclick()
    at_the_desk(phone)

    assert logged() == [A1]


@pytest.mark.slow
def test_a_server_in_trouble_is_asked_again_also_without_storage(phone, expect_complaints):
    phone.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }"
    )
    taps = to_confirm(phone, "A-I")
    intercept_posts(phone, POSTING, lambda at: at.fulfill(status=502))
    taps(SUBMIT)
    listed(phone, "unsent")
    phone.unroute(POSTING)
    phone.evaluate("window.dispatchEvent(new Event('online'))")
    at_the_desk(phone)

    assert logged() == [A1]


@pytest.mark.slow
def test_a_refused_one_says_why_and_stays_until_it_is_thrown_away(phone, spring, expect_complaints):
    confirm_without_network(phone)
    Role.objects.filter(user=spring.bob).update(player=spring.players[1])
    phone.context.set_offline(False)
    wait_until_kept(phone, "stopped")
    look = phone.locator(f"{KEPT} [data-do=look]")
    look.tap()
    expect(phone.locator("[data-step]")).to_have_count(0)
    phone.context.set_offline(True)
    look.tap()
    expect(phone.locator(f"{KEPT}[data-state=unsent]")).to_have_count(1)
    phone.context.set_offline(False)
    wait_until_kept(phone, "stopped")
    expect(phone.locator(KEPT)).to_contain_text("Referees cannot rule at their own table.")
    discard = phone.locator(f"{KEPT} [data-do=discard]")
    discard.tap()
    wait_until_kept(phone, "stopped")
    discard.tap()
    wait_until_kept(phone)
    expect(phone.locator(KEPT)).to_have_count(0)

    assert logged() == []


@pytest.mark.slow
def test_after_the_round_closed_it_comes_back_filled_in_and_is_logged_without_a_table(
    phone, spring, expect_complaints
):
    confirm_without_network(phone)
    close_round(round_=spring.rounds[0], by=spring.alice)
    phone.context.set_offline(False)
    wait_until_kept(phone, "stopped")
    phone.locator(f"{KEPT} [data-do=look]").tap()
    expect(phone.locator(CONFIRM)).to_contain_text("This round has closed.")
    expect(phone.locator("#remark")).to_have_value("(Main, Regular season, round 1, table 1)")
    Taps(phone)(SUBMIT)
    at_the_desk(phone)

    assert logged() == [A1]
    assert Penalty.objects.get().table is None


@pytest.mark.slow
def test_signed_out_meanwhile_it_is_kept_until_the_person_is_back(phone, sign_in, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    phone.context.clear_cookies(name="sessionid")
    taps(SUBMIT)
    listed(phone, "refused")
    assert (logged(), kept(phone)) == ([], ["refused"])
    sign_in(phone, spring.bob)
    phone.goto(desk(spring))
    at_the_desk(phone)

    assert logged() == [A1]


@pytest.mark.slow
def test_another_referee_on_the_same_phone_does_not_send_it(phone, sign_in, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    cut_off(phone)
    taps(SUBMIT)
    listed(phone, "unsent")
    phone.context.unroute_all()
    other = phone.context.new_page()
    other.goto("/accounts/login/")
    other.locator("[name=username]").fill(spring.alice.username)
    other.locator("[name=password]").fill(PASSWORD)
    press(other, "login")

    phone.locator(f"{KEPT} [data-do=send]").tap()  # from the page that is still open
    wait_until_kept(phone, "refused")
    page = close(phone)
    page.goto(desk(spring))

    assert (page.locator(KEPT).count(), kept(page), logged()) == (0, ["refused"], [])
    sign_in(page, spring.bob)
    page.goto(desk(spring))
    at_the_desk(page)
    assert [penalty.created_by for penalty in Penalty.objects.all()] == [spring.bob]
