"""A penalty in four taps on a phone in Chromium: taps counted, taking back, a bad network, no script."""

import re
from contextlib import suppress

import pytest
from django.test import Client

from league.models import AuditEntry, Penalty, Role, Submission
from league.penalties.services import Act, log_offence, revoke_penalty
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
REFUSED = "Failed to load resource: the server responded with a status of"
NO_NETWORK = "Failed to load resource: net::ERR_"
POSTING = re.compile(r"/penalties/new/")


@pytest.fixture
def spring(transactional_db) -> Club:
    made = club()
    made.add_round(visibility="seating")
    return made


@pytest.fixture
def expect_complaints(page_problems):
    """Chromium itself writes every refused or failed request to the console; this test provokes some."""
    yield
    page_problems[:] = [said for said in page_problems if not said.startswith((REFUSED, NO_NETWORK))]


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

    def __call__(self, selector: str, **wanted: object) -> "Taps":
        target = self.page.locator(f"{selector} >> visible=true").filter(**wanted).first
        box = target.bounding_box()
        assert box["height"] >= 44, f"{selector} is {box['height']} high"
        assert box["width"] >= 44, f"{selector} is {box['width']} wide"
        assert self.page.evaluate("document.documentElement.scrollWidth") <= 360
        target.tap()
        self.count += 1
        return self


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


def at_the_desk(page, *, kept_still: int = 0) -> None:
    """The penalty is logged, and the phone knows: the desk renews itself, and may show it a moment before."""
    from playwright.sync_api import Error as PageError

    page.wait_for_url("**/desk/")
    page.locator("[data-undo]").first.wait_for()
    for _attempt in range(100):
        with suppress(PageError):  # asked while the next page was coming
            if kept(page) == kept_still:
                return
        page.wait_for_timeout(50)
    pytest.fail(f"The phone keeps {kept(page)} penalties.")


def to_confirm(page, code: str, *, seat: int = 0) -> Taps:
    taps = Taps(page)
    taps("a.table-choice", has_text="Table 1")
    taps(f"li:nth-child({seat + 1}) > a.seat-choice")
    return taps(f"a[data-offence='{code}']")


def kept(page) -> int:
    return page.evaluate(
        "Object.keys(localStorage).filter((name) => name.startsWith('umaoka-penalty:')).length"
    )


# --- four taps


def test_four_taps_from_the_desk_log_what_the_book_says(phone):
    loads = []
    phone.on("request", lambda asked: loads.append(asked.url) if asked.is_navigation_request() else None)

    taps = to_confirm(phone, "A-I")
    assert "Level 2: deduction of 2" in phone.locator("[data-step=confirm]").inner_text()
    taps("button", has_text="Log the penalty")
    at_the_desk(phone)

    assert taps.count == 4
    assert len(loads) == 2  # the table's page, and the desk again
    assert logged() == [("陳大文", "A-I", "2", -20)]
    assert "Logged for 陳大文: −2.0. It counts at once." in phone.locator("#content").inner_text()


def test_the_code_on_the_table_spares_the_first_tap(open_page, sign_in, spring):
    page = open_page(**PHONE)
    sign_in(page, spring.bob)
    page.goto(f"/c/{spring.slug}/t/2/")

    taps = Taps(page)
    taps("a.seat-choice", has_text="Dora")("a[data-offence='D-II']")("button", has_text="Log the penalty")
    at_the_desk(page)

    assert taps.count == 3
    assert logged() == [("Dora", "D-II", "2", -20)]


def test_the_phone_s_own_way_back_goes_one_tap_back(phone):
    to_confirm(phone, "A-I")
    for step in ("offence", "seat"):
        phone.go_back()
        assert phone.locator("[data-step]:not([hidden])").get_attribute("data-step") == step
    phone.go_forward()
    assert "陳大文" in phone.locator("[data-step=offence] [data-said-player]").inner_text()
    phone.go_back()
    phone.go_back()
    phone.wait_for_url("**/desk/")


