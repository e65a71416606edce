"""Statistics of sheets against a count written apart from them."""

import json
import random
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.extras.statistics.rules.sheets import (
    BEST_AVERAGE,
    BEST_AVERAGE_PLACE,
    CLOSEST_WIN,
    FIRSTS,
    FOURTHS,
    HIGHEST_POINTS,
    HIGHEST_SCORE,
    LARGEST_LEAD,
    LEAST_FOR_MARGIN,
    LOWEST_POINTS,
    MOST_FIRSTS,
    MOST_GAMES,
    NO_FOURTH,
    TOP_TWO,
    HeadToHead,
    PlayedSeat,
    PlayerStatistics,
    Record,
    SettledGame,
    Streak,
    meetings,
    opponents_of,
    records_of,
    running_totals,
    settle_games,
    statistics_of,
)
from scoring.presets import resolve
from scoring.standings import BEYOND, SUBSTITUTE, Numbers, rank_players

RULES = resolve("mleague")
SHEET = (45_000, 30_000, 20_000, 5_000)  # 65.0, 10.0, −20.0, −55.0


def games(*rows):
    """Rows of (players, points), settled under M.League's rules."""
    return settle_games([(*players, *points, 0) for players, points in rows], RULES)


def seats(*places):
    return PlayerStatistics(tuple(PlayedSeat(0, 25_000, place, 0) for place in places))


def test_a_game_is_settled_with_places_scores_and_points():
    assert games(((1, 2, 3, 4), SHEET)) == [
        SettledGame((1, 2, 3, 4), SHEET, (1, 2, 3, 4), (650, 100, -200, -550))
    ]


def test_a_player_without_a_game_has_no_average_and_no_rate():
    own = statistics_of(games(((1, 2, 3, 4), SHEET)), 9)
    assert (own.games, own.places, own.average_place, own.margin) == (0, (0, 0, 0, 0), None, None)
    assert (own.average_score, own.average_points, own.top_two, own.avoidance, own.bust_rate) == (None,) * 5
    assert (own.best, own.worst, own.streak(FIRSTS), own.current_streak(FIRSTS)) == (None, None, None, 0)


def test_a_game_that_ends_at_exactly_zero_points_is_not_a_bust():
    own = statistics_of(
        games(((1, 2, 3, 4), (60_000, 40_000, 0, 0)), ((1, 2, 3, 4), (60_100, 40_000, 0, -100))), 4
    )
    assert (own.games, own.busts, own.bust_rate) == (2, 1, Fraction(1, 2))


def test_the_margin_is_the_normal_approximation_and_needs_twenty_games():
    places = [1, 2, 3, 4, 1] * 4
    expected = 1.96 * stdev(places) / len(places) ** 0.5
    assert 0 <= seats(*places).margin - expected < 0.01
    assert seats(*places[: LEAST_FOR_MARGIN - 1]).margin is None
    assert seats(*[2] * 20).margin == 0


def test_of_equal_games_and_streaks_the_earlier_one_counts():
    own = PlayerStatistics(
        tuple(PlayedSeat(0, 25_000, place, score) for place, score in [(1, 50), (2, 9), (1, 50), (4, 9)])
    )
    assert (own.best, own.worst) == (0, 1)
    assert own.streak(FIRSTS) == Streak(1, 0, 0)
    assert own.streak(TOP_TWO) == Streak(3, 0, 2)
    assert (own.current_streak(TOP_TWO), own.current_streak(FOURTHS)) == (0, 1)


@given(st.lists(st.integers(1, 4), max_size=40))
def test_streaks_are_those_of_an_independent_count(places):
    own = seats(*places)
    for kind, within in ((FIRSTS, "1"), (TOP_TWO, "12"), (NO_FOURTH, "123"), (FOURTHS, "4")):
        runs = [len(list(run)) for inside, run in groupby(places, lambda p: str(p) in within) if inside]  # noqa: B023
        longest = own.streak(kind)
        assert (longest.length if longest else 0) == max(runs, default=0)
        at_end = bool(places) and str(places[-1]) in within
        assert own.current_streak(kind) == (runs[-1] if at_end else 0)


def test_a_substitute_has_no_statistics_and_no_opponent():
    played = games(((1, SUBSTITUTE, 3, SUBSTITUTE), SHEET))
    assert opponents_of(played, 1) == {3: HeadToHead(1, 1, 0, 850)}
    assert set(meetings(played, [1, 3, SUBSTITUTE])) == {(1, 3), (3, 1)}
    assert {record.player for record in records_of(played)} <= {1, 3}


def test_equal_places_are_neither_ahead_nor_behind():
    rows = [(1, 2, 3, 4, 35_000, 35_000, 25_000, 25_000, 0)]
    played = settle_games(rows, resolve("ema-2016"))
    assert opponents_of(played, 1)[2] == HeadToHead(1, 0, 0, 0)


