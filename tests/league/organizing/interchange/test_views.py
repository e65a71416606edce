"""Downloads and the import page: who gets what, nothing hidden, and every problem of an upload named."""

import io
import json
import uuid

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Call, Competition, Round, Table
from league.organizing.competitions.services import create_league
from league.organizing.interchange import forms as downloads
from league.play.calls.services import call_referee
from tests.factories import Club, club, signed_in, user
from tests.league.organizing.interchange.files import encoded, small, table_of
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

FILES = [
    pytest.param("standings/main/regular-season.xlsx", "xlsx", marks=pytest.mark.slow),
    ("standings/main/regular-season.csv", "csv"),
    ("standings/main/regular-season.json", "json"),
    ("results.xlsx", "xlsx"),
    ("results.csv", "csv"),
    ("results.json", "json"),
    pytest.param("workbook.xlsx", "xlsx", marks=pytest.mark.slow),
]


@module_fixture
def spring() -> Club:
    """Round 1 published, round 2 hidden with a result of 77,700 in it."""
    made = club("spring")
    made.add_round()
    made.record((40_000, 35_000, 25_000, 20_000))
    made.add_round(visibility="hidden")
    made.record((77_700, 20_000, 12_300, 10_000), round_number=2)
    return made


def text_of(content: bytes, form: str) -> str:
    if form != "xlsx":
        return content.decode("utf-8-sig")
    book = openpyxl.load_workbook(io.BytesIO(content))
    return repr([row for sheet in book for row in sheet.iter_rows(values_only=True)])


@pytest.mark.parametrize(("name", "form"), FILES)
def test_everyone_gets_the_published_rounds_of_a_public_competition(spring, name, form):
    response = Client().get(f"/c/spring/download/{name}")

    assert response.status_code == 200
    text = text_of(response.content, form)
    assert "40000" in text
    assert "77700" not in text


@pytest.mark.parametrize(("name", "form"), FILES)
def test_only_the_staff_gets_the_hidden_rounds_and_only_when_asked(spring, name, form):
    address = f"/c/spring/download/{name}"

    for person in (spring.alice, spring.bob, spring.charlie):
        client = signed_in(person)
        assert "77700" in text_of(client.get(f"{address}?all=1").content, form)
        assert "77700" not in text_of(client.get(address).content, form)
    for client in (Client(), signed_in(spring.dora), signed_in(user("mallory"))):
        assert "77700" not in text_of(client.get(f"{address}?all=1").content, form)


def test_the_competition_file_is_for_organizers(spring):
    address = "/c/spring/download/competition.json"
    other = club("autumn")

    response = signed_in(spring.alice).get(address)

    assert response.status_code == 200
    assert json.loads(response.content)["format"] == "umaoka-competition"
    for person in (spring.bob, spring.charlie, spring.dora, other.alice):
        assert signed_in(person).get(address).status_code == 403
    assert Client().get(address).status_code in (302, 403)


@pytest.mark.slow
def test_a_file_has_a_name_for_every_browser(spring):
    spring.competition.name = "春/季 “A”: 雀"
    spring.competition.save()

    response = Client().get("/c/spring/download/workbook.xlsx")

    assert response["Content-Disposition"] == (
        'attachment; filename="spring.xlsx"; '
        "filename*=UTF-8''%E6%98%A5%20%E5%AD%A3%20%E2%80%9CA%E2%80%9D%20%20%E9%9B%80.xlsx"
    )


@pytest.mark.parametrize(("name", "form"), FILES)
def test_the_same_file_again_is_answered_304_until_something_changes(spring, name, form):
    client, address = Client(), f"/c/spring/download/{name}"
    first = client.get(address)
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304

    spring.record((60_000, 20_000, 20_000, 20_000), number=2)
    cache_kept = client.get(address, headers={"If-None-Match": first["ETag"]})

    assert cache_kept.status_code == 200
    assert "60000" in text_of(cache_kept.content, form)


@pytest.mark.parametrize(
    "name",
    [
        "standings/main/regular-season.pdf",
        "standings/main/final.csv",
        "standings/other/regular-season.csv",
        "standings/main/%00.csv",
        "results.pdf",
        "workbook.csv",
    ],
)
def test_what_does_not_exist_is_not_found(spring, name):
    assert signed_in(spring.alice).get(f"/c/spring/download/{name}").status_code == 404


def test_another_competitions_stage_is_not_found(spring):
    other = club("autumn")
    other.stage.slug = "winter"
    other.stage.save()
    assert Client().get("/c/autumn/download/standings/main/winter.csv").status_code == 200

    assert Client().get("/c/spring/download/standings/main/winter.csv").status_code == 404


# --- the way in


def upload(content: object, *, key: object = None, **typed: object) -> dict[str, object]:
    raw = content if isinstance(content, bytes) else encoded(content)
    return {"key": key or uuid.uuid4(), "file": SimpleUploadedFile("file.json", raw), **typed}


