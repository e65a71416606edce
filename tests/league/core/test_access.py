"""Who organizes and sees which competitions, asked at once and one by one."""

import pytest
from django.contrib.auth.models import AnonymousUser, User

from league.core.access import inside_of, organized_by, visible_competitions
from league.models import Competition, Role
from league.organizing.competitions.services import create_competition
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


def test_the_inside_of_a_competition_is_for_its_staff_and_the_owners_of_the_league():
    spring, elsewhere = club("spring"), club("elsewhere")
    autumn = create_competition(
        league=spring.league, name="Autumn", rules=spring.division.rule_set, by=spring.alice
    )
    zoe = user("zoe")
    for competition, kind in (
        (spring.competition, Role.Kind.REFEREE),
        (autumn, Role.Kind.PLAYER),
        (elsewhere.competition, Role.Kind.SCORER),
    ):
        Role.objects.create(competition=competition, user=zoe, kind=kind)
    both = {spring.competition.pk, autumn.pk}
    root = User.objects.create_superuser("root")

    people = (spring.alice, root, zoe, spring.dora, elsewhere.alice, AnonymousUser())

    assert [inside_of(person, spring.league) for person in people] == [
        *(both, both, {spring.competition.pk}, set(), set(), set()),
    ]


def test_a_private_competition_is_visible_to_its_people_and_the_owners_of_its_league():
    public, private = club("spring"), club("autumn", visibility="private")
    private.league.owners.add(yann := user("yann"))
    root = User.objects.create_superuser("root")

    people = (yann, private.dora, root, public.alice, public.dora, AnonymousUser())
    found = [{each.slug for each in visible_competitions(person)} for person in people]

    assert found == [{"spring", "autumn"}] * 3 + [{"spring"}] * 3
    assert visible_competitions(yann).filter(slug="autumn").count() == 1
