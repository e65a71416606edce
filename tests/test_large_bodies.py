"""A body that is too large is refused without being kept, with or without a proxy in front."""

import http.client
import io
import socket
import tracemalloc
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from league.core.limits import FORM_BYTES, MEGABYTE
from tests.served import served
from tests.wire import Visitor

pytestmark = pytest.mark.slow
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(scope="module")
def url(migrated, tmp_path_factory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("served"), migrated=migrated) as url:
        yield url


def connect(url: str) -> socket.socket:
    server = urlsplit(url)
    return socket.create_connection((server.hostname, server.port), timeout=20)


def send_much(url: str, address: str, size: int) -> tuple[int, str, int]:
    """The status and the page, and how many bytes were sent until the server did not take more."""
    sent = 0
    with connect(url) as sock:
        sock.sendall(
            f"POST {address} HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: {size}\r\n\r\n".encode()
        )
        try:
            while sent < size:
                sock.sendall(b"x" * min(MEGABYTE, size - sent))
                sent += MEGABYTE
        except OSError:
            pass
        answer = http.client.HTTPResponse(sock)
        try:
            answer.begin()
            return answer.status, answer.read().decode(), sent
        except OSError:
            return 0, "", sent


def test_300_mb_to_the_form_of_languages_are_refused_before_they_are_read(url):
    status, _text, sent = send_much(url, "/language/", 300 * MEGABYTE)

    assert status in (413, 0)  # 0: the connection was ended while the client still wrote
    assert sent < 300 * MEGABYTE
    assert Visitor(url).get("/healthz").status == 200


@pytest.mark.parametrize("size", [3 * MEGABYTE, 20 * MEGABYTE])
def test_a_form_that_is_too_large_gets_a_page_that_says_the_limit(url, size):
    status, text, _sent = send_much(url, "/language/", size)

    assert status == 413
    assert "The maximum for this page is 2 MB." in text


def test_a_body_without_a_length_is_refused(url):
    server = urlsplit(url)
    connection = http.client.HTTPConnection(server.hostname, server.port, timeout=20)
    connection.request("POST", "/language/", iter([b"language=ja"]), {}, encode_chunked=True)

    assert connection.getresponse().status == 411


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["application/x-www-form-urlencoded", "multipart/form-data; boundary=b"])
def test_what_is_refused_takes_no_memory(kind):
    body = io.BytesIO(b"x" * (20 * MEGABYTE))
    Client().get("/")
    tracemalloc.start()

    answer = Client().generic("POST", "/accounts/login/", b"", kind, CONTENT_LENGTH=str(20 * MEGABYTE), **{
        "wsgi.input": body
    })  # fmt: skip

    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (answer.status_code, body.read()) == (413, b"")
    assert most < 4 * MEGABYTE


@pytest.mark.parametrize(
    ("address", "megabytes"),
    [
        ("/language/", 2),
        ("/leagues/club/import/", 20),
        ("/c/spring/manage/players/import/", 5),
        ("/c/spring/disputes/1/evidence/", 10),
    ],
)
def test_pages_that_take_files_accept_more_than_forms(address, megabytes):
    most = getattr(resolve(address).func, "most_bytes", FORM_BYTES)

    assert most // MEGABYTE == megabytes
