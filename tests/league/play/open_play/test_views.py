"""Pages of free play: one player of a table enters its sheet, and another confirms it."""

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Competition, Role, Round, Seat, Sheet, Table
from league.play.open_play.services import make_table
from league.play.results.services import record_result
from league.play.rounds.services import set_visibility
from tests.factories import Club, club, sheet_id, signed_in, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

POINTS = (45_000, 35_000, 25_000, 15_000)


@module_fixture
def here() -> Club:
    """Return a club with free play whose results count once confirmed. Dora and Eve are its first players."""
    made = club()
    made.stage.play = "free"
    made.stage.save()
    Competition.objects.update(counting="confirmed")
    made.competition.refresh_from_db()
    for person, player in ((made.dora, made.players[0]), (user("eve"), made.players[1])):
        Role.objects.update_or_create(
            competition=made.competition, user=person, kind="player", defaults={"player": player}
        )
    return made


def address(name: str, here: Club, *arguments: object) -> str:
    return reverse(name, args=[here.slug, *arguments])


def post(client: Client, where: str, **fields: object):
    return client.post(where, {"key": uuid.uuid4(), **fields})


def text(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def four(here: Club, *positions: int) -> dict[str, object]:
    winds = ("east", "south", "west", "north")
    chosen = {wind: here.players[position].pk for wind, position in zip(winds, positions, strict=True)}
    return chosen | {"winds": "order", "date": timezone.localdate().isoformat()}


def made(here: Club, *positions: int) -> Table:
    today = timezone.localdate()
    ids = [here.players[position].pk for position in positions or (0, 1, 2, 3)]
    return make_table(stage=here.stage, four=ids, on=today, today=today, by=here.dora)


def sheet(here: Club, based_on: int = 0, **more: object) -> dict[str, object]:
    seated = "-".join(str(player.pk) for player in here.players[:4])
    typed = {"east": 450, "south": 350, "west": 250, "north": 150, "sticks": 0, "number": 1}
    return typed | {"seated": seated, "based_on": based_on} | more


# --- tables


def test_a_player_makes_up_a_table_and_comes_to_it(here):
    dora = signed_in(here.dora)
    where = address("open_play:new_table", here, here.stage.pk)
    assert f'<option value="{here.players[0].pk}" selected>' in text(dora.get(where))
    key = uuid.uuid4()
    answers = [dora.post(where, {"key": key, **four(here, 0, 1, 2, 3)}) for _twice in range(2)]
    table = Table.objects.get()
    assert [answer.url for answer in answers] == [address("results:table", here, table.pk)] * 2
    seats = Seat.objects.order_by("wind").values_list("player_id", flat=True)
    assert list(seats) == [player.pk for player in here.players[:4]]


def test_a_player_makes_up_no_table_of_others_and_scorers_any(here):
    where = address("open_play:new_table", here, here.stage.pk)
    refused = post(signed_in(here.dora), where, **four(here, 4, 5, 6, 7))
    assert refused.status_code == 422
    assert "You can only create tables that you play at yourself" in refused.content.decode()
    assert post(signed_in(here.charlie), where, **four(here, 4, 5, 6, 7)).status_code == 302


def test_a_form_that_names_a_player_twice_or_too_few_is_shown_again(here):
    dora, where = signed_in(here.dora), address("open_play:new_table", here, here.stage.pk)
    twice = post(dora, where, **four(here, 0, 1, 2, 2))
    assert (twice.status_code, "listed twice" in twice.content.decode()) == (422, True)
    nobody = post(dora, where, **four(here, 0, 1, 2, 3) | {"north": ""})
    assert (nobody.status_code, "Choose a player." in nobody.content.decode()) == (422, True)
    assert Round.objects.count() == 0


def test_people_who_are_not_linked_to_a_player_make_no_table(here):
    where = address("open_play:new_table", here, here.stage.pk)
    for person in (user("mallory"), here.bob):
        assert signed_in(person).get(where).status_code == 403
    assert Client().get(where).status_code == 302
    here.stage.play = "rounds"
    here.stage.save()
    assert signed_in(here.alice).get(where).status_code == 404


def test_a_table_made_by_mistake_is_taken_away_by_those_who_sit_there(here):
    table = made(here)
    where = address("open_play:remove", here, table.pk)
    Role.objects.filter(user=user("eve")).update(player=here.players[7])
    assert post(signed_in(user("eve")), where).status_code == 403
    assert "Remove this table (created by mistake)" in text(
        signed_in(here.dora).get(address("results:table", here, table.pk))
    )
    assert post(signed_in(here.dora), where).url == address("rounds:index", here)
    assert Table.objects.count() == 0


def test_a_table_that_has_its_sheet_stays(here):
    table = made(here)
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    response = signed_in(here.dora).post(
        address("open_play:remove", here, table.pk), {"key": uuid.uuid4()}, follow=True
    )
    assert "cannot be removed" in response.content.decode()
    assert Table.objects.count() == 1


# --- sheets


def test_one_of_the_four_enters_and_another_one_confirms(here):
    table = made(here)
    dora, eve = signed_in(here.dora), signed_in(user("eve"))
    page, entering = address("results:table", here, table.pk), address("results:own", here, table.pk)
    assert entering in text(dora.get(page))
    assert post(dora, entering, **sheet(here)).url == page
    assert Sheet.objects.get().status == "entered"
    assert "Ask a second person" in text(dora.get(page))
    assert "data-sheets" in text(dora.get(page))  # by which the page's script knows that the sheet is saved
    assert f'action="{address("results:confirm", here, table.pk)}"' not in text(dora.get(page))
    assert post(dora, address("results:confirm", here, table.pk), based_on=sheet_id(table)).status_code == 403
    assert f'action="{address("results:confirm", here, table.pk)}"' in text(eve.get(page))
    assert post(eve, address("results:confirm", here, table.pk), based_on=sheet_id(table)).status_code == 302
    confirmed = Sheet.objects.get()
    assert (confirmed.status, confirmed.confirmed_by) == ("confirmed", user("eve"))


def test_a_wrong_sheet_is_corrected_by_another_of_the_four_until_it_is_confirmed(here):
    table = made(here)
    dora, eve = signed_in(here.dora), signed_in(user("eve"))
    where = address("results:own", here, table.pk)
    post(dora, where, **sheet(here))
    mended = sheet(here, sheet_id(table), east=440, south=360, reason="typed 450 for 440")
    assert post(eve, where, **mended).status_code == 302
    current = Sheet.objects.get(is_current=True)
    assert (current.version, current.points[:2], current.entered_by) == (2, (44_000, 36_000), user("eve"))
    post(dora, address("results:confirm", here, table.pk), based_on=current.pk)
    late = post(eve, where, **sheet(here, current.pk, reason="again"))
    assert late.status_code == 422
    assert "Players can no longer change this result" in late.content.decode()
    assert 'value="450"' in late.content.decode()
    assert eve.get(where).url == address("results:table", here, table.pk)
    assert Sheet.objects.count() == 2


def test_two_who_save_at_once_see_both_sheets(here):
    table = made(here)
    where = address("results:own", here, table.pk)
    post(signed_in(here.dora), where, **sheet(here))
    late = post(signed_in(user("eve")), where, **sheet(here, 0, east=440, south=360))
    assert late.status_code == 409
    assert f'action="{where}"' in late.content.decode()


def test_a_sheet_that_does_not_add_up_comes_back(here):
    where = address("results:own", here, made(here).pk)
    assert post(signed_in(here.dora), where, **sheet(here, east=460)).status_code == 422
    assert Sheet.objects.count() == 0


def test_others_neither_enter_nor_confirm(here):
    table = made(here, 1, 2, 3, 4)
    where = address("results:own", here, table.pk)
    for person in (here.dora, user("mallory"), here.bob):
        assert signed_in(person).get(where).status_code == 403
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    for person in (here.dora, user("mallory")):
        confirming = post(
            signed_in(person), address("results:confirm", here, table.pk), based_on=sheet_id(table)
        )
        assert confirming.status_code == 403


def test_where_results_count_at_once_scorers_enter_them(here):
    Competition.objects.update(counting="entered")
    table = made(here)
    where = address("results:own", here, table.pk)
    assert signed_in(here.dora).get(where).status_code == 403
    assert where not in text(signed_in(here.dora).get(address("results:table", here, table.pk)))
    entering = f"{address('results:enter_round', here, table.round_id)}?table=1"
    assert signed_in(here.charlie).get(where).url == entering


def test_players_of_a_round_that_the_organizer_seats_enter_nothing(here):
    here.stage.play = "rounds"
    here.stage.save()
    here.add_round()
    table = here.table()
    dora = signed_in(here.dora)
    assert dora.get(address("results:own", here, table.pk)).status_code == 403
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    assert post(dora, address("results:confirm", here, table.pk), based_on=sheet_id(table)).status_code == 403


def test_the_preview_is_for_those_who_may_type(here):
    table = made(here)
    where = address("results:preview", here, table.round_id)
    assert signed_in(here.dora).get(where, sheet(here)).json()["seats"][0]["score"] == "+60.0"
    Role.objects.filter(user=here.dora).update(player=here.players[6])
    assert signed_in(here.dora).get(where).status_code == 403


# --- by day


def test_tables_are_listed_by_day_and_a_day_shows_all_of_them(here, client):
    made(here)
    table = made(here, 4, 5, 6, 7)
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    day = timezone.localdate().isoformat()
    where = address("open_play:day", here, here.stage.pk, day)
    rounds = text(client.get(address("rounds:index", here)))
    assert where in rounds
    assert "2 tables" in rounds
    assert "without a result: 1" in text(signed_in(here.charlie).get(address("rounds:index", here)))
    shown = text(client.get(where))
    assert ("Game 1" in shown, "Game 2" in shown, "45,000" in shown) == (True, True, True)


def test_a_day_shows_nothing_that_is_hidden(here, client):
    table = made(here)
    record_result(table=table, points=POINTS, based_on=0, by=here.charlie)
    where = address("open_play:day", here, here.stage.pk, timezone.localdate().isoformat())
    set_visibility(round_=table.round, visibility="seating", by=here.alice)
    assert "45,000" not in text(client.get(where))
    assert "45,000" in text(signed_in(here.charlie).get(where))
    set_visibility(round_=table.round, visibility="hidden", by=here.alice)
    assert client.get(where).status_code == 404


@pytest.mark.parametrize("day", ["2026-13-45", "yesterday", "2020-01-01"])
def test_a_day_that_is_none_or_empty_is_not_found(here, client, day):
    made(here)
    assert client.get(address("open_play:day", here, here.stage.pk, day)).status_code == 404


@pytest.mark.slow
def test_rounds_the_day_and_the_dashboard_take_as_many_queries_for_one_table_as_for_three(
    here, django_assert_num_queries
):
    alice = signed_in(here.alice)
    made(here)
    pages = [
        address("rounds:index", here),
        address("open_play:day", here, here.stage.pk, timezone.localdate().isoformat()),
        address("competitions:manage", here),
    ]
    for page in pages:
        alice.get(page)
    counted = []
    for page in pages:
        with CaptureQueriesContext(connection) as queries:
            alice.get(page)
        counted.append(len(queries))
    made(here, 4, 5, 6, 7)
    made(here)
    for page, count in zip(pages, counted, strict=True):
        with django_assert_num_queries(count):
            alice.get(page)


def test_the_organizer_says_that_a_stage_is_played_freely(here):
    here.stage.play = "rounds"
    here.stage.save()
    alice, where = signed_in(here.alice), address("open_play:settings", here, here.stage.pk)
    assert where in text(alice.get(address("competitions:manage", here)))
    assert post(alice, where, play="chess").status_code == 422
    assert post(alice, where, play="free").url == address("competitions:manage", here)
    page = text(alice.get(address("competitions:manage", here)))
    assert address("open_play:tonight", here, here.stage.pk) in page
    assert signed_in(here.charlie).get(where).status_code == 403
    made(here)
    assert "cannot be changed because this stage already has rounds" in text(alice.get(where))
