"""The hall's page: states, what is missing, filters, and one press for all that is clean."""

import re
import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Competition, HandEntry, Proposal, Sheet, Signature
from league.organizing.competitions.services import update_competition
from league.play.calls.services import call_referee, start_clock
from league.play.disputes.services import open_dispute
from league.play.results.services import confirm_result
from league.referees.penalties.services.log import log_penalty
from scoring.hanchan import ExhaustiveDraw, Hand
from tests.factories import Club, as_seen, club, signed_in
from tests.league.extras.hall.hall import POINTS, propose, touch


@pytest.fixture
def spring(db) -> Club:
    made = club(players=24, overrides={"minutes": 60})
    values = {"signatures": "four"}
    made.competition = update_competition(competition=made.competition, values=values, by=made.alice)
    made.add_round()
    return made


def seen(made: Club, query: str = "", client: Client | None = None) -> str:
    client = client or signed_in(made.bob)
    return client.get(f"/c/{made.slug}/hall/{query}").content.decode()


def states(made: Club, query: str = "") -> dict[int, set[str]]:
    """Table number → its state and what keeps it."""
    response = signed_in(made.bob).get(f"/c/{made.slug}/hall/{query}")
    return {
        table.table.number: {str(state) for state in table.states}
        for _round, tables in response.context["rounds"]
        for table in tables
    }


def approve(made: Club, *proposals: Proposal, by: object = None, key: uuid.UUID | None = None) -> str:
    """Press the button, and return the page after it."""
    client = signed_in(by or made.bob)
    sent = {"key": key or uuid.uuid4(), "proposals": "-".join(str(each.pk) for each in proposals)}
    answer = client.post(f"/c/{made.slug}/hall/rounds/{made.rounds[0].pk}/approve/", sent, follow=True)
    return answer.content.decode()


def test_each_table_shows_what_it_does(spring):
    assert states(spring) == {number: {"waiting"} for number in range(1, 7)}
    start_clock(round_=spring.table().round, by=spring.bob)
    propose(spring, 2, signed=3)
    propose(spring, 3)
    spring.record(POINTS, number=4)
    spring.record(POINTS, number=5)
    confirm_result(**as_seen(spring.table(number=5)), by=spring.bob)
    call_referee(table=spring.table(number=6), by=None)
    assert states(spring) == {
        1: {"playing"},
        2: {"typed"},
        3: {"signed"},
        4: {"entered"},
        5: {"confirmed"},
        6: {"playing", "calling"},
    }
    assert states(spring, "?state=calling") == {6: {"playing", "calling"}}
    assert states(spring, "?state=invented").keys() == set(range(1, 7))


def test_a_table_says_whose_signature_is_missing(spring):
    propose(spring, 2, signed=3)
    page = seen(spring)
    assert page.count("not signed") == 2  # in the title and for screen readers
    assert "Signatures are missing." in page


def test_points_and_hand_stand_beside_the_players(spring):
    table = spring.table()
    table.hand = "E2.1"
    table.save()
    facts = Hand(outcome=ExhaustiveDraw(tenpai=(1,))).as_values()
    HandEntry.objects.create(
        table=table, number=1, key=uuid.uuid4(), kind="hand", facts=facts, at="2026-05-01T12:00Z"
    )
    page = seen(spring)
    assert "East 2 · 1" in page
    assert "33,000" in page


def queries_of(slug: str, tables: int) -> int:
    """Return how many queries the page of so many tables takes, in all states."""
    made = club(slug, players=4 * tables, overrides={"minutes": 60})
    made.add_round()
    start_clock(round_=made.table().round, by=made.bob)
    for number in range(1, tables + 1, 2):
        propose(made, number)
    for number in range(2, tables + 1, 2):
        made.record(POINTS, number=number)
    client = signed_in(made.bob)
    seen(made, client=client)
    with CaptureQueriesContext(connection) as found:
        seen(made, client=client)
    return len(found)


@pytest.mark.slow
def test_the_page_takes_as_many_queries_for_three_tables_as_for_forty(db):
    few, many = queries_of("few", 3), queries_of("many", 40)
    assert few == many <= 20


# --- one press


def test_one_press_approves_all_clean_sheets_and_names_them(spring):
    first, second = propose(spring, 1), propose(spring, 4)
    propose(spring, 2, signed=3)
    assert re.search(r"Approve tables\s+1, 4<", seen(spring))
    page = approve(spring, first, second)
    assert "Score sheets of tables 1, 4 approved." in page
    found = Sheet.objects.filter(is_current=True).order_by("table__number")
    assert [(each.table.number, each.status, each.confirmed_by) for each in found] == [
        (1, "confirmed", spring.bob),
        (4, "confirmed", spring.bob),
    ]
    assert [each.points for each in found] == [POINTS, POINTS]


