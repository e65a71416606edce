"""An evening of free play: presence, drawn tables, slips, guests, the fee."""

import io
import re
import uuid
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib import import_module

import openpyxl
import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.errors import Refused
from league.core.zones import day_of_play
from league.models import Competition, Division, Entrant, Evening, Presence, Round, Seat, Sheet, Stage, Table
from league.organizing.roster.services.roster import reinstate_entrant, update_entrant, withdraw_entrant
from league.people.register.services import values_of
from league.play.bans.services import set_ban
from league.play.open_play.queries import history_of_evening, open_tables, present_players
from league.play.open_play.services import draw_tables, enter_slip, set_fee, set_paid, set_presence
from league.play.results.queries.tables import table_results
from players.models import Player
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

TONIGHT = date(2026, 5, 6)
POINTS = (45_000, 35_000, 25_000, 15_000)


@module_fixture
def here() -> Club:
    made = club(players=14)
    made.stage.play = "free"
    made.stage.save()
    return made


def come(here: Club, *positions: int, on: date = TONIGHT) -> None:
    for position in positions:
        mark(here, position, here_=True, on=on)


def entrant_at(here: Club, position: int) -> Entrant:
    return Entrant.objects.get(competition=here.competition, player=here.players[position])


def mark(here: Club, position: int, *, here_: bool, on: date = TONIGHT) -> None:
    entrant = entrant_at(here, position)
    set_presence(stage=here.stage, on=on, today=on, entrant=entrant, here=here_, by=here.charlie)


def pay(here: Club, position: int, on: date = TONIGHT) -> None:
    entrant = entrant_at(here, position)
    set_paid(stage=here.stage, on=on, today=on, entrant=entrant, paid=True, by=here.charlie)


def draw(here: Club, seed: int = 1) -> list[Table]:
    return draw_tables(stage=here.stage, on=TONIGHT, today=TONIGHT, seed=seed, by=here.charlie)


def slip(here: Club, *positions: int, points: tuple[int, ...] = POINTS, **ending: object) -> Sheet:
    four = [here.players[position].pk for position in positions]
    usual = {"sticks": 0, "last_dealer": 3, "sashiuma": {}}
    return enter_slip(
        stage=here.stage,
        on=TONIGHT,
        today=TONIGHT,
        four=four,
        points=points,
        by=here.charlie,
        **usual | ending,
    )


def play_all(here: Club) -> None:
    """Every open table gets a result."""
    for players in open_tables(here.stage, TONIGHT).values():
        positions = [[player.pk for player in here.players].index(player) for player in players]
        slip(here, *positions)


def sat_out(here: Club) -> list[int]:
    return sorted(Presence.objects.filter(stage=here.stage).values_list("sat_out", flat=True))


@pytest.mark.slow
def test_thirteen_play_three_tables_and_another_one_sits_out_each_time(here):
    come(here, *range(13))

    for number in range(6):
        assert len(draw(here, seed=number)) == 3
        play_all(here)

    assert sat_out(here) == [0] * 7 + [1] * 6
    assert Round.objects.filter(stage=here.stage, status="open").count() == 18


def test_no_players_meet_twice_in_an_evening_where_it_can_be_avoided(here):
    come(here, *range(12))

    for number in range(2):
        draw(here, seed=number)
        play_all(here)

    met = history_of_evening(here.stage, TONIGHT, [player.pk for player in here.players]).met
    assert max(met.values()) <= 2 * 10
    assert sum(times > 10 for times in met.values()) <= 6  # three tables of twelve: at least one pair a table


def test_those_who_play_and_those_who_went_home_are_not_drawn(here):
    come(here, *range(8))
    mark(here, 7, here_=False)
    (first,) = draw(here)

    with pytest.raises(Refused, match="needs four players"):
        draw(here)

    assert here.players[7].pk not in Seat.objects.filter(table=first).values_list("player_id", flat=True)
    play_all(here)
    assert len(draw(here)) == 1


