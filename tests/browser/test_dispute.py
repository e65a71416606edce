"""A table calls; two people settle a matter in six steps in two browsers; meanwhile the clock rests."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from league.calls.services import start_clock
from league.disputes.services import open_dispute
from league.models import Call, Dispute, Evidence, Penalty, Sheet, Table
from league.penalties.services import log_penalty
from tests.factories import Club, club
from tests.pictures import SECRET, taken_at_a_place

pytestmark = pytest.mark.django_db(transaction=True)

PHONE = {"viewport": {"width": 360, "height": 740}}


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


def press(page, name: str) -> None:
    page.locator("main").get_by_role("button", name=name, exact=True).or_(
        page.locator("main").get_by_role("link", name=name, exact=True)
    ).first.click()
    page.wait_for_load_state()


def totals(page, slug: str) -> dict[str, str]:
    page.goto(f"/c/{slug}/")
    rows = page.locator("main table tbody tr").all()
    return {
        row.locator(".name").first.inner_text(): row.locator("td.total").first.inner_text() for row in rows
    }


def no_wider_than_the_phone(page) -> bool:
    """What the page itself holds; the head of the site has tests of its own."""
    return page.evaluate(
        "Array.from(document.querySelectorAll('main *')).every((each) => each.closest('.table-scroll')"
        " || each.getBoundingClientRect().right <= document.documentElement.clientWidth + 1)"
    )


def test_a_dispute_walked_through_by_two_people(spring, opened_by, open_page, page_problems, tmp_path):
    spring.record((45_000, 25_000, 20_000, 10_000))
    penalty = log_penalty(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[1].pk,
        score=-80,
        reason="took a tile too early",
        by=spring.bob,
    )
    bob, alice, visitor = opened_by(spring.bob), opened_by(spring.alice), open_page(**PHONE)
    before = totals(visitor, spring.slug)
    table = f"/c/{spring.slug}/tables/{spring.table().pk}/"

    # 1 爭議: Bob, at the table.
    bob.goto(table)
    press(bob, "Open a dispute")
    bob.get_by_label("What happened?").fill("South says that the tile was drawn in turn.")
    bob.get_by_label("Hand", exact=True).select_option("East 3")
    press(bob, "Open the dispute")
    dispute = Dispute.objects.get()
    here = f"/c/{spring.slug}/disputes/{dispute.pk}/"
    assert bob.url.endswith(here)

    # A photograph from the phone, without the place where it was taken.
    photograph = tmp_path / "IMG_0001.jpg"
    photograph.write_bytes(taken_at_a_place())
    bob.get_by_text("Add a note or a photograph").click()
    bob.get_by_label("Photograph").set_input_files(photograph)
    bob.get_by_label("Note").fill("the discards")
    press(bob, "Keep it")
    assert bob.locator(".evidence img").evaluate("(picture) => picture.decode().then(() => true)")
    kept = Path(Evidence.objects.get().file.path)
    assert SECRET not in kept.read_bytes()

    # 2 初步裁決 and 3 恢復比賽: Bob.
    bob.get_by_label("What was said").fill("South: it was my turn.\nWest: it was not.")
    bob.get_by_label("What was decided").fill("The penalty stands.")
    press(bob, "Give the preliminary ruling")
    bob.locator("summary", has_text="Let play resume").click()
    press(bob, "Let play resume")

    # 4 異議溝通 and 5 裁決會議: Alice, who finds the matter in the list.
    alice.goto(f"/c/{spring.slug}/disputes/")
    alice.get_by_text("South says that the tile").click()
    alice.get_by_label("What was said").fill("South asks for the stream to be looked at.")
    press(alice, "Hear an objection")
    alice.get_by_label("What was said").fill("The stream shows that it was South's turn.")
    press(alice, "Record the ruling meeting")

    # Bob's page is old by now: what he tries is refused, and he reads what Alice wrote.
    bob.get_by_label("What was said").fill("South objects.")
    press(bob, "Hear an objection")
    bob.get_by_text("South asks for the stream to be looked at.").wait_for()
    bob.get_by_text("This matter stands at “ruling meeting”.").wait_for()
    assert ["422" in each for each in page_problems] == [True]
    page_problems.clear()

    # 6 最終裁決: Alice. It closes the matter, and is carried out: the penalty goes, the sheet is corrected.
    alice.get_by_label("What was decided").fill("The penalty is revoked, and the sheet corrected.")
    press(alice, "Give the final ruling")
    alice.get_by_text("The matter is closed. Play goes on.").wait_for()
    assert alice.get_by_role("heading", name="What follows").count() == 0
    alice.locator("summary", has_text="took a tile too early").click()
    alice.get_by_label("Why is it revoked?").fill("it was South's turn")
    press(alice, "Revoke")
    press(alice, "Correct the sheet")
    alice.locator("[name=east]").fill("430")
    alice.locator("[name=south]").fill("270")
    alice.locator("[name=reason]").fill("2,000 of the ruling")
    alice.locator("main form").get_by_role("button", name="Save").first.click()
    alice.wait_for_url(f"**{here}")
    assert alice.get_by_text("sheet corrected", exact=True).count() == 1
    assert alice.get_by_text("penalty revoked", exact=True).count() == 1
    assert no_wider_than_the_phone(alice)

    # The link is kept both ways.
    penalty.refresh_from_db()
    sheet = Sheet.objects.get(is_current=True)
    assert (penalty.revoked_in, sheet.dispute, sheet.version) == (dispute, dispute, 2)
    alice.goto(table)
    for words in ("revoked by a ruling", "by the ruling of a dispute"):
        assert alice.get_by_role("link", name=words).first.get_attribute("href") == here

    # The standings follow: South gets 2.0 of points and 8.0 of penalty back.
    after = totals(visitor, spring.slug)
    south, east = spring.players[1].name, spring.players[0].name
    assert (before[south], after[south]) == ("−3.0", "+7.0")
    assert (before[east], after[east]) == ("+65.0", "+63.0")

    # The audit page tells the story, oldest last.
    alice.goto(f"/c/{spring.slug}/manage/audit/")
    story = alice.locator("main").inner_text()
    told = [story.rfind(words) for words in AUDIT]
    assert -1 not in told
    assert told == sorted(told, reverse=True)
    # Nobody who does not belong there reads any of it.
    assert visitor.goto(here).url.find("/accounts/login/") > 0
    kept.unlink()


AUDIT = (
    "opened a dispute",
    "added evidence to a dispute",
    "The penalty stands.",
    "South asks for the stream to be looked at.",
    "The penalty is revoked, and the sheet corrected.",
    "closed a dispute",
    "it was South's turn",
    "2,000 of the ruling",
)


def test_a_call_appears_in_the_queue_by_itself(spring, opened_by, open_page):
    bob, visitor = opened_by(spring.bob), open_page(**PHONE)
    bob.goto(f"/c/{spring.slug}/calls/")
    bob.get_by_text("Nobody waits for a referee.").wait_for()

    visitor.goto(f"/c/{spring.slug}/tables/{spring.table(number=2).pk}/")
    press(visitor, "Call a referee")
    visitor.get_by_label("What is it about?").fill("Whose turn is it?")
    press(visitor, "Call a referee")
    visitor.get_by_text("A referee has been called.").wait_for()

    bob.get_by_text("Whose turn is it?").wait_for()  # within seconds, without a reload
    bob.get_by_text("waiting for 0 min").wait_for()
    press(bob, "I go")
    bob.get_by_text("You go there.").wait_for()

    visitor.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    visitor.get_by_text("A referee is on the way.").wait_for()
    press(bob, "Done")
    assert Call.objects.get().closed_by == spring.bob
    assert no_wider_than_the_phone(bob)


def seconds(text: str) -> int:
    minutes, rest = re.fullmatch(r"(\d+):(\d\d)", text).groups()
    return int(minutes) * 60 + int(rest)


def test_the_clock_counts_down_by_the_servers_time_and_rests_in_a_dispute(spring, open_page):
    start_clock(round_=spring.rounds[0], by=spring.bob, at=timezone.now() - timedelta(minutes=10))
    page = open_page(**PHONE)
    # The phone is half an hour behind.
    page.add_init_script("const now = Date.now; Date.now = () => now() - 1_800_000;")
    page.goto(f"/c/{spring.slug}/tables/{spring.table().pk}/")
    shown = page.locator("[data-left]")
    shown.filter(has_text=re.compile("^49:")).wait_for()
    first = seconds(shown.inner_text())
    page.wait_for_timeout(2_100)
    assert 1 <= first - seconds(shown.inner_text()) <= 4

    dispute = open_dispute(table=spring.table(), subject="x", by=spring.bob)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.get_by_text("the clock rests").wait_for()
    resting = shown.inner_text()
    assert 49 * 60 <= seconds(resting) <= 50 * 60
    page.wait_for_timeout(1_500)
    assert shown.inner_text() == resting
    assert dispute.paused_at is not None


def test_when_the_time_is_up_the_clock_says_so(spring, open_page):
    start_clock(round_=spring.rounds[0], by=spring.bob, at=timezone.now() - timedelta(minutes=61))
    Table.objects.filter(pk=spring.table(number=2).pk).update(extra_seconds=300)
    page = open_page(**PHONE)
    page.goto(f"/c/{spring.slug}/rounds/{spring.rounds[0].pk}/")
    clocks = page.locator("[data-left]")
    clocks.first.filter(has_text="time is up").wait_for()
    assert 200 < seconds(clocks.nth(1).inner_text()) <= 240
    assert no_wider_than_the_phone(page)


def test_without_script_the_page_tells_when_the_time_ends(spring, open_page):
    start_clock(round_=spring.rounds[0], by=spring.bob)
    page = open_page(java_script_enabled=False, **PHONE)
    page.goto(f"/c/{spring.slug}/tables/{spring.table().pk}/")
    assert page.locator("[data-left]").is_hidden()
    assert re.search(r"until \d\d:\d\d \(Asia/Hong_Kong\)", page.locator("main").inner_text())


def test_a_penalty_that_a_ruling_changes_is_logged_for_the_dispute(spring, opened_by):
    """From the dispute to the page that logs, and back in the story."""
    log_penalty(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[1].pk,
        score=-80,
        reason="late",
        by=spring.bob,
    )
    dispute = open_dispute(table=spring.table(), subject="x", by=spring.bob)
    bob = opened_by(spring.bob)
    bob.goto(f"/c/{spring.slug}/disputes/{dispute.pk}/")
    bob.get_by_label("What was decided").fill("It was too hard.")
    press(bob, "Give the preliminary ruling")
    bob.locator("summary", has_text="late").click()
    bob.get_by_label("Why is it revoked?").fill("too hard")
    press(bob, "Revoke and log another")
    assert f"dispute={dispute.pk}" in bob.url
    assert Penalty.objects.get().revoked_in == dispute
