"""Clients that are slow or send too much do not keep the server from answering others."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest

from league.core import bodies
from tests.served import served
from tests.wire import Visitor

MEGABYTE = 1024 * 1024
CONNECTIONS = 12  # four more than Django's threads in two workers
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(scope="module")
def url(migrated, tmp_path_factory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("served"), migrated=migrated) as url:
        yield url


def connect(url: str) -> socket.socket:
    server = urlsplit(url)
    return socket.create_connection((server.hostname, server.port), timeout=20)


@contextmanager
def a_byte_a_second(url: str, head: str) -> Iterator[list[socket.socket]]:
    """Connections that have sent this much, and go on with a byte a second."""
    over = Event()
    with ExitStack() as stack:
        sockets = [stack.enter_context(connect(url)) for _ in range(CONNECTIONS)]
        for each in sockets:
            each.sendall(head.encode())

        def trickle() -> None:
            while not over.wait(1):
                for each in sockets:
                    with suppress(OSError):
                        each.sendall(b"a")

        thread = Thread(target=trickle)
        thread.start()
        yield sockets
        over.set()
        thread.join()


def slowest_health_check(url: str, checks: int = 10) -> float:
    """Seconds of the slowest of some health checks."""
    taken = []
    for _ in range(checks):
        begun = time.monotonic()
        assert Visitor(url).get("/healthz").status == 200
        taken.append(time.monotonic() - begun)
    return max(taken)


@pytest.mark.parametrize(
    "head",
    [
        f"POST /language/ HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: 2000\r\n\r\nlang",
        "POST /language/ HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
    ],
    ids=["body", "head"],
)
def test_a_byte_a_second_on_many_connections_does_not_stop_the_server(head, url):
    with a_byte_a_second(url, head):
        assert slowest_health_check(url) < 5


def test_a_slow_body_is_given_up(url):
    head = f"POST /language/ HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: 2000\r\n\r\nlang"

    with a_byte_a_second(url, head) as sockets:
        answer = sockets[0].recv(64)

    assert answer.startswith(b"HTTP/1.1 408 ")


def send_much(url: str, address: str, megabytes: int) -> tuple[int, int]:
    """The status, and how many bytes were sent until the server did not take more."""
    sent = 0
    with connect(url) as sock:
        length = megabytes * MEGABYTE
        sock.sendall(
            f"POST {address} HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: {length}\r\n\r\n".encode()
        )
        try:
            while sent < length:
                sock.sendall(b"x" * MEGABYTE)
                sent += MEGABYTE
        except OSError:
            pass
        answer = http.client.HTTPResponse(sock)
        try:
            answer.begin()
        except OSError:
            return 0, sent
        return answer.status, sent


def test_300_mb_to_the_form_of_languages_are_refused_before_they_are_read(url):
    status, sent = send_much(url, "/language/", 300)

    assert status in (413, 0)  # 0: the connection was ended while the client still wrote
    assert sent < 300 * MEGABYTE
    assert slowest_health_check(url) < 5


def test_a_form_that_is_too_large_gets_a_page_that_says_the_limit(url):
    with connect(url) as sock:
        sock.sendall(
            f"POST /language/ HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: 3000000\r\n\r\n".encode()
        )
        answer = http.client.HTTPResponse(sock)
        answer.begin()
        text = answer.read().decode()

    assert answer.status == 413
    assert "The maximum for this page is 2 MB." in text


def test_a_body_without_a_length_is_refused(url):
    server = urlsplit(url)
    connection = http.client.HTTPConnection(server.hostname, server.port, timeout=20)
    connection.request("POST", "/language/", iter([b"language=ja"]), {}, encode_chunked=True)

    assert connection.getresponse().status == 411


@pytest.mark.parametrize(
    ("address", "megabytes"),
    [
        ("/language/", 2),
        ("/leagues/club/import/", 20),
        ("/c/spring/manage/players/import/", 5),
        ("/c/spring/disputes/1/evidence/", 10),
        ("/nowhere/", 2),
    ],
)
def test_pages_that_take_files_accept_more_than_forms(address, megabytes):
    most = bodies.most_bytes({"PATH_INFO": address})

    assert most // MEGABYTE == megabytes
