"""Repeat the statements by which a factory filled an empty database, instead of running it again.

It takes a tenth of the time. Nothing outlives the process, so a changed factory or model needs no care.
These things would break a test:

- An argument whose `repr` leaves out what the factory reads of it: the rows of another argument are written.
- A setting or a patched function that the factory reads: the rows are those of the first call.
- Work outside of the database, such as a file, the cache or `on_commit`: it is done by the first call alone.
- A moment that has to be near: a row keeps the time of the first call, perhaps half an hour ago.
- SQL of another kind than `WRITES`, for example `REPLACE`: it is not repeated.

A test writes such things itself, after the factory. Under a patched clock, and beside other people or
leagues, factories run as if they were not decorated.
"""

import functools
import pickle
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from django.db import connection
from django.utils import timezone

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")
WRITES = ("INSERT", "UPDATE", "DELETE")
_NOW = timezone.now
# The next ids of all tables, if there is no person and no league.
_EMPTY = """
    SELECT group_concat(name || seq) FROM (SELECT name, seq FROM sqlite_sequence ORDER BY name)
    WHERE NOT EXISTS (SELECT 1 FROM auth_user) AND NOT EXISTS (SELECT 1 FROM league_league)
"""
_WRITTEN: dict[tuple[object, ...], tuple[list[tuple[str, Any]], bytes]] = {}


def written_again(make: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
    """Decorate a factory of plain arguments. It runs once per process for the same arguments.

    In a transaction of an empty SQLite database a later call repeats the statements of the first one, with
    the same ids and times, and returns a copy of what it returned. Otherwise the factory runs.
    """

    @functools.wraps(make)
    def made(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Made:
        ids = _next_ids()
        if ids is None:
            return make(*args, **kwargs)
        key = (make.__module__, make.__qualname__, ids, repr(args), repr(kwargs))
        if key not in _WRITTEN:
            return _note(key, functools.partial(make, *args, **kwargs))
        statements, value = _WRITTEN[key]
        with connection.cursor() as cursor:
            for sql, params in statements:
                cursor.execute(sql, params)
        copy: Made = pickle.loads(value)  # noqa: S301 - written by this process
        return copy

    return made


def _next_ids() -> str | None:
    """Return the next ids, or None if the factory has to run."""
    if connection.vendor != "sqlite" or not connection.in_atomic_block or timezone.now is not _NOW:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_EMPTY)
        ids: str | None = cursor.fetchone()[0]
    return ids


def _note(key: tuple[object, ...], make: Callable[[], Made]) -> Made:
    statements: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        assert not sql.startswith("ROLLBACK"), "A factory that undoes its own statements cannot repeat them."
        if sql.startswith(WRITES):
            assert not many
            statements.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        made = make()
    _WRITTEN[key] = statements, pickle.dumps(made)
    return made
