"""Stages with rounds that are played and rounds that are planned."""

from typing import Any

from league.models import Round, Stage
from league.play.rounds.services import close_round
from tests.factories import Club, club

CLEAR = (60_000, 35_000, 20_000, 5_000)
NARROW = (31_000, 30_500, 29_500, 29_000)


def fresh(here: Club) -> Stage:
    found = Stage.objects.select_related("division__competition__league", "division__rule_set")
    return found.get(pk=here.stage.pk)


def played(rounds: int, *, planned: int | None = None, points: Any = NARROW, **options: Any) -> Club:
    """Play so many rounds, with the same points at each table, and plan `planned` in all."""
    here = club(**options)
    for number in range(1, rounds + 1):
        here.add_round()
        for table in range(1, len(here.players) // 4 + 1):
            here.record(points, round_number=number, number=table)
        close_round(round_=Round.objects.get(pk=here.rounds[-1].pk), by=here.alice)
    Stage.objects.filter(pk=here.stage.pk).update(planned_rounds=planned)
    return here
