"""What a hanchan scores."""

from fractions import Fraction

import pytest

from scoring.presets import resolve
from scoring.rules import Rules, RulesError
from scoring.settlement import settle
from tests.scoring.seed_examples.cases import EAST, SOUTH, Case, example, tenths


def scores(points: list[int], rules: Rules) -> list[int | Fraction]:
    east, south, west, north = points
    return [seat.score for seat in settle((east, south, west, north), rules)]


@example("000-2.12")
def test_the_score_of_the_ema_by_the_length_of_the_game(case: Case) -> None:
    given = case["input"]
    points = [given["start"] + difference for difference in (20300, 4500, -8400, -16400)]
    lengths = {"east": "east_only", "half": "hanchan", "full": "full_game"}

    for length, name in lengths.items():
        factor = Fraction(given["length_factor"][name])
        expected = [
            factor * (number - given["start"] + uma) / 100
            for number, uma in zip(points, given["uma"], strict=True)
        ]
        assert scores(points, resolve("ema-2016", {"game_length": length})) == expected


@example("002-left-1000", "002-left-2000")
def test_deposits_left_over_are_shared_by_three_tied_for_first(case: Case) -> None:
    rules, sticks = resolve("hkma-a-2025-04"), case["input"]["sticks"]
    low = rules.total_points - sticks - 3 * 36000

    for fourth in range(4):
        points = [36000] * 4
        points[fourth] = low
        shares = [seat.sticks for seat in settle(points, rules, sticks=sticks) if seat.wind != fourth]
        assert [share * 100 for share in shares] == case["expected"]


PRESETS = {
    "002-settle-A-new": "hkma-a-2025-04",
    "002-settle-A-old": "hkma-a-legacy",
    "002-settle-B-new": "hkma-b-2025-04",
    "002-settle-B-old": "hkma-b-legacy",
}


@example(*PRESETS)
def test_a_hanchan_is_settled_by_either_text_of_hkma(case: Case) -> None:
    rules = resolve(PRESETS[case["id"]])
    given, place_points = case["input"], (rules.uma[0] + rules.oka, *rules.uma[1:])

    assert rules.return_points == given.get("return", given.get("origin"))
    weights = given.get("rank_points") or [Fraction(weight, 1000) for weight in given["weights"]]
    assert list(place_points) == [tenths(weight) for weight in weights]
    assert scores(given["final"], rules) == [tenths(score) for score in case["expected"]]
    assert sum(case["expected"]) == 0


@example("002-settle-A-mixed")
def test_the_mixture_of_both_texts_is_refused_as_unbalanced(case: Case) -> None:
    given = case["input"]
    mixed = {"return_points": given["origin"], "uma": given["rank_points"], "oka": 0}

    with pytest.raises(RulesError) as refused:
        resolve("hkma-a-2025-04", mixed)
    unbalanced = resolve("hkma-a-2025-04", {**mixed, "unbalanced": True})

    assert [(problem.code, problem.params["difference"]) for problem in refused.value.problems] == [
        ("unbalanced", tenths(sum(case["expected"])))
    ]
    assert scores(given["final"], unbalanced) == [tenths(score) for score in case["expected"]]


@example("002-tie-first")
def test_two_tied_for_first_share_hkmas_place_points(case: Case) -> None:
    rules, given = resolve("hkma-a-2025-04"), case["input"]

    table = settle((38000, 38000, 28000, 16000), rules)

    assert [rules.uma[0] + rules.oka, *rules.uma[1:]] == [tenths(each) for each in given["rank_points"]]
    assert [seat.uma + seat.oka for seat in table] == [tenths(each) for each in case["expected"]]


@example("002-tie-three")
def test_of_three_tied_for_first_the_nearest_to_the_first_dealer_has_the_remainder(case: Case) -> None:
    expected = case["expected"]

    table = settle((36000, 36000, 36000, 12000), resolve("hkma-a-2025-04"))

    found = [seat.uma + seat.oka for seat in table[:3]]
    assert sum(found) == tenths(expected["sum"])
    assert found == [tenths(each) for each in expected["floored_to_0.1_remainder_to_nearest"]]


@example("ema25-uma-1", "ema25-uma-2")
def test_the_ema_shares_the_uma_of_tied_players(case: Case) -> None:
    rules, given = resolve("ema-2025"), case["input"]
    tables = {"ema25-uma-1": (38000, 38000, 28000, 16000), "ema25-uma-2": (36000, 28000, 28000, 28000)}

    assert [100 * each for each in rules.uma] == given["uma"]
    assert [100 * seat.uma for seat in settle(tables[case["id"]], rules)] == case["expected"]


@example("mleague-1", "mleague-2")
def test_a_score_of_the_m_league(case: Case) -> None:
    rules, given = resolve("mleague"), case["input"]
    tables = {"mleague-1": (43000, 27000, 20000, 10000), "mleague-2": (36800, 41200, 12000, 10000)}

    table = settle(tables[case["id"]], rules)

    assert table[0].points == given["final"]
    assert rules.return_points == given["return"]
    assert table[0].place == given["place"]
    assert table[0].uma + table[0].oka == tenths(given["rank_points"])
    assert table[0].score == tenths(case["expected"])


@example("004-tie")
def test_tnt_breaks_ties_from_the_dealer_at_settlement(case: Case) -> None:
    given, rules = case["input"], resolve("tnt")

    for dealer in range(4):
        right = (dealer + 1) % 4
        points = [20000] * 4
        points[dealer], points[right] = given["final_dealer"], given["right_of_dealer"]
        table = settle(points, rules, last_dealer=dealer)
        assert {"dealer": table[dealer].place, "right": table[right].place} == case["expected"]


@example("003-sashiuma")
def test_a_named_player_pays_the_namer_in_the_lower_places_and_is_paid_in_the_upper(case: Case) -> None:
    amount = 50
    rules = resolve("kanto", {"sashiuma": amount // 10})
    places = [38000, 28000, 20000, 14000]
    words = {"B pays A": amount, "A pays B": -amount}

    found = {}
    for key, indices in (("B 3rd/4th", (2, 3)), ("B 1st/2nd", (0, 1))):
        for place in indices:
            others = [points for number, points in enumerate(places) if number != place]
            a, b, *_ = settle([others[0], places[place], *others[1:]], rules, sashiuma={EAST: SOUTH})
            assert b.place == place + 1
            assert a.sashiuma == -b.sashiuma
            found[key, place] = a.sashiuma

    assert found == {
        (key, place): words[case["expected"][key]]
        for key, indices in (("B 3rd/4th", (2, 3)), ("B 1st/2nd", (0, 1)))
        for place in indices
    }
