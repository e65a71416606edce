"""A receiver on this machine that verifies signatures, as the documentation shows it."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError


class Receiver:
    """Notes verified events once each. ``answers``: statuses to give first; afterwards 200."""

    def __init__(self) -> None:
        self.key = ""
        self.answers: list[int] = []
        self.location = ""
        self.body = b"thanks\nsecond line"
        self.calls: list[tuple[str, dict[str, str], bytes]] = []
        self.events: dict[str, dict[str, Any]] = {}
        self.refused = 0
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    def take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        self.calls.append((path, headers, body))
        if self.answers:
            return self.answers.pop(0)
        if self.key:
            try:
                event = Webhook(self.key).verify(body, headers)
            except WebhookVerificationError:
                self.refused += 1
                return 400
            self.events.setdefault(headers["webhook-id"], event)
        return 200

    def sent(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _path, _headers, body in self.calls]

    @contextmanager
    def serving(self) -> Iterator["Receiver"]:
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                self.send_response(receiver.take(self.path, headers, body))
                if receiver.location:
                    self.send_header("Location", receiver.location)
                self.send_header("Content-Length", str(len(receiver.body)))
                self.end_headers()
                self.wfile.write(receiver.body)

            def log_message(self, format: str, *args: object) -> None:
                """Print nothing."""

        server = HTTPServer(("127.0.0.1", self.port), Handler)
        self.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()
