"""One table: places, ties, deposits, rounding, floating uma. Scores in tenths."""

from dataclasses import replace
from fractions import Fraction

import pytest

from scoring.presets import resolve
from scoring.rules import Rules
from scoring.settlement import Ending, SeatResult, settle, settler
from tests.scoring.rule_sets import hkma

Four = tuple[int, int, int, int]


def places(points: Four, rules: Rules, **more: int) -> tuple[int, ...]:
    return tuple(seat.place for seat in settle(points, rules, **more))


def scores(points: Four, rules: Rules, **more: int) -> tuple[object, ...]:
    return tuple(seat.score for seat in settle(points, rules, **more))


def place_points(points: Four, rules: Rules) -> tuple[object, ...]:
    return tuple(seat.uma + seat.oka for seat in settle(points, rules))


def shares(points: Four, rules: Rules, sticks: int) -> tuple[object, ...]:
    return tuple(seat.sticks for seat in settle(points, rules, sticks=sticks))


def test_a_table_is_settled_seat_by_seat():
    assert settle((38400, 2000, 42900, 16700), resolve("mleague")) == (
        SeatResult(wind=0, points=38400, place=2, uma=100, oka=0, sticks=0, score=184),
        SeatResult(wind=1, points=2000, place=4, uma=-300, oka=0, sticks=0, score=-580),
        SeatResult(wind=2, points=42900, place=1, uma=300, oka=200, sticks=0, score=629),
        SeatResult(wind=3, points=16700, place=3, uma=-100, oka=0, sticks=0, score=-233),
    )


@pytest.mark.parametrize("division", ["a", "b"])
def test_hkma_gives_50_10_minus_10_minus_30_in_both_divisions_and_sums_to_zero(division):
    rules = hkma(division)
    start = rules.start_points
    table = (start + 12300, start + 100, start - 4400, start - 8000)

    assert place_points(table, rules) == (500, 100, -100, -300)
    assert scores(table, rules) == (573, 51, -194, -430)


@pytest.mark.parametrize(
    ("points", "expected_places", "expected"),
    [
        ((40000, 40000, 30000, 10000), (1, 1, 3, 4), (300, 300, -100, -300)),
        ((10000, 40000, 30000, 40000), (4, 1, 3, 1), (-300, 300, -100, 300)),
        ((50000, 30000, 30000, 10000), (1, 2, 2, 4), (500, 0, 0, -300)),
        ((50000, 40000, 15000, 15000), (1, 2, 3, 3), (500, 100, -200, -200)),
        ((45000, 15000, 45000, 15000), (1, 3, 1, 3), (300, -200, 300, -200)),
        ((60000, 20000, 20000, 20000), (1, 2, 2, 2), (500, -100, -100, -100)),
        # 50 three ways: 16.6 each, and the 0.2 left over to the tied seat nearest the first dealer.
        ((35000, 35000, 35000, 15000), (1, 1, 1, 4), (168, 166, 166, -300)),
        ((15000, 35000, 35000, 35000), (4, 1, 1, 1), (-300, 168, 166, 166)),
        ((30000, 30000, 30000, 30000), (1, 1, 1, 1), (50, 50, 50, 50)),
    ],
)
def test_tied_players_share_the_place_and_the_place_points(points, expected_places, expected):
    assert places(points, hkma()) == expected_places
    assert place_points(points, hkma()) == expected


def test_tied_firsts_share_the_oka_and_it_is_shown_apart_from_the_uma():
    pair = settle((40000, 40000, 30000, 10000), hkma())
    three = settle((35000, 35000, 35000, 15000), hkma())

    assert [(seat.uma, seat.oka) for seat in pair] == [(200, 100), (200, 100), (-100, 0), (-300, 0)]
    assert [(seat.uma, seat.oka) for seat in three] == [(100, 68), (100, 66), (100, 66), (-300, 0)]


@pytest.mark.parametrize("points", [(35000, 35000, 35000, 15000), (-5000, 62500, 62500, 0)])
def test_scores_of_a_tied_hkma_table_sum_to_zero(points):
    assert sum(seat.score for seat in settle(points, hkma())) == 0


def test_negative_points_are_settled_like_others():
    assert scores((-12300, 70000, 52300, 10000), hkma()) == (-773, 850, 273, -350)


