"""Differences between the databases: a snapshot, assigned ids, and a place beside the database.

A backup is restored beside the database, in a file or a schema. The two are swapped once it is complete, so
that a stopped or killed restore changes nothing.
"""

import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import DatabaseError, connection, models, transaction

from league.models import League

# An SQLite database is these files. A log that another database left behind would be replayed into this one.
_FILES = ("", "-wal", "-shm", "-journal")
PATIENCE = 10  # seconds: PostgreSQL counts a connection for a moment after it was closed


class CannotRestore(Exception):
    """A refusal to restore, with the remedy. Nothing was changed."""


def is_used() -> bool:
    tables = connection.introspection.table_names()
    return any(each._meta.db_table in tables and each._base_manager.exists() for each in (User, League))


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the database as it was at the first query, while others go on writing."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("BEGIN DEFERRED")
            try:
                yield
            finally:
                cursor.execute("ROLLBACK")
    else:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield


def last_id(model: type[models.Model]) -> int | None:
    """Return the highest id that this table assigned, also to deleted rows, or None."""
    key = model._meta.auto_field
    if key is None:
        return None
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
        else:
            sql = "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)"
            cursor.execute(sql, [model._meta.db_table, key.column])
        (last,) = cursor.fetchone() or (None,)
    return last or None


def set_last_id(model: type[models.Model], given: int | None) -> None:
    key, table = model._meta.auto_field, model._meta.db_table
    if given is None or key is None:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, given])
        else:
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [table, key.column, given])


class Place(ABC):
    """The place of the database, and a place beside it for another one."""

    def __init__(self, at: datetime) -> None:
        self.settings = connection.settings_dict
        self.aside = f"until_{at:%Y%m%d_%H%M%S}"

    @abstractmethod
    def refuse_in_use(self) -> None:
        """Raise ``CannotRestore`` if another process uses the database."""

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Connect to a new, empty database."""
        self._clear()
        try:
            self._connect(self._beside())
            yield
        finally:
            self._connect(self.settings)
            self._clear()

    def swap(self) -> str:
        """Swap in the new database. Return the former one's place, or an empty text if it had no table."""
        self._connect(self.settings)
        self.refuse_in_use()
        try:
            found = bool(connection.introspection.table_names())
        except DatabaseError:  # damaged
            found = True
        connection.close()
        self._swap(keep=found)
        return self.aside if found else ""

    def _connect(self, settings: dict[str, Any]) -> None:
        connection.close()
        connection.settings_dict = settings

    @abstractmethod
    def _beside(self) -> dict[str, Any]:
        """Create the place and return the settings that lead to it."""

    @abstractmethod
    def _swap(self, *, keep: bool) -> None: ...

    @abstractmethod
    def _clear(self) -> None:
        """Remove the place beside."""


class SqlitePlace(Place):
    def __init__(self, at: datetime) -> None:
        super().__init__(at)
        self.file = Path(str(self.settings["NAME"]))
        self.new = self.file.with_name(f".{self.file.name}.restoring")
        self.aside = f"{self.file}.{self.aside}"

    def refuse_in_use(self) -> None:
        connection.close()
        for file in (self.file, self.new):
            if file.exists() and _is_open(file):
                raise CannotRestore(f"A server or another program uses {file}. Stop it first.")

    def _beside(self) -> dict[str, Any]:
        os.close(os.open(self.new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        own_like_folder(self.new)
        return self.settings | {"NAME": str(self.new)}

    def _swap(self, *, keep: bool) -> None:
        for end in _FILES:
            with suppress(FileNotFoundError):
                former = Path(f"{self.file}{end}")
                former.rename(f"{self.aside}{end}") if keep else former.unlink()
        self.new.rename(self.file)
        sync_folder(self.file.parent)

    def _clear(self) -> None:
        for end in _FILES:
            Path(f"{self.new}{end}").unlink(missing_ok=True)


class PostgresPlace(Place):
    new = "restoring"

    def refuse_in_use(self) -> None:
        until = time.monotonic() + PATIENCE
        while others := self._count_others():
            if time.monotonic() > until:
                raise CannotRestore(f"{others} other programs use this database. Stop the server first.")
            time.sleep(0.1)

    def _count_others(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND COALESCE(backend_type, 'client backend') = 'client backend'"
            )
            (others,) = cursor.fetchone()
        return int(others)

    def _beside(self) -> dict[str, Any]:
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE SCHEMA {self.new}")
        return self.settings | {
            "OPTIONS": self.settings["OPTIONS"] | {"options": f"-c search_path={self.new}"}
        }

    def _swap(self, *, keep: bool) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT current_schema()")
            (place,) = cursor.fetchone()
            if keep:
                cursor.execute(f"CREATE SCHEMA {self.aside}")
                self._move(place, self.aside)
            self._move(self.new, place)

    def _move(self, one: str, other: str) -> None:
        """Move tables and functions of triggers. Indexes, ids and triggers go with their tables."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT format('TABLE %%I.%%I', schemaname, tablename) FROM pg_tables WHERE schemaname = %s"
                " UNION ALL SELECT format('FUNCTION %%I.%%I()', pronamespace::regnamespace, proname)"
                " FROM pg_proc WHERE prorettype = 'trigger'::regtype AND pronamespace = %s::regnamespace",
                [one, one],
            )
            for (thing,) in cursor.fetchall():
                cursor.execute(f"ALTER {thing} SET SCHEMA {other}")

    def _clear(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP SCHEMA IF EXISTS {self.new} CASCADE")


def place(at: datetime) -> Place:
    return SqlitePlace(at) if connection.vendor == "sqlite" else PostgresPlace(at)


def _is_open(file: Path) -> bool:
    """Return True if another process has this database open. False for a damaged one."""
    try:
        with closing(sqlite3.connect(file, timeout=1, isolation_level=None)) as opened:
            opened.execute("PRAGMA locking_mode=EXCLUSIVE")
            opened.execute("BEGIN EXCLUSIVE")
            opened.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
    return False


def own_like_folder(path: Path) -> None:
    """Give files made by root to the owner of the folder, which is the server's account."""
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.chown(path, folder.st_uid, folder.st_gid)


def sync_folder(folder: Path) -> None:
    """Write the folder, so that names of files survive a power cut."""
    with suppress(OSError):  # not every file system can
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
