"""A PostgreSQL for the length of one command: `python -m tests.postgres pytest -m "not browser"`.

The cluster lives in a temporary directory, listens on a free port of the loopback only, and is gone
afterwards, also after Ctrl-C. The command sees it as DATABASE_URL. PostgreSQL refuses to run as root, so root
hands it to `postgres` or `nobody`.
"""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Speed over safety: these facts live for a minute.
OPTIONS = (
    *("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "jit=off"),
    *("wal_level=minimal", "max_wal_senders=0", "unix_socket_directories="),
)
MEMORY = Path("/dev/shm")  # noqa: S108 - a directory of our own is made in it
ROOM = 4 * 2**30  # bytes; a container's shared memory is often too small


def find_binaries() -> Path | None:
    """The directory that holds initdb and pg_ctl (the newest of Debian's), or None."""
    on_path = [Path(found).parent for name in ("initdb", "pg_ctl") if (found := shutil.which(name))]
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True
    )
    for directory in (*on_path, *debian):
        if (directory / "initdb").exists() and (directory / "pg_ctl").exists():
            return directory
    return None


def unprivileged() -> list[str]:
    """What to put before a command so that it does not run as root."""
    if os.geteuid() != 0:
        return []
    return ["setpriv", f"--reuid={owner().pw_uid}", f"--regid={owner().pw_gid}", "--clear-groups"]


def owner() -> pwd.struct_passwd:
    names = {entry.pw_name for entry in pwd.getpwall()}
    return pwd.getpwnam("postgres" if "postgres" in names else "nobody")


def roomy_memory() -> Path | None:
    """Where files need no disk; None where there is no such place."""
    return MEMORY if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM else None


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def cluster(binaries: Path) -> Iterator[str]:
    """Start a cluster, give its database URL, stop and remove it."""
    home = Path(tempfile.mkdtemp(prefix="umaoka-postgres-", dir=roomy_memory()))
    data, password, port = home / "data", secrets.token_hex(16), free_port()
    try:
        (home / "password").write_text(password)
        if os.geteuid() == 0:
            for path in (home, home / "password"):
                os.chown(path, owner().pw_uid, owner().pw_gid)
        run(
            binaries / "initdb",
            "-D",
            data,
            "-U",
            "umaoka",
            "--auth=scram-sha-256",
            f"--pwfile={home / 'password'}",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        )
        settings = " ".join(f"-c {option}" for option in OPTIONS)
        run(
            binaries / "pg_ctl",
            "-D",
            data,
            "-l",
            home / "log",
            "-w",
            "start",
            "-o",
            f"-h 127.0.0.1 -p {port} {settings}",
        )
        try:
            yield f"postgres://umaoka:{password}@127.0.0.1:{port}/postgres"
        finally:
            run(binaries / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def run(*command: object) -> None:
    """Run one of PostgreSQL's programs; what it says is shown only when it fails.

    In its own session, so that Ctrl-C in the terminal stops the tests first and the server after them.
    """
    done = subprocess.run(
        [*unprivileged(), *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd="/",
        start_new_session=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{command[0]} failed:\n{done.stdout}")


def main(command: list[str]) -> int:
    if not command:
        raise SystemExit("Say which command to run: python -m tests.postgres COMMAND…")
    binaries = find_binaries()
    if binaries is None:
        sys.stderr.write("PostgreSQL: skipped, its programs initdb and pg_ctl are not on this machine.\n")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with cluster(binaries) as url:
        child = subprocess.Popen(command, env=os.environ | {"DATABASE_URL": url})
        try:
            return child.wait()
        except (KeyboardInterrupt, SystemExit):
            child.terminate()  # Ctrl-C has reached it already; a TERM has not
            child.wait()
            raise


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
