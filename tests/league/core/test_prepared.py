"""Queries that are compiled once find what Django's own find."""

import pytest
from django.forms.models import model_to_dict

from league.core.prepared import PreparedRow
from league.models import Competition
from tests.factories import Club, club

pytestmark = pytest.mark.django_db


@pytest.fixture
def spring() -> Club:
    return club("spring")


def all_of(competition: Competition) -> tuple[dict[str, object], dict[str, object]]:
    return (
        {field.attname: getattr(competition, field.attname) for field in competition._meta.concrete_fields},
        model_to_dict(competition.league),
    )


COMPETITIONS = PreparedRow(Competition, by="slug", related="league")


def test_a_row_is_the_one_that_the_query_has_with_its_related_row(spring, django_assert_num_queries):
    autumn = club("autumn", visibility="private")

    with django_assert_num_queries(1):
        found = COMPETITIONS.find("spring")
        shown = found.league.name
    again = COMPETITIONS.find("autumn")

    assert shown == "Club spring"
    assert all_of(found) == all_of(Competition.objects.get(slug="spring"))
    assert all_of(again) == all_of(Competition.objects.get(pk=autumn.competition.pk))
    assert (found._state.db, found._state.adding) == ("default", False)


def test_a_row_that_is_not_there_is_not_found(spring):
    Competition.objects.filter(slug="spring").update(is_draft=True)
    assert COMPETITIONS.find("spring") is None
    assert COMPETITIONS.find("winter") is None