@pytest.mark.parametrize(
    ("sticks", "expected"),
    [(1000, (4, 3, 3, 0)), (2000, (8, 6, 6, 0)), (3000, (10, 10, 10, 0)), (0, (0, 0, 0, 0))],
)
def test_deposits_left_are_shared_three_ways_in_hundreds(sticks, expected):
    assert shares((34000, 34000, 34000, 18000 - sticks), hkma(), sticks) == expected


def test_the_remainder_of_deposits_goes_to_the_tied_seat_nearest_the_first_dealer():
    assert shares((17000, 34000, 34000, 34000), hkma(), 1000) == (0, 4, 3, 3)
    assert shares((34000, 17000, 34000, 34000), hkma(), 2000) == (8, 0, 6, 6)


def test_deposits_left_are_shared_four_ways_in_hundreds():
    assert shares((29700, 29700, 29700, 29700), hkma(), 1000) == (4, 2, 2, 2)


def test_place_points_and_deposits_are_divided_separately():
    # Added first, 51.0 would divide into three times 17.0; HKMA divides each by itself.
    table = settle((34000, 34000, 34000, 17000), hkma(), sticks=1000)

    assert [seat.uma + seat.oka + seat.sticks for seat in table] == [172, 169, 169, -300]
    assert sum(seat.score for seat in table) == 0


def test_deposits_left_go_to_the_only_first():
    assert scores((20000, 41000, 30000, 28000), hkma(), sticks=1000) == (-450, 570, 50, -170)


def test_deposits_that_belong_to_no_player_are_missing_from_the_sum():
    table = settle((20000, 41000, 30000, 27000), hkma(leftover_sticks="nobody"), sticks=2000)

    assert [seat.sticks for seat in table] == [0, 0, 0, 0]
    assert sum(seat.score for seat in table) == -20


def test_a_remainder_may_be_dropped():
    rules = hkma(split_remainder="drop")

    assert place_points((35000, 35000, 35000, 15000), rules) == (166, 166, 166, -300)
    assert shares((34000, 34000, 34000, 17000), rules, 1000) == (3, 3, 3, 0)


def test_a_split_may_be_exact():
    rules = hkma(split_remainder="exact")
    third = Fraction(500, 3)

    assert place_points((35000, 35000, 35000, 15000), rules) == (third, third, third, -300)
    assert shares((34000, 34000, 34000, 17000), rules, 1000) == (*[Fraction(10, 3)] * 3, 0)
    assert sum(seat.score for seat in settle((34000, 34000, 34000, 17000), rules, sticks=1000)) == 0


def test_an_exact_split_that_divides_is_a_whole_number():
    table = settle((40000, 40000, 30000, 10000), hkma(split_remainder="exact"))

    assert [type(seat.score) for seat in table] == [int, int, int, int]


def test_the_earlier_seat_may_rank_higher():
    rules = hkma(tie_rule="seat")

    assert places((30000, 30000, 30000, 30000), rules) == (1, 2, 3, 4)
    assert places((10000, 40000, 30000, 40000), rules) == (4, 1, 3, 2)
    assert scores((10000, 40000, 30000, 40000), rules) == (-550, 550, -150, 150)


@pytest.mark.parametrize(
    ("last_dealer", "expected"), [(0, (1, 2, 3, 4)), (1, (4, 1, 2, 3)), (2, (3, 4, 1, 2)), (3, (2, 3, 4, 1))]
)
def test_ties_may_be_broken_from_the_dealer_at_settlement(last_dealer, expected):
    rules = hkma(tie_rule="last_dealer")

    assert places((30000, 30000, 30000, 30000), rules, last_dealer=last_dealer) == expected


def test_all_deposits_go_to_the_seat_that_wins_the_tie():
    points = (29700, 29700, 29700, 29900)
    tied = (30000, 30000, 29500, 29500)

    assert shares(points, hkma(tie_rule="seat"), 1000) == (0, 0, 0, 10)
    assert shares(tied, hkma(tie_rule="seat"), 1000) == (10, 0, 0, 0)
    assert [
        seat.sticks for seat in settle(tied, hkma(tie_rule="last_dealer"), sticks=1000, last_dealer=1)
    ] == [0, 10, 0, 0]


