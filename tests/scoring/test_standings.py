"""Ranked rows from games, penalties and carried scores."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.presets import resolve
from scoring.standings import (
    AVERAGE,
    BEST,
    BEYOND,
    DEFAULT_TIE_BREAKS,
    FIRST,
    SUBSTITUTE,
    TIE_BREAKS,
    Game,
    Numbers,
    Outside,
    Row,
    average_score,
    better_first,
    counting,
    measure,
    rank_players,
    validate_tie_breaks,
)
from scoring.units import WINDS
from tests.scoring.rule_sets import deposits, four_points, hkma

ALICE, BOB, CHARLIE, DANA, ERIN, FRANK = 1, 2, 3, 4, 5, 6
EMA = resolve("ema-2025")
SEATED = (ALICE, BOB, CHARLIE, DANA)


def ranks(rows: list[Row]) -> list[tuple[int, int]]:
    return [(row.rank, row.player) for row in rows]


def test_a_row_holds_what_the_games_add_up_to() -> None:
    games: list[Game] = [
        (ALICE, BOB, CHARLIE, DANA, 40000, 30000, 26000, 24000, 0),
        (DANA, ALICE, BOB, CHARLIE, 50000, 20000, 28000, 21000, 1000),
    ]

    rows = rank_players(games, EMA, penalties=[(ALICE, -20), (ALICE, 5)], carried={BOB: 100})

    assert rows == [
        Row(
            player=BOB,
            rank=1,
            tied=False,
            games=2,
            score=0 + 50 - 20 + 50,
            penalty=0,
            carried=100,
            total=180,
            places=(0, 2, 0, 0),
            place_sum=4,
            best_points=30000,
            last=((2, 50), (2, 30)),
            decided_by=None,
        ),
        Row(
            player=DANA,
            rank=2,
            tied=False,
            games=2,
            score=-60 - 150 + 200 + 10 + 150,
            penalty=0,
            carried=0,
            total=150,
            places=(1, 0, 0, 1),
            place_sum=5,
            best_points=50000,
            last=((4, -210), (1, 360)),
            decided_by=None,
        ),
        Row(
            player=ALICE,
            rank=3,
            tied=False,
            games=2,
            score=100 + 150 - 100 - 150,
            penalty=-15,
            carried=0,
            total=-15,
            places=(1, 0, 0, 1),
            place_sum=5,
            best_points=40000,
            last=((1, 250), (4, -250)),
            decided_by=None,
        ),
        Row(
            player=CHARLIE,
            rank=4,
            tied=False,
            games=2,
            score=-40 - 50 - 90 - 50,
            penalty=0,
            carried=0,
            total=-230,
            places=(0, 0, 2, 0),
            place_sum=6,
            best_points=26000,
            last=((3, -90), (3, -140)),
            decided_by=None,
        ),
    ]


def test_average_place_is_exact() -> None:
    games: list[Game] = [(*SEATED, 40000, 30000, 26000, 24000, 0)] * 2 + [
        (*SEATED, 30000, 40000, 26000, 24000, 0)
    ]

    alice = next(row for row in rank_players(games, EMA) if row.player == ALICE)

    assert alice.average_place == Fraction(4, 3)


def test_only_the_last_five_games_are_kept_newest_last() -> None:
    games: list[Game] = [(*SEATED, 30000 + 100 * n, 30000, 30000 - 100 * n, 30000, 0) for n in range(1, 8)]

    alice = next(row for row in rank_players(games, EMA) if row.player == ALICE)

    assert alice.last == ((1, 153), (1, 154), (1, 155), (1, 156), (1, 157))


def test_last_games_are_found_far_back_too() -> None:
    early: Game = (ERIN, BOB, CHARLIE, DANA, 40000, 30000, 26000, 24000, 0)
    later: Game = (*SEATED, 40000, 30000, 26000, 24000, 0)

    rows = rank_players([early] + [later] * 20, EMA)

    assert {row.player: len(row.last) for row in rows} == {ALICE: 5, BOB: 5, CHARLIE: 5, DANA: 5, ERIN: 1}


def test_equal_after_every_tie_break_shares_the_rank_and_the_next_rank_is_skipped() -> None:
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
def test_a_tie_break_separates_equal_totals_and_is_named(tie_break: str, better: int, worse: int) -> None:
    rows = equal_totals(tie_breaks=(tie_break,))

    assert decided(rows, ALICE, BOB) == [(2, better, None), (3, worse, tie_break)]
    assert [row.tied for row in rows] == [False] * 4


def test_without_a_tie_break_equal_totals_share_the_rank() -> None:
    assert decided(equal_totals(tie_breaks=()), ALICE, BOB) == [(2, ALICE, None), (2, BOB, None)]


def test_fewer_deductions_win_the_penalty_tie_break_though_the_totals_are_equal() -> None:
    game: Game = (*SEATED, 40000, 30000, 30000, 20000, 0)
    penalties = [(BOB, -20), (BOB, 30), (CHARLIE, 10)]

    rows = rank_players([game], EMA, penalties=penalties, tie_breaks=("penalty",))

    assert decided(rows, BOB, CHARLIE) == [(2, CHARLIE, None), (3, BOB, "penalty")]


def test_a_bonus_is_no_deduction() -> None:
    game: Game = (*SEATED, 40000, 30000, 30000, 20000, 0)
    rows = rank_players([game], EMA, penalties=[(BOB, 20)], carried={CHARLIE: 20}, tie_breaks=("penalty",))

    assert [(row.rank, row.tied) for row in rows if row.player in (BOB, CHARLIE)] == [(2, True), (2, True)]


def test_the_average_place_breaks_ties_across_different_numbers_of_games() -> None:
    games: list[Game] = [
        (ALICE, BOB, CHARLIE, DANA, 30000, 40000, 26000, 24000, 0),
        (ERIN, BOB, CHARLIE, DANA, 40000, 30000, 26000, 24000, 0),
        (ERIN, BOB, CHARLIE, DANA, 15000, 50000, 30000, 25000, 0),
    ]

    rows = rank_players(games, EMA, carried={ALICE: -100}, tie_breaks=("average_place",))

    assert [row.total for row in rows if row.player in (ALICE, ERIN)] == [-50, -50]
    assert decided(rows, ALICE, ERIN) == [(2, ALICE, None), (3, ERIN, "average_place")]


def test_tie_breaks_are_asked_in_their_order() -> None:
    assert decided(equal_totals(tie_breaks=("average_place", "lasts", "firsts")), ALICE, BOB) == [
        (2, BOB, None),
        (3, ALICE, "lasts"),
    ]


# --- tie-breaks that look at the equal players together, or beyond the games


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


def test_the_score_of_the_newest_hanchan_breaks_a_tie() -> None:
    rows = rank_players(RETURNED, EMA, tie_breaks=("firsts", "last_round"))

    assert decided(rows, ALICE, BOB) == [(1, BOB, None), (2, ALICE, "last_round")]


def test_the_seat_of_the_newest_hanchan_breaks_a_tie() -> None:
    rows = rank_players(RETURNED, EMA, tie_breaks=("seat_order",))  # then Bob was east, Alice north

    assert decided(rows, ALICE, BOB) == [(1, BOB, None), (2, ALICE, "seat_order")]


def with_erin_and_frank() -> list[Game]:
    """Alice and Bob equal: Alice was better where they met, Bob where Alice was not."""
    return [
        (ALICE, BOB, CHARLIE, DANA, 40000, 30000, 30000, 20000, 0),
        (ERIN, BOB, CHARLIE, FRANK, 20000, 45000, 30000, 25000, 0),
        (ERIN, ALICE, DANA, FRANK, 20000, 35000, 40000, 25000, 0),
    ]


def test_the_hanchan_in_which_the_equal_players_met_break_a_tie() -> None:
    games = with_erin_and_frank()
    alice, bob = (next(r.total for r in rank_players(games, EMA) if r.player == p) for p in (ALICE, BOB))

    rows = rank_players(games, EMA, carried={BOB: alice - bob}, tie_breaks=("head_to_head",))

    assert decided(rows, ALICE, BOB) == [(1, ALICE, None), (2, BOB, "head_to_head")]


def test_who_never_met_is_left_to_the_next_tie_break() -> None:
    games: list[Game] = [
        (ALICE, CHARLIE, DANA, ERIN, 40000, 32000, 28000, 20000, 0),
        (BOB, CHARLIE, DANA, ERIN, 40000, 28000, 32000, 20000, 0),
    ]

    rows = rank_players(games, EMA, tie_breaks=("head_to_head", "lots"), outside=Outside(lots=[[BOB, ALICE]]))

    assert decided(rows, ALICE, BOB) == [(1, BOB, None), (2, ALICE, "lots")]
    assert decided(rows, CHARLIE, DANA) == [(3, CHARLIE, None), (3, DANA, None)]  # they met, as equals


def test_three_who_are_equal_are_compared_only_where_all_three_sat() -> None:
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
def test_a_rank_from_before_breaks_a_tie_and_who_had_none_comes_after(name: str) -> None:
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


def test_lots_decide_between_those_who_all_took_part_in_one_draw() -> None:
    game: Game = (*SEATED, 30000, 30000, 30000, 30000, 0)
    drawn = [[BOB, ALICE], [DANA, BOB, CHARLIE, ALICE], [ALICE, BOB, CHARLIE, DANA]]

    rows = rank_players([game], EMA, tie_breaks=("lots",), outside=Outside(lots=drawn))
    two = rank_players([game], EMA, tie_breaks=("lots",), outside=Outside(lots=drawn[:1]))

    assert [row.player for row in rows] == [DANA, BOB, CHARLIE, ALICE]
    assert [row.decided_by for row in rows] == [None, "lots", "lots", "lots"]
    assert [(row.rank, row.tied) for row in two] == [(1, True)] * 4


def test_a_later_tie_break_looks_only_at_those_whom_the_earlier_ones_left_equal() -> None:
    game: Game = (*SEATED, 30000, 30000, 30000, 30000, 0)
    outside = Outside(previous={ALICE: 1, BOB: 1, CHARLIE: 2, DANA: 2}, lots=[[BOB, ALICE], [DANA, CHARLIE]])

    rows = rank_players([game], EMA, tie_breaks=("previous_rank", "lots"), outside=outside)

    assert [(row.player, row.decided_by) for row in rows] == [
        (BOB, None),
        (ALICE, "lots"),
        (DANA, "previous_rank"),
        (CHARLIE, "lots"),
    ]


def test_a_metric_is_measured_for_everyone_with_a_game() -> None:
    assert measure(RETURNED, EMA, "best_points") == {ALICE: 40000, BOB: 40000, CHARLIE: 26000, DANA: 26000}
    assert measure(RETURNED, EMA, "best_score")[CHARLIE] == -40 - 50
    assert measure(RETURNED, EMA, "average_place")[DANA] == Fraction(7, 2)
    with pytest.raises(ValueError, match="lots"):
        measure(RETURNED, EMA, "lots")


def test_the_better_value_of_a_metric_comes_first_and_none_last() -> None:
    assert sorted([Fraction(3), None, Fraction(2)], key=lambda v: better_first("average_place", v)) == [
        2,
        3,
        None,
    ]
    assert sorted([100, None, 200], key=lambda value: better_first("best_points", value)) == [200, 100, None]


def test_entrants_without_a_game_come_after_all_who_played() -> None:
    games: list[Game] = [(*SEATED, 40000, 30000, 26000, 24000, 0)]

    rows = rank_players(games, EMA, entrants=[FRANK, ERIN, ALICE], penalties=[(FRANK, 5)])

    assert [(row.rank, row.player, row.total, row.games) for row in rows] == [
        (1, ALICE, 250, 1),
        (2, BOB, 50, 1),
        (3, CHARLIE, -90, 1),
        (4, DANA, -210, 1),
        (5, FRANK, 5, 0),
        (6, ERIN, 0, 0),
    ]
    assert (rows[5].best_points, rows[5].average_place, rows[5].last) == (None, None, ())


def test_entrants_without_a_game_and_with_equal_totals_share_a_rank() -> None:
    rows = rank_players([], EMA, entrants=[3, 1, 2], carried={2: 10})

    assert [(row.rank, row.tied, row.player) for row in rows] == [(1, False, 2), (2, True, 1), (2, True, 3)]


def test_a_player_with_only_a_penalty_is_listed() -> None:
    assert ranks(rank_players([], EMA, penalties=[(ERIN, -10)])) == [(1, ERIN)]


def test_nobody_is_an_empty_list() -> None:
    assert rank_players([], EMA) == []


def test_exact_splits_stay_exact() -> None:
    rules = hkma(split_remainder="exact")
    game: Game = (*SEATED, 35000, 35000, 35000, 15000, 0)

    rows = rank_players([game] * 3, rules)

    assert [row.total for row in rows] == [500, 500, 500, -1500]
    assert rank_players([game], rules)[0].total == Fraction(500, 3)


@pytest.mark.parametrize("names", [["coin"], ["firsts", "coin"], "firsts", ["firsts", "firsts"]])
def test_tie_breaks_that_cannot_be_used_are_refused(names: list[str]) -> None:
    with pytest.raises(ValueError, match=r"unknown tie-breaks|twice"):
        validate_tie_breaks(names)


def test_unknown_tie_breaks_are_refused_before_anything_is_ranked() -> None:
    with pytest.raises(ValueError, match="coin"):
        rank_players([], EMA, tie_breaks=["coin"])


def test_the_default_tie_breaks_are_known() -> None:
    assert validate_tie_breaks(DEFAULT_TIE_BREAKS) == ("average_place", "firsts", "best_points")
    assert [metric.name for metric in TIE_BREAKS.values()] == list(TIE_BREAKS)


@st.composite
def seasons(draw: st.DrawFn) -> list[Game]:
    players = st.permutations(range(1, 9)).map(lambda ids: ids[:4])
    table = st.tuples(players, four_points, deposits)
    return [(*ids, *points, sticks) for ids, points, sticks in draw(st.lists(table, max_size=12))]


orders = st.randoms(use_true_random=False)


ASK_FOR_THE_NEWEST = {"last_round", "seat_order"}
IN_ANY_ORDER = tuple(name for name in TIE_BREAKS if name not in ASK_FOR_THE_NEWEST)


@given(seasons(), st.lists(st.tuples(st.integers(1, 9), st.integers(-100, 50))), orders)
def test_the_order_of_the_facts_changes_nothing_but_the_last_games(
    games: list[Game], penalties: list[tuple[int, int]], order: random.Random
) -> None:
    def facts(games: list[Game], penalties: list[tuple[int, int]], entrants: list[int]) -> list[object]:
        rows = rank_players(games, hkma(), penalties=penalties, entrants=entrants, tie_breaks=IN_ANY_ORDER)
        return [{name: getattr(row, name) for name in Row.__slots__ if name != "last"} for row in rows]

    entrants = list(range(1, 12))
    shuffled = [order.sample(each, len(each)) for each in (games, penalties, entrants)]

    assert facts(*shuffled) == facts(games, penalties, entrants)


@given(seasons())
def test_rows_are_ordered_complete_and_sum_to_the_tables(games: list[Game]) -> None:
    rows = rank_players(games, hkma())
    seats = [player for game in games for player in game[:4]]

    assert sorted(row.player for row in rows) == sorted(set(seats))
    assert {row.player: row.games for row in rows} == {player: seats.count(player) for player in seats}
    assert [row.total for row in rows] == sorted((row.total for row in rows), reverse=True)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)
    for row in rows:
        sharing = sum(other.rank == row.rank for other in rows)
        better = sum(other.rank < row.rank for other in rows)
        assert (row.rank, row.tied) == (better + 1, sharing > 1)
        assert len(row.last) == min(5, row.games)


def test_the_standings_of_mleague_2018_19_are_the_sums_of_its_published_scores() -> None:
    data = Path(__file__).parent.parent / "data"
    event = json.loads((data / "mleague-2018-19.json").read_text(encoding="utf-8"))
    published = json.loads((data / "mleague-2018-19.expected.json").read_text(encoding="utf-8"))
    totals: dict[int, int] = {}
    for round_ in published["rounds"]:
        for player, score in round_["scores"].items():
            totals[int(player[1:])] = totals.get(int(player[1:]), 0) + round(score * 10)
    games: list[Game] = []
    for round_ in event["divisions"][0]["stages"][0]["rounds"]:
        for table in round_["tables"]:
            seats = sorted(table["seats"], key=lambda seat: WINDS.index(seat["wind"]))
            east, south, west, north = (int(seat["player"][1:]) for seat in seats)
            games.append((east, south, west, north, *(seat["points"] for seat in seats), 0))  # type: ignore[arg-type]

    rows = rank_players(games, resolve("mleague"))

    assert len(rows) == 21
    assert {row.player: row.total for row in rows} == totals
    assert [row.total for row in rows] == sorted(totals.values(), reverse=True)


# People in motion


def test_a_substitute_counts_for_nobody_and_the_others_as_at_any_table() -> None:
    games: list[Game] = [
        (ALICE, BOB, CHARLIE, DANA, 40000, 30000, 26000, 24000, 0),
        (ALICE, BOB, CHARLIE, SUBSTITUTE, 20000, 30000, 26000, 44000, 0),
    ]

    rows = rank_players(games, EMA, adjustments=[(DANA, -300)], tie_breaks=["best_score"])

    assert [(row.player, row.games, row.score, row.adjusted, row.total) for row in rows] == [
        (BOB, 2, 50 + 50, 0, 100),
        (ALICE, 2, 250 - 250, 0, 0),
        (CHARLIE, 2, -90 - 90, 0, -180),
        (DANA, 1, -60 - 150, -300, -510),
    ]


def test_a_late_substitute_is_last_and_the_others_move_up() -> None:
    late = (0, 3, {}, (3,))
    games: list[Game] = [(ALICE, BOB, CHARLIE, SUBSTITUTE, 20000, 30000, 26000, 44000, late)]

    rows = rank_players(games, EMA)

    assert [(row.player, row.places, row.total, row.last) for row in rows] == [
        (BOB, (1, 0, 0, 0), 150, ((1, 150),)),
        (CHARLIE, (0, 1, 0, 0), 10, ((2, 10),)),
        (ALICE, (0, 0, 1, 0), -150, ((3, -150),)),
    ]


def test_an_adjustment_is_no_game_and_lists_its_player() -> None:
    rows = rank_players([], EMA, adjustments=[(ALICE, -300), (ALICE, 20), (BOB, 5)])

    assert [(row.player, row.games, row.adjusted, row.penalty, row.total) for row in rows] == [
        (BOB, 0, 5, 0, 5),
        (ALICE, 0, -280, 0, -280),
    ]


def test_whoever_is_left_out_takes_no_rank() -> None:
    games: list[Game] = [(*SEATED, 40000, 30000, 26000, 24000, 0)]

    rows = rank_players(games, EMA, adjustments=[(ERIN, 900)], without=[ALICE, ERIN, FRANK])

    assert ranks(rows) == [(1, BOB), (2, CHARLIE), (3, DANA)]


# --- each of them


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
def test_each_tie_break_of_the_registry_decides_something(name: str) -> None:
    """Everybody has the same total: what they lack of it they carry in."""
    games, facts = DECIDED[name]
    everyone = [*SEATED, ERIN, FRANK]
    more = {"entrants": everyone, **facts}
    totals = {row.player: row.total for row in rank_players(games, EMA, **more)}  # type: ignore[arg-type]
    carried = {player: -total for player, total in totals.items()}

    rows = rank_players(games, EMA, **more, carried=carried, tie_breaks=(name,))  # type: ignore[arg-type]

    assert {row.total for row in rows} == {0}
    assert name in {row.decided_by for row in rows}


# --- valid and standard numbers of hanchan


def ladder(*east: int) -> list[Game]:
    """A hanchan for each of these points of Alice's; Bob makes up for them."""
    return [(*SEATED, points, 60_000 - points, 30_000, 30_000, 0) for points in east]


