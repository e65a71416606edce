from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from league.extras.webhooks.services import key_of, save_webhook
from league.models import Webhook
from tests.factories import Club, club
from tests.league.extras.webhooks.receiver import Receiver


class Clock:
    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def forward(self, pause: timedelta) -> None:
        self.ahead += pause


@pytest.fixture
def clock(monkeypatch) -> Clock:
    """The server's clock. The receiver's own moves with it (`standardwebhooks` accepts five minutes)."""
    made = Clock()
    monkeypatch.setattr(timezone, "now", made)

    class Moved(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + made.ahead

    monkeypatch.setattr("standardwebhooks.webhooks.datetime", Moved)
    return made


@pytest.fixture
def receiver(settings) -> Iterator[Receiver]:
    with Receiver().serving() as made:
        settings.WEBHOOK_LOCAL = [f"127.0.0.1:{made.port}"]
        yield made


@pytest.fixture
def spring() -> Club:
    made = club(players=4)
    made.add_round(visibility="hidden")
    made.record((45_000, 35_000, 25_000, 15_000))
    return made


@pytest.fixture
def add(spring, receiver) -> Callable[..., Webhook]:
    def add(kind: str = "events", **values: object) -> Webhook:
        usual = {"name": "Club", "kind": kind, "address": receiver.address, "language": "en"}
        made = save_webhook(
            competition=spring.competition,
            site="http://testserver",
            by=spring.alice,
            **usual | {"on_penalties": True} | values,
        )
        receiver.key = key_of(made) if kind == "events" else ""
        return made

    return add
