"""The shapes of a keeper's day: what can end a hand or a game, entered at a table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from scoring.hanchan import Abort, Chombo, Hand, Nagashi, Riichi, Ron, Scores
from scoring.payments import HandValue, Liability, Win, yakuman_value
from scoring.presets import resolve
from tests.factories import club
from tests.hands import Phone, keep_hands, phone_at
from tests.scoring.hanchan_logs import draw, mangan, riichi, ron, tsumo, win

pytestmark = pytest.mark.django_db
PLAIN = resolve("mleague")
YAKUMAN = yakuman_value(1, PLAIN)
IN_GAME = {"chombo": "reverse_mangan", "chombo_timing": "in_game"}
WEST_ROUND = {"extension": "sudden_death", "target_points": 30000}


@dataclass(frozen=True)
class Shape:
    """Hands under M.League's rules with other settings: the changes of the last one, and what follows.

    `refused`: words of the sentence if the last hand cannot be.
    """

    hands: tuple[Hand, ...]
    changes: tuple[int, int, int, int] = (0, 0, 0, 0)
    hand: str = ""
    over: str | None = None
    refused: str = ""
    rules: dict[str, Any] | None = None


def rons(loser: int, *winners: int, **facts: Any) -> Hand:
    return Hand(outcome=Ron(tuple(win(seat) for seat in winners), loser), **facts)


def pao(player: int) -> Liability:
    return Liability(player, "daisangen")


def draws(count: int) -> tuple[Hand, ...]:
    return (draw(),) * count


LAST = draws(7)  # south 4 follows, with the honba of seven draws
LEADS = (*LAST[:-1], draw(3))  # north leads before the last hand, in which north deals
THREE_MANGAN = tuple(ron(seat, 0, mangan(PLAIN)) for seat in (1, 2, 3))  # east has 1,000 points left
NO_DEBT = {"riichi_below_1000": False}
SHAPES = {
    "double ron": Shape((rons(0, 1, 2),), (-2000, 1000, 1000, 0), "E2.0", rules={"multiple_ron": "double"}),
    "triple ron": Shape(
        (rons(0, 1, 2, 3),), (-3000, 1000, 1000, 1000), "E2.0", rules={"multiple_ron": "triple"}
    ),
    "triple ron aborts": Shape((rons(0, 1, 2, 3),), hand="E1.1", rules={"multiple_ron": "triple_aborts"}),
    "head bump": Shape((rons(3, 1, 2),), (0, 1000, 0, -1000), "E2.0"),
    "pao by ron": Shape((ron(1, 0, YAKUMAN, pao(2)),), (-16000, 32000, -16000, 0), "E2.0"),
    "pao by tsumo": Shape((tsumo(1, YAKUMAN, pao(2)),), (0, 32000, -32000, 0), "E2.0"),
    "nagashi with tenpai": Shape(
        (Hand(outcome=Nagashi((1,), tenpai=(0, 2))),),
        (-4000, 8000, -2000, -2000),
        "E1.1",
        rules={"nagashi_mangan": True},
    ),
    "four riichi": Shape(
        (Hand(outcome=Abort("suucha_riichi"), riichi=riichi(0, 1, 2, 3)),),
        (-1000, -1000, -1000, -1000),
        "E1.1",
        rules={"abortive_draws": ["suucha_riichi"]},
    ),
    "four riichi and a win": Shape(
        (tsumo(1, riichi=riichi(0, 1, 2, 3)),),
        refused="The fourth riichi ends the hand.",
        rules={"abortive_draws": ["suucha_riichi"]},
    ),
    "west round": Shape((*LAST, draw()), (0, 0, 0, 0), "W1.8", rules=WEST_ROUND),
    "west round ends at the target": Shape(
        (*LAST, draw(), tsumo(1, mangan(PLAIN))),
        (-4800, 10400, -2800, -2800),
        over="target",
        rules=WEST_ROUND,
    ),
    "bust by a draw": Shape(
        (*THREE_MANGAN, draw(1, 2)), (-1500, 1500, 1500, -1500), over="bust", rules={"bust": True}
    ),
    "riichi at 1,000": Shape(
        (*THREE_MANGAN, draw(0, riichi=riichi(0))), (2000, -1000, -1000, -1000), rules=NO_DEBT
    ),
    "riichi below 1,000": Shape(
        (*THREE_MANGAN, ron(1, 0), draw(0, riichi=riichi(0))),
        refused="Riichi requires 1,000 points",
        rules=NO_DEBT,
    ),
    "chombo in the last hand": Shape(
        (*LAST, Hand(outcome=Chombo((1,)))), (2000, -8000, 2000, 4000), "S4.7.1", rules=IN_GAME
    ),
    "agari-yame": Shape(
        (*LEADS, tsumo(3, mangan(PLAIN))),
        (-4700, -4700, -4700, 14100),
        over="agari_yame",
        rules={"agari_yame": True},
    ),
    "agari-yame refused": Shape((*LEADS, ron(3, 1)), (0, -3600, 0, 3600), "S4.8"),
    "the bell": Shape((draw(bell=True),), hand="", over="time", rules={"minutes": 60, "extra_hands": 0}),
    "the bell and one more hand": Shape(
        (draw(bell=True), draw()), hand="", over="time", rules={"minutes": 60, "extra_hands": 1}
    ),
    "a bell without a clock": Shape((draw(bell=True),), refused="These rules have no time limit."),
    "mangan, fu unknown": Shape(
        (ron(1, 0, HandValue(base=2000, han=4, limit="mangan")),), (-8000, 8000, 0, 0), "E2.0"
    ),
    "a ron whose discarder nobody remembers": Shape(
        (Hand(outcome=Scores((24000, 27000, 25000, 24000), False, (1,), "ron")),),
        (-1000, 2000, 0, -1000),
        "E2.0",
    ),
    "only the scores are known": Shape(
        (Hand(outcome=Scores((24000, 26000, 25000, 24000), True)),), (-1000, 1000, 0, -1000), "E1.1"
    ),
    "basic points of no hand": Shape(
        (ron(1, 0, HandValue(base=1234)),), refused="The nearest value is 2 han 80 fu."
    ),
    "20 fu and one han": Shape(
        (ron(1, 0, HandValue(base=160, han=1, fu=20)),), refused="The nearest value is 1 han 30 fu."
    ),
    "a winner under a ban": Shape((tsumo(1, win_bans=(1,)),), refused="may not win this hand"),
    "riichi is void on a tile that is won": Shape(
        (Hand(outcome=Ron((Win(1, HandValue(base=240, han=1, fu=30)),), 0), riichi=(Riichi(0, "won"),)),),
        (-1000, 1000, 0, 0),
        "E2.0",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_what_can_end_a_hand_is_entered_and_paid(name):
    shape = SHAPES[name]
    *before, last = shape.hands
    phone = phone_after(before, shape.rules or {})
    answer = phone.send("hand", last.as_values())
    if shape.refused:
        assert answer.status_code == 422
        assert shape.refused in " ".join(answer.json()["refused"])
        return
    state = answer.json()["state"]
    assert answer.status_code == 200
    assert (tuple(state["hands"][-1]["changes"]), state["over"]) == (shape.changes, shape.over)
    if shape.hand:
        assert state["hand"] == shape.hand


def phone_after(hands: Sequence[Hand], settings: dict[str, Any]) -> Phone:
    made = club("spring", preset="mleague", overrides=settings)
    made.add_round()
    table = made.table()
    keep_hands(table, hands)
    return replace(phone_at(table), known=len(hands))
