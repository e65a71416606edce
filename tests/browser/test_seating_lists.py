"""In Chromium: the printed lists fit one sheet, the wall turns its pages, a phone finds its seat."""

import pytest

from league.models import Entrant, Round, Seat, Table
from players.models import Player
from tests.browser.kit import SCREEN, expect, printed_sheets
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def hall(db) -> Club:
    """40 tables, one player too many, names in two scripts."""
    made = club("spring", players=0, kind="event")
    register = made.league.register
    made.players = Player.objects.bulk_create(
        Player(register=register, name=f"陳大文{n}", romanized=f"Chan Tai Man {n}") for n in range(1, 162)
    )
    Entrant.objects.bulk_create(
        Entrant(competition=made.competition, player=player, division=made.division, key=f"p{player.pk}")
        for player in made.players
    )
    round_ = Round.objects.create(stage=made.stage, number=1, visibility=Round.Visibility.SEATING)
    made.rounds.append(round_)
    tables = Table.objects.bulk_create(Table(round=round_, number=number) for number in range(1, 41))
    Seat.objects.bulk_create(
        Seat(table=tables[at // 4], round=round_, wind=at % 4, player=player)
        for at, player in enumerate(made.players[:160])
    )
    return made


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh-hant"])
def test_forty_tables_are_one_sheet_by_table_and_by_name(hall, page, live_server, language):
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    for query in ("", "?by=name"):
        page.goto(f"/c/spring/rounds/{hall.rounds[0].pk}/seating/{query}")
        assert page.locator(".seating-who").count() == 160
        assert len(printed_sheets(page)) == 1


def test_a_phone_without_script_finds_the_seat_and_remembers(hall, open_page):
    phone = open_page(viewport=SCREEN, java_script_enabled=False)
    phone.goto("/c/spring/seat/")
    phone.locator("[name=q]").fill("man 30")
    phone.locator("[name=q]").press("Enter")
    phone.get_by_role("button", name="陳大文30").click()
    expect(phone.locator(".own-seat")).to_contain_text("8")

    phone.goto("/c/spring/seat/")

    expect(phone.locator(".own-seat")).to_contain_text("8")
    assert phone.locator(".own-others li").count() == 3


@pytest.mark.slow
def test_a_part_fits_the_wall_and_the_next_one_comes_by_itself(hall, open_page):
    wall = open_page(viewport={"width": 1280, "height": 720})
    wall.clock.install()
    wall.goto("/c/spring/screen/")
    sizes = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert wall.evaluate(sizes) == [1280, 720]
    expect(wall.locator("h2").first).to_have_text("Table 1")

    wall.clock.run_for(13_000)

    expect(wall.locator("h2").first).to_have_text("Table 10")

    wall.locator("h2").first.click()  # someone reads this part
    wall.clock.run_for(50_000)
    expect(wall.locator("h2").first).to_have_text("Table 10")
    wall.clock.run_for(20_000)
    expect(wall.locator("h2").first).not_to_have_text("Table 10")
