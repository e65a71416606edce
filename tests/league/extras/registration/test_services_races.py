"""Two people confirm the last place at once."""

import pytest

from league.extras.registration.services import confirm
from league.models import Registrant
from tests.factories import club
from tests.league.extras.registration.kit import SITE, State, names, open_registration, roster, sign_up
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 4


def test_one_of_many_who_confirm_at_once_gets_the_last_place():
    spring = club(players=0)
    registration = open_registration(spring, places=1)
    people = [sign_up(registration, f"Person {number}") for number in range(MANY)]

    answers = at_once(*(lambda each=each: confirm(registrant=each, site=SITE) for each in people))

    assert all(isinstance(answer, Registrant) for answer in answers), answers
    assert len(names(registration, State.ACCEPTED)) == 1
    assert len(names(registration, State.WAITING)) == MANY - 1
    assert roster(spring) == set(names(registration, State.ACCEPTED))


def test_without_a_waiting_list_the_others_are_refused():
    spring = club(players=0)
    registration = open_registration(spring, places=1, has_waiting_list=False)
    people = [sign_up(registration, f"Person {number}") for number in range(MANY)]

    answers = at_once(*(lambda each=each: confirm(registrant=each, site=SITE) for each in people))

    assert sorted(str(answer) for answer in answers)[:-1] == ["All places are taken."] * (MANY - 1)
    assert len(roster(spring)) == 1
