"""Penalties with what their lines show, what they add up to for each player, and a player's record.

What counts is one thing and what the public reads another (``league.core.counted``): a competition may show
every penalty, or how many there are of each player, or nothing beyond what its standings deduct
(``Competition.PenaltiesShown``).
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, QuerySet, Sum

from league.core.counted import counted_penalties, shown_penalties
from league.models import Competition, Penalty, RuleSet
from league.penalties.words import Wordings
from players.models import Player

RULES = "stage__division__rule_set__own_catalogue"  # with this a penalty's line costs no query
SAID = ("player", "created_by", "table", "round", RULES)  # what a penalty at a table says of itself


def with_facts(found: QuerySet[Penalty]) -> QuerySet[Penalty]:
    """With all that a line shows, but the rules: ``wordings_of`` or ``RULES``."""
    related = ("stage__division", "round", "table", "player", "created_by", "revoked_by", "decided_by")
    return found.select_related(*related)


def wordings_of(competition: Competition) -> Wordings:
    """The penalty rules of all its divisions. One query."""
    found = RuleSet.objects.filter(divisions__competition=competition).distinct()
    return Wordings(found.select_related("own_catalogue"))


@dataclass(frozen=True, slots=True)
class PlayerSum:
    """What counts of one player: how many penalties, and their sum in tenths."""

    player: int
    count: int
    sum: int


def player_sums(competition: Competition, *, public: bool, stage: int | None = None) -> list[PlayerSum]:
    """Everyone with a penalty that counts, in one stage if asked for; who lost most comes first. One query.

    A competition that shows the public only scores leaves out players to whom nothing is deducted or added,
    and counts no penalties.
    """
    found = counted_penalties(Penalty.objects.filter(competition=competition), public=public)
    if stage is not None:
        found = found.filter(stage=stage)
    grouped = found.order_by().values("player").annotate(count=Count("pk"), sum=Sum("score"))
    sums = [PlayerSum(*row) for row in grouped.values_list("player", "count", "sum")]
    if public and competition.penalties_shown == Competition.PenaltiesShown.SCORES:
        sums = [PlayerSum(each.player, 0, each.sum) for each in sums if each.sum]
    return sorted(sums, key=lambda each: (each.sum, -each.count, each.player))


@dataclass(frozen=True, slots=True)
class CompetitionRecord:
    """A player's penalties in one competition, newest first; ``sum`` of those that count, in tenths."""

    competition: Competition
    penalties: tuple[Penalty, ...]

    @property
    def counted(self) -> list[Penalty]:
        return [each for each in self.penalties if each.counts]

    @property
    def sum(self) -> int:
        return sum(each.score for each in self.counted)


def record_of_player(
    player: Player, *, inside: Collection[int], outside: Collection[int]
) -> list[CompetitionRecord]:
    """The competitions in which the player has a penalty that the reader sees, newest first. One query.

    ``inside``: ids of competitions of which the reader is staff and sees everything; ``outside``: of those
    that they see as the public does.
    """
    own = Penalty.objects.filter(player=player)
    public = shown_penalties(own.filter(competition__in=list(outside)), public=True)
    found = with_facts(own.filter(competition__in=list(inside)) | public)
    by_competition: dict[int, list[Penalty]] = {}
    for penalty in found.select_related("competition__league", RULES).order_by("-created_at", "-pk"):
        by_competition.setdefault(penalty.competition_id, []).append(penalty)
    return [CompetitionRecord(each[0].competition, tuple(each)) for each in by_competition.values()]
