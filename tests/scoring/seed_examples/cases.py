"""The cases of the file, and what several tests of them use."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from scoring.payments import Payment, Win, hand_value, pay_win
from scoring.rules import Rules

Case = dict[str, Any]
Test = Callable[[Case], None]

EAST, SOUTH, WEST, NORTH = range(4)
SEAT = {"E": EAST, "S": SOUTH, "W": WEST, "N": NORTH}

FILE = Path(__file__).parents[2] / "data" / "seed_examples.json"
CASES: dict[str, Case] = {
    case["id"]: case
    for case in json.loads(FILE.read_text(encoding="utf-8"), parse_float=Fraction)["examples"]
}
TESTED: list[str] = []


def example(*ids: str) -> Callable[[Test], Any]:
    """Runs a test for each of these cases of the file."""
    TESTED.extend(ids)
    return pytest.mark.parametrize("case", [pytest.param(CASES[each], id=each) for each in ids])


def tenths(score: int | Fraction) -> int:
    found = Fraction(score) * 10
    assert found.denominator == 1
    return found.numerator


def win(winner: int, han: int, fu: int, rules: Rules) -> Win:
    return Win(winner, hand_value(han, fu, rules))


def won(
    one: Win, loser: int | None, rules: Rules, *, dealer: int = EAST, honba: int = 0, deposits: int = 0
) -> Payment:
    return pay_win([one], loser=loser, dealer=dealer, honba=honba, deposits=deposits, rules=rules)


def sums(payment: Payment) -> dict[str, int]:
    """What was paid in all for each reason."""
    return {
        reason: sum(each.points for each in payment.transfers if each.reason == reason)
        for reason in {each.reason for each in payment.transfers}
    }
