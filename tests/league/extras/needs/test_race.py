"""The race to the lines of a stage: from the database to marks and pages."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from league.core.zones import day_of_play
from league.extras.needs.queries.outlook import can_prove, last_hanchan, marks_of, outlook
from league.extras.needs.queries.race import (
    chances_of,
    name_of,
    race_of,
    read_chances,
    write_chances,
)
from league.extras.needs.rules import MISSED, REACHED
from league.extras.needs.rules.hanchan import DEPENDS
from league.extras.needs.services import set_stage_end
from league.extras.needs.words.race import CUT, NOT_RELEGATED, PRACTICAL, PROMOTION, PROVEN, TITLE
from league.models import Ban, Competition, Round, Seat, Stage, Team, Waiver
from league.organizing.competitions.services import update_competition
from league.play.results.services import confirm_result
from league.play.rounds.services import set_visibility
from players.models import Player
from tests.factories import Club, as_seen, last_entry, signed_in
from tests.league.extras.needs.race import CLEAR, NARROW, fresh, played
from tests.league.organizing.interchange.files import competition_file, loaded
from tests.seasons import two_divisions
from tests.seeds import seeds
from tests.teams import NAMES as TEAMS
from tests.teams import play_to_the_end, team_club, team_round, teams_of

pytestmark = pytest.mark.django_db


def race(here: Club, *, public: bool = True, of_teams: bool = False):
    return race_of(fresh(here), public=public, of_teams=of_teams)


# --- what there is


def test_a_stage_with_rounds_to_come_is_a_race_for_the_title():
    found = race(played(4, planned=6))
    assert found is not None
    assert [(line.kind, line.rank) for line in found.lines] == [(TITLE, 1)]
    assert (found.rounds_left, len(found.contestants), len(found.season.results)) == (2, 8, 8)
    assert all(len(each.drawn) == 8 for each in found.season.rounds)


def test_two_players_of_one_name_are_distinguished():
    here = played(4, planned=6)
    Player.objects.filter(pk__in=[player.pk for player in here.players[:2]]).update(name="Anna Berg")

    found = race(here)

    assert {each.name for each in found.contestants} >= {"Anna Berg (p1)", "Anna Berg (p2)"}


def test_there_is_no_race_without_the_setting_after_the_last_round_or_without_their_number():
    here = played(4, planned=6)
    Competition.objects.filter(pk=here.competition.pk).update(shows_chances=False)
    assert race(here) is None
    assert race(played(4, planned=4, slug="over")) is None
    assert race(played(4, slug="unknown")) is None


def test_games_that_do_not_all_count_have_no_race():
    here = played(4, planned=6)
    Stage.objects.filter(pk=here.stage.pk).update(standard_hanchan=4, beyond=Stage.Beyond.BEST)
    assert race(here) is None


def test_the_planned_cut_takes_the_place_of_the_title_and_is_logged():
    here = played(4, planned=6)
    set_stage_end(stage=here.stage, rounds=6, places=4, by=here.alice)
    found = race(here)
    assert found is not None
    assert [(line.kind, line.rank) for line in found.lines] == [(CUT, 4)]
    entry = last_entry(here.competition)
    assert (entry.action, entry.after) == ("stage.end", {"planned_rounds": 6, "planned_cut": 4})


@pytest.mark.slow
def test_promotion_and_relegation_are_lines():
    made = two_divisions()
    for division in (made.upper, made.lower):
        made.play(division)
    Stage.objects.update(planned_rounds=3)
    upper, lower = (race_of(made.stage(division), public=True) for division in (made.upper, made.lower))
    assert upper
    assert lower
    assert [(line.kind, line.rank) for line in upper.lines] == [(TITLE, 1), (NOT_RELEGATED, 6)]
    assert [(line.kind, line.rank) for line in lower.lines] == [(TITLE, 1), (PROMOTION, 2)]


@pytest.mark.slow
def test_known_seats_are_tables_and_the_result_of_one_ends_it():
    here = played(4, planned=5)
    here.add_round()
    found = race(here)
    assert found is not None
    assert len(found.tables) == 2
    here.record(NARROW, round_number=5, number=1)
    found = race(here)
    assert found is not None
    assert [len(each.tables) for each in found.season.rounds] == [1]


@pytest.mark.slow
def test_a_score_sheet_that_waits_for_its_confirmation_leaves_its_table_open():
    here = played(4, planned=4)
    update_competition(competition=here.competition, values={"counting": "confirmed"}, by=here.alice)
    for round_number in (1, 2, 3, 4):
        for number in (1, 2):
            if (round_number, number) != (4, 1):
                confirm_result(**as_seen(here.table(round_number, number)), by=here.bob)
    found = race(here)
    assert found is not None
    assert list(found.tables) == [here.table(4, 1).pk]


def test_a_substitute_plays_for_no_contestant():
    here = played(4, planned=5)
    here.add_round()
    seat = here.table(5, 1).seats.get(wind=0)
    Seat.objects.filter(pk=seat.pk).update(player=here.players[0], stands_for=here.players[1])
    found = race(here)
    assert found is not None
    assert found.tables[here.table(5, 1).pk][0] == -here.players[0].pk
    assert not can_prove(found)
    assert chances_of(found) is not None


@pytest.mark.slow
def test_a_banned_player_does_not_get_through_unless_the_ban_is_waived():
    here = played(8, planned=9, points=CLEAR)
    leader = here.players[0].pk
    found = race(here)
    assert found is not None
    assert found.contestants[0].pk == leader
    assert f">{here.players[0].name}</a>" in chances_page(here).content.decode()
    today = day_of_play(here.competition)
    values = {"player_id": leader, "since": today, "until": None, "created_at": timezone.now()}
    ban = Ban.objects.create(league=here.league, created_by=here.alice, reason="cheated", **values)

    found = race(here)
    assert found is not None
    assert leader not in {each.pk for each in found.contestants}
    chances = chances_of(found)
    assert chances is not None
    assert sum(within[0] for within in chances.within.values()) == chances.ends
    content = read_chances(write_chances(here.competition, public=True))
    assert leader not in content[name_of(found)].within
    competition, by = here.competition, here.alice
    Waiver.objects.create(
        ban=ban, competition=competition, reason="final", created_by=by, created_at=ban.created_at
    )
    found = race(here)
    assert found is not None
    assert found.contestants[0].pk == leader


def test_a_banned_player_takes_no_place_of_those_who_stay():
    made = two_divisions()
    for division in (made.upper, made.lower):
        made.play(division)
    Stage.objects.update(planned_rounds=3)
    before = race_of(made.stage(made.upper), public=True)
    assert before is not None
    last = before.contestants[-1].pk
    values = {"since": day_of_play(made.competition), "until": None, "created_at": timezone.now()}
    Ban.objects.create(
        league=made.competition.league, player_id=last, created_by=made.club.alice, reason="cheated", **values
    )

    after = race_of(made.stage(made.upper), public=True)

    assert after is not None
    assert len(after.contestants) == len(before.contestants) - 1
    ranks = [{line.kind: line.rank for line in found.lines} for found in (before, after)]
    assert ranks[1] == {TITLE: 1, NOT_RELEGATED: ranks[0][NOT_RELEGATED] - 1}


# --- hidden rounds


def test_visitors_read_nothing_of_a_hidden_round():
    here = played(5, planned=6, points=CLEAR)
    set_visibility(
        round_=Round.objects.get(pk=here.rounds[-1].pk), visibility=Round.Visibility.HIDDEN, by=here.alice
    )
    public, staff = race(here, public=True), race(here, public=False)
    assert public
    assert staff
    assert (public.rounds_left, staff.rounds_left) == (2, 1)
    assert (len(public.season.results), len(staff.season.results)) == (8, 10)
    assert max(each.row.total for each in public.contestants) < max(
        each.row.total for each in staff.contestants
    )
    assert all(each.drawn and not each.tables for each in public.season.rounds)


def test_a_round_with_published_seats_alone_is_played_by_these_seats_for_visitors():
    here = played(5, planned=5)
    set_visibility(
        round_=Round.objects.get(pk=here.rounds[-1].pk), visibility=Round.Visibility.SEATING, by=here.alice
    )
    found = race(here)
    assert found is not None
    assert (found.rounds_left, len(found.tables)) == (1, 2)


# --- statements


def test_a_finished_leader_of_finished_players_is_proven_to_be_through():
    """One table of the last round is missing. Nothing is proven against its players."""
    here = played(4, planned=5, points=CLEAR)
    here.add_round()
    here.record(CLEAR, round_number=5, number=1)
    set_stage_end(stage=here.stage, rounds=5, places=7, by=here.alice)
    found = race(here)
    assert found is not None
    assert can_prove(found)
    leader, last = here.players[0].pk, here.players[3].pk
    line = found.lines[0]
    assert outlook(found, leader, line, None).kind == PROVEN
    assert outlook(found, leader, line, None).outcome == REACHED
    open_still = outlook(found, last, line, None)
    assert (open_still.outcome, open_still.kind) == (DEPENDS, "")
    assert outlook(found, here.players[4].pk, line, None).outcome == DEPENDS


@pytest.mark.slow
def test_a_lead_that_no_simulated_end_turns_is_practically_decided():
    here = played(8, planned=9, points=CLEAR)
    found = race(here)
    assert found is not None
    assert not can_prove(found)
    said = {each.pk: said for each, _line, said in marks_of(found, chances_of(found))}
    assert said[here.players[3].pk].outcome == MISSED
    assert said[here.players[3].pk].kind == PRACTICAL
    assert said[here.players[3].pk].ends == 2_000


@pytest.mark.slow
def test_the_last_hanchan_of_a_known_table_has_its_rivals_elsewhere():
    here = played(4, planned=5)
    here.add_round()
    found = race(here)
    assert found is not None
    made = last_hanchan(found, here.players[2].pk)
    assert made is not None
    last, seat = made
    assert (seat, len(last.reaches), len(last.elsewhere)) == (2, 4, 0)
    here.record(NARROW, round_number=5, number=2)
    found = race(here)
    assert found is not None
    made = last_hanchan(found, here.players[2].pk)
    assert made is not None
    assert (len(made[0].reaches), len(made[0].elsewhere)) == (0, 4)


@pytest.mark.slow
def test_chances_survive_being_kept():
    here = played(4, planned=6)
    found = race(here)
    assert found is not None
    kept = read_chances(write_chances(fresh(here).division.competition, public=True))
    assert kept == {name_of(found): chances_of(found)}


# --- pages


def chances_page(here: Club, client: Client | None = None, **query: str):
    address = reverse("needs:chances", args=[here.slug, here.division.slug, here.stage.slug])
    return (client or Client()).get(address, query)


@pytest.mark.slow
def test_the_page_of_chances_says_seed_and_estimate_and_asks_for_more_tables():
    here = played(4, planned=6)
    found = race(here)
    assert found is not None
    text = chances_page(here).content.decode()
    assert f"(seed {found.seed})" in text
    assert "An estimate" in text
    assert here.players[0].name in text
    few = chances_page(played(2, planned=6, slug="few")).content.decode()
    assert "Too few tables yet" in few
    none = chances_page(played(2, slug="none")).content.decode()
    assert "No chances for this stage" in none


@pytest.mark.slow
def test_without_the_setting_pages_are_gone_and_standings_have_no_marks():
    here = played(8, planned=9, points=CLEAR)
    standings = reverse("standings:competition", args=[here.slug])
    assert 'class="mark' in Client().get(standings).content.decode()
    update_competition(competition=here.competition, values={"shows_chances": False}, by=here.alice)
    text = Client().get(standings).content.decode()
    assert 'class="mark' not in text
    assert "chances" not in text
    assert chances_page(here).status_code == 404
    entrant = here.competition.entrants.first()
    assert Client().get(reverse("needs:player", args=[here.slug, entrant.pk])).status_code == 404


@pytest.mark.slow
def test_marks_lead_to_the_needs_of_the_player_and_name_their_kind():
    here = played(8, planned=9, points=CLEAR)
    text = Client().get(reverse("standings:competition", args=[here.slug])).content.decode()
    entrant = here.competition.entrants.get(player=here.players[3])
    assert f'href="{reverse("needs:player", args=[here.slug, entrant.pk])}"' in text
    assert "practically decided" in text
    assert "✗ 1st rank" in text


def test_no_marks_before_the_last_three_rounds():
    here = played(4, planned=8)
    text = Client().get(reverse("standings:competition", args=[here.slug])).content.decode()
    assert 'class="mark' not in text


@pytest.mark.slow
def test_the_page_of_a_player_says_what_suffices_in_the_last_hanchan():
    here = played(4, planned=5)
    here.add_round()
    here.record(NARROW, round_number=5, number=2)
    set_stage_end(stage=here.stage, rounds=5, places=4, by=here.alice)
    entrant = here.competition.entrants.get(player=here.players[0])
    text = Client().get(reverse("needs:player", args=[here.slug, entrant.pk])).content.decode()
    assert "Next stage (rank 4 or better)" in text
    assert "is enough, whatever else happens" in text
    assert "<li>1st place, not shared</li>" in text
    assert "<dt>1st place, not shared</dt>" in text
    assert "<dt>1st place, shared</dt>" in text
    table = Client().get(reverse("needs:table", args=[here.slug, here.table(5, 1).pk])).content.decode()
    assert table.count("is enough, whatever else happens") == 4


@pytest.mark.slow
def test_only_a_player_who_plays_again_waits_for_a_table():
    here = played(4, planned=5, points=CLEAR)
    waits = "The table of the last game is not known yet"

    def page(key: str) -> str:
        entrant = here.competition.entrants.get(key=key)
        return (
            signed_in(here.alice).get(reverse("needs:player", args=[here.slug, entrant.pk])).content.decode()
        )

    assert waits in page("p1")
    here.add_round()
    here.record(CLEAR, round_number=5, number=1)
    assert waits not in page("p1")
    assert "1 round to come" in page("p1")


@pytest.mark.slow
def test_the_organizer_sets_the_places_that_qualify():
    here = played(2)
    client = signed_in(here.alice)
    address = reverse("needs:stage_end", args=[here.slug, here.stage.pk])
    page = client.get(address)
    key = page.context["form"]["key"].value()
    assert client.post(address, {"key": key, "rounds": "x", "places": "4"}).status_code == 422
    done = client.post(address, {"key": page.context["form"]["key"].value(), "rounds": "6", "places": "4"})
    assert done.status_code == 302
    assert (fresh(here).planned_rounds, fresh(here).planned_cut) == (6, 4)
    assert Client().get(address).status_code in {302, 403}


# --- teams


@pytest.mark.slow
def test_teams_with_line_ups_race_with_the_seats_of_their_teams():
    here = team_club()
    for _ in range(8):
        play_to_the_end(here, TEAMS)
    set_stage_end(stage=here.stage, rounds=10, places=2, by=here.alice)
    team_round(here, TEAMS[::-1])
    found = race(here, public=False, of_teams=True)
    assert found is not None
    assert [(line.kind, line.rank) for line in found.lines] == [(CUT, 2)]
    assert list(found.tables.values()) == []
    assert [each.tables or each.drawn for each in found.season.rounds] == [
        tuple(teams_of(here, *TEAMS)),
        tuple(each.pk for each in found.contestants),
    ]
    chances = chances_of(found)
    assert chances is not None
    reds, greys = teams_of(here, "Reds", "Greys")
    assert chances.within[reds][0] > chances.within[greys][0]


@pytest.mark.slow
def test_teams_that_sum_their_players_race_with_the_players_as_seats():
    here = played(4, planned=6, points=CLEAR)
    Competition.objects.filter(pk=here.competition.pk).update(team_play=Competition.TeamPlay.SUM)
    teams = [Team.objects.create(competition=here.competition, key=f"t{n}", name=f"Team {n}") for n in (1, 2)]
    for number, player in enumerate(here.players):
        here.competition.entrants.filter(player=player).update(team=teams[number % 4 > 1])
    found = race(here, of_teams=True)
    assert found is not None
    assert [line.kind for line in found.lines] == [TITLE]
    assert set(found.season.team.values()) == {team.pk for team in teams}
    chances = chances_of(found)
    assert chances is not None
    assert chances.within[teams[0].pk] == (2_000,)
    address = reverse("needs:chances", args=[here.slug, here.division.slug, here.stage.slug])
    assert "Chances of the players" in Client().get(address, {"of": "teams"}).content.decode()
    assert "Team 1" in Client().get(reverse("needs:team", args=[here.slug, teams[0].pk])).content.decode()


@pytest.mark.slow
def test_pages_lead_to_chances_and_needs_while_rounds_of_a_known_number_are_to_come():
    here = played(2, planned=6, points=CLEAR)
    here.add_round()
    own = here.competition.entrants.get(key="p1").pk
    where = [here.slug, here.division.slug, here.stage.slug]
    table = Seat.objects.filter(round=here.rounds[-1]).first().table_id
    chances, needs = reverse("needs:chances", args=where), reverse("needs:player", args=[here.slug, own])
    links = {
        reverse("standings:stage", args=where): chances,
        reverse("standings:player", args=[here.slug, own]): needs,
        f"{reverse('seating:my_seat', args=[here.slug])}?player={own}": needs,
        reverse("results:table", args=[here.slug, table]): reverse("needs:table", args=[here.slug, table]),
    }

    def leads(*, planned: int | None, is_over: bool = False) -> set[bool]:
        over = timezone.now() if is_over else None
        Stage.objects.filter(pk=here.stage.pk).update(planned_rounds=planned)
        Competition.objects.filter(pk=here.competition.pk).update(
            finished_at=over, revision=F("revision") + 1, version=F("version") + 1
        )
        pages = {page: Client().get(page, follow=True).content.decode() for page in links}
        return {link in pages[page] for page, link in links.items()}

    assert leads(planned=6) == {True}
    assert leads(planned=6, is_over=True) == {False}
    assert leads(planned=None) == {False}


def test_an_empty_page_says_what_organizers_have_to_enter_and_leads_them_there():
    here = played(2)
    own = reverse("needs:player", args=[here.slug, here.competition.entrants.get(key="p1").pk])
    end = reverse("needs:stage_end", args=[here.slug, here.stage.pk])
    for client, leads in ((Client(), False), (signed_in(here.alice), True)):
        for page in (client.get(own), chances_page(here, client)):
            assert "The number of rounds of this stage is not known yet." in page.content.decode()
            assert (f'btn-primary" href="{end}"' in page.content.decode()) == leads


# --- waiting for the worker


@pytest.fixture
def worker(settings):
    """Keep tasks in the database until the function is called."""
    settings.TASKS = {
        "default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["files", "long", "outbox"]}
    }

    def work() -> None:
        for each in DBTaskResult.objects.all():
            each.task.call(*each.args_kwargs["args"], **each.args_kwargs["kwargs"])
            each.delete()

    return work


@pytest.mark.slow
def test_pages_wait_for_the_worker_and_then_show_chances_and_marks(worker):
    here = played(8, planned=9, points=CLEAR)
    standings = reverse("standings:competition", args=[here.slug])
    waiting = chances_page(here)
    assert (waiting.status_code, waiting["Refresh"]) == (503, "2")
    assert "are being computed" in waiting.content.decode()
    assert "practically decided" not in Client().get(standings).content.decode()
    worker()
    shown = chances_page(here)
    assert shown.status_code == 200
    assert "An estimate" in shown.content.decode()
    assert "practically decided" in Client().get(standings).content.decode()


@pytest.mark.slow
def test_pages_say_that_the_chances_failed_and_ask_again_after_a_minute(worker, monkeypatch):
    here, now = played(8, planned=9, points=CLEAR), timezone.now()
    own = reverse("needs:player", args=[here.slug, here.competition.entrants.get(key="p1").pk])
    monkeypatch.setattr(timezone, "now", lambda: now)
    assert "are being computed" in Client().get(own).content.decode()
    DBTaskResult.objects.update(status=TaskResultStatus.FAILED, finished_at=now)

    failed = chances_page(here)

    assert (failed.status_code, failed["Retry-After"], "Refresh" in failed) == (503, "60", False)
    assert "could not be computed" in failed.content.decode()
    assert "Try again</a>" in failed.content.decode()
    assert DBTaskResult.objects.ready().count() == 0
    now += timedelta(seconds=59)
    assert "could not be computed" in Client().get(own).content.decode()
    now += timedelta(seconds=60)
    assert "are being computed" in Client().get(own).content.decode()
    assert DBTaskResult.objects.ready().count() == 1
    DBTaskResult.objects.exclude(status=TaskResultStatus.READY).delete()
    worker()
    assert "An estimate" in Client().get(own).content.decode()


@pytest.mark.slow
def test_a_kept_standings_page_asks_the_database_for_nothing_more(django_assert_num_queries):
    here = played(8, planned=9, points=CLEAR)
    standings = reverse("standings:competition", args=[here.slug])
    Client().get(standings)
    with django_assert_num_queries(1):
        Client().get(standings)


@pytest.mark.parametrize("players", seeds([8, 16]))
def test_the_page_of_chances_takes_as_many_queries_for_any_number_of_players(
    django_assert_max_num_queries, players
):
    here = played(4, planned=6, players=players)
    with django_assert_max_num_queries(56):
        chances_page(here)


def test_setting_and_places_travel_in_the_competition_file():
    here = played(4, planned=6)
    set_stage_end(stage=here.stage, rounds=6, places=4, by=here.alice)
    update_competition(competition=here.competition, values={"shows_chances": False}, by=here.alice)
    file = competition_file(Competition.objects.get(pk=here.competition.pk))
    [stage] = file["divisions"][0]["stages"]
    assert (file["shows_chances"], stage["planned_rounds"], stage["planned_cut"]) == (False, 6, 4)
    copied = loaded(file | {"slug": "elsewhere"})
    assert competition_file(copied) == file | {"slug": "elsewhere"}
