"""The empty database is kept between runs and has the tables that the migrations make."""

import ast
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.empty_database import ROOT, SOURCES, digest_of_sources, find_kept, keep


def test_what_was_kept_is_found_again(tmp_path: Path) -> None:
    keep(b"tables", ".sqlite3", tmp_path)

    assert find_kept(".sqlite3", tmp_path) == b"tables"


def test_a_broken_file_is_not_used(tmp_path: Path) -> None:
    keep(b"tables", ".sqlite3", tmp_path)
    next(tmp_path.iterdir()).write_bytes(b"tab")

    assert find_kept(".sqlite3", tmp_path) is None


def test_a_file_of_other_sources_is_not_used_and_is_removed(tmp_path: Path) -> None:
    keep(b"tables", ".sqlite3", tmp_path)
    kept = next(tmp_path.iterdir())
    kept.rename(tmp_path / kept.name.replace(digest_of_sources(), "0" * 16))
    found = find_kept(".sqlite3", tmp_path)

    keep(b"newer", ".sqlite3", tmp_path)

    assert found is None
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"newer"]


def test_the_files_of_two_databases_are_kept_side_by_side(tmp_path: Path) -> None:
    keep(b"tables", ".sqlite3", tmp_path)
    keep(b"CREATE TABLE", ".sql", tmp_path)

    assert find_kept(".sqlite3", tmp_path) == b"tables"
    assert find_kept(".sql", tmp_path) == b"CREATE TABLE"


def test_another_migration_is_another_digest(tmp_path: Path) -> None:
    (tmp_path / "league/migrations").mkdir(parents=True)
    (tmp_path / "league/migrations/0001_initial.py").write_text("one")
    before = digest_of_sources(tmp_path)

    (tmp_path / "league/migrations/0002_more.py").write_text("two")

    assert digest_of_sources(tmp_path) != before


def test_all_modules_that_migrations_import_are_among_the_sources() -> None:
    read = {path for pattern in SOURCES for path in ROOT.glob(pattern)}
    imported = {
        name
        for folder in ("league/migrations", "players/migrations")
        for path in (ROOT / folder).glob("*.py")
        for name in modules_of(ast.parse(path.read_text()))
        if name.startswith(("league", "players", "scoring"))
    }

    assert imported
    assert [name for name in sorted(imported) if not file_of(name) & read] == []


def modules_of(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def file_of(name: str) -> set[Path]:
    """The module of this name, or the module that has this name."""
    own, outer = ROOT / name.replace(".", "/"), ROOT / name.rpartition(".")[0].replace(".", "/")
    return {own.with_suffix(".py"), own / "__init__.py", outer.with_suffix(".py")}


@pytest.mark.slow
def test_the_kept_tables_are_those_that_the_migrations_make(migrated: Path, tmp_path: Path) -> None:
    path = tmp_path / "made.sqlite3"
    env = os.environ | {"DATABASE_URL": f"sqlite:///{path}"}
    subprocess.run([sys.executable, "manage.py", "migrate", "-v0"], cwd=ROOT, env=env, check=True)

    assert schema(migrated) == schema(path)


def schema(path: Path) -> list[tuple[str, str, str]]:
    with sqlite3.connect(path) as connection:
        query = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
        return list(connection.execute(query))
