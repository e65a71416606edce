"""Which task the worker takes next, and what becomes of one whose process is killed."""

import time
from datetime import timedelta

import pytest
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from league.core.tasks import FILES, LONG, OUTBOX
from league.management.commands import work
from league.management.commands.work import ATTEMPTS, LEASE, Running, Worker

pytestmark = pytest.mark.django_db
READY, RUNNING, FAILED = TaskResultStatus.READY, TaskResultStatus.RUNNING, TaskResultStatus.FAILED


@pytest.fixture
def worker(monkeypatch) -> Worker:
    """A worker that begins tasks and does not run them."""
    made, pids = Worker(), iter(range(1_000, 2_000))
    monkeypatch.setattr(
        made, "_run", lambda task: made.running.update({next(pids): Running(task, time.monotonic() + 60)})
    )
    return made


def waiting(queue: str = FILES, competition: int | None = None, priority: int = 0) -> DBTaskResult:
    kwargs = {} if competition is None else {"competition": competition}
    return DBTaskResult.objects.create(
        queue_name=queue,
        priority=priority,
        args_kwargs={"args": [], "kwargs": kwargs},
        backend_name="default",
    )


def begun(worker: Worker) -> list[object]:
    while worker.start():
        pass
    return [each.task.pk for each in worker.running.values()]


def test_one_competition_has_one_file_made_at_a_time(worker):
    first, second, other = waiting(competition=1), waiting(competition=1, priority=-1), waiting(competition=2)

    assert begun(worker) == [first.pk, other.pk]
    assert DBTaskResult.objects.get(pk=second.pk).status == READY


def test_the_hundredth_file_of_one_league_waits_behind_the_first_of_another(worker):
    for number in range(8):
        waiting(competition=1, priority=-number)
    for number in range(8):
        waiting(competition=2, priority=-number)
    late = waiting(competition=3)
    assert len(begun(worker)) == 2
    for pid in list(worker.running):
        worker.running.pop(pid).task.delete()

    assert late.pk in begun(worker)


def test_queues_do_not_wait_for_each_other(worker):
    for queue in (FILES, LONG, OUTBOX):
        for number in range(9):
            waiting(queue, competition=number)

    begun(worker)
    held = [each.task.queue_name for each in worker.running.values()]

    assert {name: held.count(name) for name in work.QUEUES} == {
        FILES: 2,
        LONG: 3,
        OUTBOX: 2,
    }


def test_a_task_is_taken_by_one_worker(worker):
    task = waiting()
    before = DBTaskResult.objects.get(pk=task.pk)

    assert worker._claim(task)
    assert not Worker()._claim(before)


def test_a_killed_task_begins_again_until_it_was_killed_too_often(worker):
    task = waiting()
    for number in range(1, ATTEMPTS + 1):
        assert begun(worker) == [task.pk]
        worker._end(worker.running.popitem()[1])

        task.refresh_from_db()
        assert task.status == (READY if number < ATTEMPTS else FAILED)
    assert "killed" in task.traceback


def test_a_task_that_takes_too_long_fails_at_once(worker):
    task = waiting()
    begun(worker)

    worker._end(Running(DBTaskResult.objects.get(pk=task.pk), 0, is_late=True))

    task.refresh_from_db()
    assert task.status == FAILED


def test_tasks_of_a_worker_that_is_silent_are_taken_by_another_one(worker):
    silent, alive = waiting(), waiting()
    for task, seconds in ((silent, LEASE + 1), (alive, LEASE - 5)):
        then = timezone.now() - timedelta(seconds=seconds)
        DBTaskResult.objects.filter(pk=task.pk).update(status=RUNNING, started_at=then, worker_ids=["other"])

    worker.look_after()

    assert list(DBTaskResult.objects.ready()) == [silent]


def test_a_task_that_ended_well_leaves_nothing(worker):
    task = waiting()
    begun(worker)
    DBTaskResult.objects.update(status=TaskResultStatus.SUCCESSFUL)

    worker._end(worker.running.popitem()[1])

    assert not DBTaskResult.objects.filter(pk=task.pk).exists()
