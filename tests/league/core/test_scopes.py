"""A change locks its scope: a table, a round or the competition, and what is above it for others to share."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection

from league.core.changes import Scope, change
from league.core.errors import Refused
from league.models import AuditEntry, Competition, Round, Table
from league.organizing.audit_log.queries import verify_chain
from league.play.rounds.services import delete_round
from tests.factories import Club, club

on_postgresql = pytest.mark.skipif(
    "connection.vendor != 'postgresql'", reason="SQLite has one lock for all that is written"
)
PATIENCE = 20  # seconds


@pytest.fixture
def hall() -> Club:
    """Two rounds of two tables."""
    here = club(players=8)
    here.add_round()
    here.add_round()
    return here


def table(here: Club, round_: int, number: int) -> Table:
    found = Table.objects.select_related("round__stage__division__competition")
    return found.get(round=here.rounds[round_], number=number)


def round_(here: Club, number: int) -> Round:
    return Round.objects.select_related("stage__division__competition").get(pk=here.rounds[number].pk)


def log(scope: Scope) -> None:
    with change(scope, by=None) as done:
        done.log("test.it", "here")


# --- versions


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("scope", "public", "raised"),
    [
        ("competition", True, {"revision", "version"}),
        ("competition", False, {"version"}),
        ("round", True, {"revision", "version", "round"}),
        ("round", False, {"version", "round"}),
        ("table", True, {"revision", "version", "table"}),
        ("table", False, {"version", "table"}),
    ],
)
def test_a_change_raises_the_versions_of_its_scope(hall, scope, public, raised):
    scopes = {"competition": hall.competition, "round": round_(hall, 0), "table": table(hall, 0, 1)}

    def versions() -> dict[str, int]:
        now = Competition.objects.get(pk=hall.competition.pk)
        return {
            "revision": now.revision,
            "version": now.version,
            "round": Round.objects.get(pk=scopes["round"].pk).version,
            "table": Table.objects.get(pk=scopes["table"].pk).version,
        }

    before, others = (
        versions(),
        Table.objects.exclude(pk=scopes["table"].pk).values_list("version", flat=True),
    )
    unchanged = list(others)
    with change(scopes[scope], by=None, public=public):
        pass
    now = versions()
    assert {name for name in now if now[name] == before[name] + 1} == raised
    assert {name for name in now if now[name] == before[name]} == now.keys() - raised
    assert list(others.all()) == unchanged


@pytest.mark.django_db
def test_what_is_gone_is_refused_with_a_sentence(hall):
    gone, its_table, last = round_(hall, 1), table(hall, 1, 1), table(hall, 0, 2)
    delete_round(round_=hall.rounds[1], by=hall.alice)
    last.delete()
    last.pk = 10**9
    other = Competition(pk=10**9, league=hall.competition.league)
    for scope in (gone, its_table, last, other):
        with pytest.raises(Refused, match=r"deleted or replaced a moment ago\. Reload"):
            log(scope)


@pytest.mark.django_db
def test_a_round_of_another_competition_is_gone(hall):
    moved = round_(hall, 0)
    moved.stage.division.competition = club("autumn").competition
    with pytest.raises(Refused, match="deleted or replaced"):
        log(moved)


# --- locks


@contextmanager
def held(scope: Scope) -> Iterator[Callable[[], None]]:
    """A change of this scope that another connection holds open until the test ends it."""
    has_begun, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            with change(scope, by=None) as done:
                done.log("test.held", "here")
                has_begun.set()
                may_end.wait(PATIENCE)
        finally:
            connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert has_begun.wait(PATIENCE)

    def end() -> None:
        may_end.set()
        thread.join(PATIENCE)

    try:
        yield end
    finally:
        end()


def log_apart(scope: Scope) -> threading.Thread:
    def run() -> None:
        try:
            log(scope)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def is_waiting(*, number: int = 1) -> bool:
    """Whether so many connections wait for a lock, now or soon."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0] >= number:
                return True
        time.sleep(0.02)
    return False


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_changes_of_different_tables_and_rounds_run_side_by_side(hall):
    with held(table(hall, 0, 1)):
        log(table(hall, 0, 2))
        log(table(hall, 1, 1))
        log(round_(hall, 1))
    assert verify_chain(hall.competition).broken_at is None
    assert AuditEntry.objects.filter(action__startswith="test.").count() == 4


@on_postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("table", "table"),
        ("table", "round"),
        ("table", "competition"),
        ("round", "table"),
        ("round", "round"),
        ("round", "competition"),
        ("competition", "table"),
        ("competition", "round"),
        ("competition", "competition"),
    ],
)
def test_changes_of_one_thing_wait_for_each_other(hall, first, second):
    scopes = {"competition": hall.competition, "round": round_(hall, 0), "table": table(hall, 0, 1)}
    with held(scopes[first]) as end:
        waits = log_apart(scopes[second])
        assert is_waiting()
        assert waits.is_alive()
        end()
        waits.join(PATIENCE)
        assert not waits.is_alive()
    actions = AuditEntry.objects.filter(action__startswith="test.").order_by("sequence")
    assert list(actions.values_list("action", flat=True)) == ["test.held", "test.it"]
    assert verify_chain(hall.competition).broken_at is None


@on_postgresql
@pytest.mark.django_db(transaction=True)
def test_tables_do_not_pass_a_competition_that_waits(hall):
    with held(table(hall, 0, 1)) as end:
        whole = log_apart(hall.competition)
        assert is_waiting()
        late = log_apart(table(hall, 0, 2))
        assert is_waiting(number=2)
        end()
        for thread in (whole, late):
            thread.join(PATIENCE)
            assert not thread.is_alive()
    assert verify_chain(hall.competition).broken_at is None
