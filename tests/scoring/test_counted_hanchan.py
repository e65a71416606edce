"""How many hanchan it takes to be ranked, and which of them count."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.standings import (
    AVERAGE,
    BEST,
    BEYOND,
    FIRST,
    RUN,
    SUBSTITUTE,
    Game,
    Numbers,
    Row,
    average_score,
    counting,
    measure,
    rank_players,
)
from tests.scoring.games import ALICE, BOB, CHARLIE, DANA, EMA, ERIN, FRANK, SEATED


def ladder(*east: int) -> list[Game]:
    """A hanchan for each of these points of Alice's; Bob makes up for them."""
    return [(*SEATED, points, 60_000 - points, 30_000, 30_000, 0) for points in east]


def row_of(player: int, rows: list[Row]) -> Row:
    return next(row for row in rows if row.player == player)


def test_below_the_valid_number_a_player_is_listed_after_the_others_without_a_rank():
    games = ladder(50_000, 50_000)
    guest: Game = (ERIN, BOB, CHARLIE, DANA, 70_000, 20_000, 20_000, 10_000, 0)

    rows = rank_players([*games, guest], EMA, entrants=[FRANK], numbers=Numbers(valid=2))

    assert [row.player for row in rows][-2:] == [ERIN, FRANK]
    assert [(row.unranked, row.missing) for row in rows] == [(False, 0)] * 4 + [(True, 1), (True, 2)]
    assert [row.shown_rank for row in rows] == [1, 2, 3, 4, None, None]
    assert rows[0].player == ALICE  # and not Erin, whose total is higher
    assert rows[4].total == 550 > rows[3].total


def test_the_unranked_share_no_rank_with_the_ranked_and_are_ordered_among_themselves():
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


def test_no_player_is_unranked_without_a_valid_number():
    assert [row.unranked for row in rank_players(ladder(50_000), EMA, entrants=[ERIN])] == [False] * 5


def test_beyond_the_standard_number_only_the_first_hanchan_count():
    games = ladder(20_000, 40_000, 70_000)

    alice = next(
        row
        for row in rank_players(games, EMA, numbers=Numbers(standard=2, beyond=FIRST))
        if row.player == ALICE
    )

    assert (alice.score, alice.games, alice.beyond, alice.played) == (-250 + 250, 2, 1, 3)
    assert (alice.places, alice.best_points) == ((1, 0, 0, 1), 40_000)
    assert alice.last == ((4, -250), (1, 250))


def test_beyond_the_standard_number_only_the_best_hanchan_count():
    games = ladder(20_000, 40_000, 10_000, 70_000)

    rows = {row.player: row for row in rank_players(games, EMA, numbers=Numbers(standard=2, beyond=BEST))}

    assert (rows[ALICE].score, rows[ALICE].beyond, rows[ALICE].places) == (250 + 550, 2, (2, 0, 0, 0))
    assert rows[BOB].score == 250 + 350  # each player's own best ones: to Bob other tables count


def test_of_equal_scores_the_earlier_hanchan_are_the_best():
    assert counting([10, 30, 10, 10], Numbers(standard=2, beyond=BEST)) == {0, 1}


def test_beyond_the_standard_number_only_the_best_run_of_hanchan_counts():
    games = ladder(20_000, 40_000, 10_000, 70_000)

    rows = {row.player: row for row in rank_players(games, EMA, numbers=Numbers(standard=2, beyond=RUN))}

    every = rank_players(games[2:], EMA)  # for Alice the last two, and not the best two
    assert rows[ALICE].score == row_of(ALICE, every).score
    assert (rows[ALICE].games, rows[ALICE].beyond) == (2, 2)


def test_of_equal_runs_the_earlier_counts_and_a_short_season_counts_whole():
    assert counting([10, 30, 10, 30], Numbers(standard=2, beyond=RUN)) == {0, 1}
    assert counting([-10, 30, 40], Numbers(standard=2, beyond=RUN)) == {1, 2}
    assert counting([-10, 30], Numbers(standard=3, beyond=RUN)) == {0, 1}


def test_beyond_the_standard_number_the_average_of_all_counts_so_many_times():
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


