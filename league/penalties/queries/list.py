"""All penalties of a competition, as the list filters and sums them; and the check that they add up to what
its standings deduct.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from league.core.counted import shown_penalties
from league.core.stages import stages_of
from league.models import Competition, Penalty
from league.penalties.queries.penalties import PlayerSum, player_sums
from league.penalties.words import ListedPenalty
from league.standings.queries.standings import standings_of
from scoring.units import Score

_FIELDS = (
    *("pk", "player_id", "level", "infraction", "score", "status", "revoked_at"),
    *("created_by_id", "created_by__username", "round_id", "round__number"),
    *("stage_id", "stage__name", "stage__division__slug", "stage__division__name"),
    "stage__division__rule_set_id",
)


def listed_penalties(competition: Competition, *, public: bool) -> list[ListedPenalty]:
    """The penalties that this audience reads one by one, newest first. One query."""
    shown = shown_penalties(Penalty.objects.filter(competition=competition), public=public)
    return [ListedPenalty(*row) for row in shown.order_by("-created_at", "-pk").values_list(*_FIELDS)]


# --- sums


@dataclass(frozen=True, slots=True)
class PenaltySum:
    """What penalties with something in common add up to. ``first`` is one of them, ``score`` (tenths) the sum
    of those that count.
    """

    first: ListedPenalty
    listed: int
    counted: int
    score: int

    @property
    def others(self) -> int:
        """How many of them do not count."""
        return self.listed - self.counted


def sums_by(
    penalties: Iterable[ListedPenalty], what: Callable[[ListedPenalty], Hashable]
) -> list[PenaltySum]:
    """The penalties in groups of the same ``what``; the group that lost most comes first."""
    groups: dict[Hashable, list[ListedPenalty]] = {}
    for penalty in penalties:
        groups.setdefault(what(penalty), []).append(penalty)
    sums = [sum_of(group) for group in groups.values()]
    return sorted(sums, key=lambda each: (each.score, -each.counted, -each.listed))


def sum_of(penalties: list[ListedPenalty]) -> PenaltySum:
    """What these penalties, one at least, add up to."""
    counting = [penalty.score for penalty in penalties if penalty.counts]
    return PenaltySum(penalties[0], len(penalties), len(counting), sum(counting))


# --- the check


@dataclass(frozen=True, slots=True)
class Difference:
    """A player for whom the penalties and the standings do not agree, in tenths."""

    player: int
    listed: int
    deducted: Score


@dataclass(frozen=True, slots=True)
class StandingsCheck:
    """Whether the penalties of a competition add up to what its standings deduct. Sums in tenths."""

    listed: int
    deducted: Score
    differences: tuple[Difference, ...]

    @property
    def fits(self) -> bool:
        return not self.differences


def check_standings(competition: Competition, *, public: bool) -> StandingsCheck:
    """Holds the penalties that count for this audience against what it sees deducted."""
    return compare_sums(player_sums(competition, public=public), standings_deduct(competition, public=public))


def standings_deduct(competition: Competition, *, public: bool) -> dict[int, Score]:
    """Player → what the standings of all stages add to their scores as penalties, in tenths."""
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    ranked = standings_of(stages, public=public, every=stages).values() if stages else ()
    taken: defaultdict[int, Score] = defaultdict(int)
    for line in (line for each in ranked for line in each.rows):
        taken[line.row.player] += line.row.penalty
    return dict(taken)


def compare_sums(sums: Iterable[PlayerSum], deducted: Mapping[int, Score]) -> StandingsCheck:
    """Holds the penalties' sums against what the standings deduct: player → tenths."""
    listed = {each.player: each.sum for each in sums}
    both = [(player, listed.get(player, 0), deducted.get(player, 0)) for player in {*listed, *deducted}]
    return StandingsCheck(
        listed=sum(listed.values()),
        deducted=sum(deducted.values()),
        differences=tuple(Difference(*each) for each in sorted(both) if each[1] != each[2]),
    )
