"""The door: what extras give, and that the core asks for it at the places that they name."""

import ast
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from league.core import extras
from league.core.extras import Extra, answers, following, installed, menu_at, pages_below, panels_at
from league.organizing.audit_log.words.actions import audit_action
from league.organizing.competitions.queries.doors import DOORS

LEAGUE = Path(extras.__file__).parents[1]
TEMPLATES = Path(settings.BASE_DIR) / "templates"
ASKED = {  # what an extra gives → how the core asks for it
    "menu": re.compile(r"""(?:\{% menu |place=|links_at\(\w*\.?competition, |places \+?= \[)"([\w.]+)\""""),
    "panels": re.compile(r"""\{% panels "([\w.]+)\""""),
    "offers": re.compile(r"""(?:answers|first_answer)\(\s*"([\w.]+)\""""),
    "below": re.compile(r"""tab="([\w.]+)\""""),
}


def asked_for(kind):
    """Return the places at which the core, or an extra that shows another one, asks."""
    paths = [*TEMPLATES.rglob("*.html"), *LEAGUE.rglob("*.py")]
    return {place for path in paths for place in ASKED[kind].findall(path.read_text(encoding="utf-8"))}


def given(extra, kind):
    return {item.place for item in extra.menu} if kind == "menu" else set(getattr(extra, kind))


@pytest.mark.parametrize("kind", ASKED)
def test_every_place_that_an_extra_names_is_asked_for(kind):
    found = set().union(*(given(extra, kind) for extra in installed()))
    behind_doors = {place for door in DOORS for place in door.places} if kind == "menu" else set()
    assert found - asked_for(kind) - behind_doors == set()


@pytest.mark.with_extra("webhooks", "notices")
def test_what_is_followed_is_logged_with_the_row_that_it_is_about():
    """A follower gets the row from ``about``. The end of a competition is about the competition itself."""
    followed = {action for extra in installed() for action in extra.follows} - {"competition.finish"}
    calls = [
        node
        for path in LEAGUE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "log"
    ]
    logged = [call for call in calls if call.args and {*constants(call.args[0])} & followed]
    assert {action for call in logged for action in constants(call.args[0])} & followed
    assert [ast.unparse(call) for call in logged if "about" not in {each.arg for each in call.keywords}] == []


def constants(node):
    """Return the texts of an expression, which may choose between actions."""
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}


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
