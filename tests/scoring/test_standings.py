"""Ranked rows from games, penalties, adjustments and carried scores."""

import json
from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scoring.presets import resolve
from scoring.settlement import Ending
from scoring.standings import SUBSTITUTE, TIE_BREAKS, Game, Row, rank_players
from scoring.units import WINDS
from tests.scoring.games import ALICE, BOB, CHARLIE, DANA, EMA, ERIN, FRANK, SEATED
from tests.scoring.rule_sets import deposits, four_points, hkma


def ranks(rows: list[Row]) -> list[tuple[int, int]]:
    return [(row.rank, row.player) for row in rows]


def test_a_row_holds_what_the_games_add_up_to():
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


def test_average_place_is_exact():
    games: list[Game] = [(*SEATED, 40000, 30000, 26000, 24000, 0)] * 2 + [
        (*SEATED, 30000, 40000, 26000, 24000, 0)
    ]

    alice = next(row for row in rank_players(games, EMA) if row.player == ALICE)

    assert alice.average_place == Fraction(4, 3)


def test_only_the_last_five_games_are_kept_newest_last():
    games: list[Game] = [(*SEATED, 30000 + 100 * n, 30000, 30000 - 100 * n, 30000, 0) for n in range(1, 8)]

    alice = next(row for row in rank_players(games, EMA) if row.player == ALICE)

    assert alice.last == ((1, 153), (1, 154), (1, 155), (1, 156), (1, 157))


def test_a_row_has_the_history_of_its_games_only_if_asked_for():
    games: list[Game] = [
        (ALICE, BOB, CHARLIE, SUBSTITUTE, 40000, 30000, 26000, 24000, 0),
        (ERIN, ALICE, BOB, CHARLIE, 50000, 20000, 28000, 22000, 0),
    ]

    plain = rank_players(games, EMA, tie_breaks=["best_score"])
    full = rank_players(games, EMA, with_history=True)

    assert {row.history for row in plain} == {()}
    assert {row.player: row.history for row in full} == {
        ALICE: ((1, 250), (4, -250)),
        BOB: ((2, 50), (2, 30)),
        CHARLIE: ((3, -90), (3, -130)),
        ERIN: ((1, 350),),
    }


def test_last_games_are_found_far_back_too():
    early: Game = (ERIN, BOB, CHARLIE, DANA, 40000, 30000, 26000, 24000, 0)
    later: Game = (*SEATED, 40000, 30000, 26000, 24000, 0)

    rows = rank_players([early] + [later] * 20, EMA)

    assert {row.player: len(row.last) for row in rows} == {ALICE: 5, BOB: 5, CHARLIE: 5, DANA: 5, ERIN: 1}


def test_entrants_without_a_game_come_after_all_who_played():
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


def test_entrants_without_a_game_and_with_equal_totals_share_a_rank():
    rows = rank_players([], EMA, entrants=[3, 1, 2], carried={2: 10})

    assert [(row.rank, row.tied, row.player) for row in rows] == [(1, False, 2), (2, True, 1), (2, True, 3)]


def test_a_player_with_only_a_penalty_is_listed():
    assert ranks(rank_players([], EMA, penalties=[(ERIN, -10)])) == [(1, ERIN)]


def test_without_players_the_list_is_empty():
    assert rank_players([], EMA) == []


def test_exact_splits_stay_exact():
    rules = hkma(split_remainder="exact")
    game: Game = (*SEATED, 35000, 35000, 35000, 15000, 0)

    assert [row.total for row in rank_players([game] * 3, rules)] == [500, 500, 500, -1500]
    assert rank_players([game], rules)[0].total == Fraction(500, 3)


@st.composite
def seasons(draw: st.DrawFn) -> list[Game]:
    players = st.permutations(range(1, 9)).map(lambda ids: ids[:4])
    table = st.tuples(players, four_points, deposits)
    return [(*ids, *points, sticks) for ids, points, sticks in draw(st.lists(table, max_size=12))]


orders = st.randoms(use_true_random=False)
ASK_FOR_THE_NEWEST = {"last_round", "seat_order"}
IN_ANY_ORDER = tuple(name for name in TIE_BREAKS if name not in ASK_FOR_THE_NEWEST)


@given(seasons(), st.lists(st.tuples(st.integers(1, 9), st.integers(-100, 50))), orders)
def test_the_order_of_the_facts_changes_nothing_but_the_last_games(games, penalties, order):
    def facts(games: list[Game], penalties: list[tuple[int, int]], entrants: list[int]) -> list[object]:
        rows = rank_players(games, hkma(), penalties=penalties, entrants=entrants, tie_breaks=IN_ANY_ORDER)
        return [{name: getattr(row, name) for name in Row.__slots__ if name != "last"} for row in rows]

    entrants = list(range(1, 12))
    shuffled = [order.sample(each, len(each)) for each in (games, penalties, entrants)]

    assert facts(*shuffled) == facts(games, penalties, entrants)


@given(seasons())
def test_rows_are_ordered_complete_and_sum_to_the_tables(games):
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


def test_the_standings_of_mleague_2018_19_are_the_sums_of_its_published_scores():
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


def test_a_substitute_counts_for_no_player_and_the_others_as_at_any_table():
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


def test_a_late_substitute_is_last_and_the_others_move_up():
    late = Ending(late=(3,))
    games: list[Game] = [(ALICE, BOB, CHARLIE, SUBSTITUTE, 20000, 30000, 26000, 44000, late)]

    rows = rank_players(games, EMA)

    assert [(row.player, row.places, row.total, row.last) for row in rows] == [
        (BOB, (1, 0, 0, 0), 150, ((1, 150),)),
        (CHARLIE, (0, 1, 0, 0), 10, ((2, 10),)),
        (ALICE, (0, 0, 1, 0), -150, ((3, -150),)),
    ]


def test_an_adjustment_is_not_a_game_and_lists_its_player():
    rows = rank_players([], EMA, adjustments=[(ALICE, -300), (ALICE, 20), (BOB, 5)])

    assert [(row.player, row.games, row.adjusted, row.penalty, row.total) for row in rows] == [
        (BOB, 0, 5, 0, 5),
        (ALICE, 0, -280, 0, -280),
    ]


def test_a_player_who_is_left_out_takes_no_rank():
    games: list[Game] = [(*SEATED, 40000, 30000, 26000, 24000, 0)]

    rows = rank_players(games, EMA, adjustments=[(ERIN, 900)], without=[ALICE, ERIN, FRANK])

    assert ranks(rows) == [(1, BOB), (2, CHARLIE), (3, DANA)]
