"""Default days of a competition."""

from datetime import date

import pytest

from league.core.zones import last_day_of_registrations
from league.models import Competition


@pytest.mark.parametrize(
    ("first", "last", "until"),
    [
        (date(2027, 5, 1), date(2027, 5, 3), date(2027, 8, 1)),
        (date(2027, 5, 1), None, date(2027, 7, 30)),
    ],
)
def test_registrations_are_kept_for_90_days_after_the_last_day(first, last, until):
    assert last_day_of_registrations(Competition(first_day=first, last_day=last)) == until
