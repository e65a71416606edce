"""Calling a referee from the table's page, the referees' queue, and the round's clock on its pages."""

import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.door import table_code
from league.models import AuditEntry, Call, Role, Round
from league.organizing.competitions.services import update_competition
from league.play.calls.services import (
    MOST_CALLS,
    REOPENABLE,
    call_referee,
    close_call,
    start_clock,
    take_call,
)
from league.play.disputes.services import open_dispute
from league.play.rounds.services import close_round, set_visibility
from tests.factories import Club, club, last_entry, signed_in
from tests.league.asking import queries_of
from tests.module_fixtures import module_fixture
from tests.shown import fields_to, said

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    made = club("spring", preset="hkma-b-2025-04")
    made.add_round()
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


@pytest.fixture
def client(spring) -> Client:
    """A visitor who sat down at the first table, and scanned the code there."""
    return scan(Client(), spring)


def scan(client: Client, made: Club, number: int = 1) -> Client:
    code = table_code(made.division, number)
    client.get(reverse("calls:door_code", args=(made.slug, number, code)))
    return client


def of_table(name: str, made: Club, number: int = 1, *, round_: int = 1) -> str:
    return reverse(name, args=(made.slug, made.table(round_, number).pk))


def sent(**typed: object) -> dict[str, object]:
    return {"key": uuid.uuid4()} | typed


# --- the button


def test_a_visitor_calls_a_referee_from_the_tables_page(spring, client):
    page = client.get(of_table("results:table", spring)).content.decode()
    assert f'href="{of_table("calls:call", spring)}"' in page
    assert b"Subject" in client.get(of_table("calls:call", spring)).content

    answer = client.post(of_table("calls:call", spring), sent(note="Is this chi legal?"), follow=True)

    assert answer.redirect_chain == [(of_table("results:table", spring), 302)]
    assert said(answer) == ["Referee called to this table."]
    call = Call.objects.get()
    assert (call.table, call.created_by, call.note) == (spring.table(), None, "Is this chi legal?")
    assert "A referee has been called." in answer.content.decode()
    assert "Is this chi legal?" not in answer.content.decode()  # for the referees
    assert "Call a referee" not in answer.content.decode()


def test_a_second_press_says_that_a_referee_is_on_the_way(spring, client):
    call = call_referee(table=spring.table(), by=None)
    again = client.post(of_table("calls:call", spring), sent(), follow=True)
    assert said(again) == ["A referee has already been called and will come."]

    take_call(call=call, by=spring.bob)
    third = client.post(of_table("calls:call", spring), sent(), follow=True)

    assert said(third) == ["A referee is already on the way."]
    assert "A referee is on the way." in third.content.decode()
    assert Call.objects.count() == 1


def test_the_same_form_twice_calls_once_and_says_the_same(spring, client):
    form = sent()
    answers = [client.post(of_table("calls:call", spring), form, follow=True) for _ in range(2)]
    assert [said(answer) for answer in answers] == [["Referee called to this table."]] * 2
    assert Call.objects.count() == 1


def test_who_is_signed_in_is_named(spring):
    signed_in(spring.dora).post(of_table("calls:call", spring), sent())
    assert Call.objects.get().created_by == spring.dora


def test_a_note_that_cannot_be_seen_comes_back_with_the_form(spring, client):
    answer = client.post(of_table("calls:call", spring), sent(note="a\u202eb"))
    assert answer.status_code == 422
    assert "invisible control character" in answer.content.decode()
    assert Call.objects.count() == 0


def test_the_page_of_the_button_says_when_no_referee_needs_to_be_called(spring, client):
    call_referee(table=spring.table(), by=None)
    assert b"A referee has been called." in client.get(of_table("calls:call", spring)).content
    close_round(round_=spring.rounds[0], by=spring.alice)
    other = scan(client, spring, 2).get(of_table("calls:call", spring, 2)).content.decode()
    assert "not being played" in other
    assert "<form method" not in other.partition("<main")[2]


def test_no_one_calls_from_a_round_that_they_do_not_see_or_that_is_closed(spring, client):
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.HIDDEN, by=spring.alice)
    assert client.get(of_table("calls:call", spring)).status_code == 404
    assert client.post(of_table("calls:call", spring), sent()).status_code == 404
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    called = client.post(of_table("calls:call", spring), sent(), follow=True)
    assert said(called) == ["Referee called to this table."]
    close_round(round_=spring.rounds[0], by=spring.alice)
    closed = scan(client, spring, 2).post(of_table("calls:call", spring, 2), sent(), follow=True)
    assert said(closed) == ["This round is not being played, so referees cannot be called."]
    assert of_table("calls:call", spring, 2) not in closed.content.decode()
    assert Call.objects.count() == 1


