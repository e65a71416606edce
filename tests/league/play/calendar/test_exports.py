"""Calendar feeds, read back with icalendar and as RFC 5545 wants them: who sees what, and what moves."""

from datetime import UTC, date, datetime, timedelta

import icalendar
import pytest

from league.models import Round, Table
from league.play.calendar.exports import Reader, calendar_feed
from league.play.calendar.queries.calendar import calendar_of, calendar_of_player, seats_of_player
from league.play.calendar.queries.table_times import times_of
from league.play.calendar.services.calendar import Day, plan_matchdays, set_dates
from league.play.calendar.services.table_times import postpone_tables, propose_time, restore_time, set_time
from tests.factories import Club, club
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 4, 0, tzinfo=UTC)
EVENING = datetime(2026, 5, 6, 11, 30, tzinfo=UTC)


@module_fixture
def here() -> Club:
    """Seat round 1, which meets from 1 to 14 May, and plan rounds 2 and 3 for 1 June."""
    made = club()
    round_ = made.add_round()
    set_dates(rounds=[round_], first=date(2026, 5, 1), until=date(2026, 5, 14), by=made.alice)
    plan_matchdays(stage=made.stage, days=[Day(date(2026, 6, 1))], hanchan=2, by=made.alice)
    return made


def feed(here: Club, *, player: int | None = None, public: bool = True) -> bytes:
    found = calendar_of(here.competition, public=public)
    reader = Reader(name="Spring", site="mahjong.example", page="https://mahjong.example/c/spring/calendar/")
    if player is not None:
        entrant = here.competition.entrants.get(player=here.players[player])
        found = calendar_of_player(found, entrant)
        seats = seats_of_player(found, entrant.player_id)
        reader = Reader("Spring", reader.site, reader.page, player=entrant.player_id, seats=seats)
    return calendar_feed(found, here.competition, reader)


def events(content: bytes) -> dict[str, icalendar.Event]:
    """Return each event by its UID without this server's name. No UID occurs twice."""
    read = icalendar.Calendar.from_ical(content)
    found = {str(event["uid"]).removesuffix("@mahjong.example"): event for event in read.walk("VEVENT")}
    assert len(found) == len(read.walk("VEVENT"))
    return found


def uid(thing: Round | Table) -> str:
    return f"{type(thing).__name__.lower()}-{thing.pk}"


def alarms(event: icalendar.Event) -> list[timedelta]:
    return [alarm["trigger"].dt for alarm in event.walk("VALARM")]


def facts(event: icalendar.Event) -> tuple[object, ...]:
    return event["dtstart"].dt, event["dtend"].dt, str(event["status"]), int(event["sequence"])


def test_matchdays_are_whole_days_and_windows_do_not_make_one_busy(here):
    found = events(feed(here))
    first, second = here.rounds[0], Round.objects.get(number=2)
    assert set(found) == {uid(first), uid(second)}
    assert facts(found[uid(second)]) == (date(2026, 6, 1), date(2026, 6, 2), "CONFIRMED", 0)
    assert str(found[uid(second)]["summary"]) == "League spring: rounds 2–3"
    assert facts(found[uid(first)]) == (date(2026, 5, 1), date(2026, 5, 15), "CONFIRMED", 1)
    assert [str(found[uid(r)]["transp"]) for r in (first, second)] == ["TRANSPARENT", "OPAQUE"]
    assert alarms(found[uid(second)]) == [timedelta(hours=-15)]


def test_a_moved_matchday_keeps_its_uid_and_its_sequence_rises(here):
    second, third = Round.objects.filter(number__gt=1).order_by("number")
    for day in (8, 15):
        set_dates(rounds=[second, third], first=date(2026, 6, day), by=here.alice)
    assert facts(events(feed(here))[uid(second)]) == (date(2026, 6, 15), date(2026, 6, 16), "CONFIRMED", 2)


def test_a_table_with_a_time_says_who_plays_where_and_reminds_twice(here):
    set_time(table=here.table(), meets_at=EVENING, place="Club room, 3/F; left", by=here.alice, at=NOW)
    event = events(feed(here))[uid(here.table())]
    assert facts(event) == (EVENING, EVENING + timedelta(minutes=70), "CONFIRMED", 1)
    assert str(event["summary"]) == "League spring: table 1 of round 1"
    assert str(event["location"]) == "Club room, 3/F; left"
    assert str(event["description"]).splitlines() == [
        "Regular season",
        "East: 陳大文",
        "South: 李小明",
        "West: 王美麗",
        "North: 張志強",
    ]
    assert alarms(event) == [timedelta(days=-1), timedelta(hours=-2)]
    assert event["dtstamp"].dt == NOW


def test_a_postponed_table_is_cancelled_under_the_same_uid_until_it_has_a_new_time(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice, at=NOW)
    cancelled = events(feed(here))[uid(here.table())]
    assert facts(cancelled) == (date(2026, 5, 6), date(2026, 5, 7), "CANCELLED", 2)
    assert str(cancelled["summary"]) == "Postponed: League spring: table 1 of round 1"
    assert alarms(cancelled) == []
    later = EVENING + timedelta(days=30)
    set_time(table=here.table(), meets_at=later, by=here.alice, at=NOW)
    moved = events(feed(here))[uid(here.table())]
    assert facts(moved) == (later, later + timedelta(minutes=70), "CONFIRMED", 3)
    assert "Originally planned for 6 May 2026: typhoon" in str(moved["description"])


def take_back(here: Club) -> None:
    decided = times_of(here.table()).decided
    assert decided is not None
    restore_time(appointment=decided, by=here.alice, at=NOW)