def test_a_press_sent_twice_approves_once(spring):
    found, key = propose(spring, 1), uuid.uuid4()
    approve(spring, found, key=key)
    assert "Score sheet of table 1 approved." in approve(spring, found, key=key)
    assert Sheet.objects.count() == 1


def test_a_sheet_that_changed_meanwhile_is_left_out_and_named(spring):
    first, old = propose(spring, 1), propose(spring, 3)
    propose(spring, 3, points=(29_700, 31_200, 25_000, 34_100))
    page = approve(spring, first, old)
    assert "Score sheet of table 1 approved." in page
    assert "Table 3 is not ready." in page
    assert Sheet.objects.get().table.number == 1


def test_what_another_person_has_just_approved_is_said_to_be_confirmed(spring):
    first, second = propose(spring, 1), propose(spring, 3)
    approve(spring, first)
    page = approve(spring, first, second)
    assert "Score sheet of table 3 approved. Table 1: This score sheet is already confirmed." in page
    assert "Not approved" not in page
    assert "This score sheet is already confirmed." in approve(spring, first, second)
    assert Sheet.objects.count() == 2


@pytest.mark.parametrize("why", ["objected", "disputed", "calling", "undecided"])
def test_a_sheet_with_a_doubt_is_not_clean(spring, why):
    clean, doubtful, table = propose(spring, 1), propose(spring, 2), spring.table(number=2)
    if why == "objected":
        said = {"agrees": False, "how": "phone", "at": "2099-01-01T00:00Z"}
        seat = table.seats.get(wind=0)
        Signature.objects.create(proposal=doubtful, wind=0, player=seat.player, **said)
    elif why == "disputed":
        open_dispute(table=table, subject="Who won?", by=spring.bob)
    elif why == "calling":
        call_referee(table=table, by=None)
    else:
        made = log_penalty(
            stage=spring.stage,
            table=table,
            player_id=spring.players[4].pk,
            score=-20,
            reason="late",
            by=spring.bob,
        )
        made.status = "requested"
        made.save()
    touch(table)
    assert why in states(spring)[2]
    assert re.search(r"Approve table\s+1<", seen(spring))
    assert "Table 2 is not ready." in approve(spring, clean, doubtful)
    assert [each.table.number for each in Sheet.objects.all()] == [1]


def test_nothing_is_approved_for_another_competition(spring):
    other = club("autumn")
    other.competition.signatures = "four"
    other.competition.save()
    other.add_round()
    found = propose(other, 1)
    assert "approved." not in approve(spring, found)
    assert not Sheet.objects.exists()
    strange = signed_in(spring.bob).post(f"/c/{spring.slug}/hall/rounds/{other.rounds[0].pk}/approve/")
    assert strange.status_code == 404


def test_ids_that_no_row_can_have_approve_nothing(spring):
    address = f"/c/{spring.slug}/hall/rounds/{spring.rounds[0].pk}/approve/"
    for typed in ("x", "-1", "9" * 30, "9" * 18, "²", ""):
        sent = {"key": uuid.uuid4(), "proposals": typed}
        assert signed_in(spring.bob).post(address, sent).status_code == 302
    assert not Sheet.objects.exists()


# --- for visitors


def live(made: Club) -> str:
    return Client().get(f"/c/{made.slug}/hall/tables/").content.decode()


def test_visitors_follow_tables_only_if_the_competition_shows_them(spring):
    propose(spring, 1)
    assert "28,700" not in live(spring)
    Competition.objects.update(shows_hands=True)
    page = live(spring)
    assert "Table 1" in page
    assert "28,700" not in page  # a proposal does not count yet


@pytest.mark.parametrize("visibility", ["hidden", "seating"])
def test_a_round_with_hidden_results_shows_visitors_no_table(spring, visibility):
    Competition.objects.update(shows_hands=True)
    spring.rounds[0].visibility = visibility
    spring.rounds[0].save()
    before = live(spring), Client().get(f"/c/{spring.slug}/hall/tables/versions/").json()
    spring.record(POINTS)
    assert (live(spring), Client().get(f"/c/{spring.slug}/hall/tables/versions/").json()) == before
    assert "Table 1" not in before[0]


def test_the_live_page_is_new_after_a_change_that_raises_no_revision(spring):
    Competition.objects.update(shows_hands=True)
    address = f"/c/{spring.slug}/hall/tables/versions/"
    before = Client().get(address)
    same = Client().get(address, headers={"If-None-Match": before["ETag"]})
    table = spring.table(number=2)
    table.hand = "S3.0"
    table.save()
    touch(table)
    after = Client().get(address)
    assert (same.status_code, after.json() == before.json()) == (304, False)
    assert "South 3 · 0" in live(spring)
