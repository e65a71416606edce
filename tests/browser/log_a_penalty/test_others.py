"""The desk without script, and what others see."""

import pytest

from league.models import Penalty
from league.ranking.standings.queries.standings import compute_standings
from league.referees.penalties.services.decisions import revoke_penalty
from tests.browser.kit import PHONE, expect, listed, look_again, wait_until_kept
from tests.browser.log_a_penalty.taps import (
    CONTROLLED,
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

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_without_script_each_tap_is_a_page(open_page, sign_in, spring):
    page = open_page(**PHONE, java_script_enabled=False)
    sign_in(page, spring.bob)
    page.goto(desk(spring))
    page.locator("a.table-choice").first.tap()
    page.locator("a.seat-choice").nth(1).tap()
    page.locator("#find").fill("a2")
    page.locator("form[data-find] [type=submit]").tap()
    page.locator("[data-offences] a[data-offence='A-II']").tap()
    page.locator(condition(1)).tap()
    page.locator(amount(12)).first.tap()
    page.locator(SUBMIT).tap()
    page.wait_for_url("**/desk/")
    assert logged() == [("李小明", "A-II", "4", -120)]
    give_time(page)
    page.locator(TAKE_BACK).tap()
    expect(page.locator("main .alert-success")).to_be_visible()

    assert in_force() == 0


@pytest.mark.slow
def test_the_desk_follows_what_other_referees_do(phone, spring):
    log(spring, "A-X", 0, by=spring.alice)
    look_again(phone)
    expect(phone.locator(".table-held")).to_have_count(1)
    revoke_penalty(penalty=Penalty.objects.get(), reason="wrong player", by=spring.alice)
    look_again(phone)
    expect(phone.locator(".table-held")).to_have_count(0)

    expect(phone.locator(".desk-line-void")).to_contain_text("wrong player")
    unanswered = []
    phone.route("**/revision/", lambda asked: unanswered.append(asked.request.method))
    with phone.expect_request("**/revision/"):
        look_again(phone)
    for _ in range(3):
        look_again(phone)
    phone.wait_for_timeout(300)
    assert unanswered.count("GET") == 1  # the clocks ask with HEAD


@pytest.mark.slow
def test_the_chief_s_reason_stays_while_the_desk_follows(open_page, sign_in, spring):
    spring.competition.approval_from = "2"
    spring.competition.save()
    log(spring, "A-I")
    Penalty.objects.update(status=Penalty.Status.REQUESTED)
    page = open_page(**PHONE)
    sign_in(page, spring.alice)
    page.goto(desk(spring))
    page.locator(".request summary").tap()
    page.locator(".request [name=reason]").fill("not seen")
    page.keyboard.press("Tab")
    log(spring, "A-VII", index=1)
    look_again(page)
    expect(page.locator(".desk-line")).to_have_count(2)
    page.locator(".request [value=decline]").tap()
    expect(page.locator("main .alert-success")).to_be_visible()

    assert Penalty.objects.get(status="declined").decide_reason == "not seen"


@pytest.mark.slow
def test_it_counts_in_the_standings_at_once(phone, spring):
    spring.record((30_000,) * 4)
    to_confirm(phone, "A-I")(SUBMIT)
    at_the_desk(phone)

    rows = compute_standings(spring.stage, public=False).rows
    assert {line.player.name: line.row.penalty for line in rows if line.row.penalty} == {"陳大文": -20}


@pytest.mark.slow
def test_the_list_is_filtered_and_turned_without_loading_the_page_again(phone, spring):
    for index, code in enumerate(("A-I", "A-VII", "A-I")):
        log(spring, code, index=index)
    phone.goto(f"/c/{spring.slug}/penalties/")
    phone.evaluate("window.sameUntilLoadedAgain = true")
    rows = phone.locator(".penalties tbody tr")
    expect(rows).to_have_count(3)
    phone.locator("details:has([data-list-filter]) > summary").tap()
    phone.select_option("#filter-offence", "A-I")
    expect(rows).to_have_count(2)
    said = phone.locator(".page-note[role=status]").element_handle()
    phone.locator(".tally-table a").first.tap()
    expect(rows).to_have_count(1)
    assert said.inner_text().startswith("1 active penalty")  # the line that a reader’s program follows
    others = phone.locator("[data-list] .nav-link:not([aria-current])")
    address = others.first.get_attribute("href")
    others.first.press("Enter")
    expect(phone.locator(f"[data-list] a[href='{address}'][aria-current]")).to_be_focused()
    phone.locator(".skip-link").press("Enter")
    phone.wait_for_url("**#content")

    assert phone.evaluate("window.sameUntilLoadedAgain")
    assert "offence=A-I" in phone.url
    assert phone.locator("#filter-player").input_value() != ""


@pytest.mark.slow
def test_the_desk_opens_without_network_and_leaves_nothing_behind(
    open_page, sign_in, spring, expect_complaints
):
    bob = open_page(**PHONE, service_workers="allow")
    sign_in(bob, spring.bob)
    desk, table = f"/c/{spring.slug}/desk/", f"/c/{spring.slug}/penalties/new/?table={spring.table().pk}"
    kept_pages = "caches.open('umaoka-pages').then(pages => pages.keys()).then(keys => keys.length)"
    bob.goto(desk)
    bob.evaluate(CONTROLLED)
    player = spring.competition.entrants.first().pk
    away = f"/c/{spring.slug}/penalties/new/?player={player}&stage={spring.stage.pk}"
    for address in (table, away, f"{table}&player={player}", desk):
        bob.goto(address)
    bob.wait_for_function(f"{kept_pages}.then(count => count === 3)")  # the desk and both tables
    quota = {"origin": bob.url.removesuffix(desk), "quotaSize": 1}
    storage = bob.context.new_cdp_session(bob)
    storage.send("Storage.overrideQuotaForOrigin", quota)
    bob.goto(table)  # opens, although there is no room to keep it
    expect(bob.locator("[data-step=seat]")).to_be_visible()
    storage.detach()

    bob.context.set_offline(True)
    bob.goto(desk)
    expect(bob.locator("[data-offline]")).to_be_visible()
    Taps(bob)("li:nth-child(2) > a.table-choice")("li:nth-child(1) > a.seat-choice")(
        "a[data-offence='A-VII']"
    )(SUBMIT)
    listed(bob, "unsent")  # at a table that was never opened
    bob.goto(desk)
    confirm = Taps(bob)("a.table-choice")("li:nth-child(1) > a.seat-choice")("a[data-offence='A-I']")
    confirm(SUBMIT)
    listed(bob, "unsent", "unsent")
    again = bob.context.new_page()
    bob.close()
    again.goto(f"{table}&player={player}&offence=A-I")
    expect(again.locator("[data-step=seat]")).to_be_visible()
    listed(again, "unsent", "unsent")
    again.context.set_offline(False)
    wait_until_kept(again)
    assert logged() == [("Dora", "A-VII", "2", -20), ("陳大文", "A-I", "2", -20)]

    again.goto(desk)
    with again.expect_navigation():
        again.evaluate("document.querySelector('form[action$=\"logout/\"]').submit()")
    again.goto(f"/c/{spring.slug}/")
    assert again.evaluate(kept_pages) == 0
