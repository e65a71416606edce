"""The cut: who goes on, in which order, what decided between equals; lots, and the tables of a final."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.cuts import (
    HAND,
    RANK,
    WILD_CARD,
    Cut,
    Equals,
    Qualified,
    Terms,
    draw_lots,
    evenly_seated,
    final_tables,
    make_cut,
    snake,
)
from scoring.presets import resolve
from scoring.standings import LOTS, Numbers, Outside, Row, rank_players

EMA = resolve("ema-2025")
NAMES = ("best_points", LOTS)


def table(of: dict[int, int], *, lots: list[list[int]] | None = None) -> list[Row]:
    """The standings of these totals (player → tenths), every player with one game of the same kind."""
    return rank_players(
        [], EMA, carried=of, entrants=list(of), tie_breaks=NAMES, outside=Outside(lots=lots or [])
    )


FIVE = {1: 500, 2: 400, 3: 300, 4: 200, 5: 100}


def test_the_best_go_on_with_their_head_starts():
    assert make_cut(table(FIVE), Terms(top=3, head_starts=(400, 200))) == Cut(
        qualified=(Qualified(1, 1, RANK, 400), Qualified(2, 2, RANK, 200), Qualified(3, 3, RANK, 0)),
        out=(4, 5),
        gone=(),
        moved_up=(),
        decided=(),
        open=(),
    )


def test_a_second_final_takes_the_places_below_the_first():
    cut = make_cut(table(FIVE), Terms(top=2, first=3))

    assert (cut.players, cut.out) == ((3, 4), (1, 2, 5))


def test_the_next_moves_up_for_a_player_who_is_gone():
    cut = make_cut(table(FIVE), Terms(top=2), gone={1, 5})

    assert (cut.players, cut.gone, cut.moved_up, cut.out) == ((2, 3), (1,), (3,), (4,))


def test_picked_players_go_on_besides_and_take_no_place():
    cut = make_cut(table(FIVE), Terms(top=2, picked=(9, 1)))

    assert [(each.player, each.how) for each in cut.qualified] == [(2, RANK), (3, RANK), (9, HAND), (1, HAND)]
    assert cut.moved_up == ()


def test_the_unranked_go_on_only_when_picked():
    games = [(1, 2, 3, 4, 50_000, 35_000, 25_000, 10_000, 0), (1, 2, 5, 6, 50_000, 35_000, 25_000, 10_000, 0)]
    rows = rank_players(games, EMA, tie_breaks=NAMES, numbers=Numbers(valid=2))

    cut = make_cut(rows, Terms(top=3, wild_cards=1, picked=(6,)), measures=dict.fromkeys(range(1, 7), 0))

    assert [(each.player, each.how) for each in cut.qualified] == [(1, RANK), (2, RANK), (6, HAND)]
    assert cut.out == (3, 5, 4)
    assert cut.open == ()


def played(*points: tuple[int, int, int, int]) -> list[Row]:
    games = [
        (4 * n + 1, 4 * n + 2, 4 * n + 3, 4 * n + 4, *four, 120_000 - sum(four))
        for n, four in enumerate(points)
    ]
    return rank_players(games, EMA, tie_breaks=NAMES)


def test_wild_cards_go_to_the_best_of_the_others_by_their_metric():
    rows = played((50_000, 30_000, 25_000, 15_000), (40_000, 33_000, 27_000, 20_000))

    cut = make_cut(
        rows,
        Terms(top=2, wild_cards=2, wild_card_by="best_points"),
        measures={2: 30_000, 6: 90_000, 3: 70_000, 7: 20, 4: None, 8: 1},
    )

    assert [(each.player, each.how) for each in cut.qualified] == [
        (1, RANK),
        (5, RANK),
        (6, WILD_CARD),
        (3, WILD_CARD),
    ]
    assert cut.out == (2, 7, 8, 4)


def test_of_wild_cards_with_one_value_the_better_rank_decides_and_is_named():
    rows = played((50_000, 30_000, 25_000, 15_000), (40_000, 33_000, 27_000, 20_000))

    cut = make_cut(
        rows, Terms(top=2, wild_cards=1, wild_card_by="firsts"), measures=dict.fromkeys(range(1, 9), 0)
    )

    assert (cut.players, cut.decided) == ((1, 5, 6), (Equals((6,), (2, 7, 3, 8, 4), "rank"),))


def test_no_player_without_a_game_gets_a_wild_card():
    assert make_cut(table(FIVE), Terms(top=2, wild_cards=1)).players == (1, 2)


def test_the_tie_break_that_decided_at_the_line_is_named_with_the_equal_players():
    rows = rank_players(
        [(1, 2, 3, 4, 40_000, 32_000, 28_000, 20_000, 0), (1, 2, 4, 3, 30_000, 38_000, 30_000, 22_000, 0)],
        EMA,
        carried={2: 250 - 70 - 230, 1: 0, 4: 400},
        tie_breaks=NAMES,
    )
    one, two = (next(row for row in rows if row.player == player) for player in (1, 2))
    assert (one.total, one.rank, two.rank, two.decided_by) == (two.total, 1, 2, "best_points")

    assert make_cut(rows, Terms(top=1)).decided == (Equals((1,), (2,), "best_points"),)
    assert make_cut(rows, Terms(top=2)).decided == ()
    assert make_cut(rows, Terms(top=1, first=2)).decided == (Equals((2,), (1,), "best_points"),)


def test_who_shares_a_rank_at_the_line_draws_lots_and_the_draw_decides():
    tied = {1: 500, 2: 300, 3: 300, 4: 300, 5: 0}

    open_ = make_cut(table(tied), Terms(top=2))
    assert (open_.open, open_.decided) == (((2, 3, 4),), ())

    cut = make_cut(table(tied, lots=[[3, 4, 2]]), Terms(top=2))
    assert (cut.players, cut.open, cut.decided) == ((1, 3), (), (Equals((3,), (4, 2), LOTS),))


def test_equals_inside_the_cut_draw_too_because_positions_are_unique():
    assert make_cut(table({1: 300, 2: 300, 3: 100}), Terms(top=2)).open == ((1, 2),)
    assert make_cut(table({1: 300, 2: 100, 3: 100}), Terms(top=1)).open == ()


def test_lots_drawn_by_one_who_is_gone_still_decide_among_the_others():
    tied = {1: 300, 2: 300, 3: 300}
    assert make_cut(table(tied), Terms(top=1), gone={3}).open == ((1, 2, 3),)

    cut = make_cut(table(tied, lots=[[3, 2, 1]]), Terms(top=1), gone={3})

    assert (cut.players, cut.moved_up, cut.decided) == ((2,), (2,), (Equals((2,), (1,), LOTS),))


def test_no_player_draws_against_players_who_are_gone():
    cut = make_cut(table({1: 300, 2: 300, 3: 100}), Terms(top=1), gone={1})

    assert (cut.players, cut.open) == ((2,), ())


@pytest.mark.parametrize(
    "values",
    [
        {"top": -1},
        {"top": 4, "first": 0},
        {"top": 4, "wild_cards": -1},
        {"top": 4, "wild_card_by": "lots"},
        {"top": 0, "picked": (1, 1)},
    ],
)
def test_terms_that_make_no_cut_are_refused(values):
    with pytest.raises(ValueError, match=r"no cut|no metric|twice"):
        Terms(**values)  # type: ignore[arg-type]


# Player → total, of few values: many are equal.
totals = st.lists(st.integers(-3, 3), min_size=1, max_size=16).map(
    lambda found: {player: 100 * total for player, total in enumerate(found, 1)}
)
seeds = st.integers(0, 2**32)


@given(totals, st.integers(0, 12), st.integers(1, 4), st.sets(st.integers(1, 16), max_size=4))
def test_a_cut_never_splits_equals_without_a_decision(of, top, first, gone):
    cut = make_cut(table(of), Terms(top=top, first=first), gone=gone)
    undecided = {player for group in cut.open for player in group}

    for inside in cut.players:
        for other in {*of} - {inside} - gone:
            assert of[inside] != of[other] or {inside, other} <= undecided


@given(totals, st.integers(1, 12), seeds)
def test_when_lots_are_drawn_nothing_is_open_and_the_better_total_is_in(of, top, seed):
    terms = Terms(top=top)
    drawn = [list(draw_lots(group, seed)) for group in make_cut(table(of), terms).open]

    cut = make_cut(table(of, lots=drawn), terms)

    assert cut.open == ()
    assert len(cut.players) == min(top, len(of))
    assert sorted([*cut.players, *cut.out]) == sorted(of)
    order = [of[player] for player in (*cut.players, *cut.out)]
    assert order == sorted(order, reverse=True)
    for equals in cut.decided:
        assert (equals.by, len({of[player] for player in (*equals.inside, *equals.outside)})) == (LOTS, 1)


@given(st.permutations(range(1, 9)), seeds)
def test_lots_are_the_same_for_the_same_seed_in_whatever_order_the_players_are_named(players, seed):
    assert draw_lots(players, seed) == draw_lots(sorted(players), seed)
    assert sorted(draw_lots(players, seed)) == list(range(1, 9))


def test_every_order_of_lots_comes_about_as_often():
    orders = Counter(draw_lots([1, 2, 3], seed) for seed in range(3000))
    assert len(orders) == 6
    assert all(abs(times - 500) < 100 for times in orders.values())


# --- tables of a final


def test_eight_sit_at_1_4_5_8_and_2_3_6_7():
    assert snake([1, 2, 3, 4, 5, 6, 7, 8]) == [[1, 4, 5, 8], [2, 3, 6, 7]]
    assert snake(range(1, 17))[:2] == [[1, 8, 9, 16], [2, 7, 10, 15]]
    assert snake([7, 3, 5, 1]) == [[7, 3, 5, 1]]


@given(st.sampled_from([4, 8, 12, 16, 32]), st.integers(1, 5), seeds)
def test_a_final_has_the_same_tables_and_every_wind_once_in_four_hanchan(count, blocks, seed):
    players = list(range(1, count + 1))
    plan = final_tables(players, 4 * blocks, seed)

    assert [[sorted(table) for table in tables] for tables in plan] == [
        [sorted(table) for table in snake(players)]
    ] * (4 * blocks)
    for block in range(blocks):
        winds = Counter(
            (player, wind)
            for tables in plan[4 * block : 4 * block + 4]
            for table in tables
            for wind, player in enumerate(table)
        )
        assert winds == Counter({(player, wind): 1 for player in players for wind in range(4)})


@given(st.integers(1, 6), seeds)
def test_of_five_each_sits_out_equally_often_and_has_every_wind_equally_often(blocks, seed):
    players = [11, 12, 13, 14, 15]
    plan = final_tables(players, 5 * blocks, seed)

    for block in range(blocks):
        five = [tables[0] for tables in plan[5 * block : 5 * block + 5]]
        assert {*players} == {player for four in five for player in {*players} - {*four}}
        winds = Counter((player, wind) for four in five for wind, player in enumerate(four))
        assert winds == Counter({(player, wind): 1 for player in players for wind in range(4)})


def test_the_same_seed_makes_the_same_tables():
    assert final_tables(range(1, 9), 4, 7) == final_tables(range(1, 9), 4, 7)
    assert len({final_tables(range(1, 9), 4, seed) for seed in range(20)}) > 10


@pytest.mark.parametrize(
    ("players", "hanchan", "even"),
    [(4, 1, True), (8, 3, True), (5, 5, True), (5, 4, False), (6, 6, False), (0, 4, False)],
)
def test_who_cannot_play_equally_often_is_not_seated(players, hanchan, even):
    assert evenly_seated(players, hanchan) == even
    if not even:
        with pytest.raises(ValueError, match="equally often"):
            final_tables(range(players), hanchan, 1)
