"""In Chromium: the printed lists fit one sheet, the wall turns its pages, a phone finds its seat."""

import re
from pathlib import Path

import pytest

from league.models import Entrant, Round, Seat, Table
from players.models import Player
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


def sheets_of_paper(page, tmp_path: Path) -> int:
    printed = tmp_path / "list.pdf"
    page.pdf(path=printed, prefer_css_page_size=True)
    return len(re.findall(rb"/Type\s*/Page\b", printed.read_bytes()))


@pytest.mark.parametrize("language", ["en", "zh-hant"])
def test_forty_tables_are_one_sheet_by_table_and_by_name(hall, page, live_server, language, tmp_path):
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    for query in ("", "?by=name"):
        page.goto(f"/c/spring/rounds/{hall.rounds[0].pk}/seating/{query}")
        assert page.locator(".seating-who").count() == 160
        assert sheets_of_paper(page, tmp_path) == 1


def test_a_phone_without_script_finds_the_seat_and_remembers(hall, open_page):
    phone = open_page(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    phone.goto("/c/spring/seat/")
    phone.get_by_role("searchbox").fill("man 30")
    phone.get_by_role("button", name="Find").click()
    phone.get_by_role("button", name="陳大文30").click()
    assert "Table 8" in phone.locator(".own-seat").inner_text()

    phone.goto("/c/spring/seat/")

    assert "Table 8" in phone.locator(".own-seat").inner_text()
    assert phone.locator(".own-others li").count() == 3


def test_a_part_fits_the_wall_and_the_next_one_comes_by_itself(hall, open_page):
    wall = open_page(viewport={"width": 1280, "height": 720})
    wall.clock.install()
    wall.goto("/c/spring/screen/")
    sizes = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    assert wall.evaluate(sizes) == [1280, 720]
    assert wall.locator("h2").first.inner_text() == "Table 1"

    wall.clock.run_for(13_000)

    wall.get_by_role("heading", name="Table 10", exact=True).wait_for()
