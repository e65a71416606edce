"""The pages: from the public form over the mail to the organizer's list, and those who get nothing."""

import csv
import io
import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from openpyxl import load_workbook

from league.extras.registration.services import confirm
from league.models import KnownNumber, Registrant, Registration, Role, SecurityEvent
from league.organizing.competitions.services import add_division
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.league.extras.registration.kit import (
    SITE,
    State,
    address_in,
    enrol,
    key,
    mails,
    names,
    open_registration,
    roster,
    sign_up,
    stamp,
)


@pytest.fixture
def empty(db) -> Club:
    return club(players=0)


FORM = "/c/spring/registration/divisions/main/"
MANAGE = "/c/spring/manage/registration/"


def typed(**values: object) -> dict[str, object]:
    usual = {"name": "Ann Lee", "email": "ann@example.org", "language": "en", "agrees": "on"}
    return usual | {"key": key(), "shown": stamp(60)} | values


def text_of(response: object) -> str:
    return response.content.decode()


def test_from_the_form_over_the_mail_to_the_roster(empty):
    open_registration(empty, places=1, terms="Be <b>kind</b>.", fee="HK$300")
    visitor = Client()
    page = text_of(visitor.get("/c/spring/registration/"))
    assert "1 of 1 places are free." in page
    assert "Be &lt;b&gt;kind&lt;/b&gt;." in page
    answer = visitor.post(FORM, typed(country="Hong Kong"))
    assert (answer.status_code, answer.url) == (302, "/c/spring/registration/sent/")
    [(to, subject, text)] = mails()
    assert (to, subject) == ("ann@example.org", "Confirm your registration: League spring")
    own = address_in(text)
    assert "Confirm registration" in text_of(visitor.get(own))
    assert names(Registration.objects.get(), State.UNCONFIRMED) == ["Ann Lee"]  # to look confirms nothing
    page = text_of(visitor.post(f"{own}confirm/", {"key": key()}, follow=True))
    assert "You have a place." in page
    assert "HK$300" in page
    assert roster(empty) == {"Ann Lee"}
    assert Player.objects.get(name="Ann Lee").country == "HK"
    assert "All 1 places are taken. On the waiting list: 0." in text_of(visitor.get("/c/spring/"))
    data = json.loads(visitor.post(f"{own}file/").content)
    assert (data["name"], data["email"]) == ("Ann Lee", "ann@example.org")
    page = text_of(visitor.post(f"{own}withdraw/", {"key": key()}, follow=True))
    assert "withdrawn" in page
    assert roster(empty) == set()
    visitor.post(f"{own}erase/", {"key": key()})
    assert not Registrant.objects.exists()
    assert visitor.get(own).status_code == 404


def test_a_form_sent_twice_registers_once_and_a_second_person_learns_nothing(empty):
    registration = open_registration(empty)
    enrol(registration, "Ann Lee", email="ann@example.org")
    visitor, form = Client(), typed()
    for _time in range(2):
        assert visitor.post(FORM, form).url == "/c/spring/registration/sent/"
    known, unknown = (
        text_of(Client().post(FORM, typed(name=name), follow=True)) for name in ("Ann Lee", "Ben")
    )
    assert known == unknown
    assert registration.registrants.count() == 2
    assert [each[1][:12] for each in mails()] == [
        "Confirm your",
        "Registration",
        "Registration",
        "Registration",
        "Confirm your",
    ]


def test_a_full_form_answers_a_known_person_like_a_new_one(empty, monkeypatch):
    registration = open_registration(empty)
    for name in ("Ann Lee", "Ben", "Cho"):
        sign_up(registration, name, email=f"{name[:3].lower()}@example.org")
    confirm(registrant=registration.registrants.get(name="Ben"), site=SITE)
    monkeypatch.setattr("league.extras.registration.services.MOST_UNCONFIRMED", 2)
    before = len(mails())
    answers = [
        Client().post(FORM, typed(name=name, email=f"{name[:3].lower()}@example.org"))
        for name in ("Ann Lee", "Ben", "New")
    ]
    assert {answer.status_code for answer in answers} == {422}
    assert all("Too many registrations wait" in text_of(answer) for answer in answers)
    assert len(mails()) == before
    assert registration.registrants.count() == 3


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"website": "https://spam.example"}, "A program seems to have filled in"),
        ({"shown": "x"}, "out of date"),
        ({"shown": ""}, "out of date"),
        ({"agrees": ""}, "Tick this box"),
        ({"email": "ann"}, "valid email address"),
        ({"name": "\u200b"}, "The name is missing"),
        ({"name": "a\u202eb"}, "invisible control character"),
        ({"country": "Atlantis"}, "Unknown country"),
        ({"club": ""}, "required"),
        ({"language": "fr"}, "fr is not one of the available choices"),
    ],
)
def test_a_bad_form_is_shown_again(empty, values, said):
    open_registration(empty, club="required")
    answer = Client().post(FORM, typed(club="Dragons") | values)
    assert answer.status_code == 422
    assert said in text_of(answer)
    assert not Registrant.objects.exists()
    assert mails() == []


