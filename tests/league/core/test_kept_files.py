"""Downloads are made once per revision, and no request waits for one."""

import gzip
import html
import io
import os
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult
from openpyxl import load_workbook

from league.core import kept_files
from league.core.kept_files import keep_file, pack, remove_old_files, sent_file
from league.models import Competition, KeptFile, Round
from league.models.publicity import public_fields
from league.organizing.interchange.exports.files import whole_file
from tests.factories import club, signed_in
from tests.other_values import other_value

pytestmark = pytest.mark.django_db
ADDRESS, RESULTS = "/c/spring/download/workbook.xlsx", "/c/spring/download/results.csv"


@pytest.fixture
def spring():
    made = club("spring")
    made.add_round()
    made.record((45_000, 35_000, 25_000, 15_000))
    Round.objects.update(visibility=Round.Visibility.RESULTS)
    return made


@pytest.fixture
def queue(settings):
    """Tasks wait in the database, and no worker takes them."""
    database = {"BACKEND": "django_tasks_db.DatabaseBackend"}
    settings.TASKS = {"default": settings.TASKS["default"] | database}


def work() -> None:
    """What a worker does with all that wait."""
    for row in DBTaskResult.objects.ready():
        task = row.task_result
        task.task.call(*task.args, **task.kwargs)
        row.delete()


def change(**values: object) -> None:
    """Another revision of the competition."""
    here = Competition.objects.get()
    Competition.objects.update(revision=here.revision + 1, version=here.version + 1, **values)


def test_a_file_is_made_once(spring, django_assert_max_num_queries):
    first = Client().get(ADDRESS)

    with django_assert_max_num_queries(2):
        second = Client().get(ADDRESS)

    assert (first.status_code, second.content) == (200, first.content)


def test_a_file_is_in_the_language_of_each_reader(spring):
    english, japanese = Client(), Client()
    japanese.cookies["django_language"] = "ja"

    sheets = [
        load_workbook(io.BytesIO(reader.get(ADDRESS).content)).sheetnames for reader in (english, japanese)
    ]

    assert "Standings" in sheets[0]
    assert "Standings" not in sheets[1]


def test_a_file_that_is_not_there_is_made_by_one_task_and_the_page_asks_again(spring, queue):
    answers = [Client().get(RESULTS) for _ in range(3)]

    assert {(each.status_code, each["Retry-After"], each["Cache-Control"]) for each in answers} == {
        (503, "1", "private, no-store")
    }
    page = answers[0].content.decode()
    assert "This file is being created" in page
    assert DBTaskResult.objects.count() == 1
    work()
    again = re.search(r'http-equiv="refresh" content="1; url=([^"]+)"', page)[1]
    assert Client().get(again)["Content-Disposition"].startswith("attachment")
    assert Client().get(RESULTS).status_code == 200


def test_the_page_that_waits_has_the_head_and_leads_back_to_the_page_that_asked(spring, queue):
    def back(**headers: str) -> str:
        page = Client().get(RESULTS, headers=headers).content.decode()
        assert f'<a class="band-name" href="/c/{spring.slug}/">' in page
        return re.search(r'<a class="btn" href="([^"]+)">Back</a>', page)[1]

    there = f"/c/{spring.slug}/players/"
    assert back(referer=f"http://testserver{there}?q=x") == f"{there}?q=x"
    assert back(referer="http://elsewhere.example/") == back() == f"/c/{spring.slug}/"
    page = Client().get(RESULTS, headers={"referer": f"http://testserver{there}"}).content.decode()
    again = html.unescape(re.search(r'http-equiv="refresh" content="1; url=([^"]+)"', page)[1])
    assert f'href="{there}">Back</a>' in Client().get(again).content.decode()


def test_visitors_get_the_former_file_and_staff_wait_for_the_new_one(spring, queue):
    alice = signed_in(spring.alice)
    for each in (Client(), alice):
        each.get(RESULTS)
        each.get(f"{RESULTS}?all=1")
    work()
    before = Client().get(RESULTS)
    change(name="Another name")

    former, waits = Client().get(RESULTS), alice.get(f"{RESULTS}?all=1")

    assert (former.status_code, former.content) == (200, before.content)
    assert "ETag" in before
    assert "ETag" not in former  # a browser must not take it for the new one
    assert waits.status_code == 503
    work()
    assert Client().get(RESULTS)["ETag"] not in ("", before["ETag"])
    assert alice.get(f"{RESULTS}?all=1").status_code == 200


def test_of_facts_that_change_all_the_time_a_browser_gets_what_was_read_after_it_asked(spring, queue):
    alice, staff = signed_in(spring.alice), f"{RESULTS}?all=1"
    page = alice.get(staff).content.decode()
    work()
    change()

    again = re.search(r'content="1; url=([^"]+)"', page)[1].replace("&amp;", "&")

    assert alice.get(again).status_code == 200
    assert alice.get(staff).status_code == 503


