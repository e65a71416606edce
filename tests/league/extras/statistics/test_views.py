"""The pages of charts and statistics: what they show, to whom, and of which addresses they make nothing."""

import re
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Entrant, Team
from league.play.results.services import void_result
from league.play.rounds.services import set_visibility
from tests.factories import Club, as_seen, club, signed_in
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)  # 60.0, 10.0, −20.0, −50.0 under HKMA A


@module_fixture
def spring() -> Club:
    made = club("spring")
    for number in (1, 2, 3):
        made.add_round()
        made.record(SHEET if number < 3 else SHEET[::-1], round_number=number)
    return made


def entrant_of(made: Club, index: int = 0) -> Entrant:
    return made.competition.entrants.get(player=made.players[index])


def get(made: Club, name: str, query: str = "", client: Client | None = None, **arguments):
    if not arguments and name in {"race", "matrix"}:
        arguments = {"division": made.division.slug, "stage": made.stage.slug}
    address = reverse(f"statistics:{name}", kwargs={"slug": made.slug, **arguments})
    return (client or Client()).get(address + query)


# --- a player


def test_a_player_has_rates_streaks_winds_and_opponents(spring):
    found = get(spring, "player", pk=entrant_of(spring).pk).context
    own = found["own"]
    assert (own.games, own.places, own.average_place) == (3, (2, 0, 0, 1), Fraction(6, 3))
    assert [(game.round_number, value) for game, value in (found["best"], found["worst"])] == [
        (1, 600),
        (3, -500),
    ]
    assert [
        (streak.length, first.round_number, last.round_number, now)
        for _, streak, first, last, now in found["streaks"]
    ] == [(2, 1, 2, 0)] * 3
    assert [(wind, each.games) for wind, each, _places, _bar in found["winds"]] == [(0, 3)]
    assert [
        (info.name, each.games, each.ahead, each.behind, each.average)
        for info, each, _bar in (row.record for row in found["opponents"].rows)
    ] == [
        ("張志強", 3, 2, 1, Fraction(2 * 1_100 - 1_100, 3)),
        ("王美麗", 3, 2, 1, Fraction(2 * 800 - 600, 3)),
        ("李小明", 3, 2, 1, Fraction(2 * 500 - 300, 3)),
    ]
    assert [texts for _label, texts in found["ranks"].rows] == [("1",), ("1",), ("1",)]


def test_a_void_table_and_a_hidden_round_count_for_no_visitor(spring):
    void_result(**as_seen(spring.table(2)), reason="wrong walls", by=spring.alice)
    set_visibility(round_=spring.rounds[2], visibility="hidden", by=spring.alice)
    pk = entrant_of(spring).pk
    assert get(spring, "player", pk=pk).context["own"].games == 1
    staff = signed_in(spring.charlie)
    assert get(spring, "player", pk=pk, client=staff).context["own"].games == 2
    assert get(spring, "player", "?view=public", pk=pk, client=staff).context["own"].games == 1


def test_a_player_without_a_game_has_an_empty_page(spring):
    found = get(spring, "player", pk=entrant_of(spring, 7).pk)
    assert found.context["own"].games == 0
    assert "No games yet" in found.content.decode()


def test_the_games_of_a_substitute_are_of_no_one(spring):
    spring.competition.entrants.filter(player=spring.players[0]).update(is_substitute=True)
    assert get(spring, "player", pk=entrant_of(spring).pk).context["own"].games == 0
    found = get(spring, "player", pk=entrant_of(spring, 1).pk).context
    assert found["own"].games == 3
    assert {row.record.info.name for row in found["opponents"].rows} == {"王美麗", "張志強"}


# --- a race


def test_a_race_shows_the_first_players_and_a_table_of_the_same_numbers(spring):
    answer = get(spring, "race")
    chart = answer.context["chart"]
    assert [line.name for line in chart.lines][:2] == ["陳大文", "李小明"]
    assert [label for label, _texts in chart.rows] == ["Start", "1", "2", "3"]
    assert [texts[0] for _label, texts in chart.rows] == ["0.0", "+60.0", "+120.0", "+70.0"]
    page = answer.content.decode()
    assert page.count("<polyline") == 2 * len(chart.lines)  # each line, and its key
    assert re.search(r'role="img" aria-labelledby="race-title race-desc"', page)
    assert "style=" not in page[page.index("<main") :]


def test_a_race_of_chosen_players_ignores_numbers_of_others(spring):
    two, other = entrant_of(spring, 2).pk, club("autumn").competition.entrants.first()
    found = get(spring, "race", f"?p={two}&p={other.pk}&p=x&p={10**30}&p=-1&by=rank").context
    assert [line.name for line in found["chart"].lines] == ["王美麗"]
    assert [is_here for _words, _query, is_here in found["views"]] == [False, True]


def test_teams_race_only_where_there_are_teams(spring):
    assert next(line.name for line in get(spring, "race", "?of=teams").context["chart"].lines) == "陳大文"
    team = Team.objects.create(competition=spring.competition, key="t", name="Tigers")
    spring.competition.entrants.filter(player__in=spring.players[:2]).update(team=team)
    spring.competition.team_play = "sum"
    spring.competition.revision += 1
    spring.competition.save()
    found = get(spring, "race", "?of=teams").context
    assert [(line.name, line.last) for line in found["chart"].lines] == [("Tigers", "+70.0")]
    assert len(found["views"]) == 4


def test_a_stage_of_another_competition_is_not_found(spring):
    assert get(spring, "race", division="main", stage="nowhere").status_code == 404
    assert get(spring, "matrix", division="nowhere", stage=spring.stage.slug).status_code == 404
    stranger = entrant_of(club("autumn"))
    assert get(spring, "player", pk=stranger.pk).status_code == 404


def test_a_stage_without_results_says_so():
    quiet = club("quiet")
    assert "No results yet" in get(quiet, "race").content.decode()
    assert "No results yet" in get(quiet, "matrix").content.decode()


# --- head to head


def test_a_matrix_has_a_line_for_each_player_who_played(spring, monkeypatch):
    found = get(spring, "matrix").context
    assert len(found["rows"]) == len(found["columns"]) == 4
    cells = {info.name: [cell and (cell.ahead, cell.behind) for cell in row] for info, row in found["rows"]}
    assert sorted(cells["陳大文"], key=bool) == [None, (2, 1), (2, 1), (2, 1)]
    assert found["left_out"] == 0
    monkeypatch.setattr("league.extras.statistics.views.MOST_IN_MATRIX", 3)
    spring.competition.refresh_from_db()
    spring.record(SHEET, round_number=1, number=2)
    found = get(spring, "matrix").context
    assert (len(found["rows"]), found["left_out"]) == (3, 5)


@pytest.mark.parametrize("name", ["race", "matrix"])
def test_pages_are_read_only(spring, name):
    address = reverse(f"statistics:{name}", args=[spring.slug, "main", spring.stage.slug])
    assert Client().post(address).status_code == 405
