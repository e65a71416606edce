"""Days of the calendar: which of them only staff see."""

from datetime import date

import pytest

from league.models import Round, Stage
from league.play.calendar.queries.calendar import MatchDay

# What is visible, the status, and whether visitors see the dates.
ANNOUNCED = ("hidden", "planned", True)
NOT_ANNOUNCED = ("hidden", "planned", False)
HIDDEN = ("hidden", "open", True)
SEATING = ("seating", "planned", False)


@pytest.mark.parametrize(
    ("rounds", "only_staff"),
    [
        ([ANNOUNCED], False),
        ([NOT_ANNOUNCED], True),
        ([HIDDEN], True),
        ([SEATING], False),
        ([HIDDEN, NOT_ANNOUNCED], True),
        ([HIDDEN, SEATING], False),
    ],
)
def test_a_day_is_for_staff_alone_if_no_round_is_visible_or_announced(rounds, only_staff):
    made = tuple(
        Round(visibility=visibility, status=status, announced=announced)
        for visibility, status, announced in rounds
    )
    nothing: frozenset[int] = frozenset()
    day = MatchDay(Stage(), date(2026, 5, 1), None, made, visible=nothing, seated=nothing)
    assert day.only_staff == only_staff
