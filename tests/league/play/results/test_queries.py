"""The games of a stage, as the ranking reads them: which, and in which order."""

import pytest

from league.models import Round
from league.play.results.queries.games import counted_tables, games
from league.play.results.services import confirm_result, void_result
from tests.factories import Club, as_seen, club
from tests.module_fixtures import module_fixture

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ENTERED = ("entered", "confirmed")
POINTS = {
    (1, 1): (38_400, 21_600, 40_000, 20_000),
    (1, 2): (30_100, 29_900, 30_000, 30_000),
    (2, 1): (50_000, 40_000, 20_000, 10_000),
    (2, 2): (-1_000, 61_000, 30_000, 30_000),
}


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.add_round(visibility="seating")
    for (round_, number), points in reversed(POINTS.items()):
        made.record(points, round_number=round_, number=number)
    return made


def points(made: Club, *, statuses: tuple[str, ...] = ENTERED, public: bool = False) -> list[tuple[int, ...]]:
    return [game[4:8] for game in games(made.stage.pk, statuses=statuses, public=public)]


def test_games_come_in_playing_order_with_who_sat_where(spring):
    four = tuple(player.pk for player in spring.players[:4])
    other = tuple(player.pk for player in spring.players[4:])

    found = games(spring.stage.pk, statuses=ENTERED, public=False)

    seats = {1: four, 2: other}
    assert found == [(*seats[number], *points, 0) for (_round, number), points in POINTS.items()]


def test_the_public_s_games_are_those_of_published_rounds(spring):
    assert points(spring) == list(POINTS.values())

    assert points(spring, public=True) == [POINTS[1, 1], POINTS[1, 2]]

    Round.objects.filter(number=2).update(visibility="results")
    assert points(spring, public=True) == list(POINTS.values())


def test_a_void_sheet_does_not_count_and_a_corrected_one_counts_as_it_is_now(spring):
    void_result(**as_seen(spring.table(1, 1)), reason="wrong table", by=spring.alice)

    assert points(spring) == list(POINTS.values())[1:]


def test_only_the_statuses_asked_for_count(spring):
    confirm_result(**as_seen(spring.table(2, 2)), by=spring.alice)

    assert points(spring, statuses=("confirmed",)) == [POINTS[2, 2]]
    assert points(spring) == list(POINTS.values())


def test_each_stage_has_its_own_games(spring):
    autumn = club("autumn")
    autumn.add_round()
    autumn.record(POINTS[1, 1])

    assert points(autumn) == [POINTS[1, 1]]
    assert points(spring) == list(POINTS.values())
    assert points(autumn) == [POINTS[1, 1]]


def test_the_query_that_is_kept_says_the_same_as_a_new_one(spring):
    columns = ("e__player_id", "s__player_id", "w__player_id", "n__player_id")
    columns += ("now__east", "now__south", "now__west", "now__north", "now__sticks")

    for public in (True, False):
        for statuses in (ENTERED, ("confirmed",)):
            new = counted_tables([spring.stage.pk], statuses=statuses, public=public)
            rows = new.order_by("round__number", "number").values_list(*columns)
            assert games(spring.stage.pk, statuses=statuses, public=public) == list(rows)


def test_games_are_one_query(spring, django_assert_num_queries):
    with django_assert_num_queries(1):
        assert len(points(spring)) == 4
