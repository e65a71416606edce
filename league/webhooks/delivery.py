"""Call an address that someone typed: public hosts and HTTPS only, no redirect, a limit on what is read.

The name is resolved once for each connection. All of its addresses are checked, and the connection goes to a
checked one, so that a name cannot change between check and call. TLS is verified with the name. The variables
of proxies are not read. ``WEBHOOK_LOCAL`` names hosts on the own network that may be called, also by HTTP.
"""

import ipaddress
import socket
import ssl
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpcore
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PORTS = frozenset({443, 8443})
TIMEOUTS = {"connect": 5.0, "read": 10.0, "write": 10.0, "pool": 5.0}  # seconds
MOST_SECONDS = 20  # from the call until the answer is read
MOST_BYTES = 4096  # of an answer
LINE_LENGTH = 200
LONGEST_PAUSE = 24 * 3600  # seconds, of Retry-After
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # holds an IPv4 address, RFC 6052

NOT_HTTPS = _("The address must begin with https://. Copy it again from the service.")
NO_HOST = _("This host is not known. Check the address.")
NOT_PUBLIC = _("This host is on a private network. Enter an address on the internet.")
OTHER_PORT = _("Only the ports 443 and 8443 may be called. Use one of them.")


class Blocked(Exception):
    """The address may not be called, with the sentence that says why."""


@dataclass(frozen=True)
class Answer:
    """The status and first line of an answer. ``after``: the pause that the receiver asked for."""

    status: int
    line: str = ""
    after: timedelta = timedelta()

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def host_of(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def refusal_of(address: str) -> str | Promise:
    """Return the sentence why this address may not be called, or ""."""
    try:
        host, port = _host_and_port(address)
        resolve_public(host, port)
    except Blocked as blocked:
        found: str | Promise = blocked.args[0]
        return found
    return ""


def _host_and_port(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or (80 if parts.scheme == "http" else 443)
    except ValueError:
        raise Blocked(NO_HOST) from None
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_local(host, port)):
        raise Blocked(NOT_HTTPS)
    if not host or parts.username is not None or not address.isascii() or not address.isprintable():
        raise Blocked(NO_HOST)
    if port not in PORTS and not _is_local(host, port):
        raise Blocked(OTHER_PORT)
    return host, port


def _is_local(host: str, port: int) -> bool:
    return f"{host}:{port}" in settings.WEBHOOK_LOCAL


def resolve_public(host: str, port: int) -> list[str]:
    """Return the addresses of a host. Raise ``Blocked`` unless all are public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Blocked(NO_HOST) from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not addresses:
        raise Blocked(NO_HOST)
    if not _is_local(host, port) and not all(map(is_public, addresses)):
        raise Blocked(NOT_PUBLIC)
    return addresses


def is_public(text: str) -> bool:
    """Return whether an IP address, and the IPv4 address inside an IPv6 one, is on the public internet."""
    address = ipaddress.ip_address(text.partition("%")[0])
    inside: list[ipaddress.IPv4Address | None] = []
    if isinstance(address, ipaddress.IPv6Address):
        if address in NAT64:
            return False
        inside = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address.ipv4_mapped:
            return is_public(str(address.ipv4_mapped))
    every = [address, *(each for each in inside if each is not None)]
    return all(each.is_global and not each.is_multicast and not each.is_reserved for each in every)


class BriefStream(httpcore.NetworkStream):
    """A connection that ends at a moment of the monotonic clock, however slowly its other side sends."""

    def __init__(self, stream: httpcore.NetworkStream, end: float) -> None:
        self.stream, self.end = stream, end

    def _left(self, timeout: float | None) -> float:
        left = self.end - time.monotonic()
        if left <= 0:
            raise httpcore.ReadTimeout
        return left if timeout is None else min(timeout, left)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, self._left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, self._left(timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        made = self.stream.start_tls(ssl_context, server_hostname, self._left(timeout))
        return BriefStream(made, self.end)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)

    def close(self) -> None:
        self.stream.close()


class PublicNetwork(httpcore.SyncBackend):
    """Connects to checked addresses only, for ``MOST_SECONDS`` in all."""

    def __init__(self) -> None:
        self.end = time.monotonic() + MOST_SECONDS

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        problem: Exception | None = None
        for address in resolve_public(host, port)[:3]:
            try:
                made = super().connect_tcp(address, port, timeout, local_address, socket_options)
                return BriefStream(made, self.end)
            except httpcore.ConnectError as error:
                problem = error
        assert problem is not None
        raise problem


def post(address: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Send the body. Raise ``Blocked``, ``OSError`` or an exception of httpcore if there is no answer."""
    _host_and_port(address)
    sent: Any = {
        "Content-Type": "application/json",
        "User-Agent": "Umaoka-Webhooks",
        "Connection": "close",
    } | headers
    with (
        httpcore.ConnectionPool(network_backend=PublicNetwork(), retries=0) as pool,
        pool.stream("POST", address, headers=sent, content=body, extensions={"timeout": TIMEOUTS}) as answer,
    ):
        found = b""
        with suppress(httpcore.TimeoutException):  # its status is known
            for part in answer.iter_stream():
                found += part[:MOST_BYTES]
                if len(found) >= MOST_BYTES or b"\n" in found.strip():
                    break
        pause = dict(answer.headers).get(b"retry-after", b"").decode("latin-1")
        seconds = (
            min(int(pause), LONGEST_PAUSE) if pause.isascii() and pause.isdigit() and len(pause) < 9 else 0
        )
        return Answer(answer.status, first_line(found), timedelta(seconds=seconds))


def first_line(body: bytes) -> str:
    """Return the first line of an answer as visible text."""
    lines = body.decode("utf-8", "replace").strip().splitlines()
    return "".join(each for each in (lines or [""])[0] if each.isprintable())[:LINE_LENGTH]