# --- who may call


@pytest.mark.parametrize("code", ["", "0" * 20, "é"])
def test_a_visitor_who_guesses_a_table_s_address_calls_no_referee(spring, code):
    guessing = Client()
    guessing.get(f"/c/{spring.slug}/t/1/")
    guessing.cookies["table"] = code

    answers = [guessing.post(of_table("calls:call", spring, number), sent()) for number in (1, 2)]

    assert [answer.status_code for answer in answers] == [422, 422]
    assert "Scan the QR code on the table" in answers[0].content.decode()
    assert Call.objects.count() == 0


def test_the_code_of_one_table_calls_to_no_other(spring, client):
    assert client.post(of_table("calls:call", spring, 2), sent()).status_code == 422
    assert Call.objects.count() == 0


def test_forty_tables_behind_one_address_all_call_and_one_that_calls_too_often_is_asked_to_wait(spring):
    spring.add_players(4 * 38)
    spring.add_round()
    visitors = {number: scan(Client(), spring, number) for number in range(1, 41)}
    for number, visitor in visitors.items():
        visitor.post(of_table("calls:call", spring, number, round_=2), sent())
    assert Call.objects.count() == 40

    for _ in range(MOST_CALLS):
        close_call(call=Call.objects.get(table__number=7, closed_at=None), by=spring.bob)
        answer = visitors[7].post(of_table("calls:call", spring, 7, round_=2), sent())

    answer = visitors[7].get(answer.url)
    assert said(answer)[-1:] == [
        "A table can send 6 calls per hour. Raise your hand, or go to the referees’ desk."
    ]
    assert Call.objects.filter(table__number=7).count() == MOST_CALLS
    close_call(call=Call.objects.get(table__number=8, closed_at=None), by=spring.bob)
    again = visitors[8].post(of_table("calls:call", spring, 8, round_=2), sent(), follow=True)
    assert said(again)[-1:] == ["Referee called to this table."]


def test_renewed_codes_make_those_on_photographs_worthless(spring, client):
    renew = reverse("calls:codes_renew", args=(spring.slug,))
    assert signed_in(spring.bob).post(renew, sent()).status_code == 403
    old = table_code(spring.division, 1)

    answer = signed_in(spring.alice).post(renew, sent(), follow=True)

    assert said(answer) == ["Codes renewed. Print them and replace those on the tables."]
    assert client.post(of_table("calls:call", spring), sent()).status_code == 422
    spring.competition.refresh_from_db()
    assert old not in answer.content.decode()
    division = spring.competition.divisions.get()
    assert table_code(division, 1) in answer.content.decode()
    scan(client, spring).post(of_table("calls:call", spring), sent())
    assert Call.objects.count() == 1


def test_where_calls_are_turned_off_no_table_calls(spring, client):
    update_competition(competition=spring.competition, values={"takes_calls": False}, by=spring.alice)
    assert (
        of_table("calls:call", spring) not in client.get(of_table("results:table", spring)).content.decode()
    )
    assert "Calls are switched off here" in client.get(of_table("calls:call", spring)).content.decode()
    answer = client.post(of_table("calls:call", spring), sent(), follow=True)
    assert said(answer) == ["Calls are switched off here. Raise your hand, or go to the referees’ desk."]
    assert Call.objects.count() == 0


# --- the queue


def queue(made: Club) -> str:
    return reverse("calls:index", args=(made.slug,))


def test_the_queue_shows_who_waits_with_what_they_wrote(spring, bob):
    empty = bob.get(queue(spring)).content.decode()
    assert "No open calls." in empty
    call_referee(table=spring.table(number=2), by=None, note="Two tiles <b>shown</b>")
    page = bob.get(queue(spring)).content.decode()
    assert "Table 2" in page
    assert "Two tiles &lt;b&gt;shown&lt;/b&gt;" in page
    assert f'data-revision-url="{reverse("competitions:revision", args=(spring.slug,))}"' in page


