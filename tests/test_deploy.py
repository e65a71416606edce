"""What is in deploy/ runs: nginx and Caddy before gunicorn, the units of systemd, the files of the image."""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import pytest
import yaml
from django.urls import URLPattern, URLResolver, get_resolver

from league.core.bodies import MEGABYTE
from tests.served import free_port, served
from tests.test_settings import names_documented

ROOT = Path(__file__).resolve().parent.parent
DEPLOY = ROOT / "deploy"
CONNECTIONS = 80  # more than gunicorn has threads
FORM = "Content-Type: application/x-www-form-urlencoded\r\n"
OPENSSL = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost")
NO_CHECK = ssl._create_unverified_context()  # noqa: S323 - a certificate of this test


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not on this machine")


@pytest.fixture(scope="module")
def server(migrated, tmp_path_factory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("served"), migrated=migrated) as url:
        yield url.removeprefix("http://")


@contextmanager
def running(command: list[str], url: str, **environment: str) -> Iterator[str]:
    """A proxy, as soon as it answers."""
    proxy = subprocess.Popen(command, env=os.environ | environment)
    until = time.monotonic() + 20
    try:
        while not answers(url) and time.monotonic() < until and proxy.poll() is None:
            time.sleep(0.1)
        yield url
    finally:
        proxy.terminate()
        proxy.wait()


def answers(url: str) -> bool:
    try:
        return status_of(Request(f"{url}/healthz")) == 200
    except URLError:
        return False


def status_of(request: Request) -> int:
    try:
        with urlopen(request, timeout=30, context=NO_CHECK) as answer:
            return answer.status
    except HTTPError as error:
        return error.code


@pytest.fixture
def nginx(server, tmp_path) -> Iterator[str]:
    port, plain = free_port(), free_port()
    subprocess.run(
        [*OPENSSL, "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"],
        check=True,
        capture_output=True,
    )
    shipped = (DEPLOY / "nginx.conf").read_text()
    for here, there in (
        ("listen [::]:80;", ""),
        ("listen [::]:443 ssl http2;", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("/etc/letsencrypt/live/results.example.org/fullchain.pem", f"{tmp_path}/cert.pem"),
        ("/etc/letsencrypt/live/results.example.org/privkey.pem", f"{tmp_path}/key.pem"),
        ("/var/log/nginx/umaoka.log", f"{tmp_path}/error.log"),
        ("127.0.0.1:8000", server),
    ):
        assert here in shipped
        shipped = shipped.replace(here, there)
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{name}_temp_path {tmp_path}/{name};" for name in names)
    user = "user root;" if os.getuid() == 0 else ""
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; worker_processes 2; pid {tmp_path}/pid; {user}\n"
        f"events {{ worker_connections 512; }}\nhttp {{ {folders}\n{shipped}\n}}\n"
    )
    command = ["nginx", "-c", f"{tmp_path}/nginx.conf", "-e", f"{tmp_path}/start.log"]
    with running(command, f"https://127.0.0.1:{port}") as url:
        yield url


def old_caddy() -> bool:
    """Debian's, in which the option that buffers requests has another name."""
    version = subprocess.run(["caddy", "version"], check=True, capture_output=True, text=True).stdout
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2]) < (2, 7)


@pytest.fixture
def caddy(server, tmp_path) -> Iterator[str]:
    shipped = (DEPLOY / "Caddyfile").read_text()
    if old_caddy():
        shipped = re.sub("request_buffers .*", "buffer_requests", shipped)
    (tmp_path / "Caddyfile").write_text(shipped)
    url = f"http://127.0.0.1:{free_port()}"
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    places = {"XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
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


def test_slow_bodies_do_not_reach_the_server(proxy):
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(proxy)) for _ in range(CONNECTIONS)]
        for each in slow:
            each.sendall(
                f"POST /language/ HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: 2000\r\n\r\nl".encode()
            )
        taken = []
        for _ in range(3):
            time.sleep(1)
            for each in slow:
                each.sendall(b"a")
            begun = time.monotonic()
            assert answers(proxy)
            taken.append(time.monotonic() - begun)

    assert max(taken) < 2


def test_a_body_larger_than_any_page_takes_is_refused(proxy, request):
    if request.node.callspec.params["proxy"] == "caddy" and old_caddy():
        pytest.skip("Caddy before 2.7 answers such a body with 200 and nothing, without asking the server")
    length = 30 * MEGABYTE
    with connect(proxy) as sock:
        sock.sendall(
            f"POST /language/ HTTP/1.1\r\nHost: localhost\r\n{FORM}Content-Length: {length}\r\n\r\n".encode()
        )
        with suppress(OSError):
            for _ in range(30):
                sock.sendall(b"x" * MEGABYTE)
        answer = sock.recv(20)

    assert answer.split()[1] == b"413"
    assert answers(proxy)


def test_forms_pass_and_metrics_do_not(proxy):
    form = Request(f"{proxy}/language/", b"language=ja&next=/rules/")

    assert status_of(form) == 200
    assert status_of(Request(f"{proxy}/metrics")) == 404


def test_the_proxies_let_through_the_largest_file_that_a_page_takes():
    most = max(getattr(view, "most_bytes", 0) for view in views_of(get_resolver()))

    nginx = re.search(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text())
    caddy = re.search(r"max_size (\d+)MB", (DEPLOY / "Caddyfile").read_text())

    assert most == 20 * MEGABYTE + MEGABYTE // 16
    assert int(nginx.group(1)) == int(caddy.group(1)) == most // MEGABYTE + 1


def views_of(resolver: URLResolver) -> Iterator[Callable[..., object]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.callback
        else:
            yield from views_of(pattern)


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
