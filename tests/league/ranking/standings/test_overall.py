"""The overall ranking of a division: the order over its stages, the score of every round."""

import io

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from league.models import Division
from league.organizing.roster.services.roster import withdraw_entrant
from league.ranking.standings import views
from league.ranking.standings.queries.overall import overall
from tests.factories import Club, signed_in
from tests.finals import open_final, play_final, tournament
from tests.module_fixtures import module_fixture
from tests.shown import html

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    """One round of two tables, and a final of the best four, whose result is hidden."""
    made = tournament()
    play_final(made, open_final(made), "hidden")
    return made


def test_a_final_orders_its_players_before_all_others(here):
    found = overall(here.division, public=False)
    final = here.division.stages.get(name="Final")
    seats = final.rounds.get().seats.order_by("-wind").values_list("player", flat=True)
    assert [row.player.player for row in found.rows][:4] == list(seats)
    assert [row.rank for row in found.rows] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert [(each.stage.name, each.rounds) for each in found.stages] == [
        ("Main event", (1,)),
        ("Final", (1,)),
    ]
    assert found.rows[0].stages[1] == ((600,), 600)
    assert found.rows[-1].stages == (((-500,), -500), ((None,), None))


def test_who_leaves_a_final_without_a_game_keeps_the_place_before_it(here):
    fifth, final = overall(here.division, public=False).rows[4].player, here.division.stages.get(name="Final")
    final.qualified.create(player_id=fifth.player, position=5)
    withdraw_entrant(entrant=here.competition.entrants.get(player=fifth.player), by=here.alice)

    rows = overall(Division.objects.get(pk=here.division.pk), public=False).rows

    assert (rows[4].rank, rows[4].player.player) == (5, fifth.player)


@pytest.mark.slow
def test_the_full_workbook_ranks_everyone_with_the_scores_of_all_rounds(here):
    address = reverse("interchange:workbook", args=[here.slug])
    full, public = (signed_in(here.alice).get(address + query) for query in ("?all=1", ""))
    assert [answer["Content-Disposition"].split('"')[1] for answer in (full, public)] == [
        *("spring-full.xlsx", "spring.xlsx")
    ]
    rows = list(openpyxl.load_workbook(io.BytesIO(full.content))["Overall ranking"].values)
    assert rows[0][2:-1] == ("Final Total", "Final Round 1", "Main event Total", "Main event Round 1")
    assert [row[0] for row in rows[1:]] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert rows[1][2:4] == (60, 60)
    heads = next(iter(openpyxl.load_workbook(io.BytesIO(public.content))["Overall ranking"].values))
    assert heads[2:-1] == ("Total", "Round 1")
    chinese = Client().get(address, headers={"Accept-Language": "zh-hant"})
    heads = next(iter(openpyxl.load_workbook(io.BytesIO(chinese.content))["總排名"].values))
    assert heads[3] == "第1輪"


def test_visitors_read_published_rounds_alone(here):
    answer = signed_in(here.alice).get(reverse("standings:overall", args=[here.slug, here.division.slug]))
    assert "Final" in html(answer)
    assert [each.stage.name for each in overall(here.division, public=True).stages] == ["Main event"]


def test_a_long_ranking_is_shown_in_pages(here, monkeypatch):
    monkeypatch.setattr(views, "CELLS_A_PAGE", 10)
    monkeypatch.setattr(views, "LEAST_LINES", 5)
    address = reverse("standings:overall", args=[here.slug, here.division.slug])
    answers = [signed_in(here.alice).get(f"{address}?page={number}") for number in (1, 2)]
    assert [len(answer.context["shown"]) for answer in answers] == [5, 3]
