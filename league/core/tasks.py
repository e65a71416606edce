"""Long work: Django's tasks, kept in the database until ``manage.py work`` does them.

A task may be done twice: if its process is killed, another one begins it again. So each task either
overwrites its own result or finds out what is done already.
"""

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from league.models.querysets import remove

FILES, LONG, OUTBOX = "files", "long", "outbox"
COMPETITION = "competition"  # the argument that names whose task it is: at most one of each runs in a queue
FAILED_DAYS = 7
UNDER_WAY = (TaskResultStatus.READY, TaskResultStatus.RUNNING)


def find_tasks(task: "Task[Any, Any]", first: object) -> "list[DBTaskResult[Any, Any]]":
    """Return the tasks with this first argument that wait, run or have failed, oldest first."""
    results = DBTaskResult.objects.filter(task_path=task.module_path, args_kwargs__args__0=first)
    return list(results.order_by("enqueued_at"))


def enqueue_once(task: "Task[Any, Any]", first: object, *arguments: object) -> None:
    """Enqueue the task unless one with the same first argument waits or runs."""
    if not any(each.status in UNDER_WAY for each in find_tasks(task, first)):
        task.enqueue(first, *arguments)


def forget_failed_tasks() -> int:
    """Remove tasks that failed long ago, or wait in a queue that no longer exists. Return how many."""
    before = timezone.now() - timedelta(days=FAILED_DAYS)
    lost = ~Q(queue_name__in=settings.TASKS["default"]["QUEUES"]) & Q(enqueued_at__lt=before)
    return remove(DBTaskResult.objects.filter(Q(finished_at__lt=before) | lost))
