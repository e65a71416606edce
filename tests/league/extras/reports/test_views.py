"""The files of a competition and the forms and logo of a league, on their pages."""

import io
import re
import uuid
from datetime import date
from decimal import Decimal
from functools import partial

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image

from league.core import pdf
from league.extras.reports.exports.certificates import certificates_page
from league.extras.reports.exports.forms import sample_form
from league.extras.reports.services import MOST_FORMS
from league.models import Competition, FederationForm, KeptFile, Logo
from players.models import Player
from tests.factories import Club, club, last_entry, signed_in
from tests.hostile_names import LONG
from tests.league.organizing.interchange.files import competition_file, copy_of, places_of
from tests.pictures import picture, taken_at_a_place
from tests.shown import errors, html, said, text
from tests.teams import play_to_the_end, team_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring(db) -> Club:
    made = club(preset="ema-2025")
    made.add_round(visibility="hidden")
    made.record((45_000, 35_000, 25_000, 15_000))
    made.record((44_000, 36_000, 25_000, 15_000), number=2)
    for number, player in enumerate(Player.objects.all()):
        player.name, player.country = f"Anna Berg{number}", "FR"
        player.save()
    return made


def upload(made: Club, content: bytes, name: str = "Ours", key: object = None, *, follow: bool = False):
    file = SimpleUploadedFile("form.xlsx", content)
    sent = {"key": key or uuid.uuid4(), "name": name, "workbook": file}
    return signed_in(made.alice).post(f"/leagues/{made.league.slug}/forms/", sent, follow=follow)


def send_logo(made: Club, content: bytes):
    sent = {"key": uuid.uuid4(), "logo": SimpleUploadedFile("logo.png", content)}
    return signed_in(made.alice).post(f"/leagues/{made.league.slug}/logo/", sent)


def marked(**cells: str) -> bytes:
    book, stream = openpyxl.Workbook(), io.BytesIO()
    for place, value in cells.items():
        book.worksheets[0][place] = value
    book.save(stream)
    return stream.getvalue()


# --- EMA's form


def test_the_page_names_what_the_form_lacks_until_it_is_complete(spring):
    client, files = signed_in(spring.alice), f"/c/{spring.slug}/manage/files/"
    address = f"/c/{spring.slug}/downloads/"
    page = text(client.get(files))
    assert "The city is missing" in page
    assert "The day of the tournament is missing" in page
    file = f"{address}ema/{spring.division.slug}.xlsx"
    assert client.get(file).headers["Location"] == f"{files}#ema"  # it says what is missing

    Competition.objects.update(first_day=date(2026, 9, 12))
    facts = {"short_name": "Spring", "city": "Lyon", "country": "France", "mers_weight": "1.5"}
    answer = client.post(address, {"key": uuid.uuid4(), **facts})
    assert (answer.status_code, answer.url) == (302, files)
    found = Competition.objects.get()
    assert (found.short_name, found.city, found.country, float(found.mers_weight or 0)) == (
        *("Spring", "Lyon", "FR"),
        1.5,
    )
    assert "is missing" not in text(client.get(files))
    sheet = openpyxl.load_workbook(io.BytesIO(client.get(file).content)).worksheets[0]
    assert [cell.value for cell in sheet[2]][:4] == [found.name, 8, 1, "Anna"]  # a hidden round counts here


def test_the_weight_of_the_tournament_is_proposed(spring):
    Competition.objects.update(first_day=date(2026, 9, 12), last_day=date(2026, 9, 13))
    page = text(signed_in(spring.alice).get(f"/c/{spring.slug}/manage/files/"))
    assert "By days, players and countries it is 2.0" in page


@pytest.mark.parametrize(
    ("field", "value"), [("country", "Narnia"), ("mers_weight", "1.55"), ("city", "x" * 61)]
)
def test_wrong_facts_save_nothing(spring, field, value):
    answer = signed_in(spring.alice).post(
        f"/c/{spring.slug}/downloads/", {"key": uuid.uuid4(), "short_name": "S", field: value}
    )
    assert answer.status_code == 422
    assert field in errors(answer)
    assert f'value="{value}"' in html(answer)
    assert "Full workbook" in text(answer)
    assert Competition.objects.get().short_name == ""


