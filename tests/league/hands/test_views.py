"""The pages of a table's hands: who comes in, the answers of `write`, the state and its ETag."""

import pytest

from tests.factories import club
from tests.hands import phone_at
from tests.module_fixtures import module_fixture
from tests.scoring.hanchan_logs import tsumo

pytestmark = pytest.mark.django_db


@module_fixture
def spring():
    made = club("spring", preset="mleague")
    made.add_round()
    return made


def test_a_phone_with_the_code_keeps_a_hand(spring):
    table = spring.table()
    phone = phone_at(table)
    assert phone.see()["keeps_points"] is False
    state = phone.play(tsumo(1))
    assert (state["points"], state["hand"]) == ([24500, 26100, 24700, 24700], "E2.0")
    table.refresh_from_db()
    assert table.hand == "E2.0"
