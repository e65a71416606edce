"""What decides between equal totals."""

from fractions import Fraction

import pytest

from scoring.cuts import WILD_CARD_METRICS
from scoring.standings import (
    DEFAULT_TIE_BREAKS,
    TIE_BREAKS,
    Game,
    Outside,
    Row,
    better_first,
    measure,
    rank_players,
    validate_tie_breaks,
)
from tests import reckoning
from tests.scoring.games import ALICE, BOB, CHARLIE, DANA, EMA, ERIN, FRANK, SEATED


def test_equal_after_every_tie_break_shares_the_rank_and_the_next_rank_is_skipped():
    rows = rank_players([(*SEATED, 40000, 30000, 30000, 20000, 0)], EMA)

    assert [(row.rank, row.tied, row.player) for row in rows] == [
        (1, False, ALICE),
        (2, True, BOB),
        (2, True, CHARLIE),
        (4, False, DANA),
    ]
    assert [row.decided_by for row in rows] == [None] * 4


def equal_totals(*, tie_breaks: tuple[str, ...]) -> list[Row]:
    """Alice 1st and 4th, Bob 2nd and 3rd, both with a total of zero; Charlie and Dana far apart."""
    games: list[Game] = [
        (ALICE, BOB, CHARLIE, DANA, 35000, 32000, 30000, 23000, 0),
        (ALICE, BOB, CHARLIE, DANA, 25000, 28000, 38000, 29000, 0),
    ]
    return rank_players(games, EMA, tie_breaks=tie_breaks)


def decided(rows: list[Row], *players: int) -> list[tuple[int, int, str | None]]:
    return [(row.rank, row.player, row.decided_by) for row in rows if row.player in players]


@pytest.mark.parametrize(
    ("tie_break", "better", "worse"),
    [
        ("firsts", ALICE, BOB),
        ("seconds", BOB, ALICE),
        ("lasts", BOB, ALICE),
        ("best_points", ALICE, BOB),
        ("best_score", ALICE, BOB),
    ],
)
def test_a_tie_break_separates_equal_totals_and_is_named(tie_break, better, worse):
    rows = equal_totals(tie_breaks=(tie_break,))

    assert decided(rows, ALICE, BOB) == [(2, better, None), (3, worse, tie_break)]
    assert [row.tied for row in rows] == [False] * 4


def test_without_a_tie_break_equal_totals_share_the_rank():
    assert decided(equal_totals(tie_breaks=()), ALICE, BOB) == [(2, ALICE, None), (2, BOB, None)]


def test_fewer_deductions_win_the_penalty_tie_break_though_the_totals_are_equal():
    game: Game = (*SEATED, 40000, 30000, 30000, 20000, 0)
    penalties = [(BOB, -20), (BOB, 30), (CHARLIE, 10)]

    rows = rank_players([game], EMA, penalties=penalties, tie_breaks=("penalty",))

    assert decided(rows, BOB, CHARLIE) == [(2, CHARLIE, None), (3, BOB, "penalty")]


def test_a_bonus_is_not_a_deduction():
    game: Game = (*SEATED, 40000, 30000, 30000, 20000, 0)
    rows = rank_players([game], EMA, penalties=[(BOB, 20)], carried={CHARLIE: 20}, tie_breaks=("penalty",))

    assert [(row.rank, row.tied) for row in rows if row.player in (BOB, CHARLIE)] == [(2, True), (2, True)]


def test_the_average_place_breaks_ties_across_different_numbers_of_games():
    games: list[Game] = [
        (ALICE, BOB, CHARLIE, DANA, 30000, 40000, 26000, 24000, 0),
        (ERIN, BOB, CHARLIE, DANA, 40000, 30000, 26000, 24000, 0),
        (ERIN, BOB, CHARLIE, DANA, 15000, 50000, 30000, 25000, 0),
    ]

    rows = rank_players(games, EMA, carried={ALICE: -100}, tie_breaks=("average_place",))

    assert [row.total for row in rows if row.player in (ALICE, ERIN)] == [-50, -50]
    assert decided(rows, ALICE, ERIN) == [(2, ALICE, None), (3, ERIN, "average_place")]


def test_tie_breaks_are_asked_in_their_order():
    assert decided(equal_totals(tie_breaks=("average_place", "lasts", "firsts")), ALICE, BOB) == [
        (2, BOB, None),
        (3, ALICE, "lasts"),
    ]


def four_equal(*games: tuple[int, int, int, int]) -> list[Game]:
    """Hanchan of Alice, Bob, Charlie and Dana, whose points follow in this order; each sits one seat further
    in the next one.
    """
    found: list[Game] = []
    for turn, points in enumerate(games):
        order = [(seat + turn) % 4 for seat in range(4)]
        a, b, c, d = (SEATED[i] for i in order)
        east, south, west, north = (points[i] for i in order)
        found.append((a, b, c, d, east, south, west, north, 0))
    return found


