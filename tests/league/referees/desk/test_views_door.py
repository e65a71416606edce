"""The door of a table: codes to scan and to type, guesses, and whose a phone is."""

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.core.door import LETTERS, round_code, sheet_code, short_code, shown_code, table_code
from league.core.me import REMEMBERED
from league.models import AuditEntry, Claim, Entrant, Role, Round, SecurityEvent, Stage, Table
from league.organizing.competitions.services import add_division
from league.people.accounts import queries as limits
from league.play.open_play.services import make_table
from league.play.rounds.services import close_round, create_round, open_round, seat_players, set_visibility
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
    """The address of the card of this table."""
    return address(made, f"t/{number}/{table_code(made.division, number)}/")


def sheet_address(made: Club, number: int = 1, round_: int = 1) -> str:
    return address(made, f"t/{number}/{sheet_code(made.table(round_, number))}/")


def table_address(made: Club, number: int = 1, round_: int = 1) -> str:
    return reverse("calls:table", args=(made.slug, made.table(round_, number).pk))


def entrant(made: Club, index: int) -> int:
    return made.competition.entrants.get(player=made.players[index]).pk


def phone(made: Club, index: int | None = None, *, number: int = 1) -> Client:
    """A phone that scanned the printed sheet, and of which a player of the table said that it is theirs."""
    client = Client()
    client.get(sheet_address(made, number))
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
        (number, address(spring, f"t/{number}/{table_code(spring.division, number)}/")) for number in (1, 2)
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
    code = table_code(spring.division, 1)
    stranger = Client()
    stranger.get(address(other, f"t/1/{code}/"))
    page = text(stranger.get(table_address(other)))
    assert "This page is for people at the table" in page
    assert "Who are you?" not in page


# --- codes to type


def test_a_short_code_has_letters_that_nobody_mistakes_and_is_printed_beside_the_qr_code(spring, bob):
    code = short_code(spring.division, 2)
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
    typed = f" {shown_code(short_code(spring.division, 2)).lower()} "
    visitor = Client()
    assert "Code of your table" in text(visitor.get(there))
    answer = visitor.post(there, {"code": typed}, follow=True)
    assert answer.redirect_chain[-1][0] == table_address(spring, 2)
    assert "Code of this round" in text(answer)


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
    answer = Client().post(there, {"code": short_code(spring.division, 1)})
    assert answer.status_code == 429
    assert "Too many wrong codes." in text(answer)
    assert Client(REMOTE_ADDR="10.0.0.2").post(there, {"code": "AAAA-AAAA"}).status_code == 422
    monkeypatch.setattr(limits, "CODES_OF_A_COMPETITION", 2)
    for last in (3, 4):
        assert Client(REMOTE_ADDR=f"10.0.0.{last}").post(here, {"code": "AAAA-AAAA"}).status_code == 422
    assert Client(REMOTE_ADDR="10.0.0.5").post(here, {"code": "AAAA-AAAA"}).status_code == 429
    assert SecurityEvent.objects.filter(kind="code").count() == 6


def test_right_codes_are_not_counted(spring):
    Client().post(reverse("calls:type_code"), {"code": short_code(spring.division, 1)})
    assert not SecurityEvent.objects.filter(kind="code").exists()


def test_a_private_competition_is_not_found_by_its_codes():
    made = club("secret", visibility="private")
    made.add_round()
    assert (
        Client().post(reverse("calls:type_code"), {"code": short_code(made.division, 1)}).status_code == 422
    )
    there = reverse("calls:type_code_here", args=(made.slug,))
    assert Client().post(there, {"code": short_code(made.division, 1)}).status_code == 404


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
    visitor.get(sheet_address(spring, 2))
    page = text(visitor.get(table_address(spring, 2)))
    assert "This phone belonged to 李小明, who does not sit here." in page


def test_only_a_phone_with_the_code_becomes_a_player_of_the_table_and_only_one_of_the_four(spring):
    for visitor, index in ((Client(), 0), (phone(spring), 5)):
        answer = claim(visitor, spring, index)
        assert said(answer) == ["Scan the code on the table again, then tap your name."]
        assert REMEMBERED not in visitor.cookies


