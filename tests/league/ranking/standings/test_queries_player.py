"""A player's record: its steps sum to the total of the standings, and show only what is published."""

from fractions import Fraction

import pytest

from league.core.stages import stages_of
from league.models import Entrant
from league.organizing.competitions.services import add_division, update_competition
from league.play.results.services import confirm_result, record_result, void_result
from league.play.rounds.services import create_round, open_round, seat_players, set_visibility
from league.ranking.stages.services import add_stage
from league.ranking.standings.queries.player import own_games, player_records
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, as_seen, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)  # 60.0, 10.0, −20.0, −50.0 under HKMA A


@module_fixture
def spring() -> Club:
    made = club("spring")
    for number in (1, 2, 3):
        made.add_round()
        made.record(SHEET if number < 3 else SHEET[::-1], round_number=number)
    return made


def records(made: Club, index: int = 0, *, public: bool = True):
    made.competition.refresh_from_db()
    entrant = Entrant.objects.select_related("player").get(
        competition=made.competition, player=made.players[index]
    )
    choices = stages_of(made.competition, public=public)
    return player_records(entrant, made.competition, choices, public=public)


def penalize(made: Club, score: int, reason: str = "late", **options):
    return log_penalty(
        stage=made.stage, player_id=made.players[0].pk, score=score, reason=reason, by=made.bob, **options
    )


def story(record) -> list[tuple[str, int, int]]:
    """(what, score, total after it) of every step."""
    return [
        (
            f"round {step.game.round_number}"
            if step.game
            else step.penalty.reason
            if step.penalty
            else "carried",
            step.score,
            step.total,
        )
        for step in record.steps
    ]


def test_games_and_penalties_sum_to_the_total(spring):
    penalize(spring, -20, "general")
    penalize(spring, -30, "in round 1", round_=spring.rounds[0])
    revoke_penalty(penalty=penalize(spring, -250, "not so"), reason="valid hand", by=spring.bob)

    (record,) = records(spring)

    assert story(record) == [
        ("round 1", 600, 600),
        ("in round 1", -30, 570),
        ("round 2", 600, 1170),
        ("round 3", -500, 670),
        ("general", -20, 650),
    ]
    assert (record.row.row.rank, record.row.row.total, record.ranked) == (1, 650, 8)
    assert [penalty.reason for penalty in record.off] == ["not so"]
    assert (record.best, record.worst) == (600, -500)
    assert record.rates is None


def test_a_stage_of_a_former_division_stays_in_the_record(spring):
    other = add_division(competition=spring.competition, name="B", preset_slug="tenhou", by=spring.alice)
    spring.competition.entrants.filter(player=spring.players[0]).update(division=other)

    steps = {record.stage.division: len(record.steps) for record in records(spring)}
    assert steps == {other: 0, spring.division: 3}


def test_rates_need_five_games(spring):
    for number in (4, 5):
        spring.add_round()
        spring.record(SHEET, round_number=number)
    (record,) = records(spring)
    assert record.rates == (Fraction(4, 5), Fraction(4, 5), Fraction(4, 5))


@pytest.mark.parametrize("public", [True, False])
def test_the_last_step_is_the_total_of_the_standings_for_every_player_in_every_stage(spring, public):
    penalize(spring, -20, round_=spring.rounds[1])
    final = add_stage(division=spring.division, name="Final", carry="half", by=spring.alice)
    round_ = seat_players(
        round_=create_round(stage=final, by=spring.alice),
        tables={1: [p.pk for p in spring.players[:4]]},
        by=spring.alice,
    )
    open_round(round_=round_, by=spring.alice)
    set_visibility(round_=round_, visibility="results", by=spring.alice)
    record_result(table=round_.tables.get(), points=SHEET, based_on=0, by=spring.charlie)
    set_visibility(round_=spring.rounds[2], visibility="hidden", by=spring.alice)

    compared = 0
    for index in range(4):
        found = records(spring, index, public=public)
        assert [record.stage for record in found] == [final, spring.stage]  # newest first
        for record in found:
            assert record.steps[-1].total == record.row.row.total
            compared += 1
    assert compared == 8
    carried = records(spring, public=public)[0].steps[0]
    assert (carried.game, carried.penalty, carried.score) == (None, None, 590 if public else 340)


def test_a_game_has_its_points_place_bonus_and_opponents(spring):
    (record,) = records(spring, 1)

    game = record.steps[0].game

    assert (game.wind, game.seat.points, game.seat.place, game.bonus, game.seat.score) == (
        1,
        35_000,
        2,
        100,
        100,
    )
    assert [(wind, info.name, seat.points) for wind, info, seat in game.opponents] == [
        (0, "陳大文", 45_000),
        (2, "王美麗", 25_000),
        (3, "張志強", 15_000),
    ]


def test_what_does_not_count_is_listed_apart(spring):
    spring.add_round()
    void_result(**as_seen(spring.table(2)), reason="wrong walls", by=spring.alice)

    (record,) = records(spring)

    assert [(game.round_number, game.status, game.seat) for game in record.waiting] == [
        (4, "scheduled", None),
        (2, "void", None),
    ]
    assert story(record) == [("round 1", 600, 600), ("round 3", -500, 100)]


def test_sheets_that_wait_for_confirmation_do_not_count(spring):
    update_competition(competition=spring.competition, values={"counting": "confirmed"}, by=spring.alice)
    confirm_result(**as_seen(spring.table(1)), by=spring.bob)

    (record,) = records(spring)

    assert story(record) == [("round 1", 600, 600)]
    assert [(game.round_number, game.status) for game in record.waiting] == [(3, "entered"), (2, "entered")]


def test_the_public_sees_no_hidden_game_and_no_hidden_result(spring):
    penalize(spring, -20, "in round 2", round_=spring.rounds[1])
    penalize(spring, -20, "in round 3", round_=spring.rounds[2])
    set_visibility(round_=spring.rounds[1], visibility="seating", by=spring.alice)
    set_visibility(round_=spring.rounds[2], visibility="hidden", by=spring.alice)
    assert len(story(records(spring, public=False)[0])) == 5

    (record,) = records(spring)

    assert story(record) == [("round 1", 600, 600)]
    assert [(game.round_number, game.status, game.seat) for game in record.waiting] == [
        (2, "scheduled", None)
    ]
    assert [seat for _wind, _info, seat in record.waiting[0].opponents] == [None] * 3


def test_a_player_without_a_game_has_a_record_without_steps(spring):
    (record,) = records(spring, 7)

    assert (record.steps, record.rates, record.best, record.row.row.rank) == ((), None, None, 5)


def test_a_record_takes_as_many_queries_for_many_games_as_for_one(django_assert_num_queries):
    for slug, rounds in (("one", 1), ("many", 6)):
        made = club(slug)
        for number in range(1, rounds + 1):
            made.add_round()
            made.record(SHEET, round_number=number)
        made.competition.refresh_from_db()
        entrant = Entrant.objects.select_related("player").get(player=made.players[0])
        choices = stages_of(made.competition, public=True)
        with django_assert_num_queries(8):
            (record,) = player_records(entrant, made.competition, choices, public=True)
        assert len(record.steps) == rounds
        with django_assert_num_queries(3):
            assert len(own_games(entrant, made.competition, choices, public=True)) == rounds
