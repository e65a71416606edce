"""Rounds that are started too early or closed empty: asked before, taken back, and never forgotten."""

import uuid
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.core.errors import Refused
from league.core.zones import day_of_play
from league.models import AuditEntry, Competition, Round
from league.organizing.competitions.services import add_division, finish_competition, update_competition
from league.play.calendar.services.table_times import postpone_tables
from league.play.hands.services import add_entry
from league.play.rounds.queries.rounds import unplayed_before
from league.play.rounds.services import close_round, create_round, open_round, plan_again
from league.ranking.stages.services import add_stage
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club, last_entry, signed_in
from tests.module_fixtures import module_fixture
from tests.scoring.hanchan_logs import draw
from tests.shown import key, said

pytestmark = pytest.mark.django_db

POINTS = (45_000, 35_000, 25_000, 15_000)


@module_fixture
def here() -> Club:
    made = club()
    update_competition(competition=made.competition, values={"kind": "event"}, by=made.alice)
    for _ in range(3):
        made.add_round(opened=False)
    return made


@pytest.fixture
def alice(here: Club) -> Client:
    return signed_in(here.alice)


def press(client: Client, here: Club, round_: Round, status: str, **typed: str):
    address = reverse("rounds:status", args=[here.slug, round_.pk])
    return client.post(address, {"key": key(), "status": status, **typed}, follow=True)


def status_of(round_: Round) -> str:
    return str(Round.objects.get(pk=round_.pk).status)


def step(client: Client, here: Club) -> tuple[str, int | None]:
    page = client.get(reverse("competitions:manage", args=[here.slug]))
    (division,) = page.context["dashboard"].divisions
    found = division.step
    return found.code, found.state and found.state.round.number


def play(here: Club, number: int) -> None:
    open_round(round_=here.rounds[number - 1], by=here.alice)
    for table in (1, 2):
        here.record(POINTS, round_number=number, number=table)
    close_round(round_=here.rounds[number - 1], by=here.alice)


# --- started too early


def test_starting_a_later_round_asks_and_names_the_rounds_before_it(here: Club, alice: Client) -> None:
    asked = press(alice, here, here.rounds[2], "open")

    assert asked.status_code == 200
    assert "These rounds come earlier and are still to be played: 1, 2." in asked.content.decode()
    assert status_of(here.rounds[2]) == "planned"


def test_the_answer_starts_it(here: Club, alice: Client) -> None:
    done = press(alice, here, here.rounds[2], "open", sure="on")

    assert said(done) == ["Round 3 is open. Results can be entered."]
    assert status_of(here.rounds[2]) == "open"


def test_the_question_keeps_what_was_ticked(here: Club, alice: Client) -> None:
    Round.objects.update(visibility="hidden")

    asked = press(alice, here, here.rounds[1], "open", visibility="seating", next="/c/spring/rounds/")
    form = asked.context["form"]

    assert form["visibility"].value() == "seating"
    assert asked.context["back"] == "/c/spring/rounds/"


def test_the_first_round_and_the_next_one_start_without_a_question(here: Club, alice: Client) -> None:
    first = press(alice, here, here.rounds[0], "open")
    for table in (1, 2):
        here.record(POINTS, number=table)
    press(alice, here, here.rounds[0], "close")
    second = press(alice, here, here.rounds[1], "open")

    assert [first.status_code, second.status_code] == [200, 200]
    assert [status_of(each) for each in here.rounds] == ["closed", "open", "planned"]


def test_a_round_of_another_division_is_not_a_round_before(here: Club, alice: Client) -> None:
    other = add_division(competition=here.competition, name="B", preset_slug="mleague", by=here.alice)
    create_round(stage=other.stages.get(), by=here.alice)

    assert unplayed_before(here.rounds[0]) == []


def test_a_later_stage_waits_for_the_stage_before(here: Club, alice: Client) -> None:
    final = add_stage(division=here.division, name="Final", by=here.alice)
    made = create_round(stage=final, by=here.alice)

    assert unplayed_before(made) == here.rounds


def test_an_earlier_number_with_a_later_day_is_not_a_round_before(here: Club) -> None:
    first, second, _third = here.rounds
    Round.objects.filter(pk=first.pk).update(date=date(2026, 5, 9))
    Round.objects.filter(pk=second.pk).update(date=date(2026, 5, 2))
    second.refresh_from_db()

    assert unplayed_before(second) == []


