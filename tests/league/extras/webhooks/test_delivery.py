"""Only addresses of the public internet are called, whatever a name or a redirect says."""

import ipaddress
import socket
import threading
import time
from contextlib import suppress

import httpcore
import pytest

from league.core.errors import Refused
from league.extras.webhooks import delivery
from league.extras.webhooks.delivery import check_address, first_line, is_public, post

PRIVATE = (
    *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.1"),
    *("224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1"),
    *("::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"),
    *("2002:7f00:1::", "2002:a00:1::", "2001:db8::1", "fd00:ec2::254"),
)


def resolve_to(monkeypatch, *answers: tuple[str, ...]) -> list[str]:
    """Let each resolution of a name give the next of these lists of addresses. Return the names asked for.

    Without a list, asking a name server fails the test.
    """
    asked, left, find_number = [], list(answers), socket.getaddrinfo

    def getaddrinfo(host, port, *args, flags=0, **options):
        if flags & socket.AI_NUMERICHOST or host.replace(".", "").isdigit():  # a number is its own answer
            return find_number(host, port, *args, flags=flags, **options)
        asked.append(host)
        found = left.pop(0) if len(left) > 1 else left[0]
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


# IANA's registries of special-purpose addresses (iana-ipv4-special-registry, iana-ipv6-special-registry):
# networks that are not globally reachable or deprecated, and besides multicast and the tunnels to IPv4.
NOT_REACHABLE = (
    *("0.0.0.0/8", "0.0.0.0/32", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
    *("172.16.0.0/12", "192.0.0.0/24", "192.0.0.0/29", "192.0.0.8/32", "192.0.0.170/32", "192.0.0.171/32"),
    *("192.0.2.0/24", "192.88.99.0/24", "192.88.99.2/32", "192.168.0.0/16", "198.18.0.0/15"),
    *("198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4", "255.255.255.255/32"),
    *("::1/128", "::/128", "::ffff:0:0/112", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64"),
    *("2001::/32", "2001:2::/48", "2001:10::/28", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16"),
    *("fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"),
)
REACHABLE = (
    *("1.0.0.0/24", "9.255.255.0/24", "11.0.0.0/24", "100.63.255.0/24", "100.128.0.0/24", "172.15.255.0/24"),
    *(
        "172.32.0.0/24",
        "191.255.255.0/24",
        "192.0.1.0/24",
        "192.0.3.0/24",
        "192.88.98.0/24",
        "192.88.100.0/24",
    ),
    *("192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24", "198.17.255.0/24", "198.20.0.0/24"),
    *(
        "223.255.255.0/24",
        "2001:200::/32",
        "2001:db7::/32",
        "2003::/32",
        "2606:4700::/32",
        "2620:4f:8000::/48",
    ),
    *("3ffe::/32", "3fff:1000::/32"),
)


def ends(network: str) -> list[str]:
    found = ipaddress.ip_network(network)
    return [str(found[0]), str(found[-1])]


@pytest.mark.parametrize("network", NOT_REACHABLE)
def test_no_address_of_the_registries_of_special_purposes_is_called(network):
    assert [each for each in ends(network) if is_public(each)] == []
    for each in ends(network):
        host = f"[{each}]" if ":" in each else each
        with pytest.raises(Refused):
            check_address(f"https://{host}/hook")


@pytest.mark.parametrize("network", REACHABLE)
def test_addresses_beside_these_networks_are_called(network):
    assert [each for each in ends(network) if not is_public(each)] == []


def test_no_private_address_is_public():
    assert [each for each in PRIVATE if is_public(each)] == []
    assert all(map(is_public, ("1.1.1.1", "162.159.128.233", "2606:4700::1111", "::ffff:1.1.1.1")))


def refusal_of(address: str) -> object:
    """Return the sentence that refuses an address of this form, or ""."""
    try:
        check_address(address)
    except Refused as refusal:
        return refusal.message
    return ""


@pytest.mark.parametrize("address", PRIVATE)
def test_a_name_that_resolves_to_a_private_address_is_not_called(address, monkeypatch):
    resolve_to(monkeypatch, ("1.1.1.1", address))
    with pytest.raises(Refused, match="private network"):
        post("https://club.example/hook", b"{}", {})


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("http://club.example/", delivery.NOT_HTTPS),
        ("ftp://club.example/", delivery.NOT_HTTPS),
        ("file:///etc/passwd", delivery.NOT_HTTPS),
        ("https:///hook", delivery.NO_HOST),
        ("https://a:b@club.example/", delivery.NO_HOST),
        ("https://club.example:22/", delivery.OTHER_PORT),
        ("https://club.example:99999/", delivery.NO_HOST),
        ("https://[::1/", delivery.NO_HOST),
        ("https://club.example/\r\nX: y", delivery.NO_HOST),
        ("https://例え.example/", delivery.NO_HOST),
        ("", delivery.NOT_HTTPS),
    ],
)
def test_addresses_of_another_form_are_refused_without_a_name_server(address, sentence, monkeypatch):
    asked = resolve_to(monkeypatch)
    assert refusal_of(address) == sentence
    assert refusal_of("https://club.example:8443/hook") == ""
    assert asked == []


def test_numbers_that_mean_this_machine_are_refused_without_a_name_server(monkeypatch):
    asked = resolve_to(monkeypatch)
    for host in ("127.0.0.1", "[::1]", "2130706433", "0x7f.1", "017700000001"):
        assert refusal_of(f"https://{host}/") == delivery.NOT_PUBLIC
    assert refusal_of("https://1.1.1.1/") == ""
    assert asked == []


def test_the_name_of_this_machine_is_not_called():
    with pytest.raises(Refused, match="private network"):
        post("https://localhost/", b"{}", {})


def test_an_unknown_host_is_refused_when_it_is_called(monkeypatch):
    def fail(*args, **options):
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    with pytest.raises(Refused, match="not known"):
        post("https://nowhere.example/", b"{}", {})


def test_a_name_is_resolved_once_and_the_checked_address_is_called(monkeypatch, receiver, settings):
    """A name that says another address the second time reaches nothing else."""
    settings.WEBHOOK_LOCAL = [f"club.example:{receiver.port}"]
    asked = resolve_to(monkeypatch, ("127.0.0.1",), ("10.255.255.1",))
    answer = post(f"http://club.example:{receiver.port}/hook", b"{}", {})
    assert (answer.status, asked.count("club.example")) == (200, 1)
    assert receiver.calls[0][1]["host"] == f"club.example:{receiver.port}"


def test_a_name_that_turns_private_after_it_was_saved_is_not_called(monkeypatch):
    resolve_to(monkeypatch, ("1.1.1.1",), ("127.0.0.1",))
    called = []
    monkeypatch.setattr(
        "httpcore.SyncBackend.connect_tcp", lambda self, host, *rest, **more: called.append(host) or (1 / 0)
    )
    with pytest.raises(ZeroDivisionError):
        post("https://club.example/hook", b"{}", {})
    with pytest.raises(Refused, match="private network"):
        post("https://club.example/hook", b"{}", {})
    assert called == ["1.1.1.1"]


def test_a_redirect_is_an_answer_and_not_followed(receiver):
    receiver.answers = [302, 307]
    receiver.location = f"http://127.0.0.1:{receiver.port}/private"
    for status in (302, 307):
        answer = post(receiver.address, b"{}", {})
        assert (answer.status, answer.is_success) == (status, False)
    assert [path for path, _headers, _body in receiver.calls] == ["/hook", "/hook"]


def test_tls_is_verified_with_the_name(monkeypatch):
    """The connection goes to the checked number, and the certificate must be that of the name."""
    names = []

    class Stream:
        def start_tls(self, ssl_context, server_hostname=None, timeout=None):
            names.append((server_hostname, ssl_context.check_hostname))
            raise OSError

        def close(self):
            """Nothing is open."""

    called = []
    monkeypatch.setattr(
        "httpcore.SyncBackend.connect_tcp", lambda self, host, *rest, **more: called.append(host) or Stream()
    )
    resolve_to(monkeypatch, ("1.1.1.1",))
    with pytest.raises(OSError):  # noqa: PT011 - raised above
        post("https://club.example/hook", b"{}", {})
    assert (called, names) == (["1.1.1.1"], [("club.example", True)])


def test_proxies_of_the_environment_are_not_used(monkeypatch, receiver):
    monkeypatch.setenv("http_proxy", "http://10.255.255.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://10.255.255.1:9")
    assert post(receiver.address, b"{}", {}).status == 200


def test_little_of_a_long_answer_is_read(receiver):
    receiver.body = b"x" * 5_000_000
    assert post(receiver.address, b"{}", {}).line == "x" * delivery.LINE_LENGTH
    assert first_line(b"\n\n ok \x00\x1b[31m\xff\nmore") == "ok [31m\ufffd"
    assert first_line(b"") == ""


def test_a_receiver_that_never_ends_its_headers_does_not_hold_the_worker(monkeypatch, settings):
    """Each byte comes in time, so that only a limit of the whole call ends it."""
    monkeypatch.setattr(delivery, "MOST_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        settings.WEBHOOK_LOCAL = [f"127.0.0.1:{port}"]

        def drip() -> None:
            connection = server.accept()[0]
            with connection, suppress(OSError):
                connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
                for _ in range(150):
                    connection.sendall(b"x")
                    time.sleep(0.02)

        dripping = threading.Thread(target=drip)
        dripping.start()
        with pytest.raises(httpcore.TimeoutException):
            post(f"http://127.0.0.1:{port}/hook", b"{}", {})
        dripping.join()
