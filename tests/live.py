"""The live server of the tests: it knows which connections it still serves.

A browser that closes a page does not take back the request that it had sent. The server answers it all the
same, in a thread and a transaction of its own, which must have ended before the tables are emptied:
PostgreSQL calls the two of them a deadlock, SQLite says that the database is locked.
"""

import socket
from threading import Condition

from django.core.servers.basehttp import ThreadedWSGIServer

LIMIT = 30


class PatientServer(ThreadedWSGIServer):
    """Django's server, with a count of the connections that are not closed yet."""

    def __init__(self, *args, **kwargs) -> None:
        self.connections = 0
        self.changed = Condition()
        super().__init__(*args, **kwargs)

    def process_request(self, request, client_address) -> None:
        with self.changed:
            self.connections += 1
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self.changed:
                self.connections -= 1
                self.changed.notify_all()

    def wait_until_idle(self, *, seconds: float = LIMIT) -> None:
        """Return when whatever visitors have sent is answered. To be called when they have all left.

        TimeoutError when a connection is still open after so many seconds.
        """
        self._accept_all()
        with self.changed:
            if not self.changed.wait_for(lambda: self.connections == 0, seconds):
                raise TimeoutError(
                    f"The live server still serves {self.connections} connections {seconds} s after the test:"
                    " a page was not closed, or a request does not end."
                )

    def _accept_all(self) -> None:
        # Connections are accepted one after the other: when this one is answered, all before it are counted.
        with socket.create_connection(self.server_address[:2], timeout=LIMIT) as last:
            last.shutdown(socket.SHUT_WR)
            last.recv(1)
