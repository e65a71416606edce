"""Faults that users of other programs report, each as a phone at a table meets them."""

import uuid

import pytest

from league.models import HandEntry
from league.play.hands.queries import table_game
from scoring.hanchan import Chombo, Hand, Nagashi, Riichi, Ron
from scoring.presets import resolve
from scoring.settlement import settle
from tests.factories import club
from tests.hands import phone_at
from tests.module_fixtures import module_fixture
from tests.scoring.hanchan_logs import draw, mangan, riichi, ron, tsumo, win

pytestmark = pytest.mark.django_db
RULES = resolve("mleague")
CHOMBO = Hand(outcome=Chombo((0,)))


@module_fixture
def spring():
    made = club("spring", preset="mleague")
    made.add_round()
    return made


@module_fixture
def kanto():
    overrides = {"multiple_ron": "double", "chombo": "reverse_mangan", "chombo_timing": "in_game"}
    made = club("kanto", preset="mleague", overrides=overrides | {"nagashi_mangan": True})
    made.add_round()
    return made


def test_a_hand_that_a_bad_network_sends_three_times_is_one_hand(spring):
    phone, key = phone_at(spring.table()), uuid.uuid4()
    answers = [phone.send("hand", tsumo(1).as_values(), key=key) for _again in range(3)]
    assert [answer.json()["saved"] for answer in answers] == [str(key)] * 3
    assert [answer.json()["number"] for answer in answers] == [1, 1, 1]
    assert HandEntry.objects.count() == 1


def test_two_equal_hands_with_two_keys_are_two_hands(spring):
    phone = phone_at(spring.table())
    phone.play(draw(0))
    state = phone.play(draw(0))
    assert (len(state["hands"]), state["hand"]) == (2, "E1.2")


def test_a_chombo_sent_again_is_paid_once_although_round_and_honba_stay_equal(kanto):
    phone, key = phone_at(kanto.table()), uuid.uuid4()
    first = phone.send("hand", CHOMBO.as_values(), key=key).json()
    again = phone.send("hand", CHOMBO.as_values(), key=key).json()
    assert first["state"]["points"] == again["state"]["points"] == [13000, 29000, 29000, 29000]
    assert again["state"]["hand"] == "E1.0.1"


def test_a_chombo_entered_by_two_phones_asks_the_second_one(kanto):
    one, other = phone_at(kanto.table()), phone_at(kanto.table())
    one.play(CHOMBO)
    answer = other.send("hand", CHOMBO.as_values())
    assert answer.status_code == 409
    assert [each["kind"] for each in answer.json()["conflict"]] == ["hand"]
    assert answer.json()["state"]["points"] == [13000, 29000, 29000, 29000]


@pytest.mark.slow
def test_the_last_hand_of_a_game_can_be_undone(spring):
    phone = phone_at(spring.table())
    for _hand in range(7):
        phone.play(draw())
    end = phone.play(tsumo(1, mangan(RULES)))
    assert (end["over"], end["over_words"]) == ("length", "the last hand was played")
    number = end["hands"][-1]["number"]
    assert phone.send("hand", draw().as_values()).status_code == 422
    back = phone.press("remove", {}, target=number)
    assert (back["over"], len(back["hands"]), back["points"]) == (None, 7, [25000] * 4)


def test_undoing_a_hand_declares_its_riichi_again(spring):
    phone = phone_at(spring.table())
    phone.play(ron(1, 2, riichi=riichi(1, 3)))
    state = phone.press("remove", {}, target=1)
    assert (state["riichi"], state["points_now"], state["deposits_now"]) == (
        [1, 3],
        [25000, 24000, 25000, 24000],
        2000,
    )


def test_points_and_sticks_are_always_those_of_the_start_in_sum(spring):
    phone = phone_at(spring.table())
    for hand in (draw(0, riichi=riichi(0)), ron(1, 2, riichi=riichi(3)), draw(1, 2, riichi=riichi(1, 2))):
        state = phone.play(hand)
        assert sum(state["points"]) + state["deposits"] == 100_000
    state = phone.press("riichi", {"seats": [0]})
    assert sum(state["points_now"]) + state["deposits_now"] == 100_000
    assert state["deposits"] == 2000


@pytest.mark.slow
def test_sticks_left_over_go_to_the_first_as_the_rule_set_says(spring):
    phone = phone_at(spring.table())
    for _hand in range(7):
        phone.play(draw())
    phone.play(draw(riichi=()))  # the last hand: all noten
    state = phone.see()
    assert state["over"] == "length"
    phone.press("correct", draw(1, riichi=riichi(1)).as_values(), target=state["hands"][-1]["number"])
    game = table_game(spring.table()).game
    assert game is not None
    assert (game.points, game.deposits) == ((24000, 27000, 24000, 24000), 1000)
    settled = settle(game.points, game.rules, sticks=game.deposits, last_dealer=game.last_dealer)
    assert sum(seat.score for seat in settled) == 0


def test_the_middle_winner_of_three_is_the_one_who_is_not_nearest_nor_farthest(kanto):
    """Head bump pays the nearest of two, double ron two of three: each winner can be any seat."""
    phone = phone_at(kanto.table())
    hand = Hand(outcome=Ron(tuple(win(seat) for seat in (1, 2, 3)), 0))
    state = phone.play(hand)
    assert [change > 0 for change in state["hands"][0]["changes"]] == [False, True, True, False]
    only = Hand(outcome=Ron((win(2),), 0))
    state = phone.press("correct", only.as_values(), target=1)
    assert state["hands"][0]["changes"] == [-1000, 0, 1000, 0]


def test_tenpai_is_kept_beside_nagashi_mangan(kanto):
    phone = phone_at(kanto.table())
    state = phone.play(Hand(outcome=Nagashi((2,), tenpai=(0,)), riichi=(Riichi(0),)))
    assert state["hands"][0]["facts"]["outcome"]["tenpai"] == [0]
    assert state["hand"] == "E1.1"  # the dealer is tenpai and stays
    assert state["hands"][0]["changes"] == [-5000, -2000, 8000, -2000]


@pytest.mark.parametrize(("preset", "places"), [("mleague", [3, 1, 1, 3]), ("tenhou", [3, 1, 2, 4])])
def test_equal_points_in_the_middle_of_a_game_have_the_places_of_the_rule_set(preset, places):
    """Players share a place (M.League), or the seat decides (Tenhou)."""
    made = club("equal", preset=preset)
    made.add_round()
    phone_at(made.table()).play(draw(1, 2))
    game = table_game(made.table()).game
    assert game is not None
    assert game.points == (23500, 26500, 26500, 23500)
    settled = settle(game.points, game.rules, sticks=game.deposits, last_dealer=game.last_dealer)
    assert [seat.place for seat in settled] == places
