"""A function that reads what strangers sent, in a process of its own with limits of memory and time.

The process is started, not forked, because a worker has threads. A function's process loads only its module
(Django's settings are not read), so that it starts in some 0.2 seconds.
"""

import importlib
import pickle
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = 1024 * 1024
_TURN = Lock()  # a server process reads one file at a time: many uploads at once hold one thread

Answer = TypeVar("Answer")


class TooHeavy(Exception):
    """The function needed more memory or time than it may."""


class Busy(Exception):
    """Another file is being read."""


def run_apart(
    function: Callable[..., Answer], *arguments: object, megabytes: int, seconds: int, **options: object
) -> Answer:
    """Return or raise what ``function`` does. Raises ``TooHeavy`` beyond ``megabytes`` of address space or
    ``seconds`` of processor time, and ``Busy`` at once while another function runs.

    ``function`` is found by its module and name. Arguments, answer and exceptions are pickled.
    """
    call = pickle.dumps((function.__module__, function.__name__, arguments, options, megabytes, seconds))
    if not _TURN.acquire(blocking=False):
        raise Busy
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and a module of ours
            [sys.executable, "-m", __name__], cwd=ROOT, input=call, capture_output=True, timeout=4 * seconds
        )
    except subprocess.TimeoutExpired as error:
        raise TooHeavy from error
    finally:
        _TURN.release()
    if done.returncode:
        raise TooHeavy
    answer, raised = pickle.loads(done.stdout)  # noqa: S301 - written by the process below
    if raised is not None:
        raise raised
    found: Answer = answer
    return found


def limit(*, megabytes: int, seconds: int, at_most: int = 0) -> None:
    """End this process when it needs more: memory as ``MemoryError``, time by SIGXCPU. The limit of time can
    be raised to ``at_most`` seconds.
    """
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, at_most or seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Lower the limit of time of this process to so many seconds of processor from now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    used = int(time.process_time()) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _serve() -> None:
    module, name, arguments, options, megabytes, seconds = pickle.load(sys.stdin.buffer)  # noqa: S301
    limit(megabytes=megabytes, seconds=seconds)
    outcome: tuple[Any, Exception | None]
    try:
        outcome = getattr(importlib.import_module(module), name)(*arguments, **options), None
    except MemoryError:
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - raised again where it was called
        outcome = None, error
    sys.stdout.buffer.write(pickle.dumps(outcome))


if __name__ == "__main__":
    _serve()
