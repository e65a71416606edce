"""A club's evening in Chromium: a tap for each who comes, one to draw, slips, one for the next hanchan."""

import pytest
from django.urls import reverse

from league.models import Presence, Sheet, Table
from tests.browser.kit import PHONE, expect, is_wide
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_evening_of_two_hanchan_with_a_guest_on_a_phone(open_page, sign_in):
    here = club(players=12)
    here.stage.play = "free"
    here.stage.save()
    page = open_page(**PHONE)
    sign_in(page, here.alice)
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))

    # A tap for each, as fast as one can tap: none gets lost. The search finds the eighth.
    for player in here.players[:7]:
        page.locator(f".person-card[data-name^='{player.name}'] .person-tap").tap()
    expect(page.locator(".person-card.is-here")).to_have_count(7)
    page.get_by_role("searchbox").fill(here.players[7].name[-8:])
    expect(page.locator(".person-card:visible")).to_have_count(1)
    page.locator(".person-card:visible .person-tap").tap()
    expect(page.locator(".person-card.is-here")).to_have_count(8)
    page.locator("form.guest [name=name]").fill("<b>Guest</b>")
    page.locator("form.guest button").tap()
    expect(page.locator(".person-card.is-here")).to_have_count(9)
    assert not is_wide(page)

    for hanchan in (1, 2):
        page.locator("#draw button").tap()
        expect(page.locator(".evening-tables > form.slip")).to_have_count(2)
        for left in (1, 0):
            slip = page.locator(".evening-tables > form.slip").first
            slip.locator("[name=east]").focus()
            for points in ("400", "300", "300", "200"):  # Enter leads on, and saves at the end
                page.keyboard.type(points)
                page.keyboard.press("Enter")
            expect(page.locator(".evening-tables > form.slip")).to_have_count(left)
        assert Sheet.objects.count() == 2 * hanchan

    assert Table.objects.filter(round__stage=here.stage).count() == 4
    assert sorted(Presence.objects.values_list("sat_out", flat=True)) == [0] * 7 + [1] * 2
    expect(page.locator(".evening-ranking tbody tr")).to_have_count(9)
