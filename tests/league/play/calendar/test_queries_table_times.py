"""What was said of a table's time, and whether it is to be made up: Python and the database say the same."""

from datetime import UTC, datetime
from itertools import product

import pytest

from league.models import Appointment
from league.play.calendar.queries.table_times import is_to_make_up, postponement_in, times_of
from tests.factories import club

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 4, 0, tzinfo=UTC)
KINDS = ("proposed", "agreed", "set", "postponed")


def test_every_short_history_is_to_be_made_up_in_the_database_as_in_python():
    here = club()
    here.add_round()
    table = here.table()
    waiting = 0
    for kinds in product(KINDS, repeat=3):
        Appointment.objects.filter(table=table).delete()
        Appointment.objects.bulk_create(Appointment(table=table, kind=kind, created_at=NOW) for kind in kinds)
        is_postponed = times_of(table).postponed is not None
        assert (kinds, is_to_make_up(table)) == (kinds, is_postponed)
        waiting += is_postponed
    # By the place of the last “postponed”, with anything before it and nothing set after it.
    assert waiting == 4 * 4 + 4 * 2 + 2 * 2


def test_the_former_time_is_the_one_decided_before_the_postponement_began():
    said = [
        Appointment(kind="agreed", place="first"),
        Appointment(kind="proposed"),
        Appointment(kind="postponed", place="second"),
        Appointment(kind="agreed", place="third"),
        Appointment(kind="postponed", place="fourth"),
        Appointment(kind="made_up"),
    ]

    postponement = postponement_in(said)

    assert postponement is not None
    assert (postponement.newest, postponement.before) == (said[4], said[0])
    assert postponement_in([*said, Appointment(kind="set")]) is None