def test_who_comes_late_is_not_owed_a_seat(here):
    come(here, 0, 1, 2, 3, 4)
    for number in range(5):
        draw(here, seed=number)
        play_all(here)
    assert sat_out(here) == [1] * 5

    come(here, 5)

    assert sat_out(here) == [1] * 6


def test_a_player_goes_home_after_the_result_and_stays_on_the_list_if_they_played_or_paid(here):
    come(here, 0, 1, 2, 3, 4, 5)
    mark(here, 5, here_=False)
    pay(here, 4)
    mark(here, 4, here_=False)
    assert Presence.objects.get(left=True).entrant == entrant_at(here, 4)
    assert not Presence.objects.filter(entrant=entrant_at(here, 5)).exists()
    draw(here)

    with pytest.raises(Refused, match="sits at a table without a result"):
        mark(here, 0, here_=False)

    play_all(here)
    mark(here, 0, here_=False)
    assert Presence.objects.get(entrant__player=here.players[0]).left
    assert Presence.objects.filter(left=False).count() == 3


def test_a_slip_is_the_result_of_the_table_at_which_the_four_sit_in_any_order(here):
    come(here, 0, 1, 2, 3)
    (table,) = draw(here)

    sheet = slip(here, 3, 1, 0, 2)

    assert (sheet.table_id, Table.objects.filter(round__stage=here.stage).count()) == (table.pk, 1)
    typed = dict(zip([here.players[position].pk for position in (3, 1, 0, 2)], POINTS, strict=True))
    seats = Seat.objects.filter(table=table).order_by("wind").values_list("player_id", flat=True)
    assert list(sheet.points) == [typed[player] for player in seats]


def test_a_slip_of_others_makes_their_table_and_marks_them_present(here):
    sheet = slip(here, 4, 5, 6, 7)

    (result,) = table_results(Table.objects.filter(pk=sheet.table_id), here.competition)
    assert [info.player for info in result.players] == [
        here.players[position].pk for position in (4, 5, 6, 7)
    ]
    assert Presence.objects.filter(left=False).count() == 4


def test_a_refused_slip_leaves_no_table(here):
    with pytest.raises(Refused):
        slip(here, 4, 5, 6, 7, points=(45_000, 35_000, 25_000, 16_000))

    assert not Table.objects.filter(round__stage=here.stage).exists()
    with pytest.raises(Refused, match="four different players"):
        slip(here, 4, 4, 6, 7)


def test_a_banned_player_is_not_drawn(here):
    come(here, 0, 1, 2, 3)
    set_ban(
        competition=here.competition,
        player_id=here.players[0].pk,
        since=TONIGHT,
        until=None,
        reason="threw tiles",
        by=here.alice,
    )

    with pytest.raises(Refused, match="Mark them as not present, or have the ban lifted"):
        draw(here)
    with pytest.raises(Refused, match="Choose other players, or have the ban lifted"):
        slip(here, 0, 1, 2, 3)
    assert not Table.objects.filter(round__stage=here.stage).exists()


def test_a_player_who_withdrew_or_changed_division_after_coming_is_not_drawn(here):
    come(here, *range(6))
    withdraw_entrant(entrant=entrant_at(here, 0), by=here.alice)
    move(here, 1)

    (table,) = draw(here)

    assert seated_at(table) == {player.pk for player in here.players[2:6]}


def test_three_players_and_one_who_withdrew_do_not_fill_a_table(here):
    come(here, *range(4))
    withdraw_entrant(entrant=entrant_at(here, 0), by=here.alice)

    with pytest.raises(Refused, match="needs four players"):
        draw(here)


def test_who_comes_late_has_sat_out_as_often_as_those_who_are_still_there(here):
    come(here, 0, 1, 2, 3, 4)
    for number in range(5):
        draw(here, seed=number)
        play_all(here)
    come(here, 5)
    Presence.objects.filter(entrant=entrant_at(here, 0)).update(sat_out=0)
    withdraw_entrant(entrant=entrant_at(here, 0), by=here.alice)

    come(here, 6)

    assert Presence.objects.get(entrant=entrant_at(here, 6)).sat_out == 1


