"""Who organizes which competitions, asked at once and one by one."""

import pytest
from django.contrib.auth.models import AnonymousUser, User

from league.core.access import organized_by
from league.models import Competition, Role
from tests.factories import club, roles_of, user

pytestmark = pytest.mark.django_db


def test_the_competitions_that_a_person_organizes_are_those_of_their_roles_and_leagues():
    spring, autumn = club("spring"), club("autumn")
    zoe = user("zoe")
    Role.objects.create(competition=autumn.competition, user=zoe, kind=Role.Kind.ORGANIZER)
    Role.objects.create(competition=autumn.competition, user=zoe, kind=Role.Kind.SCORER)
    spring.league.owners.add(yann := user("yann"))
    root = User.objects.create_superuser("root")
    every = Competition.objects.order_by("pk")

    people = (spring.alice, spring.charlie, zoe, yann, root, user("mallory"), AnonymousUser())
    found = [[each.slug for each in organized_by(person, every)] for person in people]

    assert found == [["spring"], [], ["autumn"], ["spring"], ["spring", "autumn"], [], []]
    for person, organized in zip(people, found, strict=True):
        assert organized == [each.slug for each in every if Role.Kind.ORGANIZER in roles_of(person, each)]