def row_of(player: int, rows: list[Row]) -> Row:
    return next(row for row in rows if row.player == player)


def test_below_the_valid_number_a_player_is_listed_after_the_others_without_a_rank() -> None:
    games = ladder(50_000, 50_000)
    guest: Game = (ERIN, BOB, CHARLIE, DANA, 70_000, 20_000, 20_000, 10_000, 0)

    rows = rank_players([*games, guest], EMA, entrants=[FRANK], numbers=Numbers(valid=2))

    assert [row.player for row in rows][-2:] == [ERIN, FRANK]
    assert [(row.unranked, row.missing) for row in rows] == [(False, 0)] * 4 + [(True, 1), (True, 2)]
    assert rows[0].player == ALICE  # and not Erin, whose total is higher
    assert rows[4].total == 550 > rows[3].total


def test_the_unranked_share_no_rank_with_the_ranked_and_are_ordered_among_themselves() -> None:
    one: Game = (ALICE, BOB, CHARLIE, DANA, 30_000, 30_000, 30_000, 30_000, 0)
    other: Game = (ALICE, ERIN, FRANK, DANA, 30_000, 34_000, 26_000, 30_000, 0)

    rows = rank_players([one, other], EMA, numbers=Numbers(valid=2))

    assert [(row.player, row.rank, row.unranked) for row in rows] == [
        (ALICE, 1, False),
        (DANA, 1, False),
        (ERIN, 3, True),
        (BOB, 4, True),
        (CHARLIE, 4, True),
        (FRANK, 6, True),
    ]


