"""Matchdays planned and moved, and the secret addresses of calendars."""

from datetime import date

import pytest
from django.utils import timezone

from league.core.errors import Refused
from league.models import AuditEntry, Competition, Round
from league.play.calendar.services.calendar import Day, plan_matchdays, renew_feed_key, set_dates
from league.play.calendar.services.table_times import set_time
from league.play.rounds.services import create_round, open_round, seat_players
from tests.factories import Club, with_texts
from tests.league.play.calendar.evenings_in_may import EVENING, NOW, POINTS, evenings
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return evenings()


# --- matchdays


def test_matchdays_are_planned_hidden_rounds_at_the_end(here):
    days = [Day(date(2026, 6, 1)), Day(date(2026, 6, 8), date(2026, 6, 14))]
    plan_matchdays(stage=here.stage, days=days, hanchan=2, by=here.alice)
    rounds = here.stage.rounds.filter(number__gt=1)
    assert list(rounds.values_list("number", "date", "until", "status", "visibility")) == [
        (2, date(2026, 6, 1), None, "planned", "hidden"),
        (3, date(2026, 6, 1), None, "planned", "hidden"),
        (4, date(2026, 6, 8), date(2026, 6, 14), "planned", "hidden"),
        (5, date(2026, 6, 8), date(2026, 6, 14), "planned", "hidden"),
    ]


@pytest.mark.parametrize(
    ("days", "hanchan", "why"),
    [
        ([], 4, "at least one day"),
        ([Day(date(2026, 6, 1))] * 101, 2, "At most 200 rounds .*, not 202"),
        ([Day(date(2026, 6, 1), date(2026, 5, 31))], 1, "ends before it begins"),
        ([Day(date(2026, 6, 1), date(2027, 6, 3))], 1, "at most 366 days"),
    ],
)
def test_a_plan_that_cannot_be_meant_is_refused_and_makes_nothing(here, days, hanchan, why):
    with pytest.raises(Refused, match=why):
        plan_matchdays(stage=here.stage, days=days, hanchan=hanchan, by=here.alice)
    assert here.stage.rounds.count() == 1


def test_open_play_has_no_matchdays(here):
    here.stage.play = "free"
    with pytest.raises(Refused, match="create their own tables"):
        plan_matchdays(stage=here.stage, days=[Day(date(2026, 6, 1))], hanchan=1, by=here.alice)


def test_a_change_of_dates_is_logged_once_a_round_that_changes(here):
    second = create_round(stage=here.stage, date=date(2026, 6, 1), by=here.alice)
    third = create_round(stage=here.stage, date=date(2026, 6, 2), by=here.alice)
    set_dates(rounds=[second, third], first=date(2026, 6, 2), reason="typhoon", by=here.alice)
    entry = with_texts(AuditEntry.objects.filter(action="round.dates").last())
    assert (entry.target, entry.before, entry.after) == (
        f"round:{second.pk}",
        {"date": "2026-06-01", "until": None},
        {"date": "2026-06-02", "until": None, "reason": "typhoon"},
    )
    assert set(Round.objects.filter(pk__in=[second.pk, third.pk]).values_list("date")) == {
        (date(2026, 6, 2),)
    }


def test_a_table_that_has_its_time_is_not_left_outside_of_its_window(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    with pytest.raises(Refused, match="Table 1 of round 1 meets on 6 May 2026"):
        set_dates(rounds=here.rounds, first=date(2026, 6, 1), until=date(2026, 6, 9), by=here.alice)
    set_dates(rounds=here.rounds, first=date(2026, 5, 6), by=here.alice)


# --- addresses


def test_a_calendar_address_is_ones_own_and_renewed(here):
    role = here.competition.roles.get(user=here.bob)
    first = renew_feed_key(competition=here.competition, role_id=role.pk, by=here.bob).feed_key
    Competition.objects.filter(pk=here.competition.pk).update(finished_at=NOW)
    second = renew_feed_key(competition=here.competition, role_id=role.pk, by=here.bob).feed_key
    assert first
    assert second
    assert first != second
    with pytest.raises(Refused, match="You no longer have this role"):
        renew_feed_key(competition=here.competition, role_id=role.pk, by=here.charlie)
    assert all(second not in str(e.after) for e in AuditEntry.objects.filter(action="role.feed"))


def test_an_owner_of_the_league_gets_the_role_for_an_address_of_their_own_once(here):
    role = renew_feed_key(competition=here.competition, role_id=None, by=here.alice)
    assert (role.user, role.kind, bool(role.feed_key)) == (here.alice, "organizer", True)
    last = AuditEntry.objects.filter(competition=here.competition).order_by("-sequence")[:2]
    assert [(entry.action, entry.after) for entry in last] == [
        ("role.feed", {"role": "organizer"}),
        ("role.grant", {"role": "organizer"}),
    ]
    with pytest.raises(Refused, match="This person already has this role"):
        renew_feed_key(competition=here.competition, role_id=None, by=here.alice)


def test_rounds_opened_with_a_window_are_played_as_others(here):
    second = create_round(stage=here.stage, by=here.alice)
    set_dates(rounds=[second], first=timezone.now().date(), by=here.alice)
    seat_players(round_=second, tables={1: [p.pk for p in here.players[:4]]}, by=here.alice)
    open_round(round_=second, by=here.alice)
    assert here.record(POINTS, round_number=2).version == 1
