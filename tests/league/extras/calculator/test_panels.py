"""Links to the calculator."""

import pytest

from league.extras.calculator.panels import calculator_at, calculator_with
from tests.factories import club

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("hand", "rest"), [("S4.2", "&round=1&honba=2"), ("E1.0", ""), ("", ""), ("?1", "")], ids=ascii
)
def test_a_table_opens_the_calculator_with_its_rules_and_what_is_known_of_its_hand(hand, rest):
    here = club()
    here.add_round()
    table = here.table()
    table.hand = hand

    assert calculator_at(table) == f"/hand/?rules=c%3Aspring%3Amain{rest}"


def test_the_way_from_practice_names_its_rules_also_if_they_are_the_usual_ones():
    assert calculator_with("ema-2025") == "/hand/?rules=ema-2025"
