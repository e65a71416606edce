"""One round at a time: who meets, who sits out, at which table and wind."""

import random
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.seating.checker import check_plan
from scoring.seating.rounds import (
    History,
    RoundWishes,
    SeatedRound,
    history_of,
    ranks_apart,
    seat_at_random,
    seat_by_interval,
    seat_by_rank,
    seat_swiss,
)
from tests.examples import examples, scaled
from tests.scoring.seating.events import METHODS, QUICK, Event, random_event

SIXTEEN = [10 * number for number in range(1, 17)]  # ids, best first


def groups(seated: SeatedRound) -> list[list[int]]:
    return [sorted(table) for table in seated.tables.values()]


def test_by_rank_the_best_four_are_at_the_first_table():
    seated = seat_by_rank(SIXTEEN, seed=1)

    assert groups(seated) == [SIXTEEN[at : at + 4] for at in range(0, 16, 4)]
    assert list(seated.tables) == [1, 2, 3, 4]
    assert (seated.repeats, seated.unmet, seated.sitting_out) == (0, 0, ())


def test_by_interval_every_table_has_one_of_each_quarter():
    assert groups(seat_by_interval(SIXTEEN, seed=1)) == [SIXTEEN[at::4] for at in range(4)]


def test_by_interval_so_many_tables_at_a_time():
    assert groups(seat_by_interval(range(28), step=3, seed=1)) == [
        *([at, at + 3, at + 6, at + 9] for at in (0, 1, 2, 12, 13, 14)),
        [24, 25, 26, 27],
    ]


def test_swiss_without_a_history_is_by_rank():
    assert groups(seat_swiss(SIXTEEN, seed=1, steps=QUICK)) == groups(seat_by_rank(SIXTEEN, seed=1))


@pytest.mark.parametrize("seed", range(6))
def test_swiss_finds_the_fewest_repeats_and_then_the_closest_ranks(seed):
    """Compare with all 5,775 ways to seat twelve players."""
    played = [seat_at_random(range(12), seed=seed + r, few_repeats=False).tables for r in range(seed)]
    history = history_of(played)

    seated = seat_swiss(range(12), history=history, seed=seed, last=True, steps=30_000)

    best = min(cost(tables, history) for tables in all_tables(list(range(12))))
    assert cost(groups(seated), history) == best