def test_up_to_the_standard_number_nothing_is_averaged():
    games = ladder(20_000, 40_000)

    assert rank_players(games, EMA, numbers=Numbers(standard=2, beyond=AVERAGE)) == rank_players(games, EMA)


@pytest.mark.parametrize(
    ("score", "games", "exact"), [(5, 2, 3), (-5, 2, -3), (1, 3, 0), (Fraction(3, 2), 3, 1)]
)
def test_an_average_ends_in_whole_tenths_with_a_half_away_from_zero(score, games, exact):
    assert average_score(score, games, 1) == exact


def test_penalties_adjustments_and_carried_points_count_whole_whatever_hanchan_count():
    games = ladder(20_000, 40_000, 70_000)
    beside = {"penalties": [(ALICE, -20)], "adjustments": [(ALICE, -300)], "carried": {ALICE: 1_000}}

    for beyond in BEYOND:
        numbers = Numbers(standard=2, beyond=beyond)
        rows = rank_players(games, EMA, numbers=numbers, **beside)  # type: ignore[arg-type]
        alice = row_of(ALICE, rows)
        assert alice.total == alice.score - 20 - 300 + 1_000


def test_an_adjustment_does_not_count_towards_the_valid_number():
    rows = rank_players(ladder(40_000), EMA, adjustments=[(ALICE, 10)], numbers=Numbers(valid=2))

    assert {row.player: row.missing for row in rows}[ALICE] == 1


def test_a_seat_of_a_substitute_is_a_hanchan_of_no_player():
    games: list[Game] = [*ladder(40_000), (SUBSTITUTE, BOB, CHARLIE, DANA, 30_000, 30_000, 30_000, 30_000, 0)]

    rows = rank_players(games * 2, EMA, numbers=Numbers(valid=3, standard=3, beyond=FIRST))

    assert {row.player: (row.games, row.beyond, row.missing) for row in rows} == {
        ALICE: (2, 0, 1),
        BOB: (3, 1, 0),
        CHARLIE: (3, 1, 0),
        DANA: (3, 1, 0),
    }


def test_a_hanchan_that_does_not_count_breaks_no_tie():
    """Both have 0.0 from two hanchan; in a third one, with the others, Alice's points were the best."""
    games: list[Game] = [
        (*SEATED, 30_000, 30_000, 30_000, 30_000, 0),
        (*SEATED, 30_000, 30_000, 30_000, 30_000, 0),
        (ALICE, ERIN, CHARLIE, DANA, 60_000, 20_000, 20_000, 20_000, 0),
    ]
    numbers = Numbers(standard=2, beyond=FIRST)

    rows = rank_players(games, EMA, tie_breaks=["best_points", "head_to_head"], numbers=numbers)

    assert [(row.player, row.rank) for row in rows][:2] == [(ALICE, 1), (BOB, 1)]


def test_wild_cards_know_only_hanchan_that_count():
    games = ladder(20_000, 40_000, 70_000)

    assert measure(games, EMA, "best_points", Numbers(standard=2, beyond=FIRST))[ALICE] == 40_000


@pytest.mark.parametrize("wrong", [{"valid": -1}, {"standard": 0}, {"beyond": "worst"}])
def test_numbers_that_are_none_are_refused(wrong):
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
def test_numbers_lose_no_player_and_the_best_are_never_worse_than_the_first(games, standard, beyond, valid):
    rows = rank_players(games, EMA, numbers=Numbers(valid=valid, standard=standard, beyond=beyond))
    plain = {row.player: row for row in rank_players(games, EMA)}
    first = rank_players(games, EMA, numbers=Numbers(standard=standard, beyond=FIRST))
    best = rank_players(games, EMA, numbers=Numbers(standard=standard, beyond=BEST))

    assert {row.player for row in rows} == set(plain)
    assert [row.unranked for row in rows] == sorted(row.unranked for row in rows)
    for row in rows:
        assert row.played == plain[row.player].games
        assert row.unranked == (row.played < valid)
        if beyond in (FIRST, BEST, RUN):
            assert row.games == min(standard, row.played)
        if row.played <= standard:
            assert row.score == plain[row.player].score
    run = rank_players(games, EMA, numbers=Numbers(standard=standard, beyond=RUN))
    assert all(row_of(row.player, best).score >= row_of(row.player, run).score >= row.score for row in first)
