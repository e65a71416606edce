"""nginx and Redis as on a server, for tests and benchmarks of what stands around Umaoka."""

import http.client
import os
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.served import free_port

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
OPENSSL = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost")
NO_CHECK = ssl._create_unverified_context()  # noqa: S323 - a certificate of this test


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
        return opened(request).status
    except HTTPError as error:
        return error.code


def opened(request: Request) -> http.client.HTTPResponse:
    """The answer, closed."""
    with urlopen(request, timeout=30, context=NO_CHECK) as answer:
        return answer


@contextmanager
def running_nginx(tmp_path: Path, name: str, places: dict[str, str], *, tls: bool = True) -> Iterator[str]:
    """nginx with what ``deploy/`` has under this name, and other places in it."""
    port, plain = free_port(), free_port()
    subprocess.run(
        [*OPENSSL, "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"],
        check=True,
        capture_output=True,
    )
    shipped = (DEPLOY / name).read_text()
    for here, there in (
        ("listen [::]:80;", ""),
        ("listen [::]:443 ssl http2;", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl http2", f"listen 127.0.0.1:{port}" + " ssl http2" * tls),
        ("/etc/letsencrypt/live/results.example.org/fullchain.pem", f"{tmp_path}/cert.pem"),
        ("/etc/letsencrypt/live/results.example.org/privkey.pem", f"{tmp_path}/key.pem"),
        ("/var/log/nginx/umaoka.log", f"{tmp_path}/error.log"),
        ("/var/cache/umaoka", f"{tmp_path}/cache"),
        *places.items(),
    ):
        assert here in shipped
        shipped = shipped.replace(here, there)
    names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{name}_temp_path {tmp_path}/{name};" for name in names)
    user = "user root;" if os.getuid() == 0 else ""
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; worker_processes 2; pid {tmp_path}/pid; {user}\n"
        f"events {{ worker_connections 1024; }}\nhttp {{ {folders}\n{shipped}\n}}\n"
    )
    command = ["nginx", "-c", f"{tmp_path}/nginx.conf", "-e", f"{tmp_path}/start.log"]
    with running(command, f"http{'s' * tls}://127.0.0.1:{port}") as url:
        yield url


@contextmanager
def running_redis(home: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Redis, and the value of CACHE_URL that leads to it."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(home)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield f"rediscache://127.0.0.1:{port}/0", server
    finally:
        server.kill()
        server.wait()
