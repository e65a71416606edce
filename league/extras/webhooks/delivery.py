"""Call an address that someone typed: public hosts and HTTPS only, no redirect, a limit on what is read.

A name is resolved when it is called, once for each connection. All of its addresses are checked, and the
connection goes to a checked one, so that a name cannot change between check and call. TLS is verified with
the name. The variables of proxies are not read. ``WEBHOOK_LOCAL`` names hosts on the own network that may be
called, also by HTTP.
"""

import ipaddress
import socket
import ssl
import time
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpcore
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from league.core.errors import Refused

PORTS = frozenset({443, 8443})
TIMEOUTS = {"connect": 5.0, "read": 10.0, "write": 10.0, "pool": 5.0}  # seconds
MOST_SECONDS = 20  # from the call until the answer is read
MOST_BYTES = 4096  # of an answer
LINE_LENGTH = 200
LONGEST_PAUSE = 24 * 3600  # seconds, of Retry-After
# Networks of IPv6 that lead to an IPv4 address: NAT64 (RFC 6052), Teredo (RFC 4380), 6to4 (RFC 3056).
TUNNELS = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "2001::/32", "2002::/16")))
# Networks that are not globally reachable by the IANA registries of special-purpose addresses, or deprecated,
# and that `ipaddress` of Python 3.11 takes for public: RFC 6890, 7526, 9637, 9602, 3879.
SPECIAL = tuple(
    map(ipaddress.ip_network, ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20", "5f00::/16", "fec0::/10"))
)

NOT_HTTPS = _("The address must begin with https://. Copy it again from the service.")
NO_HOST = _("This host is not known. Check the address.")
NOT_PUBLIC = _("This host is on a private network. Enter an address on the internet.")
OTHER_PORT = _("Only the ports 443 and 8443 may be called. Use one of them.")


@dataclass(frozen=True)
class Answer:
    """The status and first line of an answer. ``after``: the pause that the receiver asked for."""

    status: int
    line: str
    after: timedelta

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def check_address(address: str) -> None:
    """Raise ``Refused`` for an address of another form, or a number that is not public.

    It asks no name server, so a request may wait for it.
    """
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or (80 if parts.scheme == "http" else 443)
    except ValueError:
        raise Refused(NO_HOST, field="address") from None
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_local(host, port)):
        raise Refused(NOT_HTTPS, field="address")
    if not host or parts.username is not None or not address.isascii() or not address.isprintable():
        raise Refused(NO_HOST, field="address")
    if port not in PORTS and not _is_local(host, port):
        raise Refused(OTHER_PORT, field="address")
    with suppress(OSError):  # a name is not a number
        _public_addresses(host, port, socket.AI_NUMERICHOST)


def _is_local(host: str, port: int) -> bool:
    return f"{host}:{port}" in settings.WEBHOOK_LOCAL


def _public_addresses(host: str, port: int, flags: int = 0) -> list[str]:
    """Return the addresses of a host. Raise ``OSError`` if it has none, ``Refused`` unless all are public."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    except UnicodeError:
        raise Refused(NO_HOST, field="address") from None
    addresses = list(dict.fromkeys(str(address) for *_kind, (address, *_port) in found))
    if not _is_local(host, port) and not all(map(is_public, addresses)):
        raise Refused(NOT_PUBLIC, field="address")
    return addresses


def is_public(text: str) -> bool:
    """Return whether an IP address is on the public internet. Tunnels to IPv4 addresses are not."""
    plain, _percent, _zone = text.partition("%")
    address = ipaddress.ip_address(plain)
    if isinstance(address, ipaddress.IPv6Address):
        if any(address in tunnel for tunnel in TUNNELS):
            return False
        address = address.ipv4_mapped or address
    if any(address in network for network in SPECIAL):
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


class BriefStream(httpcore.NetworkStream):
    """A connection that ends at a moment of the monotonic clock, however slowly its other side sends."""

    def __init__(self, stream: httpcore.NetworkStream, end: float) -> None:
        self.stream, self.end = stream, end

    def _left(self, timeout: float | None) -> float:
        left = min(self.end - time.monotonic(), timeout or MOST_SECONDS)
        if left <= 0:
            raise httpcore.ReadTimeout
        return left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self.stream.read(max_bytes, self._left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, self._left(timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        inner = self.stream.start_tls(ssl_context, server_hostname, self._left(timeout))
        return BriefStream(inner, self.end)

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)

    def close(self) -> None:
        self.stream.close()


class PublicNetwork(httpcore.SyncBackend):
    """Connects to checked addresses only, for ``MOST_SECONDS`` in all."""

    def connect_tcp(self, host: str, port: int, *args: Any, **options: Any) -> httpcore.NetworkStream:
        end = time.monotonic() + MOST_SECONDS
        try:
            *others, last = _public_addresses(host, port)[:3]
        except OSError:
            raise Refused(NO_HOST) from None
        for address in others:
            with suppress(httpcore.ConnectError):
                return BriefStream(super().connect_tcp(address, port, *args, **options), end)
        return BriefStream(super().connect_tcp(last, port, *args, **options), end)


def post(address: str, body: bytes, headers: dict[str, str]) -> Answer:
    """Send the body. Raise ``Refused``, ``OSError`` or an exception of httpcore if there is no answer."""
    check_address(address)
    usual = {"Content-Type": "application/json", "User-Agent": "Umaoka-Webhooks", "Connection": "close"}
    sent: Any = usual | headers
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
        pause = dict(answer.headers).get(b"retry-after", b"")
        seconds = min(int(pause), LONGEST_PAUSE) if pause.isdigit() and len(pause) < 9 else 0
        return Answer(answer.status, first_line(found), timedelta(seconds=seconds))


def first_line(body: bytes) -> str:
    """Return the first line of an answer as visible text."""
    line, _newline, _rest = body.decode("utf-8", "replace").strip().partition("\n")
    return "".join(each for each in line if each.isprintable())[:LINE_LENGTH]
