"""Draw the wings and the rooms of docs/house.md from the imports: `python -m tools.house`."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import grimp

WINGS = ("rules", "people", "play", "ranking", "referees", "organizing", "extras")  # low to high
PAGE = Path(__file__).resolve().parents[1] / "docs" / "house.md"
BEGIN, END = "<!-- drawn by python -m tools.house -->\n", "<!-- end of the drawing -->\n"

Room = tuple[str, str]  # wing and room
Imports = Mapping[Room, set[Room]]


def room_of(module: str) -> Room | None:
    """Return None for a module of the core, for addresses, settings and commands."""
    _league, wing, room = [*module.split("."), "", ""][:3]
    return (wing, room) if wing in WINGS and room else None


def read_imports() -> Imports:
    """Return room → the rooms that it imports, without itself."""
    graph = grimp.build_graph("league", cache_dir=None)
    found: dict[Room, set[Room]] = defaultdict(set)
    for module in graph.modules:
        if room := room_of(module):
            others = map(room_of, graph.find_modules_directly_imported_by(module))
            found[room] |= {other for other in others if other and other != room}
    return found


def low_to_high(rooms: Iterable[Room], imports: Imports) -> list[Room]:
    """Return the rooms so that each stands after those that it imports. They must not make a circle."""
    waiting, placed = sorted(rooms), list[Room]()
    while waiting:
        room = next(each for each in waiting if imports[each].isdisjoint(waiting))
        waiting.remove(room)
        placed.append(room)
    return placed


def draw(imports: Imports) -> str:
    """Return each wing with those that it imports, and each room with those of its wing that it imports."""
    lines = []
    for wing in reversed(WINGS):
        rooms = [room for room in imports if room[0] == wing]
        below = {other for room in rooms for other, _room in imports[room]} - {wing}
        lines.append(_arrow(wing, [each for each in WINGS if each in below]))
        for room in reversed(low_to_high(rooms, imports)):
            inside = sorted(other for of, other in imports[room] if of == wing)
            lines.append("    " + _arrow(room[1], inside))
    return "\n".join(lines)


def _arrow(name: str, others: Iterable[str]) -> str:
    named = ", ".join(others)
    return f"{name} → {named}" if named else name


def drawn(text: str) -> str:
    """Return the page with the drawing of today's imports."""
    before, _begin, rest = text.partition(BEGIN)
    _drawing, _end, after = rest.partition(END)
    return f"{before}{BEGIN}\n```\n{draw(read_imports())}\n```\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(drawn(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
