"""Notices of each kind: each fact once, to those who may read it, as long as it holds."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override

from league.core.changes import change
from league.core.errors import Refused
from league.core.outbox import UNDOABLE
from league.extras.notices.queries import find_notice, find_usable
from league.models import Ban, Call, Competition, Outgoing, Penalty, Role, Round
from league.play.bans.services import lift_ban, set_ban
from league.play.calendar.services.table_times import postpone_tables, propose_time, set_time
from league.play.calls.services import close_call, object_in
from league.play.disputes.services import close_dispute, open_dispute, take_step
from league.play.open_play.services import draw_tables, set_presence
from league.play.results.services import record_result, undo_result
from league.play.rounds.services import (
    close_round,
    open_round,
    plan_again,
    publish_rounds,
    seat_players,
    set_visibility,
)
from league.play.substitutions.services.substitutions import substitute_player
from league.play.substitutions.services.swaps import round_state, swap_players
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import as_seen, club
from tests.league.extras.notices.conftest import entrant, linked, mailbox, phone

pytestmark = pytest.mark.django_db
HIDDEN, SEATING, RESULTS = Round.Visibility.values
POINTS = (45000, 35000, 25000, 15000)


@pytest.fixture(autouse=True)
def known_service(service) -> None:
    """Phones of these tests are at the service on this machine."""


def said() -> list[tuple[str, str | None]]:
    """Kind and title of each notice, in the order in which they were put. None: it no longer holds."""
    found = []
    for row in Outgoing.objects.order_by("pk"):
        channel = find_usable(row.channel_id)
        with override("en"):
            notice = channel and find_notice(channel, row.payload["about"], tuple(row.payload["target"]))
        found.append((row.payload["about"], notice.title if notice else None))
    return found


def text_of_last() -> str:
    row = Outgoing.objects.latest("pk")
    notice = find_notice(find_usable(row.channel_id), row.payload["about"], tuple(row.payload["target"]))
    return notice.text


@pytest.mark.slow
def test_the_next_table_goes_out_with_the_seating_and_the_seat_with_the_start(spring, service, browser):
    phone(spring, service, browser, 6)
    round_ = spring.add_round(opened=False, visibility=HIDDEN)
    assert said() == []
    set_visibility(round_=round_, visibility=SEATING, by=spring.alice)
    assert said() == [("next", "Next: table 2, South")]
    open_round(round_=round_, by=spring.alice)
    assert said() == [("next", None), ("seated", "Table 2, South")]
    close_round(round_=round_, by=spring.alice)
    open_round(round_=round_, by=spring.alice)
    assert len(said()) == 2  # reopened: the same seat


@pytest.mark.slow
def test_a_start_that_was_taken_back_goes_out_again_with_the_real_start(spring, service, browser):
    phone(spring, service, browser, 6)
    round_ = spring.add_round(opened=False, visibility=SEATING)

    open_round(round_=round_, by=spring.alice)
    plan_again(round_=round_, by=spring.alice)
    taken_back = said()
    open_round(round_=round_, by=spring.alice)

    assert taken_back == [("next", "Next: table 2, South"), ("seated", None)]
    assert said() == [("next", None), ("seated", "Table 2, South"), ("seated", "Table 2, South")]


def test_nothing_of_a_hidden_round_goes_out(spring, service, browser):
    phone(spring, service, browser)
    mailbox(spring, 2)
    mailbox(spring, 5)
    round_ = spring.add_round(visibility=HIDDEN)
    set_visibility(round_=round_, visibility=HIDDEN, by=spring.alice)
    Outgoing.objects.all().delete()
    spring.record(POINTS)
    one, two = [p.pk for p in spring.players[:4]], [p.pk for p in spring.players[4:]]
    seat_players(round_=round_, tables={1: one, 2: [two[1], two[0], *two[2:]]}, by=spring.alice)
    assert said() == []

    set_visibility(round_=round_, visibility=RESULTS, by=spring.alice)
    assert {about for about, _title in said()} == {"result", "seated"}
    set_visibility(round_=round_, visibility=HIDDEN, by=spring.alice)
    assert {title for _about, title in said()} == {None}  # hidden again before it left


@pytest.mark.slow
def test_a_changed_seat_goes_out_again_and_the_same_seat_is_not(spring, service, browser):
    phone(spring, service, browser, 1)
    phone(spring, service, browser, 5)
    round_ = spring.add_round(opened=False, visibility=SEATING)
    Outgoing.objects.all().delete()
    one, two = [p.pk for p in spring.players[:4]], [p.pk for p in spring.players[4:]]
    set_visibility(round_=round_, visibility=HIDDEN, by=spring.alice)
    set_visibility(round_=round_, visibility=SEATING, by=spring.alice)
    assert len(said()) == 2

    seat_players(round_=round_, tables={1: one, 2: [two[1], two[0], *two[2:]]}, by=spring.alice)

    assert said()[2:] == [("next", "Next: table 2, South")]


@pytest.mark.slow
def test_a_substitute_gets_the_new_seat(spring, service, browser):
    spring.add_players(1)
    entrant(spring, 9)
    phone(spring, service, browser, 9)
    spring.add_round()
    assert said() == []
    seat = spring.table().seats.select_related("round__stage__division__competition").get(wind=0)
    substitute_player(
        seat=seat, substitute=spring.players[8].pk, late=False, score=0, reason="ill", by=spring.alice
    )
    assert said() == [("seated", "Table 1, East")]


def swap(here, round_, one: int, other: int) -> None:
    pair = {"player": here.players[one - 1].pk, "other_player": here.players[other - 1].pk}
    state = round_state(round_)
    swap_players(round_=round_, **pair, reason="sat wrong", based_on=state, by=here.alice)


@pytest.mark.slow
def test_players_who_change_seats_get_their_new_seats_and_others_get_nothing(spring, service, browser):
    for number in (1, 2, 6):
        phone(spring, service, browser, number)
    round_ = spring.add_round()
    assert len(said()) == 3

    swap(spring, round_, 1, 6)

    assert said() == [
        ("seated", None),
        ("seated", "Table 1, South"),
        ("seated", None),
        ("seated", "Table 2, South"),
        ("seated", "Table 1, East"),
    ]


@pytest.mark.slow
def test_a_player_who_returns_to_a_former_seat_gets_it_again_once(spring, service, browser):
    phone(spring, service, browser, 1)
    round_ = spring.add_round()
    swap(spring, round_, 1, 6)
    swap(spring, round_, 1, 6)
    east = ("seated", "Table 1, East")
    assert said() == [east, ("seated", None), east]

    swap(spring, round_, 7, 8)
    phone(spring, service, browser, 2)
    swap(spring, round_, 7, 8)

    assert said()[3:] == [("seated", "Table 1, South")]  # the new phone alone


@pytest.mark.slow
def test_a_swap_in_a_hidden_round_or_after_the_result_tells_no_seat(spring, service, browser):
    phone(spring, service, browser, 1)
    round_ = spring.add_round(visibility=HIDDEN)
    swap(spring, round_, 1, 6)
    swap(spring, round_, 1, 6)
    assert said() == []

    set_visibility(round_=round_, visibility=SEATING, by=spring.alice)
    assert said() == [("seated", "Table 1, East")]
    spring.record(POINTS)
    swap(spring, round_, 1, 3)

    assert said() == [("seated", None)]


def test_a_result_goes_out_once_it_can_no_longer_be_undone(spring, service, browser):
    phone(spring, service, browser, 2)
    spring.add_round()
    Outgoing.objects.all().delete()
    at = timezone.now()
    sheet = record_result(table=spring.table(), points=POINTS, based_on=0, by=spring.charlie, at=at)
    assert said() == [("result", "Your result: place 2, +10.0")]
    assert "35,000 points." in text_of_last()
    assert Outgoing.objects.get().due_at - at >= timedelta(seconds=15)

    undo_result(table=spring.table(), based_on=sheet.pk, by=spring.charlie)
    assert said() == [("result", None)]


def test_a_correction_replaces_the_first_result(spring, service, browser):
    phone(spring, service, browser, 2)
    spring.add_round()
    spring.record(POINTS)
    Outgoing.objects.filter(payload__about="seated").delete()
    record_result(
        **as_seen(spring.table()), points=(35000, 45000, 25000, 15000), by=spring.charlie, reason="swapped"
    )
    assert said() == [("result", None), ("result", "Your result: place 1, +60.0")]


def test_results_of_a_round_go_out_when_it_is_published(spring, service, browser):
    for number in (1, 5):
        phone(spring, service, browser, number)
    round_ = spring.add_round(visibility=SEATING)
    Outgoing.objects.all().delete()
    spring.record(POINTS)
    assert said() == []
    publish_rounds(competition=spring.competition, rounds=[round_], by=spring.alice)
    assert said() == [("result", "Your result: place 1, +60.0")]


def test_the_last_result_that_publishes_the_round_tells_all(spring, service, browser):
    for number in (1, 5):
        phone(spring, service, browser, number)
    Competition.objects.update(release=Competition.Release.COMPLETE)
    spring.competition.refresh_from_db()
    spring.add_round(visibility=SEATING)
    Outgoing.objects.all().delete()
    spring.record(POINTS)
    assert said() == []
    spring.record(POINTS, number=2)
    assert said() == [("result", "Your result: place 1, +60.0")] * 2


def test_the_last_result_and_its_round_go_out_at_once(spring, service, browser):
    phone(spring, service, browser, 1)
    Competition.objects.update(release=Competition.Release.COMPLETE)
    spring.competition.refresh_from_db()
    spring.add_round(visibility=SEATING)
    spring.record(POINTS, number=2)
    Outgoing.objects.all().delete()
    spring.record(POINTS)
    [put] = Outgoing.objects.all()
    assert put.due_at == put.created_at


def test_tables_drawn_on_the_spot_name_each_seat_once(spring, service, browser):
    phone(spring, service, browser, 1)
    Round.objects.create(stage=spring.stage, number=1, visibility=SEATING)
    day = date(2026, 5, 1)
    evening = {"stage": spring.stage, "on": day, "today": day, "by": spring.alice}
    for each in spring.competition.entrants.select_related("player"):
        set_presence(**evening, entrant=each, here=True)
    draw_tables(**evening, seed=1)

    assert [about for about, title in said() if title] == ["seated"]


@pytest.mark.slow
def test_a_proposed_time_goes_to_the_others_of_the_table(spring, service, browser):
    for number in (1, 2, 5):
        phone(spring, service, browser, number)
    proposer = linked(spring, 1)
    round_ = spring.add_round(opened=False, visibility=SEATING)
    Round.objects.filter(pk=round_.pk).update(date=date(2199, 5, 1), until=date(2199, 5, 9))
    Outgoing.objects.all().delete()
    at = datetime(2199, 5, 3, 11, 30, tzinfo=UTC)

    propose_time(
        table=spring.table(), meets_at=at, place="club room", player=spring.players[0].pk, by=proposer
    )

    assert said() == [("time", "A time is proposed for your table")]
    assert Outgoing.objects.get().channel.entrant == entrant(spring, 2)
    assert "19:30" in text_of_last()
    assert "(Hong Kong)" in text_of_last()
    assert "club room." in text_of_last()

    set_time(table=spring.table(), meets_at=at, by=spring.alice)
    assert said()[0] == ("time", None)  # decided since
    assert [title for _about, title in said()[1:]] == ["Time of your table"] * 2
    postpone_tables(tables=[spring.table()], reason="typhoon", by=spring.alice)
    assert [title for _about, title in said()[3:]] == ["Your table is postponed"] * 2


def test_a_penalty_goes_to_the_linked_account_alone(spring, service, browser):
    spring.add_round()
    person = linked(spring, 1)
    phone(spring, service, browser, 1)
    own = phone(spring, service, browser, 1, user=person)
    assert own.user == person
    phone(spring, service, browser, 2)
    Outgoing.objects.all().delete()

    own = {"table": spring.table(), "player_id": spring.players[0].pk}
    penalty = log_penalty(stage=spring.stage, **own, score=-200, reason="late", by=spring.bob)

    assert said() == [("penalty", "Penalty: −20.0")]
    assert "late" in text_of_last()
    revoke_penalty(penalty=penalty, reason="wrong player", by=spring.bob)
    assert said() == [("penalty", None)]


def test_a_revoked_penalty_is_announced_unless_its_own_notice_has_not_left(spring):
    mailbox(spring, 1)
    mailbox(spring, 2)
    late = {"stage": spring.stage, "player_id": spring.players[0].pk, "score": -200, "reason": "late"}
    soon = log_penalty(**late, by=spring.bob)
    revoke_penalty(penalty=soon, reason="wrong player", by=spring.bob, at=soon.created_at + UNDOABLE / 2)
    assert said() == [("penalty", None)]

    sent = log_penalty(**late, by=spring.bob)
    revoke_penalty(penalty=sent, reason="was on time", by=spring.bob, at=sent.created_at + UNDOABLE)

    assert said()[2:] == [("revoked", "Your penalty is revoked")]
    assert text_of_last().endswith("was on time")


def test_a_penalty_names_its_round_and_table_once_the_round_is_visible(spring):
    mailbox(spring, 1)
    round_ = spring.add_round(visibility=HIDDEN)
    late = {"table": spring.table(), "player_id": spring.players[0].pk, "score": -200, "reason": "late"}
    penalty = log_penalty(stage=spring.stage, **late, by=spring.bob)
    assert text_of_last() == "Main, Regular season. late"

    revoke_penalty(penalty=penalty, reason="no", by=spring.bob, at=penalty.created_at + UNDOABLE)
    assert text_of_last() == "Main, Regular season. no"
    set_visibility(round_=round_, visibility=SEATING, by=spring.alice)
    log_penalty(stage=spring.stage, **late, by=spring.bob)
    assert text_of_last() == "Main, Regular season, round 1, table 1. late"


def test_a_declined_or_withdrawn_request_tells_nothing(spring):
    mailbox(spring, 1)
    penalty = log_penalty(
        stage=spring.stage, player_id=spring.players[0].pk, score=-200, reason="late", by=spring.bob
    )
    Penalty.objects.filter(pk=penalty.pk).update(status=Penalty.Status.REQUESTED)
    revoke_penalty(penalty=penalty, reason="no", by=spring.bob, at=penalty.created_at + timedelta(hours=1))
    assert said() == [("penalty", None)]


def test_a_lifted_ban_goes_to_the_linked_account_alone(spring, service, browser):
    mailbox(spring, 1)
    phone(spring, service, browser, 1)
    banned(spring)
    lift_ban(ban=Ban.objects.get(), competition=spring.competition, reason="appeal", by=spring.alice)
    assert said() == [("ban", None), ("lifted", "Your ban is lifted")]
    assert text_of_last() == "appeal"


def test_a_phone_that_only_claims_to_be_a_player_hears_of_no_penalty_ban_or_ruling(spring, service, browser):
    spring.add_round()
    phone(spring, service, browser, 1)
    Outgoing.objects.all().delete()
    log_penalty(stage=spring.stage, player_id=spring.players[0].pk, score=-20, reason="late", by=spring.bob)
    banned(spring)
    decided(spring)
    assert said() == []


def banned(spring) -> None:
    set_ban(
        competition=spring.competition,
        player_id=spring.players[0].pk,
        since=date(2026, 11, 20),
        until=date(2026, 12, 31),
        reason="cheated",
        by=spring.alice,
    )


def decided(spring) -> None:
    dispute = open_dispute(table=spring.table(), subject="A torn tile", by=spring.bob)
    take_step(dispute=dispute, kind="preliminary", said="torn", decided="play on", by=spring.bob)
    dispute = take_step(dispute=dispute, kind="resumed", by=spring.bob)
    close_dispute(dispute=dispute, by=spring.bob)


def test_a_ban_and_a_ruling_go_to_linked_accounts(spring):
    mailbox(spring, 1)
    mailbox(spring, 2)
    spring.add_round()
    Outgoing.objects.all().delete()
    banned(spring)
    decided(spring)
    assert [about for about, _title in said()] == ["ban", "ruling", "ruling"]
    assert said()[0][1].startswith("You are banned until")


def test_an_answered_objection_goes_to_the_player_who_objected(spring, service, browser):
    for number in (1, 2):
        phone(spring, service, browser, number)
    spring.add_round()
    Outgoing.objects.all().delete()
    with change(spring.table(), by=None) as done:
        object_in(done, spring.table(), spring.players[1], None)
    assert said() == []
    close_call(call=Call.objects.get(), by=spring.bob)
    assert said() == [("objection", "A referee has answered your objection")]


def test_an_account_that_is_no_longer_linked_gets_nothing(spring):
    channel = mailbox(spring, 1)
    Role.objects.filter(user=channel.user).delete()
    spring.add_round()
    assert said() == []


def test_an_address_that_is_not_confirmed_or_has_changed_gets_nothing(spring):
    mailbox(spring, 1, confirmed_at=None)
    changed = mailbox(spring, 2)
    changed.user.email = "new@example.org"
    changed.user.save()
    spring.add_round()
    assert said() == []


def test_of_a_private_competition_only_linked_accounts_get_notices(spring, service, browser):
    Competition.objects.update(visibility=Competition.Visibility.PRIVATE)
    phone(spring, service, browser, 1)
    mailbox(spring, 2)
    spring.add_round()
    assert [row.kind for row in Outgoing.objects.all()] == ["mail"]


def test_other_competitions_tell_nothing(spring, service, browser):
    phone(spring, service, browser, 1)
    club("autumn").add_round()
    assert said() == []


def test_a_refused_change_tells_nothing(spring, service, browser):
    phone(spring, service, browser, 1)
    round_ = spring.add_round()
    Outgoing.objects.all().delete()
    with pytest.raises(Refused):
        record_result(table=spring.table(), points=(1, 2, 3, 4), based_on=0, by=spring.charlie)
    assert said() == []
    assert round_.pk


def test_opening_a_round_costs_as_many_queries_for_one_phone_as_for_eight(spring, service, browser):
    counts = []
    for numbers in ((1,), range(2, 9)):
        for number in numbers:
            phone(spring, service, browser, number)
        round_ = spring.add_round(opened=False, visibility=SEATING)
        with CaptureQueriesContext(
            connection,
        ) as found:
            open_round(round_=round_, by=spring.alice)
        counts.append(len(found))
    assert counts[0] == counts[1]
