"""The race of a stage ends at its standings, and shows no more than they do."""

from datetime import date

import pytest
from django.utils import timezone

from league.core.stages import stages_of
from league.extras.statistics.queries.race import NO_RACE, race_of_players, race_of_teams
from league.models import Competition, LineUp, Round, Stage, Team
from league.organizing.competitions.services import update_competition
from league.play.rounds.services import set_visibility
from league.play.substitutions.services.substitutions import add_adjustment
from league.ranking.stages.services import add_stage
from league.ranking.standings.queries.standings import standings_of
from league.ranking.teams.queries import team_standings
from league.ranking.teams.services import log_team_penalty
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_penalty
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SHEETS = (
    (45_000, 35_000, 25_000, 15_000),
    (20_000, 30_000, 50_000, 20_000),
    (10_000, 20_000, 30_000, 60_000),
)


@module_fixture
def spring() -> Club:
    """Three rounds of two tables, penalties with and without a round, and a player who missed one."""
    made = club("spring", players=9)
    for number, sheet in enumerate(SHEETS, 1):
        made.add_round()
        made.record(sheet, round_number=number)
        made.record(sheet[::-1], round_number=number, number=2)
    penalize(made, -100, round_=made.rounds[1])
    penalize(made, -50)
    revoke_penalty(penalty=penalize(made, -999), reason="not so", by=made.bob)
    entrant = made.competition.entrants.get(player=made.players[8])
    add_adjustment(
        stage=made.stage,
        round_=made.rounds[0],
        entrant=entrant,
        kind="absent",
        score=-300,
        reason="late",
        by=made.alice,
    )
    return made


def penalize(made: Club, score: int, **options):
    return log_penalty(
        stage=made.stage, player_id=made.players[0].pk, score=score, reason="late", by=made.bob, **options
    )


def stage_of(made: Club, *, public: bool, slug: str = "") -> tuple[Stage, list[Stage]]:
    competition = Competition.objects.get(pk=made.competition.pk)
    every = [choice.stage for choice in stages_of(competition, public=public)]
    return next(each for each in every if each.slug == (slug or made.stage.slug)), every


def ends(race) -> dict[int, object]:
    return {who: totals[-1] for who, totals in race.totals.items()}


@pytest.mark.parametrize("public", [True, False])
@pytest.mark.parametrize("beyond", ["all", "first", "best", "run", "average"])
def test_the_last_totals_are_those_of_the_standings(spring, public, beyond):
    Stage.objects.filter(pk=spring.stage.pk).update(standard_hanchan=2, beyond=beyond)
    set_visibility(round_=spring.rounds[2], visibility="hidden", by=spring.alice)
    stage, every = stage_of(spring, public=public)

    race = race_of_players(stage, public=public, every=every)

    ranked = standings_of([stage], public=public, every=every)[stage.pk]
    assert ends(race) == {line.row.player: line.row.total for line in ranked.rows}
    assert race.order == tuple(line.row.player for line in ranked.rows)
    assert race.steps == ((None, 1, 2) if public else (None, 1, 2, 3))
    assert {len(totals) for totals in (*race.totals.values(), *race.ranks.values())} == {len(race.steps)}


def test_totals_and_ranks_follow_the_rounds(spring):
    stage, every = stage_of(spring, public=True)
    race = race_of_players(stage, public=True, every=every)
    first, absent = spring.players[0].pk, spring.players[8].pk
    assert list(race.totals[first]) == [0, 600, 150, -450]  # the penalty of no round comes last
    assert list(race.totals[absent]) == [0, -300, -300, -300]
    assert list(race.ranks[first]) == [None, 1, 4, 8]
    assert list(race.ranks[absent]) == [None] * 4


def test_equal_totals_share_a_rank_and_who_has_not_played_has_none():
    made = club("equal")
    made.add_players(4)
    made.add_round()
    made.record((30_000, 30_000, 30_000, 30_000))
    stage, every = stage_of(made, public=True)
    race = race_of_players(stage, public=True, every=every)
    assert [race.ranks[player.pk][-1] for player in made.players[:5]] == [1, 1, 1, 1, None]


def test_penalties_that_visitors_may_not_list_come_at_the_end_for_them(spring):
    update_competition(competition=spring.competition, values={"penalties_shown": "scores"}, by=spring.alice)
    first = spring.players[0].pk
    totals = {}
    for public in (True, False):
        stage, every = stage_of(spring, public=public)
        totals[public] = list(race_of_players(stage, public=public, every=every).totals[first])
    assert totals == {True: [0, 600, 250, -450], False: [0, 600, 150, -450]}


