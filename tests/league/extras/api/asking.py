"""Programs of the tests: a client with a token of a competition, or without one."""

import json
from typing import Any

from django.test import Client

from league.extras.api.services import make_token
from tests.factories import Club


def token_of(here: Club, role: str, **more: Any) -> str:
    return make_token(
        competition=here.competition, name=f"program {role}", role=role, days=7, **{"by": here.alice} | more
    )


class Program:
    """A program that calls the API with a token, or as a visitor."""

    def __init__(self, secret: str = "", **headers: str) -> None:
        self.client = Client(headers=headers | ({"Authorization": f"Bearer {secret}"} if secret else {}))

    def ask(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/competitions{path}", headers=headers)

    def read(self, path: str) -> Any:
        answer = self.ask(path)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def send(self, method: str, path: str, body: object, **headers: str) -> Any:
        send = getattr(self.client, method.lower())
        text = body if isinstance(body, str) else json.dumps(body)
        return send(f"/api/v1/competitions{path}", text, content_type="application/json", headers=headers)


def stage_of(here: Club) -> str:
    return f"/{here.slug}/divisions/{here.division.slug}/stages/{here.stage.slug}"
