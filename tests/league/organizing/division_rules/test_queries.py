"""What other rules would change: every score and rank before and after, and nothing written."""

from fractions import Fraction

import pytest

from league.models import AuditEntry, RuleSet, Sheet, Stage
from league.organizing.competitions.services import add_division
from league.organizing.division_rules.queries import Effect, effect_of
from league.play.results.services import record_result, void_result
from league.play.rounds.services import close_round, create_round, open_round, seat_players
from league.ranking.seasons.services import set_movements
from league.ranking.stages.services import add_stage, cut_stage
from league.ranking.standings.queries.standings import compute_standings
from league.referees.penalties.services.log import log_penalty
from league.rules.rule_sets.services import copied_rules
from scoring.cuts import Terms
from scoring.presets import resolve
from scoring.promotion import Movement
from tests.factories import Club, as_seen, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db


def other(slug: str = "hkma-a-2025-04", **changed: object) -> RuleSet:
    return copied_rules(slug, {**resolve(slug).as_values(), **changed}, by=None)


def effect(here: Club, **changed: object) -> Effect:
    here.division.refresh_from_db()
    return effect_of(here.division, other(**changed))


def ranks(found: Effect, stage: int = 0) -> list[tuple[str, int, int, object, object]]:
    return [
        (line.player.key, line.rank_before, line.rank_after, line.total_before, line.total_after)
        for line in found.stages[stage].ranks
        if line.changed
    ]


@module_fixture
def here() -> Club:
    made = club()
    made.add_round()
    made.record((45000, 35000, 25000, 15000), number=1)
    made.record((30000, 30000, 40000, 20000), number=2)
    return made


def test_other_place_points_change_scores_totals_and_ranks(here):
    """+50/+10/−10/−30 and shared second place, against +50/+20/−20/−30."""
    found = effect(here, uma=[30, 20, -20, -30])
    assert (found.tables, found.changed_tables, found.scores, found.nothing) == (2, 1, 2, False)
    first, second = found.stages[0].tables
    assert [(s.before.score, s.after.score) for s in first.seats] == [
        (600, 600),
        (100, 200),
        (-200, -300),
        (-500, -500),
    ]
    # Two share 10 and −10, or 20 and −20: nothing for either.
    assert [s.changed for s in second.seats] == [False] * 4
    assert ranks(found) == [("p2", 3, 3, 100, 200), ("p3", 6, 6, -200, -300)]


def test_the_same_rules_change_nothing(here):
    found = effect(here, kiriage_mangan=False)
    assert (found.nothing, found.scores, found.ranks, found.changed_tables, found.tables) == (
        True,
        0,
        0,
        0,
        2,
    )


def test_nothing_is_written(here):
    before = (AuditEntry.objects.count(), RuleSet.objects.count(), here.competition.revision)
    effect(here, uma=[40, 10, -10, -40])
    here.competition.refresh_from_db()
    assert (AuditEntry.objects.count(), RuleSet.objects.count()) == before[:2]
    here.division.refresh_from_db()
    assert here.division.rules.uma == (300, 100, -100, -300)
    shown = [row.row.total for row in compute_standings(here.stage, public=False).rows]
    assert shown[0] == 600


def test_places_move_where_ties_are_broken_otherwise(here):
    found = effect(here, tie_rule="seat")
    [table] = found.stages[0].changed_tables
    assert [(s.before.place, s.after.place) for s in table.seats] == [(2, 2), (2, 3), (1, 1), (4, 4)]
    assert [s.before.score for s in table.seats][:2] == [-50, -50]
    assert [s.after.score for s in table.seats][:2] == [50, -150]
    assert ranks(found) == [("p5", 4, 4, -50, 50), ("p6", 4, 5, -50, -150)]
    assert (found.scores, found.ranks) == (2, 1)