def test_a_finished_competition_still_takes_the_facts(spring):
    Competition.objects.update(finished_at="2026-09-14T00:00Z")
    sent = {"key": uuid.uuid4(), "city": "Lyon"}
    signed_in(spring.alice).post(f"/c/{spring.slug}/downloads/", sent)
    assert Competition.objects.get().city == "Lyon"
    assert last_entry(spring.competition).action == "competition.report"


def test_the_facts_travel_in_the_competition_file(spring):
    facts = {"short_name": "Spring", "city": "Lyon", "country": "FR", "mers_weight": Decimal("1.5")}
    Competition.objects.update(**facts)
    spring.competition.refresh_from_db()
    made = copy_of(spring.competition, spring.league)
    assert {name: getattr(Competition.objects.get(pk=made.pk), name) for name in facts} == facts


@pytest.mark.parametrize("weight", [-1, 1.25, 100, "1.5"])
def test_a_file_with_a_wrong_weight_is_refused(spring, weight):
    file = competition_file(spring.competition) | {"mers_weight": weight}
    assert places_of(file) == ["mers_weight"]


# --- forms of federations


@pytest.mark.slow
def test_a_form_is_kept_filled_in_replaced_and_deleted(spring):
    client = signed_in(spring.alice)
    (words,) = said(upload(spring, sample_form(), follow=True))
    assert "Ours saved." in words
    assert "player.name" in words
    kept = FederationForm.objects.get()
    address = f"/c/{spring.slug}/downloads/forms/{kept.pk}/{spring.division.slug}.xlsx"
    assert "Ours" in text(client.get(f"/c/{spring.slug}/manage/files/"))
    filled = openpyxl.load_workbook(io.BytesIO(client.get(address).content)).worksheets[0]
    assert filled["A1"].value == spring.competition.name
    assert filled["B7"].value.startswith("Anna Berg")
    original = client.get(f"/leagues/{spring.league.slug}/forms/{kept.pk}.xlsx").content
    assert original == sample_form() or openpyxl.load_workbook(io.BytesIO(original))

    upload(spring, marked(C3="{{ tournament }}"))
    assert FederationForm.objects.get().pk == kept.pk
    again = openpyxl.load_workbook(io.BytesIO(client.get(address).content)).worksheets[0]
    assert again["C3"].value == spring.competition.name  # not the file that was kept before

    key = uuid.uuid4()
    for _twice in range(2):
        answer = client.post(f"/leagues/{spring.league.slug}/forms/{kept.pk}/remove/", {"key": key})
        assert answer.status_code == 302
    assert not FederationForm.objects.exists()
    assert client.get(address).status_code == 404


def test_a_form_sent_twice_is_kept_once(spring):
    key, content = uuid.uuid4(), sample_form()
    for _twice in range(2):
        assert upload(spring, content, key=key).status_code == 302
    assert FederationForm.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (marked(B7="{{ plyer.name }}"), "“plyer.name” in Sheet!B7 is not a known name"),
        (marked(B7='=LEN("{{ tournament }}")'), "“tournament” in Sheet!B7 is inside a formula"),
        (marked(B7="nothing"), "No cell of this workbook has a name"),
        (b"PK no workbook", "cannot be read"),
        (b"x" * (2 * 1024 * 1024 + 1), "larger than 2 MB"),
    ],
)
def test_a_wrong_form_is_refused_with_its_reason(spring, content, words):
    answer = upload(spring, content)
    assert answer.status_code == 422
    assert words in " ".join(errors(answer)["workbook"])
    assert not FederationForm.objects.exists()


def test_a_league_keeps_a_limited_number_of_forms(spring):
    for number in range(MOST_FORMS):
        FederationForm.objects.create(
            league=spring.league, name=f"F{number}", content=b"x", changed_at="2026-01-01T00:00Z"
        )
    answer = upload(spring, sample_form())
    assert "many forms" in text(answer)
    assert FederationForm.objects.count() == MOST_FORMS


