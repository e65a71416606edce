"""What a plan is like: every blemish of small plans made by hand, as whole values."""

from dataclasses import replace

import pytest
from django.template.loader import render_to_string

from league.models import Entrant, Stage
from league.organizing.seating.queries.review import review
from league.organizing.seating.queries.seating import PlanRequest, seating_facts
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


def words(template: str, **values) -> str:
    shown = {"first_shown": ":20", "then_shown": "20:", "many": 20}
    return " ".join(render_to_string(f"seating/{template}.html", shown | values).split())


def test_how_often_two_players_meet_stands_beside_the_repeats(here):
    now, four = facts(here), ids(here, 0, 1, 2, 3)
    twice = review(now, PlanRequest(rounds=2), [{1: four}, {1: four}], four)
    assert "Every two players meet 2 times. No plan has fewer." in words("_repeats", review=twice)
    five = review(
        now, PlanRequest(rounds=2), [{1: four}, {1: [four[0], *ids(here, 1, 2, 4)]}], ids(here, *range(5))
    )
    assert (five.least_meetings, five.most_meetings, five.repeats, five.least) == (0, 2, 3, 3)
    assert "No two players meet more than 2 times. No plan has fewer." in words("_repeats", review=five)
    here.add_round(opened=False)
    now = facts(here)
    again = review(now, PlanRequest(), [{1: [*four[:3], here.players[4].pk]}], four)
    assert (again.least_meetings, again.most_meetings, again.is_even) == (1, 2, False)
    assert "Every two players meet 1 to 2 times." in words("_repeats", review=again)


def test_a_plan_that_is_as_even_as_can_be_has_no_flaw(here):
    """Nine players in three rounds: six repeats are proven possible, but only if a pair meets three times."""
    now = facts(here)
    rounds = [
        ((0, 1, 2, 3), (4, 5, 6, 7)),
        ((0, 1, 4, 5), (2, 6, 7, 8)),
        ((0, 2, 4, 8), (1, 3, 5, 6)),
    ]
    plan = [{n: ids(here, *four) for n, four in enumerate(tables, 1)} for tables in rounds]
    found = review(now, PlanRequest(rounds=3), plan, ids(here, *range(9)))
    found = replace(found, repeats=8, least=6, is_even=True)
    assert "No plan spreads the meetings more evenly." in words("_repeats", review=found)
    assert 'class="is-flaw"> <span class="seating-figure">' not in words("_review", review=found)
    worse = replace(found, is_even=False)
    assert "The minimum for any plan is 6." in words("_repeats", review=worse)
    assert 'class="is-flaw"> <span class="seating-figure">' in words("_review", review=worse)


def test_players_fixed_at_one_table_are_said_to_meet_in_every_round(here):
    now = facts(here)
    one, two, three, four = ids(here, 0, 1, 2, 3)
    asked = PlanRequest(rounds=2, fixed={one: 2, two: 2, three: 2, four: 1})
    plan = [{2: ids(here, 0, 1, 2, 4)}, {2: ids(here, 1, 0, 5, 6)}]
    found = review(now, asked, plan, ids(here, *range(9)))
    assert found.fixed == ((2, (now.people[one], now.people[two])),)
    assert "fixed at table 2, so they meet in every round." in words("_review", review=found)
    assert review(now, replace(asked, fixed={one: 2}), plan, ids(here, *range(9))).fixed == ()
    assert review(now, asked, plan[:1], ids(here, *range(9))).fixed == ()


def test_uneven_winds_are_a_flaw(here):
    now = facts(here)
    plan = [{1: ids(here, 0, 1, 2, 3)}] * 2
    found = review(now, PlanRequest(rounds=2), plan, ids(here, *range(4)))
    assert (
        '<li class="is-flaw"> <details class="fold fold-small"> <summary> 4 players with uneven winds'
        in words("_review", review=found)
    )


def test_the_grid_has_the_table_and_wind_of_each_player_in_each_round(here):
    now = facts(here)
    plan = [{1: ids(here, 0, 1, 2, 3)}, {3: ids(here, 4, 0, 2, 1)}]
    found = review(now, PlanRequest(rounds=2), plan, ids(here, *range(5)))
    rows = {info.player: seats for info, seats in found.grid(reads_han=True)}
    zero, one, two, three, four = ids(here, 0, 1, 2, 3, 4)
    assert rows == {
        zero: [(1, 0), (3, 1)],
        one: [(1, 1), (3, 3)],
        two: [(1, 2), (3, 2)],
        three: [(1, 3), None],
        four: [None, (3, 0)],
    }