def test_a_window_that_has_begun_opens_beside_an_unfinished_round(here: Club, alice: Client) -> None:
    day = day_of_play(here.competition)
    open_round(round_=here.rounds[0], by=here.alice)
    Round.objects.filter(pk=here.rounds[1].pk).update(date=day, until=day + timedelta(days=7))

    assert press(alice, here, here.rounds[1], "open").status_code == 200
    assert status_of(here.rounds[1]) == "open"


def test_reopening_asks_nothing(here: Club, alice: Client) -> None:
    close_round(round_=open_round(round_=here.rounds[2], by=here.alice), by=here.alice)

    assert press(alice, here, here.rounds[2], "open").status_code == 200
    assert status_of(here.rounds[2]) == "open"


# --- back to planned


def test_a_start_is_taken_back_by_a_button_of_the_next_step(here: Club, alice: Client) -> None:
    press(alice, here, here.rounds[2], "open", sure="on")
    manage = alice.get(reverse("competitions:manage", args=[here.slug])).content.decode()

    done = press(alice, here, here.rounds[2], "plan")

    assert manage.count("Undo start") == 2  # the next step and the menu of the round
    assert said(done) == ["Round 3 is planned again. Visitors still see its seating."]
    assert status_of(here.rounds[2]) == "planned"
    assert step(alice, here) == ("open", 1)
    assert last_entry(here.competition).action == "round.take_back"


def test_the_clock_of_a_start_that_was_taken_back_stops(here: Club, alice: Client) -> None:
    opened = open_round(round_=here.rounds[0], by=here.alice)
    Round.objects.filter(pk=opened.pk).update(clock_started_at=here.competition.created_at, clock_minutes=75)

    plan_again(round_=opened, by=here.alice)

    stopped = Round.objects.get(pk=opened.pk)
    assert (stopped.clock_started_at, stopped.clock_minutes) == (None, None)


def sheet(here: Club) -> None:
    here.record(POINTS)


def hand(here: Club) -> None:
    facts = draw(0).as_values()
    add_entry(table=here.table(), key=uuid.uuid4(), kind="hand", facts=facts, based_on=0, by=None)


def penalty(here: Club) -> None:
    log_penalty(
        stage=here.stage,
        table=here.table(),
        player_id=here.players[0].pk,
        score=-100,
        level="minor",
        reason="late",
        by=here.bob,
    )


@pytest.mark.parametrize("happens", [sheet, hand, penalty])
def test_a_round_in_which_something_happened_stays_open(here: Club, alice: Client, happens) -> None:
    opened = open_round(round_=here.rounds[0], by=here.alice)
    happens(here)

    done = press(alice, here, opened, "plan")
    manage = alice.get(reverse("competitions:manage", args=[here.slug])).content.decode()

    assert said(done) == [
        "This round has a score sheet, hand, penalty or dispute. Its start cannot be taken back."
    ]
    assert status_of(opened) == "open"
    assert "Undo start" not in manage


@pytest.mark.parametrize("status", ["planned", "closed"])
def test_only_a_started_round_goes_back(here: Club, status: str) -> None:
    Round.objects.filter(pk=here.rounds[0].pk).update(status=status)
    versions = Competition.objects.values_list("version", flat=True).get(pk=here.competition.pk)

    if status == "planned":
        plan_again(round_=here.rounds[0], by=here.alice)  # pressed twice
    else:
        with pytest.raises(Refused, match="Only a started round"):
            plan_again(round_=here.rounds[0], by=here.alice)

    assert status_of(here.rounds[0]) == status
    assert Competition.objects.values_list("version", flat=True).get(pk=here.competition.pk) == versions


# --- closed with missing tables


def test_closing_with_missing_tables_asks_and_names_them(here: Club, alice: Client) -> None:
    open_round(round_=here.rounds[0], by=here.alice)
    here.record(POINTS, number=2)

    asked = press(alice, here, here.rounds[0], "close", visibility="results")

    assert asked.status_code == 200
    assert "1 of 2 tables has no result: table 1." in asked.content.decode()
    assert (
        f'{reverse("results:enter_round", args=[here.slug, here.rounds[0].pk])}?table=1"'
        in asked.content.decode()
    )
    assert asked.context["form"]["visibility"].value() == "results"
    assert status_of(here.rounds[0]) == "open"


