"""Rooms (docs/house.md) stand above each other: no two import each other, and no circle of rooms does."""

from collections.abc import Mapping

import pytest

from tools.house import WINGS, Room, read_imports

Imports = Mapping[Room, set[Room]]


@pytest.fixture(scope="module")
def imports() -> Imports:
    """The rooms of the wings. Contracts of import-linter keep the core and the models below them."""
    return read_imports()


def reached(imports: Imports, room: Room) -> set[Room]:
    """Return every room that this one imports, directly or through others."""
    found: set[Room] = set()
    waiting = [room]
    while waiting:
        new = imports[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_no_two_rooms_import_each_other(imports):
    pairs = sorted((a, b) for a, others in imports.items() for b in others if a < b and a in imports[b])
    assert pairs == []


def circles(imports: Imports) -> list[Room]:
    return [room for room in sorted(imports) if room in reached(imports, room)]


def test_no_circle_of_rooms(imports):
    assert circles(imports) == []


def test_a_circle_is_found():
    hall, stairs, roof = ("play", "hall"), ("play", "stairs"), ("play", "roof")
    assert circles({hall: {stairs}, stairs: {roof}, roof: {hall}}) == [hall, roof, stairs]


def test_every_wing_has_rooms(imports):
    assert {wing for wing, _room in imports} == set(WINGS)
