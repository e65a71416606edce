from datetime import date, datetime, timedelta
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


def last_day_of_registrations(competition: Competition) -> date:
    """Return the default day until which the entries of the competition's registration are kept."""
    last = competition.last_day or competition.first_day
    return (last or day_of(competition) + timedelta(days=USUAL_DAYS)) + timedelta(days=KEPT_DAYS)


def playing_day(competition: Competition) -> date:
    """Return the default day of a new round: today, or the nearest day of the event."""
    first, last = competition.first_day, competition.last_day or competition.first_day
    day = max(filter(None, (day_of(competition), first)))
    return min(day, last) if last and competition.kind == Competition.Kind.EVENT else day
