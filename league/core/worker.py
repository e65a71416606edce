"""gunicorn's worker of threads, in which slow clients cannot keep Django from working.

Many threads wait for clients: for a request, its body, and until the answer is taken. Only a few run Django,
each with a connection to the database, and one of them at a time (``league.core.turns``). A client that is
slow therefore costs a thread that has nothing else to do. gunicorn alone waits for the head of a request
without end.
"""

import socket
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from league.core.bodies import PART, REFUSED, receive
from league.core.log import PAGE, UNKNOWN
from league.core.turns import take_turn
from league.core.watch import LATE

Headers = list[tuple[str, str]]
Start = Callable[..., Any]
Application = Callable[[dict[str, Any], Start], Iterable[bytes]]

HEAD_SECONDS = 10  # from the connection, or the last answer's end, to the end of the head
SEND_SECONDS = 60  # for a page, or a piece of a file
DJANGO_THREADS = 4  # all but one of which wait for a process
LINGER_SECONDS, LINGER_PARTS = 2, 64


class Worker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's own, with limits for clients and a few threads for Django."""

    def handle(self, conn: TConn) -> Any:
        with LATE.watch(conn.sock, HEAD_SECONDS):
            return super().handle(conn)

    def handle_request(self, req: Any, conn: TConn) -> Any:
        LATE.forget(conn.sock)
        conn.sock.settimeout(SEND_SECONDS)
        return super().handle_request(req, conn)

    def load_wsgi(self) -> None:
        super().load_wsgi()
        self.wsgi: Application = InFewThreads(self.wsgi)


class InFewThreads:
    """The application with its requests received before, a few at a time inside."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.threads = ThreadPoolExecutor(DJANGO_THREADS, thread_name_prefix="django")

    def __call__(self, environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        receive(environ)
        status, headers, answer = self._ask(environ)
        start_response(status, headers)
        return AndGone(answer, environ["gunicorn.socket"]) if REFUSED in environ else answer

    def _ask(self, environ: dict[str, Any]) -> tuple[str, Headers, Iterable[bytes]]:
        said: list[Any] = []
        # A copy: what Django and its middleware put there belongs to one try.
        own = dict(environ)
        answer = self.threads.submit(self._run, own, lambda *head: said.extend(head[:2])).result()
        environ[PAGE] = own.get(PAGE, UNKNOWN)
        return said[0], said[1], answer

    def _run(self, environ: dict[str, Any], start_response: Start) -> Iterable[bytes]:
        with take_turn():
            return self.application(environ, start_response)


def _close(answer: Iterable[bytes]) -> None:
    if close := getattr(answer, "close", None):
        close()


class AndGone:
    """The last answer of a connection, on which an unread body may still arrive: it is read for a moment, so
    that the client gets the answer, and no longer.
    """

    def __init__(self, answer: Iterable[bytes], sock: socket.socket) -> None:
        self.answer = answer
        self.sock = sock

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.answer)

    def close(self) -> None:
        _close(self.answer)
        with suppress(OSError), LATE.watch(self.sock, LINGER_SECONDS):
            self.sock.shutdown(socket.SHUT_WR)
            for _ in range(LINGER_PARTS):
                if not self.sock.recv(PART):
                    break
        with suppress(OSError):
            self.sock.shutdown(socket.SHUT_RD)
