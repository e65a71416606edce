"""Calendar feeds (RFC 5545) of matchdays, tables with a time of their own, and postponed tables.

A feed has the audience of its calendar. An event keeps its UID, and its SEQUENCE rises with every decision
about its time, so that calendar programs move it. A table postponed without a new time is cancelled until it
has one. A table that plays with its round again is cancelled in favour of its round's event. Times are in
UTC, days are whole days. The file depends only on the facts, not on the time of reading.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

import icalendar
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.messages import WIND_NAMES
from league.core.text import labelled, listed, spans, without_scheme
from league.core.zones import zone_of
from league.models import Competition, Seat
from league.play.calendar.queries.calendar import Calendar, MatchDay, Meeting
from league.play.calendar.queries.table_times import hanchan_minutes

CONTENT_TYPE = "text/calendar; charset=utf-8"
REFRESH = timedelta(hours=1)  # how often calendars are asked to look again
ONE_DAY = timedelta(days=1)
BEFORE_A_TIME = (timedelta(days=-1), timedelta(hours=-2))
BEFORE_A_DAY = (timedelta(hours=-15),)  # a whole day begins at midnight: nine in the morning before


@dataclass(frozen=True)
class Reader:
    """The subscriber. `site` is the address of this server, `page` that of the calendar's page.

    `seats`: the player's seats by round, in the feed of one `player`.
    """

    name: str
    site: str
    page: str
    several_divisions: bool = False
    player: int | None = None
    seats: Mapping[int, Seat] = field(default_factory=dict)


def calendar_feed(calendar: Calendar, competition: Competition, reader: Reader) -> bytes:
    """Return the file: UTF-8 lines of at most 75 octets."""
    made = icalendar.Calendar()
    made.add("version", "2.0")
    made.add("prodid", "-//Umaoka//riichi leagues//EN")
    made.add("calscale", "GREGORIAN")
    made.add("method", "PUBLISH")
    made.add("name", reader.name)
    made.add("x-wr-calname", reader.name)
    made.add("x-wr-timezone", competition.timezone)
    made.add("refresh-interval", REFRESH, parameters={"value": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    meetings = {meeting.table.pk: meeting for meeting in calendar.meetings}
    for day in calendar.days:
        event = _matchday(day, competition, reader, meetings)
        if event is not None:
            made.add_component(event)
    for meeting in calendar.meetings:
        if reader.player is None or meeting.has(reader.player):
            made.add_component(_meeting(meeting, competition, reader))
    return made.to_ical()


# --- matchdays


def _matchday(
    day: MatchDay, competition: Competition, reader: Reader, meetings: Mapping[int, Meeting]
) -> icalendar.Event | None:
    own = [reader.seats[round_.pk] for round_ in day.rounds if round_.pk in reader.seats]
    seated = all(round_.pk in reader.seats or round_.pk in day.seated for round_ in day.rounds)
    moved = [meetings[seat.table_id] for seat in own if seat.table_id in meetings]
    apart = [each for each in moved if each.is_apart]
    if reader.player is not None and seated and not own:
        return None
    off = bool(own) and seated and len(apart) == len(own)  # each of the player's tables has its own event
    if off and day.until is not None:
        return None
    first = day.rounds[0]
    event = _event(
        f"round-{first.pk}",
        _matchday_title(day, competition, reader),
        reader,
        since=day.since or competition.created_at,
        sequence=day.changes + sum(each.sequence for each in moved),
        cancelled=off,
    )
    event.add("dtstart", day.first)
    event.add("dtend", day.last + ONE_DAY)
    event.add("transp", "OPAQUE" if day.until is None else "TRANSPARENT")
    lines = [_own_line(seat, meetings.get(seat.table_id), competition) for seat in own]
    if day.until is not None:
        lines.insert(0, _("Each table agrees on a time within these days."))
    _describe(event, lines)
    if not off:
        _remind(event, BEFORE_A_DAY)
    return event


def _matchday_title(day: MatchDay, competition: Competition, reader: Reader) -> str:
    numbers = [round_.number for round_ in day.rounds]
    rounds = ngettext("round %(rounds)s", "rounds %(rounds)s", len(numbers)) % {
        "rounds": listed(spans(numbers))
    }
    if reader.several_divisions:
        rounds = listed((day.stage.division.name, rounds))
    return labelled(competition.name, rounds)


def _own_line(own: Seat, meeting: Meeting | None, competition: Competition) -> str:
    """Return a line such as "Round 2: table 5, East", with the opponents."""
    said = {
        "round": own.round.number,
        "table": own.table.number,
        "wind": str(WIND_NAMES[own.wind]),
        "names": listed(seat.player.name for seat in own.table.seats.all() if seat.pk != own.pk),
    }
    line = _("Round %(round)s: table %(table)s, %(wind)s, with %(names)s") % said
    if meeting is None or not meeting.is_apart:
        return line
    if meeting.at is None:
        return _("%(line)s (postponed)") % {"line": line}
    return _("%(line)s (meets on %(at)s)") % {"line": line, "at": _local_time(meeting.at, competition)}


# --- tables


def _meeting(meeting: Meeting, competition: Competition, reader: Reader) -> icalendar.Event:
    table, round_ = meeting.table, meeting.table.round
    said = {"competition": competition.name, "round": round_.number, "table": table.number}
    title = _("%(competition)s: table %(table)s of round %(round)s") % said
    cancelled = meeting.at is None
    if cancelled and meeting.postponed:
        title = _("Postponed: %(title)s") % {"title": title}
    event = _event(
        f"table-{table.pk}",
        title,
        reader,
        since=meeting.since or competition.created_at,
        sequence=meeting.sequence,
        cancelled=cancelled,
    )
    length = timedelta(minutes=hanchan_minutes(round_.rules))
    _add_times(event, meeting, length)
    if meeting.place:
        event.add("location", meeting.place)
    _describe(event, _meeting_lines(meeting, reader))
    if not cancelled and not meeting.played:
        _remind(event, BEFORE_A_TIME)
    return event


def _add_times(event: icalendar.Event, meeting: Meeting, length: timedelta) -> None:
    if meeting.at is not None:
        event.add("dtstart", meeting.at.astimezone(UTC))
        event.add("dtend", (meeting.at + length).astimezone(UTC))
        return
    decided = meeting.since.date() if meeting.since else date(1970, 1, 1)
    day = meeting.was or meeting.table.round.date or decided
    event.add("dtstart", day)
    event.add("dtend", day + ONE_DAY)


def _meeting_lines(meeting: Meeting, reader: Reader) -> list[str]:
    stage = meeting.table.round.stage
    lines = [f"{stage.division.name} · {stage.name}" if reader.several_divisions else stage.name]
    for wind, player in enumerate(meeting.players):
        lines.append(labelled(WIND_NAMES[wind], player.name if player else "–"))
    if meeting.was is not None:
        said = {"day": date_format(meeting.was), "why": meeting.why}
        lines.append(_("Originally planned for %(day)s: %(why)s") % said)
    elif meeting.why:
        lines.append(_("Postponed: %(why)s") % {"why": meeting.why})
    return lines


# --- parts of an event


def _event(
    uid: str, title: str, reader: Reader, *, since: datetime, sequence: int, cancelled: bool
) -> icalendar.Event:
    event = icalendar.Event()
    event.add("uid", f"{uid}@{without_scheme(reader.site)}")
    event.add("dtstamp", since.astimezone(UTC))
    event.add("last-modified", since.astimezone(UTC))
    event.add("sequence", sequence)
    event.add("status", "CANCELLED" if cancelled else "CONFIRMED")
    event.add("summary", title)
    event.add("url", reader.page)
    return event


def _describe(event: icalendar.Event, lines: list[str]) -> None:
    if lines:
        event.add("description", "\n".join(lines))


def _remind(event: icalendar.Event, before: Iterable[timedelta]) -> None:
    for ahead in before:
        alarm = icalendar.Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("trigger", ahead)
        alarm.add("description", str(event["summary"]))
        event.add_component(alarm)


def _local_time(at: datetime, competition: Competition) -> str:
    return f"{at.astimezone(zone_of(competition)):%Y-%m-%d %H:%M}"
