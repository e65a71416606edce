"""A client generated from the OpenAPI document runs a tournament of 16."""

import importlib
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.test import Client
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType

from league.models import Competition, Sheet
from league.ranking.standings.exports import standings_json
from tests.factories import Club, club
from tests.league.extras.api.asking import token_of

ROUNDS = 3
TOTAL = 120_000


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """Generate the client into a temporary folder and import it."""
    folder = tmp_path_factory.mktemp("client")
    document = folder / "openapi.json"
    document.write_bytes(Client().get("/api/v1/openapi.json").content)
    file = ConfigFile(package_name_override="umaoka_client", post_hooks=[])
    config = Config.from_sources(
        file, MetaType.NONE, document, "utf-8", overwrite=True, output_path=folder / "umaoka_client"
    )
    problems = generate(config=config)
    assert [(each.header, each.detail) for each in problems] == []
    sys.path.insert(0, str(folder))
    yield importlib.import_module("umaoka_client")
    sys.path.remove(str(folder))


def answer_of_django(request: httpx.Request) -> httpx.Response:
    """Answer a request of the generated client in this process."""
    kind = request.headers.get("Content-Type", "application/octet-stream")
    headers = {name: value for name, value in request.headers.items() if name == "authorization"}
    path = request.url.raw_path.decode()
    answer = Client().generic(request.method, path, request.content, kind, headers=headers)
    return httpx.Response(answer.status_code, headers=dict(answer.items()), content=answer.content)


class Tournament:
    """A program that knows the generated client only."""

    def __init__(self, package: ModuleType, secret: str) -> None:
        self.client = package.AuthenticatedClient(base_url="http://testserver", token=secret)
        self.client.set_httpx_client(
            httpx.Client(
                transport=httpx.MockTransport(answer_of_django),
                base_url="http://testserver",
                headers={"Authorization": f"Bearer {secret}"},
            )
        )
        self.package = package.__name__

    def call(self, operation: str, *place: object, body: Any = None, **query: Any) -> Any:
        """Call an operation and return the parsed answer."""
        module = next(
            importlib.import_module(f"{self.package}.api.{folder.name}.{operation}")
            for folder in (Path(sys.modules[self.package].__file__ or "").parent / "api").iterdir()
            if (folder / f"{operation}.py").exists()
        )
        kwargs = {"body": body} if body is not None else {}
        answer = module.sync_detailed(*place, client=self.client, **kwargs, **query)
        assert answer.status_code in {200, 201}, answer.content
        return answer.parsed

    def shape(self, name: str, facts: dict[str, Any]) -> Any:
        return getattr(importlib.import_module(f"{self.package}.models"), name).from_dict(facts)


def points_of(chance: random.Random) -> list[int]:
    """Return four scores that sum to the points on a table, in hundreds."""
    three = [chance.randrange(5_000, 50_000, 100) for _ in range(3)]
    return [*three, TOTAL - sum(three)]


@pytest.mark.slow
@pytest.mark.django_db
def test_a_generated_client_runs_a_tournament_of_16(generated):
    here: Club = club("spring", players=0, kind=Competition.Kind.EVENT)
    here.league.owners.add(here.bob)
    program = Tournament(generated, token_of(here, "organizer"))
    second = Tournament(generated, token_of(here, "referee", by=here.bob))
    stage = (here.slug, here.division.slug, here.stage.slug)
    chance = random.Random(16)

    roster = {"players": [{"name": f"Player {n}", "country": "HK"} for n in range(1, 17)]}
    saved = program.call("save_players", here.slug, body=program.shape("PlayersIn", roster))
    assert (saved.entered, saved.changed) == (16, 0)
    names = {each.id: each.name for each in program.call("list_players", here.slug).items}
    assert sorted(names.values()) == sorted(f"Player {n}" for n in range(1, 17))

    for number in range(1, ROUNDS + 1):
        drawn = program.shape("NewRound", {"draw": {"seed": number}})
        program.call("make_round", *stage, body=drawn)
        opening = program.shape("RoundChange", {"status": "open", "visibility": "seating"})
        program.call("change_round", *stage, number, body=opening)
        seating = program.call("get_round", *stage, number)
        assert {seat.player for table in seating.items for seat in table.seats} == set(names)
        for table in seating.items:
            points = points_of(chance)
            sheet = {
                "based_on": table.revision,
                "seats": [
                    {"wind": str(seat.wind), "player": seat.player, "points": points[wind]}
                    for wind, seat in enumerate(table.seats)
                ],
            }
            place = (*stage, number, table.number)
            entered = program.call("save_sheet", *place, body=program.shape("SheetIn", sheet))
            assert [seat.points for seat in entered.seats] == points
            checked = second.shape("ConfirmIn", {"based_on": entered.revision})
            assert second.call("confirm_sheet", *place, body=checked).status == "confirmed"
        closing = program.shape("RoundChange", {"status": "closed", "visibility": "results"})
        program.call("change_round", *stage, number, body=closing)

    found = program.call("get_standings", *stage)
    here.competition.refresh_from_db()
    here.stage.refresh_from_db()
    assert [each.to_dict() for each in found.items] == standings_json(here.stage, public=True)["rows"]
    assert {each.games for each in found.items} == {ROUNDS}
    assert Sheet.objects.filter(is_current=True, status="confirmed").count() == 4 * ROUNDS
    assert round(sum(float(each.total) for each in found.items), 1) == 0
    tokens = set(here.competition.audit_entries.filter(action="result.record").values_list("after__token"))
    assert tokens == {(here.competition.api_tokens.get(role="organizer").pk,)}