def test_another_player_after_a_way_back_is_the_one_who_is_logged(phone):
    taps = to_confirm(phone, "A-II")
    taps("a[data-back]")("li:nth-child(3) > a.seat-choice")("a[data-offence='A-VII']")
    taps("button", has_text="Log the penalty")
    at_the_desk(phone)

    assert logged() == [("王美麗", "A-VII", "2", -20)]


@pytest.mark.parametrize(
    ("typed", "codes"),
    [
        ("a2", ["A-II"]),
        ("相公", ["A-X"]),
        ("ＫＵＩＫＡＥ", ["A-VI"]),
        ("喰い替え", ["A-VI"]),
        ("empty  WIN", ["C-II"]),
        ("zzz", []),
    ],
)
def test_an_offence_is_found_while_typing_in_any_script(phone, typed, codes):
    taps = Taps(phone)
    taps("a.table-choice")("a.seat-choice")
    phone.locator("#find").fill(typed)

    shown = phone.locator("[data-offences] [data-words] >> visible=true")
    assert [item.get_attribute("data-offence") for item in shown.all()] == codes
    assert phone.locator("[data-none]").is_visible() is (codes == [])
    if codes:
        phone.locator("#find").press("Enter")
        assert phone.locator("[data-step=confirm]").is_visible()


def test_offences_in_use_stand_first_and_the_rest_is_folded(phone, spring):
    for index, code in enumerate(("A-VII", "D-II", "C-II", "A-I")):
        log(spring, code, index=index)
    phone.reload()
    taps = Taps(phone)
    taps("a.table-choice")("a.seat-choice")

    shown = phone.locator("[data-offences] a[data-words] >> visible=true")
    assert [item.get_attribute("data-offence") for item in shown.all()] == ["A-I", "A-VII", "C-II", "D-II"]
    taps("summary.offences-heading", has_text="Other")
    phone.locator("#find").fill("wall")
    assert {"A-XII", "D-III"} & {item.get_attribute("data-offence") for item in shown.all()} == {"D-III"}
    phone.locator("#find").fill("")
    taps("a[data-offence='C-II']")("button", has_text="Log the penalty")
    phone.wait_for_url("**/desk/")
    assert logged()[-1][1] == "C-II"


# --- what is left to choose


def test_the_second_time_says_why_and_leaves_the_amount_to_buttons(phone, spring):
    log(spring, "A-I")
    phone.reload()

    taps = to_confirm(phone, "A-I")
    confirm = phone.locator("[data-step=confirm]")
    assert "so far −2.0" in confirm.inner_text()
    assert re.search(r"No\. 2 in this hanchan; before: level 2 at \d\d:\d\d by bob-", confirm.inner_text())
    taps("label.amount", has_text="11")("button", has_text="Log the penalty")
    at_the_desk(phone)

    assert logged()[1] == ("陳大文", "A-I", "4", -110)
    assert "May not win this hand" in phone.locator("#content").inner_text()
    assert "陳大文" in phone.locator(".ban").inner_text()


def test_a_condition_shows_what_it_costs_when_it_is_chosen(phone):
    taps = to_confirm(phone, "A-II")
    shown = phone.locator("[data-step=confirm] .case-taking >> visible=true")
    assert shown.all_inner_texts() == ["−2.0"]
    taps("label.case-choice", has_text="2 tiles")
    assert shown.all_inner_texts() == ["−8.0 to −12.0"]
    taps("label.amount", has_text="10")("button", has_text="Log the penalty")
    at_the_desk(phone)

    assert logged() == [("陳大文", "A-II", "4", -100)]


