"""The head of a competition: its contents for each audience, and when a competition is over."""

from datetime import date, timedelta

import pytest

from league.models import Round
from league.organizing.competitions.queries.head import Head, head_of
from league.play.rounds.services import close_round
from tests.factories import Club, club

DAY = date(2025, 4, 5)


@pytest.fixture
def spring(db) -> Club:
    return club("spring", players=4)


def on(round_: Round, day: date, **values: object) -> None:
    Round.objects.filter(pk=round_.pk).update(date=day, **values)


def found(made: Club, *, public: bool = True, today: date = DAY) -> Head:
    return head_of(made.competition, public=public, today=today)


def test_before_the_first_round_the_head_counts_the_players_alone(spring):
    assert found(spring) == Head(players=4)


def test_an_open_round_is_going_on(spring):
    on(spring.add_round(), DAY)
    on(spring.add_round(opened=False), DAY + timedelta(7), status=Round.Status.PLANNED)

    assert found(spring, public=False) == Head(
        players=4, first=DAY, last=DAY + timedelta(7), now=1, up_to=1, rounds=2, next=DAY + timedelta(7)
    )


def test_visitors_read_the_planned_number_of_rounds_and_not_those_they_see(spring):
    spring.add_round()
    spring.add_round(visibility=Round.Visibility.HIDDEN)

    assert (found(spring).rounds, found(spring, public=False).rounds) == (0, 2)
    spring.division.stages.update(planned_rounds=5)
    assert (found(spring).rounds, found(spring, public=False).rounds) == (5, 5)


def test_the_public_knows_nothing_of_hidden_rounds(spring):
    on(spring.add_round(visibility=Round.Visibility.HIDDEN), DAY)

    assert found(spring, public=False).now == 1
    assert found(spring) == Head(players=4)


def test_visitors_count_only_closed_rounds_with_results(spring):
    close_round(round_=spring.add_round(), by=spring.alice)
    close_round(round_=spring.add_round(visibility=Round.Visibility.SEATING), by=spring.alice)

    assert [found(spring, public=public).played for public in (True, False)] == [1, 2]


def test_a_league_is_over_some_weeks_after_its_last_published_round(spring):
    round_ = spring.add_round()
    spring.record((45_000, 35_000, 25_000, 15_000))
    close_round(round_=round_, by=spring.alice)
    on(round_, DAY)

    soon, later = (found(spring, today=DAY + timedelta(days)) for days in (7, 90))

    assert (soon.played, soon.is_over) == (1, False)
    assert later.is_over
    on(round_, date.max)
    assert not found(spring).is_over


def test_it_is_one_query_at_any_size(spring, django_assert_num_queries):
    for _ in range(3):
        spring.add_round()
    with django_assert_num_queries(1):
        found(spring)