def test_a_form_that_is_sent_at_once_comes_from_a_program(empty):
    open_registration(empty)
    answer = Client().post(FORM, typed(shown=stamp(0)))
    assert "That was very quick" in text_of(answer)
    old = stamp(2 * 24 * 3600)
    assert "out of date" in text_of(Client().post(FORM, typed(shown=old)))
    assert not Registrant.objects.exists()


def test_one_network_address_registers_no_crowd(empty):
    open_registration(empty)
    now = timezone.now()
    SecurityEvent.objects.bulk_create(
        SecurityEvent(kind=SecurityEvent.Kind.ENTRY, address="127.0.0.1", at=now) for _each in range(60)
    )
    answer = Client().post(FORM, typed())
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert not Registrant.objects.exists()


@pytest.mark.parametrize("code", ["0" * 64, "x"])
def test_a_wrong_code_opens_no_entry(empty, code):
    registration = open_registration(empty)
    ann, ben = sign_up(registration, "Ann"), sign_up(registration, "Ben")
    for each in (code, ben.code):
        own = f"/c/spring/registration/entries/{ann.pk}/{each}/"
        assert Client().get(own).status_code == 404
        for action in ("confirm", "withdraw", "erase", "file"):
            assert signed_in(empty.alice).post(f"{own}{action}/", {"key": key()}).status_code == 404
    assert names(registration, State.UNCONFIRMED) == ["Ann", "Ben"]


def test_an_own_page_is_never_cached_nor_opened_below_another_competition(empty):
    club("autumn", players=0)
    ann = sign_up(open_registration(empty), "Ann")
    own = f"/c/spring/registration/entries/{ann.pk}/{ann.code}/"
    assert "no-store" in Client().get(own)["Cache-Control"]
    assert Client().get(own.replace("spring", "autumn")).status_code == 404


def test_details_are_changed_at_the_own_address(empty):
    registration = open_registration(empty, question="Vegetarian?")
    ann = enrol(registration, "Ann")
    own = f"/c/spring/registration/entries/{ann.pk}/{ann.code}/"
    form = {"key": key(), "name": "Ann Lee", "answer": "yes", "language": "ja", "country": "JP"}
    assert Client().post(own, form).url == own
    ann.refresh_from_db()
    assert (ann.name, ann.answer, ann.language, ann.country) == ("Ann Lee", "yes", "ja", "JP")
    assert roster(empty) == {"Ann"}


def test_a_signed_in_player_finds_the_form_filled_in(empty):
    open_registration(empty, number="optional")
    player = Player.objects.create(register=empty.league.register, name="Dora Chan", country="HK")
    Role.objects.filter(user=empty.dora).update(player=player)
    empty.dora.email = "dora@example.org"
    empty.dora.save()
    page = text_of(signed_in(empty.dora).get("/c/spring/registration/"))
    assert 'value="Dora Chan"' in page
    assert 'value="dora@example.org"' in page
    assert "Dora Chan" not in text_of(Client().get("/c/spring/registration/"))


def test_visitors_see_accepted_people_if_the_organizer_wants_it(empty):
    registration = open_registration(empty, places=1)
    enrol(registration, "Ann", club="<i>Dragons</i>", phone="12345678")
    enrol(registration, "Ben")
    page = text_of(Client().get("/c/spring/registration/participants/"))
    assert "&lt;i&gt;Dragons&lt;/i&gt;" in page
    assert "1 of 1 places taken, 1 on the waiting list" in page
    for secret in ("Ben", "12345678", "ann@example.org"):
        assert secret not in page
    open_registration(empty, places=1, shows_registrants=False)
    assert "Ann" not in text_of(Client().get("/c/spring/registration/participants/"))