@pytest.mark.with_extra("hall")
def test_a_seat_that_a_second_phone_claims_is_said_on_the_first_and_in_the_hall(spring, bob):
    first = phone(spring, 0)
    claim(first, spring, 0)
    sentence = "Two phones at this table say that they are 陳大文"
    assert sentence not in text(first.get(table_address(spring)))
    before = spring.table().version

    second = phone(spring, 0)

    assert spring.table().version > before
    for each in (first, second):
        assert sentence in text(each.get(table_address(spring)))
    assert sentence not in text(phone(spring, 1).get(table_address(spring)))
    hall = text(bob.get(reverse("hall:index", args=(spring.slug,))))
    assert hall.count("Claimed on two phones: 東") == 1
    assert list(AuditEntry.objects.filter(action="seat.claim").values_list("after", flat=True)) == [
        {"player": spring.players[0].pk}
    ]
    assert Claim.objects.count() == 3


@pytest.mark.with_extra("hall")
def test_a_phone_that_claims_two_seats_is_one_phone_at_each(spring, bob):
    visitor = phone(spring, 0)
    claim(visitor, spring, 1)
    assert "Claimed on two phones" not in text(bob.get(reverse("hall:index", args=(spring.slug,))))
    assert Claim.objects.values("device").distinct().count() == 1


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


# --- the code of the round


def give(client: Client, made: Club, digits: str, *, number: int = 1, round_: int = 1):
    there = reverse("calls:round_code", args=(made.slug, made.table(round_, number).pk))
    return client.post(there, {"digits": digits}, follow=True)


def card_at(made: Club, number: int = 1) -> Client:
    client = Client()
    client.get(code_address(made, number))
    return client


def next_round(made: Club, number: int) -> None:
    """Close the round before, and open the one of this number."""
    close_round(round_=made.rounds[number - 2], by=made.alice)
    made.add_round()


def sees_who(client: Client, made: Club, number: int = 1, round_: int = 1) -> bool:
    """Return whether the table asks this phone whose it is."""
    return "Who are you?" in text(client.get(table_address(made, number, round_)))


def test_a_card_asks_for_the_code_of_the_round_once(spring):
    visitor = card_at(spring)
    page = text(visitor.get(table_address(spring)))
    assert "Code of this round" in page
    assert "Who are you?" not in page

    answer = give(visitor, spring, round_code(spring.table().round))

    assert answer.redirect_chain[-1][0] == table_address(spring)
    assert "Who are you?" in text(answer)
    visitor.get(code_address(spring))
    assert sees_who(visitor, spring)


@pytest.mark.parametrize("spelling", [" {0} ", "{1}", "{0}\t"])
def test_the_code_of_the_round_is_read_in_any_spelling(spring, spelling):
    code = round_code(spring.table().round)
    wide = code.translate({ord("0") + n: ord("０") + n for n in range(10)})
    assert "Who are you?" in text(give(card_at(spring), spring, spelling.format(code, wide)))


@pytest.mark.parametrize("digits", ["", "0", "x", "\0", "9" * 21, "é"])
def test_a_wrong_code_of_the_round_is_refused_with_a_sentence(spring, digits):
    visitor = card_at(spring)
    answer = give(visitor, spring, digits)
    assert answer.status_code == 422
    assert "field-errors" in answer.content.decode()
    assert not sees_who(visitor, spring)


def test_a_code_of_the_round_without_the_card_opens_nothing(spring):
    answer = give(Client(), spring, round_code(spring.table().round))
    assert said(answer) == ["Scan the code on the table again, then tap your name."]
    other = card_at(spring, 2)
    give(other, spring, round_code(spring.table().round))
    assert not sees_who(other, spring)


