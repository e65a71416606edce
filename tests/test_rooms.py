"""Rooms (docs/house.md) stand above each other: no two import each other, and no circle of rooms does."""

from collections import defaultdict
from collections.abc import Mapping

import grimp
import pytest

WINGS = {"rules", "people", "play", "ranking", "referees", "organizing", "extras"}

Imports = Mapping[str, set[str]]  # room → rooms that it imports


def room_of(module: str) -> str:
    """Return the package of a module's room, or an empty text for addresses, settings and commands."""
    parts = module.split(".")
    if parts[:2] in (["league", "core"], ["league", "models"]):
        return ".".join(parts[:2])
    return ".".join(parts[:3]) if parts[0] == "league" and parts[1:2] and parts[1] in WINGS else ""


@pytest.fixture(scope="module")
def imports() -> Imports:
    graph = grimp.build_graph("league", cache_dir=None)
    found = defaultdict(set)
    for module in graph.modules:
        room = room_of(module)
        found[room] |= {room_of(each) for each in graph.find_modules_directly_imported_by(module)} - {room}
    return {room: others - {""} for room, others in found.items() if room}


def reached(imports: Imports, room: str) -> set[str]:
    """Return every room that this one imports, directly or through others."""
    found: set[str] = set()
    waiting = [room]
    while waiting:
        new = imports[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def test_no_two_rooms_import_each_other(imports):
    pairs = sorted((a, b) for a, others in imports.items() for b in others if a < b and a in imports[b])
    assert pairs == []


def test_no_circle_of_rooms(imports):
    assert [room for room in sorted(imports) if room in reached(imports, room)] == []


def test_every_wing_has_rooms(imports):
    assert {room.split(".")[1] for room in imports} == WINGS | {"core", "models"}
