"""A disk that can only be read, as after a fault: people read, and a form says that nothing was saved."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.served import served
from tests.wire import Visitor

pytestmark = pytest.mark.slow


@pytest.fixture
def disk(tmp_path) -> Iterator[Path]:
    """A disk of its own, which root alone may mount."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    done = (
        subprocess.run([mount, "-t", "tmpfs", "none", place], capture_output=True, check=False)
        if mount
        else None
    )
    if done is None or done.returncode:
        pytest.skip("no disk can be mounted here")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)


def test_visitors_read_on_a_disk_that_is_read_only(disk, migrated, tmp_path):
    shutil.copy(migrated, disk / "umaoka.sqlite3")
    subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    own = {"EVIDENCE_DIR": str(disk / "evidence"), "FILES_DIR": str(disk / "files"), "WEB_CONCURRENCY": "1"}

    with served(tmp_path, database=f"sqlite:///{disk}/umaoka.sqlite3", **own) as url:
        visitor = Visitor(url)
        health = visitor.get("/healthz")
        read = {page: visitor.get(page).status for page in ("/", "/rules/", "/accounts/login/", "/hand/")}
        form = visitor.form("/accounts/login/", "login")
        saved = visitor.post(form.action, form.fields | {"username": ["nobody"], "password": ["wrong"]})

    assert (health.status, health.text) == (
        503,
        "database can be read, not written: disk full or read-only\n",
    )
    assert set(read.values()) == {200}
    assert saved.status == 503
    assert "The server cannot save right now" in saved.text
