"""A whole schedule: all rounds at once, before any game.

Stored base rounds give schedules without repeats in milliseconds. All else is searched: more rounds, numbers
that are not multiples of four, wishes that cost repeats. The same arguments give the same schedule.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from scoring.seating import base_rounds
from scoring.seating.base_rounds import BaseRounds
from scoring.seating.checker import SEATS, Report, check_plan
from scoring.seating.placement import place_players
from scoring.seating.search import (
    LEG,
    WARM,
    Rounds,
    SearchTask,
    Start,
    State,
    from_nothing,
    plan_cost,
    search,
)
from scoring.seating.table_numbers import TablesHad, number_tables, spread
from scoring.seating.winds import Table, give_winds
from scoring.seating.wishes import Wishes, check_wishes, least_cost

MOST_PLAYERS, MOST_ROUNDS = 400, 60
STEPS = 2_000_000  # some seconds

_NO_WISHES = Wishes()


@dataclass(frozen=True)
class Schedule:
    """A whole schedule of players 0 to n−1.

    `rounds`: tables by number from 1, players east to north. `steps`: searched from `seed`, 0 for stored
    rounds.
    """

    players: int
    rounds: tuple[tuple[Table, ...], ...]
    cost: float
    least_cost: int
    seed: int
    steps: int
    state: State

    @cached_property
    def report(self) -> Report:
        return check_plan(self.rounds, range(self.players))

    @property
    def repeats(self) -> int:
        return self.report.repeats


def whole_schedule(
    players: int,
    rounds: int,
    *,
    wishes: Wishes = _NO_WISHES,
    seated: Rounds | None = None,
    seed: int = 0,
    steps: int = STEPS,
    state: State | None = None,
) -> Schedule:
    """Return the best schedule that so many steps find.

    Steps count from the beginning: with the `state` of an earlier schedule the search continues up to `steps`
    in all. It ends earlier at the lower bound. `Schedule.steps` steps give the same plan again.

    `seated`: the rounds as seated now, if few players have left. Players who left have numbers from `players`
    on.

    Raises `WishesError` for contradicting wishes, and ValueError unless there are 4 to 400 players and 1 to
    60 rounds.
    """
    if not (SEATS <= players <= MOST_PLAYERS and 1 <= rounds <= MOST_ROUNDS):
        raise ValueError(f"{players} players in {rounds} rounds")
    check_wishes(wishes, players)
    if state is None and players % SEATS == 0 and not wishes.of_meetings:
        base = next(iter(base_rounds.fitting(players, rounds)), None)
        if base is not None:
            return _developed(base, rounds, wishes, seed)
    legs = -(-steps // LEG)
    if seated is not None:
        starts: tuple[Start, ...] = (Start(lambda: _remaining(seated, players, wishes, seed), heat=WARM),)
    else:
        starts = _starts(players, rounds, wishes, seed)
    problem = SearchTask(players, rounds, wishes, seed, starts)
    new_state = search(problem, legs=legs, state=state)
    return _schedule(problem, new_state)


def _developed(base: BaseRounds, rounds: int, wishes: Wishes, seed: int) -> Schedule:
    order = place_players([[list(table) for table in base.starters[0]]], base.players, wishes, seed=seed)
    turning = None if wishes.sat_at else base_rounds.turning_quarters(base.players, rounds)
    if turning is None:
        plan = _number_rounds(base.seat(rounds, order), base.players, wishes)
    else:
        named = [[[order[place] for place in table] for table in round_] for round_ in turning]
        plan = tuple(tuple(round_) for round_ in give_winds(named))
    groups = [[list(table) for table in round_] for round_ in plan]
    return Schedule(
        players=base.players,
        rounds=plan,
        cost=0,
        least_cost=0,
        seed=seed,
        steps=0,
        state=State(0, groups, groups, 0),
    )


def _schedule(problem: SearchTask, state: State) -> Schedule:
    return Schedule(
        players=problem.players,
        rounds=_number_rounds(give_winds(state.best), problem.players, problem.wishes),
        cost=state.cost,
        least_cost=problem.least_cost,
        seed=problem.seed,
        steps=state.legs * LEG,
        state=state,
    )


def _number_rounds(
    rounds: Sequence[Sequence[Table]], players: int, wishes: Wishes
) -> tuple[tuple[Table, ...], ...]:
    numbers, had = range(1, players // SEATS + 1), TablesHad(wishes.sat_at)
    numbered_rounds = []
    for turn, round_ in enumerate(rounds):
        tables = number_tables(round_, numbers, fixed=wishes.fixed, had=had, first=turn)
        numbered_rounds.append([tables[number] for number in numbers])
    spread(numbered_rounds, fixed=wishes.fixed, before=wishes.sat_at)
    return tuple(tuple(round_) for round_ in numbered_rounds)


# --- with what a search begins ------------------------------------------------------------------------------


def _starts(players: int, rounds: int, wishes: Wishes, seed: int) -> tuple[Start, ...]:
    """Return the starts of a search, the most promising first."""
    starts = []
    plan = base_rounds.stored_plan(players, rounds)
    if plan is not None:
        starts.append(Start(lambda: _place(plan, players, wishes, seed), heat=WARM))
    perfect = base_rounds.perfect_rounds(players)
    best_base = cache(lambda: _best_base(players, min(perfect, rounds), wishes, seed))  # begins many cycles
    if perfect >= rounds:
        starts.append(Start(best_base, heat=WARM))
    elif perfect > 1:
        starts.append(Start(best_base, frozen=perfect))
    quarters = _quarters(players, rounds, wishes)
    if 0 < len(quarters) < rounds:
        starts.append(Start(lambda: _place(quarters, players, wishes, seed), frozen=len(quarters)))
    if players % SEATS and base_rounds.perfect_rounds(players + -players % SEATS) >= rounds:
        starts.append(Start(lambda: _without_ghosts(players, rounds, wishes, seed), heat=WARM))
    return (*starts, Start(from_nothing))


def _best_base(players: int, rounds: int, wishes: Wishes, seed: int) -> Rounds:
    candidates = [base.developed(rounds) for base in base_rounds.fitting(players, rounds)]
    quarters = _quarters(players, rounds, wishes)
    if len(quarters) == rounds:
        candidates = [quarters, *candidates]
    best, least = None, 0.0
    for candidate in candidates:
        plan = _place(candidate, players, wishes, seed)
        cost = plan_cost(plan, players, wishes)
        if best is None or cost < least:
            best, least = plan, cost
        if least <= least_cost(players, rounds, wishes):
            break
    assert best is not None, "only where base rounds are stored"
    return best


def _quarters(players: int, rounds: int, wishes: Wishes) -> Rounds:
    """Return as many rounds as can be found with one player of each of four groups at each table."""
    if not wishes.apart or players % SEATS:
        return []
    most = min(rounds, players // SEATS)
    plans = (base_rounds.one_of_each_quarter(players, most - less) for less in range(min(4, most)))
    return next((plan for plan in plans if plan is not None), [])


def _place(plan: Rounds, players: int, wishes: Wishes, seed: int) -> Rounds:
    order = place_players(plan, players, wishes, seed=seed)
    return [[[order[place] for place in table] for table in round_] for round_ in plan]


def _without_ghosts(players: int, rounds: int, wishes: Wishes, seed: int) -> Rounds:
    """Start from a schedule for more players. Those left at tables with missing ones play together or sit
    out.
    """
    base = base_rounds.fitting(players + -players % SEATS, rounds)[0]
    whole = base.developed(rounds)
    return _remaining(_place(whole, players, wishes, seed), players, wishes, seed)


def _remaining(whole: Rounds, players: int, wishes: Wishes, seed: int) -> Rounds:
    out = [wishes.sat_out.get(player, 0) for player in range(players)]
    chance = random.Random(f"{seed}/ghosts")  # noqa: S311 - a draw that can be repeated, no secret
    last, remaining_rounds = set(wishes.out_before), []
    for round_ in whole:
        remaining = _round_without_ghosts(round_, players, out, last, chance)
        remaining_rounds.append(remaining)
        last = set(range(players)).difference(*remaining)
    return remaining_rounds


def _round_without_ghosts(
    round_: Sequence[list[int]], players: int, out: list[int], last: Collection[int], chance: random.Random
) -> list[list[int]]:
    full = [table for table in round_ if all(player < players for player in table)]
    left = [player for table in round_ if table not in full for player in table if player < players]
    left += sorted(set(range(players)).difference(*round_))
    chance.shuffle(left)
    left.sort(key=lambda player: (player not in last, -out[player]))  # who sat out last or most often plays
    seats = players // SEATS * SEATS - len(full) * SEATS
    for player in left[seats:]:
        out[player] += 1
    return full + [left[at : at + SEATS] for at in range(0, seats, SEATS)]
