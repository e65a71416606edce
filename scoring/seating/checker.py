"""An independent check of a plan. It uses no code that makes plans.

A *plan* has rounds of tables of four players, east to north. A *repeat* is each meeting of a pair after its
first. A *block* is four games of a player in a row (1st to 4th, 5th to 8th, …), in which each wind can occur
once.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from pathlib import Path

Player = Hashable
Table = Sequence[Player]
Round = Sequence[Table]
Plan = Sequence[Round]

SEATS = 4  # at a table, and so winds
SMALL_CLUBS = json.loads(Path(__file__).with_name("small_clubs.json").read_text(encoding="utf-8"))
BLOCK = 4  # games in which every player can have had each wind once


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The figures of a plan. `faults` are English sentences why it cannot be played.

    `uneven`: players whose winds differ by more than one. `broken_blocks`: blocks with a duplicate wind.
    `in_a_row`: times that players sit out twice running. `most_at_a_table`: most often that a player sits at
    one place of the tables.
    """

    players: int
    rounds: int
    tables: int
    faults: tuple[str, ...]
    repeats: int
    least_repeats: int
    most_meetings: int
    repeated: tuple[tuple[tuple[Player, Player], int], ...]
    uneven: tuple[tuple[Player, tuple[int, ...]], ...]
    broken_blocks: int
    sitting_out: tuple[tuple[Player, int], ...]
    in_a_row: int
    most_at_a_table: int

    @property
    def is_perfect(self) -> bool:
        return not (self.faults or self.repeats or self.uneven or self.broken_blocks)


def check_plan(plan: Plan, players: Iterable[Player] = ()) -> Report:
    """Report on a plan. `players`: those entered, so that others are a fault, or empty for all who sit."""
    entered = set(players)
    everyone = {player for round_ in plan for table in round_ for player in table} | entered
    meetings = _meetings(plan)
    repeated = tuple((pair, times) for pair, times in meetings.most_common() if times > 1)
    winds = {player: [0] * SEATS for player in everyone}
    for _, player, wind in _seats(plan):
        winds[player][wind] += 1
    played = {player: sum(counts) for player, counts in winds.items()}
    tables = sum(len(round_) for round_ in plan)
    return Report(
        players=len(everyone),
        rounds=len(plan),
        tables=tables,
        faults=tuple(_faults(plan, entered)),
        repeats=sum(times - 1 for _, times in repeated),
        least_repeats=least_repeats(len(everyone), tables, len(plan)),
        most_meetings=max(meetings.values(), default=0),
        repeated=repeated,
        uneven=tuple((p, tuple(c)) for p, c in winds.items() if max(c) - min(c) > 1),
        broken_blocks=_broken_blocks(plan),
        sitting_out=tuple((p, len(plan) - n) for p, n in played.items() if n < len(plan)),
        in_a_row=_out_in_a_row(plan, everyone),
        most_at_a_table=max(Counter((p, place) for place, p, _ in _seats(plan)).values(), default=0),
    )


def least_repeats(players: int, tables: int, rounds: int, *, stored: bool = True) -> int:
    """Return a lower bound of repeats. A plan that reaches it need not exist.

    A table is six meetings, and pairs are limited. If all tables are filled every later round also repeats
    meetings of the first one. `stored`: use the proofs in `small_clubs.json`.
    """
    few = max(0, 6 * tables - players * (players - 1) // 2)
    if players < SEATS or tables != players // SEATS * rounds:
        return few
    proven = SMALL_CLUBS["repeats"].get(f"{players} {rounds}", 0) if stored else 0
    return max(few, _least_shared(players) * (rounds - 1), proven)


def least_pairs(players: int, tables: int, rounds: int, *, stored: bool = True) -> int:
    """Return a lower bound of the sum of t·(t−1)/2 over pairs that meet t times.

    The sum counts the meetings that two rounds share, over all pairs of rounds. It is least if the meetings
    are spread most evenly.
    """
    pairs = max(1, players * (players - 1) // 2)
    each, more = divmod(6 * tables, pairs)
    few = more * (each + 1) * each // 2 + (pairs - more) * each * (each - 1) // 2
    if players < SEATS or tables != players // SEATS * rounds:
        return few
    proven = SMALL_CLUBS["pairs"].get(f"{players} {rounds}", 0) if stored else 0
    return max(few, _least_shared(players) * rounds * (rounds - 1) // 2, proven)


def least_shared_meetings(tables: int) -> int:
    """Return how many meetings two rounds of the same players share at least."""
    return _least_shared(tables * SEATS)


def _least_shared(players: int) -> int:
    """Return how many meetings two rounds share at least, for any choice of who sits out."""
    tables, out = divmod(players, SEATS)
    shared = 0
    for place in range(tables):
        each, more = divmod(SEATS - (out + place) // tables, tables)
        shared += more * (each + 1) * each // 2 + (tables - more) * each * (each - 1) // 2
    return shared


def most_rounds(players: int) -> int:
    """Return an upper bound of rounds without a repeat."""
    return 1 if SEATS <= players < SEATS * SEATS and players % SEATS == 0 else (players - 1) // 3


def _seats(plan: Plan) -> Iterator[tuple[int, Player, int]]:
    for round_ in plan:
        for place, table in enumerate(round_, start=1):
            for wind, player in enumerate(table[:SEATS]):
                yield place, player, wind


def _meetings(plan: Plan) -> Counter[tuple[Player, Player]]:
    met: Counter[tuple[Player, Player]] = Counter()
    for round_ in plan:
        for table in round_:
            for one, other in combinations(sorted(table, key=repr), 2):
                met[one, other] += 1
    return met


def _faults(plan: Plan, entered: set[Player]) -> Iterator[str]:
    for number, round_ in enumerate(plan, start=1):
        if not round_:
            yield f"round {number}: no table"
        for place, table in enumerate(round_, start=1):
            if len(table) != SEATS:
                yield f"round {number}, table {place}: {len(table)} players"
            for player in table:
                if entered and player not in entered:
                    yield f"round {number}, table {place}: {player} is not entered"
        seen: Counter[Player] = Counter(player for table in round_ for player in table)
        for player, times in seen.items():
            if times > 1:
                yield f"round {number}: {player} sits {times} times"


def _out_in_a_row(plan: Plan, everyone: set[Player]) -> int:
    out = [everyone - {player for table in round_ for player in table} for round_ in plan]
    return sum(len(one & other) for one, other in pairwise(out))


def _broken_blocks(plan: Plan) -> int:
    had: dict[Player, list[int]] = defaultdict(list)
    for _, player, wind in _seats(plan):
        had[player].append(wind)
    blocks = [winds[at : at + BLOCK] for winds in had.values() for at in range(0, len(winds), BLOCK)]
    return sum(len(set(block)) < len(block) for block in blocks)