def test_a_photograph_of_the_card_in_round_1_does_not_open_round_5(spring):
    photograph = code_address(spring)
    at_home = Client()
    at_home.get(photograph)
    give(at_home, spring, round_code(spring.table().round))
    old = round_code(spring.table().round)
    for number in range(2, 6):
        next_round(spring, number)

    at_home.get(photograph)
    assert not sees_who(at_home, spring, round_=5)
    assert give(at_home, spring, old, round_=5).status_code == 422
    assert "Who are you?" in text(give(at_home, spring, round_code(spring.table(5).round), round_=5))


def test_a_photograph_of_a_sheet_opens_its_own_round_only(spring):
    photograph = sheet_address(spring)
    assert sees_who(phone(spring), spring)
    next_round(spring, 2)

    for visitor in (Client(), phone(spring)):
        answer = visitor.get(photograph, follow=True)
        assert answer.redirect_chain[-1][0] == table_address(spring)
        assert "This round is closed, so codes no longer open its tables." in text(answer)
        assert not sees_who(visitor, spring)
        assert not sees_who(visitor, spring, round_=2)


def test_after_the_round_is_closed_a_phone_that_was_in_is_refused_with_a_sentence(spring):
    visitor = phone(spring, 0)
    card = card_at(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)

    said_now = (
        "This round is closed, so codes no longer open its tables. If a result is wrong, tell the staff."
    )
    assert said(claim(visitor, spring, 1)) == [said_now]
    assert said(give(card, spring, round_code(spring.table().round))) == [said_now]
    signing = reverse("results:sign", args=(spring.slug, spring.table().pk))
    answer = visitor.post(signing, {"key": KEY, "proposal": 1, "wind": 0}, follow=True)
    assert said(answer) == [said_now]


def test_a_sheet_printed_before_the_round_opens_its_table_when_it_starts(spring):
    later = create_round(stage=spring.stage, by=spring.alice)
    four = [each.pk for each in spring.players[:4]]
    seat_players(round_=later, tables={1: four}, by=spring.alice)
    set_visibility(round_=later, visibility=Round.Visibility.SEATING, by=spring.alice)
    visitor = Client()
    answer = visitor.get(sheet_address(spring, 1, 2), follow=True)
    assert "This round has not started yet." in text(answer)

    open_round(round_=later, by=spring.alice)
    assert sees_who(visitor, spring, round_=2)


def test_the_card_of_one_division_opens_no_table_of_another(spring):
    rules = {"preset_slug": "hkma-b-2025-04", "by": spring.alice}
    second = add_division(competition=spring.competition, name="B", **rules)
    Entrant.objects.filter(player__in=spring.players[4:]).update(division=second)
    round_ = create_round(stage=second.stages.get(), by=spring.alice)
    seat_players(round_=round_, tables={1: [p.pk for p in spring.players[4:8]]}, by=spring.alice)
    open_round(round_=round_, by=spring.alice)
    set_visibility(round_=round_, visibility=Round.Visibility.SEATING, by=spring.alice)
    theirs = round_.tables.get()
    visitor = card_at(spring)
    there = reverse("calls:round_code", args=(spring.slug, theirs.pk))

    answer = visitor.post(there, {"digits": round_code(theirs.round)}, follow=True)

    assert said(answer) == ["Scan the code on the table again, then tap your name."]
    close_round(round_=spring.rounds[0], by=spring.alice)
    assert Client().get(code_address(spring)).url == table_address(spring)
    ours, others = table_code(spring.division, 1), table_code(second, 1)
    assert ours != others
    assert Client().get(address(spring, f"t/1/{others}/")).url.endswith(f"/seat/tables/{theirs.pk}/")


def test_staff_and_players_with_an_account_need_no_code_of_the_round(spring, bob):
    Role.objects.filter(user=spring.dora).update(player=spring.players[0])
    for person in (bob, signed_in(spring.dora)):
        page = text(person.get(table_address(spring)))
        assert "Code of this round" not in page
        assert "Score sheet" in page or "Enter score sheet" in page