def test_the_front_pages_name_an_open_registration_alone(empty):
    now = timezone.now()
    for visitor in (Client(), signed_in(empty.alice)):
        assert "/registration/" not in text_of(visitor.get("/c/spring/?view=public")).partition("<main")[2]
    open_registration(empty, closes_at=now + timedelta(days=3), places=8)
    assert "8 of 8 places are free." in text_of(Client().get("/c/spring/"))
    assert "/c/spring/registration/" in text_of(Client().get("/"))
    open_registration(empty, closes_at=now - timedelta(hours=1), opens_at=now - timedelta(hours=2))
    assert "/c/spring/registration/" not in text_of(Client().get("/"))
    assert "Registration is closed." in text_of(Client().get("/c/spring/registration/"))
    assert Client().post(FORM, typed()).status_code == 422


def test_each_division_has_a_form_and_a_roster_of_its_own(empty):
    open_registration(empty, places=8)
    second = add_division(competition=empty.competition, name="B", preset_slug="tenhou", by=empty.alice)
    visitor = Client()
    assert visitor.get(f"/c/spring/registration/divisions/{second.slug}/").status_code == 404
    page = text_of(signed_in(empty.alice).get(f"{MANAGE}divisions/{second.slug}/"))
    assert 'value="8"' in page  # a second form begins with the settings of the first
    empty.division = second
    other = open_registration(empty, places=4)
    page = text_of(visitor.get("/c/spring/registration/"))
    assert "8 of 8 places are free." in page
    assert "4 of 4 places are free." in page
    visitor.post(f"/c/spring/registration/divisions/{second.slug}/", typed())
    visitor.post(f"{address_in(mails()[0][2])}confirm/", {"key": key()})
    assert names(other, State.ACCEPTED) == ["Ann Lee"]
    assert empty.competition.entrants.get().division == second


# --- the organizer


def test_an_organizer_sets_up_the_form_in_the_time_of_the_competition(empty):
    alice = signed_in(empty.alice)
    form = {
        "key": key(),
        "opens_at": "2026-05-01T10:00",
        "closes_at": "2026-05-31T20:00",
        "places": "32",
        "is_moderated": "1",
        "club": "required",
        "country": "optional",
        "number": "optional",
        "phone": "no",
        "terms": "Be kind.\r\n\r\nBe early.",
        "kept_until": "2026-09-01",
        "languages": ["en", "ja"],
    }
    assert alice.post(f"{MANAGE}divisions/main/", form).status_code == 302
    made = Registration.objects.get()
    assert made.opens_at.isoformat() == "2026-05-01T02:00:00+00:00"  # Hong Kong is eight hours ahead
    assert (made.places, made.is_moderated, made.has_waiting_list) == (32, True, False)
    assert made.terms == "Be kind.\n\nBe early."
    assert 'value="2026-05-01T10:00"' in text_of(alice.get(f"{MANAGE}divisions/main/"))
    for wrong, said in (
        ({"closes_at": "2026-05-01T09:00"}, "must close after it opens"),
        ({"kept_until": "2026-05-02"}, "until registration has closed"),
        ({"places": "0"}, "greater than or equal to 1"),
        ({"terms": "a\u202eb"}, "invisible control character"),
    ):
        answer = alice.post(f"{MANAGE}divisions/main/", form | {"key": key()} | wrong)
        assert answer.status_code == 422
        assert said in text_of(answer)


def test_the_list_is_searched_decided_and_copied(empty):
    registration = open_registration(empty, is_moderated=True, places=2)
    ann, ben = enrol(registration, "Ann", club="Dragons"), enrol(registration, "=1+1")
    alice = signed_in(empty.alice)
    page = text_of(alice.get(f"{MANAGE}?q=dragons"))
    assert "ann@example.org" in page
    assert "=1+1@example.org" not in page
    answer = alice.post(
        f"{MANAGE}decide/", {"key": key(), "action": "accept", "registrants": [ann.pk, ben.pk]}
    )
    assert "2 registrations changed." in text_of(alice.get(answer.url))
    assert roster(empty) == {"Ann", "=1+1"}
    answer = alice.post(f"{MANAGE}decide/", {"key": key(), "action": "accept"})
    assert "Choose at least one registration." in text_of(alice.get(answer.url))
    assert text_of(alice.get(f"{MANAGE}?state=accepted")).count('name="registrants"') == 2
    assert "No registrations found" in text_of(alice.get(f"{MANAGE}?q=nobody"))


