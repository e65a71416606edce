"""What a plan is like: every blemish of small plans made by hand, as whole values."""

from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from league.models import Entrant, Stage
from league.seating.queries.review import review
from league.seating.queries.seating import PlanRequest, seating_facts
from players.models import Club as PlayersClub
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Club:
    return club(players=9)


def facts(here: Club):
    return seating_facts(Stage.objects.select_related("division__competition", "division__rule_set").get())


def ids(here: Club, *positions: int) -> list[int]:
    return [here.players[position].pk for position in positions]


def test_who_meets_again_in_the_plan_and_with_the_rounds_that_stay(here):
    here.add_round(opened=False)  # 0-3 and 4-7
    now = facts(here)
    people = [now.people[player.pk] for player in here.players]
    plan = [{1: ids(here, 0, 1, 4, 5)}, {1: ids(here, 4, 0, 8, 6)}]
    found = review(now, PlanRequest(rounds=2), plan, ids(here, *range(9)))
    again = {(one.player, other.player, times) for one, other, times in found.again}
    assert again == {
        (people[0].player, people[1].player, 2),
        (people[4].player, people[5].player, 2),
        (people[0].player, people[4].player, 2),
        (people[4].player, people[6].player, 2),
    }
    assert found.again[0] == (people[0], people[1], 2)
    assert (found.repeats, found.possible, found.players, found.tables) == (4, False, 9, 2)
    assert [each.number for each in found.rounds] == [2, 3]
    assert [info.player for info in found.rounds[0].out] == ids(here, 2, 3, 6, 7, 8)
    assert dict((info.player, times) for info, times in found.sitting_out)[people[2].player] == 2


def test_the_bound_counts_pairs_that_are_left(here):
    now = facts(here)
    plan = [{1: ids(here, 0, 1, 2, 3)}] * 3
    found = review(now, PlanRequest(rounds=3), plan, ids(here, 0, 1, 2, 3))
    assert (found.repeats, found.least, found.is_best) == (12, 12, True)


def test_winds_count_over_all_rounds_of_the_stage(here):
    here.add_round(opened=False)
    now = facts(here)
    plan = [{1: ids(here, 0, 2, 1, 3)}]
    found = review(now, PlanRequest(), plan, ids(here, *range(9)))
    assert found.uneven == (
        (now.people[here.players[0].pk], (2, 0, 0, 0)),
        (now.people[here.players[3].pk], (0, 0, 0, 2)),
    )


def test_the_bound_counts_those_whom_each_player_has_not_met(here):
    """One of eight players has met six of the others: the next table repeats two meetings at least."""
    here.add_round(opened=False)
    here.add_round(opened=False)
    tables = [{1: tuple(ids(here, 0, 1, 2, 3))}, {1: tuple(ids(here, 0, 4, 5, 6))}]
    now = facts(here)
    played = [replace(each, tables=seats) for each, seats in zip(now.rounds, tables, strict=True)]
    plan = [{1: ids(here, 0, 7, 1, 4), 2: ids(here, 2, 3, 5, 6)}]
    found = review(replace(now, rounds=tuple(played)), PlanRequest(), plan, ids(here, *range(8)))
    assert (found.repeats, found.least) == (4, 2)
    fewer = [{1: ids(here, 7, 1, 4, 2)}]  # at one table it may be the others who play
    found = review(replace(now, rounds=tuple(played)), PlanRequest(), fewer, ids(here, *range(8)))
    assert (found.repeats, found.least) == (1, 0)


def test_wishes_that_are_not_met_are_listed(here):
    harbour = PlayersClub.objects.create(register=here.league.register, name="Harbour")
    for player in here.players[:2]:
        player.club, player.country = harbour, "HK"
        player.save()
    now = facts(here)
    one, two, three, four = now.infos(ids(here, 0, 1, 2, 3))
    asked = PlanRequest(
        rounds=2,
        clubs=1,
        countries=0,
        forbidden=frozenset({(three.player, four.player)}),
        wished=frozenset({(one.player, here.players[8].pk), (one.player, two.player)}),
        fixed={four.player: 2},
    )
    plan = [{1: ids(here, 0, 1, 2, 3)}, {2: ids(here, 0, 1, 4, 5)}]
    found = review(now, asked, plan, ids(here, *range(9)))
    assert found.together == ((one, two, "Harbour", 1, 1), (one, two, "HK", 1, 1), (one, two, "HK", 2, 2))
    assert found.forbidden == ((three, four, "", 1, 1),)
    assert found.never == ((one, now.people[here.players[8].pk]),)
    assert found.misplaced == ((four, 2, (1,)),)
    assert found.same_table == 1


@pytest.mark.parametrize(
    ("rounds", "words"), [((2,), "(table 2, round 2)"), ((1, 2, 3), "(table 2, rounds 1, 2, 3)")]
)
def test_the_rounds_away_from_a_fixed_table_are_counted(here, rounds, words):
    now = facts(here)
    plan = [{1: ids(here, 0, 1, 2, 3), 2: ids(here, 4, 5, 6, 7)}]
    found = review(now, PlanRequest(), plan, ids(here, *range(8)))
    away = (now.infos(ids(here, 3))[0], 2, rounds)

    page = render_to_string("seating/_review.html", {"review": replace(found, misplaced=(away,))})

    assert words in page


def test_a_plan_without_blemish_has_none(here):
    Entrant.objects.filter(key="p9").delete()
    now = facts(here)
    plan = [{1: ids(here, 0, 1, 2, 3), 2: ids(here, 4, 5, 6, 7)}]
    found = review(now, PlanRequest(), plan, ids(here, *range(8)))
    assert (found.repeats, found.least, found.possible, found.is_best) == (0, 0, True, True)
    assert (found.sitting_out, found.again, found.uneven, found.together) == ((), (), (), ())
    assert (found.forbidden, found.never, found.misplaced) == ((), (), ())
