"""Cuts against other reckonings: M.League's published scores carried by half, and events of every kind."""

import copy
import random
from typing import Any

import pytest

from league.core.stages import stage_line
from league.models import Stage
from league.play.results.services import record_result
from league.play.rounds.services import close_round, create_round, open_round, seat_players, set_visibility
from league.ranking.stages.queries import plan_cut, qualified_players
from league.ranking.stages.services import add_stage, cut_stage, draw
from league.ranking.standings.queries.stages import carried_chain
from league.ranking.standings.queries.standings import compute_standings, standings
from scoring.cuts import Terms
from tests.factories import Club, club
from tests.league.organizing.interchange.files import loaded, real
from tests.seeds import seeds

pytestmark = pytest.mark.django_db

REGULAR, ALL = 80, 106  # hanchan of the season; those after the first 80 represent the final series


def fresh(stage: Stage) -> Stage:
    return Stage.objects.select_related("division__rule_set", "division__competition").get(pk=stage.pk)


# --- M.League


def published(rounds: range) -> dict[str, int]:
    """Player → tenths, the sum of the scores that M.League published for these hanchan."""
    totals: dict[str, int] = {}
    for round_ in real("mleague-2018-19.expected.json")["rounds"][rounds.start : rounds.stop]:
        for player, score in round_["scores"].items():
            totals[player] = totals.get(player, 0) + round(score * 10)
    return totals


def half_away_from_zero(tenths: int) -> int:
    whole, rest = divmod(abs(tenths), 2)
    return (whole + rest) * (1 if tenths >= 0 else -1)


def season_with_a_final(players: list[str]) -> dict[str, Any]:
    file = copy.deepcopy(real("mleague-2018-19.json"))
    (regular,) = file["divisions"][0]["stages"]
    final = {
        "slug": "final",
        "name": "Final series",
        "carry": "half",
        "cut": {"from": regular["slug"], "top": len(players)},
        "entrants": [{"player": player} for player in players],
        "rounds": regular["rounds"][REGULAR:],
    }
    regular["rounds"] = regular["rounds"][:REGULAR]
    file["divisions"][0]["stages"].append(final)
    return file


def test_half_of_mleagues_published_scores_is_carried_into_a_final_series():
    first, second = published(range(REGULAR)), published(range(REGULAR, ALL))
    players = sorted(first, key=lambda player: -first[player])[:16]
    competition = loaded(season_with_a_final(players))
    regular, final = competition.divisions.get().stages.all()
    expected = {player: half_away_from_zero(first[player]) + second.get(player, 0) for player in players}

    plan = plan_cut(fresh(regular), Terms(top=16), "half")
    assert [line.info.key for line in plan.inside] == players
    assert [line.brought for line in plan.inside] == [half_away_from_zero(first[each]) for each in players]
    rows = compute_standings(fresh(final), public=True).rows
    assert [(row.player.key, row.row.total) for row in rows] == sorted(
        expected.items(), key=lambda item: -item[1]
    )
    assert {row.player.key: row.row.carried for row in rows} == {
        player: half_away_from_zero(first[player]) for player in players
    }


# --- one order for the page, the cut, and what follows


def event(seed: int) -> Club:
    """An event of three rounds with few different results, so that many players are equal."""
    chance = random.Random(seed)
    made = club(f"event-{seed}", players=chance.choice([12, 16]), preset="ema-2025")
    made.competition.tie_breaks = chance.sample(["average_place", "firsts", "best_points", "lots"], 3)
    made.competition.save()
    ids = [player.pk for player in made.players]
    for _ in range(3):
        chance.shuffle(ids)
        round_ = create_round(stage=made.stage, by=made.alice)
        tables = {i // 4 + 1: ids[i : i + 4] for i in range(0, len(ids), 4)}
        seat_players(round_=round_, tables=tables, by=made.alice)
        open_round(round_=round_, by=made.alice)
        set_visibility(round_=round_, visibility="results", by=made.alice)
        for table in round_.tables.all():
            points = chance.choice([(40_000, 30_000, 28_000, 22_000), (45_000, 30_000, 25_000, 20_000)])
            record_result(table=table, points=points, based_on=0, by=made.charlie)
        close_round(round_=round_, by=made.alice)
    return made


@pytest.mark.parametrize("seed", seeds(12))
def test_the_cut_and_the_page_have_one_order(seed):
    made = event(seed)
    chance = random.Random(seed)
    terms = Terms(top=chance.choice([4, 5, 8]))
    for number, players in enumerate(plan_cut(fresh(made.stage), terms, "all").cut.open):
        draw(stage=made.stage, players=players, seed=seed + number, by=made.alice)

    final = cut_stage(source=made.stage, name="Final", terms=terms, carry="all", by=made.alice)

    page = standings(fresh(made.stage), public=True).rows
    rank_of = {line.row.player: line.row.rank for line in page}
    players = qualified_players(final) or []
    assert [rank_of[player] for player in players] == sorted(rank_of[player] for player in players)
    worst = max(rank_of[player] for player in players)
    assert all(rank >= worst for player, rank in rank_of.items() if player not in players)
    brought = compute_standings(fresh(final), public=True).rows
    assert {line.row.player: line.row.carried for line in brought} == {
        line.row.player: line.row.total for line in page if line.row.player in players
    }


# --- which stage comes before which


def test_a_stage_comes_after_the_one_it_was_cut_from_or_else_after_the_one_before():
    made = event(0)
    for number, players in enumerate(plan_cut(fresh(made.stage), Terms(top=8), "none").cut.open):
        draw(stage=made.stage, players=players, seed=number, by=made.alice)
    a = cut_stage(source=made.stage, name="A", terms=Terms(top=4), carry="none", by=made.alice)
    b = cut_stage(source=made.stage, name="B", terms=Terms(top=4, first=5), carry="all", by=made.alice)
    last = add_stage(division=made.division, name="Last", carry="half", by=made.alice)
    every = list(Stage.objects.order_by("?"))

    def named(stages: list[Stage]) -> list[str]:
        return [stage.name for stage in stages]

    assert named(stage_line(a, every)) == ["Regular season", "A"]
    assert named(stage_line(b, every)) == ["Regular season", "B"]
    assert named(stage_line(last, every)) == ["Regular season", "B", "Last"]
    assert [named(carried_chain(each, every)[0]) for each in (a, b, last)] == [
        ["A"],
        ["Regular season", "B"],
        ["Regular season", "B", "Last"],
    ]
    assert [carried_chain(each, every)[1] for each in (a, b, last)] == [False, True, True]