def test_no_form_of_another_league_is_reached(spring):
    other = club("autumn")
    upload(other, sample_form())
    kept = FederationForm.objects.get()
    client = signed_in(spring.alice)
    for address in (
        f"/c/{spring.slug}/downloads/forms/{kept.pk}/{spring.division.slug}.xlsx",
        f"/leagues/{spring.league.slug}/forms/{kept.pk}.xlsx",
        f"/leagues/{other.league.slug}/forms/{kept.pk}.xlsx",
        f"/leagues/{other.league.slug}/forms/",
    ):
        assert client.get(address).status_code == 404
    sent = {"key": uuid.uuid4()}
    removed = client.post(f"/leagues/{spring.league.slug}/forms/{kept.pk}/remove/", sent)
    assert removed.status_code == 404
    assert FederationForm.objects.exists()


# --- the logo


def test_a_logo_is_written_again_without_metadata_and_shown(spring):
    assert send_logo(spring, taken_at_a_place("PNG")).status_code == 302
    content = bytes(Logo.objects.get().content)
    assert Image.open(io.BytesIO(content)).format == "PNG"
    assert b"114.17" not in content
    answer = signed_in(spring.alice).get(f"/leagues/{spring.league.slug}/logo.png")
    assert (answer.content, answer["Content-Type"]) == (content, "image/png")
    assert Client().get(f"/leagues/{spring.league.slug}/logo.png").status_code == 404
    client = signed_in(spring.alice)
    client.post(f"/leagues/{spring.league.slug}/logo/remove/", {"key": uuid.uuid4()})
    assert not Logo.objects.exists()


def test_a_large_logo_becomes_small_and_keeps_its_transparency(spring):
    send_logo(spring, picture("PNG", (3000, 1000), mode="RGBA"))
    made = Image.open(io.BytesIO(bytes(Logo.objects.get().content)))
    assert (made.size, made.mode) == ((1000, 333), "RGBA")


@pytest.mark.parametrize(
    "content",
    [
        b"<svg onload='x'/>",
        picture("PNG")[:60],
        picture("GIF"),
        partial(picture, "PNG", (4500, 4000)),
        b"\0" * 2_100_000,
    ],
)
def test_another_file_than_a_logo_is_refused(spring, content):
    answer = send_logo(spring, content() if callable(content) else content)
    assert answer.status_code in (413, 422)
    assert not Logo.objects.exists()


# --- certificates


def certificates(made: Club, monkeypatch: pytest.MonkeyPatch, **asked: object) -> str:
    """Return the page from which the PDF file is made."""
    pages: list[str] = []

    def keep(html: str, **_where: object) -> bytes:
        pages.append(html)
        return b"%PDF-1.7"

    monkeypatch.setattr("league.extras.reports.exports.certificates.make_pdf", keep)
    KeptFile.objects.all().delete()
    query = {"paper": "certificates", "of": made.division.slug, **asked}
    answer = signed_in(made.alice).get(f"/c/{made.slug}/downloads/certificates.pdf", query)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/pdf")
    return pages[0]


def test_a_page_for_each_player_or_for_the_first_ones(spring, monkeypatch):
    assert certificates(spring, monkeypatch).count('class="certificate"') == 8
    page = certificates(spring, monkeypatch, first=3)
    assert page.count('class="certificate"') == 3
    assert [words in page for words in ("1st place", "2nd place", "3rd place")] == [True] * 3
    assert "among 8 players" in page
    assert "data:image" not in page


def test_names_are_text_and_the_logo_is_there(spring, monkeypatch):
    send_logo(spring, picture("PNG"))
    Player.objects.filter(name="Anna Berg0").update(name="<b>Anna</b>")
    page = certificates(spring, monkeypatch)
    assert "&lt;b&gt;Anna" in page
    assert "data:image/png;base64," in page


def test_the_final_standings_are_a_list(spring, monkeypatch):
    page = certificates(spring, monkeypatch, paper="standings")
    assert page.count('<td class="who">') == 8


def test_a_certificate_has_the_last_day_or_the_only_one(spring):
    here = spring.competition
    for here.first_day, here.last_day, words in (
        (date(2026, 9, 12), date(2026, 9, 13), "13 Sep 2026"),
        (date(2026, 9, 12), None, "12 Sep 2026"),
    ):
        page = certificates_page(here, "certificates", spring.division.slug, 1, logo=b"")
        assert re.findall(r'class="when">([^<]*)<', page) == [words]


