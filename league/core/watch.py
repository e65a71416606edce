"""Ends connections that keep a thread waiting longer than they may."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

TICK = 0.5  # seconds between two looks


class Watch:
    """Shuts sockets whose time is over: a thread that reads from one then finds the end of the data, and can
    still answer. A socket's own timeout begins again with each byte; this one does not.
    """

    def __init__(self) -> None:
        self._ends: dict[socket.socket, float] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @contextmanager
    def watch(self, sock: socket.socket, seconds: float) -> Iterator[None]:
        """Shuts ``sock`` unless the block ends, or ``forget`` is called, within so many seconds."""
        self._begin()
        self._ends[sock] = time.monotonic() + seconds
        try:
            yield
        finally:
            self.forget(sock)

    def forget(self, sock: socket.socket) -> None:
        self._ends.pop(sock, None)

    def _begin(self) -> None:
        with self._lock:  # in each worker: a thread does not survive a fork
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._look, name="watch", daemon=True)
                self._thread.start()

    def _look(self) -> None:
        while True:
            time.sleep(TICK)
            now = time.monotonic()
            for sock, end in list(self._ends.items()):
                if end < now:
                    self.forget(sock)
                    with suppress(OSError):  # it may be closed already
                        sock.shutdown(socket.SHUT_RD)


LATE = Watch()
