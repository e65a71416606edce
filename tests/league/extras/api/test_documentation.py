"""The page about the API: its requests are answered in the shapes that it shows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from league.models import Stage
from tests.factories import Club, club
from tests.league.extras.api.asking import Program, token_of

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "api.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(json)?\n(.*?)\n```$", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str, Any, Any]]:
    """Return (method, path, body, answer) of the examples, in the order of the page."""
    blocks = [(kind, text) for kind, text in BLOCK.findall(PAGE)]
    found = []
    for at, (kind, text) in enumerate(blocks):
        method, _space, path = text.partition(" ")
        if kind or method not in {"GET", "POST", "PATCH", "PUT"}:
            continue
        following = [json.loads(each) for kind, each in blocks[at + 1 : at + 3] if kind == "json"]
        body = None if method == "GET" else following.pop(0)
        found.append((method, path, body, following[0] if following and method != "PUT" else None))
    return found


def shape(value: Any) -> Any:
    """Return names and types. Of a list, the shape of its first item."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    return type(value).__name__


@pytest.fixture
def spring() -> Club:
    here = club("spring", players=16)
    Stage.objects.filter(pk=here.stage.pk).update(slug="regular")
    here.stage.refresh_from_db()
    here.add_round()
    sheet = here.record((45000, 35000, 25000, 15000))
    sheet.status, sheet.confirmed_by, sheet.confirmed_at = "confirmed", here.alice, sheet.entered_at
    sheet.save()
    return here


@pytest.mark.django_db
def test_every_example_is_answered_in_the_shape_that_the_page_shows(spring):
    program = Program(token_of(spring, "organizer"))
    found = examples()
    assert [method for method, *_more in found] == ["GET", "GET", "POST", "POST", "PATCH", "PUT"]
    for method, path, body, wanted in found:
        path = path.removeprefix("/api/v1/competitions")
        answer = program.ask(path) if method == "GET" else program.send(method, path, body)
        assert answer.status_code in {200, 201}, (path, answer.content)
        if wanted is not None:
            assert shape(answer.json()) == shape(wanted), path


@pytest.mark.django_db
def test_a_refusal_has_the_shape_that_the_page_shows(spring):
    sheet = next(body for method, _path, body, _answer in examples() if method == "PUT")
    sheet["seats"][0]["player"] = "p99"
    path = next(path for method, path, *_more in examples() if method == "PUT")
    shown = next(json.loads(text) for kind, text in BLOCK.findall(PAGE) if kind and '"code"' in text)

    answer = Program(token_of(spring, "scorer")).send("PUT", path.removeprefix("/api/v1/competitions"), sheet)

    assert (answer.status_code, answer.json()) == (422, shown)


def test_the_page_names_every_code_of_a_refusal():
    root = Path(__file__).resolve().parents[4]
    rooms = ("core/changes.py", "core/errors.py", "play/results/services.py", "play/rounds/services.py")
    paths = [root / "league" / name for name in rooms] + sorted(
        (root / "league" / "extras" / "api").rglob("*.py")
    )
    code = re.compile(r'code="([a-z_]+)"|Rejected\(.+?, \w[\w.]*, "([a-z_]+)"')
    codes = {a or b for path in paths for a, b in code.findall(path.read_text(encoding="utf-8"))}
    codes -= {"list"}

    assert {"invalid", "unreadable", "not_found", "forbidden", "unauthorized", "too_often"} <= codes
    assert len(codes) > 25
    assert {each for each in codes if f"`{each}`" not in PAGE} == set()