def test_departing_from_the_book_asks_for_a_remark_and_keeps_what_was_chosen(phone, expect_complaints):
    taps = to_confirm(phone, "A-I")
    taps("summary", has_text="Another level")("label.case-choice", has_text="Level 4: deduction of 8")
    taps("label.amount", has_text="9")("button", has_text="Log the penalty")
    assert phone.evaluate("document.activeElement.id") == "remark"
    phone.locator("#remark").evaluate("input => (input.maxLength = 1000)")
    phone.locator("#remark").fill("x" * 301)
    taps("button", has_text="Log the penalty")
    phone.locator("[data-wrong]").wait_for()
    assert "at most 300 characters" in phone.locator("[data-wrong]").inner_text()
    assert logged() == []
    phone.locator("#remark").fill("the wall was hidden on purpose")
    taps("button", has_text="Log the penalty")
    at_the_desk(phone)

    assert logged() == [("陳大文", "A-I", "4", -90)]
    penalty = Penalty.objects.get()
    assert (penalty.suggested, penalty.reason) == ("2", "the wall was hidden on purpose")
    assert kept(phone) == 0


def test_all_four_are_one_tap_and_one_taking_back(phone):
    taps = to_confirm(phone, "D-V")
    taps("label.case-choice", has_text="Round wind")
    assert "All four players of the table are punished together." in phone.locator(".taps").inner_text()
    taps("button", has_text="Log the penalty")
    at_the_desk(phone)
    assert len(logged()) == 4
    taps("button", has_text="Take it back")
    phone.get_by_text("Taken back: the penalty counts no more.").wait_for()

    assert Penalty.objects.filter(revoked_at__isnull=True).count() == 0


def test_others_who_did_the_same_are_ticked_and_forgotten_with_another_offence(phone):
    taps = to_confirm(phone, "A-I")
    taps("summary", has_text="Others who did the same")
    offered = phone.locator("[data-other]:visible")
    assert offered.count() == 3
    offered.nth(0).click()
    phone.go_back()
    taps("a[data-offence]", has_text="D-I Discarding")
    taps("summary", has_text="Others who did the same")
    assert phone.locator("[name=others]:checked").count() == 0
    offered.nth(1).click()
    taps("button", has_text="Log the penalty")
    at_the_desk(phone)

    assert [line[1:] for line in logged()] == [("D-I", "2", -20)] * 2


def test_what_the_book_does_not_know_is_written(phone, expect_complaints):
    taps = to_confirm(phone, "other")
    taps("button", has_text="Log the penalty")
    phone.locator(".field-errors").first.wait_for()
    phone.get_by_label("Reason").fill("late")
    phone.locator("#id_deduction").fill("2")
    taps("button", has_text="Log the penalty")
    at_the_desk(phone)

    assert logged() == [("陳大文", "", "", -20)]


def test_the_hand_is_over_with_one_tap(phone, spring):
    log(spring, "A-X", 0)
    phone.reload()
    Taps(phone)("button", has_text="Deal passes")
    phone.get_by_text("Table 1 plays East 2, honba 0.").wait_for()

    assert phone.locator(".ban").count() == 0
    assert spring.table().hand == "E2.0"


def test_a_table_where_the_referee_plays_cannot_be_tapped(phone, spring):
    Role.objects.filter(user=spring.bob).update(player=spring.players[0])
    phone.reload()

    assert phone.locator("a.table-choice").all_inner_texts()[0].startswith("Table 2")
    assert "You play here: another referee rules." in phone.locator(".table-choice-mine").inner_text()


# --- taking back


def test_ten_seconds_to_take_it_back_and_then_no_more(phone):
    to_confirm(phone, "A-I")("button", has_text="Log the penalty")
    at_the_desk(phone)
    button = phone.get_by_role("button", name="Take it back")
    button.filter(has_text=re.compile(r"\d s")).wait_for()
    assert re.search(r"\b(10|[6-9]) s\b", button.inner_text())
    button.tap()
    phone.get_by_text("Taken back: the penalty counts no more.").wait_for()

    assert Penalty.objects.get().revoke_reason == "taken back at once"
    assert AuditEntry.objects.latest("sequence").action == "penalty.undo"
    to_confirm(phone, "A-I")("button", has_text="Log the penalty")
    at_the_desk(phone)
    phone.locator("[data-undo]").wait_for(state="detached", timeout=12_000)
    assert Penalty.objects.filter(revoked_at__isnull=True).count() == 1
    assert phone.get_by_role("link", name="Revoke").first.is_visible()


