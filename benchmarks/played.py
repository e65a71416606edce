"""Events with made-up results, played through the services in a database that is thrown away."""

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.core.cache import cache
from django.db import transaction

from benchmarks.events import make_event
from league.models import Stage, Table
from league.organizing.seating.queries.seating import FEW, SWISS, PlanRequest, seating_facts
from league.organizing.seating.services.drafts import accept_seating, begin_seating, draft_state
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from scoring.seating.checker import check_plan
from scoring.seating.rounds import ranks_apart

Played = list[list[list[int]]]  # rounds of tables of players, east first


@contextmanager
def event(players: int) -> Iterator[Stage]:
    """A stage with so many players."""
    cache.clear()
    with transaction.atomic():
        yield make_event(players=players, tables=0)
        transaction.set_rollback(True)


def swiss_event(
    players: int, rounds: int, *, seed: int, weighs: str = FEW
) -> tuple[int, float, float, float, int]:
    """Repeats, the seconds of the slowest plan, how many ranks the best and the last of a table are apart on
    average, the mean distance of ranks of all pairs, and how many players have uneven winds.
    """
    played: Played = []
    slowest, apart, distance = 0.0, 0, 0
    with event(players) as stage:
        results = Results(seating_facts(stage).pool, seed)
        for number in range(rounds):
            order = seating_facts(stage).order
            start = time.process_time()
            asked = PlanRequest(method=SWISS, planned=rounds, weighs=weighs)
            draft = begin_seating(stage=stage, asked=asked, seed=1_000 * seed + number, by=None)
            slowest = max(slowest, time.process_time() - start)
            tables = play(stage, seen=draft_state(draft), results=results)
            ranks = [[order.index(player) for player in four] for four in tables]
            apart += sum(max(four) - min(four) for four in ranks)
            distance += ranks_apart(order, tables)
            played.append(tables)
    report = check_plan(played)
    assert not report.faults
    assert report.players == players
    mean = distance / (6 * report.tables)
    return report.repeats, slowest, apart / report.tables, mean, len(report.uneven)


def play(stage: Stage, *, seen: str, results: "Results") -> list[list[int]]:
    """Accepts the plan, plays its first round and returns the tables."""
    round_ = accept_seating(stage=stage, seen=seen, by=None)[0]
    open_round(round_=round_, by=None)
    tables = []
    for table in Table.objects.filter(round=round_).order_by("number"):
        four = list(table.seats.order_by("wind").values_list("player_id", flat=True))
        record_result(table=table, points=results.play(four), based_on=0, by=None)
        tables.append(four)
    close_round(round_=round_, visibility="results", by=None)
    stage.division.competition.refresh_from_db()
    return tables


class Results:
    """Made-up results: players of different strength, and luck."""

    def __init__(self, players: Sequence[int], seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - made-up results
        self.strength = {player: self.chance.gauss(0, 1) for player in players}

    def play(self, four: Sequence[int]) -> tuple[int, int, int, int]:
        """Raw points, east first."""
        order = sorted(four, key=lambda player: -(self.strength[player] + self.chance.gauss(0, 2)))
        points = dict(zip(order, (44_000, 28_000, 18_000, 10_000), strict=True))
        for one, other in ((0, 1), (2, 3), (1, 2)):
            moved = 100 * self.chance.randint(-40, 40)
            points[four[one]] += moved
            points[four[other]] -= moved
        east, south, west, north = (points[player] for player in four)
        return east, south, west, north