def test_nobody_is_unranked_without_a_valid_number() -> None:
    rows = rank_players(ladder(50_000), EMA, entrants=[ERIN])

    assert [row.unranked for row in rows] == [False] * 5


def test_beyond_the_standard_number_only_the_first_hanchan_count() -> None:
    games = ladder(20_000, 40_000, 70_000)

    alice = next(
        row
        for row in rank_players(games, EMA, numbers=Numbers(standard=2, beyond=FIRST))
        if row.player == ALICE
    )

    assert (alice.score, alice.games, alice.beyond, alice.played) == (-250 + 250, 2, 1, 3)
    assert (alice.places, alice.best_points) == ((1, 0, 0, 1), 40_000)
    assert alice.last == ((4, -250), (1, 250))


def test_beyond_the_standard_number_only_the_best_hanchan_count() -> None:
    games = ladder(20_000, 40_000, 10_000, 70_000)

    rows = {row.player: row for row in rank_players(games, EMA, numbers=Numbers(standard=2, beyond=BEST))}

    assert (rows[ALICE].score, rows[ALICE].beyond, rows[ALICE].places) == (250 + 550, 2, (2, 0, 0, 0))
    assert rows[BOB].score == 250 + 350  # each player's own best ones: to Bob other tables count


def test_of_equal_scores_the_earlier_hanchan_are_the_best() -> None:
    assert counting([10, 30, 10, 10], Numbers(standard=2, beyond=BEST)) == {0, 1}