def rounded_points(points: Four, rounding: str) -> list[int]:
    """Whole thousands of points that each seat is settled with: its score without return and place points."""
    rules = resolve("tenhou", {"rounding": rounding})
    worth = {seat.wind: seat.uma + seat.oka - 300 for seat in settle(points, rules)}
    return [int(score - worth[wind]) for wind, score in enumerate(scores(points, rules))]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("rounding", "east", "south", "west"),
    [
        # The points of each line: 25 500, 12 400 and −1 500; the balance stays with north.
        ("none", 255, 124, -15),
        ("half_down", 250, 120, -20),
        ("half_up", 260, 120, -10),
        ("half_away", 260, 120, -20),
        ("down", 250, 120, -20),
        ("up", 260, 130, -10),
    ],
)
def test_ranks_2_to_4_are_rounded_and_rank_1_takes_the_balance(rounding, east, south, west):
    assert rounded_points((25500, 12400, -1500, 63600), rounding) == [
        east,
        south,
        west,
        1000 - east - south - west,
    ]


@pytest.mark.parametrize(
    ("rounding", "below", "half", "above"),
    [
        ("half_down", (-20, 10), (-20, 10), (-10, 20)),
        ("half_up", (-20, 10), (-10, 20), (-10, 20)),
        ("half_away", (-20, 10), (-20, 20), (-10, 20)),
        ("down", (-20, 10), (-20, 10), (-20, 10)),
        ("up", (-10, 20), (-10, 20), (-10, 20)),
    ],
)
def test_rounding_just_below_at_and_above_500(rounding, below, half, above):
    """Around −1 500 and 1 500: −1 600/1 400, −1 500/1 500 and −1 400/1 600."""
    found = [
        tuple(rounded_points((negative, positive, 30000, 100000 - 30000 - negative - positive), rounding)[:2])
        for negative, positive in ((-1600, 1400), (-1500, 1500), (-1400, 1600))
    ]

    assert found == [below, half, above]


def test_whole_thousands_are_left_alone_by_every_rounding():
    for rounding in ("half_down", "half_up", "half_away", "down", "up"):
        assert rounded_points((-3000, 0, 40000, 63000), rounding) == [-30, 0, 400, 630]


def test_rounding_keeps_the_sum_with_deposits():
    assert (
        sum(seat.score for seat in settle((30300, 30400, 20100, 18200), resolve("tenhou"), sticks=1000)) == 0
    )


def test_tied_firsts_share_the_balance_of_the_rounding():
    # West and north lose 0.4 and 0.1; the two firsts take up 0.5: 0.3 and 0.2.
    rules = hkma(rounding="down")

    assert scores((45000, 45000, 20400, 9600), rules) == (405, 405, -250, -560)
    assert scores((45000, 45000, 20400, 9100), rules) == (403, 402, -250, -560)
    assert scores((45000, 45000, 20400, 9100), replace(rules, split_remainder="drop")) == (
        402,
        402,
        -250,
        -560,
    )


JPML_A = {
    "start_points": 30000,
    "return_points": 30000,
    "oka": 0,
    "floating_uma": {"0": [0, 0, 0, 0], "1": [12, -1, -3, -8], "2": [8, 4, -4, -8], "3": [8, 3, 1, -12]},
    "uma": [0, 0, 0, 0],
    "leftover_sticks": "nobody",
}


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((60000, 29900, 20000, 10100), (120, -10, -30, -80)),
        ((50000, 30000, 29900, 10100), (80, 40, -40, -80)),
        ((40000, 35000, 30000, 15000), (80, 30, 10, -120)),
        ((30000, 30000, 30000, 30000), (0, 0, 0, 0)),
        ((29000, 29500, 29800, 29700), (0, 0, 0, 0)),
        ((40000, 40000, 30000, 10000), (55, 55, 10, -120)),
    ],
)
def test_floating_uma_follows_the_number_of_players_at_or_above_the_start(points, expected):
    assert place_points(points, resolve("mleague", JPML_A)) == expected


