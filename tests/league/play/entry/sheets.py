"""Forms of score sheets as pages send them, and what pages say."""

import re
import uuid

from django.urls import reverse

from league.models import Sheet
from tests.factories import Club, sheet_id

TYPED = {"east": "287", "south": "312", "west": "250", "north": "351", "sticks": "0"}
POINTS = (28700, 31200, 25000, 35100)


def address(name: str, spring: Club, number: int = 1) -> str:
    pk = (
        spring.rounds[0].pk
        if name in {"results:enter_round", "results:preview"}
        else spring.table(1, number).pk
    )
    return reverse(name, args=(spring.slug, pk))


def filled(spring: Club, number: int = 1, **changed) -> dict[str, object]:
    """A form for the table as the page would send it."""
    table = spring.table(1, number)
    seated = "-".join(str(pk) for pk in table.seats.values_list("player_id", flat=True))
    form = {"key": uuid.uuid4(), "number": number, "based_on": sheet_id(table), "seated": seated}
    return form | TYPED | changed


def typed_values(answer, number: int = 1) -> dict[str, str]:
    page = answer.content.decode()
    found = re.findall(rf'id="t{number}-(\w+)" name="\w+" value="([^"]*)"', page)
    return dict(found)


def sheets() -> list[tuple[int, int, tuple[int, ...], int, bool]]:
    """(table number, version, points, deposits, current) of every sheet there is."""
    return [
        (s.table.number, s.version, s.points, s.sticks, s.is_current)
        for s in Sheet.objects.select_related("table").order_by("table__number", "version")
    ]
