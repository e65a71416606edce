"""The penalties of a competition: one by one, summed, and compared with its standings."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum

from league.core.counted import counted_penalties, shown_penalties, veil
from league.core.stages import stages_of
from league.models import Competition, Penalty, RuleSet
from league.penalties.words import PenaltyLine, Wordings
from league.standings.queries.standings import standings_of
from players.models import Player
from scoring.units import Score

RULES = "stage__division__rule_set__own_catalogue"  # with this a penalty's line costs no query
SAID = ("player", "created_by", "table", "round", RULES)  # for a penalty at a table


def with_facts(found: QuerySet[Penalty]) -> QuerySet[Penalty]:
    """Select what a line shows, except the penalty rules (``wordings_of`` or ``RULES``)."""
    related = ("stage__division", "round", "table", "player", "created_by", "revoked_by", "decided_by")
    return found.select_related(*related)


def wordings_of(competition: Competition) -> Wordings:
    found = RuleSet.objects.filter(divisions__competition=competition).distinct()
    return Wordings(found.select_related("own_catalogue"))


def listed_penalties(competition: Competition, *, public: bool) -> list[PenaltyLine]:
    """Return the penalties that this audience reads one by one, newest first. Two queries."""
    found = shown_penalties(Penalty.objects.filter(competition=competition), public=public)
    return wordings_of(competition).lines(with_facts(found).order_by("-created_at", "-pk"))


def record_of_player(
    player: Player, *, inside: Collection[int], outside: Collection[int]
) -> dict[Competition, list[Penalty]]:
    """Return the player's penalties by competition. ``inside``: ids of those that the reader works for. One
    query.
    """
    own = Penalty.objects.filter(player=player)
    elsewhere = Q(competition__in=list(outside))
    public = shown_penalties(own.filter(elsewhere), public=True).values("pk")
    found = with_facts(veil(own.filter(Q(competition__in=list(inside)) | Q(pk__in=public)), elsewhere))
    record: dict[Competition, list[Penalty]] = {}
    for penalty in found.select_related("competition__league", RULES).order_by("-created_at", "-pk"):
        record.setdefault(penalty.competition, []).append(penalty)
    return record


# --- sums


@dataclass(frozen=True, slots=True)
class PlayerSum:
    """The number and the sum (tenths) of a player's penalties that count."""

    player: int
    count: int
    sum: int


def player_sums(competition: Competition, *, public: bool, stage: int | None = None) -> list[PlayerSum]:
    """Sum the penalties that count by player, the greatest loss first. One query."""
    found = counted_penalties(Penalty.objects.filter(competition=competition), public=public)
    if stage is not None:
        found = found.filter(stage=stage)
    grouped = found.order_by().values("player").annotate(count=Count("pk"), sum=Sum("score"))
    sums = [PlayerSum(*row) for row in grouped.values_list("player", "count", "sum")]
    if public and competition.penalties_shown == Competition.PenaltiesShown.SCORES:
        sums = [PlayerSum(each.player, 0, each.sum) for each in sums if each.sum]
    return sorted(sums, key=lambda each: (each.sum, -each.count, each.player))


@dataclass(frozen=True, slots=True)
class PenaltySum:
    """Penalties with something in common. ``score`` is the sum (tenths) of those that count."""

    first: PenaltyLine
    listed: int
    counted: int
    score: int

    @property
    def not_counted(self) -> int:
        return self.listed - self.counted


def sums_by(lines: Iterable[PenaltyLine], key: Callable[[PenaltyLine], Hashable]) -> list[PenaltySum]:
    groups: dict[Hashable, list[PenaltyLine]] = {}
    for line in lines:
        groups.setdefault(key(line), []).append(line)
    sums = [sum_of(group) for group in groups.values()]
    return sorted(sums, key=lambda each: (each.score, -each.counted, -each.listed))


def sum_of(lines: list[PenaltyLine]) -> PenaltySum:
    counting = [line.penalty.score for line in lines if line.penalty.counts]
    return PenaltySum(lines[0], len(lines), len(counting), sum(counting))


# --- the check


@dataclass(frozen=True, slots=True)
class StandingsCheck:
    """Penalties and deductions of a competition in tenths. ``differences``: player, penalties, deductions."""

    listed: int
    deducted: Score
    differences: tuple[tuple[int, int, Score], ...]

    @property
    def fits(self) -> bool:
        return not self.differences


def check_standings(competition: Competition, *, public: bool) -> StandingsCheck:
    return compare_sums(player_sums(competition, public=public), standings_deduct(competition, public=public))


def standings_deduct(competition: Competition, *, public: bool) -> dict[int, Score]:
    """Sum the penalties in the standings of all stages: player → tenths."""
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    ranked = standings_of(stages, public=public, every=stages).values() if stages else ()
    deductions: defaultdict[int, Score] = defaultdict(int)
    for line in (line for each in ranked for line in each.rows):
        deductions[line.row.player] += line.row.penalty
    return dict(deductions)


def compare_sums(sums: Iterable[PlayerSum], deducted: Mapping[int, Score]) -> StandingsCheck:
    listed = {each.player: each.sum for each in sums}
    both = [(player, listed.get(player, 0), deducted.get(player, 0)) for player in {*listed, *deducted}]
    return StandingsCheck(
        listed=sum(listed.values()),
        deducted=sum(deducted.values()),
        differences=tuple(each for each in sorted(both) if each[1] != each[2]),
    )
