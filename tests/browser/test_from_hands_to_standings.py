"""One hanchan from its first hand to the standings: hands on a phone, four signatures, an open screen."""

import pytest
from django.urls import reverse

from league.core.door import sheet_code
from league.extras.hall.services import add_screen, set_screen
from league.models import Competition, Round, Sheet
from scoring.settlement import settle
from scoring.units import decimal_text
from tests.browser.kit import expect
from tests.browser.test_at_table import SMALL, of_table
from tests.browser.test_hall import WALL
from tests.browser.test_hands import Keeper, keep_mleague
from tests.league.play.entry.at_table import signing_club
from tests.scoring.test_hanchan_records import mleague_game

pytestmark = pytest.mark.django_db(transaction=True)
SOON = 5000  # milliseconds


@pytest.mark.slow
def test_a_hanchan_is_kept_signed_and_in_the_standings_of_an_open_screen(open_page, transactional_db):
    made, record = signing_club(preset="mleague"), mleague_game()
    Competition.objects.update(release="at_once")
    Round.objects.update(visibility="results")
    screen = add_screen(competition=made.competition, name="Hall", by=made.alice)
    set_screen(screen=screen, values={"shows": "standings"}, by=made.alice)
    wall = open_page(**WALL)
    wall.goto(reverse("hall:screen", args=[made.slug, screen.slug]))
    loaded = []
    wall.on("framenavigated", lambda frame: loaded.append(frame.url))
    phones = []
    for seat in range(4):
        page = open_page(**SMALL)
        page.goto(f"/c/{made.slug}/t/1/{sheet_code(made.table())}/")
        page.locator(".at-who button").nth(seat).tap()
        expect(page.locator(".at-seats .at-own")).to_have_count(1)
        phones.append(page)

    phones[2].base_url = phones[2].url.split("/c/")[0]
    keep_mleague(Keeper(phones[2], made).open(), record)
    phones[2].locator(".hands-over a.btn-primary, a.btn-primary:has-text('sheet')").first.tap()
    phones[2].locator(".at-send [type=submit]").tap()
    expect(phones[2].locator(".at-signer")).to_have_count(4)
    assert not Sheet.objects.exists()
    for page in phones:
        page.goto(of_table("results:at_table", made))
        page.locator(".at-own .at-answer button").first.tap()
        expect(page.locator(".at-own .badge-state-done").first).to_be_visible()

    sheet = Sheet.objects.get()
    assert (list(sheet.points), sheet.status) == (record.final, "confirmed")
    rules = made.stage.division.rules
    best = max(settle(record.final, rules, sticks=sheet.sticks), key=lambda seat: seat.score)
    winner = made.players[best.wind]
    first = wall.locator("#screen li").first
    expect(first).to_contain_text(winner.name, timeout=SOON)
    expect(first).to_contain_text(decimal_text(best.score), timeout=SOON)
    assert loaded == []  # it followed without a reload
