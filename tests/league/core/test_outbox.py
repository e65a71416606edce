"""Messages leave after the commit, again after growing pauses, and are given up in the end."""

from datetime import datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from league.core import outbox
from league.core.outbox import CLAIM, PAUSES, NotSent, look_for_due, message, put, send_due
from league.management.commands.work import Worker
from league.models import Outgoing

pytestmark = pytest.mark.django_db


class Clock:
    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, pause: timedelta) -> None:
        self.now += pause


class Receiver:
    """A sender that notes what it sends. It raises its `failures` first."""

    def __init__(self) -> None:
        self.arrived: list[str] = []
        self.failures: list[Exception] = []

    def __call__(self, found: Outgoing) -> None:
        if self.failures:
            raise self.failures.pop(0)
        self.arrived.append(found.key)


@pytest.fixture
def clock(monkeypatch) -> Clock:
    made = Clock(datetime.fromisoformat("2026-11-20T12:00:00+00:00"))
    monkeypatch.setattr(timezone, "now", made)
    return made


@pytest.fixture
def receiver(monkeypatch) -> Receiver:
    made = Receiver()
    monkeypatch.setitem(outbox.SENDERS, ("push", ""), made)
    return made


@pytest.fixture
def queue(settings) -> None:
    """Tasks wait in the database, as with a worker."""
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": ["outbox"]}}


def put_keys(*keys: str, stream: str = "", **values: object) -> None:
    put(message(kind="push", key=key, stream=stream, **values) for key in keys)


def only() -> Outgoing:
    return Outgoing.objects.get()


def send() -> None:
    send_due.call()


def test_messages_leave_after_the_commit_and_not_after_a_rollback(
    receiver, django_capture_on_commit_callbacks
):
    def put_and_fail() -> None:
        with transaction.atomic():
            put_keys("never")
            raise RuntimeError

    with django_capture_on_commit_callbacks(execute=True):
        with pytest.raises(RuntimeError):
            put_and_fail()
        with transaction.atomic():
            put_keys("one", "two")
            assert receiver.arrived == []

    assert receiver.arrived == ["one", "two"]
    assert set(Outgoing.objects.values_list("key", flat=True)) == {"one", "two"}


def test_the_same_key_is_put_once(receiver, django_assert_num_queries):
    put_keys("one", payload={"first": True})
    put_keys("one", "two", payload={"first": False})
    send()
    send()

    assert receiver.arrived == ["one", "two"]
    assert Outgoing.objects.get(key="one").payload == {"first": True}
    with django_assert_num_queries(0):
        put([])


def test_pauses_grow_and_the_message_is_given_up_with_its_problem(clock, receiver, caplog):
    receiver.failures = [NotSent(f"refused {number}") for number in range(1, 20)]
    put_keys("one")
    pauses = []
    for number in range(len(PAUSES)):
        send()
        assert (only().attempts, only().problem) == (number + 1, f"refused {number + 1}")
        pauses.append(only().due_at - clock.now)
        clock.forward(pauses[-1] - timedelta(seconds=1))
        send()
        assert only().attempts == number + 1  # not before its time
        clock.forward(timedelta(seconds=1))
    send()

    assert tuple(pauses) == PAUSES == tuple(sorted(PAUSES))
    assert (only().given_up_at, only().problem) == (clock.now, "refused 8")
    assert "given up after 8 attempts" in caplog.text
    clock.forward(timedelta(days=9))
    send()
    assert receiver.arrived == []


def test_a_final_answer_is_not_tried_again(clock, receiver):
    receiver.failures = [NotSent("gone", again=False)]
    put_keys("one")
    send()
    assert (only().given_up_at, only().problem) == (clock.now, "gone")


def test_a_message_of_an_extra_that_was_left_out_is_given_up_with_its_reason(monkeypatch):
    monkeypatch.setattr(outbox, "SENDERS", {("mail", ""): print})
    put_keys("one")
    send()
    found = only()
    assert found.given_up_at is not None
    assert found.problem == "This installation no longer sends messages of this kind."


