"""A penalty in four taps on a phone in Chromium: taps counted, taking back, a bad network, no script."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import AuditEntry, Penalty, Role, Submission, Table
from league.penalties.services import Act, log_offence, revoke_penalty
from league.rounds.services import close_round
from league.standings.queries.standings import compute_standings
from tests.browser.kit import (
    KEPT,
    PHONE,
    close,
    cut_off,
    expect,
    intercept,
    kept,
    listed,
    look_again,
    press,
    wait_until_kept,
)
from tests.factories import PASSWORD, Club, club

pytestmark = pytest.mark.django_db(transaction=True)

POSTING = re.compile(r"/penalties/new/")
CONFIRM = "[data-step=confirm]"
SUBMIT = "[data-step]:not([hidden]) button[type=submit]"
TAKE_BACK = "[data-undo] button[type=submit]"
A1 = ("陳大文", "A-I", "2", -20)


@pytest.fixture
def spring(transactional_db) -> Club:
    made = club()
    made.add_round(visibility="seating")
    return made


@pytest.fixture
def phone(open_page, sign_in, spring):
    """The desk on a phone, Bob signed in."""
    page = open_page(**PHONE)
    sign_in(page, spring.bob)
    page.goto(desk(spring))
    return page


class Taps:
    """A thumb that counts, and needs room."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def __call__(self, selector: str) -> "Taps":
        target = self.page.locator(f"{selector} >> visible=true").first
        target.wait_for()
        self.page.wait_for_load_state()  # a page that still waits for its style sheets has other sizes
        box = target.bounding_box()
        assert min(box["height"], box["width"]) >= 44, f"{selector} is {box}"
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 360
        target.tap()
        self.count += 1
        return self


def condition(index: int) -> str:
    return f"{CONFIRM} label.choice:has([name=condition][value='{index}'])"


def amount(number: int) -> str:
    return f"{CONFIRM} label:has(.btn-check):has-text('{number}')"


def desk(spring: Club) -> str:
    return f"/c/{spring.slug}/desk/"


def log(spring: Club, code: str, condition: int = 0, *, index: int = 0, by=None) -> Penalty:
    return log_offence(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[index].pk,
        act=Act(infraction=code, condition=condition),
        by=by or spring.bob,
    )[0]


def logged() -> list[tuple[str, str, str, int]]:
    found = Penalty.objects.select_related("player").order_by("pk")
    return [(p.player.name, p.infraction, p.level, p.score) for p in found]


def in_force() -> int:
    return Penalty.objects.filter(revoked_at__isnull=True).count()


def at_the_desk(page, *still_kept: str) -> None:
    """The penalty is logged, and the phone knows."""
    page.wait_for_url("**/desk/")
    wait_until_kept(page, *still_kept)


def give_time(page) -> None:
    """The ten seconds for taking back begin later, so that a slow machine has them too."""
    Penalty.objects.update(created_at=timezone.now() + timedelta(minutes=10))
    page.reload()


def to_confirm(page, code: str, *, seat: int = 0) -> Taps:
    """Three taps from the desk to the last one, at the first table."""
    return Taps(page)("a.table-choice")(f"li:nth-child({seat + 1}) > a.seat-choice")(
        f"a[data-offence='{code}']"
    )


def confirm_without_network(page, code: str = "A-I") -> Taps:
    taps = to_confirm(page, code)
    page.context.set_offline(True)
    taps(SUBMIT)
    listed(page, "unsent")
    return taps


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


def test_the_code_on_the_table_spares_the_first_tap(open_page, sign_in, spring):
    page = open_page(**PHONE)
    sign_in(page, spring.bob)
    page.goto(f"/c/{spring.slug}/t/2/")

    taps = Taps(page)("li:nth-child(1) > a.seat-choice")("a[data-offence='D-II']")(SUBMIT)
    at_the_desk(page)

    assert taps.count == 3
    assert logged() == [("Dora", "D-II", "2", -20)]


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


def test_another_player_after_a_way_back_is_the_one_who_is_logged(phone):
    taps = to_confirm(phone, "A-II")
    taps("a[data-back]")("li:nth-child(3) > a.seat-choice")("a[data-offence='A-VII']")(SUBMIT)
    at_the_desk(phone)

    assert logged() == [("王美麗", "A-VII", "2", -20)]


