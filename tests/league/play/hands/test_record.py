"""A game of M.League, entered hand by hand at a table, ends as it was published."""

import pytest

from league.play.hands.queries import table_game
from scoring.hanchan import Hand, Riichi
from scoring.presets import resolve
from scoring.settlement import settle
from tests.factories import club
from tests.hands import phone_at
from tests.scoring.test_hanchan_records import mleague_game, mleague_outcome

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_a_hanchan_of_mleague_ends_as_it_was_published():
    made, rules, record = club("spring", preset="mleague"), resolve("mleague"), mleague_game()
    made.add_round()
    phone = phone_at(made.table())
    for hand in record.hands:
        state = phone.see()
        assert state["points"] == record.turned(hand["start"])
        assert (record.names[state["dealer"]], state["honba"]) == (hand["dealer"], hand["honba"])
        declared = [record.names.index(name) for name in hand["riichi"]]
        for count in range(len(declared)):
            phone.press("riichi", {"seats": declared[: count + 1]})
        outcome = mleague_outcome(hand, record, rules)
        state = phone.play(Hand(outcome=outcome, riichi=tuple(map(Riichi, declared))))
        assert state["hands"][-1]["changes"] == record.turned(hand["deltas"])
    assert (len(state["hands"]), state["over"], state["points"]) == (11, "length", record.final)
    game = table_game(made.table()).game
    assert game is not None
    table = settle(game.points, rules, sticks=game.deposits, last_dealer=game.last_dealer)
    assert [seat.score for seat in table] == [round(10 * score) for score in record.official]
