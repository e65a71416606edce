"""One thread of a worker runs Django at a time: Python runs no more than one anyway, and threads that change
places in the middle of a page make all of them late. A thread that waits for another process lets others
go on.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_turn = threading.Lock()
_own = threading.local()


@contextmanager
def take_turn() -> Iterator[None]:
    with _turn:
        _own.has = True
        try:
            yield
        finally:
            _own.has = False


@contextmanager
def let_others() -> Iterator[None]:
    """Gives up this thread's turn while the block waits. Not in a transaction: the thread that has the turn
    may wait for its end.
    """
    if not getattr(_own, "has", False):
        yield
        return
    _own.has = False
    _turn.release()
    try:
        yield
    finally:
        _turn.acquire()
        _own.has = True
