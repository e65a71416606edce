"""Long work behind a real server: no request waits for it, and a killed task runs again."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django_tasks_db.models import DBTaskResult

from benchmarks.imports import Organizer, small_workbook
from league.models import Round
from tests.factories import Club, club
from tests.places import Place, new_place
from tests.served import served
from tests.wire import Answer, Visitor, forms_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
VISITORS = 100  # more than the server has threads
RESULTS, WORKBOOK = "/c/hall/download/results.csv", "/c/hall/download/workbook.xlsx"
Found = TypeVar("Found")


@pytest.fixture
def place(transactional_db, migrated, tmp_path) -> Iterator[tuple[Place, Club]]:
    """A database of its own with a competition."""
    with (
        new_place(tmp_path, sqlite=True, migrated=str(migrated)) as made,
        made.entered(),
    ):
        here = club("hall", players=64)
        here.add_round()
        Round.objects.update(visibility=Round.Visibility.RESULTS)
        yield made, here


@pytest.fixture
def url(place, tmp_path) -> Iterator[str]:
    with served(tmp_path, database=place[0].url) as url:
        yield url


def until(found: Callable[[], Found], seconds: float = 60) -> Found:
    """Call the function until it returns something, and return that."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if it := found():
            return it
        time.sleep(0.05)
    raise AssertionError("It did not come.")


def status_of(url: str) -> int:
    try:
        with urlopen(url, timeout=30) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def arrives(url: str, address: str = RESULTS) -> Answer:
    """The file, for someone who asks again as the page says."""

    def ask() -> Answer | None:
        answer = Visitor(url).get(address)
        return answer if answer.status == 200 else None

    return until(ask)


def slowest_page(url: str, going: Callable[[], bool]) -> float:
    """Seconds of the slowest page while something goes on."""
    slowest = 0.0
    while going():
        begun = time.monotonic()
        assert Visitor(url).get("/accounts/login/").status == 200
        slowest = max(slowest, time.monotonic() - begun)
    return slowest


def test_a_small_file_is_there_in_a_moment(url):
    arrives(url, RESULTS.replace("csv", "json"))  # the worker has started
    begun = time.monotonic()
    first = Visitor(url).get(RESULTS)
    answered = time.monotonic() - begun
    arrives(url)

    assert first.status == 503
    assert answered < 2
    assert time.monotonic() - begun < 10
    until(lambda: not DBTaskResult.objects.exists())


def test_a_browser_gets_the_file_by_itself(url, browser):
    page = browser.new_page()
    with page.expect_download(timeout=60_000) as download:
        answer = page.goto(url + WORKBOOK)

    assert answer.status == 503
    assert download.value.suggested_filename.endswith(".xlsx")
    page.close()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not on this machine")
def test_a_program_that_asks_again_gets_the_file(url, tmp_path):
    command = ["curl", "--fail", "--silent", "--location", "--retry", "20", "--output", tmp_path / "file"]
    subprocess.run([*command, url + WORKBOOK], check=True)

    assert (tmp_path / "file").read_bytes().startswith(b"PK")


def test_more_visitors_than_threads_who_want_a_file_stop_no_page(url, place):
    """Each change makes the file obsolete, and half of them ask again and again."""
    with ThreadPoolExecutor(VISITORS) as pool:
        asking = [pool.submit(lambda: [status_of(url + WORKBOOK) for _ in range(4)]) for _ in range(VISITORS)]
        slowest = slowest_page(url, lambda: not all(each.done() for each in asking))
    statuses = {status for each in asking for status in each.result()}

    assert statuses <= {200, 503}
    assert slowest < 10
    assert arrives(url)


def test_heavy_lists_of_players_are_refused_while_one_is_read_and_stop_no_page(url, place, settings):
    settings.SECRET_KEY = "for-benchmarks-only"  # that of the server, which knows the session by it
    alice, heavy = Organizer(url, place[1]), small_workbook()
    alice.visitor.get("/c/hall/manage/players/import/")  # the cookie that all her forms share
    with ThreadPoolExecutor(12) as pool:
        asking = [pool.submit(alice.send_roster, heavy) for _ in range(12)]
        slowest = slowest_page(url, lambda: not all(each.done() for each in asking))

    assert {each.result() for each in asking} == {"refused"}
    assert slowest < 10


def workers_of(place: Place) -> list[int]:
    """The processes of `manage.py work` on this database."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words, environ = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if b"\0work\0" in words and place.url.encode() in environ:
            found.append(int(process.name))
    return found


def test_a_worker_that_is_killed_is_started_again_and_ends_with_the_server(place, tmp_path):
    with served(tmp_path, database=place[0].url) as url:
        (worker,) = until(lambda: workers_of(place[0]))
        os.kill(worker, signal.SIGKILL)
        assert Visitor(url).get(RESULTS).status == 503
        assert arrives(url)
    until(lambda: not workers_of(place[0]))


def test_many_password_resets_hold_no_thread_and_send_few_mails(place, tmp_path):
    here = place[1]
    here.alice.email = "alice@example.org"
    here.alice.save()
    mails = tmp_path / "mails"
    mails.mkdir()
    mail = {"EMAIL_URL": f"filemail:///{mails}"}
    with served(tmp_path, database=place[0].url, **mail) as url:
        visitor = Visitor(url)
        forms = forms_of(visitor.get("/accounts/reset/").text, "/accounts/reset/")
        (form,) = [each for each in forms if "email" in each.fields]

        def ask(number: int) -> int:
            email = "alice@example.org" if number % 2 else f"{number}@example.org"
            cookies = dict(visitor.cookies)
            return Visitor(url, cookies).post("/accounts/reset/", form.fields | {"email": [email]}).status

        with ThreadPoolExecutor(VISITORS) as pool:
            answers = list(pool.map(ask, range(120)))
        until(lambda: not DBTaskResult.objects.exists())

    assert set(answers) == {302}
    assert 1 <= len(list(mails.iterdir())) <= 3
