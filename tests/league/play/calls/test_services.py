"""Calls for a referee: one a table, taken by one person knowingly, done by anyone."""

from datetime import UTC, datetime, timedelta

import pytest

from league.core.errors import Refused
from league.models import AuditEntry, Call, Role
from league.play.calls.queries import calls_of, open_call
from league.play.calls.services import call_referee, close_call, take_call
from league.play.rounds.services import close_round
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 4, 0, tzinfo=UTC)


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    return made


def called(made: Club, number: int = 1, *, minute: int = 0, **options) -> Call:
    options = {"by": None} | options
    at = NOON + timedelta(minutes=minute)
    return call_referee(table=made.table(number=number), at=at, **options)


def log_of(call: Call) -> list[tuple]:
    entries = AuditEntry.objects.filter(target=f"call:{call.pk}").order_by("sequence")
    return list(entries.values_list("action", "actor__username", "before", "after"))


def test_a_call_waits_until_a_referee_has_been_there(spring):
    call = called(spring, note="  Is this chi legal? ")
    assert (call.table, call.note, call.created_by, call.created_at) == (
        spring.table(),
        "Is this chi legal?",
        None,
        NOON,
    )

    take_call(call=call, by=spring.bob, at=NOON + timedelta(minutes=2))
    taken = open_call(spring.table())
    assert (taken.taken_by, taken.taken_at) == (spring.bob, NOON + timedelta(minutes=2))

    close_call(call=call, by=spring.alice, at=NOON + timedelta(minutes=5))
    kept = Call.objects.get()
    assert (kept.closed_by, kept.closed_at) == (spring.alice, NOON + timedelta(minutes=5))
    assert kept.note == ""  # it has served, and is kept nowhere
    assert open_call(spring.table()) is None
    table = spring.table().pk
    assert log_of(call) == [
        ("call.open", None, None, {"table": table}),
        ("call.take", "bob-spring", {"user": None}, {"user": spring.bob.pk, "table": table}),
        ("call.close", "alice-spring", None, {"table": table}),
    ]


def test_the_longest_waiting_comes_first_and_only_of_this_competition(spring):
    there = club("autumn")
    there.add_round()
    called(there)
    second, first = called(spring, 2, minute=3), called(spring, 1)
    assert calls_of(spring.competition) == [first, second]


def test_no_referee_is_called_to_a_round_that_is_not_played(spring):
    close_round(round_=spring.rounds[0], by=spring.alice)
    with pytest.raises(Refused, match="not being played"):
        called(spring)
    spring.add_round(opened=False)
    with pytest.raises(Refused, match="not being played"):
        call_referee(table=spring.table(2), by=None)
    assert Call.objects.count() == 0


def test_a_call_is_taken_over_knowingly_or_not_at_all(spring):
    call = called(spring)
    take_call(call=call, by=spring.bob)
    with pytest.raises(Refused, match="Someone else accepted this call a moment ago"):
        take_call(call=call, by=spring.alice)
    with pytest.raises(Refused, match="You have already accepted this call"):
        take_call(call=call, by=spring.bob)

    take_call(call=call, by=spring.alice, seen=spring.bob.pk)

    assert Call.objects.get().taken_by == spring.alice


def test_a_referee_does_not_go_to_the_table_where_they_play(spring):
    Role.objects.create(
        competition=spring.competition, user=spring.bob, kind=Role.Kind.PLAYER, player=spring.players[2]
    )
    with pytest.raises(Refused, match="You are playing at this table"):
        take_call(call=called(spring), by=spring.bob)
    assert take_call(call=called(spring, 2), by=spring.bob).taken_by == spring.bob


def test_any_number_of_calls_takes_one_query(spring, django_assert_num_queries):
    called(spring, 1)
    called(spring, 2, by=spring.dora)
    with django_assert_num_queries(1):
        calls = calls_of(spring.competition)
        assert [call.table.round.stage.division.name for call in calls] == [spring.division.name] * 2
