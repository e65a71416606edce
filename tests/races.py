"""Several people who do something at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import DatabaseError, connection

from league.core.errors import AlreadyDone, Refused


def at_once(*jobs: Callable[[], Any]) -> list[Any]:
    """What each job returns, or why it is refused; all of them start together, each on its own connection."""
    start = Barrier(len(jobs))

    def run(job: Callable[[], Any]) -> Any:
        try:
            start.wait()
            return job()
        except (Refused, AlreadyDone, DatabaseError) as outcome:
            return outcome
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))