def test_void_sheets_and_empty_tables_have_no_score(here):
    table = here.table(number=1)
    void_result(**as_seen(table), reason="wrong table", by=here.alice)
    here.add_round()
    found = effect(here, uma=[40, 10, -10, -40])
    assert (found.tables, found.scores) == (1, 2)


def test_penalties_and_what_is_brought_in_count_as_ever(here):
    log_penalty(stage=here.stage, player_id=here.players[0].pk, score=-1000, by=here.bob, reason="fight")
    final = add_stage(division=here.division, name="Final", carry="half", by=here.alice)
    made = create_round(stage=final, by=here.alice)
    ids = [player.pk for player in here.players[:4]]
    open_round(round_=seat_players(round_=made, tables={1: ids}, by=here.alice), by=here.alice)
    table = made.tables.get()
    record_result(table=table, points=(30000, 30000, 30000, 30000), based_on=0, by=here.charlie)

    found = effect(here, uma=[40, 10, -20, -30])

    assert [change.stage for change in found.stages] == list(Stage.objects.order_by("position"))
    totals = {line.player.key: (line.total_before, line.total_after) for line in found.stages[1].ranks}
    # 600 − 1000 in the season, half of it brought in; all four equal in the final: 0 for each.
    assert totals["p1"] == (Fraction(-400, 2), Fraction(-300, 2))


def test_another_start_is_seen_in_every_version_of_a_sheet(here):
    changed = {"start_points": 25000, "return_points": 30000}
    assert effect(here, **changed).other_start
    assert not effect(here, return_points=30000, oka=0).other_start
    void_result(**as_seen(here.table(number=1)), reason="x", by=here.alice)
    void_result(**as_seen(here.table(number=2)), reason="x", by=here.alice)
    assert Sheet.objects.filter(status="void", is_current=True).count() == 2
    assert effect(here, **changed).other_start


def test_sheets_that_cannot_be_under_the_new_rules_are_named(here):
    found = effect(here, start_points=25000, return_points=30000)
    assert [(table.round, table.number) for table in found.impossible] == [(1, 1), (1, 2)]
    assert [problem.code for problem in found.impossible[0].problems] == ["sum_over"]


def test_rules_that_need_more_than_the_sheets_say_are_recognized(here):
    assert effect(here, tie_rule="last_dealer").needs_ending
    assert effect(here, sashiuma=10).needs_ending
    assert not effect(here, tie_rule="seat").needs_ending


def test_as_many_queries_for_one_table_as_for_many(here, django_assert_num_queries):
    here.division.refresh_from_db()
    to = other(uma=[40, 10, -10, -40])
    _ = here.division.rules, here.division.competition
    with django_assert_num_queries(15):
        effect_of(here.division, to)
    for _ in range(3):
        here.add_round()
        here.record((45000, 35000, 25000, 15000), round_number=len(here.rounds), number=1)
    with django_assert_num_queries(15):
        assert effect_of(here.division, to).tables == 5


def test_it_says_whose_cut_and_promotion_would_change(db):
    here = club("cut")
    made = here.add_round()
    here.record((45000, 35000, 25000, 15000), number=1)
    here.record((31000, 30000, 29500, 29500), number=2)
    close_round(round_=made, by=here.alice)
    add_division(competition=here.competition, name="B", preset_slug="hkma-b-2025-04", by=here.alice)
    set_movements(competition=here.competition, movements={here.division.pk: Movement(down=6)}, by=here.alice)
    final = cut_stage(source=here.stage, name="Final", terms=Terms(top=2), carry="all", by=here.alice)
    found = effect(here, uma=[0, 0, 0, 0], oka=0, return_points=30000)
    south, east = here.players[1].name, here.players[4].name
    cuts = [(cut.stage, [p.name for p in cut.out], [p.name for p in cut.inside]) for cut in found.cuts]
    assert cuts == [(final, [east], [south])]
    assert {(each.player.name, each.before, each.after) for each in found.moves} == {
        (south, "down", "stays"),
        (east, "stays", "down"),
    }
