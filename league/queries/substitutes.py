"""People in motion, as computations read them: whose seat a substitute took, points that no table gave."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from league.models import Adjustment, Round, Seat


@dataclass(frozen=True, slots=True)
class Substitution:
    """For whom a substitute sits (a player's id); ``late``: play had begun when the substitute came."""

    stands_for: int
    late: bool


ByWind = Mapping[int, Substitution]
Substitutes = Mapping[
    int, ByWind
]  # table → wind → who sat for whom; tables without a substitute are left out
NO_SUBSTITUTE: ByWind = {}


def substitutes(seats: QuerySet[Seat]) -> dict[int, dict[int, Substitution]]:
    """The substitutes among these seats, by table and wind: one query, which reads no other seat."""
    rows = seats.filter(stands_for__isnull=False).order_by()
    found: dict[int, dict[int, Substitution]] = {}
    for table, wind, player, late in rows.values_list("table_id", "wind", "stands_for_id", "came_late"):
        if player is not None:
            found.setdefault(table, {})[wind] = Substitution(player, late)
    return found


def substitutes_of_stages(stages: Iterable[int]) -> dict[int, dict[int, Substitution]]:
    """The substitutes of whole stages."""
    return substitutes(Seat.objects.filter(round__stage__in=list(stages)))


def late_seats(seats: ByWind) -> tuple[int, ...]:
    """The winds at which a substitute came after play had begun, as the settlement takes them."""
    return tuple(sorted(wind for wind, seat in seats.items() if seat.late))


def counted_adjustments(adjustments: QuerySet[Adjustment], *, public: bool) -> QuerySet[Adjustment]:
    """Those that count; for the public none of a round whose results are not published."""
    found = adjustments.filter(revoked_at__isnull=True)
    if public:
        found = found.filter(Q(round__isnull=True) | Q(round__visibility=Round.Visibility.RESULTS))
    return found
