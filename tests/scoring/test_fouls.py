"""Chombo that cost score. Scores in tenths."""

from scoring.fouls import settle_with_chombo
from scoring.presets import resolve
from scoring.settlement import settle

POINTS = (30000, 28000, 22000, 20000)


def test_after_uma_a_chombo_leaves_the_places_as_they_are():
    rules = resolve("mleague", {"chombo": -20})
    plain = settle(POINTS, rules)

    found = settle_with_chombo(POINTS, (1, 0, 0, 2), rules)

    assert [seat.place for seat in found] == [1, 2, 3, 4]
    assert [one.score - other.score for one, other in zip(found, plain, strict=True)] == [-200, 0, 0, -400]


def test_before_uma_a_chombo_takes_points_from_which_the_places_follow():
    rules = resolve("mleague", {"chombo": -20, "chombo_timing": "before_uma"})

    found = settle_with_chombo(POINTS, (1, 0, 0, 0), rules)

    assert [seat.place for seat in found] == [4, 1, 2, 3]
    assert [seat.points for seat in found] == [30000, 28000, 22000, 20000]
    assert [seat.score for seat in found] == [-500, 480, 20, -200]
    assert [seat.score for seat in found] == [seat.score for seat in settle((10000, *POINTS[1:]), rules)]


def test_a_chombo_paid_in_the_game_is_in_the_points_already():
    rules = resolve("mleague", {"chombo": "reverse_mangan", "chombo_timing": "in_game"})

    assert settle_with_chombo(POINTS, (1, 0, 0, 0), rules) == settle(POINTS, rules)
