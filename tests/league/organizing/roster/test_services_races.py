"""Several people at once: one link is good for one of them, one list is entered once."""

import pytest

from league.models import Role
from league.organizing.roster.services.roster import Imported, import_roster
from league.people.members.services import accept_invitation, invite
from players.models import Player
from tests.factories import club, user
from tests.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

MANY = 6


def test_one_of_many_who_open_a_link_at_once_gets_the_role():
    spring = club()
    invitation = invite(competition=spring.competition, kind=Role.Kind.SCORER, by=spring.alice)
    people = [user(f"zoe{number}") for number in range(MANY)]

    answers = at_once(
        *(lambda person=person: accept_invitation(invitation=invitation, by=person) for person in people)
    )

    assert sum(isinstance(answer, Role) for answer in answers) == 1
    assert Role.objects.filter(user__in=people).count() == 1


def test_one_list_imported_by_several_at_once_is_entered_once():
    spring = club()

    answers = at_once(
        *(
            lambda: import_roster(competition=spring.competition, text="新人\nZoë", by=spring.alice)
            for _ in range(MANY)
        )
    )

    assert sorted(answers, key=str) == [
        *[Imported(new=0, same=0, skipped=2)] * (MANY - 1),
        Imported(new=2, same=0, skipped=0),
    ]
    assert Player.objects.filter(name__in=["新人", "Zoë"]).count() == 2
