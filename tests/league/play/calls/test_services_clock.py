"""The round's clock: started once, started again knowingly, and how much time each table has left."""

from datetime import UTC, datetime, timedelta

import pytest

from league.core.errors import Refused
from league.models import AuditEntry, Round, Table
from league.play.calls.queries import Clock, clock_of, round_clock
from league.play.calls.services import start_clock
from league.play.disputes.services import open_dispute, take_step
from league.play.rounds.services import close_round
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 20, 4, 0, tzinfo=UTC)
END = NOON + timedelta(minutes=60)


def at(minute: int) -> datetime:
    return NOON + timedelta(minutes=minute)


@module_fixture
def spring() -> Club:
    made = club("spring", preset="hkma-b-2025-04")  # 60 minutes, then one hand
    made.add_round()
    return made


def start(made: Club, minute: int = 0, **options) -> Round:
    return start_clock(round_=made.rounds[0], by=made.alice, at=at(minute), **options)


def lost(made: Club, number: int, since: int, until: int) -> None:
    """A dispute at this table keeps it from playing, from one minute to the other."""
    dispute = open_dispute(table=made.table(number=number), subject="x", by=made.bob, at=at(since))
    take_step(dispute=dispute, kind="preliminary", decided="y", by=made.bob, at=at(since))
    take_step(dispute=dispute, kind="resumed", closes=True, by=made.bob, at=at(until))


def clock(minutes: int = 60, *, rests: int | None = None, extra: int = 0) -> Clock:
    return Clock(ends=at(minutes), rests=rests, extra=extra, hands_after=1)


def test_a_clock_that_was_started_runs_for_the_time_of_the_rules(spring):
    assert round_clock(spring.rounds[0], sees_results=True) is None
    assert clock_of(spring.table(), sees_results=True) is None

    started = start(spring)

    assert started.clock_started_at == NOON
    assert round_clock(started, sees_results=True) == (clock(), [])
    assert clock_of(spring.table(), sees_results=True) == clock()
    entry = AuditEntry.objects.get(action="clock.start")
    assert (entry.target, entry.before, entry.after) == (
        f"round:{started.pk}",
        {"started": ""},
        {"started": "2026-11-20T04:00:00+00:00"},
    )


def test_it_is_started_once_and_again_only_knowingly(spring):
    start(spring)
    lost(spring, 1, 10, 15)
    with pytest.raises(Refused, match="The clock of this round is already running"):
        start(spring, 20)
    assert Round.objects.get().clock_started_at == NOON

    again = start(spring, 20, again=True)

    assert again.clock_started_at == at(20)
    assert list(Table.objects.values_list("extra_seconds", flat=True)) == [0, 0]
    assert round_clock(again, sees_results=True) == (clock(80), [])


def test_a_table_that_lost_time_has_more_and_one_in_dispute_rests(spring):
    round_ = start(spring)
    lost(spring, 1, 10, 17)
    open_dispute(table=spring.table(number=2), subject="x", by=spring.bob, at=at(50))

    first, second = spring.table(number=1), spring.table(number=2)
    assert round_clock(round_, sees_results=True) == (
        clock(),
        [(first, clock(67, extra=420)), (second, clock(60, rests=600))],
    )
    assert clock_of(first, sees_results=True) == clock(67, extra=420)
    assert clock_of(second, sees_results=True) == clock(60, rests=600)


def test_after_the_time_a_table_rests_with_nothing_left(spring):
    start(spring)
    open_dispute(table=spring.table(), subject="x", by=spring.bob, at=at(65))
    found = clock_of(spring.table(), sees_results=True)
    assert (found.rests, found.rests_minutes) == (-300, 0)


def test_minutes_are_whole_numbers():
    assert clock(rests=659, extra=61).rests_minutes == 10
    assert clock(rests=659, extra=61).extra_minutes == 2
    assert clock(extra=60).extra_minutes == 1
    assert clock().extra_minutes == 0


def test_a_table_that_is_done_has_no_clock_for_those_who_see_results(spring):
    round_ = start(spring)
    lost(spring, 1, 10, 17)
    spring.record((45000, 25000, 20000, 10000))

    assert clock_of(spring.table(), sees_results=True) is None
    assert round_clock(round_, sees_results=True) == (clock(), [])
    # Who does not see results must not learn that there is one.
    assert clock_of(spring.table(), sees_results=False) == clock(67, extra=420)
    assert round_clock(round_, sees_results=False)[1] == [(spring.table(), clock(67, extra=420))]


def test_a_round_without_time_or_not_open_has_no_clock(spring):
    autumn = club("autumn")  # division A: no limit
    autumn.add_round()
    with pytest.raises(Refused, match="Enter the minutes of this round"):
        start_clock(round_=autumn.rounds[0], by=autumn.alice)

    start(spring)
    closed = close_round(round_=spring.rounds[0], by=spring.alice)
    assert round_clock(closed, sees_results=True) is None
    with pytest.raises(Refused, match="not started"):
        start(spring, again=True)
    spring.add_round(opened=False)
    with pytest.raises(Refused, match="not started"):
        start_clock(round_=spring.rounds[1], by=spring.alice)


def test_a_round_that_is_gone_has_no_clock_to_start(spring):
    Round.objects.filter(pk=spring.rounds[0].pk).delete()
    with pytest.raises(Refused, match="deleted"):
        start(spring)


def test_any_number_of_tables_takes_three_queries(spring, django_assert_num_queries):
    start(spring)
    lost(spring, 1, 10, 17)
    lost(spring, 2, 10, 18)
    round_ = Round.objects.select_related("stage__division__rule_set").get()
    with django_assert_num_queries(3):
        assert len(round_clock(round_, sees_results=True)[1]) == 2
