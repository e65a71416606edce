"""Phones that send at the same moment: the database decides."""

import uuid

import pytest

from league.models import HandEntry
from league.play.hands.services import add_entry
from tests.factories import club
from tests.races import at_once
from tests.scoring.hanchan_logs import tsumo

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_key_sent_by_four_at_once_is_one_hand():
    made = club("race", preset="mleague")
    made.add_round()
    table, key = made.table(), uuid.uuid4()
    facts = tsumo(1).as_values()
    jobs = [lambda: add_entry(table=made.table(), key=key, kind="hand", facts=facts, based_on=0, by=None)] * 4
    found = at_once(*jobs)
    assert {each.number for each in found} == {1}
    assert HandEntry.objects.filter(table=table).count() == 1


def test_of_two_phones_at_once_the_second_is_asked():
    made = club("race", preset="mleague")
    made.add_round()
    facts = tsumo(1).as_values()

    def press() -> HandEntry:
        return add_entry(table=made.table(), key=uuid.uuid4(), kind="hand", facts=facts, based_on=0, by=None)

    found = at_once(press, press)
    assert sorted(type(each).__name__ for each in found) == ["Behind", "HandEntry"]
