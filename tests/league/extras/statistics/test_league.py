"""Records, ratings and a player's seasons of a league: only published results of competitions one may see."""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.access import enter
from league.extras.statistics.queries import league as queries
from league.extras.statistics.queries.games import games_alone, sources_of
from league.extras.statistics.queries.league import (
    FinalLine,
    career_of,
    final_lines,
    league_competitions,
    league_mers,
    league_ratings,
    league_records,
    played_in_order,
)
from league.extras.statistics.rules.ratings import rate_games
from league.extras.statistics.rules.sheets import HIGHEST_POINTS, MOST_GAMES
from league.models import AuditEntry, Competition, Entrant, Role, Round
from league.organizing.competitions.services import create_competition, finish_competition
from league.play.rounds.services import set_visibility
from players.models import Player
from tests.factories import Club, club, signed_in, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEETS = (
    (45_000, 35_000, 25_000, 15_000),
    (20_000, 31_000, 50_000, 19_000),
    (10_000, 21_000, 30_000, 59_000),
)


@dataclass
class Seasons:
    first: Club
    second: Club
    private: Club

    def __getitem__(self, index):
        return (self.first, self.second, self.private)[index]


@module_fixture
def league() -> Seasons:
    """Two public seasons and a private one of one league, with the same eight players."""
    first = club("spring")
    made = [first, season(first, "autumn"), season(first, "secret", visibility="private")]
    for index, each in enumerate(made):
        for number, sheet in enumerate(SHEETS, 1):
            each.add_round()
            each.record(sheet, round_number=number)
            each.record(sheet[index:] + sheet[:index], round_number=number, number=2)
        Round.objects.filter(stage=each.stage).update(date=date(2026, 3, 1) + timedelta(days=30 * index))
    return Seasons(*made)


def season(first: Club, slug: str, **options) -> Club:
    competition = create_competition(
        league=first.league,
        name=f"League {slug}",
        slug=slug,
        preset_slug="hkma-a-2025-04",
        by=first.alice,
        **options,
    )
    division = competition.divisions.get()
    for number, player in enumerate(first.players, 1):
        Entrant.objects.create(competition=competition, player=player, division=division, key=f"p{number}")
    people = {"alice": first.alice, "bob": first.bob, "charlie": first.charlie, "dora": first.dora}
    return Club(competition, division, division.stages.get(), first.players, **people)


def fresh(league: Seasons, *indexes: int) -> list[Competition]:
    return [
        Competition.objects.select_related("league").get(pk=league[index].competition.pk) for index in indexes
    ]


def get(made: Club, name: str, query: str = "", client: Client | None = None, **arguments):
    return (client or Client()).get(
        reverse(f"statistics:{name}", kwargs={"slug": made.slug, **arguments}) + query
    )


# --- what counts


def test_visitors_see_public_competitions_and_organizers_their_private_ones(league):
    def seen(person) -> set[str]:
        return {each.slug for each in league_competitions(enter(person, "spring"))}

    assert seen(user("mallory")) == {"spring", "autumn"}
    assert seen(league[0].alice) == {"spring", "autumn", "secret"}
    other = club("other")
    assert {each.slug for each in league_competitions(enter(other.alice, "other"))} == {"other"}


def test_a_hidden_round_counts_for_no_one(league):
    assert len(played_in_order(sources_of(fresh(league, 0)))) == 6
    before = league_ratings(fresh(league, 0, 1))
    hidden = league[0].add_round(visibility="hidden")
    league[0].record((99_000, 7_000, 7_000, 7_000), round_number=4)
    assert len(played_in_order(sources_of(fresh(league, 0)))) == 6
    assert league_ratings(fresh(league, 0, 1)) == before
    records = league_records(fresh(league, 0, 1))
    assert {each.record.value for each in records if each.record.kind == HIGHEST_POINTS} == {59_000}
    career = career_of(league[0].players[0].pk, fresh(league, 0, 1))
    assert career.own.games == 6
    for name, arguments in (("records", {}), ("ratings", {}), ("player", {"pk": entrant_of(league[0]).pk})):
        assert "99,000" not in get(league[0], name, **arguments).content.decode()

    set_visibility(round_=hidden, visibility="results", by=league[0].alice)

    records = league_records(fresh(league, 0, 1))
    assert {each.record.value for each in records if each.record.kind == HIGHEST_POINTS} == {99_000}
    assert "99,000" in get(league[0], "records", "?of=league").content.decode()
    assert league_ratings(fresh(league, 0, 1)) != before