def test_records_name_their_game_and_everyone_who_shares_them():
    played = games(
        ((1, 2, 3, 4), SHEET),
        ((1, 2, 3, 4), (45_000, 44_900, 10_200, -100)),
        ((5, 1, 2, 3), (30_000, 40_000, 20_000, 10_000)),
    )
    found = records_of(played)

    def of(kind):
        return [record for record in found if record.kind == kind]

    assert of(HIGHEST_POINTS) == [
        Record(HIGHEST_POINTS, 45_000, 1, (0,)),
        Record(HIGHEST_POINTS, 45_000, 1, (1,)),
    ]
    assert of(HIGHEST_SCORE) == [Record(HIGHEST_SCORE, 650, 1, (0,)), Record(HIGHEST_SCORE, 650, 1, (1,))]
    assert of(LARGEST_LEAD) == [Record(LARGEST_LEAD, 15_000, 1, (0,))]
    assert of(CLOSEST_WIN) == [Record(CLOSEST_WIN, 100, 1, (1,))]
    assert of(LOWEST_POINTS) == [Record(LOWEST_POINTS, -100, 4, (1,))]
    assert of(MOST_GAMES) == [Record(MOST_GAMES, 3, player) for player in (1, 2, 3)]
    assert of(MOST_FIRSTS) == [Record(MOST_FIRSTS, 3, 1)]
    assert of(BEST_AVERAGE) == []  # nobody has played ten games
    assert of(FIRSTS) == [Record(FIRSTS, 3, 1, (0, 2))]
    assert of(TOP_TWO) == [Record(TOP_TWO, 3, 1, (0, 2))]


def test_no_games_have_no_records():
    assert records_of([]) == []


def test_every_number_of_a_real_season_agrees_with_an_independent_count():
    """Count M.League 2018-19 from the points of the file alone, without the settlement."""
    rows = [
        (tuple(int(seat["player"][1:]) for seat in seats), tuple(seat["points"] for seat in seats))
        for seats in tables_of("mleague-2018-19.json")
    ]
    played = games(*rows)
    players = sorted({player for four, _points in rows for player in four})
    assert (len(played), len(players)) == (106, 21)

    for player in players:
        own = statistics_of(played, player)
        mine = [(dict(zip(four, points, strict=True))) for four, points in rows if player in four]
        places = [1 + sum(points > game[player] for points in game.values()) for game in mine]
        assert own.places == tuple(places.count(place) for place in (1, 2, 3, 4))
        assert float(own.average_place) == pytest.approx(mean(places))
        assert float(own.average_points) == pytest.approx(mean(game[player] for game in mine))
        assert own.busts == sum(game[player] < 0 for game in mine)
        against = opponents_of(played, player)
        assert set(against) == {other for game in mine for other in game} - {player}
        for other, found in against.items():
            both = [(game[player], game[other]) for game in mine if other in game]
            assert (found.games, found.ahead) == (len(both), sum(a > b for a, b in both))
            assert found.behind == sum(a < b for a, b in both)
    found = {record.kind: record for record in records_of(played)}
    assert found[HIGHEST_POINTS].value == max(max(points) for _four, points in rows)
    assert found[LOWEST_POINTS].value == min(min(points) for _four, points in rows)
    assert found[MOST_GAMES].value == max(sum(player in four for four, _p in rows) for player in players)


def tables_of(file):
    season = json.loads((Path(__file__).parents[4] / "data" / file).read_text(encoding="utf-8"))
    for stage in season["divisions"][0]["stages"]:
        for round_ in stage["rounds"]:
            for table in round_["tables"]:
                yield table["seats"]


@given(
    st.lists(st.integers(-900, 900), max_size=30),
    st.integers(1, 8),
    st.sampled_from(BEYOND),
)
def test_a_running_total_ends_at_the_total_of_the_standings(scores, standard, beyond):
    """Play each score against three others and compare with the ranking after every game."""
    numbers = Numbers(standard=standard, beyond=beyond)
    rules = resolve("mleague", {"start_points": 25_000})
    rng = random.Random(len(scores))
    rows = []
    for index, _score in enumerate(scores):
        points = [25_000 + 100 * rng.randint(-250, 250) for _ in range(3)]
        rows.append((1, 10 * index + 2, 10 * index + 3, 10 * index + 4, 100_000 - sum(points), *points, 0))
    own = [game.scores[0] for game in settle_games(rows, rules)]
    sums = running_totals(own, numbers)
    assert len(sums) == len(rows)
    for count, total in enumerate(sums, 1):
        ranked = rank_players(rows[:count], rules, numbers=numbers)
        assert total == next(row.total for row in ranked if row.player == 1)


def test_a_matrix_is_the_same_from_both_sides():
    rng = random.Random(7)
    rows = [
        (tuple(rng.sample(range(8), 4)), tuple(rng.sample([45_000, 30_000, 20_000, 5_000], 4)))
        for _ in range(50)
    ]
    played = games(*rows)
    found = meetings(played, range(8))
    for player in range(8):
        assert {pair[1]: each for pair, each in found.items() if pair[0] == player} == opponents_of(
            played, player
        )
    assert all(found[b, a] == found[a, b].reverse for a, b in found)


def test_averages_are_records_from_ten_games_on():
    played = games(*[((1, 2, 3, 4), SHEET)] * 10)
    found = {record.kind: record for record in records_of(played) if record.player == 1}
    assert found[BEST_AVERAGE].value == 650
    assert found[BEST_AVERAGE_PLACE].value == 1
