"""Run all cases of a parametrized test as one test, if no case can change what the next one sees.

Pytest takes some 2 ms per test and process, and the rules of the game have thousands of cases. A test whose
only arguments are its cases runs them in a loop. Its failure lists every case that failed. With `--apart`
each case is a test again, for `-k` and the debugger.
"""

import functools
import inspect
from collections.abc import Callable, Collection, Iterator
from types import FunctionType
from typing import Any

import pytest

Param = type(pytest.param())


class CasesTogether(pytest.Module):
    """Module that collects each parametrized test without fixtures as one test."""

    def collect(self) -> Any:
        if hasattr(self.obj, "pytestmark"):  # with a database, which a case may change
            return super().collect()
        for name, test in vars(self.obj).items():
            if asks_for_cases_only(test):
                setattr(self.obj, name, together(test))
        return super().collect()


def asks_for_cases_only(test: object) -> bool:
    if not isinstance(test, FunctionType) or not test.__name__.startswith("test_"):
        return False
    marks = getattr(test, "pytestmark", [])
    names = {name for mark in marks if plain(mark) for name in names_of(mark)}
    return (
        bool(names)
        and all(map(plain, without_slow(marks)))
        and set(inspect.signature(test).parameters) == names
    )


def plain(mark: pytest.Mark) -> bool:
    """Check that the mark gives cases, none of which has marks of its own."""
    if mark.name != "parametrize" or len(mark.args) != 2 or not set(mark.kwargs) <= {"ids"}:
        return False
    assert isinstance(mark.args[1], Collection), "Cases are listed, so that they can be read twice."
    return not any(isinstance(case, Param) and case.marks for case in mark.args[1])


def without_slow(marks: list[pytest.Mark]) -> list[pytest.Mark]:
    """Return the marks but `slow`, which all cases of a test share."""
    return [mark for mark in marks if mark.name != "slow"]


def names_of(mark: pytest.Mark) -> list[str]:
    names = mark.args[0]
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def together(test: FunctionType) -> Callable[[], None]:
    marks = without_slow(test.pytestmark)  # type: ignore[attr-defined]

    @functools.wraps(test)
    def run() -> None:
        tried, failures = 0, []
        for label, values in combined(marks):
            tried += 1
            try:
                test(**values)
            except (Exception, pytest.fail.Exception) as failure:  # noqa: BLE001 - listed below
                failure.add_note(f"Case: {label}")
                failures.append(failure)
        assert tried, "There is no case."
        if failures:
            raise BaseExceptionGroup(f"{len(failures)} of {tried} cases failed", failures)

    slow = [mark for mark in test.pytestmark if mark not in marks]  # type: ignore[attr-defined]
    run.pytestmark = slow  # type: ignore[attr-defined]
    run.__signature__ = inspect.Signature()  # type: ignore[attr-defined]
    return run


def combined(marks: list[pytest.Mark]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a label and the arguments of each case, for several marks the product of their cases."""
    if not marks:
        yield "", {}
        return
    for label, values in combined(marks[1:]):
        for own_label, own_values in cases_of(marks[0]):
            yield f"{label} {own_label}".strip(), values | own_values


def cases_of(mark: pytest.Mark) -> Iterator[tuple[str, dict[str, Any]]]:
    names, ids = names_of(mark), mark.kwargs.get("ids")
    for number, case in enumerate(mark.args[1]):
        values = case.values if isinstance(case, Param) else case if len(names) > 1 else (case,)
        if isinstance(case, Param) and case.id is not None:
            label = case.id
        elif callable(ids):
            label = " ".join(str(ids(value)) for value in values)
        else:
            label = str(ids[number]) if ids else ", ".join(f"{value!r:.80}" for value in values)
        yield label, dict(zip(names, values, strict=True))
