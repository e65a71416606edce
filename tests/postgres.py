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
from collections.abc import Iterator, Sequence
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
def cluster(binaries: Path, options: Sequence[str] = OPTIONS) -> Iterator[str]:
    """Start a cluster, give its database URL, stop and remove it."""
    password = secrets.token_hex(16)
    with new_home() as home:
        (home / "password").write_text(password)
        if os.geteuid() == 0:
            os.chown(home / "password", owner().pw_uid, owner().pw_gid)
        run(
            binaries / "initdb",
            "-D",
            home / "data",
            "-U",
            "umaoka",
            "--auth=scram-sha-256",
            f"--pwfile={home / 'password'}",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        )
        with started(binaries, home, options) as port:
            yield f"postgres://umaoka:{password}@127.0.0.1:{port}/postgres"


@contextmanager
def standby(binaries: Path, primary: str, options: Sequence[str]) -> Iterator[str]:
    """A copy of the cluster at the URL ``primary`` that follows it and can only be read: its URL."""
    copy = (binaries / "pg_ctl").resolve().parent / "pg_basebackup"  # often not on the path
    with new_home() as home:
        run(copy, "-d", primary, "-D", home / "data", "-R", "-X", "stream", "-c", "fast")
        with started(binaries, home, options) as port:
            yield f"{primary.rpartition(':')[0]}:{port}/postgres"


@contextmanager
def new_home() -> Iterator[Path]:
    home = Path(tempfile.mkdtemp(prefix="umaoka-postgres-", dir=roomy_memory()))
    try:
        if os.geteuid() == 0:
            os.chown(home, owner().pw_uid, owner().pw_gid)
        yield home
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def started(binaries: Path, home: Path, options: Sequence[str]) -> Iterator[int]:
    """The port on which the cluster in this home answers."""
    port, settings = free_port(), " ".join(f"-c {option}" for option in options)
    control = [binaries / "pg_ctl", "-D", home / "data", "-w"]
    run(*control, "-l", home / "log", "start", "-o", f"-h 127.0.0.1 -p {port} {settings}")
    try:
        yield port
    finally:
        run(*control, "-m", "immediate", "stop")


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