def test_points_carried_over_are_there_from_the_start(spring):
    final = add_stage(division=spring.division, name="Final", carry="half", by=spring.alice)
    made = Club(**{**vars(spring), "stage": final, "rounds": []})
    made.add_round()
    made.record(SHEETS[0])
    stage, every = stage_of(made, public=True)
    race = race_of_players(stage, public=True, every=every)
    ranked = standings_of([stage], public=True, every=every)[stage.pk]
    assert ends(race) == {line.row.player: line.row.total for line in ranked.rows}
    assert {who: totals[0] for who, totals in race.totals.items()} == {
        line.row.player: line.row.carried for line in ranked.rows
    }
    assert any(line.row.carried for line in ranked.rows)


def test_the_steps_of_free_play_are_days(spring):
    Stage.objects.filter(pk=spring.stage.pk).update(play=Stage.Play.OPEN)
    days = [date(2026, 5, 3), date(2026, 5, 3), date(2026, 5, 10)]
    for round_, day in zip(spring.rounds, days, strict=True):
        Round.objects.filter(pk=round_.pk).update(date=day)
    stage, every = stage_of(spring, public=True)
    assert race_of_players(stage, public=True, every=every).steps == (None, days[0], days[2])
    Round.objects.filter(pk=spring.rounds[0].pk).update(date=None)
    Competition.objects.filter(pk=spring.competition.pk).update(revision=99)
    stage, every = stage_of(spring, public=True)
    assert race_of_players(stage, public=True, every=every).steps == (None, 1, 2, 3)


def test_a_stage_without_results_has_no_race():
    made = club("quiet")
    stage, every = stage_of(made, public=True)
    assert race_of_players(stage, public=True, every=every) == NO_RACE
    assert race_of_teams(stage, public=True, every=every) == NO_RACE


@pytest.mark.parametrize("shown", ["all", "scores"])
def test_the_race_of_teams_ends_at_their_standings(spring, shown):
    """With a line-up, penalties of players and of a team, and players who left their team."""
    teams = [
        Team.objects.create(competition=spring.competition, key=f"t{n}", name=f"Team {n}") for n in range(2)
    ]
    Competition.objects.filter(pk=spring.competition.pk).update(team_play="sum", penalties_shown=shown)
    for index, player in enumerate(spring.players):
        spring.competition.entrants.filter(player=player).update(team=teams[index % 2])
    LineUp.objects.create(
        round=spring.rounds[1], team=teams[1], player=spring.players[0], created_at=timezone.now()
    )
    log_team_penalty(team=teams[0], stage=spring.stage, score=-200, reason="late", by=spring.alice)
    totals = {}
    for public in (True, False):
        stage, every = stage_of(spring, public=public)
        race = race_of_teams(stage, public=public, every=every)
        totals[public] = race.totals[teams[1].pk]
        ranked = team_standings(stage, public=public, every=every)
        assert ends(race) == {line.row.player: line.row.total for line in ranked.rows}
        assert len(race.steps) == 4
    hidden = {"all": 0, "scores": 100}[shown]  # for visitors it comes at the end
    assert totals[True][2] - totals[False][2] == hidden


def test_a_long_season_is_sampled_and_keeps_its_end(monkeypatch, spring):
    monkeypatch.setattr("league.extras.statistics.queries.race.MOST_STEPS", 3)
    stage, every = stage_of(spring, public=True)
    race = race_of_players(stage, public=True, every=every)
    assert race.steps == (None, 1, 3)
    ranked = standings_of([stage], public=True, every=every)[stage.pk]
    assert ends(race) == {line.row.player: line.row.total for line in ranked.rows}


def test_a_race_takes_as_many_queries_for_many_rounds_as_for_one(django_assert_num_queries):
    for slug, rounds in (("one", 1), ("many", 5)):
        made = club(slug)
        for number in range(1, rounds + 1):
            made.add_round()
            made.record(SHEETS[0], round_number=number)
        stage, every = stage_of(made, public=True)
        with django_assert_num_queries(7):
            race_of_players(stage, public=True, every=every)
        with django_assert_num_queries(0):
            race_of_players(stage, public=True, every=every)
