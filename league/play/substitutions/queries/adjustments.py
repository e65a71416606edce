"""Penalties, points for rounds not played, and seats of substitutes in a stage. One query reads all three."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Case, F, QuerySet, Value, When

from league.core.counted import counted_adjustments, counted_penalties
from league.models import Adjustment, Penalty, Seat, Stage
from league.play.results.queries.games import Substitutes, Substitution, round_scores
from scoring.units import Score, rounded

Tenths = Mapping[int, list[tuple[int, int]]]  # stage → (player, tenths)

_PENALTY, _ADJUSTMENT, _SUBSTITUTE, _BROUGHT = 0, 1, 2, 3
_COLUMNS = ("fact", "stage_id", "player_id", "score", "late", "absent", "round__number")
_SEAT_COLUMNS = ("fact", "round__stage_id", "table_id", "wind", "late", "stands_for_id", "round__number")


@dataclass(frozen=True, slots=True)
class StageAdjustments:
    """``brought``: the adjustments that were carried in, with their games. ``adjustments`` has them, too."""

    penalties: Tenths
    adjustments: Tenths
    brought: Mapping[int, list[tuple[int, int, int]]]  # stage → (player, tenths, games)
    substitutes: Substitutes


def stage_adjustments(stages: Sequence[int], *, public: bool) -> StageAdjustments:
    """``public``: only what belongs to published rounds or to none."""
    penalties: dict[int, list[tuple[int, int]]] = {stage: [] for stage in stages}
    adjustments: dict[int, list[tuple[int, int]]] = {stage: [] for stage in stages}
    brought: dict[int, list[tuple[int, int, int]]] = {stage: [] for stage in stages}
    instead: dict[int, dict[int, Substitution]] = {}
    rows = list(_rows(stages, public=public))
    open_ = {(stage, number) for _fact, stage, _owner, value, *_rest, number in rows if value is None}
    averages = sit_out_averages(open_, public=public)
    for fact, stage, owner, value, late, absent, number in rows:
        if fact == _SUBSTITUTE:
            instead.setdefault(owner, {})[value] = Substitution(absent, bool(late))
        else:
            score = averages[stage, number].get(owner, 0) if value is None else value
            (penalties if fact == _PENALTY else adjustments)[stage].append((owner, score))
            if fact == _BROUGHT:
                brought[stage].append((owner, score, late))
    return StageAdjustments(penalties, adjustments, brought, instead)


def _rows(stages: Sequence[int], *, public: bool) -> QuerySet[Any, tuple[Any, ...]]:
    """Union (fact, stage, player, tenths, games, 0, round) and (fact, stage, table, wind, late, absent,
    round).
    """
    penalties = counted_penalties(Penalty.objects.filter(stage__in=stages), public=public)
    adjustments = counted_adjustments(Adjustment.objects.filter(stage__in=stages), public=public)
    seats = Seat.objects.filter(round__stage__in=stages, stands_for__isnull=False)
    late = Case(When(came_late=True, then=Value(1)), default=Value(0))
    rows: list[QuerySet[Any, tuple[Any, ...]]] = [
        penalties.order_by()
        .annotate(fact=Value(_PENALTY), late=Value(0), absent=Value(0))
        .values_list(*_COLUMNS),
        adjustments.order_by()
        .annotate(
            fact=Case(
                When(kind=Adjustment.Kind.CARRIED_IN, then=Value(_BROUGHT)), default=Value(_ADJUSTMENT)
            ),
            late=F("games"),
            absent=Value(0),
        )
        .values_list(*_COLUMNS),
        seats.order_by().annotate(fact=Value(_SUBSTITUTE), late=late).values_list(*_SEAT_COLUMNS),
    ]
    first, *others = rows
    return first.union(*others, all=True)


# --- averages for sitting out

Place = tuple[int, int]  # a stage, and the number of a round in it


def add_averages(adjustments: Iterable[Adjustment], *, public: bool) -> list[Adjustment]:
    """Set the score of adjustments that give an average, in these objects. Their rounds must be selected."""
    filled = list(adjustments)
    given = [
        (each, (each.stage_id, each.round.number)) for each in filled if each.score is None and each.round
    ]
    known = sit_out_averages({place for _each, place in given}, public=public)
    for each, place in given:
        each.score = known[place].get(each.player_id, 0)
    return filled


def sit_out_averages(places: Collection[Place], *, public: bool) -> dict[Place, Mapping[int, int]]:
    """Return place → player → average score in earlier rounds (tenths). Queries: 0, or 1 + 2 per stage."""
    averages_by_place: dict[Place, Mapping[int, int]] = {}
    stages = Stage.objects.filter(pk__in={stage for stage, _number in places}) if places else ()
    for stage in stages and stages.with_rules():
        numbers = sorted(number for pk, number in places if pk == stage.pk)
        for number, averages in zip(numbers, _averages(stage, numbers, public=public), strict=True):
            averages_by_place[stage.pk, number] = averages
    return averages_by_place


def _averages(stage: Stage, numbers: Iterable[int], *, public: bool) -> Iterator[dict[int, int]]:
    upcoming, sums = deque(round_scores(stage, public=public)), dict[int, tuple[Score, int]]()
    for number in numbers:
        while upcoming and upcoming[0][0] < number:
            _number, scores = upcoming.popleft()
            for player, score in scores.items():
                total, games = sums.get(player, (0, 0))
                sums[player] = total + score, games + 1
        yield {player: rounded(Fraction(total) / games) for player, (total, games) in sums.items()}