def test_beyond_the_standard_number_the_average_of_all_counts_so_many_times() -> None:
    games = ladder(20_000, 40_000, 70_000)

    alice = next(
        row
        for row in rank_players(
            games, EMA, penalties=[(ALICE, -20)], numbers=Numbers(standard=2, beyond=AVERAGE)
        )
        if row.player == ALICE
    )

    assert alice.score == 367  # (-25.0 + 25.0 + 55.0) × 2 / 3 = 36.666…
    assert (alice.averaged, alice.games, alice.beyond) == (367 - 550, 3, 0)
    assert alice.total == 367 - 20  # a penalty is not averaged


def test_up_to_the_standard_number_nothing_is_averaged() -> None:
    games = ladder(20_000, 40_000)

    rows = rank_players(games, EMA, numbers=Numbers(standard=2, beyond=AVERAGE))

    assert rows == rank_players(games, EMA)


@pytest.mark.parametrize(
    ("score", "games", "exact"), [(5, 2, 3), (-5, 2, -3), (1, 3, 0), (Fraction(3, 2), 3, 1)]
)
def test_an_average_ends_in_whole_tenths_with_a_half_away_from_zero(
    score: int | Fraction, games: int, exact: int
) -> None:
    assert average_score(score, games, 1) == exact


def test_penalties_adjustments_and_carried_points_count_whole_whatever_hanchan_count() -> None:
    games = ladder(20_000, 40_000, 70_000)
    beside = {"penalties": [(ALICE, -20)], "adjustments": [(ALICE, -300)], "carried": {ALICE: 1_000}}

    for beyond in BEYOND:
        numbers = Numbers(standard=2, beyond=beyond)
        rows = rank_players(games, EMA, numbers=numbers, **beside)  # type: ignore[arg-type]
        alice = row_of(ALICE, rows)
        assert alice.total == alice.score - 20 - 300 + 1_000


