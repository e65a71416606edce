"""Standings of stages and audiences, the stage that a page shows first, the progress of rounds."""

from fractions import Fraction

import pytest

from league.core.stages import stages_of
from league.models import Entrant, Stage
from league.organizing.competitions.services import add_division, update_competition
from league.people.members.queries import info_of, listed_entrants
from league.play.results.queries.tables import table_results, without_results
from league.play.results.services import confirm_result, record_result, void_result
from league.play.rounds.queries.rounds import RoundCount, round_counts, unpublished_rounds
from league.play.rounds.services import create_round, open_round, seat_players, set_visibility
from league.ranking.stages.services import add_stage
from league.ranking.standings.queries.stages import default_stage
from league.ranking.standings.queries.standings import compute_standings, standings, standings_of
from league.referees.penalties.services.log import log_penalty
from players.models import Club as PlayersClub
from tests.factories import Club, as_seen, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)  # 60.0, 10.0, −20.0, −50.0 under HKMA A


def fresh(stage: Stage) -> Stage:
    """The stage as a new request reads it."""
    found = Stage.objects.select_related("division__rule_set", "division__competition")
    return found.get(pk=stage.pk)


def totals(stage: Stage, *, public: bool = True) -> dict[str, int]:
    """Key → total of each player with a game, a penalty or carried points."""
    rows = standings(fresh(stage), public=public).rows
    return {r.player.key: r.row.total for r in rows if r.row.games or r.row.penalty or r.row.carried}


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record(SHEET)
    return made


# --- standings


def test_everyone_entered_is_listed_without_a_game(spring):
    ranked = standings(fresh(spring.stage), public=True)

    assert [(r.player.key, r.row.rank, r.row.games, r.row.total) for r in ranked.rows] == [
        ("p1", 1, 1, 600),
        ("p2", 2, 1, 100),
        ("p3", 3, 1, -200),
        ("p4", 4, 1, -500),
        *((f"p{n}", 5, 0, 0) for n in (5, 6, 7, 8)),
    ]
    assert (ranked.tables, ranked.games) == (1, 4)


def test_who_left_is_marked_and_nobody_without_a_game_is_ranked(spring):
    left = [spring.players[0].pk, spring.players[7].pk]
    Entrant.objects.filter(player__in=left).update(withdrawn_at="2026-10-01T00:00Z")

    rows = {line.row.player: line for line in standings(fresh(spring.stage), public=True).rows}

    assert {pk for pk, line in rows.items() if line.player.withdrawn} == set(left)
    assert {pk for pk, line in rows.items() if line.row.gone} == {left[1]}
    unplayed = {player.pk for player in spring.players[4:]}
    assert {pk for pk, line in rows.items() if line.row.shown_rank is None} == unplayed


def test_only_staff_see_hidden_results_and_their_penalties(spring):
    spring.add_round(visibility="hidden")
    spring.record(SHEET, round_number=2)
    log_penalty(
        stage=spring.stage,
        player_id=spring.players[0].pk,
        score=-20,
        reason="late",
        by=spring.bob,
        round_=spring.rounds[1],
    )
    assert totals(spring.stage, public=False) == {"p1": 1180, "p2": 200, "p3": -400, "p4": -1000}

    assert totals(spring.stage) == {"p1": 600, "p2": 100, "p3": -200, "p4": -500}
    assert unpublished_rounds(spring.stage) == 1

    set_visibility(round_=spring.rounds[1], visibility="seating", by=spring.alice)
    assert totals(spring.stage) == {"p1": 600, "p2": 100, "p3": -200, "p4": -500}

    set_visibility(round_=spring.rounds[1], visibility="results", by=spring.alice)
    assert totals(spring.stage) == {"p1": 1180, "p2": 200, "p3": -400, "p4": -1000}
    assert unpublished_rounds(spring.stage) == 0


def test_a_competition_may_count_only_what_a_second_person_confirmed(spring):
    update_competition(competition=spring.competition, values={"counting": "confirmed"}, by=spring.alice)
    assert totals(spring.stage) == {}

    confirm_result(**as_seen(spring.table()), by=spring.bob)

    assert totals(spring.stage) == {"p1": 600, "p2": 100, "p3": -200, "p4": -500}


@pytest.mark.parametrize(
    ("carry", "carried"), [("none", {}), ("half", {"p1": 300, "p2": 50}), ("all", {"p1": 600, "p2": 100})]
)
def test_a_later_stage_carries_its_share(spring, carry, carried):
    final = add_stage(division=spring.division, name="Final", carry=carry, by=spring.alice)
    round_ = create_round(stage=final, by=spring.alice)
    four = [spring.players[i].pk for i in (0, 1, 4, 5)]
    round_ = seat_players(round_=round_, tables={1: four}, by=spring.alice)
    open_round(round_=round_, by=spring.alice)
    set_visibility(round_=round_, visibility="results", by=spring.alice)
    record_result(table=round_.tables.get(), points=SHEET, based_on=0, by=spring.charlie)

    rows = {r.player.key: r.row for r in standings(fresh(final), public=True).rows}

    assert {key: row.carried for key, row in rows.items() if row.carried} == carried
    assert {key: row.total for key, row in rows.items()} == {
        "p1": 600 + carried.get("p1", 0),
        "p2": 100 + carried.get("p2", 0),
        "p5": -200,
        "p6": -500,
    }