def test_a_player_who_withdrew_is_present_after_the_reinstatement(here):
    withdraw_entrant(entrant=entrant_at(here, 0), by=here.alice)
    with pytest.raises(Refused, match="has withdrawn"):
        come(here, 0)
    reinstate_entrant(entrant=entrant_at(here, 0), by=here.alice)

    come(here, 0)

    assert present_players(here.stage, TONIGHT) == {here.players[0].pk}


def test_a_player_of_another_division_is_not_present(here):
    move(here, 0)

    with pytest.raises(Refused, match="Not in this division"):
        come(here, 0)

    assert not Presence.objects.exists()


def seated_at(table: Table) -> set[int]:
    return set(Seat.objects.filter(table=table).values_list("player_id", flat=True))


def move(here: Club, position: int) -> None:
    """Moves the player to another division."""
    entrant = entrant_at(here, position)
    other = Division.objects.create(
        competition=here.competition, name="B", slug="b", position=9, rule_set=here.division.rule_set
    )
    update_entrant(entrant=entrant, values=values_of(entrant.player), division=other, by=here.alice)


def test_another_evening_begins_without_players(here):
    come(here, 0, 1, 2, 3)

    come(here, 4, on=TONIGHT + timedelta(days=7))

    assert Presence.objects.filter(day=TONIGHT).count() == 4
    pay(here, 0)
    assert Presence.objects.filter(paid=True).count() == 1


# --- the page


def place(name: str, here: Club, day: date | None = None) -> str:
    on = day or timezone.localdate()
    return reverse(name, args=[here.slug, here.stage.pk, on.isoformat()])


def post(client: Client, where: str, **fields: object):
    return client.post(where, {"key": uuid.uuid4(), **fields}, follow=True)


def shown(client: Client, here: Club) -> str:
    answer = client.get(place("open_play:evening", here))
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def sheet_of(table: Table) -> dict[str, object]:
    """Return the hidden fields of a drawn table's sheet."""
    seated = "-".join(str(seat.player_id) for seat in table.seats.order_by("wind"))
    return {"table": table.pk, "number": table.number, "seated": seated, "based_on": 0, "sticks": "0"}


def entrant_of(here: Club, position: int) -> int:
    return entrant_at(here, position).pk


@pytest.mark.parametrize(("language", "heading"), [("ja", "卓"), ("zh-hant", "桌"), ("zh-hans", "桌")])
def test_the_tables_of_an_evening_are_not_headed_as_results(here, language, heading):
    charlie = signed_in(here.charlie)
    charlie.cookies["django_language"] = language

    assert f'<h2 id="tables">{heading}</h2>' in shown(charlie, here)


def test_an_evening_from_the_first_tap_to_the_ranking(here):
    charlie = signed_in(here.charlie)
    for position in range(4):
        post(charlie, place("open_play:presence", here), entrant=entrant_of(here, position), act="come")
    assert "4 players present" in shown(charlie, here)

    post(charlie, place("open_play:draw", here))
    table = Table.objects.get(round__stage=here.stage)
    assert f'name="table" value="{table.pk}"' in shown(charlie, here)
    scores = {"east": "450", "south": "350", "west": "250", "north": "150"}
    wrong = post(charlie, place("results:slip", here), **sheet_of(table), **scores | {"west": "249"})
    answer = post(charlie, place("results:slip", here), **sheet_of(table), **scores)
    other = scores | {"east": "440", "south": "360"}
    late = post(charlie, place("results:slip", here), **sheet_of(table), **other)

    page = " ".join(wrong.content.decode().split())
    assert (wrong.status_code, "players present" in page, 'value="249"' in page) == (422, True, True)
    said = page.split('class="alert alert-danger" role="alert"')[1].split("</div>")[0]
    assert "100 " in said
    assert f'id="t{table.pk}-east" name="east" value="450" maxlength="12" autofocus' in page
    assert answer.redirect_chain == [(place("open_play:evening", here), 302)]
    assert (late.status_code, "Compare the two" in late.content.decode()) == (409, True)
    assert Sheet.objects.get(table=table).points == (45_000, 35_000, 25_000, 15_000)
    assert "This evening" in shown(charlie, here)
    post(charlie, place("open_play:presence", here), entrant=entrant_of(here, 0), act="pay")
    assert Presence.objects.get(paid=True).entrant.player == here.players[0]

    (action,) = re.findall(r'action="([^"]*)"[^>]*data-sheet', late.content.decode())
    based_on = Sheet.objects.get(table=table).pk
    post(charlie, action, **sheet_of(table) | {"based_on": based_on}, **other, reason="misread")
    assert Sheet.objects.get(table=table, is_current=True).points[0] == 44_000


