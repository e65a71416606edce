"""The example of docs/extras.md works as it is written."""

import logging
import re
from pathlib import Path
from types import ModuleType

import pytest
from django.apps import apps
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

from league import urls
from league.organizing.competitions.services import finish_competition
from league.play.rounds.services import close_round
from tests.factories import club, signed_in

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "extras.md").read_text(encoding="utf-8")
FILE = re.compile(r"^`(thanks/[\w./]+)`\n\n```\w+\n(.*?)```", re.DOTALL | re.MULTILINE)


@pytest.fixture
def thanks(tmp_path, monkeypatch):
    """The example as an app of this installation."""
    for name, text in FILE.findall(PAGE):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "thanks" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, "thanks"]):
        addresses = ModuleType("addresses")
        addresses.urlpatterns = [*urls.urlpatterns, *apps.get_app_config("thanks").addresses]
        with override_settings(ROOT_URLCONF=addresses):
            yield


@pytest.mark.django_db
def test_the_example_has_its_link_its_page_its_panel_and_follows_the_log(thanks, caplog):
    here = club(players=4)
    played = here.add_round()
    here.record((45000, 35000, 25000, 15000))
    close_round(round_=played, by=here.alice)
    front, organizer = reverse("standings:competition", args=[here.slug]), signed_in(here.alice)

    menu = organizer.get(reverse("competitions:manage", args=[here.slug])).content.decode()
    address = reverse("thanks:page", args=[here.slug])
    assert f'<a href="{address}"><span>Thanks <span class="quiet">a page of its own</span></span></a>' in menu
    assert "<h1>Thanks</h1>" in organizer.get(address).content.decode()
    assert Client().get(address).status_code == 403
    assert "Thank you for playing." not in Client().get(front).content.decode()
    with caplog.at_level(logging.INFO, logger="umaoka"):
        finish_competition(competition=here.competition, publish=True, by=here.alice)
    assert f"Thanks are on the page of {here.slug}." in caplog.messages
    assert "Thank you for playing." in Client().get(front).content.decode()
