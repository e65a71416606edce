"""What counts in a stage besides its games: penalties, points for rounds not played, seats of substitutes.

Every page of standings reads all three, and mostly they are few: they come in one query.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Case, QuerySet, Value, When

from league.core.counted import counted_adjustments, counted_penalties
from league.core.substitutes import Substitutes, Substitution
from league.models import Adjustment, Penalty, Seat, Stage
from league.results.queries import games_before
from scoring.settlement import needs_ending
from scoring.standings import rank_players
from scoring.units import rounded

Tenths = Mapping[int, list[tuple[int, int]]]  # stage → (player, tenths)

_PENALTY, _ADJUSTMENT, _SUBSTITUTE = 0, 1, 2
_COLUMNS = ("fact", "stage_id", "player_id", "score", "late", "absent")
_SEAT_COLUMNS = ("fact", "round__stage_id", "table_id", "wind", "late", "stands_for_id")


@dataclass(frozen=True, slots=True)
class StageAdjustments:
    """What counts in these stages besides their games."""

    penalties: Tenths
    adjustments: Tenths
    substitutes: Substitutes


def stage_adjustments(stages: Sequence[int], *, public: bool) -> StageAdjustments:
    """``public``: no penalty and no points of a round whose results are not published."""
    penalties: dict[int, list[tuple[int, int]]] = {stage: [] for stage in stages}
    adjustments: dict[int, list[tuple[int, int]]] = {stage: [] for stage in stages}
    substitutes: dict[int, dict[int, Substitution]] = {}
    for fact, stage, owner, value, late, absent in _rows(stages, public=public):
        if fact == _SUBSTITUTE:
            substitutes.setdefault(owner, {})[value] = Substitution(absent, bool(late))
        else:
            (penalties if fact == _PENALTY else adjustments)[stage].append((owner, value))
    return StageAdjustments(penalties, adjustments, substitutes)


def _rows(stages: Sequence[int], *, public: bool) -> QuerySet[Any, tuple[Any, ...]]:
    """Three kinds of rows: (which, stage, player, tenths, 0, 0), or of a substitute's seat (which, stage,
    table, wind, whether late, the absent player).
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
        .annotate(fact=Value(_ADJUSTMENT), late=Value(0), absent=Value(0))
        .values_list(*_COLUMNS),
        seats.order_by().annotate(fact=Value(_SUBSTITUTE), late=late).values_list(*_SEAT_COLUMNS),
    ]
    first, *others = rows
    return first.union(*others, all=True)


def averages(stage: Stage, before: int) -> dict[int, int]:
    """Player → the average score (tenths, to the nearest) of their counted games in the stage's rounds below
    this number; players without a game are left out.
    """
    rules = stage.division.rules
    played = games_before(
        stage.pk,
        before,
        statuses=stage.division.competition.counted_statuses,
        with_endings=needs_ending(rules),
        substitutes=stage_adjustments([stage.pk], public=False).substitutes,
    )
    rows = rank_players(played, rules, tie_breaks=())
    return {row.player: rounded(Fraction(row.score) / row.games) for row in rows if row.games}