# --- the network


def test_cut_after_the_confirm_it_is_kept_and_sent_once_when_the_network_is_back(phone, expect_complaints):
    taps = to_confirm(phone, "A-I")
    phone.context.set_offline(True)
    taps("button", has_text="Log the penalty")
    line = phone.locator("[data-kept] .kept-line")
    line.wait_for()
    assert line.locator("span").inner_text() == (
        "Not sent yet: 陳大文 · A-I Drawing before one's turn · Main, Regular season, round 1, table 1."
        " It will be sent when the network is back."
    )
    assert (logged(), kept(phone)) == ([], 1)
    phone.context.set_offline(False)
    at_the_desk(phone)

    assert taps.count == 4
    assert (logged(), kept(phone)) == ([("陳大文", "A-I", "2", -20)], 0)
    assert Submission.objects.filter(answer__has_key="penalty").count() == 1


def test_work_goes_on_without_a_network(phone, expect_complaints):
    taps = Taps(phone)("a.table-choice")
    phone.context.set_offline(True)
    for seat, code in ((1, "A-I"), (2, "A-VII"), (1, "A-I")):
        taps(f"li:nth-child({seat}) > a.seat-choice")(f"a[data-offence='{code}']")
        taps("button", has_text="Log the penalty")
        phone.locator("[data-step=seat]").wait_for()
    assert phone.locator("[data-kept] .kept-line").count() == 3
    phone.context.set_offline(False)
    at_the_desk(phone, kept_still=1)

    # The third was tapped as a first time: the book asks for more now, and the referee looks again.
    assert logged() == [("陳大文", "A-I", "2", -20), ("李小明", "A-VII", "2", -20)]
    stopped = phone.locator("[data-kept] .kept-line", has_text="record changed meanwhile")
    stopped.wait_for()
    stopped.get_by_role("button", name="Look at it").tap()
    confirm = phone.locator("[data-step=confirm]")
    confirm.wait_for()
    assert "Level 4: deduction of 8 to 12 and win ban" in confirm.inner_text()
    taps("button", has_text="Log the penalty")
    at_the_desk(phone)
    assert (logged()[2], kept(phone)) == (("陳大文", "A-I", "4", -80), 0)


