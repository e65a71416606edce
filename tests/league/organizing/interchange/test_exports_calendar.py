"""Windows, times of tables with their history, and open play travel in the competition file."""

from datetime import UTC, date, datetime

import pytest

from league.models import Appointment, Round, Stage, Table
from league.play.calendar.queries.table_times import waiting_tables
from league.play.calendar.services.calendar import set_dates
from league.play.calendar.services.table_times import postpone_tables, propose_time, restore_time
from tests.factories import club
from tests.league.organizing.interchange.files import (
    check_problem,
    competition_file,
    each_case,
    loaded,
    small,
)

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 4, 0, tzinfo=UTC)
EVENING = datetime(2026, 5, 6, 11, 30, tzinfo=UTC)


def test_what_was_said_of_a_table_travels_and_comes_back_as_it_was():
    here = club()
    round_ = here.add_round()
    set_dates(rounds=[round_], first=date(2026, 5, 1), until=date(2026, 5, 14), by=here.alice)
    first = here.players[0].pk
    propose_time(table=here.table(), meets_at=EVENING, place="3/F", player=first, by=here.dora, at=NOW)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice, at=NOW)
    file = competition_file(here.competition)
    where = {"division": here.division.slug, "stage": here.stage.slug, "round": 1}
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
    (made,) = postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice, at=NOW)
    postpone_tables(tables=[here.table(number=2)], reason="typhoon", by=here.alice, at=NOW)
    restore_time(appointment=made, by=here.alice, at=NOW)
    copied = loaded({**competition_file(here.competition), "slug": "copy"})
    assert [table.number for table in waiting_tables(copied)] == [2]


def test_a_file_that_says_nothing_of_it_has_no_calendar():
    assert "calendar" not in competition_file(loaded(small()))


def test_a_calendar_of_free_play_alone_travels():
    free = [{"division": "main", "stage": "regular"}]
    assert competition_file(loaded(small() | {"calendar": {"free": free}}))["calendar"] == {"free": free}


def test_free_play_and_a_time_are_read():
    where = {"division": "main", "stage": "regular", "round": 1}
    tables = [{**where, "table": 1, "meets_at": "2026-05-06T19:30:00+08:00"}]
    competition = loaded(small() | {"calendar": {"free": [where], "tables": tables}})
    assert Stage.objects.get(division__competition=competition).play == "free"
    assert Table.objects.get().meets_at == EVENING
    assert Round.objects.get().until is None


WHERE = {"division": "main", "stage": "regular", "round": 1}
TABLE = {**WHERE, "table": 1}
WINDOW = {**WHERE, "until": "2025-05-29"}


LATE = "9999-12-31T19:30:00+08:00"


def said(**wrong: object) -> list[dict[str, object]]:
    return [{**TABLE, "said": [{"kind": "set", "at": "2026-05-06T19:30:00+08:00"} | wrong]}]


@pytest.mark.parametrize(
    "case",
    each_case(
        ("calendar", ([], "object")),
        (
            "calendar.free",
            ([{"division": "main", "stage": "final"}], "“final” is not available", "[0].stage"),
        ),
        ("calendar.windows", ([WHERE], "missing", "[0].until")),
        ("calendar.windows", ([WINDOW | {"until": "2025-04-29"}], "before it begins", "[0].until")),
        ("calendar.windows", ([WINDOW | {"round": 7}], "no round 7", "[0].round")),
        ("calendar.windows", ([WINDOW] * 2, "is listed twice", "[1].round")),
        ("calendar.tables", ([TABLE | {"table": 2}], "no table 2", "[0].table")),
        ("calendar.tables", ([TABLE] * 2, "is listed twice", "[1].table")),
        ("calendar.tables", ([TABLE | {"meets_at": "2026-05-06T19:30"}], "with its zone", "[0].meets_at")),
        ("calendar.tables", ([TABLE | {"meets_at": LATE}], "with its zone", "[0].meets_at")),
        ("calendar.tables", (said(at=None), "missing", "[0].said[0].at")),
        ("calendar.tables", (said(kind="sung"), "“sung” is not available", "[0].said[0].kind")),
        ("calendar.tables", (said(agreed=["p9"]), "no player “p9”", "[0].said[0].agreed[0]")),
        ("calendar.tables", (said(agreed=["p1", "p1"]), "each player once", "[0].said[0].agreed")),
    ),
    ids=str,
)
def test_each_problem_of_the_calendar_has_its_place(case):
    check_problem(small() | {"calendar": {}}, *case, only=True)
