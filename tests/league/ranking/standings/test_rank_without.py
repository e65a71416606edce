"""What a penalty changed in the rank: by the totals, and by a new ranking where a total is equal."""

import pytest

from league.core.stages import stages_of
from league.models import Competition
from league.play.rounds.services import set_visibility
from league.ranking.standings.queries.player import player_records
from league.ranking.standings.queries.standings import (
    RankWithout,
    compute_standings_of,
    rank_without,
    standings,
)
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEET = (45_000, 35_000, 25_000, 15_000)  # 60.0, 10.0, −20.0, −50.0 under HKMA A


@module_fixture
def spring() -> Club:
    made = club("spring")
    made.add_round()
    made.record(SHEET)
    made.record((42_000, 36_000, 24_000, 18_000), number=2)  # 57.0, 11.0, −21.0, −47.0
    return made


def penalize(made: Club, index: int, score: int, **options):
    return log_penalty(
        stage=made.stage, player_id=made.players[index].pk, score=score, reason="late", by=made.bob, **options
    )


def steps_of(made: Club, index: int, *, public: bool = True):
    competition = Competition.objects.get(pk=made.competition.pk)
    entrant = made.competition.entrants.select_related("player").get(player=made.players[index])
    (record,) = player_records(entrant, competition, stages_of(competition, public=public), public=public)
    return [
        (step.score, step.rank_without and step.rank_without.rank)
        for step in record.steps
        if step.game is None
    ]


def test_a_penalty_tells_the_rank_without_it(spring):
    penalize(spring, 0, -550)
    penalize(spring, 0, -20)
    assert steps_of(spring, 0) == [(-550, 1), (-20, 4)]


def test_of_equal_totals_the_tie_breaks_decide(spring):
    """Without 1.0 of 4.0 points the total is 57.0, as the first of table 2 has."""
    Competition.objects.filter(pk=spring.competition.pk).update(tie_breaks=["best_points"])
    penalize(spring, 0, -30)
    penalize(spring, 0, -10)
    assert steps_of(spring, 0) == [(-30, 1), (-10, 1)]
    Competition.objects.filter(pk=spring.competition.pk).update(
        tie_breaks=["penalty"], revision=99, version=99
    )
    assert steps_of(spring, 0) == [(-30, 1), (-10, 2)]  # 3.0 of penalties are left


def test_penalties_that_are_one_sum_for_visitors_are_left_out_together(spring):
    Competition.objects.filter(pk=spring.competition.pk).update(penalties_shown="counts")
    penalize(spring, 0, -550)
    penalize(spring, 0, -20)
    assert steps_of(spring, 0) == [(-570, 1)]
    assert steps_of(spring, 0, public=False) == [(-550, 1), (-20, 4)]


def test_a_penalty_of_a_hidden_round_tells_visitors_nothing(spring):
    hidden = spring.add_round()
    set_visibility(round_=hidden, visibility="hidden", by=spring.alice)
    penalize(spring, 0, -550, round_=hidden)
    assert steps_of(spring, 0) == []
    assert steps_of(spring, 0, public=False) == [(-550, 1)]


def test_every_rank_is_that_of_a_ranking_without_the_penalty(spring):
    """Every player has two penalties; each rank is compared with standings computed again."""
    for index in range(8):
        penalize(spring, index, -10 * (index + 1))
        penalize(spring, index, -30)
    competition = Competition.objects.get(pk=spring.competition.pk)
    stage = next(choice.stage for choice in stages_of(competition, public=True))
    compared = 0
    for line in standings(stage, public=True).rows:
        for score in (-10, -30, None):
            again = compute_standings_of([stage], public=True, pardoned=(line.row.player, score))[stage.pk]
            if score == -10 and line.row.player != spring.players[0].pk:
                continue
            row = next(each.row for each in again.rows if each.row.player == line.row.player)
            assert rank_without(stage, line, score, public=True) == RankWithout(row.rank, row.tied)
            compared += 1
    assert compared == 17
