"""The door: what extras give, and that the core asks for it at the places that they name."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from league.core import extras
from league.core.extras import Extra, answers, following, installed, menu_at, pages_below, panels_at
from league.organizing.audit_log.words.actions import audit_action

LEAGUE = Path(extras.__file__).parents[1]
TEMPLATES = Path(settings.BASE_DIR) / "templates"
ASKED = re.compile(r"""(?:panels|menu|place=|tab=|answers\(|offered\()\s*"([\w.]+)\"""")


def asked_for():
    texts = [
        *TEMPLATES.rglob("*.html"),
        *(path for path in LEAGUE.rglob("*.py") if "extras" not in path.parts),
    ]
    return {place for path in texts for place in ASKED.findall(path.read_text(encoding="utf-8"))}


def named(extra):
    menus = [item.place for item in extra.menu]
    return {*menus, *extra.panels, *extra.offers, *extra.below}


def test_the_core_asks_at_every_place_that_an_extra_names():
    assert set().union(*map(named, installed())) - asked_for() == set()


@pytest.mark.with_extra("webhooks", "notices")
def test_extras_follow_actions_of_the_log():
    followed = {action for extra in installed() for action in extra.follows}
    assert {"round.publish", "penalty.log"} <= followed
    assert [action for action in followed if audit_action(action) == action] == []


def test_all_extras_are_installed_in_the_order_of_the_settings():
    assert [each.name for each in installed()] == [f"league.extras.{name}" for name in settings.EXTRAS]


class Wrong(Extra):
    name = "league.extras.demo"
    offers = {"somewhere": "services.nothing"}


def test_a_wrong_name_ends_the_start():
    with pytest.raises(ImportError, match="services"):
        Wrong("league.extras.demo", extras).ready()


@pytest.mark.with_extra("calculator", "needs", "notices", "statistics")
def test_what_is_left_out_gives_nothing():
    everything = list(settings.INSTALLED_APPS)
    without = [name for name in everything if not name.startswith("league.extras.")]
    assert (menu_at("site"), panels_at("site.head"), pages_below("players")) != ((), (), ())
    with override_settings(INSTALLED_APPS=without):
        assert (installed(), menu_at("site"), panels_at("site.head"), pages_below("players")) == (
            (),
            (),
            (),
            (),
        )
        assert answers("standings.facts", None) == []
        assert following("round.publish") == ()
    assert [item.address for item in menu_at("site")] == ["calculator:hand", "needs:hand"]
    assert {each.__module__ for each in following("round.publish")} == {
        "league.extras.webhooks.followers",
        "league.extras.notices.followers",
    }