def test_every_page_of_a_referee_asks_for_calls_and_hears_that_nothing_changed(spring, bob):
    url = reverse("calls:waiting") + f"?at={spring.slug}"
    accepted = take_call(call=call_referee(table=spring.table(), by=None), by=spring.bob)
    call = call_referee(table=spring.table(number=2), by=None)

    bob.get(url)  # from here on the browser has its token
    first = bob.get(url)
    assert first.context["calls"] == [call, accepted]  # the open one first
    again = bob.get(url, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    close_call(call=call, by=spring.alice)
    assert bob.get(url, headers={"If-None-Match": first["ETag"]}).context["calls"] == [accepted]
    assert signed_in(spring.alice).get(url).context["calls"] == []  # on the way is another one's
    assert signed_in(spring.dora).get(url).status_code == 204
    assert Client().get(url).status_code == 302
    assert b'data-calls="/referees/calls/?at=spring" data-referees' in bob.get(f"/c/{spring.slug}/").content
    assert b'data-calls="/referees/calls/"' in bob.get("/").content


@pytest.mark.parametrize(
    ("at", "shown"), [("spring", ["spring"]), ("autumn", ["autumn"]), ("", []), ("elsewhere", []), ("\0", [])]
)
def test_a_page_shows_the_calls_of_its_competition_and_counts_those_of_others(spring, bob, at, shown):
    autumn = club("autumn")
    autumn.add_round()
    Role.objects.create(competition=autumn.competition, user=spring.bob, kind=Role.Kind.REFEREE)
    for each in (spring, autumn):
        call_referee(table=each.table(), by=None)
    page = bob.get(reverse("calls:waiting"), {"at": at})
    assert [call.table.competition.slug for call in page.context["calls"]] == shown
    others = {call.table.competition.slug for call in page.context["rest"]}
    assert others == {"spring", "autumn"} - set(shown)
    for slug in others:
        assert f'href="/c/{slug}/desk/" hidden' in page.content.decode()


def test_a_closed_call_is_reopened_from_the_message_with_its_note(spring, bob):
    call = call_referee(table=spring.table(), by=None, note="Two tiles <b>shown</b>")
    take_call(call=call, by=spring.bob)
    done, undo = (reverse(name, args=(spring.slug, call.pk)) for name in ("calls:done", "calls:undo"))
    page = bob.post(done, sent(next=f"/c/{spring.slug}/"), follow=True)
    assert said(page) == ["Call from table 1 closed."]
    assert Call.objects.get().note == ""
    form = fields_to(page, undo)
    assert form["next"] == f"/c/{spring.slug}/"

    for _ in range(2):
        assert said(bob.post(undo, form, follow=True)) == ["Call from table 1 is open again."]
    again = Call.objects.get()
    assert (again.closed_at, again.closed_by, again.taken_by) == (None, None, spring.bob)
    assert again.note == "Two tiles <b>shown</b>"
    assert AuditEntry.objects.filter(action="call.reopen").count() == 1


def test_a_call_is_not_reopened_late_by_others_or_beside_a_new_one(spring, bob):
    alice, call = signed_in(spring.alice), call_referee(table=spring.table(), by=None)
    undo = reverse("calls:undo", args=(spring.slug, call.pk))
    at_once = ["A closed call can be reopened only at once, by the referee who closed it."]
    assert said(bob.post(undo, sent(), follow=True)) == ["This call is open again."]
    bob.post(reverse("calls:done", args=(spring.slug, call.pk)), sent())
    assert said(alice.post(undo, sent(), follow=True)) == at_once
    assert signed_in(spring.charlie).post(undo, sent()).status_code == 403
    assert (Client().post(undo, sent()).status_code, bob.get(undo).status_code) == (302, 405)

    new = call_referee(table=spring.table(), by=None)
    refused = said(bob.post(undo, sent(), follow=True))
    assert refused[-1] == "This table has called again. Answer the new call."
    close_call(call=new, by=spring.alice)
    Call.objects.filter(pk=call.pk).update(closed_at=timezone.now() - REOPENABLE - timedelta(seconds=1))
    assert said(bob.post(undo, sent(), follow=True)) == at_once
    assert not Call.objects.filter(closed_at=None).exists()


@pytest.mark.parametrize("note", ["forged", "", "x:y:z", "\0", "9" * 5000])
def test_a_note_that_the_server_did_not_sign_is_not_written(spring, bob, note):
    call = call_referee(table=spring.table(), by=None, note="Two tiles shown")
    close_call(call=call, by=spring.bob)
    bob.post(reverse("calls:undo", args=(spring.slug, call.pk)), sent(note=note))
    assert Call.objects.get().note == ""


def test_of_two_referees_who_are_done_at_once_one_closes_the_call_and_only_that_one_can_undo(spring, bob):
    alice, call = signed_in(spring.alice), call_referee(table=spring.table(), by=None)
    done = reverse("calls:done", args=(spring.slug, call.pk))
    first, second = bob.post(done, sent(), follow=True), alice.post(done, sent(), follow=True)
    assert said(first) == ["Call from table 1 closed."]
    assert said(second) == ["This call is closed: a referee has already been at the table."]
    undo = reverse("calls:undo", args=(spring.slug, call.pk))
    assert undo in first.content.decode()
    assert undo not in second.content.decode()


def test_a_referee_takes_a_call_and_is_done_with_it(spring, bob):
    call = call_referee(table=spring.table(), by=None)
    take, done = (reverse(name, args=(spring.slug, call.pk)) for name in ("calls:take", "calls:done"))

    taken = bob.post(take, sent(seen=""), follow=True)
    assert (said(taken), Call.objects.get().taken_by) == (["Call from table 1 accepted."], spring.bob)
    assert "Accepted by you." in taken.content.decode()

    alice = signed_in(spring.alice)
    assert "Accepted by bob-spring." in alice.get(queue(spring)).content.decode()
    assert said(alice.post(take, sent(seen=""), follow=True)) == [
        "Someone else accepted this call a moment ago."
    ]
    alice.post(take, sent(seen=spring.bob.pk))
    assert Call.objects.get().taken_by == spring.alice

    assert said(bob.post(done, sent(), follow=True)) == ["Call from table 1 closed."]
    assert said(bob.post(done, sent(), follow=True)) == [
        "This call is closed: a referee has already been at the table."
    ]
    assert Call.objects.get().closed_by == spring.bob


def test_the_buttons_lead_back_to_a_page_of_ours_and_nowhere_else(spring, bob):
    call = call_referee(table=spring.table(), by=None)
    take = reverse("calls:take", args=(spring.slug, call.pk))
    answer = bob.post(take, sent(next=f"/c/{spring.slug}/rounds/"))
    assert answer.url == f"/c/{spring.slug}/rounds/"
    assert bob.post(take, sent(next="//evil.example/")).url == queue(spring)


def test_one_call_and_three_take_the_same_number_of_queries(spring, bob):
    spring.add_players(4)
    spring.add_round()
    bob.get(queue(spring))
    counts = []
    for number in (1, 2, 3):
        call = call_referee(table=spring.table(2, number), by=spring.dora, note="x")
        take_call(call=call, by=spring.alice)
        open_dispute(table=spring.table(2, number), subject="y", by=spring.alice)
        counts.append(queries_of(bob, queue(spring)))
    assert counts == [counts[0]] * 3


# --- the clock


def round_page(made: Club) -> str:
    return reverse("rounds:round", args=(made.slug, made.rounds[0].pk))


def start_address(made: Club) -> str:
    return reverse("calls:clock_start", args=(made.slug, made.rounds[0].pk))


def test_a_referee_starts_the_clock_and_everyone_sees_it(spring, bob, client):
    before = client.get(round_page(spring)).content.decode()
    assert "data-clock" not in before
    assert start_address(spring) not in before
    assert "60 minutes per table" in bob.get(round_page(spring)).content.decode()

    answer = bob.post(start_address(spring), sent(), follow=True)

    assert answer.redirect_chain == [(round_page(spring), 302)]
    assert said(answer) == ["Clock of round 1 started."]
    started = Round.objects.get().clock_started_at
    for address in (round_page(spring), of_table("results:table", spring)):
        page = client.get(address).content.decode()
        assert f'data-ends="{int(started.timestamp()) + 3600}"' in page
        assert "When time is up, the current hand and 1 more are played." in " ".join(page.split())


def test_the_end_is_shown_in_the_competitions_time_zone(spring, client):
    noon = timezone.now().replace(hour=4, minute=0, second=0, microsecond=0)
    start_clock(round_=spring.rounds[0], by=spring.bob, at=noon)
    assert "until 13:00 (Hong Kong)" in client.get(round_page(spring)).content.decode()


def test_a_table_that_rests_says_so_on_its_page_and_on_the_rounds(spring, client):
    now = timezone.now()
    start_clock(round_=spring.rounds[0], by=spring.bob, at=now)
    open_dispute(
        table=spring.table(number=2), subject="secret", by=spring.bob, at=now + timedelta(minutes=10)
    )
    for address in (round_page(spring), of_table("results:table", spring, 2)):
        page = client.get(address).content.decode()
        assert 'data-rests="3000"' in page
        assert "clock paused" in page
        assert "50 minutes left" in page
        assert "secret" not in page
    assert "data-rests" not in client.get(of_table("results:table", spring, 1)).content.decode()


def test_a_running_clock_is_started_again_only_from_its_own_button(spring, bob):
    bob.post(start_address(spring), sent(), follow=True)
    first = Round.objects.get().clock_started_at
    assert said(bob.post(start_address(spring), sent(), follow=True)) == [
        "The clock of this round is already running."
    ]
    assert Round.objects.get().clock_started_at == first
    bob.post(start_address(spring), sent(again="on"))
    assert Round.objects.get().clock_started_at > first


@pytest.fixture
def autumn():
    """A club whose rules have no time limit, with an open round."""
    made = club("autumn")
    made.add_round()
    return made


def test_rules_without_a_time_limit_take_the_minutes_of_this_round(autumn, client):
    alice = signed_in(autumn.alice)
    assert "Minutes of this round" in alice.get(round_page(autumn)).content.decode()

    answer = alice.post(start_address(autumn), sent(minutes="75"), follow=True)

    assert said(answer) == ["Clock of round 1 started."]
    started = Round.objects.get(pk=autumn.rounds[0].pk)
    assert started.clock_minutes == 75
    ends = int(started.clock_started_at.timestamp()) + 75 * 60
    assert f'data-ends="{ends}"' in client.get(round_page(autumn)).content.decode()
    assert "Minutes of this round" not in client.get(round_page(autumn)).content.decode()
    assert 'value="75"' in alice.get(round_page(autumn)).content.decode()  # to start it again
    assert last_entry(autumn.competition).after["clock_minutes"] == 75


@pytest.mark.parametrize("minutes", ["", "0", "601", "soon"])
def test_without_minutes_and_a_time_limit_there_is_no_clock(autumn, minutes):
    answer = signed_in(autumn.alice).post(start_address(autumn), sent(minutes=minutes), follow=True)

    assert len(said(answer)) == 1
    assert said(answer) != ["Clock of round 1 started."]
    assert Round.objects.get(pk=autumn.rounds[0].pk).clock_started_at is None


def test_the_time_limit_of_the_rules_stays(spring, bob):
    bob.post(start_address(spring), sent(minutes="75"))

    started = Round.objects.get()
    assert (started.clock_minutes, started.minutes) == (None, 60)


def test_who_may_not_start_the_clock(spring):
    for person in (spring.charlie, spring.dora):
        assert signed_in(person).post(start_address(spring), sent()).status_code == 403
        assert start_address(spring) not in signed_in(person).get(round_page(spring)).content.decode()
    assert signed_in(spring.bob).get(start_address(spring)).status_code == 405
    assert Round.objects.get().clock_started_at is None
    as_public = signed_in(spring.bob).get(round_page(spring) + "?view=public").content.decode()
    assert start_address(spring) not in as_public


def test_the_clock_does_not_tell_that_a_hidden_sheet_was_entered(spring, client):
    start_clock(round_=spring.rounds[0], by=spring.bob)
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    open_dispute(table=spring.table(), subject="x", by=spring.bob)

    def clocks() -> list[int]:
        addresses = (round_page(spring), of_table("results:table", spring))
        return [client.get(address).content.decode().count("data-clock") for address in addresses]

    before = clocks()
    spring.record((45000, 25000, 20000, 10000))
    assert clocks() == before == [2, 1]


def test_a_table_takes_its_call_back_and_may_call_again(spring, bob):
    where = f"/c/{spring.slug}/tables/{spring.table().pk}/"
    call_referee(table=spring.table(), by=spring.charlie)
    visitor = Client()
    assert visitor.post(f"{where}call/back/", {"key": uuid.uuid4()}).url == f"{where}call/"
    assert "Cancel call" not in visitor.get(f"{where}call/").content.decode()

    charlie = signed_in(spring.charlie)
    assert "Cancel call" in charlie.get(where).content.decode()
    assert "Call cancelled." in said(charlie.post(f"{where}call/back/", {"key": uuid.uuid4()}, follow=True))

    assert Call.objects.get().closed_at is not None
    assert charlie.post(f"{where}call/back/", {"key": uuid.uuid4()}).url == where
    call_referee(table=spring.table(), by=spring.charlie)
