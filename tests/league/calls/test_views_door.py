"""The door of a table: codes to scan and to type, guesses, and whose a phone is."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.accounts import queries as limits
from league.competitions.services import add_division
from league.core.door import LETTERS, short_code, shown_code, table_code
from league.core.me import REMEMBERED
from league.models import Entrant, Role, Round, SecurityEvent
from league.rounds.services import close_round, create_round, open_round, seat_players, set_visibility
from tests.factories import Club, club, signed_in
from tests.league.asking import queries_of
from tests.module_fixtures import module_fixture
from tests.shown import said, text

pytestmark = pytest.mark.django_db


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    return made


@pytest.fixture
def bob(spring) -> Client:
    return signed_in(spring.bob)


def address(made: Club, page: str = "") -> str:
    return f"/c/{made.slug}/{page}"


def code_address(made: Club, number: int = 1) -> str:
    return address(made, f"t/{number}/{table_code(made.competition, number)}/")


def table_address(made: Club, number: int = 1, round_: int = 1) -> str:
    return reverse("calls:table", args=(made.slug, made.table(round_, number).pk))


def entrant(made: Club, index: int) -> int:
    return made.competition.entrants.get(player=made.players[index]).pk


def phone(made: Club, index: int | None = None, *, number: int = 1) -> Client:
    """A phone that scanned the code, and of which a player of the table said that it is theirs."""
    client = Client()
    client.get(code_address(made, number))
    if index is not None:
        claim(client, made, index, number=number)
    return client


def claim(client: Client, made: Club, index: int, *, number: int = 1):
    there = reverse("calls:claim", args=(made.slug, made.table(number=number).pk))
    return client.post(there, {"player": entrant(made, index)}, follow=True)


# --- codes to scan


def test_a_table_s_code_leads_a_referee_to_the_current_game_and_others_to_its_page(spring, bob):
    close_round(round_=spring.rounds[0], by=spring.alice)
    spring.add_round(visibility="seating")
    table = spring.table(2)
    url = address(spring, "t/1/")

    assert bob.get(url).url == f"/c/{spring.slug}/penalties/new/?table={table.pk}"
    page = f"/c/{spring.slug}/tables/{table.pk}/"
    assert [client.get(url).url for client in (Client(), signed_in(spring.charlie))] == [page, page]
    Role.objects.filter(user=spring.bob).update(player=spring.players[1])
    assert bob.get(url).url == page


def test_with_several_rounds_open_the_code_asks_which(spring, bob):
    spring.add_round()

    page = bob.get(address(spring, "t/2/"))

    assert [words for words, _url in page.context["doors"]] == [
        "Main, Regular season, round 2, table 2",
        "Main, Regular season, round 1, table 2",
    ]


def test_with_two_divisions_in_play_each_code_leads_to_its_own_table(spring, bob):
    rules = {"preset_slug": "hkma-b-2025-04", "by": spring.alice}
    second = add_division(competition=spring.competition, name="B", **rules)
    Entrant.objects.filter(player__in=spring.players[4:]).update(division=second)
    stage = second.stages.get()
    round_ = create_round(stage=stage, by=spring.alice)
    seat_players(round_=round_, tables={1: [p.pk for p in spring.players[4:8]]}, by=spring.alice)
    open_round(round_=round_, by=spring.alice)

    page = bob.get(address(spring, "desk/codes/"))
    codes = {(number, division): url for number, division, _code, url, _short in page.context["codes"]}

    assert set(codes) == {(1, "Main"), (2, "Main"), (1, "B")}
    theirs = round_.tables.get()
    assert bob.get(codes[1, "B"]).url == f"/c/{spring.slug}/penalties/new/?table={theirs.pk}"
    assert bob.get(codes[1, "Main"]).url == f"/c/{spring.slug}/penalties/new/?table={spring.table().pk}"


def test_a_code_of_no_table_or_a_hidden_one_leads_nowhere(spring, bob):
    made = club("hidden")
    made.add_round(visibility="hidden")
    assert signed_in(made.bob).get(address(made, "t/1/")).status_code == 302

    assert Client().get(address(made, "t/1/")).status_code == 404
    assert [bob.get(address(spring, f"t/{number}/")).status_code for number in (0, 3, 10**30)] == [404] * 3


def test_the_sheet_of_codes_has_one_for_each_table(spring, bob):
    page = bob.get(address(spring, "desk/codes/"))

    assert [(number, url) for number, _division, _code, url, _short in page.context["codes"]] == [
        (number, address(spring, f"t/{number}/{table_code(spring.competition, number)}/"))
        for number in (1, 2)
    ]
    assert page.content.decode().count('class="code"') == 2


def test_a_scanned_code_opens_the_table_in_the_round_that_is_on(spring):
    assert Client().get(code_address(spring)).url == table_address(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)
    spring.add_round()
    assert Client().get(code_address(spring)).url == table_address(spring, round_=2)


def test_an_old_code_shows_the_public_page_and_says_so(spring):
    old = code_address(spring)
    signed_in(spring.alice).post(reverse("calls:codes_renew", args=(spring.slug,)), {"key": KEY})
    answer = Client().get(old, follow=True)
    assert answer.redirect_chain[-1][0] == reverse("results:table", args=(spring.slug, spring.table().pk))
    assert said(answer) == ["This code is no longer valid. Use the code on the table."]


def test_the_code_of_another_hall_opens_nothing(spring):
    other = club("autumn")
    other.add_round()
    code = table_code(spring.competition, 1)
    stranger = Client()
    stranger.get(address(other, f"t/1/{code}/"))
    page = text(stranger.get(table_address(other)))
    assert "This page is for people at the table" in page
    assert "Who are you?" not in page


# --- codes to type


def test_a_short_code_has_letters_that_nobody_mistakes_and_is_printed_beside_the_qr_code(spring, bob):
    code = short_code(spring.competition, 2)
    assert re.fullmatch(f"[{LETTERS}]{{8}}", code)
    page = bob.get(address(spring, "desk/codes/"))
    assert shown_code(code) in text(page)
    papers = signed_in(spring.alice).get(
        reverse("seating:papers", args=(spring.slug, spring.rounds[0].pk)) + "?paper=tables"
    )
    assert shown_code(code) in text(papers)


@pytest.mark.parametrize("page", ["calls:type_code", "calls:type_code_here"])
def test_a_typed_code_opens_the_table_as_a_scanned_one(spring, page):
    there = reverse(page, args=() if page == "calls:type_code" else (spring.slug,))
    typed = f" {shown_code(short_code(spring.competition, 2)).lower()} "
    visitor = Client()
    assert "Code of your table" in text(visitor.get(there))
    answer = visitor.post(there, {"code": typed}, follow=True)
    assert answer.redirect_chain[-1][0] == table_address(spring, 2)
    assert "Who are you?" in text(answer)


@pytest.mark.parametrize("typed", ["", "AAAA-AAAA", "A", "é" * 8, "1=1", "9" * 40, "\0"])
def test_a_wrong_code_opens_nothing(spring, typed):
    answer = Client().post(reverse("calls:type_code"), {"code": typed})
    assert answer.status_code == 422
    assert "field-errors" in answer.content.decode()


def test_wrong_codes_are_limited_for_each_address_and_each_competition(spring, monkeypatch):
    there, here = reverse("calls:type_code"), reverse("calls:type_code_here", args=(spring.slug,))
    monkeypatch.setattr(limits, "CODES_OF_AN_ADDRESS", 3)
    for _ in range(3):
        assert Client().post(there, {"code": "AAAA-AAAA"}).status_code == 422
    answer = Client().post(there, {"code": short_code(spring.competition, 1)})
    assert answer.status_code == 429
    assert "Too many wrong codes." in text(answer)
    assert Client(REMOTE_ADDR="10.0.0.2").post(there, {"code": "AAAA-AAAA"}).status_code == 422
    monkeypatch.setattr(limits, "CODES_OF_A_COMPETITION", 2)
    for last in (3, 4):
        assert Client(REMOTE_ADDR=f"10.0.0.{last}").post(here, {"code": "AAAA-AAAA"}).status_code == 422
    assert Client(REMOTE_ADDR="10.0.0.5").post(here, {"code": "AAAA-AAAA"}).status_code == 429
    assert SecurityEvent.objects.filter(kind="code").count() == 6


def test_right_codes_are_not_counted(spring):
    Client().post(reverse("calls:type_code"), {"code": short_code(spring.competition, 1)})
    assert not SecurityEvent.objects.filter(kind="code").exists()


def test_a_private_competition_is_not_found_by_its_codes():
    made = club("secret", visibility="private")
    made.add_round()
    assert (
        Client().post(reverse("calls:type_code"), {"code": short_code(made.competition, 1)}).status_code
        == 422
    )
    there = reverse("calls:type_code_here", args=(made.slug,))
    assert Client().post(there, {"code": short_code(made.competition, 1)}).status_code == 404


# --- whose phone it is


def test_a_phone_is_asked_once_who_it_is(spring):
    visitor = phone(spring)
    page = text(visitor.get(table_address(spring)))
    assert "Who are you?" in page
    answer = claim(visitor, spring, 1)
    assert "Who are you?" not in text(answer)
    assert "李小明 you" in text(answer)
    assert "Enter score sheet" in text(answer)


def test_a_phone_of_another_player_is_asked_again(spring):
    visitor = phone(spring, 1)
    visitor.get(code_address(spring, 2))
    page = text(visitor.get(table_address(spring, 2)))
    assert "This phone belonged to 李小明, who does not sit here." in page


def test_only_a_phone_with_the_code_becomes_a_player_of_the_table_and_only_one_of_the_four(spring):
    for visitor, index in ((Client(), 0), (phone(spring), 5)):
        answer = claim(visitor, spring, index)
        assert said(answer) == ["Scan the code on the table again, then tap your name."]
        assert REMEMBERED not in visitor.cookies


def test_a_hidden_round_has_no_door(spring):
    visitor = phone(spring, 0)
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.HIDDEN, by=spring.alice)
    assert visitor.get(table_address(spring)).status_code == 404
    assert visitor.get(code_address(spring)).status_code == 404
    assert claim(visitor, spring, 0).status_code == 404


def test_the_page_takes_a_steady_number_of_queries(spring):
    visitor = phone(spring, 0)
    one = queries_of(visitor, table_address(spring))
    spring.add_round()
    assert queries_of(visitor, table_address(spring)) == one
    assert one <= 22


KEY = "2f2e9f0e-6f5f-4b7e-9d0c-1d2e3f405162"
