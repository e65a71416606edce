"""Messages of players about their table: late, absent, an objection; who may send and who reads them."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.core.errors import Refused
from league.models import AuditEntry, Call, Dispute, Role, Round, Sheet, Table
from league.organizing.competitions.services import update_competition
from league.play.calls.queries import calls_of, messages_of
from league.play.calls.services import MOST_CALLS, MOST_CLAIMS, close_call, tell_staff
from league.play.disputes.services import open_dispute
from league.play.rounds.services import set_visibility
from players.models import Player
from tests.factories import Club, club, signed_in, user
from tests.module_fixtures import module_fixture
from tests.shown import said, text

pytestmark = pytest.mark.django_db

SHEET = (45_000, 25_000, 20_000, 30_000)


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    return made


def phone_of(made: Club, index: int) -> Client:
    """A visitor's phone that claims to be this player."""
    client = Client()
    number = made.competition.entrants.get(player=made.players[index]).pk
    client.post(reverse("seating:my_seat", args=[made.slug]), {"player": number})
    return client


def account_of(made: Club, index: int) -> Client:
    Role.objects.filter(competition=made.competition, user=made.dora).update(player=made.players[index])
    return signed_in(made.dora)


def address(made: Club, page: str = "calls:tell", number: int = 1) -> str:
    return reverse(page, args=[made.slug, made.table(number=number).pk])


def sent(kind: str, note: str = "") -> dict[str, object]:
    return {"key": uuid.uuid4(), "kind": kind, "note": note}


def send_message(made: Club, kind: str = "objection", index: int = 0, **options) -> Call:
    options = {"table": made.table(), "by": None, "note": "25,000 is 35,000"} | options
    return tell_staff(player=made.players[index], kind=kind, **options)


def test_a_player_who_is_late_reaches_the_organizers_list_by_one_tap(spring):
    phone = phone_of(spring, 1)
    assert "I am late" in text(phone.get(reverse("seating:my_seat", args=["spring"]), follow=True))

    answer = phone.post(address(spring), sent("late"), follow=True)

    assert said(answer) == ["Sent to the staff of this competition."]
    assert "The staff have this message." in text(answer)
    call = Call.objects.get()
    assert (call.kind, call.player, call.created_by) == ("late", spring.players[1], None)
    assert "Messages from players" in text(signed_in(spring.alice).get("/c/spring/manage/"))
    assert "李小明 not signed in" in text(signed_in(spring.alice).get("/c/spring/manage/"))
    assert calls_of(spring.competition) == []  # referees need not come
    logged = AuditEntry.objects.get(target=f"call:{call.pk}")
    assert logged.after == {"table": spring.table().pk, "player": spring.players[1].pk}

    spring.record(SHEET)  # they came
    assert messages_of(spring.competition) == []


def test_a_claimed_objection_is_a_call_and_becomes_a_dispute_by_a_referee(spring):
    spring.record(SHEET)
    phone = phone_of(spring, 1)
    assert "Object (until" in text(phone.get(address(spring, "results:table")))

    phone.post(address(spring), sent("objection", "25,000 is 35,000"))

    (call,) = calls_of(spring.competition)
    assert (call.kind, Dispute.objects.count(), Sheet.objects.get().status) == ("objection", 0, "entered")
    bob = signed_in(spring.bob)
    new = f"{address(spring, 'disputes:new')}?call={call.pk}"
    assert new in bob.get("/c/spring/calls/").content.decode()
    assert "李小明: 25,000 is 35,000" in text(bob.get(new))

    bob.post(new, {"key": uuid.uuid4(), "honba": 0, "subject": "East says 35,000"})

    assert Dispute.objects.get().subject == "East says 35,000"
    call.refresh_from_db()
    assert (call.closed_by, call.note) == (spring.bob, "")
    assert "answered" in text(phone.get(address(spring, "calls:table")))


def test_an_objection_of_an_account_opens_the_dispute_itself(spring):
    spring.record(SHEET)
    answer = account_of(spring, 1).post(address(spring), sent("objection", "25,000 is 35,000"))
    dispute = Dispute.objects.get()
    assert (dispute.subject, dispute.created_by) == ("25,000 is 35,000", spring.dora)
    assert answer.url == reverse("disputes:dispute", args=["spring", dispute.pk])


def test_an_objection_needs_a_sentence(spring):
    spring.record(SHEET)
    answer = phone_of(spring, 1).post(address(spring), sent("objection"))
    assert (answer.status_code, Call.objects.count()) == (422, 0)
    assert "Describe what is wrong." in text(answer)


