"""Penalties: which of them an audience reads, which count, and what they add up to.

What counts is one thing and what the public reads another: a competition may show every penalty, or how many
there are of each player, or nothing beyond what its standings deduct (``Competition.PenaltiesShown``).
"""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum

from league.models import Competition, Penalty, Round

SHOWS_ALL = Competition.PenaltiesShown.ALL


def counted_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Those that count: in force and not revoked; for the public none of a round whose results are not
    published. Whether they are listed is another matter.
    """
    found = _published(penalties) if public else penalties
    return found.filter(revoked_at__isnull=True, status=Penalty.Status.IN_FORCE)


def shown_penalties(penalties: QuerySet[Penalty], *, public: bool) -> QuerySet[Penalty]:
    """Those whose offence and reason this audience reads, revoked ones too.

    For the public none where the competition does not list them, none of a round whose results are not
    published (nothing leaks), and none that waits for the chief referee or was declined.
    """
    if not public:
        return penalties
    return _published(penalties).filter(
        status=Penalty.Status.IN_FORCE, competition__penalties_shown=SHOWS_ALL
    )


def lists_penalties(competition: Competition, *, public: bool) -> bool:
    """Does this audience read the penalties one by one?"""
    return not public or competition.penalties_shown == SHOWS_ALL


def _published(penalties: QuerySet[Penalty]) -> QuerySet[Penalty]:
    return penalties.filter(Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS))


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
