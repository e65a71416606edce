"""The examples of the pages for clubs and receivers work as they are written."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from league.core.outbox import PAUSES, send_due
from league.models import Round
from league.play.rounds.services import set_visibility
from tests.factories import club

pytestmark = pytest.mark.django_db

DOCS = Path(__file__).resolve().parents[4] / "docs"


def example(page: str, language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert found is not None
    return found[1]


def shape(value: Any) -> Any:
    """Return the names of a JSON value, and of the first of each list."""
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    return [shape(value[0])] if isinstance(value, list) else None


def test_the_example_of_a_receiver_takes_an_event_once_and_its_shape_is_as_written(spring, add, receiver):
    add()
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.RESULTS, by=spring.alice)
    send_due.call()
    names: dict[str, Any] = {}
    exec(example("webhooks.md", "python"), names)  # noqa: S102 - our own text
    _path, headers, body = receiver.calls[0]
    known: set[str] = set()
    event = names["receive"](body, headers, receiver.key, known)
    assert shape(event) == shape(json.loads(example("webhooks.md", "json")))
    assert names["receive"](body, headers, receiver.key, known) is None
    assert len(PAUSES) == 7  # as the page lists them


def test_the_example_of_a_frame_and_its_script_are_there():
    club().add_round()
    found = re.findall(r'src="https://results.example.org([^"]+)"', example("club-sites.md", "html"))
    frame, script = map(html.unescape, found)
    answer = Client().get(frame)
    assert (answer.status_code, answer["Content-Language"]) == (200, "ja")
    assert (DOCS.parent / script.lstrip("/")).exists()
