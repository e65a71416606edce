"""A competition whose tables agree on their evenings, for the pages about when they meet."""

import uuid
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Appointment, Role
from league.play.calendar.services.calendar import set_dates
from league.play.calendar.services.table_times import propose_time
from tests.factories import Club, club

POINTS = (45_000, 35_000, 25_000, 15_000)
HONG_KONG = ZoneInfo("Asia/Hong_Kong")


def today() -> date:
    return timezone.now().astimezone(HONG_KONG).date()


def evening(days: int) -> datetime:
    """Half past seven in the evening, so many days from now, in Hong Kong."""
    day = today() + timedelta(days=days)
    return datetime(day.year, day.month, day.day, 19, 30, tzinfo=HONG_KONG)


def evenings() -> Club:
    """Return a club with an open round, whose tables meet within two weeks. Dora is its first player."""
    made = club()
    round_ = made.add_round()
    set_dates(rounds=[round_], first=today(), until=today() + timedelta(days=13), by=made.alice)
    Role.objects.filter(user=made.dora).update(player=made.players[0])
    return made


def address(name: str, here: Club, *arguments: object) -> str:
    return reverse(name, args=[here.slug, *arguments])


def post(client: Client, where: str, **fields: object):
    return client.post(where, {"key": uuid.uuid4(), **fields})


def text(response) -> str:
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def proposal(here: Club, days: int = 3) -> Appointment:
    return propose_time(table=here.table(), meets_at=evening(days), player=here.players[1].pk, by=here.alice)