def entrant_of(made: Club, index: int = 0) -> Entrant:
    return made.competition.entrants.select_related("player").get(player=made.players[index])


# --- records


def test_records_of_the_league_come_from_its_games(league):
    found = [each for each in league_records(fresh(league, 0, 1)) if each.record.kind == HIGHEST_POINTS]
    assert {(each.record.value, each.games[0].slug, each.games[0].round_number) for each in found} == {
        (59_000, "spring", 3),
        (59_000, "autumn", 3),
    }
    (most, *_others) = [
        each for each in league_records(fresh(league, 0, 1)) if each.record.kind == MOST_GAMES
    ]
    assert (most.record.value, most.games) == (6, ())


def test_the_page_names_three_holders_and_counts_the_others(league):
    found = {
        str(name): (value, lines, more)
        for name, value, lines, more in get(league[0], "records").context["records"]
    }
    value, lines, more = found["Most games"]
    assert (value, len(lines), more) == ("3", 3, 5)
    league[2].add_round()
    league[2].record((75_000, 25_000, 15_000, 5_000), round_number=4)
    pages = {
        name: get(league[0], "records", "?of=league", client).content.decode()
        for name, client in (("visitor", Client()), ("alice", signed_in(league[0].alice)))
    }
    assert {name: "League autumn" in page for name, page in pages.items()} == {"visitor": True, "alice": True}
    assert {name: "75,000" in page for name, page in pages.items()} == {"visitor": False, "alice": True}
    assert "League secret" not in pages["visitor"]


# --- ratings


def test_ratings_follow_the_games_day_by_day(league):
    competitions = fresh(league, 0, 1)
    played = played_in_order(sources_of(competitions))
    assert [each.slug for each in played] == ["spring"] * 6 + ["autumn"] * 6
    ratings = league_ratings(competitions)
    assert ratings.skills == rate_games(games_alone(played), {})
    days = [day for day, _rating in ratings.history(league[0].players[0].pk)]
    assert days == [date(2026, 3, 1), date(2026, 3, 31)]


def test_blocks_that_are_cached_give_the_same_ratings(league, monkeypatch):
    monkeypatch.setattr(queries, "BLOCK", 5)
    competitions = fresh(league, 0, 1)
    expected = rate_games(games_alone(played_in_order(sources_of(competitions))), {})
    assert league_ratings(competitions).skills == expected
    calls = []
    monkeypatch.setattr(
        queries, "rate_games", lambda games, before: calls.append(len(games)) or rate_games(games, before)
    )
    league[1].add_round()
    league[1].record(SHEETS[0], round_number=4)
    Round.objects.filter(stage=league[1].stage, number=4).update(date=date(2026, 5, 1))
    competitions = fresh(league, 0, 1)
    found = league_ratings(competitions)
    assert sum(calls) == 3  # two of the last block, and the new one
    assert found.skills == rate_games(games_alone(played_in_order(sources_of(competitions))), {})


def test_a_rating_is_shown_from_ten_games_on(league):
    assert len(get(league[0], "ratings").context["table"].rows) == 0
    for number in range(4, 9):
        league[0].add_round()
        league[0].record(SHEETS[0], round_number=number)
    found = get(league[0], "ratings").context
    lines = [row.record for row in found["table"].rows]
    assert [line.rated.games for line in lines] == [11] * 4
    assert [line.rank for line in lines] == [1, 2, 3, 4]
    assert [line.name for line in found["chart"].lines] == [line.entrant.player.name for line in lines]


