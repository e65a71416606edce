"""The first or last day of a competition changes: its rounds move with it, or stay, and the page asks."""

from datetime import date, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.core.errors import OutOfDate
from league.core.zones import zone_of
from league.models import Appointment, Competition, Round, Table
from league.organizing.competitions.services import update_competition
from league.play.calendar.queries.moves import find_moves
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture
from tests.pages.forms import forms_of
from tests.shown import fields, said

pytestmark = pytest.mark.django_db

FIRST, SECOND = date(2199, 5, 2), date(2199, 5, 3)
WEEK = timedelta(days=7)


@module_fixture
def here() -> Club:
    """A tournament of two days with two rounds a day, and one round without a day."""
    made = club(kind="event")
    Competition.objects.filter(pk=made.competition.pk).update(first_day=FIRST, last_day=SECOND)
    for day in (FIRST, FIRST, SECOND, SECOND, None):
        round_ = made.add_round(opened=False)
        Round.objects.filter(pk=round_.pk).update(date=day, announced=True)
    return made


@pytest.fixture
def alice(here: Club) -> Client:
    return signed_in(here.alice)


def settings_address(here: Club) -> str:
    return reverse("competitions:settings_event", args=[here.slug])


def save(client: Client, here: Club, **typed: str):
    address = settings_address(here)
    return client.post(address, fields(client.get(address)) | typed)


def answer(client: Client, asked, choice: str):
    """Press one of the buttons of the question."""
    page = asked.content.decode()
    form = next(each for each in forms_of(page, asked.request["PATH_INFO"]) if "mark" in each.fields)
    typed = {name: found[-1] for name, found in form.fields.items()}
    return client.post(form.action, typed | {"rounds": choice}, follow=True)


def days_of(here: Club) -> list[date | None]:
    return list(Round.objects.filter(stage=here.stage).order_by("number").values_list("date", flat=True))


def competition_days(here: Club) -> tuple[date | None, date | None]:
    return Competition.objects.values_list("first_day", "last_day").get(pk=here.competition.pk)


def later(here: Club, client: Client):
    return save(client, here, first_day=f"{FIRST + WEEK}", last_day=f"{SECOND + WEEK}")


def test_the_page_asks_and_lists_every_round_with_its_new_day(here: Club, alice: Client) -> None:
    asked = later(here, alice)

    moves = asked.context["moves"]
    assert asked.status_code == 200
    assert [(each.round.number, each.round.date, each.day) for each in moves.rounds] == [
        *((1, FIRST, FIRST + WEEK), (2, FIRST, FIRST + WEEK)),
        *((3, SECOND, SECOND + WEEK), (4, SECOND, SECOND + WEEK)),
    ]
    assert (competition_days(here), days_of(here)) == ((FIRST, SECOND), [FIRST, FIRST, SECOND, SECOND, None])


def test_all_rounds_move_by_the_same_number_of_days(here: Club, alice: Client) -> None:
    done = answer(alice, later(here, alice), "move")

    moved = [FIRST + WEEK, FIRST + WEEK, SECOND + WEEK, SECOND + WEEK, None]
    assert said(done) == ["Settings saved. 4 rounds moved."]
    assert (competition_days(here), days_of(here)) == ((FIRST + WEEK, SECOND + WEEK), moved)


def test_the_rounds_are_kept_on_their_days(here: Club, alice: Client) -> None:
    done = answer(alice, later(here, alice), "keep")

    assert said(done) == ["Settings saved. The rounds stay on their days."]
    assert competition_days(here) == (FIRST + WEEK, SECOND + WEEK)
    assert days_of(here) == [FIRST, FIRST, SECOND, SECOND, None]


def test_other_settings_of_the_form_are_saved_with_the_answer(here: Club, alice: Client) -> None:
    days = {"first_day": f"{FIRST + WEEK}", "last_day": f"{SECOND + WEEK}"}

    answer(alice, save(alice, here, name="Open 2199", **days), "move")

    here.competition.refresh_from_db()
    assert (here.competition.name, here.competition.first_day) == ("Open 2199", FIRST + WEEK)


