"""An installation without one extra, or without any, has no dead link and asks for no migration."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.settings import ALL_EXTRAS

ROOT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("left_out", [*ALL_EXTRAS, "all"])
def test_without(left_out):
    extras = ",".join(each for each in ALL_EXTRAS if left_out not in {each, "all"})
    # Its own run of pytest, with a database of its own.
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "UMAOKA_TESTS"))
    }
    there = {**own, "EXTRAS": extras, "SECRET_KEY": "for-tests-only"}
    for words in (
        ["manage.py", "check"],
        ["manage.py", "makemigrations", "--check", "--dry-run"],
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_links.py"],
    ):
        found = subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=there, capture_output=True, text=True, check=False
        )
        assert found.returncode == 0, f"{words}: {found.stdout[-4000:]}{found.stderr[-2000:]}"