def test_the_beginning_of_a_name_is_enough_and_a_wrong_name_keeps_what_was_typed(here):
    charlie = signed_in(here.charlie)
    Player.objects.filter(pk=here.players[0].pk).update(name="Zoe Quine")
    names = {f"name_{wind}": here.players[at].name for at, wind in ((1, "south"), (2, "west"), (3, "north"))}
    scores = {"east": "450", "south": "350", "west": "250", "north": "150", "sticks": "0"}

    wrong = post(charlie, place("results:slip", here), name_east="Nemo", **names, **scores)
    right = post(charlie, place("results:slip", here), name_east="qui", **names, **scores)

    assert wrong.status_code == 422
    assert "“Nemo” is not entered in this competition." in wrong.content.decode()
    assert 'value="450"' in wrong.content.decode()
    assert right.status_code == 200
    assert Seat.objects.get(round__stage=here.stage, wind=0).player == here.players[0]


def test_a_guest_is_entered_by_name_alone_and_once(here):
    alice = signed_in(here.alice)

    for _ in range(2):
        answer = post(alice, place("open_play:guest", here), name="<b>Gast</b>")

    assert "&lt;b&gt;Gast&lt;/b&gt; is present." in answer.content.decode()
    assert Entrant.objects.filter(competition=here.competition, player__name="<b>Gast</b>").count() == 1
    assert signed_in(here.charlie).post(place("open_play:guest", here)).status_code == 403


def test_a_guest_whose_name_several_of_the_league_have_is_not_made_once_more(here):
    register = here.competition.league.register
    for _ in range(2):
        Player.objects.create(register=register, name="Lee")

    answer = post(signed_in(here.alice), place("open_play:guest", here), name="Lee")

    assert "Several players of this league are called Lee." in answer.content.decode()
    assert not Entrant.objects.filter(player__name="Lee").exists()


def test_a_guest_who_withdrew_or_is_of_another_division_is_refused_on_the_page(here):
    withdraw_entrant(entrant=entrant_at(here, 0), by=here.alice)
    move(here, 1)
    alice = signed_in(here.alice)

    gone, moved = (
        post(alice, place("open_play:guest", here), name=here.players[position].name).content.decode()
        for position in (0, 1)
    )

    name = here.players[0].name
    assert f"{name} has withdrawn. Reinstate the player on the page “Players”." in gone
    assert f"Not in this division: {here.players[1].name}." in moved
    assert not Presence.objects.exists()


def test_the_form_of_a_tap_that_names_another_competitions_player_is_refused(here):
    other = club("autumn")
    stranger = Entrant.objects.filter(competition=other.competition).first()

    answer = post(signed_in(here.charlie), place("open_play:presence", here), entrant=stranger.pk, act="come")

    assert answer.status_code == 404
    assert not Presence.objects.exists()


