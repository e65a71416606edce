"""One player's record of penalties, over all competitions of a league."""

from collections.abc import Collection
from dataclasses import dataclass

from league.core.counted import shown_penalties
from league.models import Competition, Penalty
from players.models import Player


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
    everything = Penalty.objects.filter(player=player, competition__in=list(inside))
    public = shown_penalties(
        Penalty.objects.filter(player=player, competition__in=list(outside)), public=True
    )
    related = ("competition__league", "stage__division__rule_set__own_catalogue", "round", "table")
    people = ("created_by", "revoked_by", "decided_by")
    found = (everything | public).select_related(*related, *people).order_by("-created_at", "-pk")
    by_competition: dict[int, list[Penalty]] = {}
    for penalty in found:
        by_competition.setdefault(penalty.competition_id, []).append(penalty)
    return [CompetitionRecord(each[0].competition, tuple(each)) for each in by_competition.values()]