def test_the_address_goes_when_the_message_was_sent_or_given_up(clock, receiver):
    receiver.failures = [NotSent("busy"), NotSent("gone", again=False)]
    put_keys("one", address="ann@example.org")
    send()
    assert only().address == "ann@example.org"  # for the next attempt
    put_keys("two", address="ben@example.org")
    send()
    clock.forward(PAUSES[0])
    send()
    assert receiver.arrived == ["one"]
    assert [each.address for each in Outgoing.objects.all()] == ["", ""]


def test_a_receiver_may_ask_for_a_longer_pause(clock, receiver):
    receiver.failures = [NotSent("slow down", after=timedelta(minutes=3)), NotSent("no", after=timedelta(99))]
    put_keys("one")
    send()
    assert only().due_at - clock.now == timedelta(minutes=3)
    clock.forward(timedelta(minutes=3))
    send()
    assert only().due_at - clock.now == PAUSES[-1]


def test_a_fault_of_a_sender_does_not_stop_the_others(clock, receiver, caplog):
    receiver.failures = [KeyError("title")]
    put_keys("one", "two")
    send()
    assert receiver.arrived == ["two"]
    assert Outgoing.objects.get(key="one").problem == "KeyError: 'title'"
    assert "Traceback" in caplog.text
    clock.forward(PAUSES[0])
    send()
    assert receiver.arrived == ["two", "one"]


def test_one_stream_keeps_its_order_and_others_go_on(clock, receiver):
    receiver.failures = [NotSent("busy")]
    put_keys("a1", "a2", stream="a")
    put_keys("b1", stream="b")
    put_keys("free")
    send()
    assert receiver.arrived == ["b1", "free"]
    clock.forward(PAUSES[0])
    send()
    assert receiver.arrived == ["b1", "free", "a1", "a2"]


def test_what_is_given_up_does_not_hold_up_its_stream(receiver):
    receiver.failures = [NotSent("gone", again=False)]
    put_keys("a1", "a2", stream="a")
    send()
    assert receiver.arrived == ["a2"]


def test_a_message_of_a_killed_process_is_sent_once_its_claim_ends(clock, receiver):
    class Killed(BaseException):
        pass

    receiver.failures = [Killed()]
    put_keys("a1", "a2", stream="a")
    with pytest.raises(Killed):
        send()
    send()
    assert receiver.arrived == []
    clock.forward(CLAIM)
    send()
    assert receiver.arrived == ["a1", "a2"]


def test_a_message_whose_process_is_killed_each_time_is_given_up(clock, receiver):
    put_keys("one")
    Outgoing.objects.update(attempts=len(PAUSES) + 1)
    send()
    assert receiver.arrived == []
    assert only().given_up_at == clock.now


def test_two_processes_send_a_message_once(receiver):
    put_keys("one")
    mine, theirs = only(), only()
    assert outbox._claim(mine)
    assert not outbox._claim(theirs)


def test_a_late_process_does_not_note_over_a_later_one(clock, receiver):
    put_keys("one")
    slow = only()
    outbox._claim(slow)
    clock.forward(CLAIM)
    send()
    outbox._postpone(slow, "too late", again=True, after=timedelta())
    assert (only().sent_at, only().problem) == (clock.now, "")


def test_many_commits_enqueue_one_task(queue, django_capture_on_commit_callbacks):
    for key in ("one", "two"):
        with django_capture_on_commit_callbacks(execute=True):
            put_keys(key)
    assert DBTaskResult.objects.get().task_path == "league.core.outbox.send_due"


def test_the_worker_enqueues_what_is_due_and_nothing_else(queue, clock, receiver):
    def look() -> int:
        made = Worker()
        made.look_after()
        return DBTaskResult.objects.count()

    put_keys("one")
    Outgoing.objects.update(due_at=clock.now + timedelta(seconds=1))
    assert look() == 0
    clock.forward(timedelta(seconds=1))
    assert (look(), look()) == (1, 1)
    DBTaskResult.objects.all().delete()
    Outgoing.objects.update(sent_at=clock.now)
    assert look() == 0


def test_a_full_outbox_is_continued_by_another_task(queue, receiver, monkeypatch):
    monkeypatch.setattr(outbox, "AT_A_TIME", 0)
    put_keys("one")
    send()
    assert receiver.arrived == []
    assert DBTaskResult.objects.count() == 1
    look_for_due()
    assert DBTaskResult.objects.count() == 1
