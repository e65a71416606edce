"""Windows, times of tables with their history, and open play travel in the competition file."""

from datetime import UTC, date, datetime

import pytest

from league.calendar.queries.table_times import waiting_tables
from league.calendar.services.calendar import set_dates
from league.calendar.services.table_times import postpone, propose_time, restore
from league.interchange.exports.competition_file import competition_file
from league.interchange.imports.nodes import BrokenFile
from league.models import Appointment, Round, Stage, Table
from tests.factories import club
from tests.league.interchange.files import facts_of, loaded, small

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 4, 0, tzinfo=UTC)
EVENING = datetime(2026, 5, 6, 11, 30, tzinfo=UTC)


def test_what_was_said_of_a_table_travels_and_comes_back_as_it_was():
    here = club()
    round_ = here.add_round()
    set_dates(rounds=[round_], first=date(2026, 5, 1), until=date(2026, 5, 14), by=here.alice)
    first = here.players[0].pk
    propose_time(table=here.table(), meets_at=EVENING, place="3/F", player=first, by=here.dora, at=NOW)
    postpone(tables=[here.table()], reason="typhoon", by=here.alice, at=NOW)
    file = competition_file(here.competition)
    where = {"division": "main", "stage": "regular-season", "round": 1}
    where["division"], where["stage"] = here.division.slug, here.stage.slug
    at = "2026-05-01T04:00:00+00:00"
    proposed = {
        "kind": "proposed",
        "at": at,
        "meets_at": EVENING.isoformat(),
        "place": "3/F",
        "agreed": ["p1"],
    }
    postponed = {"kind": "postponed", "at": at, "reason": "typhoon"}
    assert file["calendar"] == {
        "windows": [{**where, "until": "2026-05-14"}],
        "tables": [{**where, "table": 1, "said": [proposed, postponed]}],
    }
    copied = loaded({**file, "slug": "copy"})
    assert competition_file(copied)["calendar"] == file["calendar"]
    fields = ("kind", "created_at", "meets_at", "place", "reason")
    there = Appointment.objects.filter(table__round__stage__division__competition=copied)
    assert list(there.values_list(*fields)) == [
        ("proposed", NOW, EVENING, "3/F", ""),
        ("postponed", NOW, None, "", "typhoon"),
    ]


def test_a_postponement_that_was_taken_back_is_taken_back_in_the_copy():
    here = club()
    here.add_round()
    (made,) = postpone(tables=[here.table()], reason="typhoon", by=here.alice, at=NOW)
    postpone(tables=[here.table(number=2)], reason="typhoon", by=here.alice, at=NOW)
    restore(appointment=made, by=here.alice, at=NOW)
    copied = loaded({**competition_file(here.competition), "slug": "copy"})
    assert [each.table.number for each in waiting_tables(copied)] == [2]


def test_a_file_that_says_nothing_of_it_has_no_calendar():
    assert "calendar" not in competition_file(loaded(small()))


def test_free_play_and_a_time_are_read():
    where = {"division": "main", "stage": "regular", "round": 1}
    tables = [{**where, "table": 1, "meets_at": "2026-05-06T19:30:00+08:00"}]
    competition = loaded(small() | {"calendar": {"free": [where], "tables": tables}})
    assert Stage.objects.get(division__competition=competition).play == "free"
    assert Table.objects.get().meets_at == EVENING
    assert Round.objects.get().until is None


WHERE = {"division": "main", "stage": "regular", "round": 1}
SAID = {"kind": "set", "at": "2026-05-06T19:30:00+08:00"}


@pytest.mark.parametrize(
    ("calendar", "place"),
    [
        ([], "calendar"),
        ({"free": [{"division": "main", "stage": "final"}]}, "calendar.free[0].stage"),
        ({"windows": [WHERE]}, "calendar.windows[0].until"),
        ({"windows": [{**WHERE, "until": "2025-04-29"}]}, "calendar.windows[0].until"),
        ({"windows": [{**WHERE, "until": "2025-05-29", "round": 7}]}, "calendar.windows[0].round"),
        ({"windows": [{**WHERE, "until": "2025-05-29"}] * 2}, "calendar.windows[1].round"),
        ({"tables": [{**WHERE, "table": 2}]}, "calendar.tables[0].table"),
        ({"tables": [{**WHERE, "table": 1}] * 2}, "calendar.tables[1].table"),
        ({"tables": [{**WHERE, "table": 1, "meets_at": "2026-05-06T19:30"}]}, "calendar.tables[0].meets_at"),
        ({"tables": [{**WHERE, "table": 1, "said": [{"kind": "set"}]}]}, "calendar.tables[0].said[0].at"),
        (
            {"tables": [{**WHERE, "table": 1, "said": [{**SAID, "kind": "sung"}]}]},
            "calendar.tables[0].said[0].kind",
        ),
        (
            {"tables": [{**WHERE, "table": 1, "said": [{**SAID, "agreed": ["p9"]}]}]},
            "calendar.tables[0].said[0].agreed",
        ),
        (
            {"tables": [{**WHERE, "table": 1, "said": [{**SAID, "agreed": ["p1", "p1"]}]}]},
            "calendar.tables[0].said[0].agreed",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(calendar, place):
    with pytest.raises(BrokenFile) as broken:
        facts_of(small() | {"calendar": calendar})
    assert [problem.place for problem in broken.value.problems] == [place]
