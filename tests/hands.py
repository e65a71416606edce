"""A table whose hands are entered through its pages, as a phone enters them, or written at once."""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

from league.core.changes import change
from league.core.door import scanned_sheet
from league.core.qr import SCANNED
from league.models import Competition, Table
from league.play.hands.services import keep_game
from scoring.hanchan import Hand, new_game, replay


@dataclass
class Phone:
    """A phone at a table, known by its code alone. `known`: number of the last entry that it has seen."""

    slug: str
    table: int
    client: Client = field(default_factory=Client)
    known: int = 0
    last: uuid.UUID | None = None

    @property
    def below(self) -> str:
        return f"/c/{self.slug}/seat/tables/{self.table}/hands/"

    def state(self, **headers: str) -> Any:
        return self.client.get(f"{self.below}state/", headers=headers)

    def see(self) -> dict[str, Any]:
        answer = self.state()
        assert answer.status_code == 200, answer.status_code
        facts: dict[str, Any] = answer.json()
        self.known = facts["number"]
        return facts

    def send(self, kind: str, facts: object, key: uuid.UUID | None = None, **fields: object) -> Any:
        """Press and send. What is saved becomes known."""
        values = {"key": str(key or uuid.uuid4()), "kind": kind, "facts": json.dumps(facts)}
        values |= {"based_on": self.known, "ago": 0} | fields  # type: ignore[operator]
        answer = self.client.post(f"{self.below}write/", values, headers={"accept": "application/json"})
        if answer.status_code == 200 and "saved" in answer.json():
            self.known = answer.json()["number"]
        return answer

    def play(self, hand: Hand, **fields: object) -> dict[str, Any]:
        return self.press("hand", hand.as_values(), **fields)

    def press(self, kind: str, facts: object, **fields: object) -> dict[str, Any]:
        """Send what must be saved, and return the state."""
        answer = self.send(kind, facts, **fields)
        assert answer.status_code == 200, answer.content.decode()
        state: dict[str, Any] = answer.json()["state"]
        return state


def keep_hands(table: Table, hands: Sequence[Hand]) -> None:
    """Write these hands at a table without any, as if they had been entered on a phone."""
    with change(table, by=None, public=False) as done:
        keep_game(done, table, replay(new_game(table.rules), hands))


def phone_at(table: Table, client: Client | None = None) -> Phone:
    """A phone that has scanned the printed sheet of the table."""
    competition: Competition = table.round.stage.division.competition
    phone = Phone(competition.slug, table.pk, client or Client())
    phone.client.cookies[SCANNED] = scanned_sheet(table)
    return phone