@pytest.mark.parametrize("hides", ["round", "deleted", "penalties", "old", "refusal"])
def test_a_former_file_tells_nothing_that_was_hidden_since(spring, queue, hides):
    Client().get(RESULTS)
    work()
    if hides == "round":
        Round.objects.update(visibility=Round.Visibility.SEATING)
    elif hides == "deleted":
        KeptFile.objects.update(published=[*KeptFile.objects.get().published, "results 0"])
    elif hides == "old":
        KeptFile.objects.update(read_at=timezone.now() - timedelta(minutes=11))
    elif hides == "refusal":
        KeptFile.objects.update(content=b"", refusal="Too many rounds.")
    change(**({"penalties_shown": "scores"} if hides == "penalties" else {}))

    assert Client().get(RESULTS).status_code == 503


@pytest.mark.parametrize("name", public_fields(Competition))
def test_visitors_wait_for_the_file_after_a_change_of_any_setting_that_decides_what_they_see(
    spring, queue, name
):
    Client().get(RESULTS)
    work()
    assert Client().get(RESULTS).status_code == 200
    old = Competition.with_drafts.values_list(name, flat=True).get()

    change(**{name: other_value(Competition._meta.get_field(name), old)})

    # A private competition and a draft are not there at all.
    assert Client().get(RESULTS).status_code == (404 if name in {"visibility", "is_draft"} else 503)


@pytest.mark.parametrize("name", public_fields(Round))
def test_a_change_of_a_round_that_may_hide_something_is_a_fact_less(spring, name):
    before = kept_files._public_facts(spring.competition)
    old = Round.objects.values_list(name, flat=True).get()

    Round.objects.update(**{name: other_value(Round._meta.get_field(name), old)})

    assert not set(before) <= set(kept_files._public_facts(spring.competition))


def test_a_file_of_a_person_who_is_erased_meanwhile_is_not_kept(spring, queue):
    Client().get(RESULTS)
    key = KeptFile.objects.get().key

    def make(competition: Competition) -> bytes:
        KeptFile.objects.all().delete()
        Client().get(RESULTS)  # asked for again, as another row
        return b"with the name"

    keep_file(key, make)

    assert KeptFile.objects.get().content is None


def test_a_competition_has_few_files_waiting_and_its_first_goes_before_the_others(spring, queue, monkeypatch):
    monkeypatch.setattr(kept_files, "MOST_WAITING", 2)
    for address in (RESULTS, ADDRESS, RESULTS.replace("csv", "json")):
        assert Client().get(address).status_code == 503

    assert list(DBTaskResult.objects.values_list("priority", flat=True)) == [0, -1]
    work()
    assert Client().get(RESULTS.replace("csv", "json")).status_code == 503
    assert DBTaskResult.objects.count() == 1


def test_a_page_that_waits_for_a_file_logs_nothing(spring, queue, caplog):
    assert Client().get(RESULTS).status_code == 503
    assert caplog.records == []


def test_a_task_that_failed_is_tried_again_after_a_minute(spring, queue):
    Client().get(RESULTS)
    failed = {"status": TaskResultStatus.FAILED, "finished_at": timezone.now()}
    DBTaskResult.objects.update(**failed)

    said = Client().get(RESULTS)

    assert (said.status_code, said["Retry-After"]) == (503, "60")
    assert "This file could not be created" in said.content.decode()
    DBTaskResult.objects.update(finished_at=timezone.now() - timedelta(minutes=2))
    assert "This file is being created" in Client().get(RESULTS).content.decode()
    assert DBTaskResult.objects.ready().count() == 1


def test_the_oldest_files_are_removed_first(spring, monkeypatch):
    now = timezone.now()
    for age in (1, 2, 3):
        KeptFile.objects.create(key=age, read_at=now - timedelta(hours=age), size=10, content=b"x" * 10)
    KeptFile.objects.create(key="upload", asked_at=now, size=10)
    monkeypatch.setattr(kept_files, "MOST_BYTES", 30)

    kept_files._remove_oldest()

    assert set(KeptFile.objects.values_list("key", flat=True)) == {"1", "2", "upload"}
    KeptFile.objects.filter(key="2").update(read_at=now - timedelta(hours=25))
    assert remove_old_files() == 1


@pytest.mark.parametrize(("name", "fmt"), [("results", "csv"), ("results", "json"), ("competition", "json")])
def test_a_task_makes_what_the_room_exports(spring, name, fmt):
    address = {"results": f"/c/spring/download/results.{fmt}?all=1"}.get(
        name, "/c/spring/download/competition.json"
    )

    answer = signed_in(spring.alice).get(address)

    assert answer.content == whole_file(spring.competition, name, fmt, public=False)


# --- sent


@pytest.mark.parametrize("size", [10, 3_000_000], ids=["small", "in pieces"])
def test_a_file_is_sent_packed_to_a_browser_that_takes_it(size, rf):
    content = os.urandom(1_000) * (size // 1_000) or b"content"

    def send(**headers: str) -> tuple[bytes, dict[str, str]]:
        answer = sent_file(rf.get(ADDRESS, headers=headers), pack(content), "text/csv")
        return answer.getvalue(), dict(answer.headers)

    packed, plain = send(**{"Accept-Encoding": "gzip"}), send()

    assert (gzip.decompress(packed[0]), plain[0]) == (content, content)
    assert packed[1] == plain[1] | {"Content-Encoding": "gzip"}