def test_several_stages_at_once_are_the_same_as_one_by_one(spring, django_assert_num_queries):
    add_stage(division=spring.division, name="Final", carry="half", by=spring.alice)
    add_division(competition=spring.competition, name="B", preset_slug="mleague", by=spring.alice)
    spring.competition.refresh_from_db()
    stages = [choice.stage for choice in stages_of(spring.competition, public=True)]
    assert len(stages) == 3

    with django_assert_num_queries(3):
        together = standings_of(stages, public=True, every=stages)
    with django_assert_num_queries(0):
        again = standings_of(stages, public=True)

    assert together == again == {stage.pk: compute_standings(stage, public=True) for stage in stages}
    assert list(together[stages[1].pk].rows) == []  # the final has no players yet


def test_standings_take_four_queries_at_any_size(django_assert_num_queries):
    for slug, players in (("small", 4), ("large", 32)):
        made = club(slug, players=players)
        made.add_round()
        for number in range(1, players // 4 + 1):
            made.record(SHEET, number=number)
        stage = fresh(made.stage)
        with django_assert_num_queries(4):
            assert compute_standings(stage, public=True).tables == players // 4


def test_an_exact_split_reaches_the_standings():
    made = club("exact", overrides={"split_remainder": "exact", "leftover_sticks": "first"})
    made.add_round()
    record_result(
        table=made.table(), points=(35_000, 35_000, 35_000, 14_000), sticks=1000, based_on=0, by=made.charlie
    )

    rows = standings(fresh(made.stage), public=True).rows

    assert [r.row.total for r in rows][:3] == [Fraction(510, 3)] * 3
    assert sum(r.row.total for r in rows) == 0


# --- stages


def test_the_newest_stage_with_visible_results_is_shown_first(spring):
    final = add_stage(division=spring.division, name="Final", by=spring.alice)
    assert default_stage(spring.competition, public=True) == spring.stage

    round_ = seat_players(
        round_=create_round(stage=final, by=spring.alice),
        tables={1: [p.pk for p in spring.players[:4]]},
        by=spring.alice,
    )
    open_round(round_=round_, by=spring.alice)
    record_result(table=round_.tables.get(), points=SHEET, based_on=0, by=spring.charlie)

    assert default_stage(spring.competition, public=False) == final
    assert default_stage(spring.competition, public=True) == spring.stage
    set_visibility(round_=round_, visibility="results", by=spring.alice)
    assert default_stage(spring.competition, public=True) == final
    void_result(**as_seen(round_.tables.get()), reason="wrong walls", by=spring.alice)
    assert default_stage(spring.competition, public=True) == spring.stage


def test_without_results_the_first_stage_is_shown_first():
    made = club("empty")
    add_stage(division=made.division, name="Final", by=made.alice)
    second = add_division(competition=made.competition, name="B", preset_slug="mleague", by=made.alice)

    assert default_stage(made.competition, public=True) == made.stage
    assert default_stage(made.competition, public=True, division=second.slug) == second.stages.get()
    assert default_stage(made.competition, public=True, division="no-such") is None


def test_stages_of_all_divisions_come_in_one_query(spring, django_assert_num_queries):
    second = add_division(competition=spring.competition, name="B", preset_slug="mleague", by=spring.alice)
    with django_assert_num_queries(1):
        choices = stages_of(spring.competition, public=True)
        rules = [choice.stage.division.rules.start_points for choice in choices]

    assert [(c.stage, c.has_results) for c in choices] == [(spring.stage, True), (second.stages.get(), False)]
    assert rules == [30_000, 25_000]


# --- rounds and tables


def test_rounds_count_their_tables_and_results(spring, django_assert_num_queries):
    spring.add_round()
    spring.record(SHEET, round_number=2)
    spring.record(SHEET, round_number=2, number=2)
    confirm_result(**as_seen(spring.table(2, 1)), by=spring.bob)
    void_result(**as_seen(spring.table(2, 2)), reason="wrong walls", by=spring.alice)
    first, second = spring.rounds

    with django_assert_num_queries(1):
        counts = round_counts([first.pk, second.pk])

    assert counts == {first.pk: RoundCount(2, 1, 0, 1), second.pk: RoundCount(2, 1, 1, 2)}


def test_a_seating_shows_no_result(spring):
    results = table_results(spring.rounds[0].tables.all(), spring.competition)
    assert [seat.points for seat in results[0].seats] == list(SHEET)

    seating = without_results(results)

    assert [result.players for result in seating] == [result.players for result in results]
    assert {(result.status, result.sheet, result.seats) for result in seating} == {("scheduled", None, ())}


# --- people


def test_entrants_are_listed_by_division_and_name_in_one_query(spring, django_assert_num_queries):
    second = add_division(competition=spring.competition, name="B", preset_slug="mleague", by=spring.alice)
    moved = spring.players[7]
    moved.club = PlayersClub.objects.create(register=spring.league.register, name="香港麻雀協會")
    moved.country, moved.romanized = "VN", "Ngo Bao"
    moved.save()
    Entrant.objects.filter(player=moved).update(division=second)

    with django_assert_num_queries(1):
        lines = listed_entrants(spring.competition)

    assert [line.division.name for line in lines] == ["Main"] * 7 + ["B"]
    assert [line.player.name for line in lines[:7]] == sorted(p.name for p in spring.players[:7])
    last = info_of(lines[-1])
    assert (last.name, last.romanized, last.country, last.club, last.key) == (
        "Ngô Bảo",
        "Ngo Bao",
        "VN",
        "香港麻雀協會",
        "p8",
    )
