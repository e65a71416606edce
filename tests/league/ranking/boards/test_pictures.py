"""The picture that messengers show beside the address of a competition."""

import io

import pytest
from django.test import Client
from PIL import Image

from league.models import Competition, Stage
from league.ranking.boards.pictures import draw_ranking
from tests.factories import club

pytestmark = pytest.mark.django_db


def test_messengers_get_a_picture_of_public_standings_alone():
    here = club()
    here.add_round()
    here.record((45_000, 35_000, 25_000, 15_000))
    page = Client().get("/c/spring/").content.decode()
    shown = Client().get("/c/spring/standings.png")
    Competition.objects.update(visibility="private")

    assert '<meta property="og:image" content="http://testserver/c/spring/standings.png">' in page
    assert Image.open(io.BytesIO(shown.content)).size == (1200, 630)
    assert Client().get("/c/spring/standings.png").status_code == 404


def test_a_players_page_has_a_picture_of_the_lines_around_them():
    here = club(players=12)
    here.add_round()
    for number, points in enumerate([(45_000, 35_000, 25_000, 15_000)] * 3, 1):
        here.record(points, number=number)
    number = here.competition.entrants.get(player=here.players[8]).pk
    page = Client().get(f"/c/spring/players/{number}/").content.decode()

    shown = Client().get(f"/c/spring/players/{number}/standings.png").content

    assert f'content="{here.players[8].name} · League spring"' in page
    assert 'content="Rank' in page
    assert f'content="http://testserver/c/spring/players/{number}/standings.png"' in page
    assert Image.open(io.BytesIO(shown)).size == (1200, 630)
    assert shown != Client().get("/c/spring/standings.png").content


def test_the_picture_gives_no_rank_to_players_whom_the_standings_rank_not_yet():
    here = club()
    here.add_round()
    here.record((45_000, 35_000, 25_000, 15_000))
    Stage.objects.update(valid_hanchan=2)
    totals = (600, 100, -200, -500)
    unranked = [(None, each.name, "", total) for each, total in zip(here.players, totals, strict=False)]

    shown = Client().get("/c/spring/standings.png")

    assert shown.content == draw_ranking("League spring", "Club spring · Regular season", unranked)


def test_the_picture_says_that_the_rules_do_not_sum_to_zero():
    here = club(overrides={"oka": 0, "unbalanced": True})
    here.add_round()
    here.record((45_000, 35_000, 25_000, 15_000))
    totals = (400, 100, -200, -500)
    ranked = enumerate(zip(here.players, totals, strict=False), 1)
    lines = [(rank, each.name, "", total) for rank, (each, total) in ranked]
    heading = ("League spring", "Club spring · Regular season")

    shown = Client().get("/c/spring/standings.png").content

    assert shown == draw_ranking(*heading, lines, below="Table scores sum to −20.0, not 0.0.")
    assert shown != draw_ranking(*heading, lines)