def test_mers_rates_finished_tournaments_alone(league):
    today = date(2026, 6, 1)
    Competition.objects.all().update(kind="event", first_day=date(2026, 3, 1), last_day=date(2026, 3, 2))
    assert league_mers(fresh(league, 0, 1), today) == {}
    for each in league[:2]:
        for round_ in each.rounds:
            Round.objects.filter(pk=round_.pk).update(status="closed")
    Competition.objects.filter(slug__in=("spring", "autumn")).update(finished_at=timezone.now())
    found = league_mers(fresh(league, 0, 1), today)
    assert len(found) == 8
    ranks = [final_lines(each.divisions.select_related("competition").get()) for each in fresh(league, 0, 1)]
    for player, rated in found.items():
        bases = [round(1000 * (8 - of[player].rank) / 7) for of in ranks]
        assert rated.part_a == Fraction(2 * sum(bases), 2 * len(bases) + 3)  # weight 2, and three of base 0
    assert league_mers(fresh(league, 0, 1), date(2029, 1, 1)) == {}


# --- a player in all competitions


def test_a_career_has_its_seasons_with_rank_and_total(league):
    player = league[0].players[0].pk
    found = career_of(player, fresh(league, 1, 0))
    assert [(each.entrant.competition.slug, each.own.games, each.players) for each in found.seasons] == [
        ("autumn", 3, 8),
        ("spring", 3, 8),
    ]
    for each in found.seasons:
        assert each.line == FinalLine(each.line.rank, each.line.tied, each.own.total)
    assert (found.own.games, found.titles) == (6, 0)


def test_a_title_is_the_first_place_of_a_finished_competition(league):
    winner = next(player for player, line in final_lines(league[0].division).items() if line.rank == 1)
    assert career_of(winner, fresh(league, 0)).titles == 0
    for round_ in league[0].rounds:
        Round.objects.filter(pk=round_.pk).update(status="closed")
    finish_competition(competition=fresh(league, 0)[0], publish=True, by=league[0].alice)
    assert career_of(winner, fresh(league, 0)).titles == 1


def test_a_profile_is_for_staff_and_the_player_until_it_is_shown(league):
    spring, entrant = league[0], entrant_of(league[0])
    arguments = {"pk": entrant.pk}
    Role.objects.filter(competition=spring.competition, user=spring.dora).update(player=entrant.player)
    people = {name: signed_in(getattr(spring, name)) for name in ("alice", "charlie", "dora")}
    others = {"visitor": Client(), "mallory": signed_in(user("mallory"))}
    every = people | others

    def statuses():
        return {
            name: get(spring, "career", client=each, **arguments).status_code for name, each in every.items()
        }

    assert statuses() == {"alice": 200, "charlie": 200, "dora": 200, "visitor": 302, "mallory": 403}
    page = get(spring, "player", client=others["visitor"], **arguments).content.decode()
    assert "/career/" not in page

    address = reverse("statistics:profile", args=[spring.slug, entrant.pk])
    key = "11111111-1111-4111-8111-111111111111"
    assert [others[name].post(address, {"key": key, "show": "yes"}).status_code for name in others] == [
        302,
        403,
    ]
    assert people["charlie"].post(address, {"key": key, "show": "yes"}).status_code == 403
    assert Player.objects.get(pk=entrant.player_id).profile_since is None
    for _time in range(2):  # a form that is sent twice saves once
        assert people["dora"].post(address, {"key": key, "show": "yes"}).status_code == 302
    entries = AuditEntry.objects.filter(action="player.profile")
    assert [(each.before, each.after) for each in entries] == [
        ({"has_profile": False}, {"has_profile": True})
    ]
    assert statuses() == dict.fromkeys(every, 200)
    assert "/career/" in get(spring, "player", client=others["visitor"], **arguments).content.decode()

    people["alice"].post(address, {"key": key.replace("1", "2")})
    assert statuses()["visitor"] == 302


def test_a_profile_sums_up_only_what_the_reader_may_see(league):
    spring, entrant = league[0], entrant_of(league[0])
    Player.objects.filter(pk=entrant.player_id).update(profile_since=timezone.now())
    found = {
        name: get(spring, "career", client=client, pk=entrant.pk).context["own"].games
        for name, client in (("visitor", Client()), ("alice", signed_in(spring.alice)))
    }
    assert found == {"visitor": 6, "alice": 9}


def test_a_player_without_a_game_has_an_empty_profile(league):
    spring = league[0]
    spring.add_players(1)
    entrant = entrant_of(spring, 8)
    answer = get(spring, "career", client=signed_in(spring.alice), pk=entrant.pk)
    assert "No games yet" in answer.content.decode()
