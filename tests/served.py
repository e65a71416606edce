"""The product behind gunicorn, as on a server: for tests and benchmarks of what Django alone does not do."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def served(
    home: Path,
    *,
    migrated: Path | None = None,
    database: str = "",
    application: str = "league.wsgi",
    port: int = 0,
    **environment: str,
) -> Iterator[str]:
    """The URL of a server with this database, or a copy of ``migrated`` in ``home``. It is killed at the end.

    ``port``: 0 for a free one.
    """
    if migrated:
        shutil.copy(migrated, home / "served.sqlite3")
    port = port or free_port()
    environ = os.environ | {
        "DATABASE_URL": database or f"sqlite:///{home / 'served.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        "PORT": str(port),
        "SERVED_FROM": str(home),  # by which tests find its processes
        **environment,
    }
    command = [sys.executable, "-m", "gunicorn", "--config", "league/server/gunicorn.py", application]
    with (home / "server.log").open("ab") as log:
        master = subprocess.Popen(
            command, cwd=ROOT, env=environ, stdout=log, stderr=log, start_new_session=True
        )
        try:
            wait_for(f"http://127.0.0.1:{port}", master, home / "server.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            os.killpg(master.pid, signal.SIGKILL)
            master.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(f"{url}/healthz", timeout=2):
                return
        except HTTPError:  # it answers, and is not healthy
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(log.read_text()[-3_000:])
