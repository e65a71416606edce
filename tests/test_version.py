"""One version number: in the foot of pages, in the health check and on top of the changelog."""

import re
from pathlib import Path

import pytest
from django.test import Client

from league import VERSION

ROOT = Path(__file__).resolve().parent.parent


def test_the_changelog_begins_with_this_version():
    assert (
        re.search(r"^## \[([^]]+)\]", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE).group(1) == VERSION
    )


@pytest.mark.django_db
def test_pages_and_health_check_say_the_version():
    assert f"Umaoka {VERSION}" in Client().get("/").content.decode()
    assert Client().get("/healthz").content.decode() == f"ok {VERSION}\n"
