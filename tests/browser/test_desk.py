"""The referee's desk in Chromium: it goes on by itself."""

import pytest
from django.urls import reverse

from league.calls.services import call_referee
from league.penalties.services import Act, log_offence
from tests.browser.kit import expect, look_again, press, unfold
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_call_appears_on_the_desk_after_a_refused_decision(open_page, sign_in, expect_complaints):
    here = club()
    here.add_round()
    here.competition.approval_from = "3"
    here.competition.save()
    asked = Act(infraction="A-VI", condition=1)
    log_offence(
        stage=here.stage,
        table=here.table(),
        player_id=here.players[0].pk,
        act=asked,
        by=here.bob,
        approves=False,
    )
    page = open_page()
    sign_in(page, here.alice)
    page.goto(reverse("penalties:desk", args=[here.slug]))
    unfold(page, "[name=reason]")
    press(page, "penalties:decide", verdict="decline")
    expect(page.get_by_role("alert")).to_be_visible()

    call_referee(table=here.table(number=2), by=None)
    look_again(page)

    expect(page.locator("#calls")).to_be_visible()
    expect(page.locator("#requests")).to_be_visible()