def test_an_offence_is_found_while_typing_in_any_script(phone):
    Taps(phone)("a.table-choice")("a.seat-choice")
    shown = phone.locator("[data-offences] [data-words] >> visible=true")
    for typed, codes in (
        ("a2", ["A-II"]),
        ("相公", ["A-X"]),
        ("ＫＵＩＫＡＥ", ["A-VI"]),
        ("喰い替え", ["A-VI"]),
        ("empty  WIN", ["C-II"]),
        ("zzz", []),
    ):
        phone.locator("#find").fill(typed)

        expect(shown).to_have_count(len(codes))
        for index, code in enumerate(codes):
            expect(shown.nth(index)).to_have_attribute("data-offence", code)
        assert phone.locator("[data-none]").is_visible() is (codes == [])
        if codes:
            phone.locator("#find").press("Enter")
            expect(phone.locator(CONFIRM)).to_be_visible()
            phone.go_back()


def test_offences_in_use_stand_first_and_the_rest_is_folded(phone, spring):
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


def test_the_second_time_says_why_and_leaves_the_amount_to_buttons(phone, spring):
    log(spring, "A-I")
    phone.reload()

    taps = to_confirm(phone, "A-I")
    expect(phone.locator(f"{CONFIRM} [data-said-total]")).to_have_text("−2.0")
    expect(phone.locator(f"{CONFIRM} .case-because")).to_contain_text(re.compile(r"\d\d:\d\d by bob-"))
    taps(amount(11))(SUBMIT)
    at_the_desk(phone)

    assert logged()[1] == ("陳大文", "A-I", "4", -110)
    expect(phone.locator(".ban-who")).to_contain_text("陳大文")


def test_a_condition_shows_what_it_costs_when_it_is_chosen(phone):
    taps = to_confirm(phone, "A-II")
    shown = phone.locator(f"{CONFIRM} .case-taking >> visible=true")
    expect(shown).to_have_text(["−2.0"])
    taps(condition(1))
    expect(shown).to_have_text(["−8.0 to −12.0"])
    taps(amount(10))(SUBMIT)
    at_the_desk(phone)

    assert logged() == [("陳大文", "A-II", "4", -100)]


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


def test_others_who_did_the_same_are_ticked_and_forgotten_with_another_offence(phone, expect_complaints):
    others = f"{CONFIRM} details:has([name=others]) summary"
    taps = to_confirm(phone, "A-I")(others)
    offered = phone.locator("[data-other]:visible")
    expect(offered).to_have_count(3)
    offered.nth(0).click()
    phone.go_back()
    taps("a[data-offence='D-I']")(others)
    expect(phone.locator("[name=others]:checked")).to_have_count(0)
    offered.nth(1).click()
    taps(SUBMIT)
    expect(phone.locator(".review > li")).to_have_count(2)
    taps(SUBMIT)
    at_the_desk(phone)

    assert [line[1:] for line in logged()] == [("D-I", "2", -20)] * 2


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


def test_the_hand_is_over_with_one_tap(phone, spring):
    Table.objects.update(hand="E1.0")
    log(spring, "A-X", 0)
    phone.reload()
    Taps(phone)("button[name=hand][value='E2.0']")
    expect(phone.locator(".ban-who")).to_have_count(0)

    assert spring.table().hand == "E2.0"


def test_a_table_where_the_referee_plays_cannot_be_tapped(phone, spring):
    Role.objects.filter(user=spring.bob).update(player=spring.players[0])
    phone.reload()

    assert phone.locator("a.table-choice").all_inner_texts()[0].startswith("Table 2")
    expect(phone.locator(".table-choice-mine .table-choice-why")).to_be_visible()


# --- taking back


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


# --- the network


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


def test_what_is_kept_survives_closing_the_page(phone, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    cut_off(phone)
    taps(SUBMIT)
    listed(phone, "unsent")
    page = close(phone)
    page.goto(desk(spring))
    at_the_desk(page)

    assert logged() == [A1]


def test_a_lost_answer_does_not_log_twice(phone, expect_complaints):
    def swallow(route):
        route.fetch(max_redirects=0)  # the server logs it,
        route.abort()  # and no one hears of it

    taps = to_confirm(phone, "A-I")
    intercept(phone, POSTING, lambda at: swallow(at) if at.request.method == "POST" else at.continue_())
    taps(SUBMIT)
    listed(phone, "unsent")
    assert len(logged()) == 1
    phone.unroute(POSTING)
    phone.locator(f"{KEPT} [data-do=send]").tap()
    at_the_desk(phone)

    assert logged() == [A1]


def test_a_double_tap_logs_once_also_on_an_old_phone(phone):
    phone.add_init_script("delete AbortSignal.timeout")
    to_confirm(phone, "A-I")
    phone.locator(SUBMIT).dblclick()
    at_the_desk(phone)

    assert logged() == [A1]


def test_a_server_in_trouble_is_asked_again_also_without_storage(phone, expect_complaints):
    phone.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }"
    )
    taps = to_confirm(phone, "A-I")
    intercept(
        phone, POSTING, lambda at: at.fulfill(status=502) if at.request.method == "POST" else at.continue_()
    )
    taps(SUBMIT)
    listed(phone, "unsent")
    phone.unroute(POSTING)
    phone.evaluate("window.dispatchEvent(new Event('online'))")
    at_the_desk(phone)

    assert logged() == [A1]


