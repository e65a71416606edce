from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.models import Competition

KEPT_DAYS = 90  # after the last day of a competition
USUAL_DAYS = 180  # that a competition without dates lasts
LAST_YEAR = 2200  # a later one is a slip of the keys


def zone_of(competition: Competition) -> ZoneInfo:
    return ZoneInfo(competition.timezone)


def day_of(competition: Competition, at: datetime | None = None) -> date:
    return (at or timezone.now()).astimezone(zone_of(competition)).date()


def day_of_play(competition: Competition, at: datetime | None = None) -> date:
    """Return the day of play, which begins at the competition's hour and not at midnight.

    A table that starts at 00:20 belongs to the evening before.
    """
    local = (at or timezone.now()).astimezone(zone_of(competition))
    return local.date() - timedelta(days=local.hour < competition.day_begins)


def begin_of_day(competition: Competition, day: date) -> datetime:
    """Return the moment at which this day of play begins."""
    return datetime.combine(day, time(competition.day_begins), zone_of(competition))


def last_day_of_registrations(competition: Competition) -> date:
    """Return the default day until which the entries of the competition's registration are kept."""
    last = competition.last_day or competition.first_day
    return (last or day_of(competition) + timedelta(days=USUAL_DAYS)) + timedelta(days=KEPT_DAYS)


def day_of_new_round(competition: Competition) -> date:
    """Return the default day of a new round: the day of play, or the nearest day of the event."""
    first, last = competition.first_day, competition.last_day or competition.first_day
    day = max(filter(None, (day_of_play(competition), first)))
    return min(day, last) if last and competition.kind == Competition.Kind.EVENT else day
