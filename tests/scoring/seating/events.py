"""Made-up events, seated round by round: people come, leave and come back, tables are taken away."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from scoring.seating.rounds import (
    History,
    RoundWishes,
    SeatedRound,
    history_of,
    seat_at_random,
    seat_by_interval,
    seat_by_rank,
    seat_swiss,
)
from scoring.seating.winds import Table

QUICK = 3_000
METHODS: dict[str, Callable[..., SeatedRound]] = {
    "swiss": seat_swiss,
    "rank": seat_by_rank,
    "interval": seat_by_interval,
    "random": seat_at_random,
    "lots": partial(seat_at_random, few_repeats=False),
}


@dataclass
class Event:
    """The players, tables, histories and rounds of an event."""

    there: list[tuple[int, ...]] = field(default_factory=list)
    rounds: list[SeatedRound] = field(default_factory=list)
    histories: list[History] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)
    tables: list[int] = field(default_factory=list)

    @property
    def plan(self) -> list[list[Table]]:
        return [list(round_.tables.values()) for round_ in self.rounds]


def random_event(seed: int, methods: Sequence[str] = tuple(METHODS)) -> Event:
    """An event of 4 to 40 players and 1 to 9 rounds."""
    chance = random.Random(seed)
    event, score = Event(), Counter[int]()
    there = set(range(1, chance.randint(4, 40) + 1))
    gone: set[int] = set()
    out: Counter[int] = Counter()
    most_tables = 10
    wishes = random_wishes(chance, sorted(there))
    for number in range(chance.randint(1, 9)):
        if number:
            come_and_go(chance, there, gone)
            most_tables = max(1, most_tables - (chance.random() < 0.1) * chance.randint(1, 3))
        order = sorted(there, key=lambda player: (-score[player], player))
        history = history_of([round_.tables for round_ in event.rounds])
        history = History(met=history.met, winds=history.winds, sat_at=history.sat_at, sat_out=dict(out))
        method = chance.choice(methods)
        seated = METHODS[method](
            order,
            history=history,
            wishes=wishes,
            tables=list(range(1, most_tables + 1)),
            seed=chance.getrandbits(32),
            steps=QUICK,
        )
        out.update(seated.sitting_out)
        for table in seated.tables.values():
            for player, points in zip(table, chance.sample((450, 150, -150, -450), 4), strict=True):
                score[player] += points
        event.there.append(tuple(order))
        event.rounds.append(seated)
        event.histories.append(history)
        event.methods.append(method)
        event.tables.append(most_tables)
    return event


def random_wishes(chance: random.Random, players: Sequence[int]) -> RoundWishes:
    """Sometimes clubs, a pair that must not meet, and a player with a fixed table."""
    clubs = {player: chance.choice(("", "", "A", "B", "C")) or None for player in players}
    pair = chance.sample(players, 2)
    return RoundWishes(
        apart=[clubs] if chance.random() < 0.4 else (),
        forbidden=frozenset({(pair[0], pair[1])}) if chance.random() < 0.4 else frozenset(),
        fixed={chance.choice(players): 1} if chance.random() < 0.3 else {},
    )


def come_and_go(chance: random.Random, there: set[int], gone: set[int]) -> None:
    """Between two rounds some leave for good or for a while, some come back, some come late."""
    for player in sorted(there):
        if len(there) > 4 and chance.random() < 0.04:
            there.remove(player)
            gone.add(player)
    for player in sorted(gone):
        if chance.random() < 0.3:
            gone.remove(player)
            there.add(player)
    if chance.random() < 0.15:
        there.add(100 + len(there) + chance.randint(0, 1_000) * 100)
