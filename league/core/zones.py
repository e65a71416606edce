from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.models import Competition

LAST_YEAR = 2200  # a later one is a slip of the keys


def zone_of(competition: Competition) -> ZoneInfo:
    return ZoneInfo(competition.timezone)


def day_of(competition: Competition, at: datetime | None = None) -> date:
    return (at or timezone.now()).astimezone(zone_of(competition)).date()


def playing_day(competition: Competition) -> date:
    """Return the default day of a new round: today, or the nearest day of the event."""
    first, last = competition.first_day, competition.last_day or competition.first_day
    day = max(filter(None, (day_of(competition), first)))
    return min(day, last) if last and competition.kind == Competition.Kind.EVENT else day