def test_what_is_kept_survives_closing_the_page(phone, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    phone.context.set_offline(True)
    taps("button", has_text="Log the penalty")
    phone.locator("[data-kept] .kept-line").wait_for()
    phone.close()
    page = phone.context.new_page()
    phone.context.set_offline(False)
    page.goto(desk(spring))
    at_the_desk(page)

    assert (logged(), kept(page)) == ([("陳大文", "A-I", "2", -20)], 0)


def test_a_lost_answer_does_not_log_twice(phone, expect_complaints):
    def swallow(route):
        route.fetch(max_redirects=0)  # the server logs it,
        route.abort()  # and nobody hears of it

    taps = to_confirm(phone, "A-I")
    phone.route(POSTING, lambda at: swallow(at) if at.request.method == "POST" else at.continue_())
    taps("button", has_text="Log the penalty")
    phone.locator("[data-kept] .kept-line").wait_for()
    assert len(logged()) == 1
    phone.unroute(POSTING)
    phone.get_by_role("button", name="Send now").tap()
    at_the_desk(phone)

    assert (len(logged()), kept(phone)) == (1, 0)


def test_a_double_tap_logs_once(phone):
    to_confirm(phone, "A-I")
    phone.locator("[data-step=confirm] button[type=submit]").dblclick()
    at_the_desk(phone)

    assert logged() == [("陳大文", "A-I", "2", -20)]


def test_a_server_in_trouble_is_asked_again(phone, expect_complaints):
    taps = to_confirm(phone, "A-I")
    phone.route(
        POSTING,
        lambda route: (
            route.fulfill(status=502, body="Bad gateway")
            if route.request.method == "POST"
            else route.continue_()
        ),
    )
    taps("button", has_text="Log the penalty")
    phone.locator("[data-kept] .kept-line").wait_for()
    phone.unroute(POSTING)
    phone.evaluate("window.dispatchEvent(new Event('online'))")
    at_the_desk(phone)

    assert logged() == [("陳大文", "A-I", "2", -20)]


def test_a_refused_one_says_why_and_stays_until_it_is_thrown_away(phone, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    phone.context.set_offline(True)
    taps("button", has_text="Log the penalty")
    phone.locator("[data-kept] .kept-line").wait_for()
    log(spring, "A-I", by=spring.alice)
    phone.context.set_offline(False)
    line = phone.locator("[data-kept] .kept-line", has_text="record changed meanwhile")
    line.wait_for()
    phone.reload()
    line.get_by_role("button", name="Throw away").tap()
    line.get_by_role("button", name="Really throw away?").tap()

    assert (phone.locator("[data-kept] .kept-line").count(), kept(phone), len(logged())) == (0, 0, 1)


def test_signed_out_meanwhile_it_is_kept_until_the_person_is_back(phone, sign_in, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    phone.context.clear_cookies(name="sessionid")
    taps("button", has_text="Log the penalty")
    phone.get_by_text("you may have been signed out").wait_for()
    assert (logged(), kept(phone)) == ([], 1)
    sign_in(phone, spring.bob)
    phone.goto(desk(spring))
    at_the_desk(phone)

    assert (logged(), kept(phone)) == ([("陳大文", "A-I", "2", -20)], 0)


def test_another_referee_on_the_same_phone_does_not_send_it(phone, sign_in, spring, expect_complaints):
    taps = to_confirm(phone, "A-I")
    phone.context.set_offline(True)
    taps("button", has_text="Log the penalty")
    phone.locator("[data-kept] .kept-line").wait_for()
    phone.close()
    sign_in(phone, spring.alice)
    phone.context.set_offline(False)
    page = phone.context.new_page()
    page.goto(desk(spring))
    page.get_by_role("heading", name="Referee’s desk").wait_for()

    assert (page.locator("[data-kept] .kept-line").count(), kept(page), logged()) == (0, 1, [])


# --- without script, and what others see


def test_without_script_each_tap_is_a_page(open_page, sign_in, spring):
    page = open_page(**PHONE, java_script_enabled=False)
    sign_in(page, spring.bob)
    page.goto(desk(spring))
    page.locator("a.table-choice").first.tap()
    page.locator("a.seat-choice").nth(1).tap()
    page.locator("#find").fill("a2")
    page.get_by_role("button", name="Find").tap()
    page.locator("[data-offences] a[data-offence='A-II']").tap()
    page.locator("label.case-choice", has_text="2 tiles").first.tap()
    page.locator("[data-step=confirm] label.amount", has_text="12").first.tap()
    page.locator("[data-step=confirm] button[type=submit]").tap()
    page.wait_for_url("**/desk/")
    assert logged() == [("李小明", "A-II", "4", -120)]
    page.get_by_role("button", name="Take it back").tap()
    page.get_by_text("Taken back: the penalty counts no more.").wait_for()

    assert Penalty.objects.get().revoked_at is not None


def test_the_desk_follows_what_other_referees_do(phone, spring):
    log(spring, "A-X", 0, by=spring.alice)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.locator(".ban").wait_for()
    revoke_penalty(penalty=Penalty.objects.get(), reason="wrong player", by=spring.alice)
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.locator(".ban").wait_for(state="detached")

    assert "revoked: wrong player" in phone.locator("#content").inner_text()


def test_it_counts_in_the_standings_at_once(phone, spring):
    spring.record((30_000,) * 4)
    to_confirm(phone, "A-I")("button", has_text="Log the penalty")
    at_the_desk(phone)
    client = Client()
    client.force_login(spring.alice)

    assert "−2.0" in client.get(f"/c/{spring.slug}/").content.decode()
