"""Penalties: which of them an audience reads, which count, and what they add up to.

What counts is one thing and what the public reads another: a competition may show every penalty, or how many
there are of each player, or nothing beyond what its standings deduct (``Competition.PenaltiesShown``).
"""

from dataclasses import dataclass

from django.db.models import Count, Sum

from league.core.counted import counted_penalties
from league.models import Competition, Penalty


@dataclass(frozen=True, slots=True)
class PlayerSum:
    """What counts of one player: how many penalties, and their sum in tenths."""

    player: int
    count: int
    sum: int


def player_sums(competition: Competition, *, public: bool, stage: int | None = None) -> list[PlayerSum]:
    """Everyone with a penalty that counts, whoever lost most first; in one stage if asked for. One query.

    Of a competition that shows the public only scores, those to whom nothing is deducted or added are left
    out, and nobody's penalties are counted.
    """
    found = counted_penalties(Penalty.objects.filter(competition=competition), public=public)
    if stage is not None:
        found = found.filter(stage=stage)
    grouped = found.order_by().values("player").annotate(count=Count("pk"), sum=Sum("score"))
    sums = [PlayerSum(*row) for row in grouped.values_list("player", "count", "sum")]
    if public and competition.penalties_shown == Competition.PenaltiesShown.SCORES:
        sums = [PlayerSum(each.player, 0, each.sum) for each in sums if each.sum]
    return sorted(sums, key=lambda each: (each.sum, -each.count, each.player))