def test_players_and_visitors_do_not_see_the_page(here):
    assert signed_in(here.dora).get(place("open_play:evening", here)).status_code == 403
    assert Client().get(place("open_play:evening", here)).status_code == 302
    assert signed_in(here.charlie).get(place("open_play:evening", here, date(2026, 1, 1))).status_code == 200
    tonight = reverse("open_play:tonight", args=[here.slug, here.stage.pk])
    assert signed_in(here.charlie).get(tonight).status_code == 302


def test_the_page_takes_as_many_queries_for_many_as_for_few(here, django_assert_max_num_queries):
    come(here, *range(13), on=timezone.localdate())
    with django_assert_max_num_queries(30):
        shown(signed_in(here.charlie), here)


# --- for the treasurer


def test_the_workbook_of_evenings_says_who_came_what_they_won_and_who_has_paid(here):
    come(here, 0, 1, 2, 3, 4)
    slip(here, 0, 1, 2, 3)
    pay(here, 0)
    come(here, 0, on=TONIGHT - timedelta(days=7))
    Presence.objects.filter(entrant=entrant_at(here, 3)).delete()
    answer = signed_in(here.charlie).get(reverse("open_play:file", args=[here.slug, here.stage.pk]))
    rows = list(openpyxl.load_workbook(io.BytesIO(answer.content)).active.values)
    assert [row[0].day for row in rows[1:]] == [6, 6, 6, 6, 6, 29]
    by_key = {row[-1]: row[2:-1] for row in rows[1:6]}
    assert by_key["p1"] == (1, 60, "yes", datetime.combine(TONIGHT, time()))
    assert by_key["p5"] == (0, 0, "no", None)
    assert by_key["p4"] == (1, -50, "no", None)  # played, and is not on the list of the day


@pytest.mark.slow
def test_the_treasurer_sees_what_was_paid_and_what_is_open(here):
    alice, today = signed_in(here.alice), timezone.localdate()
    come(here, 0, 1, on=today)
    pay(here, 0, on=today)
    post(alice, place("open_play:fee", here), fee="30")
    post(alice, place("open_play:guest", here), name="Gast")
    answer = post(alice, place("open_play:fee", here), fee="40", guest_fee="12.50")
    pay(here, 1, on=today)
    come(here, 2, on=today)
    post(alice, place("open_play:fee", here), fee="50", guest_fee="12.50")

    assert "Table fee saved." in answer.content.decode()
    assert "Table fees: 40 paid, 62.5 open" in shown(alice, here).replace("62.50", "62.5")
    assert post(signed_in(here.charlie), place("open_play:fee", here), fee="1").status_code == 403
    file = alice.get(reverse("open_play:file", args=[here.slug, here.stage.pk]))
    book = openpyxl.load_workbook(io.BytesIO(file.content))
    rows, days, people, months = ([row[1:] for row in sheet.values] for sheet in book)
    on = datetime.combine(today, time())
    assert {row[-1]: (row[1], *row[-6:-1]) for row in rows[1:]} == {
        "p1": (None, "yes", on, None, None, None),  # paid before there was an amount
        "p2": (None, "yes", on, 40, 40, 0),
        "p3": (None, "no", None, 50, 0, 50),
        "p15": ("yes", "no", None, 12.5, 0, 12.5),
    }
    assert days[1:] == months[1:] == [(3, 102.5, 40, 62.5), (3, 102.5, 40, 62.5)]
    assert people[-1] == (3, 102.5, 40, 62.5)
    page = alice.get(reverse("open_play:fees", args=[here.slug, here.stage.pk])).content.decode()
    assert "Due: 102.50. Paid: 40. Owed: 62.50." in page
    headings = [" ".join(each.split()) for each in re.findall(r'scope="col"\s*>(.*?)</th>', page, re.DOTALL)]
    assert headings == [
        *("Player", "Evenings", "Due", "Paid", "Owed", "Not paid"),
        *("Evening", "Players", "Due", "Paid", "Owed"),
        *("Month", "Fees", "Due", "Paid", "Owed"),
    ]
    assert place("open_play:evening", here) + "?pay=1" in page


