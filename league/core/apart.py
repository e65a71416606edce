"""Work in a process of its own. A function that reads what strangers sent has limits of memory and time; a
command outlives the request.

The process is started, not forked, because a worker has threads. A function's process loads only its module
(Django's settings are not read), so that it starts in some 0.2 seconds.
"""

import importlib
import pickle
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import BoundedSemaphore, Thread
from typing import Any, BinaryIO, TypeVar

ROOT = Path(__file__).resolve().parents[2]
MEGABYTE = 1024 * 1024
WAIT = 10  # seconds that a request waits for its turn
NICE = 10
LONGEST = 300  # seconds of a command
_TURN = BoundedSemaphore(1)  # a worker reads one file at a time: many uploads at once do not add up

Answer = TypeVar("Answer")


class TooHeavy(Exception):
    """The function needed more memory or time than it may."""


class Busy(Exception):
    """Other files are read at the moment."""


def run_apart(
    function: Callable[..., Answer], *arguments: object, megabytes: int, seconds: int, **options: object
) -> Answer:
    """What ``function`` returns or raises. ``megabytes`` of address space and ``seconds`` of processor time
    are its limits; raises ``TooHeavy`` beyond them, and ``Busy`` when it does not get its turn.

    ``function`` is found by its module and name; arguments, answer and exceptions are pickled.
    """
    call = pickle.dumps((function.__module__, function.__name__, arguments, options, megabytes, seconds))
    if not _TURN.acquire(timeout=WAIT):
        raise Busy
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and a module of ours
            [sys.executable, "-m", __name__],
            cwd=ROOT,
            input=call,
            capture_output=True,
            timeout=4 * seconds,
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


def command_output(*words: str) -> bytes:
    """What ``manage.py`` with these words writes. It gives way to those who answer, who continue;
    raises ``CalledProcessError`` or ``TimeoutExpired`` when it fails.
    """
    command = ["nice", "-n", str(NICE), sys.executable, "manage.py", *words]
    done = subprocess.run(  # noqa: S603 - our own interpreter and words of ours
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=LONGEST, check=True
    )
    return done.stdout


def start_command(*words: str, stdin: BinaryIO) -> None:
    """Starts ``manage.py`` with these words; it goes on when the request or the worker has ended."""
    process = subprocess.Popen(  # noqa: S603 - our own interpreter and words of ours
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        stdin=stdin,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    Thread(target=process.wait, daemon=True).start()  # so that it leaves no zombie


def limit(*, megabytes: int, seconds: int, at_most: int = 0) -> None:
    """Ends this process when it needs more: memory as ``MemoryError``, time by SIGXCPU. ``at_most``: seconds
    to which the limit may be raised.
    """
    resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE,) * 2)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, at_most or seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


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
