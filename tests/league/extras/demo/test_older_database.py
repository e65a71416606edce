"""bin/demo meets a database that an earlier version made."""

import sqlite3
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]


def set_aside_if_older(database: Path) -> str:
    """Run the function of bin/_common.sh and return its output."""
    script = '. bin/_common.sh; python=$1; set_aside_if_older "$2"'
    command = ["bash", "-c", f"set -euo pipefail; {script}", "bash", sys.executable, str(database)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stderr


def database_with(path: Path, *migrations: str) -> Path:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE django_migrations (app TEXT, name TEXT)")
        rows = [("league", name) for name in migrations] + [("auth", "0001_initial")]
        connection.executemany("INSERT INTO django_migrations VALUES (?, ?)", rows)
    return path


def test_a_database_of_an_earlier_version_is_kept_beside_the_new_one(tmp_path):
    path = database_with(tmp_path / "demo.sqlite3", "0001_initial", "0002_audit_triggers")
    (tmp_path / "demo.sqlite3-wal").write_bytes(b"")
    before = path.read_bytes()

    said = set_aside_if_older(path)

    (kept,) = tmp_path.glob("demo-until-*.sqlite3")
    assert said == (
        f"{path} was made by an earlier version of Umaoka. It is kept as {kept}; a new one begins.\n"
    )
    assert kept.read_bytes() == before
    assert not list(tmp_path.glob("demo.sqlite3*"))


def test_a_database_of_this_version_stays(tmp_path):
    path = database_with(tmp_path / "demo.sqlite3", "0001_initial", "0002_triggers")
    assert set_aside_if_older(path) == ""
    assert [each.name for each in tmp_path.iterdir()] == ["demo.sqlite3"]


def test_a_missing_database_is_not_set_aside(tmp_path):
    assert set_aside_if_older(tmp_path / "demo.sqlite3") == ""
