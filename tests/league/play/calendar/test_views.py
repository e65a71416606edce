"""The calendar's pages: what everyone reads, and planning."""

from datetime import date, timedelta

import pytest

from league.core.zones import day_of_play
from league.models import Competition, Round, Stage
from league.organizing.competitions.services import create_competition
from league.play.calendar.services.calendar import Day, plan_matchdays
from league.play.calendar.services.table_times import postpone_tables, set_time
from league.play.rounds.services import create_round, set_visibility
from league.ranking.teams.services import seat_season
from tests.factories import Club, signed_in
from tests.league.play.calendar.evenings import address, evening, evenings, post, text, today
from tests.module_fixtures import module_fixture
from tests.teams import NAMES, team_club

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return evenings()


# --- the page


def test_the_public_sees_days_of_announced_rounds_and_no_page_of_them(here, client):
    made = Round.objects.create(stage=here.stage, number=2, date=today() + timedelta(days=30), announced=True)
    page = text(client.get(address("calendar:calendar", here)))
    assert f'href="{address("rounds:round", here, here.rounds[0].pk)}"' in page
    assert f'<time datetime="{made.date.isoformat()}">' in page
    assert address("rounds:round", here, made.pk) not in page


def test_a_hidden_round_that_is_played_is_not_in_the_calendar(here, client):
    made = Round.objects.create(stage=here.stage, number=2, date=today() + timedelta(days=30), status="open")
    mark = f'datetime="{made.date.isoformat()}"'
    assert mark not in text(client.get(address("calendar:calendar", here)))
    staff = signed_in(here.charlie)
    assert mark in text(staff.get(address("calendar:calendar", here)))
    assert mark not in text(staff.get(address("calendar:calendar", here) + "?view=public"))


def test_a_hidden_round_shows_its_date_only_while_it_is_announced(here, client):
    day = today() + timedelta(days=30)
    made = create_round(stage=here.stage, date=day, by=here.alice)
    pages = [address("calendar:calendar", here), address("calendar:competition_feed", here)]

    def shown() -> list[bool]:
        return [
            day.isoformat() in (said := client.get(page).content.decode()) or f"{day:%Y%m%d}" in said
            for page in pages
        ]

    assert shown() == [False, False]
    assert "visible to staff only" in text(signed_in(here.alice).get(pages[0]))
    where = address("calendar:round_dates", here, made.pk)
    post(signed_in(here.alice), where, first=day.isoformat(), together="on", announced="on")
    assert shown() == [True, True]
    set_visibility(round_=made, visibility="seating", by=here.alice)
    set_visibility(round_=made, visibility="hidden", by=here.alice)
    assert shown() == [False, False]


def test_the_days_of_a_team_season_name_the_four_teams_of_each_table_once_they_are_published(client):
    here = team_club("teams")
    day = today() + timedelta(days=30)
    plan_matchdays(stage=here.stage, days=[Day(day)], hanchan=3, by=here.alice)
    rounds = seat_season(stage=here.stage, tables=1, same_all_day=True, again=False, seed=1, by=here.alice)
    where = address("calendar:calendar", here)

    assert "Round 1–3, table 1" in text(signed_in(here.alice).get(where))
    assert "table 1" not in text(client.get(where))
    set_visibility(round_=rounds[1], visibility="seating", by=here.alice)
    page = client.get(where)
    assert "Round 2, table 1" in text(page)
    assert all(f">{name}</a>" in page.content.decode() for name in NAMES)


def test_what_is_past_and_what_is_coming_are_apart(here, client):
    Round.objects.create(stage=here.stage, number=2, date=date(2020, 1, 5), visibility="results")
    coming = text(client.get(address("calendar:calendar", here)))
    past = text(client.get(address("calendar:calendar", here) + "?when=past"))
    assert ("2020-01-05" in coming, "2020-01-05" in past) == (False, True)
    assert (today().isoformat() in coming, f'time datetime="{today().isoformat()}"' in past) == (True, False)


def test_a_division_is_shown_alone_and_another_one_is_not_found(here, client):
    shown = client.get(address("calendar:calendar", here), {"division": here.division.slug})
    assert today().isoformat() in text(shown)
    assert client.get(address("calendar:calendar", here), {"division": "nowhere"}).status_code == 404


def test_times_are_those_of_the_competition_and_a_postponed_table_tells_both_days(here, client):
    set_time(table=here.table(), meets_at=evening(2), place="Club room", by=here.alice)
    postpone_tables(tables=[here.table()], reason="typhoon", meets_at=evening(40), by=here.alice)
    page = text(client.get(address("calendar:calendar", here)))
    assert f'datetime="{evening(40).isoformat()}">19:30</time>' in page
    assert f'time datetime="{(today() + timedelta(days=2)).isoformat()}"' in page
    assert page.count("typhoon") == 2


def test_the_calendar_takes_as_many_queries_for_one_table_as_for_three(
    here, client, django_assert_num_queries
):
    def look() -> None:
        client.get(address("calendar:calendar", here) + "?division=&division=")  # a page that is not kept

    set_time(table=here.table(), meets_at=evening(2), by=here.alice)
    look()
    with django_assert_num_queries(10):
        look()
    set_time(table=here.table(number=2), meets_at=evening(3), by=here.alice)
    for number in range(2, 9):
        Round.objects.create(stage=here.stage, number=number, date=today() + timedelta(days=number))
    with django_assert_num_queries(10):
        look()