def test_a_postponed_table_of_a_round_without_a_day_is_cancelled_on_the_day_of_its_postponement(here):
    here.add_round()
    table = here.table(4)
    postpone_tables(tables=[table], reason="typhoon", by=here.bob, at=NOW)
    assert facts(events(feed(here))[uid(table)]) == (NOW.date(), date(2026, 5, 2), "CANCELLED", 1)


def test_a_table_whose_postponement_is_taken_back_is_confirmed_at_its_former_time(here):
    set_time(table=here.table(), meets_at=EVENING, place="club room", by=here.alice, at=NOW)
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice, at=NOW)
    take_back(here)
    event = events(feed(here))[uid(here.table())]
    assert facts(event) == (EVENING, EVENING + timedelta(minutes=70), "CONFIRMED", 3)
    assert (str(event["summary"]), str(event["location"])) == (
        "League spring: table 1 of round 1",
        "club room",
    )
    assert "typhoon" not in str(event["description"])
    assert alarms(event) == [timedelta(days=-1), timedelta(hours=-2)]


def test_a_table_without_a_time_of_its_own_gives_its_event_back_to_its_round(here):
    set_dates(rounds=here.rounds, first=date(2026, 5, 3), by=here.alice)
    postpone_tables(tables=[here.table()], reason="typhoon", meets_at=EVENING, by=here.alice, at=NOW)
    off = events(feed(here, player=0))
    assert facts(off[uid(here.rounds[0])])[2:] == ("CANCELLED", 3)
    assert facts(off[uid(here.table())])[2:] == ("CONFIRMED", 1)
    take_back(here)
    found = events(feed(here, player=0))
    day = found[uid(here.rounds[0])]
    assert facts(day) == (date(2026, 5, 3), date(2026, 5, 4), "CONFIRMED", 4)
    assert str(day["description"]) == "Round 1: table 1, East, with 李小明, 王美麗, 張志強"
    table = found[uid(here.table())]
    assert facts(table) == (date(2026, 5, 3), date(2026, 5, 4), "CANCELLED", 2)
    assert str(table["summary"]) == "League spring: table 1 of round 1"
    # The days of the others are as they were.
    assert facts(events(feed(here, player=4))[uid(here.rounds[0])])[2:] == ("CONFIRMED", 2)


def test_a_proposed_time_is_not_in_the_feed(here):
    propose_time(table=here.table(), meets_at=EVENING, player=here.players[0].pk, by=here.dora, at=NOW)
    assert uid(here.table()) not in events(feed(here))


def test_a_player_sees_their_own_tables_and_days_without_what_is_apart(here):
    set_time(table=here.table(number=2), meets_at=EVENING, by=here.alice, at=NOW)
    first, second = uid(here.rounds[0]), uid(Round.objects.get(number=2))
    assert set(events(feed(here, player=0))) == {first, second}
    assert set(events(feed(here, player=4))) == {uid(here.table(number=2)), second}
    own = str(events(feed(here, player=0))[first]["description"])
    assert own.splitlines() == [
        "Each table agrees on a time within these days.",
        "Round 1: table 1, East, with 李小明, 王美麗, 張志強",
    ]


def test_a_player_without_a_seat_has_no_event_and_a_postponed_day_is_off(here):
    set_dates(rounds=here.rounds, first=date(2026, 5, 3), by=here.alice)
    here.add_players(1)
    first = uid(here.rounds[0])
    assert first not in events(feed(here, player=8))
    assert str(events(feed(here, player=0))[first]["status"]) == "CONFIRMED"
    postpone_tables(tables=[here.table()], reason="typhoon", by=here.alice, at=NOW)
    off = events(feed(here, player=0))[first]
    assert (str(off["status"]), int(off["sequence"])) == ("CANCELLED", 3)
    assert str(events(feed(here, player=4))[first]["status"]) == "CONFIRMED"


def test_what_is_hidden_is_in_no_public_feed(here):
    set_time(table=here.table(), meets_at=EVENING, by=here.alice, at=NOW)
    Round.objects.filter(pk=here.rounds[0].pk).update(visibility=Round.Visibility.HIDDEN)
    table, round_ = uid(here.table()), uid(here.rounds[0])
    assert {table, round_} & set(events(feed(here))) == set()
    assert {table, round_} & set(events(feed(here, player=0))) == set()
    assert {table, round_} <= set(events(feed(here, public=False)))
    # Announced, it shows its day and nothing else.
    Round.objects.filter(pk=here.rounds[0].pk).update(status=Round.Status.PLANNED, announced=True)
    assert {table, round_} & set(events(feed(here, player=0))) == {round_}
    assert "陳大文" not in icalendar.Calendar.from_ical(feed(here, player=1)).to_ical().decode()


def test_lines_are_folded_as_rfc_5545_asks_and_text_comes_back_as_it_was(here):
    place = "會所三樓，近電梯；" * 13
    set_time(table=here.table(), meets_at=EVENING, place=place, by=here.alice, at=NOW)
    content = feed(here)
    lines = content.split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert b"\n" not in content.replace(b"\r\n", b"")
    assert any(line.startswith(b" ") for line in lines)
    assert str(events(content)[uid(here.table())]["location"]) == place
    for line in lines:
        line.decode()  # no character is cut in two


def test_the_same_facts_give_the_same_file(here):
    assert feed(here) == feed(here)


def test_times_of_a_zone_with_summer_time_are_kept(here):
    here.competition.timezone = "Europe/Paris"
    here.competition.save()
    at = datetime(2026, 5, 6, 17, 30, tzinfo=UTC)  # half past seven in summer
    set_time(table=here.table(), meets_at=at, by=here.alice, at=NOW)
    content = feed(here)
    assert b"DTSTART:20260506T173000Z" in content
    assert b"X-WR-TIMEZONE:Europe/Paris" in content
