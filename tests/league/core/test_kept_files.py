"""Files are made once a revision, by one at a time, and kept under a cap."""

import fcntl
import gzip
import io
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.core.management import call_command
from django.test import Client

from league.core.kept_files import Busy, kept_file, pack, remove_files, sent_file
from league.interchange.exports.files import whole_file
from tests.factories import club

ADDRESS = "/c/spring/download/workbook.xlsx"


@pytest.fixture
def folder(settings, tmp_path) -> Path:
    settings.FILES_DIR = str(tmp_path)
    return tmp_path


def read(facts: object, content: bytes) -> bytes:
    with kept_file((facts,), lambda: content, lane="test") as file:
        return gzip.decompress(file.read())


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
                return gzip.decompress(file.read()).decode()
        except Busy:
            return "busy"

    with ThreadPoolExecutor(8) as pool:
        answers = {call.result() for call in [pool.submit(ask) for _ in range(8)]}

    assert len(made) == 1
    assert answers <= {"content", "busy"}


def test_a_file_is_made_even_if_the_folder_cannot_keep_it(settings, tmp_path):
    (tmp_path / "taken").write_text("a file where the folder should be")
    settings.FILES_DIR = str(tmp_path / "taken")

    assert read("facts", b"content") == b"content"


def test_the_least_recently_used_files_are_removed_first(folder):
    for age, name in enumerate(("new", "old", "oldest")):
        (folder / f"{name}.kept").write_bytes(b"x" * 10)
        os.utime(folder / f"{name}.kept", (1_000 - age, 1_000 - age))

    assert remove_files(folder, most=20) == 1

    assert sorted(path.stem for path in folder.iterdir()) == ["new", "old"]
    (folder / "half.99.part").write_bytes(b"x")
    assert remove_files(folder, before=time.time() + 60) == 3  # with what a killed worker was writing


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


# --- made apart


def test_the_command_prints_what_a_worker_would_have_made(db, capsysbinary):
    spring = club("spring")
    spring.add_round()
    spring.record((45_000, 35_000, 25_000, 15_000))

    for name, fmt in (("results", "csv"), ("results", "json"), ("competition", "json")):
        call_command("make_file", str(spring.competition.pk), name, fmt, "staff", "ja")

        printed = gzip.decompress(capsysbinary.readouterr().out)
        assert printed == whole_file(spring.competition, name, fmt, public=False)


# --- sent


@pytest.mark.parametrize("size", [10, 3_000_000], ids=["small", "in pieces"])
def test_a_file_is_sent_packed_to_a_browser_that_takes_it(size, rf):
    content = os.urandom(1_000) * (size // 1_000) or b"content"

    def send(**headers: str) -> tuple[bytes, dict[str, str]]:
        answer = sent_file(rf.get(ADDRESS, headers=headers), io.BytesIO(pack(content)), "text/csv")
        return answer.getvalue(), dict(answer.headers)

    packed, plain = send(**{"Accept-Encoding": "gzip"}), send()

    assert (gzip.decompress(packed[0]), plain[0]) == (content, content)
    assert packed[1] == plain[1] | {"Content-Encoding": "gzip"}