def test_wrong_codes_of_the_round_are_limited_at_their_table_and_address(spring, monkeypatch):
    monkeypatch.setattr(limits, "ROUND_CODES_OF_AN_ADDRESS", 2)
    right = round_code(spring.table().round)
    guessing = card_at(spring)
    assert [give(guessing, spring, "0").status_code for _ in range(2)] == [422, 422]

    answer = give(guessing, spring, right)
    assert answer.status_code == 429
    assert "Too many wrong codes at this table." in text(answer)
    assert answer["Retry-After"]
    assert "Who are you?" in text(give(card_at(spring, 2), spring, right, number=2))
    elsewhere = Client(REMOTE_ADDR="10.0.0.2")
    elsewhere.get(code_address(spring))
    assert "Who are you?" in text(give(elsewhere, spring, right))
    guessing.get(sheet_address(spring))
    assert sees_who(guessing, spring)


def test_wrong_codes_of_many_addresses_are_limited_at_one_table(spring, monkeypatch):
    monkeypatch.setattr(limits, "ROUND_CODES_OF_A_TABLE", 3)
    for last in range(4):
        guessing = Client(REMOTE_ADDR=f"10.0.0.{last}")
        guessing.get(code_address(spring))
        answer = give(guessing, spring, "0")
    assert answer.status_code == 429


def test_all_free_play_of_a_day_has_one_code_and_the_next_day_another(db):
    made = club("club")
    Stage.objects.filter(pk=made.stage.pk).update(play=Stage.Play.OPEN)
    made.stage.refresh_from_db()
    players = [each.pk for each in made.players]
    day = date(2026, 11, 28)
    tables = [
        make_table(stage=made.stage, four=four, on=on, today=on, by=made.alice)
        for on, four in ((day, players[:4]), (day, players[4:8]), (day + timedelta(days=1), players[:4]))
    ]
    one, two, tomorrow = (round_code(Table.objects.get(pk=each.pk).round) for each in tables)
    assert one == two != tomorrow
    codes = text(signed_in(made.alice).get(reverse("calls:codes", args=(made.slug,))))
    assert f"28 Nov 2026: Code of this round {one}" in codes

    evening = reverse("open_play:evening", args=(made.slug, made.stage.pk, day.isoformat()))
    assert one in text(signed_in(made.charlie).get(evening))
    assert signed_in(made.dora).get(evening).status_code == 403

    visitor = Client()
    for table in tables[:2]:
        visitor.get(address(made, f"t/{table.number}/{table_code(made.division, table.number)}/"))
        there = reverse("calls:table", args=(made.slug, table.pk))
        if table == tables[0]:
            visitor.post(reverse("calls:round_code", args=(made.slug, table.pk)), {"digits": one})
        assert "Who are you?" in text(visitor.get(there))


@pytest.mark.with_extra("hall")
def test_staff_read_the_codes_of_the_open_rounds_and_visitors_do_not(spring, bob):
    code = round_code(spring.table().round)
    assert code in text(bob.get(reverse("hall:index", args=(spring.slug,))))
    codes = text(bob.get(reverse("calls:codes", args=(spring.slug,))))
    assert f"Round 1: Code of this round {code}" in codes
    assert code in text(bob.get(f"/c/{spring.slug}/rounds/{spring.rounds[0].pk}/", follow=True))
    papers = reverse("seating:papers", args=(spring.slug, spring.rounds[0].pk))
    for paper in ("sheets", "tables", "list", "names"):
        assert code in text(bob.get(f"{papers}?paper={paper}"))
    visitor = phone(spring, 0)
    table, round_ = spring.table().pk, spring.rounds[0].pk
    pages = [table_address(spring), f"/c/{spring.slug}/tables/{table}/", f"/c/{spring.slug}/rounds/{round_}/"]
    pages += [f"/c/{spring.slug}/", f"/c/{spring.slug}/hall/tables/", "/c/spring/seat/"]
    assert [code in visitor.get(each, follow=True).content.decode() for each in pages] == [False] * 6


KEY = "2f2e9f0e-6f5f-4b7e-9d0c-1d2e3f405162"
