from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.models import Competition

LAST_YEAR = 2200  # a later one is a slip of the keys


def zone_of(competition: Competition) -> ZoneInfo:
    return ZoneInfo(competition.timezone)


def day_of(competition: Competition, at: datetime | None = None) -> date:
    return (at or timezone.now()).astimezone(zone_of(competition)).date()
