"""Databases of their own, empty at first, each with its folder of photographs: where backups are restored.

They are on the engine of DATABASE_URL: files, or databases of the same PostgreSQL server.
"""

import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import environ

ROOT = Path(__file__).resolve().parent.parent
SERVER = os.environ.get("DATABASE_URL", "")


@dataclass(frozen=True)
class Place:
    """A database and its folder of photographs, as the settings name them."""

    url: str
    photographs: Path

    @property
    def file(self) -> Path:
        """The file of an SQLite database."""
        return Path(self.url.removeprefix("sqlite:///"))

    @property
    def erased(self) -> str:
        """Where the list of erasures is."""
        return f"{self.photographs}-erased.jsonl"

    @property
    def environ(self) -> dict[str, str]:
        """What a server or a command of this place runs with."""
        return os.environ | {
            "DATABASE_URL": self.url,
            "EVIDENCE_DIR": str(self.photographs),
            "ERASED_FILE": self.erased,
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
            "PYTHONPATH": str(ROOT),
        }

    def run(self, *command: object, **options: object) -> subprocess.CompletedProcess[str]:
        """`manage.py` with this command, in this place."""
        usual = {"cwd": ROOT, "env": self.environ, "capture_output": True, "text": True, "check": False}
        return subprocess.run([sys.executable, "manage.py", *map(str, command)], **usual | options)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Inside, this thread's connection and the settings lead here."""
        from django.db import connection
        from django.test import override_settings

        here = environ.Env.db_url_config(self.url)
        before = connection.settings_dict
        connection.close()
        connection.settings_dict = before | {"NAME": here["NAME"]}
        try:
            with override_settings(EVIDENCE_DIR=str(self.photographs), ERASED_FILE=self.erased):
                yield
        finally:
            connection.close()
            connection.settings_dict = before


@contextmanager
def new_place(home: Path, *, sqlite: bool = False, migrated: str = "") -> Iterator[Place]:
    """A place on this run's engine or on SQLite; gone afterwards. It has no tables, or a copy of those of
    ``migrated``: an SQLite file, or a database of the PostgreSQL server to which no one is connected.
    """
    name = f"umaoka_{secrets.token_hex(6)}"
    if sqlite or not SERVER.startswith("postgres"):
        if migrated:
            shutil.copy(migrated, home / f"{name}.sqlite3")
        yield Place(f"sqlite:///{home / name}.sqlite3", home / f"{name}-photographs")
        for path in home.glob(f"{name}.sqlite3*"):
            path.unlink()
        return
    import psycopg

    with psycopg.connect(SERVER, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}" + (f" TEMPLATE {migrated}" if migrated else ""))
        try:
            yield Place(f"{SERVER.rpartition('/')[0]}/{name}", home / f"{name}-photographs")
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