def test_the_fee_of_a_player_who_withdrew_is_collected_on_the_evening(here):
    alice, today = signed_in(here.alice), timezone.localdate()
    come(here, 0, 1, on=today)
    post(alice, place("open_play:fee", here), fee="8")
    withdraw_entrant(entrant=entrant_at(here, 0), by=here.alice)
    evening = place("open_play:evening", here)

    chip = f'id="player-{entrant_at(here, 0).pk}"'
    page = shown(alice, here)
    assert ("Table fees: 0 paid, 16 open" in page, "1 player present" in page, chip in page) == (1, 1, 0)
    assert chip in alice.get(evening, {"pay": "1"}).content.decode()


def test_the_fee_of_a_player_taken_off_the_list_is_refused(here):
    come(here, 0)
    mark(here, 0, here_=False)

    with pytest.raises(Refused, match="deleted or replaced"):
        pay(here, 0)


def test_the_workbook_of_evenings_has_the_chips():
    here = club("chips", overrides={"chip_value": 20})
    here.stage.play = "free"
    here.stage.save()
    slip(here, 0, 1, 2, 3, chips=(3, 0, -1, -2))

    book = signed_in(here.charlie).get(reverse("open_play:file", args=[here.slug, here.stage.pk]))
    head, *rows = openpyxl.load_workbook(io.BytesIO(book.content)).active.values
    assert {row[-1]: row[head.index("Chips")] for row in rows} == {"p1": 3, "p2": None, "p3": -1, "p4": -2}


@pytest.mark.parametrize("typed", ["emile o’neill", "Emile O'Neill", "o‘nei", "oneill"])
def test_a_slip_finds_names_without_accents_and_with_any_apostrophe(here, typed):
    Player.objects.filter(pk=here.players[0].pk).update(name="Émile O'Neill")
    names = {f"name_{wind}": here.players[at].name for at, wind in ((1, "south"), (2, "west"), (3, "north"))}
    scores = {"east": "450", "south": "350", "west": "250", "north": "150", "sticks": "0"}

    saved = post(signed_in(here.charlie), place("results:slip", here), name_east=typed, **names, **scores)

    assert saved.status_code == 200
    assert Seat.objects.get(round__stage=here.stage, wind=0).player == here.players[0]


def test_each_evening_keeps_its_own_fee_and_begins_with_that_of_the_one_before(here):
    october, november = TONIGHT - timedelta(days=28), TONIGHT
    for on, fee in ((october, 50), (november, 80)):
        come(here, 0, 1, on=on)
        set_fee(stage=here.stage, on=on, fee=Decimal(fee), guest_fee=None, by=here.alice)
    come(here, 2, on=october)
    set_fee(stage=here.stage, on=october, fee=Decimal(60), guest_fee=None, by=here.alice)
    come(here, 0, on=november + timedelta(days=7))
    come(here, 0, on=october - timedelta(days=7))

    fees = Presence.objects.order_by("day", "pk").values_list("day__month", "day__day", "fee")
    assert list(fees) == [(4, 1, None), *[(4, 8, 60)] * 3, *[(5, 6, 80)] * 2, (5, 13, 80)]
    here.stage.refresh_from_db()
    assert here.stage.fee == 80


def test_the_migration_keeps_the_fee_of_the_next_evening(here):
    come(here, 0, on=TONIGHT - timedelta(days=7))
    come(here, 1)
    Evening.objects.all().delete()
    Presence.objects.update(fee=5, paid=True)
    Stage.objects.filter(pk=here.stage.pk).update(fee=8, guest_fee=3)

    import_module("league.migrations.0013_evenings").keep_fees(apps, connection.schema_editor())

    assert list(Evening.objects.values_list("fee", "guest_fee")) == [(5, 3), (8, 3)]


