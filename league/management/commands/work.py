"""The worker: takes tasks from the database and runs each in its own process.

The worker of django-tasks-db is not steady enough. A task whose process is killed stays "running" for ever.
Each look into an empty queue takes SQLite's write lock, and a lock that does not come ends that worker. This
worker looks without a lock, limits the memory and time of each task, and notices a killed process at once. A
killed worker is noticed by its silence.
"""

import ctypes
import logging
import os
import resource
import signal
import time
from argparse import ArgumentParser
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from types import FrameType
from typing import Any, NoReturn

from django.core.management.base import BaseCommand
from django.db import DatabaseError, connection
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import get_random_string
from django_tasks import TaskResultStatus
from django_tasks_db.management.commands.db_worker import Worker as LibraryWorker
from django_tasks_db.models import DBTaskResult

from league.core.apart import TooHeavy, limit
from league.core.outbox import look_for_due
from league.core.tasks import COMPETITION, FILES, LONG, OUTBOX
from league.server.warm_up import warm_up

PAUSE = 0.2  # seconds between two looks into empty queues
BEAT, LEASE = 5, 30  # seconds: how often a worker says that it works, and after how much silence it is dead
GRACE = 20  # seconds that running tasks have when the worker is stopped
ATTEMPTS = 3  # of a task whose process is killed
LOOKED_AT = 100  # tasks of a queue from which the next one is chosen
NICE = 10
SIGNAL_OF_PARENT = 1  # PR_SET_PDEATHSIG
logger = logging.getLogger("umaoka")


@dataclass(frozen=True)
class Queue:
    """A queue's number of concurrent tasks, and the limits of each task in megabytes and seconds of
    processor.
    """

    at_once: int
    megabytes: int
    seconds: int


# Of three long tasks two may be imports, so that no search of a seating waits for an import.
QUEUES = {
    FILES: Queue(2, 2048, 300),
    LONG: Queue(3, 1024, 3600),
    OUTBOX: Queue(2, 512, 60),
}


class Command(BaseCommand):
    help = "Does long work: files, imports, searches for seatings, mails, notices. Runs until it is stopped."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--parent", type=int, help="process id of the parent, with which the worker ends")

    def handle(self, *, parent: int | None, **options: object) -> None:
        if parent is not None:
            end_with_parent(parent, signal.SIGTERM)
        Worker().run()