def test_an_adjustment_is_no_hanchan_of_the_valid_number() -> None:
    rows = rank_players(ladder(40_000), EMA, adjustments=[(ALICE, 10)], numbers=Numbers(valid=2))

    assert {row.player: row.missing for row in rows}[ALICE] == 1


def test_a_seat_of_a_substitute_is_a_hanchan_of_nobody() -> None:
    games: list[Game] = [*ladder(40_000), (SUBSTITUTE, BOB, CHARLIE, DANA, 30_000, 30_000, 30_000, 30_000, 0)]

    rows = rank_players(games * 2, EMA, numbers=Numbers(valid=3, standard=3, beyond=FIRST))

    assert {row.player: (row.games, row.beyond, row.missing) for row in rows} == {
        ALICE: (2, 0, 1),
        BOB: (3, 1, 0),
        CHARLIE: (3, 1, 0),
        DANA: (3, 1, 0),
    }


def test_a_hanchan_that_does_not_count_breaks_no_tie() -> None:
    """Both have 0.0 from two hanchan; in a third one, with the others, Alice's points were the best."""
    games: list[Game] = [
        (*SEATED, 30_000, 30_000, 30_000, 30_000, 0),
        (*SEATED, 30_000, 30_000, 30_000, 30_000, 0),
        (ALICE, ERIN, CHARLIE, DANA, 60_000, 20_000, 20_000, 20_000, 0),
    ]
    numbers = Numbers(standard=2, beyond=FIRST)

    rows = rank_players(games, EMA, tie_breaks=["best_points", "head_to_head"], numbers=numbers)

    assert [(row.player, row.rank) for row in rows][:2] == [(ALICE, 1), (BOB, 1)]