def test_an_amount_is_understood_with_a_comma_and_refused_in_the_readers_language(here):
    alice, address = signed_in(here.alice), place("open_play:fee", here)
    for typed, fee in (("8,50", "8.50"), ("８．５", "8.50"), ("1,000", "1000"), ("1.000,50", "1000.50")):
        post(alice, address, fee=typed)
        assert Evening.objects.get().fee == Decimal(fee), typed
    alice.cookies["django_language"] = "ja"
    for typed in ("-1", "8,5,0", "0.500", "eight", "1000000"):
        answer = post(alice, address, fee=typed)
        assert (answer.status_code, "100万未満" in answer.content.decode()) == (422, True), typed
    assert Evening.objects.get().fee == Decimal("1000.50")


def test_another_day_is_found_before_it_has_a_table(here):
    charlie, april = signed_in(here.charlie), date(2026, 4, 1)
    tonight = reverse("open_play:tonight", args=[here.slug, here.stage.pk])
    come(here, 0, on=april)

    assert charlie.get(tonight, {"day": "2026-04-01"}).url == place("open_play:evening", here, april)
    assert charlie.get(tonight, {"day": "soon"}).url.endswith(f"/{day_of_play(here.competition)}/")
    assert f'href="{place("open_play:evening", here, april)}"' in shown(charlie, here)


# --- a season of seated rounds


@pytest.mark.slow
def test_an_evening_of_seated_rounds_draws_a_round_and_takes_its_results(here):
    here.stage.play = "rounds"
    here.stage.save()
    today, charlie = timezone.localdate(), signed_in(here.charlie)
    come(here, *range(9), on=today)

    post(charlie, place("open_play:draw", here))
    round_ = Round.objects.get(stage=here.stage)
    first, second = round_.tables.order_by("number")
    facts = (round_.status, round_.visibility, round_.date, round_.method, round_.sitting_out.count())
    assert facts == ("open", "results", today, "random", 1)
    page = shown(charlie, here)
    assert [word in page for word in ("Evening", "Round 1, table 2", "Enter a score sheet")] == [1, 1, 0]
    scores = {"east": "450", "south": "350", "west": "250", "north": "150"}
    for table in (first, second):
        post(charlie, place("results:slip", here), **sheet_of(table), **scores)
    post(charlie, place("open_play:draw", here))

    assert Sheet.objects.filter(table__round=round_).count() == 2
    assert Round.objects.filter(stage=here.stage, number=2, status="open").count() == 1
    assert Presence.objects.filter(sat_out=1).count() == 2

    closed = Table.objects.get(round__number=2, number=1)
    Round.objects.filter(pk=closed.round_id).update(status="closed")
    refused = post(charlie, place("results:slip", here), **sheet_of(closed), **scores).content.decode()
    slip_of_table = refused.split(f'name="table" value="{closed.pk}"')[1].split("</form>")[0]
    assert "alert alert-danger" in slip_of_table


def test_a_tournament_has_a_list_of_attendance_and_draws_nothing(here):
    here.stage.play = "rounds"
    here.stage.save()
    Competition.objects.update(kind="event")
    come(here, *range(9), on=timezone.localdate())
    charlie = signed_in(here.charlie)

    page = shown(charlie, here)
    assert ("Attendance" in page, place("open_play:draw", here) in page) == (True, False)
    answer = post(charlie, place("open_play:draw", here))
    assert "The organizer seats the tables of this stage" in answer.content.decode()
    assert post(signed_in(here.alice), place("open_play:fee", here), fee="1").status_code == 404
    assert not Round.objects.filter(stage=here.stage).exists()


def test_the_page_of_rankings_names_the_awards(here):
    come(here, 0, 1, 2, 3)
    slip(here, 0, 1, 2, 3)
    address = reverse("standings:rankings", args=[here.slug, here.division.slug, here.stage.slug])
    page = Client().get(address).content.decode()
    awards = page.split('id="awards"')[1].split("</section>")[0]
    assert (here.players[0].name in awards, "45,000" in awards) == (True, True)
