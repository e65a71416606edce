"""Public pages of visitors read a copy of the database; requests that write read the database itself.

Both are SQLite files here, and differ in a name: what a real copy cannot do, but what shows which was read.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests.factories import club, signed_in
from tests.places import SERVER, new_place
from tests.served import served
from tests.wire import Visitor

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(SERVER.startswith("postgres"), reason="two files of SQLite"),
]
PAGES = ("/", "/c/spring/", "/c/spring/rounds/")
OURS, COPY = "League spring", "League of the copy"


@pytest.fixture
def here(tmp_path, migrated, monkeypatch, settings) -> Iterator[tuple[str, str, Path]]:
    """The session of an organizer, the server's URL, and the file of the copy."""
    settings.SECRET_KEY = "for-benchmarks-only"  # as the server has it
    copy = tmp_path / "copy.sqlite3"
    with new_place(tmp_path, sqlite=True) as place:
        shutil.copy(migrated, place.file)
        with place.entered():
            made = club()
            session = signed_in(made.alice).cookies[settings.SESSION_COOKIE_NAME].value
            with connection.cursor() as cursor:
                cursor.execute("VACUUM INTO %s", [str(copy)])
        with closing(sqlite3.connect(copy)) as opened, opened:
            opened.execute("UPDATE league_competition SET name = ?", [COPY])
        monkeypatch.setenv("REPLICA_URL", f"sqlite:///{copy}")
        with served(tmp_path, database=place.url) as url:
            yield session, url, copy


def test_visitors_read_the_copy_and_those_who_write_the_database_itself(here, settings):
    session, url, copy = here
    visitor = Visitor(url)
    alice = Visitor(url, {settings.SESSION_COOKIE_NAME: session})

    assert all(COPY in visitor.get(page).text for page in PAGES)
    assert all(OURS in alice.get(page).text for page in (*PAGES, "/c/spring/manage/"))
    visitor.post("/language/", {"language": ["ja"], "next": ["/"]})
    assert all(OURS in visitor.get(page).text for page in PAGES)

    copy.write_bytes(b"no database" * 1000)
    assert all(OURS in Visitor(url, headers={"Accept-Language": "ja"}).get(page).text for page in PAGES)
    assert "The replica does not answer." in (copy.parent / "server.log").read_text()
