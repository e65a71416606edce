"""A chombo from a phone at the table, past the referee, to the standings."""

import pytest
from django.urls import reverse

from league.core.door import round_code, table_code
from league.models import Competition, Penalty, Round, Sheet
from scoring.units import decimal_text
from tests.browser.kit import expect, press
from tests.browser.test_at_table import SMALL, of_table
from tests.browser.test_hands import Keeper
from tests.league.play.entry.at_table import signing_club

pytestmark = pytest.mark.django_db(transaction=True)
WEST = 2


@pytest.mark.slow
def test_a_chombo_from_a_phone_reaches_the_standings(open_page, sign_in, transactional_db):
    made = signing_club(preset="mleague")
    Competition.objects.update(release="at_once")
    Round.objects.update(visibility="results")
    phones = []
    for seat in range(4):
        page = open_page(**SMALL)
        page.goto(f"/c/{made.slug}/t/1/{table_code(made.division, 1)}/")
        page.locator("[name=digits]").fill(round_code(made.table().round))
        page.get_by_role("button", name="Open table").tap()
        page.locator(".at-who button").nth(seat).tap()
        expect(page.locator(".at-seats .at-own")).to_have_count(1)
        phones.append(page)
    phone, west = phones[1], made.players[WEST].name
    phone.base_url = phone.url.split("/c/")[0]
    keeper = Keeper(phone, made).open()

    keeper.tap("more", "chombo", f"seat-{WEST}")
    warning = phone.locator(".hands-note.alert-warning")
    expect(warning).to_have_text(f"{west}: −20.0 to the total for the chombo. A referee decides.")
    keeper.tap("save")
    expect(phone.locator(".hands-request")).to_have_text(
        f"{west}, East 1, honba 0: C Chombo (−20.0). A referee decides."
    )
    for dealer in (0, 1, 2, 3, 0, 1, 2, 3):
        keeper.tsumo(1 if dealer != 1 else 3)
    expect(phone.locator(".hands-over")).to_be_visible()
    phone.locator("a.btn-primary:has-text('sheet')").first.tap()
    phone.locator(".at-send [type=submit]").tap()
    expect(phone.locator(".at-signer")).to_have_count(4)
    for each in phones:
        each.goto(of_table("results:at_table", made))
        each.locator(".at-own .at-answer button").first.tap()
        expect(each.locator(".at-own .badge-state-done").first).to_be_visible()
    assert not Sheet.objects.exists()

    referee = open_page()
    sign_in(referee, made.bob)
    referee.goto(reverse("penalties:desk", args=[made.slug]))
    expect(referee.locator(".request")).to_contain_text("From the log of hands of the table.")
    press(referee, "penalties:decide")

    assert Penalty.objects.get().status == "in_force"
    rules = made.stage.division.rules
    score = {seat.wind: seat.score for seat in Sheet.objects.get().settled(rules)}[WEST]
    visitor = open_page()
    visitor.goto(reverse("standings:stage", args=[made.slug, made.division.slug, made.stage.slug]))
    row = visitor.locator("tr", has_text=west).first
    expect(row).to_contain_text(decimal_text(score - 200).replace("-", "−"))
