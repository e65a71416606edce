"""The page of rankings: several side by side, by period, for each audience."""

import io
import uuid
from datetime import date

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from league.models import Entrant, Round, Stage
from league.play.rounds.services import set_visibility
from league.ranking.standings.queries.rankings import Period, period_of, periods, rankings
from scoring.rankings import Ranking
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    """A hanchan in April, one in May, and a hidden one."""
    made = club()
    for number, (day, points) in enumerate(
        (
            (date(2026, 4, 7), (45_000, 35_000, 25_000, 15_000)),
            (date(2026, 5, 5), (20_000, 50_000, 40_000, 10_000)),
            (date(2026, 5, 12), (60_000, 30_000, 20_000, 10_000)),
        ),
        1,
    ):
        made.add_round()
        made.record(points, round_number=number)
        Round.objects.filter(pk=made.rounds[-1].pk).update(date=day)
    set_visibility(round_=made.rounds[-1], visibility="hidden", by=made.alice)
    return made


def address(here: Club, query: str = "") -> str:
    stage = here.stage
    return reverse("standings:rankings", args=[here.slug, stage.division.slug, stage.slug]) + query


def text(client: Client, here: Club, query: str = "") -> str:
    answer = client.get(address(here, query))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def games(here: Club, period: Period | None, *, public: bool) -> list[int]:
    (lines,) = rankings(here.stage, [Ranking("games")], period, public=public)
    return [line.ranked.games for line in lines]


def test_a_time_counts_the_hanchan_of_its_days_and_the_public_sees_published_ones(here):
    assert games(here, None, public=True) == [2, 2, 2, 2]
    assert games(here, None, public=False) == [3, 3, 3, 3]
    assert games(here, Period(2026, month=4), public=True) == [1, 1, 1, 1]
    assert games(here, Period(2026, quarter=1), public=False) == []


def test_guests_take_no_place_unless_they_are_ranked(here):
    players = here.players
    Entrant.objects.filter(competition=here.competition, player=players[1]).update(is_guest=True)

    def ranks(**how: bool) -> list[tuple[int | None, int]]:
        (lines,) = rankings(here.stage, [Ranking("points")], None, public=True, **how)
        return [(line.ranked.rank, [each.pk for each in players].index(line.player.player)) for line in lines]

    assert ranks(with_guests=True) == [(1, 1), (2, 0), (3, 2), (4, 3)]
    assert ranks() == [(1, 0), (2, 2), (3, 3), (None, 1)]
    apart, ranked = text(Client(), here), text(Client(), here, "?guests=on&period=2026-05")
    assert ("guest</span>" in apart, "checked" in apart, "checked" in ranked) == (True, False, True)
    assert "period=2026-05&amp;guests=on" in ranked


def test_the_times_are_those_in_which_hanchan_were_played(here):
    codes = [each.code for each in periods(here.stage, public=True)]
    assert codes == ["2026-05", "2026-04", "2026-Q2", "2026"]
    assert [period_of(code).code for code in codes] == codes
    assert [period_of(code) for code in ("", "2026-13", "2026-Q5", "0000", "٢٠٢٦", "2026-05-01")] == [
        None
    ] * 6


def test_without_a_choice_totals_and_averages_are_shown(here):
    page = text(Client(), here)
    assert "Total" in page
    assert "Average of at least 10 game" in page
    assert "not enough games yet" in page


def test_another_ranking_is_shown_beside_the_others_and_taken_away_again(here):
    page = text(Client(), here, "?r=average-2&by=best&number=1&period=2026-05")
    assert "Average of at least 2 game" in page
    assert "Best game" in page
    assert 'href="?r=average-2&amp;period=2026-05"' in page


@pytest.mark.parametrize(
    "query",
    ["?r=tea-1", "?r=best-0&r=x", "?by=tea", "?number=-1&by=best", "?period=2026-99", "?r=total-99999"],
)
def test_what_no_page_offers_shows_the_usual_rankings(query, here):
    assert "Average of at least 10 game" in text(Client(), here, query)


def test_the_hidden_hanchan_is_the_staffs(here):
    assert "60,000" not in text(Client(), here, "?r=points-0")
    assert "60,000" in text(signed_in(here.alice), here, "?r=points-0")
    assert Client().get(address(here).replace(here.stage.slug, "tea")).status_code == 404


def test_a_club_keeps_its_own_rankings_and_downloads_them(here):
    alice, keep = signed_in(here.alice), reverse("standings:rankings_keep", args=[here.slug, here.stage.pk])
    chosen = {"key": str(uuid.uuid4()), "r": ["best-2", "tea-1", "games-0"]}

    assert "Show these rankings first" in text(alice, here, "?r=best-2&r=games-0")
    strangers = {client.post(keep, chosen).status_code for client in (Client(), signed_in(here.dora))}
    assert alice.get(keep).status_code == 405
    alice.post(keep, chosen)

    assert strangers <= {302, 403, 404}
    assert Stage.objects.get(pk=here.stage.pk).rankings == "best-2 games-0"
    assert "Average of at least 10 game" not in text(Client(), here)
    assert "Show these rankings first" not in text(alice, here)
    file = Client().get(address(here, "?file=xlsx"))
    assert file["Content-Disposition"].startswith('attachment; filename="')
    book = openpyxl.load_workbook(io.BytesIO(file.content))
    assert [sheet.title.split()[0] for sheet in book] == ["Best", "Most"]
    head, first, *_others = book.worksheets[1].iter_rows(values_only=True)
    assert head == ("Rank", "Name", "Games", "Value", "Key")
    assert first[0] == 1
