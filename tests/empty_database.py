"""Keep the empty database between runs, in `var/tests`: the migrations take twenty seconds of processor.

A file's name has two digests. The first is of what makes the tables, so that a new migration makes a new
file. The second is of the file itself, so that a broken one is made again.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from django.db import connection

from tests.postgres import find_binaries

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "var" / "tests"
# Migrations with all that they import, packages with tables of their own, and which of these are installed.
SOURCES = (
    *("league/migrations/*.py", "league/models/**/*.py", "players/migrations/*.py", "players/models.py"),
    *(
        "players/text.py",
        "requirements*.txt",
        "league/settings.py",
        "tests/settings.py",
        "tests/empty_database.py",
    ),
)


def make_empty_database(name: str) -> None:
    """Make the database of this name with the kept tables. Without any the migrations make them."""
    if not _restore(name):
        connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
        connection.close()
        _keep_made(name)
    connection.settings_dict["NAME"] = name
    connection.close()


def digest_of_sources(root: Path = ROOT) -> str:
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted({path for pattern in SOURCES for path in root.glob(pattern)}):
        digest.update(f"{path.relative_to(root)} {_digest(path.read_bytes())}\n".encode())
    return digest.hexdigest()[:16]


def keep(content: bytes, suffix: str, folder: Path = KEPT) -> None:
    """Keep the content under its digests, whole or not at all, and remove what older sources made."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"empty-{digest_of_sources()}-{_digest(content)}{suffix}"
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as written:
        written.write(content)
    os.replace(written.name, path)
    for older in set(folder.glob(f"empty-*{suffix}")) - {path}:
        older.unlink(missing_ok=True)


def find_kept(suffix: str, folder: Path = KEPT) -> bytes | None:
    """Return the content that was kept, unless other sources made it or it was changed since."""
    for path in folder.glob(f"empty-{digest_of_sources()}-*{suffix}"):
        with suppress(FileNotFoundError):  # another run removes it just now
            content = path.read_bytes()
            if path.stem.endswith(f"-{_digest(content)}"):
                return content
    return None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def _restore(name: str) -> bool:
    content = find_kept(_suffix())
    if content is None:
        return False
    if connection.vendor == "sqlite":
        Path(name).write_bytes(content)
        return True
    connection.creation._create_test_db(verbosity=0, autoclobber=True)
    return _run_postgresql("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", name, given=content) is not None


def _keep_made(name: str) -> None:
    if connection.vendor == "sqlite":
        content: bytes | None = Path(name).read_bytes()
    else:
        content = _run_postgresql("pg_dump", "--no-owner", "--no-privileges", "-d", name)
    if content:
        with suppress(OSError):  # a checkout that cannot be written to
            keep(content, _suffix())


def _suffix() -> str:
    return ".sqlite3" if connection.vendor == "sqlite" else ".sql"


def _run_postgresql(program: str, *arguments: str, given: bytes = b"") -> bytes | None:
    """Return what the program printed, or None if it is not on this machine or failed."""
    binaries, server = find_binaries(), connection.settings_dict
    path = shutil.which(program, path=binaries and (binaries / "pg_ctl").resolve().parent)
    if path is None:
        return None
    names = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
    env = os.environ | {name: str(server[key]) for key, name in names.items() if server[key]}
    done = subprocess.run([path, *arguments], input=given, capture_output=True, env=env, check=False)
    return done.stdout if done.returncode == 0 else None
