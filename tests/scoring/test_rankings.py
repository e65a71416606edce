"""The rankings of a club against sums made by hand, of random seasons and of small cases."""

import random
from fractions import Fraction

import pytest

from scoring.presets import resolve
from scoring.rankings import AVERAGE, BEST, GAMES, POINTS, RUN, TOTAL, RankedPlayer, Ranking, rank_by
from scoring.settlement import settle
from scoring.standings import Game, rank_players
from tests.examples import scaled

RULES = resolve("mleague")


def season(seed: int) -> list[Game]:
    """Some hanchan of ten players, each by four of them."""
    chance = random.Random(seed)
    games: list[Game] = []
    for _ in range(chance.randint(1, 40)):
        points = [chance.randrange(-200, 900) * 100 for _ in range(3)]
        points.append(RULES.total_points - sum(points))
        games.append((*chance.sample(range(1, 11), 4), *points, 0))
    return games


def scores_by_hand(games: list[Game]) -> dict[int, list[int | Fraction]]:
    found: dict[int, list[int | Fraction]] = {}
    for game in games:
        for player, seat in zip(game[:4], settle(game[4:8], RULES), strict=True):
            found.setdefault(player, []).append(seat.score)
    return found


def ranked(games: list[Game], kind: str, number: int = 0) -> list[RankedPlayer]:
    rows = rank_players(games, RULES, tie_breaks=(), with_history=True)
    return rank_by(Ranking(kind, number), rows)


BY_HAND = {
    TOTAL: lambda scores, number: sum(scores),
    AVERAGE: lambda scores, number: Fraction(sum(scores), len(scores)),
    BEST: lambda scores, number: sum(sorted(scores)[-number:]),
    RUN: lambda scores, number: max(sum(scores[i : i + number]) for i in range(len(scores) - number + 1)),
}


@pytest.mark.parametrize("kind", BY_HAND)
def test_random_seasons_are_ranked_as_by_hand(kind):
    for seed in range(scaled(200)):
        games, number = season(seed), 1 + seed % 7
        hands = scores_by_hand(games)
        values = {p: BY_HAND[kind](scores, number) for p, scores in hands.items() if len(scores) >= number}

        found = ranked(games, kind, number)

        assert {each.player: each.value for each in found if each.rank} == values
        assert [each.rank for each in found if each.rank] == [
            1 + sum(other > values[each.player] for other in values.values()) for each in found if each.rank
        ]
        assert {each.player: each.games for each in found} == {p: len(scores) for p, scores in hands.items()}
        below = [each for each in found if each.rank is None]
        assert found[len(values) :] == below  # after the ranked


def test_equal_values_share_a_rank_and_the_next_one_is_left_out():
    games: list[Game] = [
        (1, 2, 3, 4, 40_000, 20_000, 20_000, 20_000, 0),
        (2, 1, 3, 4, 40_000, 20_000, 20_000, 20_000, 0),
    ]

    assert [(each.player, each.rank) for each in ranked(games, TOTAL)] == [(1, 1), (2, 1), (3, 3), (4, 3)]


def test_the_most_hanchan_and_the_highest_points():
    games: list[Game] = [
        (1, 2, 3, 4, 61_000, 20_000, 10_000, 9_000, 0),
        (5, 1, 2, 3, 40_000, 30_000, 20_000, 10_000, 0),
    ]

    assert [(each.player, each.value) for each in ranked(games, GAMES)][:3] == [(1, 2), (2, 2), (3, 2)]
    assert [(each.player, each.value) for each in ranked(games, POINTS)][:2] == [(1, 61_000), (5, 40_000)]


@pytest.mark.parametrize(
    ("kind", "number"), [("tea", 0), (BEST, 0), (RUN, 0), (TOTAL, -1), (GAMES, 1), (AVERAGE, 10_001)]
)
def test_a_ranking_that_cannot_be_is_refused(kind, number):
    with pytest.raises(ValueError, match="no such ranking"):
        Ranking(kind, number)