def end_with_parent(parent: int, number: int) -> None:
    """Ask Linux to send this signal when the parent process ends. End now if it has ended before."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).prctl(SIGNAL_OF_PARENT, number)
    if os.getppid() != parent:
        os._exit(0)


@dataclass
class Running:
    """A task in its process, which is killed at ``until``."""

    task: "DBTaskResult[Any, Any]"
    until: float
    is_late: bool = False


class Worker:
    def __init__(self) -> None:
        self.name = get_random_string(32)
        self.running: dict[int, Running] = {}
        self.ended: list[Running] = []
        self.beaten = 0.0
        self.stopping = False

    def run(self) -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.stop)
        warm_up()  # what is loaded here is there in each process of a task
        while self.running or self.ended or not self.stopping:
            try:
                self.look_after()
                busy = not self.stopping and self.start()
            except DatabaseError as error:
                logger.warning("The worker cannot use the database and tries again: %s", error)
                connection.close()
                time.sleep(2)
                busy = False
            if not busy:
                time.sleep(PAUSE)

    def stop(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True
        for each in self.running.values():
            each.until = min(each.until, time.monotonic() + GRACE)

    # --- begun

    def start(self) -> bool:
        """Begin the next task of each queue that has room. Return whether there was one."""
        held = [each.task.queue_name for each in self.running.values()]
        free = [name for name, queue in QUEUES.items() if held.count(name) < queue.at_once]
        waiting = DBTaskResult.objects.ready().filter(queue_name__in=free)
        found = set(waiting.order_by().values_list("queue_name", flat=True).distinct()) if free else set()
        return any([self._start_one(name) for name in found])

    def _start_one(self, queue: str) -> bool:
        tasks = DBTaskResult.objects.filter(queue_name=queue)
        busy = {_owner(each) for each in tasks.running()} - {None}
        for task in tasks.ready()[:LOOKED_AT]:
            if _owner(task) not in busy and self._claim(task):
                self._run(task)
                return True
        return False

    def _claim(self, task: "DBTaskResult[Any, Any]") -> bool:
        """Mark the task as running, unless another worker was faster."""
        task.status, task.started_at = TaskResultStatus.RUNNING, timezone.now()
        task.worker_ids = [*task.worker_ids, self.name]
        ready = DBTaskResult.objects.filter(pk=task.pk, status=TaskResultStatus.READY)
        return bool(ready.update(status=task.status, started_at=task.started_at, worker_ids=task.worker_ids))

    def _run(self, task: "DBTaskResult[Any, Any]") -> None:
        queue = QUEUES[task.queue_name]
        connection.close()  # processes must not share it
        parent, pid = os.getpid(), os.fork()
        if not pid:
            _work(task, queue, parent)
        self.running[pid] = Running(task, time.monotonic() + 2 * queue.seconds)

    # --- looked after

    def look_after(self) -> None:
        """Note finished tasks, end tasks that take too long, and report that the others are alive. Enqueue
        the sending of messages that are due.
        """
        now = time.monotonic()
        for pid, each in list(self.running.items()):
            if not each.is_late and now > each.until:
                os.kill(pid, signal.SIGKILL)
                each.is_late = not self.stopping
            ended, _status = os.waitpid(pid, os.WNOHANG)
            if ended:
                self.ended.append(self.running.pop(pid))
        while self.ended:
            self._end(self.ended[0])
            del self.ended[0]
        if now > self.beaten + BEAT:
            self.beaten = now
            own = DBTaskResult.objects.filter(pk__in=[each.task.pk for each in self.running.values()])
            own.running().update(started_at=timezone.now()) if self.running else None
            silent = timezone.now() - timedelta(seconds=LEASE)
            for task in DBTaskResult.objects.running().filter(Q(started_at__lt=silent)):
                _give_back(task)
            if not self.stopping:
                look_for_due()

    def _end(self, ended: Running) -> None:
        task = DBTaskResult.objects.filter(pk=ended.task.pk).first()
        if task is None:
            return
        if task.status == TaskResultStatus.SUCCESSFUL:
            task.delete()  # with its arguments, which may name people
        elif task.status == TaskResultStatus.RUNNING:
            _give_back(task, again=not ended.is_late)


def _give_back(task: "DBTaskResult[Any, Any]", *, again: bool = True) -> None:
    """Let a task whose process was killed begin again, or fail if that happened too often."""
    logger.warning("The process of the task %s was killed.", task.task_path)
    same = DBTaskResult.objects.running().filter(pk=task.pk, started_at=task.started_at)
    if again and len(task.worker_ids) < ATTEMPTS:
        same.update(status=TaskResultStatus.READY)
    else:
        failed = {"status": TaskResultStatus.FAILED, "finished_at": timezone.now()}
        same.update(**failed, traceback="Its process was killed.")


def _owner(task: "DBTaskResult[Any, Any]") -> object:
    return task.args_kwargs["kwargs"].get(COMPETITION)


def _work(task: "DBTaskResult[Any, Any]", queue: Queue, parent: int) -> NoReturn:
    """Run the task within the limits of its queue, and end the process."""
    try:
        end_with_parent(parent, signal.SIGKILL)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGXCPU, _stop)
        os.nice(NICE)
        limit(megabytes=queue.megabytes, seconds=queue.seconds, at_most=queue.seconds + GRACE)
        LibraryWorker(
            queue_names=[task.queue_name],
            interval=0,
            batch=True,
            backend_name=task.backend_name,
            startup_delay=False,
            max_tasks=1,
            worker_id=task.worker_ids[-1],
            excluded_queue_names=[],
        ).run_task(task)
        connection.close()
    finally:
        os._exit(0)  # without the clean-up of the process that it was copied from


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    """Raise ``TooHeavy`` once. The end of the task has the seconds that are left."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (hard, hard))
    raise TooHeavy
