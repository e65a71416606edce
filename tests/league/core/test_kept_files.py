"""Files are made once a revision, by one at a time, and kept under a cap."""

import fcntl
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.test import Client

from league.core.kept_files import Busy, kept_file, remove_files
from tests.factories import club

ADDRESS = "/c/spring/download/workbook.xlsx"


@pytest.fixture
def folder(settings, tmp_path) -> Path:
    settings.FILES_DIR = str(tmp_path)
    return tmp_path


def read(facts: object, content: bytes) -> bytes:
    with kept_file((facts,), lambda: content, lane="test") as file:
        return file.read()


def test_a_file_is_made_once(folder):
    assert read("facts", b"first") == b"first"

    assert read("facts", b"second") == b"first"
    assert read("other facts", b"second") == b"second"


def test_while_a_file_is_made_others_are_busy(folder):
    with (folder / "test.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)

        with pytest.raises(Busy):
            read("facts", b"content")

    assert read("facts", b"content") == b"content"


def test_of_many_who_ask_at_once_one_makes_the_file(folder):
    start, made = Barrier(8), []

    def ask() -> str:
        start.wait()
        try:
            with kept_file(("facts",), lambda: made.append(1) or b"content", lane="test") as file:
                return file.read().decode()
        except Busy:
            return "busy"

    with ThreadPoolExecutor(8) as pool:
        answers = {call.result() for call in [pool.submit(ask) for _ in range(8)]}

    assert len(made) == 1
    assert answers <= {"content", "busy"}


def test_a_folder_that_takes_no_file_is_no_reason_to_refuse_one(settings, tmp_path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    settings.FILES_DIR = str(tmp_path / "taken")

    assert read("facts", b"content") == b"content"


def test_the_least_recently_used_files_are_removed_first(folder):
    for age, name in enumerate(("new", "old", "oldest")):
        (folder / f"{name}.kept").write_bytes(b"x" * 10)
        os.utime(folder / f"{name}.kept", (1_000 - age, 1_000 - age))

    assert remove_files(folder, most=20) == 1

    assert sorted(path.stem for path in folder.iterdir()) == ["new", "old"]


@pytest.mark.django_db
def test_a_visitor_who_waited_too_long_gets_a_page_and_may_come_back(folder):
    club("spring")
    with (folder / "competition.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        answer = Client().get(ADDRESS)

    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert "This file is being created" in answer.content.decode()
    assert Client().get(ADDRESS).status_code == 200


@pytest.mark.django_db
def test_a_second_visitor_gets_the_file_of_the_first_without_computing_it(
    folder, django_assert_max_num_queries
):
    club("spring")
    first = Client().get(ADDRESS)

    with django_assert_max_num_queries(1):
        second = Client().get(ADDRESS)

    assert second.content == first.content
