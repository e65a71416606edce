"""What the tests of a module begin with, made once for all of them."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import pytest

Given = tuple[object, Callable[[], object]]  # what a fixture gave, and how to have it as it was made
_GIVEN: list[Given] = []


def once_a_module(make: Callable[[], Any]) -> Any:
    """A fixture of the name of ``make``: the dataclass that it returns, and what it writes into the database.

    Every test of the module, whether it asks for it or not, begins with both as they were made: rows by a
    savepoint (the fixture ``made_once``), the dataclass by a copy of its fields.
    """

    @pytest.fixture(scope="module", autouse=True, name=make.__name__)
    def given(made_once: Callable[..., Callable[[], object]]) -> Iterator[object]:
        copy = made_once(make)
        it = copy()
        _GIVEN.append((it, copy))
        yield it
        _GIVEN.remove((it, copy))

    return given


def give_anew() -> None:
    """Before a test: whatever the test before did to the dataclasses of this module is undone."""
    for it, copy in _GIVEN:
        made: Any = copy()
        for field in fields(made):
            object.__setattr__(it, field.name, getattr(made, field.name))
