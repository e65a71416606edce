"""People of a competition, as lists show them."""

import pytest

from league.people.members.queries import seats_with_people, who_sits
from players.models import Club, Player
from tests.factories import club

pytestmark = pytest.mark.django_db


def test_who_sits_at_a_table_is_read_with_the_club():
    here = club()
    here.add_round()
    dragons = Club.objects.create(register=here.league.register, name="Dragons")
    Player.objects.filter(pk=here.players[0].pk).update(club=dragons)
    seats = seats_with_people(here.competition).filter(table=here.table()).order_by("wind")
    assert [who_sits(seat).club for seat in seats] == ["Dragons", "", "", ""]