def test_a_refused_one_says_why_and_stays_until_it_is_thrown_away(phone, spring, expect_complaints):
    confirm_without_network(phone)
    close_round(round_=spring.rounds[0], by=spring.alice)
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
    expect(phone.locator(KEPT)).to_contain_text("This round is closed.")
    discard = phone.locator(f"{KEPT} [data-do=discard]")
    discard.tap()
    wait_until_kept(phone, "stopped")
    discard.tap()
    wait_until_kept(phone)
    expect(phone.locator(KEPT)).to_have_count(0)

    assert logged() == []


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


# --- without script, and what others see


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


def test_the_desk_follows_what_other_referees_do(phone, spring):
    log(spring, "A-X", 0, by=spring.alice)
    look_again(phone)
    expect(phone.locator(".ban-who")).to_have_count(1)
    revoke_penalty(penalty=Penalty.objects.get(), reason="wrong player", by=spring.alice)
    look_again(phone)
    expect(phone.locator(".ban-who")).to_have_count(0)

    expect(phone.locator(".desk-line-void")).to_contain_text("wrong player")
    unanswered = []
    phone.route("**/revision/", lambda asked: unanswered.append(asked.request.method))
    with phone.expect_request("**/revision/"):
        look_again(phone)
    for _ in range(3):
        look_again(phone)
    phone.wait_for_timeout(300)
    assert unanswered.count("GET") == 1  # the clocks ask with HEAD


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


def test_it_counts_in_the_standings_at_once(phone, spring):
    spring.record((30_000,) * 4)
    to_confirm(phone, "A-I")(SUBMIT)
    at_the_desk(phone)

    rows = compute_standings(spring.stage, public=False).rows
    assert {line.player.name: line.row.penalty for line in rows if line.row.penalty} == {"陳大文": -20}


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
    phone.locator(".tally-table a").first.tap()
    expect(rows).to_have_count(1)
    phone.locator(".skip-link").press("Enter")
    phone.wait_for_url("**#content")

    assert phone.evaluate("window.sameUntilLoadedAgain")
    assert "offence=A-I" in phone.url
    assert phone.locator("#filter-player").input_value() != ""


CONTROLLED = """new Promise(done => navigator.serviceWorker.controller ? done()
    : navigator.serviceWorker.addEventListener("controllerchange", () => done()))"""


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
    assert bob.evaluate(kept_pages) == 2
    quota = {"origin": bob.url.removesuffix(desk), "quotaSize": 1}
    storage = bob.context.new_cdp_session(bob)
    storage.send("Storage.overrideQuotaForOrigin", quota)
    bob.goto(table)  # opens, although there is no room to keep it
    expect(bob.locator("[data-step=seat]")).to_be_visible()
    storage.detach()

    bob.context.set_offline(True)
    bob.goto(desk)
    expect(bob.locator("[data-offline]")).to_be_visible()
    confirm = Taps(bob)("a.table-choice")("li:nth-child(1) > a.seat-choice")("a[data-offence='A-I']")
    confirm(SUBMIT)
    listed(bob, "unsent")
    again = bob.context.new_page()
    bob.close()
    again.goto(f"{table}&player={player}&offence=A-I")
    expect(again.locator("[data-step=seat]")).to_be_visible()
    listed(again, "unsent")
    again.context.set_offline(False)
    wait_until_kept(again)
    assert logged() == [("陳大文", "A-I", "2", -20)]

    again.goto(desk)
    with again.expect_navigation():
        again.evaluate("document.querySelector('form[action$=\"logout/\"]').submit()")
    again.goto(f"/c/{spring.slug}/")
    assert again.evaluate(kept_pages) == 0
