"""A list without headings in Chromium: the question about its columns, and the tick that changes a record."""

import pytest

from league.organizing.competitions.services import create_competition
from players.models import Player
from tests.browser.kit import PHONE, expect
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_columns_are_asked_and_a_record_changes_only_with_its_tick(open_page, sign_in):
    spring = club(players=2)
    Player.objects.filter(pk=spring.players[0].pk).update(name="Anna Holm")
    autumn = create_competition(
        league=spring.league, name="Autumn", slug="autumn", preset_slug="ema-2016", by=spring.alice
    )
    page = open_page(java_script_enabled=False, **PHONE)
    sign_in(page, spring.alice)
    page.goto("/c/autumn/manage/players/import/")
    page.get_by_label("Players, one per line").fill("Anna\tHolm\tDE\nAnna\tRask\tFR")
    page.get_by_role("button", name="Check list").click()

    expect(page.get_by_role("button", name="Save")).to_have_count(0)
    page.get_by_role("radio", name="First name, last name").check()
    page.get_by_role("button", name="Check again").first.click()
    expect(page.get_by_role("row", name="Anna Holm")).to_contain_text("Country: – → DE")
    page.get_by_role("checkbox", name="Change the record").check()
    page.get_by_role("button", name="Save").click()

    expect(page.get_by_text("2 players added. 1 record changed.")).to_be_visible()
    entered = autumn.entrants.order_by("pk").values_list("player__name", "player__country")
    assert list(entered) == [("Anna Holm", "DE"), ("Anna Rask", "FR")]
    assert Player.objects.count() == 3
