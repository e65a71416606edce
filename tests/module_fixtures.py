"""Fixtures that are made once for all tests of a module."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import pytest

_IN_USE: list[tuple[object, Callable[[], object]]] = []  # a value, and a function that copies it as made


def module_fixture(make: Callable[[], Any]) -> Any:
    """A fixture of the name of ``make``: the dataclass that it returns, and what it writes into the database.

    Every test of the module, even one that does not ask for it, begins with both as they were made: the
    fixture ``make_once`` restores the rows with a savepoint, a copy of its fields restores the dataclass.
    """

    @pytest.fixture(scope="module", autouse=True, name=make.__name__)
    def fixture(make_once: Callable[..., Callable[[], object]]) -> Iterator[object]:
        copy = make_once(make)
        value = copy()
        _IN_USE.append((value, copy))
        yield value
        _IN_USE.remove((value, copy))

    return fixture


def restore_module_fixtures() -> None:
    """Undoes what the test before did to the dataclasses of this module."""
    for value, copy in _IN_USE:
        made: Any = copy()
        for field in fields(made):
            object.__setattr__(value, field.name, getattr(made, field.name))
