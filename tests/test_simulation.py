"""A few random events, checked after every round. ``python -m tests.simulation`` plays thousands."""

import pytest

from league.models import Seat, Sheet
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club
from tests.module_fixtures import module_fixture
from tests.seeds import seeds
from tests.simulation.checks import check_plan, check_standings
from tests.simulation.clubs import Season, play_season
from tests.simulation.event import Discrepancy, Event
from tests.simulation.play import play_event, thrown_away
from tests.simulation.referees import play_day, referees
from tests.simulation.rounds import play_round
from tests.simulation.seating import seat
from tests.simulation.teams import play_teams

pytestmark = pytest.mark.django_db

# Together they have nearly every kind of act that `tests.simulation` counted in 36 events and 50 days.
EVENTS = (9, 12, 20, 36, 23, 17, 26, 5, 10)
DAYS = (7, 13, 0, 4, 33, 12, 1, 2)


@pytest.mark.parametrize("seed", seeds(EVENTS, quick=3))
def test_plan_standings_page_pairing_and_cut_agree_in_a_random_event(seed):
    assert play_event(seed, most_players=12, most_rounds=2)["rounds"] > 0


@pytest.mark.parametrize("seed", seeds(2))
def test_in_a_random_season_of_a_club_sitting_out_is_fair(seed):
    assert play_season(seed, most_rounds=12)["sat out"] > 0


@pytest.mark.parametrize("seed", seeds(2))
def test_a_random_season_of_teams_is_even_and_sums_up(seed):
    assert play_teams(seed, most_days=3)["seasons"] == 1


@module_fixture
def hall() -> Club:
    return referees()


@pytest.mark.parametrize("seed", seeds(DAYS, quick=2))
def test_on_a_random_day_of_refereeing_levels_bans_and_sums_are_those_of_a_notebook(hall, seed):
    assert play_day(seed, hall, acts=5)["revoked"] >= 0


def test_a_season_in_which_one_sits_out_too_often_is_noticed():
    season = Season(always={1, 2, 3, 4, 5})
    season.count({1, 2, 3, 4, 5}, {1})
    with pytest.raises(Discrepancy, match="twice in a row"):
        season.count({1, 2, 3, 4, 5}, {1})
    season.last = set()
    with pytest.raises(Discrepancy, match="equally often"):
        season.count({1, 2, 3, 4, 5}, {1})


@pytest.fixture
def event() -> Event:
    """After a first round in which everything agrees."""
    made = Event(1, most_players=12)
    seat(made, 1)
    check_plan(made)
    play_round(made, 1)
    check_standings(made)
    return made


def test_a_sheet_that_says_something_else_is_noticed(event):
    sheet = Sheet.objects.filter(is_current=True, status="entered").first()
    sheet.east, sheet.south = sheet.east + 7_000, sheet.south - 7_000
    sheet.save()
    event.cast.competition.refresh_from_db()
    event.cast.competition.version += 1
    event.cast.competition.save()
    with pytest.raises(Discrepancy, match="the standings"):
        check_standings(event)


def test_a_player_in_another_seat_is_noticed(event):
    one = Seat.objects.filter(round__stage=event.fresh(), wind=0).order_by("pk")[0]
    away = Seat.objects.filter(round=one.round, stands_for__isnull=False).values("stands_for")
    free = event.cast.competition.entrants.exclude(player=one.player).exclude(player__in=away)
    other = free.order_by("pk")[0]
    Seat.objects.filter(pk=one.pk).update(stands_for=other.player)
    with pytest.raises(Discrepancy, match="who sits where"):
        check_plan(event)


def test_a_penalty_that_the_event_did_not_log_is_noticed(event):
    player = event.cast.players[0].pk
    log_penalty(stage=event.fresh(), player_id=player, score=-1_230, reason="late", by=event.alice)
    with pytest.raises(Discrepancy, match="the standings"):
        check_standings(event)


@pytest.mark.slow
def test_a_seed_plays_the_same_event_again():
    played = []
    for _ in range(2):
        with thrown_away():
            played.append(play_event(13, most_players=12, most_rounds=2))
    assert played[0] == played[1]
