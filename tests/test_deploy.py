"""What is in deploy/ runs: nginx and Caddy before gunicorn, the units of systemd, the files of the image."""

import os
import re
import runpy
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.request import Request

import pytest
import yaml
from django.urls import URLPattern, URLResolver, get_resolver

from league.core.limits import MEGABYTE, MOST_BYTES
from tests.proxies import DEPLOY, NO_CHECK, answers, opened, running, running_nginx, status_of
from tests.served import free_port, served
from tests.test_settings import names_documented

ROOT = Path(__file__).resolve().parent.parent
CONNECTIONS = 150  # many more than gunicorn has threads
OF_AN_ADDRESS = 300  # requests at once in deploy/nginx.conf
TOKEN = "of-the-monitor"
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not on this machine")


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def server(migrated, home) -> Iterator[str]:
    behind = {"TRUSTED_PROXIES": "1", "METRICS_TOKEN": TOKEN}
    with served(home, migrated=migrated, **behind) as url:
        yield url.removeprefix("http://")


@pytest.fixture
def nginx(server, tmp_path) -> Iterator[str]:
    with running_nginx(tmp_path, "nginx.conf", {"127.0.0.1:8000": server}) as url:
        yield url


def old_caddy() -> bool:
    """Debian's, in which the option that buffers requests has another name."""
    version = subprocess.run(["caddy", "version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < (2, 7)


@pytest.fixture
def caddy(server, tmp_path) -> Iterator[str]:
    url = f"http://127.0.0.1:{free_port()}"
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]
    places = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    if old_caddy():
        places["BUFFER"] = "buffer_requests"
    admin = f"127.0.0.1:{free_port()}"
    with running(command, url, ADDRESS=url, UPSTREAM=server, CADDY_ADMIN=admin, **places) as url:
        yield url


PROXIES = [pytest.param("nginx", marks=needs("nginx")), pytest.param("caddy", marks=needs("caddy"))]


@pytest.fixture(params=PROXIES)
def proxy(request) -> str:
    return request.getfixturevalue(request.param)


def connect(url: str) -> socket.socket:
    scheme, host, port = re.fullmatch(r"(https?)://([^:]+):(\d+)", url).groups()
    sock = socket.create_connection((host, int(port)), timeout=20)
    return NO_CHECK.wrap_socket(sock) if scheme == "https" else sock


@contextmanager
def waiting(proxy: str, head: str, count: int = CONNECTIONS) -> Iterator[list[socket.socket]]:
    """So many connections that have sent this much."""
    with ExitStack() as stack:
        found = [stack.enter_context(connect(proxy)) for _ in range(count)]
        for each in found:
            each.sendall(head.encode())
        yield found


@pytest.mark.slow
@pytest.mark.parametrize(
    "head",
    [
        f"POST /language/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}Content-Length: 2000\r\n\r\nl",
        "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
        "",
    ],
    ids=["body", "head", "idle"],
)
def test_slow_clients_do_not_reach_the_server(proxy, head):
    with waiting(proxy, head) as slow:
        taken = []
        for _ in range(3):
            time.sleep(0.5)
            for each in slow if head else ():
                each.sendall(b"a")
            begun = time.monotonic()
            assert status_of(Request(f"{proxy}/rules/")) == 200
            taken.append(time.monotonic() - begun)

    assert min(taken) < 2  # this machine may be busy with something else


@pytest.mark.slow
@pytest.mark.parametrize("megabytes", [3, 30])
def test_a_body_larger_than_the_page_or_any_page_takes_is_refused(proxy, megabytes):
    length = megabytes * MEGABYTE
    with connect(proxy) as sock:
        sock.sendall(
            f"POST /language/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}Content-Length: {length}\r\n\r\n".encode()
        )
        with suppress(OSError):
            for _ in range(megabytes):
                sock.sendall(b"x" * MEGABYTE)
        answer = sock.recv(20)

    assert answer.split()[1] == b"413"
    assert answers(proxy)


@pytest.mark.slow
def test_forms_pass_and_metrics_do_not(proxy, server):
    form = Request(f"{proxy}/language/", b"language=ja&next=/rules/")
    monitor = {"Authorization": f"Bearer {TOKEN}"}

    assert status_of(form) == 200
    assert status_of(Request(f"http://{server}/metrics", headers=monitor)) == 200
    assert status_of(Request(f"{proxy}/metrics", headers=monitor)) == 404


@pytest.mark.slow
def test_a_visitor_cannot_choose_an_address(proxy, home):
    secret, page = "a" * 32, "/accounts/login/"
    headers = {"X-CSRFToken": secret, "Cookie": f"csrftoken={secret}", "X-Forwarded-For": "192.0.2.9"}
    headers["Referer"] = f"{proxy.rpartition(':')[0]}{page}"

    assert status_of(Request(f"{proxy}{page}", b"username=nobody&password=wrong", headers)) == 200

    with closing(sqlite3.connect(home / "served.sqlite3")) as database:
        found = database.execute("SELECT DISTINCT address FROM league_securityevent WHERE name = 'nobody'")
        assert list(found) == [("127.0.0.1",)]


@pytest.mark.slow
def test_pages_for_everyone_are_compressed_and_those_with_a_token_are_not(proxy):
    packed = {
        page: opened(Request(f"{proxy}{page}", headers={"Accept-Encoding": "gzip"})).headers
        for page in ("/rules/", "/accounts/login/")
    }

    assert packed["/rules/"]["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in packed["/accounts/login/"]


@pytest.mark.slow
@needs("nginx")
def test_nginx_caches_pages_of_visitors_and_none_of_a_person(nginx, tmp_path):
    opened(Request(f"{nginx}/rules/"))
    opened(Request(f"{nginx}/offences/", headers={"Cookie": "any=one"}))
    opened(Request(f"{nginx}/accounts/login/"))

    cached = [path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert [re.search(rb"KEY: \S+?(/\w+/)\n", each)[1] for each in cached] == [b"/rules/"]


@pytest.mark.slow
@needs("nginx")
def test_nginx_limits_what_one_address_asks_at_once(nginx):
    head = f"POST /language/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{FORM}Content-Length: 2000\r\n\r\nl"
    with waiting(nginx, head, OF_AN_ADDRESS):
        time.sleep(1)
        assert status_of(Request(f"{nginx}/rules/")) == 429

    until = time.monotonic() + 20
    while status_of(Request(f"{nginx}/rules/")) != 200:
        assert time.monotonic() < until


def test_the_proxies_let_through_the_largest_file_that_a_page_takes():
    most = max(getattr(view, "most_bytes", 0) for view in views_of(get_resolver()))

    nginx = re.search(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text())
    caddy = re.findall(r"(?:max_size|request_buffers) (\d+)MB", (DEPLOY / "Caddyfile").read_text())

    assert most == 20 * MEGABYTE + MEGABYTE // 16
    assert most <= int(nginx.group(1)) * MEGABYTE == MOST_BYTES
    assert [int(each) for each in caddy] == [MOST_BYTES // 1_000_000] * 2


def views_of(resolver: URLResolver) -> Iterator[Callable[..., object]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.callback
        else:
            yield from views_of(pattern)


@pytest.mark.slow
@needs("systemd-analyze")
def test_the_units_of_systemd_are_right(tmp_path):
    bin_ = tmp_path / "opt" / "umaoka" / ".venv" / "bin"
    bin_.mkdir(parents=True)
    for name in ("python", "gunicorn"):
        shutil.copy("/bin/true", bin_ / name)
    units = []
    for unit in sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")]):
        units.append(tmp_path / unit.name)
        units[-1].write_text(unit.read_text().replace("/opt/umaoka/.venv/bin", str(bin_)))

    done = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)

    said = [line for line in done.stderr.splitlines() if "umaoka" in line]
    assert (len(units), done.returncode, said) == (4, 0, [])
    for unit in DEPLOY.glob("*.service"):
        limits = ["systemd-analyze", "security", "--offline=true", "--threshold=30", unit]  # 3.0 of 10
        done = subprocess.run(limits, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_the_parts_of_the_compose_file_fit_together():
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services = found["services"]

    assert set(services) == {"database", "upgrade", "app", "tasks", "daily", "caddy"}
    for service in services.values():
        assert set(service["networks"]) <= set(found["networks"])
        assert set(service.get("depends_on", ())) <= set(services)
        named = {volume.partition(":")[0] for volume in service.get("volumes", ())}
        assert {name for name in named if not name.startswith("./")} <= set(found["volumes"])
        assert all((DEPLOY / name).exists() for name in named if name.startswith("./"))
        if "build" in service:
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()
            assert set(service["environment"]) <= names_documented((ROOT / "docs/settings.md").read_text())
    assert "ports" not in services["database"]
    assert services["database"]["networks"] == ["inside"]


def test_the_connections_of_all_threads_fit_postgresql():
    """Its default is 100, of which three are reserved for the administrator."""
    config = runpy.run_path(str(ROOT / "league/server/gunicorn.py"))
    named = int(re.search(r"WEB_CONCURRENCY above (\d+)", (DEPLOY / "compose.yaml").read_text())[1])

    assert config["workers"] <= 8
    assert named * config["threads"] + 10 < 97


def test_the_two_files_for_nginx_differ_in_the_machines_alone():
    one, two = ((DEPLOY / name).read_text().splitlines() for name in ("nginx.conf", "nginx-two.conf"))

    assert [line.split()[0] for line in one[1:] if line not in two] == ["proxy_pass"]
    machines = {
        "#",
        "upstream",
        "server",
        "keepalive",
        "proxy_pass",
        "proxy_connect_timeout",
        "proxy_next_upstream_tries",
    }
    assert {line.split()[0] for line in two if line not in one} == machines


@pytest.mark.slow
def test_the_files_of_the_image_are_enough_to_run(tmp_path, migrated):
    home = tmp_path / "umaoka"
    for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines():
        if line.startswith("!"):
            place = ROOT / line[1:]
            copy = shutil.copytree if place.is_dir() else shutil.copy
            home.mkdir(exist_ok=True)
            copy(place, home / place.name)
    (home / "var").mkdir()
    shutil.copy(migrated, home / "var" / "umaoka.sqlite3")
    steps = re.findall(r"\.venv/bin/python (manage\.py [^\\\n]+|-m compileall[^\\\n]+)", dockerfile())
    assert len(steps) == 2
    clean = {"PATH": os.environ["PATH"], "SECRET_KEY": "for-the-image", "DEBUG": "false"}
    for step in steps:
        subprocess.run([sys.executable, *step.split()], cwd=home, env=clean, check=True)

    port = free_port()
    clean |= {"PORT": str(port), "BIND": "127.0.0.1"}
    command = [
        sys.executable,
        "-m",
        *re.search(r'^CMD \["(.*)"\]', dockerfile(), re.M).group(1).split('", "'),
    ]
    image = subprocess.Popen(command, cwd=home, env=clean)
    try:
        until = time.monotonic() + 30
        while not answers(f"http://127.0.0.1:{port}") and time.monotonic() < until:
            time.sleep(0.2)
        assert answers(f"http://127.0.0.1:{port}")
    finally:
        image.terminate()
        image.wait()


def dockerfile() -> str:
    return (DEPLOY / "Dockerfile").read_text()


def test_the_image_does_not_run_as_root():
    assert re.findall(r"^(USER .*|HEALTHCHECK)", dockerfile(), re.M) == ["USER umaoka", "HEALTHCHECK"]
