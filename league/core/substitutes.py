"""Whose seat a substitute took, as computations read it."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import QuerySet

from league.models import Seat


@dataclass(frozen=True, slots=True)
class Substitution:
    """For whom a substitute sits (a player's id); ``late``: play had begun when the substitute came;
    ``until_back``: they sit in later rounds, too.
    """

    stands_for: int
    late: bool
    until_back: bool = False


ByWind = Mapping[int, Substitution]


Substitutes = Mapping[int, ByWind]  # by table; those without a substitute are left out


NO_SUBSTITUTE: ByWind = {}


def substitutes(seats: QuerySet[Seat]) -> dict[int, dict[int, Substitution]]:
    """The substitutes among these seats, by table and wind: one query, which reads no other seat."""
    rows = seats.filter(stands_for__isnull=False).order_by()
    columns = ("table_id", "wind", "stands_for_id", "came_late", "until_back")
    found: dict[int, dict[int, Substitution]] = {}
    for table, wind, player, *how in rows.values_list(*columns):
        if player is not None:
            found.setdefault(table, {})[wind] = Substitution(player, *how)
    return found


def late_seats(seats: ByWind) -> tuple[int, ...]:
    """The winds at which a substitute came after play had begun, as the settlement takes them."""
    return tuple(sorted(wind for wind, seat in seats.items() if seat.late))


def late_at(table: QuerySet[Seat]) -> tuple[int, ...]:
    """The winds at which a substitute came after the start, of the seats of one table."""
    found = table.filter(stands_for__isnull=False, came_late=True).order_by("wind")
    return tuple(found.values_list("wind", flat=True))