def test_windows_deadlines_and_times_of_tables_move_by_the_clock_on_the_wall(
    here: Club, alice: Client
) -> None:
    Competition.objects.filter(pk=here.competition.pk).update(timezone="Europe/Berlin")
    here.competition.refresh_from_db()
    zone = zone_of(here.competition)
    at = datetime(2199, 3, 30, 19, 30, tzinfo=zone)
    round_ = here.rounds[0]
    Round.objects.filter(pk=round_.pk).update(
        date=at.date(), until=at.date() + WEEK, line_ups_until=at - timedelta(days=1)
    )
    table = round_.tables.get(number=1)
    Table.objects.filter(pk=table.pk).update(meets_at=at)

    answer(alice, later(here, alice), "move")

    round_.refresh_from_db()
    table.refresh_from_db()
    assert (round_.date, round_.until) == (date(2199, 4, 6), date(2199, 4, 13))
    assert f"{round_.line_ups_until.astimezone(zone):%Y-%m-%d %H:%M}" == "2199-04-05 19:30"
    assert f"{table.meets_at.astimezone(zone):%Y-%m-%d %H:%M}" == "2199-04-06 19:30"
    assert [each.kind for each in Appointment.objects.filter(table=table)] == ["set"]


@pytest.mark.parametrize(
    ("before", "after"), [((FIRST, None), (FIRST, FIRST)), ((FIRST, FIRST), (FIRST, None))]
)
def test_no_round_moves_when_a_season_gets_or_loses_its_last_day(here: Club, before, after) -> None:
    here.competition.kind = Competition.Kind.SEASON
    assert find_moves(here.competition, before=before, after=after) is None


def test_calendars_show_the_moved_days(here: Club, alice: Client) -> None:
    answer(alice, later(here, alice), "move")

    page = Client().get(reverse("calendar:calendar", args=[here.slug]), {"when": "all"}).content.decode()

    assert f'datetime="{FIRST + WEEK}"' in page
    assert f'datetime="{FIRST}"' not in page


def test_a_round_with_results_stays_on_its_day(here: Club, alice: Client) -> None:
    Round.objects.filter(pk=here.rounds[0].pk).update(status="open")
    here.record((45_000, 35_000, 25_000, 15_000))

    asked = later(here, alice)
    answer(alice, asked, "move")

    assert "stays: it has results" in asked.content.decode()
    assert days_of(here) == [FIRST, FIRST + WEEK, SECOND + WEEK, SECOND + WEEK, None]


def test_an_earlier_last_day_asks_about_the_rounds_after_it(here: Club, alice: Client) -> None:
    asked = save(alice, here, last_day=f"{FIRST}")
    done = answer(alice, asked, "move")

    assert [each.round.number for each in asked.context["moves"].rounds] == [3, 4]
    assert "outside the new days" in asked.content.decode()
    assert said(done) == ["Settings saved. 2 rounds moved."]
    assert days_of(here) == [FIRST, FIRST, FIRST, FIRST, None]


@pytest.mark.parametrize(
    "typed",
    [
        {"name": "Open"},
        {"last_day": f"{SECOND + WEEK}"},
        {"first_day": "", "last_day": ""},
    ],
)
def test_a_change_that_leaves_no_round_behind_is_saved_at_once(here: Club, alice: Client, typed) -> None:
    assert save(alice, here, **typed).status_code == 302
    assert days_of(here) == [FIRST, FIRST, SECOND, SECOND, None]


def test_a_round_that_was_moved_since_the_question_saves_nothing(here: Club, alice: Client) -> None:
    asked = later(here, alice)
    Round.objects.filter(pk=here.rounds[3].pk).update(date=FIRST)

    refused = answer(alice, asked, "move")

    assert refused.status_code == 422
    assert "The days of the rounds have changed since you opened the page." in refused.content.decode()
    assert (competition_days(here), days_of(here)) == ((FIRST, SECOND), [FIRST, FIRST, SECOND, FIRST, None])


def test_a_forged_mark_is_rolled_back(here: Club) -> None:
    with pytest.raises(OutOfDate):
        update_competition(
            competition=here.competition, values={"first_day": FIRST - WEEK}, moves="-", by=here.alice
        )

    assert competition_days(here) == (FIRST, SECOND)