# --- planning


def test_an_organizer_plans_many_rounds_at_once(here):
    alice = signed_in(here.alice)
    where = address("calendar:matchdays", here, here.stage.pk)
    fields = {"hanchan": 2, "first": "2026-06-01", "every": "14", "count": 3, "window": "14"}
    assert post(alice, where, **fields).url == address("calendar:calendar", here)
    found = here.stage.rounds.filter(number__gt=1).values_list("number", "date", "until")
    assert list(found) == [
        (2, date(2026, 6, 1), date(2026, 6, 14)),
        (3, date(2026, 6, 1), date(2026, 6, 14)),
        (4, date(2026, 6, 15), date(2026, 6, 28)),
        (5, date(2026, 6, 15), date(2026, 6, 28)),
        (6, date(2026, 6, 29), date(2026, 7, 12)),
        (7, date(2026, 6, 29), date(2026, 7, 12)),
    ]


def proposal(here) -> tuple[object, ...]:
    form = signed_in(here.alice).get(address("calendar:matchdays", here, here.stage.pk)).context["form"]
    return tuple(form[name].value() for name in ("first", "every", "count"))


def test_matchdays_are_proposed_from_the_first_day_of_the_season(here):
    here.stage.rounds.all().delete()
    competition = here.competition
    assert proposal(here) == (day_of_play(competition), 7, 8)
    Competition.objects.filter(pk=competition.pk).update(first_day=date(2026, 10, 4))
    assert proposal(here) == (date(2026, 10, 4), 7, 8)
    Competition.objects.filter(pk=competition.pk).update(last_day=date(2026, 11, 7))
    assert proposal(here) == (date(2026, 10, 4), 7, 5)
    Competition.objects.filter(pk=competition.pk).update(kind="event", last_day=date(2026, 10, 5))
    assert proposal(here) == (date(2026, 10, 4), 1, 2)


def test_matchdays_follow_the_interval_of_the_league_and_then_of_the_stage(here):
    competition = here.competition
    earlier = create_competition(
        league=competition.league,
        name="Earlier",
        kind=competition.kind,
        preset_slug="wrc-2025",
        by=here.alice,
    )
    days = [Day(date(2025, 1, day)) for day in (1, 4, 7, 20)]
    stage = Stage.objects.of(earlier).get()
    plan_matchdays(stage=stage, days=days, hanchan=2, by=here.alice)
    here.stage.rounds.all().delete()
    Competition.objects.filter(pk=here.competition.pk).update(first_day=date(2026, 10, 4))
    assert proposal(here) == (date(2026, 10, 4), 3, 8)
    page = signed_in(here.alice).get(address("calendar:matchdays", here, here.stage.pk)).content.decode()
    assert "every 3 days" in page

    days = [Day(date(2026, 10, day)) for day in (4, 18)]
    plan_matchdays(stage=here.stage, days=days, hanchan=1, by=here.alice)
    assert proposal(here) == (date(2026, 11, 1), 14, 8)


def test_typed_days_go_before_and_a_window_may_be_typed(here):
    fields = {
        "hanchan": 1,
        "first": "2026-01-01",
        "count": 9,
        "typed": "2026-06-01\n\n2026-06-08 – 2026-06-20\n",
    }
    post(signed_in(here.alice), address("calendar:matchdays", here, here.stage.pk), **fields)
    assert list(here.stage.rounds.filter(number__gt=1).values_list("date", "until")) == [
        (date(2026, 6, 1), None),
        (date(2026, 6, 8), date(2026, 6, 20)),
    ]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"typed": "next Friday"}, "“next Friday” is not a date"),
        ({"typed": "2026-02-30"}, "“2026-02-30” is not a date"),
        ({"typed": "20026-06-01"}, "is not a date"),
        ({"typed": "0001-06-01"}, "Check the year"),
        ({"typed": "2026-06-08 2026-06-01"}, "ends before it begins"),
        ({"first": ""}, "Choose the first day"),
        ({"first": "2026-06-01", "count": ""}, "Enter the number of days."),
        ({"first": "2026-06-01", "count": "120", "hanchan": "2"}, "not 240"),
    ],
)
def test_a_plan_that_cannot_be_read_is_shown_again_with_what_was_typed(here, fields, why):
    where = address("calendar:matchdays", here, here.stage.pk)
    response = post(signed_in(here.alice), where, **({"hanchan": 1, "count": 2} | fields))
    assert response.status_code == 422
    assert why in response.content.decode()
    assert here.stage.rounds.count() == 1


def test_the_day_of_a_whole_matchday_is_changed_or_of_one_round(here):
    alice = signed_in(here.alice)
    rounds = [Round.objects.create(stage=here.stage, number=n, date=date(2026, 6, 1)) for n in (2, 3, 4)]
    where = address("calendar:round_dates", here, rounds[0].pk)
    assert "Round 2, Round 3, Round 4" in text(alice.get(where))
    post(alice, where, first="2026-06-08", together="on")
    post(alice, where, first="2026-06-09")
    assert list(here.stage.rounds.filter(number__gt=1).values_list("date", flat=True)) == [
        date(2026, 6, 9),
        date(2026, 6, 8),
        date(2026, 6, 8),
    ]
    refused = post(alice, where, first="2026-06-09", until="2026-06-01")
    assert refused.status_code == 422
    assert "ends before it begins" in refused.content.decode()
