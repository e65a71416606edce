"""Chances of a season: what the simulation promises. `benchmarks/chances.py` measures its calibration."""

from random import Random
from typing import Any

import pytest

from benchmarks.chances import Tally as Forecasts
from benchmarks.chances import ask, random_season, ranks, real_season, season_after
from league.extras.needs.rules.chances import (
    ENDS,
    Chances,
    RoundToCome,
    Season,
    Strengths,
    can_simulate,
    simulate,
)
from scoring.presets import resolve

RESULTS = [(600, 100, -200, -500)] * 8
FOUR = (1, 2, 3, 4)


def season(totals: tuple[int, ...], *rounds: RoundToCome, places: Any = None, team: Any = None) -> Season:
    return Season(
        totals=dict(enumerate(totals, 1)),
        places=places or dict.fromkeys(range(1, len(totals) + 1), (0, 0, 0, 0)),
        results=RESULTS,
        rounds=rounds or (RoundToCome(tables=(FOUR,)),),
        team=team or {},
    )


def share(found: Chances, contestant: int, line: int = 1) -> float:
    return found.within[contestant][found.lines.index(line)] / found.ends


def test_the_same_seed_gives_the_same_chances_and_another_one_others():
    made = season((0, 0, 0, 0))
    assert simulate(made, [1, 2], seed=7) == simulate(made, [1, 2], seed=7)
    assert simulate(made, [1], seed=7).within != simulate(made, [1], seed=8).within


def test_before_the_first_game_all_have_nearly_equal_chances():
    found = simulate(season((0, 0, 0, 0)), [1], seed=1)
    assert all(0.2 < share(found, player) < 0.3 for player in FOUR)


def test_a_lead_that_no_table_as_played_can_turn_is_practically_decided():
    """First place is 110.0 better than last place."""
    found = simulate(season((1200, 0, 0, 0)), [1, 3], seed=1)
    assert found.within[1] == (ENDS, ENDS)
    assert found.decided(1, 1) is True
    assert found.decided(2, 1) is False
    assert found.decided(2, 3) is None


def test_a_strong_player_has_better_chances_and_few_games_tell_little():
    def first(games: int) -> float:
        places = {1: (games, 0, 0, 0), 2: (0, 0, 0, games), 3: (0, 0, 0, 0), 4: (0, 0, 0, 0)}
        return share(simulate(season((0, 0, 0, 0), places=places), [1], seed=2), 1)

    assert 0.25 < first(1) < 0.34 < first(6) < first(40)


def test_the_number_of_players_inside_a_line_is_the_line():
    found = simulate(season((0,) * 9, RoundToCome(drawn=tuple(range(1, 10)))), [4], seed=3)
    assert sum(counts[0] for counts in found.within.values()) == 4 * found.ends


def test_players_of_a_team_play_for_their_team_and_strangers_for_no_one():
    team = {1: 1, 2: 2, 3: 1}
    made = season((0, 0), places=dict.fromkeys(FOUR, (0, 0, 0, 0)), team=team)
    found = simulate(made, [1], seed=4)
    assert set(found.within) == {1, 2}
    assert share(found, 1) + share(found, 2) == 1
    assert 0.4 < share(found, 1) < 0.6


def test_uncertain_strengths_differ_between_two_ends():
    drawn = Strengths({1: (2, 1, 0, 0)}, [1])
    chance = Random(5)
    assert len({drawn.draw(chance)[1] for _ in range(5)}) == 5


def test_a_season_without_tables_to_draw_from_or_without_a_round_has_no_chances():
    few = season((0, 0, 0, 0))
    few = Season(totals=few.totals, places=few.places, results=RESULTS[:7], rounds=few.rounds)
    assert not can_simulate(few)
    over = Season(totals=few.totals, places=few.places, results=RESULTS, rounds=())
    assert not can_simulate(over)
    with pytest.raises(ValueError, match="7 tables"):
        simulate(few, [1], seed=1)


def test_forecasts_of_random_seasons_are_better_than_equal_chances_and_not_too_sure():
    found = Forecasts()
    for number in range(8):
        rounds, rules, players = random_season(Random(number))
        ask(rounds, rules, players, found, ends=200)
    assert found.brier < 0.75 * found.equal
    assert found.largest_gap < 20


def test_nothing_practically_decided_in_the_last_ten_rounds_of_m_league_failed():
    rounds, players = real_season("mleague-2018-19.json")
    rules = resolve("mleague")
    final = ranks([game for games in rounds for game in games], rules, players)
    checked = 0
    for at in range(len(rounds) - 10, len(rounds)):
        found = simulate(season_after(rounds, at, rules, players), range(1, 21), seed=at)
        for player in players:
            for line in found.lines:
                decided = found.decided(player, line)
                if decided is not None:
                    checked += 1
                    assert decided == (final[player] <= line)
    assert checked > 1_000
