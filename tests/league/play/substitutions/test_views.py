"""The pages of substitutes, no-shows, swapped seats and points for rounds missed."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from league.core.rounds import seating
from league.models import Adjustment, Entrant, Seat, Sheet
from league.play.disputes.services import open_dispute
from league.play.rounds.services import close_round, seat_players
from league.play.substitutions.services.swaps import round_state, swap_players
from tests.factories import Club, club, sheet_id, signed_in
from tests.module_fixtures import module_fixture
from tests.pages.forms import PageForm, forms_of
from tests.shown import html, key

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)


@module_fixture
def ema() -> Club:
    """Eight players in two rounds, and p9, a substitute."""
    made = club("ema", preset="ema-2025")
    made.add_round()
    made.add_round()
    made.add_players(1)
    Entrant.objects.filter(competition=made.competition, key="p9").update(is_substitute=True)
    return made


@pytest.fixture
def alice(ema: Club) -> Client:
    return signed_in(ema.alice)


def text(response) -> str:
    return " ".join(strip_tags(response.content.decode()).replace("&#x27;", "'").split())


def form_to(client: Client, address: str, action: str) -> PageForm:
    """The form of the page that goes to an address ending so."""
    response = client.get(address)
    assert response.status_code == 200
    return next(f for f in forms_of(response.content.decode(), address) if f.action.endswith(action))


def send(client: Client, address: str, action: str, **values: object):
    form = form_to(client, address, action)
    data = {name: found[-1] for name, found in form.fields.items()} | values
    return client.post(form.action, {name: value for name, value in data.items() if value is not None})


def seat(here: Club, index: int, round_number: int = 1) -> Seat:
    return Seat.objects.get(round=here.rounds[round_number - 1], player=here.players[index])


def seat_page(here: Club, index: int) -> str:
    return f"/c/{here.slug}/manage/seats/{seat(here, index).pk}/"


def people_page(here: Club) -> str:
    return f"/c/ema/manage/rounds/{here.rounds[0].pk}/people/"


# --- substitutes


def test_the_seats_of_a_round_lead_to_what_can_be_done(ema, alice):
    page = alice.get(people_page(ema))

    assert page.content.decode().count("/manage/seats/") == 8
    assert f"/manage/seats/{seat(ema, 3).pk}/" in page.content.decode()


def test_a_substitute_is_sent_in_with_what_the_rule_book_says(ema, alice):
    address = seat_page(ema, 3)
    assert form_to(alice, address, "/substitute/").fields["score"] == ["-30.0"]

    response = send(alice, address, "/substitute/", substitute=ema.players[8].pk, late="1", reason="ill")

    assert response.url == people_page(ema)
    now = Seat.objects.get(stands_for=ema.players[3])
    assert (now.player, now.came_late) == (ema.players[8], True)
    assert Adjustment.objects.get().score == -300
    page = text(alice.get(people_page(ema)))
    assert "Substitute seated." in page
    assert "for 張志強" in page


def test_a_no_show_is_settled_on_one_page_by_a_name_that_is_new(ema, alice):
    address = f"/c/ema/manage/tables/{ema.table().pk}/absent/"
    missing = form_to(alice, address, "/absent/").fields
    assert missing["score"] == ["-30.0"]
    chosen = {"seat": f"{seat(ema, 3).pk}-{ema.players[3].pk}-", "name": "Zoë Last", "onwards": "1"}

    response = send(alice, address, "/absent/", **chosen)

    assert response.url == f"/c/ema/tables/{ema.table().pk}/"
    assert "In 2 rounds." in text(alice.get(response.url))
    new = Entrant.objects.select_related("player").get(player__name="Zoë Last")
    assert new.is_substitute
    assert Seat.objects.filter(stands_for=ema.players[3], player=new.player).count() == 2
    assert set(Adjustment.objects.values_list("score", "reason")) == {(-300, "did not come")}
    assert "Zoë Last" not in text(alice.get("/c/ema/players/"))
    assert "8 players" in text(alice.get("/c/ema/players/"))


def test_a_seat_for_which_no_one_is_free_leads_to_the_page_that_takes_a_name(ema, alice):
    Entrant.objects.exclude(player__seats__round=ema.rounds[0]).delete()
    there = f"/c/ema/manage/tables/{seat(ema, 3).table_id}/absent/?seat={seat(ema, 3).pk}"

    assert f'href="{there}"' in alice.get(seat_page(ema, 3)).content.decode()
    assert alice.get(there).context["form"]["seat"].value() == f"{seat(ema, 3).pk}-{ema.players[3].pk}-"


def test_a_no_show_takes_a_known_substitute_or_forfeits_and_refuses_a_seated_player(ema, alice):
    address = f"/c/ema/manage/tables/{ema.table().pk}/absent/"
    chosen = {"seat": f"{seat(ema, 3).pk}-{ema.players[3].pk}-"}
    assert "has a seat in this round" in text(send(alice, address, "/absent/", name="p7", **chosen))
    assert "Choose the missing player." in text(send(alice, address, "/absent/", name="player 9", seat=None))
    send(alice, address, "/absent/", name="player 9", **chosen)
    assert Seat.objects.get(stands_for=ema.players[3]).player == ema.players[8]
    send(alice, address, "/absent/", seat=f"{seat(ema, 2).pk}-{ema.players[2].pk}-", name="")
    assert ema.table().sheets.get().status == "void"


@pytest.mark.parametrize("name", ["Zoë Last", ""])
def test_a_no_show_after_a_swap_is_of_the_player_who_sits_there_now(ema, alice, name):
    swap_players(
        round_=ema.rounds[0],
        player=ema.players[3].pk,
        other_player=ema.players[4].pk,
        reason="sat wrongly",
        based_on=round_state(ema.rounds[0]),
        by=ema.alice,
    )
    wanderer = seat(ema, 3)
    address = f"/c/ema/manage/tables/{wanderer.table_id}/absent/"

    send(alice, address, "/absent/", seat=f"{wanderer.pk}-{ema.players[3].pk}-", name=name)

    if name:
        assert Seat.objects.get(stands_for=ema.players[3]).table_id == wanderer.table_id
    else:
        assert Sheet.objects.get().table_id == wanderer.table_id


def test_a_no_show_is_only_of_a_seat_at_this_table(ema, alice):
    elsewhere = club("elsewhere")
    elsewhere.add_round()
    theirs = Seat.objects.filter(round=elsewhere.rounds[0]).earliest("pk")
    address = f"/c/ema/manage/tables/{ema.table().pk}/absent/"

    response = send(alice, address, "/absent/", seat=f"{theirs.pk}-{theirs.player_id}-", name="")

    assert "The seating of this round has changed" in text(response)
    assert not Sheet.objects.exists()


def test_the_message_counts_the_rounds_of_a_substitute(ema, alice):
    where = seat_page(ema, 3)
    response = send(alice, where, "/substitute/", substitute=ema.players[8].pk, reason="ill", onwards="on")

    assert "Substitute seated. In 2 rounds." in text(alice.get(response.url))
    alice.cookies["django_language"] = "zh-hant"
    back = send(alice, where, "/return/", onwards="on", reason="well again")
    assert "選手已返回座位。共2輪。" in text(alice.get(back.url))


def test_the_players_page_names_a_lasting_substitute_and_ends_it(ema, alice):
    send(alice, seat_page(ema, 3), "/substitute/", substitute=ema.players[8].pk, reason="ill", onwards="on")
    address = f"/c/ema/manage/players/{Entrant.objects.get(player=ema.players[3]).pk}/absence/"
    sentence = "Player 9 substitutes in each round seated after round 2 (Regular season)"
    assert sentence in text(alice.get(address))

    response = send(alice, address, "/back/")

    page = text(alice.get(response.url))
    assert "張志強 will be seated again from the next round." in page
    assert sentence not in page
    assert not Seat.objects.filter(until_back=True).exists()


def test_other_rule_books_leave_the_amount_to_the_organizer(db):
    here = club("spring")
    here.add_round()
    here.add_players(1)
    client = signed_in(here.alice)
    address = seat_page(here, 3)
    assert form_to(client, address, "/substitute/").fields["score"] == [""]

    response = send(client, address, "/substitute/", substitute=here.players[8].pk, reason="ill")

    assert response.status_code == 422
    assert "Enter the absent player’s score for the round: 0 for nothing." in text(response)


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("-30.55", "Enter a score with at most one decimal"),
        ("-30000", "Enter a score, not points"),
        ("abc", "Enter a score with at most one decimal"),
    ],
)
def test_a_wrong_score_keeps_what_was_typed(ema, alice, typed, sentence):
    response = send(
        alice, seat_page(ema, 3), "/substitute/", substitute=ema.players[8].pk, reason="fell ill", score=typed
    )

    assert response.status_code == 422
    assert sentence in text(response)
    assert 'value="fell ill"' in response.content.decode()
    assert not Adjustment.objects.exists()


def test_a_seat_that_changed_meanwhile_is_not_overwritten(ema, alice):
    address = seat_page(ema, 3)
    form = form_to(alice, address, "/substitute/")
    data = {name: found[-1] for name, found in form.fields.items()}
    Seat.objects.filter(pk=seat(ema, 3).pk).update(player=ema.players[8])

    response = alice.post(form.action, data | {"substitute": ema.players[8].pk, "reason": "ill"})

    assert response.status_code == 422
    assert not Adjustment.objects.exists()


def test_the_same_form_twice_sends_in_one_substitute(ema, alice):
    form = form_to(alice, seat_page(ema, 3), "/substitute/")
    data = {name: found[-1] for name, found in form.fields.items()}
    data |= {"substitute": ema.players[8].pk, "reason": "ill"}

    answers = [alice.post(form.action, data) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Adjustment.objects.count() == 1


def test_the_player_comes_back(ema, alice):
    address = seat_page(ema, 3)
    send(alice, address, "/substitute/", substitute=ema.players[8].pk, reason="ill")
    assert "Substitute for 張志強." in text(alice.get(address))

    send(alice, address, "/return/", reason="was only late")

    assert Seat.objects.get(pk=int(re.findall(r"\d+", address)[0])).player == ema.players[3]
    assert Adjustment.objects.get().revoked_at is not None


def test_the_public_reads_for_whom_a_substitute_sits(ema, alice, client):
    send(alice, seat_page(ema, 3), "/substitute/", substitute=ema.players[8].pk, late="1", reason="ill")
    ema.record(SHEET)

    page = text(client.get(f"/c/ema/rounds/{ema.rounds[0].pk}/"))
    assert "North: Player 9 for 張志強. The result does not count for either." in page
    assert "Arrived after the start: takes last place." in page
    ranks = client.get("/c/ema/").content.decode()
    assert "Not played" in ranks
    assert "Player 9" not in ranks


def test_the_players_page_shows_the_substitution_in_the_order_of_play(ema, alice, client):
    ema.record((15_000, 25_000, 35_000, 45_000))
    send(alice, f"/c/ema/manage/seats/{seat(ema, 3, 2).pk}/", "/substitute/",
         substitute=ema.players[8].pk, reason="ill")  # fmt: skip
    absent = Entrant.objects.get(player=ema.players[3])
    substitute = Entrant.objects.get(player=ema.players[8])

    page = text(client.get(f"/c/ema/players/{absent.pk}/"))
    assert page.index("Round 2: was substituted · Player 9 played · ill −30.0 0.0") < page.index(
        "Round 1, table 1"
    )
    assert "as a substitute for 張志強" in text(client.get(f"/c/ema/players/{substitute.pk}/"))


# --- no-show


def test_a_table_is_forfeited(ema, alice):
    response = send(alice, seat_page(ema, 3), "/forfeit/", score="-45", others="5", reason="did not come")

    assert response.url == people_page(ema)
    assert ema.table().sheets.get().status == "void"
    assert list(Adjustment.objects.order_by("pk").values_list("score", flat=True)) == [-450, 50, 50, 50]


def test_a_table_with_a_sheet_is_not_offered_for_it(ema, alice):
    ema.record(SHEET)

    assert "No substitute: forfeit the table" not in text(alice.get(seat_page(ema, 3)))


# --- wrong seats, wrong tables


def test_two_players_change_seats(ema, alice):
    response = send(
        alice,
        people_page(ema),
        "/swap/",
        player=ema.players[0].pk,
        other_player=ema.players[5].pk,
        reason="sat wrong",
    )

    assert response.url == people_page(ema)
    assert seating(ema.rounds[0])[1][0] == ema.players[5].pk


def test_a_swap_that_is_refused_is_shown_with_what_was_chosen(ema, alice):
    response = send(
        alice,
        people_page(ema),
        "/swap/",
        player=ema.players[0].pk,
        other_player=ema.players[0].pk,
        reason="sat wrong",
    )

    assert response.status_code == 422
    assert "Choose two different players of this round." in text(response)
    assert f'<option value="{ema.players[0].pk}" selected>' in response.content.decode()


def test_two_tables_exchange_their_results(ema, alice):
    ema.record(SHEET)

    preview = send(
        alice, people_page(ema), "/exchange/", table="1", other_table="2", reason="typed at the wrong table"
    )
    form = next(f for f in forms_of(html(preview), people_page(ema)) if f.action.endswith("/exchange/"))
    alice.post(form.action, {name: found[-1] for name, found in form.fields.items()})

    assert ema.table(number=2).sheets.get().points == SHEET
    assert ema.table().sheets.get(is_current=True).status == "void"
    undo = reverse("results:undo", args=[ema.slug, ema.table(number=2).pk])
    assert undo not in html(alice.get(reverse("results:table", args=[ema.slug, ema.table(number=2).pk])))
    alice.post(undo, {"key": key(), "based_on": sheet_id(ema.table(number=2))})
    assert ema.table(number=2).sheets.get().points == SHEET  # it was not typed there


def test_in_a_closed_round_and_during_a_dispute_nothing_is_offered(ema, alice):
    address = seat_page(ema, 3)
    open_dispute(table=ema.table(), subject="Whose seat?", by=ema.bob)
    assert "This table has an open dispute" in text(alice.get(address))
    close_round(round_=ema.rounds[0], by=ema.alice)
    for page in (address, people_page(ema)):
        response = alice.get(page)
        assert "This round is closed." in text(response)
        assert "/swap/" not in response.content.decode()


# --- points for rounds missed


def test_points_for_a_missed_round_are_given_and_taken_back(ema, alice):
    ema.add_players(1)
    late = Entrant.objects.get(player=ema.players[9])
    address = f"/c/ema/manage/players/{late.pk}/absence/"

    send(alice, address, "/absence/", round=ema.rounds[0].pk, score="-15", reason="came late")
    assert Adjustment.objects.get().score == -150
    given = Adjustment.objects.get()
    send(alice, address, f"/adjustments/{given.pk}/revoke/", reason="was excused")

    page = text(alice.get(address))
    assert "removed" in page
    assert "Points removed." in page


def test_points_are_not_taken_back_without_a_reason(ema, alice):
    ema.add_players(1)
    late = Entrant.objects.get(player=ema.players[9])
    address = f"/c/ema/manage/players/{late.pk}/absence/"
    send(alice, address, "/absence/", round=ema.rounds[0].pk, score="-15", reason="came late")
    given = Adjustment.objects.get()

    response = send(alice, address, f"/adjustments/{given.pk}/revoke/", reason="")

    assert response.status_code == 422
    assert "<details open>" in response.content.decode()
    assert Adjustment.objects.get().revoked_at is None


def test_points_are_given_and_none_removed_on_the_page_that_refused_a_removal(ema, alice):
    ema.add_players(1)
    late = Entrant.objects.get(player=ema.players[9])
    address = f"/c/ema/manage/players/{late.pk}/absence/"
    send(alice, address, "/absence/", round=ema.rounds[0].pk, score="-15", reason="came late")
    given = Adjustment.objects.get()
    removal = f"/c/ema/manage/adjustments/{given.pk}/revoke/"
    refused = alice.post(removal, {"key": key(), "reason": ""})
    assert refused.status_code == 422

    forms = forms_of(refused.content.decode(), refused.request["PATH_INFO"])
    form = next(form for form in forms if "score" in form.fields)
    typed = {name: found[-1] for name, found in form.fields.items()}
    alice.post(form.action, typed | {"round": ema.rounds[1].pk, "score": "-20", "reason": "away"})

    kept = Adjustment.objects.order_by("pk")
    assert [(each.score, each.revoked_at) for each in kept] == [(-150, None), (-200, None)]


def test_a_refused_button_says_why_on_the_players_page(ema, alice):
    ema.record(SHEET)
    player = Entrant.objects.get(player=ema.players[0])
    address = f"/c/ema/manage/players/{player.pk}/absence/"

    response = send(alice, address, "/substitute/", is_substitute="1")

    assert "A player with results cannot become a substitute" in text(alice.get(response.url))


def test_as_many_queries_for_one_table_as_for_three(ema, alice, django_assert_max_num_queries):
    with django_assert_max_num_queries(16) as one:
        alice.get(people_page(ema))
    ema.add_players(3)
    ids = [player.pk for player in ema.players]
    seat_players(round_=ema.rounds[0], tables={n: ids[4 * n - 4 : 4 * n] for n in (1, 2, 3)}, by=ema.alice)
    with django_assert_max_num_queries(len(one)):
        assert alice.get(people_page(ema)).content.decode().count("/manage/seats/") >= 12


# --- the sheet of a table with a late substitute


def test_what_is_typed_at_a_table_with_a_late_substitute_is_previewed_as_it_will_be_settled(ema, alice):
    send(alice, seat_page(ema, 0), "/substitute/", substitute=ema.players[8].pk, late="1", reason="ill")
    typed = {"east": "450", "south": "350", "west": "250", "north": "150", "sticks": "0"}
    charlie = signed_in(ema.charlie)
    address = reverse("results:preview", args=["ema", ema.rounds[0].pk])

    def places(number: int) -> list[int]:
        return [seat["place"] for seat in charlie.get(address, typed | {"number": number}).json()["seats"]]

    assert (places(1), places(2)) == ([4, 1, 2, 3], [1, 2, 3, 4])


def test_the_history_of_the_table_and_the_sentence_after_saving_know_it_too(ema, alice):
    send(alice, seat_page(ema, 0), "/substitute/", substitute=ema.players[8].pk, late="1", reason="ill")
    ema.record(SHEET)

    page = text(alice.get(f"/c/ema/tables/{ema.table().pk}/"))

    assert "East: Player 9 for 陳大文. The result does not count for either." in page
    assert page.count("+20.0") >= 1  # south: 35,000 and the first place's 15


def test_two_players_of_one_name_are_distinguished_on_seats_and_absences(ema, alice):
    for player, country in zip(ema.players[:2], ("DE", "HK"), strict=True):
        player.name, player.country = "Anna Berg", country
        player.save()
    entrant = ema.competition.entrants.get(player=ema.players[0])

    absence = text(alice.get(reverse("substitutions:absence", args=(ema.slug, entrant.pk))))
    seats = [text(alice.get(reverse("substitutions:seat", args=(ema.slug, seat(ema, i).pk)))) for i in (0, 1)]
    swaps = text(alice.get(reverse("substitutions:round", args=(ema.slug, ema.rounds[0].pk))))

    assert "Absence of Anna Berg (DE)" in absence
    assert absence.count("Anna Berg (DE)") > 1
    assert "Anna Berg (DE)" in seats[0]
    assert "Anna Berg (HK)" in seats[1]
    assert "· Anna Berg (HK)" in swaps