# Alice and Bob: first and second of each other's tables, equal in all; Charlie and Dana far below.
RETURNED = four_equal((40000, 34000, 26000, 20000), (34000, 40000, 20000, 26000))


def test_the_score_of_the_newest_hanchan_breaks_a_tie():
    rows = rank_players(RETURNED, EMA, tie_breaks=("firsts", "last_round"))

    assert decided(rows, ALICE, BOB) == [(1, BOB, None), (2, ALICE, "last_round")]


def test_the_seat_of_the_newest_hanchan_breaks_a_tie():
    rows = rank_players(RETURNED, EMA, tie_breaks=("seat_order",))  # then Bob was east, Alice north

    assert decided(rows, ALICE, BOB) == [(1, BOB, None), (2, ALICE, "seat_order")]


def with_erin_and_frank() -> list[Game]:
    """Alice and Bob equal: Alice was better where they met, Bob where Alice was not."""
    return [
        (ALICE, BOB, CHARLIE, DANA, 40000, 30000, 30000, 20000, 0),
        (ERIN, BOB, CHARLIE, FRANK, 20000, 45000, 30000, 25000, 0),
        (ERIN, ALICE, DANA, FRANK, 20000, 35000, 40000, 25000, 0),
    ]


def test_the_hanchan_in_which_the_equal_players_met_break_a_tie():
    games = with_erin_and_frank()
    alice, bob = (next(r.total for r in rank_players(games, EMA) if r.player == p) for p in (ALICE, BOB))

    rows = rank_players(games, EMA, carried={BOB: alice - bob}, tie_breaks=("head_to_head",))

    assert decided(rows, ALICE, BOB) == [(1, ALICE, None), (2, BOB, "head_to_head")]


def test_who_never_met_is_left_to_the_next_tie_break():
    games: list[Game] = [
        (ALICE, CHARLIE, DANA, ERIN, 40000, 32000, 28000, 20000, 0),
        (BOB, CHARLIE, DANA, ERIN, 40000, 28000, 32000, 20000, 0),
    ]

    rows = rank_players(games, EMA, tie_breaks=("head_to_head", "lots"), outside=Outside(lots=[[BOB, ALICE]]))

    assert decided(rows, ALICE, BOB) == [(1, BOB, None), (2, ALICE, "lots")]
    assert decided(rows, CHARLIE, DANA) == [(3, CHARLIE, None), (3, DANA, None)]  # they met, as equals


def test_three_who_are_equal_are_compared_only_where_all_three_sat():
    games: list[Game] = [
        (ALICE, BOB, ERIN, FRANK, 40000, 20000, 35000, 25000, 0),  # without Charlie: no matter
        (ALICE, BOB, CHARLIE, DANA, 30000, 40000, 28000, 22000, 0),
    ]
    totals = {row.player: row.total for row in rank_players(games, EMA)}
    carried = {player: 1000 - totals[player] for player in (ALICE, BOB, CHARLIE)}

    rows = rank_players(games, EMA, carried=carried, tie_breaks=("head_to_head",))

    assert decided(rows, ALICE, BOB, CHARLIE) == [
        (1, BOB, None),
        (2, ALICE, "head_to_head"),
        (3, CHARLIE, "head_to_head"),
    ]


@pytest.mark.parametrize("name", ["preliminary_rank", "previous_rank"])
def test_a_rank_from_before_breaks_a_tie_and_who_had_none_comes_after(name):
    game: Game = (*SEATED, 30000, 30000, 30000, 30000, 0)
    ranks = {CHARLIE: 3, ALICE: 7}
    outside = Outside(preliminary=ranks if name == "preliminary_rank" else {}, previous=ranks)

    rows = rank_players([game], EMA, tie_breaks=(name,), outside=outside)

    assert [(row.rank, row.tied, row.player, row.decided_by) for row in rows] == [
        (1, False, CHARLIE, None),
        (2, False, ALICE, name),
        (3, True, BOB, name),
        (3, True, DANA, None),
    ]


def test_lots_decide_between_those_who_all_took_part_in_one_draw():
    game: Game = (*SEATED, 30000, 30000, 30000, 30000, 0)
    drawn = [[BOB, ALICE], [DANA, BOB, CHARLIE, ALICE], [ALICE, BOB, CHARLIE, DANA]]

    rows = rank_players([game], EMA, tie_breaks=("lots",), outside=Outside(lots=drawn))
    two = rank_players([game], EMA, tie_breaks=("lots",), outside=Outside(lots=drawn[:1]))

    assert [row.player for row in rows] == [DANA, BOB, CHARLIE, ALICE]
    assert [row.decided_by for row in rows] == [None, "lots", "lots", "lots"]
    assert [(row.rank, row.tied) for row in two] == [(1, True)] * 4