def test_teams_get_certificates_with_their_members(db):
    made = team_club()
    play_to_the_end(made, ("Reds", "Blues", "Greens", "Greys"))
    page = certificates_page(made.competition, "certificates", "teams", 0, logo=b"")
    assert page.count('class="certificate"') == 4
    assert "Reds" in page
    assert "among 4 teams" in page
    assert made.players[0].name in page


def test_a_question_that_makes_no_sense_leads_to_the_page(spring):
    client, address = signed_in(spring.alice), f"/c/{spring.slug}/downloads/certificates.pdf"
    files = f"/c/{spring.slug}/manage/files/#certificates"
    for query in ({}, {"paper": "x", "of": "main"}, {"paper": "standings", "of": "other"}):
        assert client.get(address, query).headers["Location"] == files


def test_a_server_without_the_library_says_so(spring, monkeypatch):
    def fail(*_arguments: object, **_where: object) -> bytes:
        raise pdf.NoPdf(pdf.LIBRARY)

    monkeypatch.setattr("league.extras.reports.exports.certificates.make_pdf", fail)
    client = signed_in(spring.alice)
    query = {"paper": "certificates", "of": spring.division.slug}
    answer = client.get(f"/c/{spring.slug}/downloads/certificates.pdf", query, follow=True)
    assert "libpango" in text(answer)


@pytest.mark.parametrize(
    "name", ["Anna Berg", "歐陽靖宇", *(pytest.param(name, marks=pytest.mark.slow) for name in LONG)]
)
def test_each_certificate_is_one_page_whatever_the_name(spring, monkeypatch, name):
    Player.objects.update(name=name, romanized=name)
    facts = {"name": LONG[0], "place": LONG[1], "city": LONG[2][:60]}
    Competition.objects.update(**facts, first_day=date(2026, 9, 12))
    page = certificates(spring, monkeypatch)
    try:
        laid_out = pdf.lay_out(page, "http://localhost/", "http://localhost/static/", ["static"])
    except pdf.NoPdf:
        pytest.skip("this machine lacks libpango")
    assert len(laid_out.pages) == 8


@pytest.mark.slow
def test_the_file_is_a_pdf(spring):
    query = {"paper": "certificates", "of": spring.division.slug, "first": 2}
    answer = signed_in(spring.alice).get(f"/c/{spring.slug}/downloads/certificates.pdf", query)
    if answer.status_code == 302:
        pytest.skip("this machine lacks libpango")
    assert answer.content.startswith(b"%PDF")


# --- who comes in


def test_the_forms_and_certificates_are_on_the_page_of_the_files(spring):
    page = html(signed_in(spring.alice).get(f"/c/{spring.slug}/manage/files/"))
    assert "Full workbook" in page
    assert f'action="/c/{spring.slug}/downloads/certificates.pdf"' in page
    assert f'action="/c/{spring.slug}/downloads/"' in page


def test_the_old_address_of_the_forms_leads_to_the_page_of_the_files(spring):
    answer = signed_in(spring.alice).get(f"/c/{spring.slug}/downloads/")
    assert (answer.status_code, answer.url) == (303, f"/c/{spring.slug}/manage/files/#certificates")


@pytest.mark.parametrize("page", ["", "certificates.pdf", "ema/main.xlsx"])
def test_only_organizers_get_these_files(spring, page):
    assert signed_in(spring.bob).get(f"/c/{spring.slug}/downloads/{page}").status_code == 403


def test_the_sample_is_a_workbook_in_the_language_of_the_reader(db):
    answer = Client().get("/forms/sample.xlsx", headers={"Accept-Language": "ja"})
    sheet = openpyxl.load_workbook(io.BytesIO(answer.content)).worksheets[0]
    assert sheet["A1"].value == "{{ tournament }}"
    assert sheet["B6"].value == "名前"


def test_a_form_with_another_content_under_the_same_key_is_refused(spring):
    key = uuid.uuid4()
    assert upload(spring, sample_form(), key=key).status_code == 302
    assert upload(spring, marked(C3="{{ tournament }}"), key=key).status_code == 422
    assert FederationForm.objects.count() == 1


def test_each_name_of_a_form_is_explained(spring):
    page = text(signed_in(spring.alice).get(f"/leagues/{spring.league.slug}/forms/"))
    for words in (
        "player.country3",
        "Country of the player, three letters",
        "table.west_score",
        "penalty.offence",
    ):
        assert words in page