def test_a_count_that_floating_uma_does_not_list_uses_the_plain_uma():
    rules = resolve("ema-2025", {"floating_uma": {"1": [12, -1, -3, -8]}})

    assert place_points((60000, 29900, 20000, 10100), rules) == (120, -10, -30, -80)
    assert place_points((50000, 30000, 29900, 10100), rules) == (150, 50, -50, -150)


def test_a_club_that_plays_unbalanced_has_tables_that_do_not_sum_to_zero():
    rules = resolve("mleague", {"oka": 0, "unbalanced": True})

    assert sum(seat.score for seat in settle((38400, 2000, 42900, 16700), rules)) == -200


@pytest.mark.parametrize(
    ("points", "more"),
    [
        ((25000, 25000, 50000), {}),
        ((25050, 24950, 25000, 25000), {}),
        ((25000, 25000, 25000, 25000), {"sticks": 50}),
        ((25000, 25000, 25000, 25000), {"sticks": -1000}),
        ((25000, 25000, 25000, 25000), {"last_dealer": 4}),
    ],
)
def test_a_table_that_cannot_be_is_refused(points, more):
    with pytest.raises(ValueError, match=r"four seats|in hundreds"):
        settle(points, hkma(), **more)


def test_equal_rule_sets_share_one_settler_and_different_ones_do_not():
    rows = {"4": [0, 0, 0, 0]}, {"4": [1, 0, 0, -1]}
    zero, one = (resolve("ema-2016", {"floating_uma": row}) for row in rows)
    all_above = (33000, 32000, 31000, 30000, 0)

    assert settler(resolve("mleague")) is settler(resolve("mleague"))
    assert settler(resolve("mleague")) is not settler(resolve("tenhou"))
    assert hash(zero) == hash(one)  # a mapping takes no part in the hash, but in the comparison
    assert settler(zero)(*all_above)[1] == (30, 20, 10, 0)
    assert settler(one)(*all_above)[1] == (40, 20, 10, -10)


# --- the score by the length of the game (EMA 2016, 2.12)


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        ("east", (Fraction(273, 2), 26, Fraction(-99, 2), -113)),
        ("half", (273, 52, -99, -226)),
        ("full", (546, 104, -198, -452)),
    ],
)
def test_ema_halves_the_score_of_an_east_only_game_and_doubles_that_of_a_full_one(length, expected):
    rules = resolve("ema-2016", {"game_length": length, "score_by_length": True})
    table = (42300, 30200, 25100, 22400)

    assert scores(table, rules) == expected
    assert settler(rules)(*table, 0) == ((1, 2, 3, 4), expected)


def test_halved_parts_add_up_to_the_halved_score():
    rules = resolve("ema-2016", {"game_length": "east", "score_by_length": True})

    east, *_ = settle((41300, 30200, 25100, 22400), rules, sticks=1000)

    assert (east.uma, east.oka, east.sticks, east.score) == (75, 0, 5, Fraction(273, 2))


# --- sashiuma (Kanto rules, 马身)