@pytest.mark.parametrize("kind", ["referee", "x", ""])
def test_other_kinds_are_refused(spring, kind):
    assert phone_of(spring, 1).post(address(spring), sent(kind)).status_code == 422


def test_only_players_of_the_table_can_write(spring):
    spring.record(SHEET)
    for stranger in (Client(), phone_of(spring, 5)):
        page = stranger.post(address(spring), sent("objection", "no"))
        assert page.status_code == 422
        assert "Only players of this table" in text(page)
    assert Call.objects.count() == 0


def test_the_time_for_objections_ends_when_the_competition_says(spring):
    spring.record(SHEET)
    entered = Sheet.objects.get().entered_at
    update_competition(competition=spring.competition, values={"objection_minutes": 10}, by=spring.alice)
    account_of(spring, 1)
    late = entered + timedelta(minutes=10)
    over = "The time for objections to this table is over. Go to the referees’ desk."

    with pytest.raises(Refused, match=over):
        send_message(spring, at=late)
    with pytest.raises(Refused, match=over):
        open_dispute(table=spring.table(), subject="x", by=spring.dora, at=late)
    assert open_dispute(table=spring.table(), subject="x", by=spring.bob, at=late)  # staff always can
    assert send_message(spring, at=late - timedelta(seconds=1))


def test_visitors_do_not_learn_that_a_hidden_sheet_is_in(spring):
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    player = spring.competition.entrants.get(player=spring.players[0]).pk
    pages = [
        address(spring, "results:table"),
        f"{reverse('seating:my_seat', args=['spring'])}?player={player}",
    ]
    before = [text(Client().get(page)) for page in pages]
    spring.record(SHEET)
    assert [text(Client().get(page)) for page in pages] == before


def test_messages_are_limited(spring):
    spring.record(SHEET)
    send_message(spring)
    with pytest.raises(Refused, match="Staff already have this message"):
        send_message(spring)
    for _each in range(MOST_CALLS - 1):
        close_call(call=Call.objects.get(closed_at=None), by=spring.bob)
        send_message(spring)
    close_call(call=Call.objects.get(closed_at=None), by=spring.bob)
    with pytest.raises(Refused, match="calls per hour"):
        send_message(spring)


def add_messages(table: Table, *kinds: str) -> None:
    """Open messages of all players, so many that the limit of a table would refuse them."""
    Call.objects.bulk_create(
        Call(table=table, kind=kind, player=player, created_at=datetime(2026, 11, 20, tzinfo=UTC))
        for kind in kinds
        for player in Player.objects.order_by("pk")
    )


def test_the_messages_of_all_visitors_are_limited(spring):
    spring.record(SHEET)
    add_messages(spring.table(number=2), "late", "absent", "objection")
    add_messages(spring.table(), "objection")
    spring.add_round()
    add_messages(spring.table(2), "late")
    assert Call.objects.count() == MOST_CLAIMS
    with pytest.raises(Refused, match="Too many messages"):
        send_message(spring, "late", table=spring.table(2, 2))


def test_messages_of_tables_that_were_played_do_not_use_up_the_limit(spring):
    add_messages(spring.table(), "late", "absent")
    add_messages(spring.table(number=2), "late", "absent")
    spring.record(SHEET)
    spring.record(SHEET, number=2)
    spring.add_round()
    add_messages(spring.table(2), "late", "absent")
    assert Call.objects.filter(closed_at=None).count() > MOST_CLAIMS
    assert send_message(spring, "late", table=spring.table(2, 2))


def test_a_competition_without_calls_takes_no_claimed_objections(spring):
    spring.record(SHEET)
    update_competition(competition=spring.competition, values={"takes_calls": False}, by=spring.alice)
    with pytest.raises(Refused, match="Calls are switched off"):
        send_message(spring)


@pytest.mark.parametrize("kind", ["late", "absent"])
def test_a_competition_without_calls_still_takes_messages_to_the_organizer(spring, kind):
    update_competition(competition=spring.competition, values={"takes_calls": False}, by=spring.alice)
    sent_call = send_message(spring, kind)
    assert messages_of(spring.competition) == [sent_call]


def test_an_account_that_only_claims_a_player_is_a_visitor(spring):
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    spring.record(SHEET)
    claim = phone_of(spring, 1)
    claim.force_login(user("eve"))

    page = claim.post(address(spring), sent("late"), follow=True)

    assert said(page) == ["Sent to the staff of this competition."]  # no word of the hidden sheet
    assert Call.objects.get().created_by is None