def test_closing_with_missing_tables_goes_on_with_the_answer(here: Club, alice: Client) -> None:
    open_round(round_=here.rounds[0], by=here.alice)

    done = press(alice, here, here.rounds[0], "close", sure="on", visibility="results")

    assert said(done) == ["Round 1 closed and its results published."]
    assert status_of(here.rounds[0]) == "closed"


def test_a_table_to_be_made_up_is_not_missing(here: Club, alice: Client) -> None:
    opened = open_round(round_=here.rounds[0], by=here.alice)
    here.record(POINTS, number=2)
    postpone_tables(tables=[here.table()], reason="ill", by=here.alice)

    assert press(alice, here, opened, "close").status_code == 200
    assert status_of(opened) == "closed"


def test_a_round_that_has_not_started_is_not_closed(here: Club, alice: Client) -> None:
    asked = press(alice, here, here.rounds[0], "close")

    assert "This round has not started. Start it, or delete it." in asked.content.decode()
    assert status_of(here.rounds[0]) == "planned"


def test_another_organizers_sheet_is_counted_under_the_lock(here: Club) -> None:
    opened = open_round(round_=here.rounds[0], by=here.alice)
    before = AuditEntry.objects.count()

    with pytest.raises(Refused, match="2 of 2 tables have no result: tables 1, 2"):
        close_round(round_=opened, sure=False, by=here.alice)

    assert (status_of(opened), AuditEntry.objects.count()) == ("open", before)


# --- never forgotten


def test_a_round_that_was_closed_empty_is_still_to_be_played(here: Club, alice: Client) -> None:
    play(here, 1)
    close_round(round_=open_round(round_=here.rounds[1], by=here.alice), by=here.alice)

    page = alice.get(reverse("competitions:manage", args=[here.slug])).content.decode()
    asked = press(alice, here, here.rounds[2], "open")

    assert step(alice, here) == ("reopen", 2)
    assert "The round was closed without a result." in page
    assert "are still to be played: 2." in asked.content.decode()


def test_the_next_step_follows_the_order_of_play(here: Club, alice: Client) -> None:
    found = [step(alice, here)]
    close_round(round_=open_round(round_=here.rounds[2], by=here.alice), by=here.alice)
    found.append(step(alice, here))
    play(here, 1)
    found.append(step(alice, here))
    play(here, 2)
    found.append(step(alice, here))
    play(here, 3)
    found.append(step(alice, here))

    assert found == [("open", 1), ("open", 1), ("open", 2), ("reopen", 3), ("round", None)]


@pytest.mark.parametrize("visibility", ["results", "seating"])
def test_a_seating_by_rank_tells_only_of_results_that_are_hidden(
    here: Club, alice: Client, visibility: str
) -> None:
    play(here, 1)
    Round.objects.filter(pk=here.rounds[0].pk).update(visibility=visibility)
    Round.objects.filter(pk=here.rounds[1].pk).update(method=Round.Method.RANK)
    page = alice.get(reverse("competitions:manage", args=[here.slug]))
    (division,) = page.context["dashboard"].divisions
    assert division.step.tells == (visibility == "seating")


def test_an_unseated_round_is_not_skipped_for_a_seated_one(here: Club, alice: Client) -> None:
    play(here, 1)
    here.rounds[1].tables.all().delete()

    assert step(alice, here) == ("seat", 2)


def test_a_competition_with_a_round_closed_empty_is_not_finished(here: Club) -> None:
    play(here, 1)
    play(here, 2)
    close_round(round_=open_round(round_=here.rounds[2], by=here.alice), by=here.alice)

    with pytest.raises(Refused, match="Closed without a result: round 3"):
        finish_competition(competition=here.competition, publish=True, by=here.alice)


def test_the_audit_log_says_that_a_start_was_taken_back(here: Club, alice: Client) -> None:
    plan_again(round_=open_round(round_=here.rounds[0], by=here.alice), by=here.alice)

    page = alice.get(reverse("audit_log:index", args=[here.slug])).content.decode()

    assert "undid the start of a round" in page