def test_wild_cards_know_only_hanchan_that_count() -> None:
    games = ladder(20_000, 40_000, 70_000)

    assert measure(games, EMA, "best_points", Numbers(standard=2, beyond=FIRST))[ALICE] == 40_000


@pytest.mark.parametrize("wrong", [{"valid": -1}, {"standard": 0}, {"beyond": "worst"}])
def test_numbers_that_are_none_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="no numbers of hanchan"):
        Numbers(**wrong)  # type: ignore[arg-type]


@st.composite
def some_games(draw: st.DrawFn) -> list[Game]:
    count = draw(st.integers(0, 12))
    chance = random.Random(draw(st.integers(0, 10**6)))
    found: list[Game] = []
    for _ in range(count):
        a, b, c, d = chance.sample(range(1, 8), 4)
        one, two, three = (100 * chance.randrange(100, 500) for _ in range(3))
        found.append((a, b, c, d, one, two, three, 120_000 - one - two - three, 0))
    return found


@given(some_games(), st.integers(1, 5), st.sampled_from(BEYOND), st.integers(0, 6))
def test_numbers_lose_nobody_and_the_best_are_never_worse_than_the_first(
    games: list[Game], standard: int, beyond: str, valid: int
) -> None:
    rows = rank_players(games, EMA, numbers=Numbers(valid=valid, standard=standard, beyond=beyond))
    plain = {row.player: row for row in rank_players(games, EMA)}
    first = rank_players(games, EMA, numbers=Numbers(standard=standard, beyond=FIRST))
    best = rank_players(games, EMA, numbers=Numbers(standard=standard, beyond=BEST))

    assert {row.player for row in rows} == set(plain)
    assert [row.unranked for row in rows] == sorted(row.unranked for row in rows)
    for row in rows:
        assert row.played == plain[row.player].games
        assert row.unranked == (row.played < valid)
        if beyond in (FIRST, BEST):
            assert row.games == min(standard, row.played)
        if row.played <= standard:
            assert row.score == plain[row.player].score
    assert all(row_of(row.player, best).score >= row.score for row in first)
