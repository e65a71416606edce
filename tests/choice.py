"""Choose what each command runs: markers that tests get by themselves, and what bin/test leaves out."""

import re
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import pytest

CHROMIUM_FIXTURES = {"page", "open_page", "browser"}
DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "admin_user", "admin_client"}

# Who may see a page, the rules of the game, services and refusals. How good a seating is may take its time.
QUICK = re.compile(
    r"/test_(access_matrix|bad_input|refusals|services)|tests/scoring/(?!seating/)|/extras/\w+/rules/"
)
COUNTS = pytest.StashKey[tuple[int, int]]()  # of slow tests and of all, before -m chooses
MISSING = pytest.StashKey[set[str]]()


def mark_all(items: list[pytest.Item]) -> None:
    """Mark what opens a page in Chromium, and what runs on PostgreSQL too.

    The latter are tests with transactions of their own, and the first test of a room that calls a service.
    Tests of pages come last, because they call services to arrange.
    """
    served: set[object] = set()
    for item in sorted(items, key=lambda item: "/test_views" in item.nodeid):
        if fixtures_of(item) & CHROMIUM_FIXTURES:
            item.add_marker("browser")
        elif uses_database(item):
            called = services_of(item) - served if "tests/league/" in item.nodeid else set()
            if called or commits(item):
                item.add_marker("both_databases")
            served |= called


def fixtures_of(item: pytest.Item) -> set[str]:
    return set(getattr(item, "fixturenames", ()))


def uses_database(item: pytest.Item) -> bool:
    return bool(fixtures_of(item) & DATABASE_FIXTURES or item.get_closest_marker("django_db"))


def commits(item: pytest.Item) -> bool:
    """Check that the test has transactions of its own, and no SQLite file on both databases."""
    if "migrated" in fixtures_of(item):
        return False
    mark = item.get_closest_marker("django_db")
    return bool(mark and mark.kwargs.get("transaction")) or "transactional_db" in fixtures_of(item)


def services_of(item: pytest.Item) -> set[object]:
    """Return the functions of the rooms' services that the test names."""
    test: Any = getattr(item, "function", None)
    if not isinstance(test, FunctionType):
        return set()
    named = (test.__globals__.get(name) for name in test.__code__.co_names)
    return {each for each in named if isinstance(each, FunctionType) and ".services" in each.__module__}


def left_out(items: Iterable[pytest.Item]) -> str:
    """Return what `bin/test` does not run, in words."""
    slow = sum(1 for item in items if item.get_closest_marker("slow"))
    twice = sum(1 for item in items if item.get_closest_marker("both_databases"))
    with_programs = "among them those with nginx, Caddy, Redis and LibreOffice"
    return f"{slow} slow tests, {with_programs}, and {twice} tests on PostgreSQL"


def count_slow(items: list[pytest.Item]) -> tuple[int, int]:
    return sum(1 for item in items if item.get_closest_marker("slow")), len(items)


def without_quick_case(items: list[pytest.Item]) -> set[str]:
    """Return the tests of which `bin/test` must run a case, and runs none."""
    bound = [item for item in items if QUICK.search(item.nodeid)]
    quick = {item.nodeid.split("[")[0] for item in bound if not item.get_closest_marker("slow")}
    return {item.nodeid.split("[")[0] for item in bound} - quick