SASHIUMA = {"sashiuma": 10}
IN_ORDER = (40000, 30000, 20000, 10000)


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({0: 3}, (100, 0, 0, -100)),  # the named player is fourth and pays
        ({0: 2}, (100, 0, -100, 0)),
        ({2: 0}, (100, 0, -100, 0)),  # the named player is first and is paid
        ({3: 1}, (0, 100, 0, -100)),
        ({0: 1, 1: 0}, (0, 0, 0, 0)),  # both win once and lose once
        ({0: 3, 1: 3, 2: 3}, (100, 100, 100, -300)),
        ({}, (0, 0, 0, 0)),
    ],
)
def test_the_named_player_pays_in_third_or_fourth_place_and_is_paid_in_first_or_second(named, expected):
    rules = resolve("mleague", SASHIUMA)
    plain = scores(IN_ORDER, rules)

    seats = settle(IN_ORDER, rules, sashiuma=named)

    assert tuple(seat.sashiuma for seat in seats) == expected
    assert tuple(seat.score for seat in seats) == tuple(
        before + moved for before, moved in zip(plain, expected, strict=True)
    )
    assert settler(rules)(*IN_ORDER, Ending(sashiuma=tuple(named.items()))) == (
        (1, 2, 3, 4),
        tuple(seat.score for seat in seats),
    )


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ((40000, 25000, 25000, 10000), 0),  # second and third: neither
        ((40000, 20000, 20000, 20000), Fraction(100, 3)),  # two of the three places pay
        ((30000, 30000, 30000, 10000), Fraction(-100, 3)),
        ((25000, 25000, 25000, 25000), 0),
    ],
)
def test_in_a_sashiuma_players_who_share_places_count_for_each_of_them(points, expected):
    seats = settle(points, resolve("mleague", SASHIUMA), sashiuma={3: 1})

    assert (seats[3].sashiuma, seats[1].sashiuma) == (expected, -expected)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("points", "named", "places", "sashiuma"),
    [
        ((30000, 25500, 25000, 19500), {2: 3}, (1, 3, 2, 4), (0, 0, 50, -50)),
        ((30000, 29000, 21000, 20000), {0: 1}, (2, 1, 3, 4), (-50, 50, 0, 0)),
        ((30000, 25500, 23500, 21000), {1: 0}, (1, 4, 2, 3), (50, -50, 0, 0)),
        ((30000, 20000, 25000, 25000), {}, (1, 4, 2, 3), (0, 0, 0, 0)),
    ],
)
def test_a_sashiuma_may_change_the_final_places(points, named, places, sashiuma):
    """Kanto, 马身: A in third place, named B in fourth, may change place by what B pays; so may a first."""
    seats = settle(points, resolve("kanto"), sashiuma=named)

    assert tuple(seat.sashiuma for seat in seats) == sashiuma
    assert tuple(seat.place for seat in seats) == places
    fast = settler(resolve("kanto"))(*points, Ending(sashiuma=tuple(named.items())))
    assert fast == (places, tuple(seat.score for seat in seats))


def test_after_a_sashiuma_a_late_substitute_stays_last_and_place_points_stay_with_the_points():
    rules = resolve("ema-2025", {"sashiuma": 100})

    seats = settle((30000, 31000, 29000, 30000), rules, sashiuma={1: 0, 3: 2}, late=(3,))

    assert [(seat.place, seat.uma) for seat in seats] == [(1, 50), (2, 150), (3, -50), (4, -150)]


@pytest.mark.parametrize("named", [{0: 0}, {0: 4}, {-1: 2}])
def test_no_player_names_themselves_or_an_unknown_player(named):
    with pytest.raises(ValueError, match="names one of the other three"):
        settle(IN_ORDER, resolve("mleague", SASHIUMA), sashiuma=named)


def test_naming_under_rules_without_sashiuma_is_refused():
    with pytest.raises(ValueError, match="no sashiuma"):
        settle(IN_ORDER, resolve("mleague"), sashiuma={0: 1})


def test_ties_from_the_last_dealer_follow_who_dealt_last():
    rules = resolve("mleague", {"tie_rule": "last_dealer"})
    table = (25000, 25000, 25000, 25000)

    assert settler(rules)(*table, Ending(last_dealer=1))[0] == (4, 1, 2, 3)
    assert settler(rules)(*table, 0)[0] == (2, 3, 4, 1)  # a number alone: north dealt last


# A substitute who came after play had begun (EMA 2025, 7.3)


def test_a_late_substitute_takes_last_place_and_the_others_15_5_and_minus_5():
    table = settle((52000, 31000, 20000, 17000), resolve("ema-2025"), late=(0,))

    assert [(seat.place, seat.uma) for seat in table] == [(4, -150), (1, 150), (2, 50), (3, -50)]
    assert [seat.score for seat in table] == [220 - 150, 10 + 150, -100 + 50, -130 - 50]


def test_behind_a_late_substitute_ties_are_shared_among_the_others_only():
    table = settle((30000, 30000, 30000, 30000), resolve("ema-2025"), late=(3,))

    assert [(seat.place, seat.uma) for seat in table] == [(1, 50), (1, 50), (1, 50), (4, -150)]


def test_of_two_late_substitutes_the_better_one_comes_first():
    table = settle((50000, 30000, 22000, 18000), resolve("ema-2025"), late=(0, 1))

    assert [seat.place for seat in table] == [3, 4, 1, 2]


def test_a_late_seat_is_one_of_four():
    with pytest.raises(ValueError, match="four seats"):
        settle((30000, 30000, 30000, 30000), resolve("ema-2025"), late=(4,))
