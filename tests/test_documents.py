"""What the pages of docs/ name exists, and so do the benchmarks, which run with --long only."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FILE = re.compile(
    r"`((?:[a-z_]+/)*[a-z_.]+\.(?:py|txt|md|yaml|conf|dockerignore)|[a-z_]+(?:/[a-z_]+)+)`", re.I
)
NUMBER = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")


def test_every_file_that_the_page_about_security_names_exists():
    named = FILE.findall((ROOT / "docs" / "security.md").read_text())
    named = [name for name in named if not name.startswith("var/")]  # made by the running server

    assert len(named) > 50
    assert [name for name in named if not any((ROOT / top / name).exists() for top in ("", "tests"))] == []


def test_each_requirement_of_the_standard_is_either_met_or_not():
    rows = re.findall(r"^\| ([0-9][^|]*) \|", (ROOT / "docs" / "security.md").read_text(), re.MULTILINE)
    numbers = [number for row in rows for number in NUMBER.findall(row)]

    assert len(numbers) > 150
    assert sorted(set(numbers)) == sorted(numbers)


@pytest.mark.slow
def test_no_benchmark_needs_what_is_gone():
    """Import in another process, because a benchmark may change the settings of the process."""
    names = sorted(path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py"))
    code = "import sys, importlib; [importlib.import_module(f'benchmarks.{name}') for name in sys.argv[1:]]"
    command = [sys.executable, "-c", code, "settings", *(name for name in names if name != "settings")]
    environ = os.environ | {"DJANGO_SETTINGS_MODULE": "benchmarks.settings"}

    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)

    assert (len(names) > 10, done.returncode, done.stderr) == (True, 0, "")