def test_an_owner_imports_a_file_into_the_league(spring):
    response = signed_in(spring.alice).post("/leagues/spring/import/", upload(small()))

    made = Competition.objects.get(slug="small")
    assert (response.status_code, response["Location"]) == (
        302,
        reverse("competitions:manage", args=["small"]),
    )
    assert made.league == spring.league
    assert AuditEntry.objects.get(competition=made).actor == spring.alice


def test_every_problem_is_shown_with_its_place_and_nothing_is_saved(spring):
    file = small()
    file["name"] = "<script>alert(1)</script>" * 9
    table_of(file)["seats"][1]["points"] = 1

    response = signed_in(spring.alice).post("/leagues/spring/import/", upload(file))

    page = response.content.decode()
    assert response.status_code == 422
    assert "this file has 3 problems" in page
    assert "divisions[0].stages[0].rounds[0].tables[0].seats[1].points" in page
    assert "<script>alert" not in page
    assert not Competition.objects.filter(slug="small").exists()


def test_reading_stops_at_200_problems(spring):
    file = small()
    file["players"] += [{"id": "p1", "name": "again"}] * 300

    page = signed_in(spring.alice).post("/leagues/spring/import/", upload(file)).content.decode()

    assert page.count("<code ") == 200
    assert "this file has more than 200 problems" in page
    assert "Reading stopped here" in page


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\x00", b"PK\x03\x04", b"\xff\xfe", b'{"format": "\\ud800"}', b"1" * 6000),
        pytest.param(b"[" * 100_000, marks=pytest.mark.slow),
    ],
)
def test_no_upload_breaks_the_page(spring, content):
    response = signed_in(spring.alice).post("/leagues/spring/import/", upload(content))

    assert response.status_code == 422
    assert Competition.objects.count() == 1


@pytest.mark.parametrize("typed", [{}, {"key": "x"}, {"key": "\x00", "replace": "\x00"}, {"file": "no file"}])
def test_a_bad_form_is_shown_again(spring, typed):
    response = signed_in(spring.alice).post("/leagues/spring/import/", typed)

    assert response.status_code == 422
    assert Competition.objects.count() == 1


def test_a_file_that_is_too_large_is_refused_with_the_maximum(spring, monkeypatch):
    monkeypatch.setattr(downloads, "LARGEST", 100)

    page = signed_in(spring.alice).post("/leagues/spring/import/", upload(small())).content.decode()

    assert "uploads may have only 20 MB" in page
    assert not Competition.objects.filter(slug="small").exists()


@pytest.mark.slow
def test_replacing_is_a_tick_where_there_is_something_to_replace(spring):
    client = signed_in(spring.alice)
    create_league(name="Empty", slug="empty", by=spring.alice)
    assert 'name="replace"' not in client.get("/leagues/empty/import/").content.decode()
    client.post("/leagues/spring/import/", upload(small()))
    changed = small() | {"name": "Mended"}

    refused = client.post("/leagues/spring/import/", upload(changed)).content.decode()
    assert "“small” already exists" in refused
    assert Competition.objects.get(slug="small").name == "Small"

    assert client.post("/leagues/spring/import/", upload(changed, replace="on")).status_code == 302
    assert Competition.objects.get(slug="small").name == "Mended"


def test_disputes_and_calls_are_removed_only_when_their_number_is_typed(spring):
    client = signed_in(spring.alice)
    client.post("/leagues/spring/import/", upload(small()))
    table = Table.objects.get(round__stage__division__competition__slug="small")
    Round.objects.filter(pk=table.round_id).update(status="open")
    call_referee(table=table, note="", by=spring.alice)

    refused = client.post("/leagues/spring/import/", upload(small(), replace="on")).content.decode()
    assert "These are permanently removed: 1 referee call. Enter 1 to confirm" in refused
    assert Call.objects.count() == 1

    typed = upload(small(), replace="on", removes="1")
    assert client.post("/leagues/spring/import/", typed).status_code == 302
    assert Call.objects.count() == 0


def test_a_competition_of_another_league_is_never_replaced(spring):
    autumn = club("autumn")
    signed_in(autumn.alice).post("/leagues/autumn/import/", upload(small()))

    page = signed_in(spring.alice).post(
        "/leagues/spring/import/", upload(small() | {"name": "Mine"}, replace="on")
    )

    assert "another league" in page.content.decode()
    assert Competition.objects.get(slug="small").name == "Small"


def test_the_same_upload_sent_twice_is_imported_once(spring):
    client, key = signed_in(spring.alice), uuid.uuid4()

    answers = [client.post("/leagues/spring/import/", upload(small(), key=key)) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == [reverse("competitions:manage", args=["small"])] * 2
    assert AuditEntry.objects.filter(competition__slug="small").count() == 1


def test_the_same_key_with_another_file_is_refused(spring):
    client, key = signed_in(spring.alice), uuid.uuid4()
    client.post("/leagues/spring/import/", upload(small(), key=key))

    page = client.post(
        "/leagues/spring/import/", upload(small() | {"name": "Other"}, key=key, replace="on")
    ).content.decode()

    assert "This form was already submitted with different content, which was saved" in page
    assert Competition.objects.get(slug="small").name == "Small"