def cost(tables: list[list[int]], history: History) -> tuple[int, int]:
    """Return repeats and differences in rank. A shared needed wind counts as two ranks."""
    pairs = [pair for table in tables for pair in combinations(sorted(table), 2)]
    needed = {p: {w for w in range(4) if had[w] == min(had)} for p, had in history.winds.items()}
    needed = {player: needed.get(player, set(range(4))) for player in range(12)}
    winds = sum(2 * len(needed[a] & needed[b]) // len(needed[a]) // len(needed[b]) for a, b in pairs)
    return sum(history.met.get(pair, 0) for pair in pairs), sum(b - a for a, b in pairs) + winds


def all_tables(players: list[int]) -> Iterator[list[list[int]]]:
    if not players:
        yield []
    for others in combinations(players[1:], 3) if players else ():
        rest = [player for player in players[1:] if player not in others]
        yield from ([[players[0], *others], *tables] for tables in all_tables(rest))


@pytest.mark.slow
def test_swiss_looks_one_round_ahead():
    """A search that looks only at the round runs into repeats that could have been avoided."""
    repeats = {ahead: sum(swiss_event(16, 5, seed, ahead) for seed in range(2)) for ahead in (True, False)}

    assert repeats[True] < repeats[False]


def test_swiss_takes_repeats_for_closer_ranks_where_that_is_wanted():
    history = history_of([seat_by_rank(SIXTEEN, seed=1).tables])
    repeats, apart = [], []
    for ranks in (None, 8, 1):
        seated = seat_swiss(SIXTEEN, history=history, ranks_a_repeat=ranks, seed=1, steps=30_000)
        repeats.append(seated.repeats)
        apart.append(ranks_apart(SIXTEEN, seated.tables.values()))
    assert repeats[0] == 0 < repeats[1] < repeats[2] == 24
    assert apart[0] > apart[1] > apart[2] == 4 * 10


def test_players_who_need_one_wind_are_kept_apart_where_ranks_are_about_as_close():
    """The first four need east, the others south: one of each changes tables, but not two."""
    winds = {player: ([0, 1, 1, 1] if player < 4 else [1, 0, 1, 1]) for player in range(8)}
    seated = seat_swiss(range(8), history=History(winds=winds), last=True, seed=3, steps=30_000)
    assert groups(seated) == [[0, 1, 2, 4], [3, 5, 6, 7]]


def test_swiss_puts_repeats_off_as_long_as_that_makes_no_more_of_them():
    """Sixteen players can meet in five rounds without a repeat: the sixth has them all."""
    assert swiss_event(16, 5, seed=1, ahead=True, knows_the_last=False) == 0


def swiss_event(players: int, rounds: int, seed: int, ahead: bool, knows_the_last: bool = True) -> int:
    """The repeats of an event whose ranks are drawn again after each round."""
    chance, played, repeats = random.Random(seed), [], 0
    for number in range(rounds):
        order = chance.sample(range(players), players)
        last = not ahead or (knows_the_last and number + 1 == rounds)
        seated = seat_swiss(order, history=history_of(played), seed=seed, last=last, steps=100_000)
        played.append(seated.tables)
        repeats += seated.repeats
    return repeats


def test_at_random_few_repeats_are_found_and_lots_are_drawn():
    played = [seat_by_rank(SIXTEEN, seed=1).tables]
    history = history_of(played)

    few = seat_at_random(SIXTEEN, history=history, seed=4)
    lots = [seat_at_random(SIXTEEN, history=history, few_repeats=False, seed=seed) for seed in range(20)]

    assert few.repeats == 0
    assert len({tuple(map(tuple, groups(seated))) for seated in lots}) == 20
    assert any(seated.repeats for seated in lots)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_round_and_another_seed_other_winds(method):
    first, again, other = (METHODS[method](SIXTEEN, seed=seed, steps=QUICK) for seed in (3, 3, 4))

    assert first == again
    assert first.tables != other.tables


@pytest.mark.parametrize("method", METHODS)
def test_pairs_that_must_not_meet_do_not_and_clubs_are_apart(method):
    wishes = RoundWishes(
        apart=[{player: player // 40 for player in SIXTEEN}],  # 10 to 30, 40 to 70, 80 to 110, 120 to 150
        forbidden=frozenset({(160, 10), (20, 160)}),
    )

    seated = METHODS[method](SIXTEEN, wishes=wishes, seed=1, steps=60_000)

    assert seated.unmet == 0
    pairs = {pair for table in groups(seated) for pair in combinations(table, 2)}
    assert not pairs & {(10, 160), (20, 160)}
    assert all(one // 40 != other // 40 for one, other in pairs)


@pytest.mark.parametrize("method", ["swiss", "random"])
def test_who_were_kept_apart_do_not_crowd_into_the_round_after(method):
    """Clubs of four were apart in two rounds, and 32 players meet 4.6 mates by chance."""
    club = {player: player // 4 for player in range(32)}
    played: list = []
    for wishes in (RoundWishes(apart=[club]), RoundWishes(apart=[club]), RoundWishes(were_apart=[club])):
        history = history_of(played)
        seated = METHODS[method](range(32), history=history, wishes=wishes, seed=2, steps=40_000)
        played.append(seated.tables)

    mates = [
        pair for table in groups(seated) for pair in combinations(table, 2) if club[pair[0]] == club[pair[1]]
    ]
    assert len(mates) <= 4
    assert seated.repeats == 0


def test_what_cannot_be_met_is_counted():
    apart = RoundWishes(apart=[dict.fromkeys(SIXTEEN[:5], "A")])
    both = RoundWishes(fixed={10: 2, 20: 2, 30: 1})

    assert seat_by_rank(SIXTEEN, wishes=apart, seed=1, steps=QUICK).unmet == 1
    assert seat_by_rank(SIXTEEN, wishes=both, seed=1, steps=QUICK).unmet == 0


def test_fixed_players_sit_at_their_tables_whatever_the_method():
    wishes = RoundWishes(fixed={160: 1, 10: 4})
    for seat in METHODS.values():
        seated = seat(SIXTEEN, wishes=wishes, seed=1, steps=QUICK)
        assert 160 in seated.tables[1]
        assert 10 in seated.tables[4]


def test_who_sat_out_least_sits_out_and_the_fixed_last():
    history = History(sat_out={1: 1, 2: 1, 3: 0, 4: 0, 5: 0, 6: 1})

    seated = seat_by_rank([1, 2, 3, 4, 5, 6], history=history, wishes=RoundWishes(fixed={3: 1}), seed=1)

    assert seated.sitting_out == (4, 5)


def test_the_lowest_of_those_who_sat_out_least_sit_out_if_wished():
    wishes = RoundWishes(lowest_out=True, fixed={9: 1})
    history = History(met={(1, 2): 1}, sat_out={10: 1})
    order = [2, 1, 4, 3, 6, 5, 8, 7, 9, 10]

    for seed in (1, 2, 3):
        assert seat_swiss(order, history=history, wishes=wishes, seed=seed, steps=QUICK).sitting_out == (8, 7)


def test_before_the_first_game_a_draw_decides_who_sits_out():
    wishes = RoundWishes(lowest_out=True)
    drawn = {seat_swiss(range(1, 6), wishes=wishes, seed=seed, steps=QUICK).sitting_out for seed in range(9)}

    assert len(drawn) > 1


def test_tables_that_there_are_can_have_any_numbers_and_be_too_few():
    seated = seat_by_rank(SIXTEEN, tables=[7, 3], seed=1)

    assert list(seated.tables) == [3, 7]
    assert len(seated.sitting_out) == 8


def test_a_fixed_table_is_used_even_when_it_is_not_among_the_first():
    seated = seat_by_rank(SIXTEEN[:8], tables=[1, 2, 9], wishes=RoundWishes(fixed={10: 9}), seed=1)

    assert list(seated.tables) == [1, 9]
    assert 10 in seated.tables[9]


@pytest.mark.parametrize("order", [[1, 2, 3], [1, 2, 3, 4, 4]])
def test_too_few_players_or_one_twice_are_refused(order):
    with pytest.raises(ValueError, match="player"):
        seat_swiss(order)


def test_no_table_or_one_twice_is_refused():
    with pytest.raises(ValueError, match="table"):
        seat_swiss(SIXTEEN, tables=[])
    with pytest.raises(ValueError, match="table"):
        seat_swiss(SIXTEEN, tables=[1, 1])


def test_the_history_counts_pairs_winds_tables_and_who_sat_out():
    rounds = [{3: (4, 3, 2, 1)}, {1: (1, 2, 3, 5)}]

    assert history_of(rounds, players=range(1, 6)) == History(
        met={(1, 2): 2, (1, 3): 2, (2, 3): 2, **{(n, m): 1 for n in (1, 2, 3) for m in (4, 5)}},
        winds={4: [1, 0, 0, 0], 3: [0, 1, 1, 0], 2: [0, 1, 1, 0], 1: [1, 0, 0, 1], 5: [0, 0, 0, 1]},
        sat_out={5: 1, 4: 1},
        sat_at={**{(n, 3): 1 for n in (1, 2, 3, 4)}, **{(n, 1): 1 for n in (1, 2, 3, 5)}},
        out_before=frozenset({4}),
    )


# --- whole events -------------------------------------------------------------------------------------------


def check_event(event: Event) -> None:
    for there, seated, history, tables in zip(
        event.there, event.rounds, event.histories, event.tables, strict=True
    ):
        plan = [list(seated.tables.values())]
        players = [player for table in plan[0] for player in table]
        assert check_plan(plan, there).faults == ()
        assert len(seated.tables) == min(len(there) // 4, tables)
        assert sorted([*players, *seated.sitting_out]) == sorted(there)
        met = [pair for table in plan[0] for pair in combinations(sorted(table), 2) if history.met.get(pair)]
        assert seated.repeats == len(met)
        # in turn: no one sits out who did so more often than someone who plays, but for a fixed table
        most_out = max((history.sat_out.get(p, 0) for p in seated.sitting_out), default=0)
        assert all(history.sat_out.get(p, 0) >= most_out for p in players)
    assert check_plan(event.plan).repeats == sum(
        times - 1 for times in history_of([r.tables for r in event.rounds]).met.values()
    )


@pytest.mark.parametrize("seed", range(0, scaled(300), 10))
def test_ten_events_each_with_absent_players_pass_the_checker(seed):
    for each in range(seed, seed + 10):
        check_event(random_event(each))


@examples(40)
@given(st.integers(0, 10**9), st.sampled_from(sorted(METHODS)))
def test_an_event_of_one_method_passes_the_checker(seed, method):
    check_event(random_event(seed, [method]))


def test_winds_of_who_is_always_there_stay_near_each_other():
    """Winds by need are not always even, but over ten rounds they differ by at most two."""
    played: list = []
    for number in range(10):
        seated = seat_at_random(range(32), history=history_of(played), seed=number, steps=QUICK)
        played.append(seated.tables)

    winds = history_of(played).winds
    assert max(max(counts) - min(counts) for counts in winds.values()) <= 2
