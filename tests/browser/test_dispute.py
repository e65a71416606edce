"""A table calls; two people settle a matter in six steps in two browsers; meanwhile the clock rests."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from league.core.door import sheet_code
from league.models import Call, Dispute, Evidence, Penalty, Sheet, Table
from league.play.calls.services import start_clock
from league.play.disputes.services import open_dispute
from league.referees.penalties.services.log import log_penalty
from tests.browser.kit import PHONE, expect, fill, look_again, press, totals, unfold
from tests.factories import Club, club
from tests.pictures import SECRET, taken_at_a_place

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spring() -> Club:
    made = club("spring", preset="hkma-b-2025-04")  # 60 minutes, then one hand
    made.add_round()
    return made


@pytest.fixture
def opened_by(open_page, sign_in):
    """`opened_by(person)`: a phone of this person."""

    def opened(person):
        page = open_page(**PHONE)
        sign_in(page, person)
        return page

    return opened


def totals_of(page, slug: str) -> dict[str, str]:
    page.goto(f"/c/{slug}/")
    return totals(page)


def penalise(spring: Club, reason: str) -> Penalty:
    """South loses 8.0."""
    south = spring.players[1].pk
    return log_penalty(
        stage=spring.stage, table=spring.table(), player_id=south, score=-80, reason=reason, by=spring.bob
    )


def no_wider_than_the_phone(page) -> bool:
    """What the page itself holds; the head of the site has tests of its own."""
    return page.evaluate(
        "Array.from(document.querySelectorAll('main *')).every((each) => each.closest('.table-scroll')"
        " || each.getBoundingClientRect().right <= document.documentElement.clientWidth + 1)"
    )


def step(kind: str) -> str:
    return f"form[action$='/step/{kind}/']"


def take(page, kind: str, **typed: str) -> None:
    """The next step of the matter, in its own form."""
    form = page.locator(step(kind))
    for name, text in typed.items():
        form.locator(f"[name={name}]").fill(text)
    form.locator("[type=submit]").click()
    page.wait_for_load_state()


@pytest.mark.slow
def test_a_dispute_walked_through_by_two_people(spring, opened_by, open_page, expect_complaints, tmp_path):
    spring.record((45_000, 25_000, 20_000, 10_000))
    penalty = penalise(spring, "took a tile too early")
    bob, alice, visitor = opened_by(spring.bob), opened_by(spring.alice), open_page(**PHONE)
    before = totals_of(visitor, spring.slug)
    table = f"/c/{spring.slug}/tables/{spring.table().pk}/"

    # 1 爭議: Bob, at the table.
    bob.goto(table)
    press(bob, "disputes:new")
    fill(bob, subject="South says that the tile was drawn in turn.")
    bob.locator("[name=hand]").select_option("E3")
    press(bob, "disputes:new")
    dispute = Dispute.objects.get()
    here = f"/c/{spring.slug}/disputes/{dispute.pk}/"
    assert bob.url.endswith(here)

    # A photograph from the phone, without the place where it was taken.
    photograph = tmp_path / "IMG_0001.jpg"
    photograph.write_bytes(taken_at_a_place())
    unfold(bob, "[name=photograph]")
    bob.locator("[name=photograph]").set_input_files(photograph)
    fill(bob, note="the discards")
    press(bob, "disputes:evidence_new")
    assert bob.locator(".evidence img").evaluate("(picture) => picture.decode().then(() => true)")
    kept = Path(Evidence.objects.get().file.path)
    assert SECRET not in kept.read_bytes()

    # 2 初步裁決 and 3 恢復比賽: Bob.
    take(bob, "preliminary", said="South: it was my turn.\nWest: it was not.", decided="The penalty stands.")
    unfold(bob, step("resumed"))
    take(bob, "resumed")

    # 4 異議溝通 and 5 裁決會議: Alice, who finds the matter in the list.
    alice.goto(f"/c/{spring.slug}/disputes/")
    press(alice, "disputes:dispute", pk=dispute.pk)
    take(alice, "objection", said="South asks for the stream to be looked at.")
    take(alice, "meeting", said="The stream shows that it was South's turn.")

    # Bob's page is old by now: what he tries is refused, and he reads what Alice wrote.
    take(bob, "objection", said="South objects.")
    expect(bob.locator(".alert-danger")).to_be_visible()
    expect(bob.locator(".story")).to_contain_text("South asks for the stream to be looked at.")

    # 6 最終裁決: Alice. It closes the matter, and is carried out: the penalty goes, the sheet is corrected.
    take(alice, "final", decided="The penalty is revoked, and the score sheet corrected.")
    expect(alice.locator(".next-step:has(form[action*='/step/'])")).to_have_count(0)
    unfold(alice, "form[action*='/revoke/']")
    fill(alice, reason="it was South's turn")
    press(alice, "disputes:revoke")
    press(alice, "results:correct")
    fill(alice, east="430", south="270", reason="2,000 of the ruling")
    press(alice, "results:correct")
    alice.wait_for_url(f"**{here}")
    expect(alice.locator("ul.changed").first.locator("> li")).to_have_count(2)
    assert no_wider_than_the_phone(alice)

    # The link is kept both ways.
    penalty.refresh_from_db()
    sheet = Sheet.objects.get(is_current=True)
    assert (penalty.revoked_in, sheet.dispute, sheet.version) == (dispute, dispute, 2)
    alice.goto(table)
    for ruled in ("a.text-nowrap", "a.d-block"):
        assert alice.locator(ruled).first.get_attribute("href") == here

    # The standings follow: South gets 2.0 of points and 8.0 of penalty back.
    after = totals_of(visitor, spring.slug)
    south, east = spring.players[1].name, spring.players[0].name
    assert (before[south], after[south]) == ("−3.0", "+7.0")
    assert (before[east], after[east]) == ("+65.0", "+63.0")

    # The audit page tells the story, oldest last.
    alice.goto(f"/c/{spring.slug}/manage/audit/")
    story = alice.locator("main").inner_text()
    places = [story.rfind(words) for words in AUDIT]
    assert -1 not in places
    assert places == sorted(places, reverse=True)
    # No one who does not belong there reads any of it.
    assert visitor.goto(here).url.find("/accounts/login/") > 0
    kept.unlink()


AUDIT = (
    "opened a dispute",
    "added evidence to a dispute",
    "The penalty stands.",
    "South asks for the stream to be looked at.",
    "The penalty is revoked, and the score sheet corrected.",
    "closed a dispute",
    "it was South's turn",
    "2,000 of the ruling",
)


@pytest.mark.slow
def test_a_call_appears_in_the_queue_by_itself(spring, opened_by, open_page):
    bob, visitor = opened_by(spring.bob), open_page(**PHONE)
    bob.goto(f"/c/{spring.slug}/calls/")
    expect(bob.locator(".calls")).to_have_count(0)

    visitor.goto(f"/c/{spring.slug}/t/2/{sheet_code(spring.table(number=2))}/")
    press(visitor, "calls:call")
    fill(visitor, note="Whose turn is it?")
    bob.evaluate("document.addEventListener('called', () => { window.wasCalled = true; })")
    press(visitor, "calls:call")

    expect(bob.locator(".call-note")).to_have_text("Whose turn is it?")  # within seconds, without a reload
    expect(bob).to_have_title(re.compile(r"^\(1\) "))
    assert bob.evaluate("window.wasCalled")
    expect(bob.locator("[data-since]")).to_contain_text(re.compile(r"\d"))
    press(bob, "calls:take")
    expect(bob.locator(".call-taken")).to_have_count(1)
    look_again(visitor)
    expect(visitor.locator(".call-state[data-state=taken]")).to_be_visible()
    press(bob, "calls:done")
    assert Call.objects.get().closed_by == spring.bob
    assert no_wider_than_the_phone(bob)


def seconds(clock) -> int:
    minutes, rest = clock.inner_text().split(":")
    return int(minutes) * 60 + int(rest)


NEXT_TICK = """new Promise(done => new MutationObserver(done).observe(
    document.querySelector("[data-left]"), { childList: true }))"""


@pytest.mark.slow
def test_the_clock_counts_down_by_the_servers_time_and_rests_in_a_dispute(spring, open_page):
    now = timezone.now()
    start_clock(round_=spring.rounds[0], by=spring.bob, at=now - timedelta(minutes=10))
    page = open_page(**PHONE)
    page.clock.set_fixed_time(now - timedelta(minutes=30))  # the phone is half an hour behind
    page.goto(f"/c/{spring.slug}/tables/{spring.table().pk}/")
    shown = page.locator("[data-left]")
    expect(shown).to_have_text(re.compile(r"^(50:00|4\d:\d\d)$"))  # not 79 minutes
    first = seconds(shown)
    page.clock.set_fixed_time(now - timedelta(minutes=28))
    page.evaluate(NEXT_TICK)
    assert first - seconds(shown) == 120

    dispute = open_dispute(table=spring.table(), subject="x", by=spring.bob)
    look_again(page)
    expect(page.locator("[data-rests]")).to_have_count(1)
    page.evaluate(NEXT_TICK)
    resting = seconds(shown)
    page.clock.set_fixed_time(now)
    page.evaluate(NEXT_TICK)
    assert seconds(shown) == resting == int(page.locator("[data-rests]").get_attribute("data-rests"))
    assert dispute.paused_at is not None


@pytest.mark.slow
def test_when_the_time_is_up_the_clock_says_so(spring, open_page):
    start_clock(round_=spring.rounds[0], by=spring.bob, at=timezone.now() - timedelta(minutes=61))
    Table.objects.filter(pk=spring.table(number=2).pk).update(extra_seconds=3600)
    page = open_page(**PHONE)
    page.goto(f"/c/{spring.slug}/rounds/{spring.rounds[0].pk}/")
    over, goes_on = page.locator("[data-clock]").all()
    expect(over.locator("[data-left]")).to_have_text(over.get_attribute("data-zero"))
    expect(goes_on.locator("[data-left]")).to_have_text(re.compile(r"^5\d:\d\d$"))
    assert no_wider_than_the_phone(page)


@pytest.mark.slow
def test_without_script_the_page_tells_when_the_time_ends(spring, open_page):
    start_clock(round_=spring.rounds[0], by=spring.bob)
    page = open_page(java_script_enabled=False, **PHONE)
    page.goto(f"/c/{spring.slug}/tables/{spring.table().pk}/")
    assert page.locator("[data-left]").is_hidden()
    expect(page.locator(".clock-words")).to_contain_text(re.compile(r"\d\d:\d\d \(Hong Kong\)"))


def test_a_penalty_that_a_ruling_changes_is_logged_for_the_dispute(spring, opened_by):
    """From the dispute to the page that logs, and back in the story."""
    penalise(spring, "late")
    dispute = open_dispute(table=spring.table(), subject="x", by=spring.bob)
    bob = opened_by(spring.bob)
    bob.goto(f"/c/{spring.slug}/disputes/{dispute.pk}/")
    take(bob, "preliminary", decided="It was too hard.")
    unfold(bob, "form[action*='/revoke/']")
    fill(bob, reason="too hard")
    press(bob, "disputes:revoke", another=1)
    assert f"dispute={dispute.pk}" in bob.url
    assert Penalty.objects.get().revoked_in == dispute
