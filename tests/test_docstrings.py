"""Docstrings begin with a verb or a noun, and have one fact a sentence."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("league", "scoring", "players", "tools", "benchmarks", "docs")
# First words of a noun clause. A module may begin with one: "Who may reach what".
CLAUSE = re.compile(
    r"(What|Who|Whom|Whose|Which|Where|When|How|Of|The ones?|Those|That|As|Nothing|None|For|In|With|By|To|At"
    r"|Its|Their)\b"
)


def docstrings(path: Path) -> Iterator[tuple[int, bool, str]]:
    """Yield the line of each docstring, whether it is the module's, and its text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (
            text := ast.get_docstring(node)
        ):
            yield getattr(node, "lineno", 1), isinstance(node, ast.Module), text


def faults(text: str, *, of_module: bool) -> list[str]:
    summary = text.partition("\n\n")[0]
    begins = [] if of_module or not CLAUSE.match(text) else ["begins with a noun clause"]
    return [*begins, *(["has a semicolon"] if ";" in summary else [])]


def test_no_docstring_begins_with_a_clause_or_joins_facts_by_a_semicolon():
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    found = [
        f"{path.relative_to(ROOT)}:{line} {', '.join(why)}"
        for path in paths
        if "migrations" not in path.parts
        for line, of_module, text in docstrings(path)
        if (why := faults(text, of_module=of_module))
    ]
    assert len(paths) > 400
    assert found == []


def test_the_shapes_are_found():
    assert faults("What was chosen; None without a choice.", of_module=False) == [
        "begins with a noun clause",
        "has a semicolon",
    ]
    assert faults("Who may reach what.", of_module=True) == []
    assert faults("Return the choice, or None.", of_module=False) == []
