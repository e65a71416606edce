"""Prepared queries answer what their queryset would, with the arguments of each call."""

from threading import Thread

import pytest
from django.db import connection
from django.db.models import BigAutoField, CharField, F, Model, SlugField
from django.test.utils import CaptureQueriesContext

from league.core.prepared import Argument, Prepared, PreparedUpdate
from league.models import Competition, Role, Sheet, Table
from tests.factories import Club, club

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

SPRING = (28700, 31200, 25000, 35100)


@pytest.fixture
def spring() -> Club:
    return club()


def columns_of(row: Model) -> dict[str, object]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def by_slug() -> Prepared[Competition]:
    found = Competition.objects.select_related("league")
    return Prepared(lambda: found.filter(slug=Argument("slug", SlugField())))


def test_each_call_has_its_own_arguments_and_rows(spring):
    autumn, find = club("autumn"), by_slug()

    for made in (spring, autumn, spring):
        with CaptureQueriesContext(connection) as queries:
            (found,) = find(slug=made.slug)
            assert found.league.name == f"Club {made.slug}"
        assert len(queries) == 1
        assert columns_of(found) == columns_of(Competition.objects.get(pk=made.competition.pk))
        assert columns_of(found.league) == columns_of(made.league)
        assert (found._state.db, found._state.adding) == ("default", False)
    assert find(slug="winter") == []
    Competition.objects.filter(slug="autumn").update(is_draft=True)
    assert find(slug="autumn") == []


def test_an_argument_may_be_needed_twice_and_joined_columns_be_missing(spring):
    spring.add_round()
    spring.record(SPRING)
    number = Argument("number", BigAutoField())
    find = Prepared(
        lambda: (
            Table.objects.filter(number=number, round__number=number)
            .annotate(entered=F("sheets__entered_at"))
            .values_list("number", "entered")
        )
    )

    assert find(number=1) == [(1, Sheet.objects.get().entered_at)]
    spring.add_round()
    assert find(number=2) == [(2, None)]


def test_queries_that_are_put_together_can_be_prepared(spring):
    kinds = Role.objects.order_by().values_list("kind")
    one, other = Argument("one", CharField()), Argument("other", CharField())
    find = Prepared(lambda: kinds.filter(kind=one).union(kinds.filter(kind=other)))

    assert sorted(find(one="referee", other="scorer")) == [("referee",), ("scorer",)]
    assert find(one="referee", other="none") == [("referee",)]


def test_an_update_changes_the_rows_of_each_call(spring):
    autumn = club("autumn")
    found = Competition.objects.filter(slug=Argument("slug", SlugField()))
    rename = PreparedUpdate(lambda: found, name="Renamed", revision=F("revision") + 1)
    before = {each.pk: each.revision for each in Competition.objects.all()}

    for made in (spring, autumn, autumn):
        rename(slug=made.slug)

    rows = Competition.objects.values_list("pk", "name", "revision")
    assert {(pk, name, revision - before[pk]) for pk, name, revision in rows} == {
        (spring.competition.pk, "Renamed", 1),
        (autumn.competition.pk, "Renamed", 2),
    }


@pytest.mark.parametrize("pk", [2**63, -(2**64), 10**40])
def test_a_number_that_no_row_can_have_finds_none(pk):
    assert Prepared(lambda: Table.objects.filter(pk=Argument("pk", BigAutoField())))(pk=pk) == []


@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_by_its_own_connection():
    find, used = by_slug(), []
    find(slug="none")

    def ask() -> None:
        with CaptureQueriesContext(connection) as queries:
            find(slug="none")
        used.append(len(queries))
        connection.close()

    thread = Thread(target=ask)
    thread.start()
    thread.join()
    assert used == [1]
