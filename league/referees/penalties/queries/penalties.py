"""The penalties of a competition: one by one, summed, and compared with its standings."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum

from league.core.counted import counted_penalties, shown_penalties, veil, without_secret_stages
from league.core.stages import stages_of
from league.models import Competition, Penalty, Round, RuleSet, Sheet
from league.play.hands.queries import RULES
from league.play.hands.words.penalties import PenaltyLine, Wordings
from league.ranking.standings.queries.standings import standings_of
from players.models import Player
from scoring.units import Score

SAID = ("player", "created_by", "table", "round", RULES)  # for a penalty at a table


def with_facts(penalties: QuerySet[Penalty]) -> QuerySet[Penalty]:
    """Select what a line shows, except the penalty rules (``wordings_of`` or ``RULES``)."""
    related = ("stage__division", "round", "table", "player", "created_by", "revoked_by", "decided_by")
    return penalties.select_related(*related)


def wordings_of(competition: Competition) -> Wordings:
    rule_sets = RuleSet.objects.filter(divisions__competition=competition).distinct()
    return Wordings(rule_sets.select_related("own_catalogue"))


def listed_penalties(competition: Competition, *, public: bool) -> list[PenaltyLine]:
    """Return the penalties that this audience reads one by one, newest first. Two queries, or up to four."""
    penalties = shown_penalties(Penalty.objects.filter(competition=competition), public=public)
    if public:
        penalties = without_secret_stages(penalties, competition)
    return wordings_of(competition).lines(with_facts(penalties).order_by("-created_at", "-pk"))


def record_of_player(
    player: Player, *, inside: Collection[int], outside: Collection[int]
) -> dict[Competition, list[Penalty]]:
    """Return the player's penalties by competition. ``inside``: ids of those that the reader works for. One
    query.
    """
    own = Penalty.objects.filter(player=player)
    elsewhere = Q(competition__in=list(outside))
    public = shown_penalties(own.filter(elsewhere), public=True).values("pk")
    penalties = with_facts(veil(own.filter(Q(competition__in=list(inside)) | Q(pk__in=public)), elsewhere))
    record: dict[Competition, list[Penalty]] = {}
    for penalty in penalties.select_related("competition__league", RULES).order_by("-created_at", "-pk"):
        record.setdefault(penalty.competition, []).append(penalty)
    return record


def seats_to_forfeit(competition: Competition) -> list[PenaltyLine]:
    """Return the penalties whose game an organizer has to forfeit, because its table has no sheet yet.

    HKMA, 裁判原則 3.1: who disobeys a referee forfeits the game. One query, or two.
    """
    sheets = Sheet.objects.current().filter(table=OuterRef("table"))
    in_force = counted_penalties(Penalty.objects.filter(competition=competition), public=False)
    without_sheet = in_force.filter(~Exists(sheets), table__isnull=False)
    penalties = without_sheet.exclude(round__status=Round.Status.CLOSED).exclude(infraction="")
    lines = Wordings().lines(with_facts(penalties).select_related(RULES).order_by("pk"))
    return [line for line in lines if line.forfeits]


# --- sums


@dataclass(frozen=True, slots=True)
class PlayerSum:
    """The number and the sum (tenths) of a player's penalties in force."""

    player: int
    count: int
    sum: int


def player_sums(competition: Competition, *, public: bool, stage: int | None = None) -> list[PlayerSum]:
    """Sum the penalties in force by player, the greatest loss first. One query, or up to three."""
    in_force = _in_force(competition, public=public)
    if stage is not None:
        in_force = in_force.filter(stage=stage)
    grouped = in_force.order_by().values("player").annotate(count=Count("pk"), sum=Sum("score"))
    sums = [PlayerSum(*row) for row in grouped.values_list("player", "count", "sum")]
    if public and competition.penalties_shown == Competition.PenaltiesShown.SCORES:
        sums = [PlayerSum(line.player, 0, line.sum) for line in sums if line.sum]
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
    first = lines[0]
    counting = [line.penalty.score for line in lines if line.penalty.counts]
    return PenaltySum(first, len(lines), len(counting), sum(counting))


# --- the check


class Difference(NamedTuple):
    """A player whose penalties and deductions differ, in tenths."""

    player: int
    listed: int
    deducted: Score


class OutsideSum(NamedTuple):
    """The sum of a player's penalties in a stage whose standings leave the player out."""

    stage: int
    player: int
    score: int


@dataclass(frozen=True, slots=True)
class StandingsCheck:
    """Penalties and deductions of a competition in tenths.

    ``outside``: of substitutes, and of players who did not come through a cut. No total can have these
    penalties, so they do not count as differences.
    """

    listed: int
    deducted: Score
    differences: tuple[Difference, ...]
    outside: tuple[OutsideSum, ...] = ()

    @property
    def fits(self) -> bool:
        return not self.differences


@dataclass(frozen=True, slots=True)
class Deductions:
    """Deductions in the standings of all stages, in tenths. ``rows``: stage and player of each row."""

    by_player: Mapping[int, Score]
    rows: Collection[tuple[int, int]]


def check_standings(competition: Competition, *, public: bool) -> StandingsCheck:
    deductions = standings_deduct(competition, public=public)
    return compare_sums(stage_sums(competition, public=public), deductions)


def standings_deduct(competition: Competition, *, public: bool) -> Deductions:
    stages = [choice.stage for choice in stages_of(competition, public=public)]
    ranked = standings_of(stages, public=public, every=stages) if stages else {}
    rows = {(stage, line.row.player): line.row.penalty for stage in ranked for line in ranked[stage].rows}
    by_player: defaultdict[int, Score] = defaultdict(int)
    for (_stage, player), tenths in rows.items():
        by_player[player] += tenths
    return Deductions(dict(by_player), rows.keys())


def stage_sums(competition: Competition, *, public: bool) -> dict[tuple[int, int], int]:
    """Sum the penalties in force: (stage, player) → tenths. One query, or up to three."""
    grouped = _in_force(competition, public=public).order_by().values("stage", "player")
    summed = grouped.annotate(sum=Sum("score")).values_list("stage", "player", "sum")
    return {(stage, player): score for stage, player, score in summed}


def _in_force(competition: Competition, *, public: bool) -> QuerySet[Penalty]:
    counted = counted_penalties(Penalty.objects.filter(competition=competition), public=public)
    if not public:
        return counted
    return without_secret_stages(counted, competition)


def compare_sums(sums: Mapping[tuple[int, int], int], deductions: Deductions) -> StandingsCheck:
    """Compare the sums of (stage, player) with the standings."""
    deducted = deductions.by_player
    listed: defaultdict[int, int] = defaultdict(int)
    for (stage, player), score in sums.items():
        if (stage, player) in deductions.rows:
            listed[player] += score
    outside = [
        OutsideSum(stage, player, score)
        for (stage, player), score in sums.items()
        if score and (stage, player) not in deductions.rows
    ]
    both = [
        Difference(player, listed.get(player, 0), deducted.get(player, 0)) for player in {*listed, *deducted}
    ]
    return StandingsCheck(
        listed=sum(listed.values()),
        deducted=sum(deducted.values()),
        differences=tuple(each for each in sorted(both) if each.listed != each.deducted),
        outside=tuple(sorted(outside)),
    )