def test_a_later_tie_break_looks_only_at_those_whom_the_earlier_ones_left_equal():
    game: Game = (*SEATED, 30000, 30000, 30000, 30000, 0)
    outside = Outside(previous={ALICE: 1, BOB: 1, CHARLIE: 2, DANA: 2}, lots=[[BOB, ALICE], [DANA, CHARLIE]])

    rows = rank_players([game], EMA, tie_breaks=("previous_rank", "lots"), outside=outside)

    assert [(row.player, row.decided_by) for row in rows] == [
        (BOB, None),
        (ALICE, "lots"),
        (DANA, "previous_rank"),
        (CHARLIE, "lots"),
    ]


def test_a_metric_is_measured_for_everyone_with_a_game():
    assert measure(RETURNED, EMA, "best_points") == {ALICE: 40000, BOB: 40000, CHARLIE: 26000, DANA: 26000}
    assert measure(RETURNED, EMA, "best_score")[CHARLIE] == -40 - 50
    assert measure(RETURNED, EMA, "average_place")[DANA] == Fraction(7, 2)
    with pytest.raises(ValueError, match="lots"):
        measure(RETURNED, EMA, "lots")


def test_the_better_value_of_a_metric_comes_first_and_none_last():
    assert sorted([Fraction(3), None, Fraction(2)], key=lambda v: better_first("average_place", v)) == [
        2,
        3,
        None,
    ]
    assert sorted([100, None, 200], key=lambda value: better_first("best_points", value)) == [200, 100, None]


@pytest.mark.parametrize("names", [["coin"], ["firsts", "coin"], "firsts", ["firsts", "firsts"]])
def test_tie_breaks_that_cannot_be_used_are_refused(names):
    with pytest.raises(ValueError, match=r"unknown tie-breaks|twice"):
        validate_tie_breaks(names)


def test_unknown_tie_breaks_are_refused_before_anything_is_ranked():
    with pytest.raises(ValueError, match="coin"):
        rank_players([], EMA, tie_breaks=["coin"])


def test_the_default_tie_breaks_are_known():
    assert validate_tie_breaks(DEFAULT_TIE_BREAKS) == ("average_place", "firsts", "best_points")
    assert [metric.name for metric in TIE_BREAKS.values()] == list(TIE_BREAKS)


NEWEST_ELSEWHERE: list[Game] = [
    (BOB, ALICE, CHARLIE, DANA, 45000, 35000, 25000, 15000, 0),
    (ALICE, ERIN, FRANK, DANA, 45000, 35000, 25000, 15000, 0),
]
DECIDED: dict[str, tuple[list[Game], dict[str, object]]] = {
    "penalty": ([(*SEATED, 40000, 30000, 30000, 20000, 0)], {"penalties": [(BOB, -20), (BOB, 20)]}),
    "average_place": (NEWEST_ELSEWHERE, {}),
    "firsts": (NEWEST_ELSEWHERE, {}),
    "seconds": (NEWEST_ELSEWHERE, {}),
    "lasts": (NEWEST_ELSEWHERE, {}),
    "best_points": (NEWEST_ELSEWHERE, {}),
    "best_score": (NEWEST_ELSEWHERE, {}),
    "head_to_head": (NEWEST_ELSEWHERE[:1], {"entrants": SEATED}),
    "last_round": (NEWEST_ELSEWHERE, {}),
    "preliminary_rank": ([], {"outside": Outside(preliminary={CHARLIE: 1})}),
    "previous_rank": ([], {"outside": Outside(previous={CHARLIE: 1})}),
    "seat_order": (NEWEST_ELSEWHERE, {}),
    "lots": ([], {"outside": Outside(lots=[[CHARLIE, DANA, BOB, ALICE, ERIN, FRANK]])}),
}


@pytest.mark.parametrize("name", TIE_BREAKS)
def test_each_tie_break_of_the_registry_decides_something(name):
    """All have the same total: what they lack of it they carry in."""
    games, facts = DECIDED[name]
    everyone = [*SEATED, ERIN, FRANK]
    more = {"entrants": everyone, **facts}
    totals = {row.player: row.total for row in rank_players(games, EMA, **more)}  # type: ignore[arg-type]
    carried = {player: -total for player, total in totals.items()}

    rows = rank_players(games, EMA, **more, carried=carried, tie_breaks=(name,))  # type: ignore[arg-type]

    assert {row.total for row in rows} == {0}
    assert name in {row.decided_by for row in rows}


# --- lists of tie-breaks that choose some


NOT_RECKONED = {"previous_rank"}  # no simulated event has a season before it


def test_cuts_offer_wild_cards_by_the_best_score_first_and_by_places_last():
    assert WILD_CARD_METRICS == ("best_score", "best_points", "last_round", "average_place", "firsts")


def test_each_tie_break_is_reckoned_by_hand_or_is_said_not_to_be():
    missing = TIE_BREAKS.keys() - {*reckoning.TIE_BREAKS} - NOT_RECKONED

    assert not missing, (
        f"No simulated event is decided by {missing.pop()}. Reckon it in _value of tests/reckoning.py and "
        "add it to TIE_BREAKS there, or add it to NOT_RECKONED here."
    )
    assert {*reckoning.TIE_BREAKS} | NOT_RECKONED == TIE_BREAKS.keys()