def test_files_have_all_entries_and_no_formulas(empty):
    registration = open_registration(empty)
    enrol(registration, "=1+1", email="x@example.org", club="@cmd")
    alice = signed_in(empty.alice)
    [row] = csv.DictReader(io.StringIO(alice.get(f"{MANAGE}file/csv/").content.decode("utf-8-sig")))
    assert (row["name"], row["club"], row["email"]) == ("'=1+1", "'@cmd", "x@example.org")
    sheet = load_workbook(io.BytesIO(alice.get(f"{MANAGE}file/xlsx/").content)).active
    assert "=1+1" in [cell.value for cell in sheet[2]]
    assert {cell.data_type for cell in sheet[2]} <= {"s", "n", "d"}
    assert alice.get(f"{MANAGE}file/pdf/").status_code == 404


def test_a_list_of_numbers_is_read_and_its_differences_are_shown(empty):
    enrol(open_registration(empty, number="optional"), "Ann Li", number="04010023")
    alice = signed_in(empty.alice)
    content = "EMA number;Last name;First name;Country\n04010023;LEE;Ann;HKG\n04010024;WONG;Ben;HKG\n"
    file = SimpleUploadedFile("ema.csv", content.encode())
    assert alice.post(f"{MANAGE}numbers/", {"key": key(), "file": file}).status_code == 302
    assert list(KnownNumber.objects.values_list("number", "country")) == [
        ("04010023", "HK"),
        ("04010024", "HK"),
    ]
    assert "In the list, 04010023 is" in text_of(alice.get(MANAGE))
    empty_file = SimpleUploadedFile("ema.csv", b"Name\nAnn\n")
    answer = alice.post(f"{MANAGE}numbers/", {"key": key(), "file": empty_file})
    assert answer.status_code == 422
    assert KnownNumber.objects.count() == 2


def test_who_someone_is_is_asked_on_the_page_of_the_entry(empty):
    twins = [Player.objects.create(register=empty.league.register, name="Ann Lee") for _ in range(2)]
    ann = enrol(open_registration(empty), "Ann Lee")
    alice = signed_in(empty.alice)
    assert "Who is this?" in text_of(alice.get(f"{MANAGE}entries/{ann.pk}/"))
    answer = alice.post(f"{MANAGE}entries/{ann.pk}/enter/", {"key": key(), "same_as": "999999"})
    assert answer.status_code == 422
    alice.post(f"{MANAGE}entries/{ann.pk}/enter/", {"key": key(), "same_as": twins[1].pk})
    assert empty.competition.entrants.get().player == twins[1]


def test_the_page_of_an_entry_shows_what_differs_from_the_record_and_changes_it_with_a_tick(empty):
    twins = [Player.objects.create(register=empty.league.register, name="Ann Lee") for _ in range(2)]
    ann = enrol(open_registration(empty), "Ann Lee", country="HK", number="04010023")
    alice, page = signed_in(empty.alice), f"{MANAGE}entries/{ann.pk}/"
    asked = text_of(alice.get(page))
    assert asked.count("Ann Lee: Country: – → HK, EMA number: – → 04010023") == 2
    alice.post(f"{page}enter/", {"key": key(), "same_as": twins[1].pk})
    assert "stays as it is unless you change it on the page of the player" in text_of(alice.get(page))
    assert "<li>Country: <span" in " ".join(text_of(alice.get(page)).split())
    assert Player.objects.get(pk=twins[1].pk).country == ""


def test_the_list_takes_as_many_queries_for_three_entries_as_for_one(
    empty, django_assert_max_num_queries, django_assert_num_queries
):
    registration = open_registration(empty, number="optional")
    KnownNumber.objects.create(competition=empty.competition, number="1", name="Ann")
    enrol(registration, "Ann", number="1")
    alice = signed_in(empty.alice)
    alice.get(MANAGE)
    with django_assert_max_num_queries(25) as first:
        alice.get(MANAGE)
    for name in ("Ben", "Cho"):
        enrol(registration, name, number=name)
    with django_assert_num_queries(len(first)):
        alice.get(MANAGE)
