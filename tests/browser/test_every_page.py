"""Every page, in a competition where everything has a long or hostile name: axe-core (WCAG 2.2, A, AA) finds
nothing wrong, no name runs, and nothing is wider than the screen or a phone, unfolded.

Each page is opened once, for the person who sees most of it, and axe-core examines each template once. With
ACCESSIBLE=all in the environment it examines every page for every role, light and dark, on a phone and a
desktop, which takes half an hour.
"""

import os
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.kit import PHONE, SCREEN
from tests.hostile_names import LONG, MARKUP, badly_named
from tests.pages.addresses import addresses
from tests.pages.rules import PAGES, RULES
from tests.pages.things import Things, client_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from playwright.sync_api import Page

pytestmark = pytest.mark.django_db(transaction=True)

DESKTOP = {"viewport": {"width": 1280, "height": 900}}
WIDTHS = {"phone": PHONE, "desktop": DESKTOP}
OPTIONS = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}
ROLES = ("visitor", "player", "scorer", "referee", "organizer")
PARTS = 4  # of a walk, for as many processes
# What sticks to an edge covers a part of what is scrolled beneath it, which axe takes for too small a target.
UNSTICK = """document.querySelectorAll("*").forEach((each) => {
    if (getComputedStyle(each).position === "sticky") each.style.position = "static";
})"""
UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"
# A list, a table with its numbers, a form, a page for a phone, a page for a wall.
ONE_OF_EACH_KIND = {
    "visitor": ["competitions:home", "standings:stage", "results:at_table", "seating:screen"],
    "organizer": ["competitions:manage", "results:enter_round", "roster:index"],
}
EVERYTHING = os.environ.get("ACCESSIBLE") == "all"
LOOKS = [("light", "desktop"), *([("light", "phone"), ("dark", "phone"), ("dark", "desktop")] * EVERYTHING)]


def walks() -> dict[str, list[str]]:
    """Return each role's pages; without `EVERYTHING` only those that no later role sees."""
    roles = {name: [role for role in ROLES if role in RULES[name]] for name in PAGES}
    return {
        role: [name for name, seen_by in roles.items() if role in (seen_by if EVERYTHING else seen_by[-1:])]
        for role in ROLES
    }


def in_parts(names: list[str]) -> list[list[str]]:
    """Split the pages by room into parts of about the same size."""
    parts: list[list[str]] = [[] for _ in range(PARTS)]
    rooms = groupby(sorted(names, key=room_of), room_of)
    for room in sorted((list(room) for _, room in rooms), key=len, reverse=True):
        min(parts, key=len).extend(room)
    return [part for part in parts if part]


def room_of(name: str) -> str:
    return name.partition(":")[0]


def pages(here: Things, role: str, names: list[str]) -> dict[str, str]:
    """Return the template of each page of these names that the role sees."""
    client = client_of(role, here)
    answers = {address: client.get(address) for name in names for address in addresses(name, here)}
    return {
        address: answer.templates[0].name
        for address, answer in answers.items()
        if answer.status_code == 200 and "html" in answer["Content-Type"] and b"<!DOCTYPE" in answer.content
    }


@pytest.mark.slow
@pytest.mark.parametrize(("theme", "width"), LOOKS)
@pytest.mark.parametrize(
    ("role", "names"),
    [
        pytest.param(role, part, id=f"{role} {','.join(sorted({room_of(name) for name in part}))}")
        for role, names in walks().items()
        for part in in_parts(names)
    ],
)
def test_every_page_is_accessible_and_fits_whatever_things_are_called(
    role, names, theme, width, open_page, sign_in
):
    check_pages(role, names, theme, width, open_page, sign_in)


@pytest.mark.parametrize(("role", "names"), ONE_OF_EACH_KIND.items())
def test_one_page_of_each_kind_is_accessible_and_fits(role, names, open_page, sign_in):
    check_pages(role, names, "light", "desktop", open_page, sign_in)


def check_pages(
    role: str,
    names: list[str],
    theme: str,
    width: str,
    open_page: Callable[..., "Page"],
    sign_in: Callable[["Page", "User"], None],
) -> None:
    here = badly_named((*LONG, *MARKUP))
    page = open_page(color_scheme=theme, **WIDTHS[width])
    said, wide, found, examined, axe = [], {}, [], set(), Axe()
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    if role != "visitor":
        club = here.club
        people = {"player": club.dora, "scorer": club.charlie, "referee": club.bob, "organizer": club.alice}
        sign_in(page, people[role])
    for address, template in pages(here, role, names).items():
        page.set_viewport_size(WIDTHS[width]["viewport"])
        page.goto(address)
        page.evaluate(UNSTICK)
        if EVERYTHING or template not in examined:
            examined.add(template)
            page.evaluate(axe.axe_script)
            result = page.evaluate("options => axe.run(document, options)", OPTIONS)
            found += [
                f"{address} {each['id']}: {node['target']} {node.get('failureSummary', '')[-160:]}"
                for each in result["violations"]
                for node in each["nodes"]
            ]
        page.evaluate(UNFOLD)
        for size in (WIDTHS[width]["viewport"], SCREEN):
            if size != page.viewport_size:
                page.set_viewport_size(size)
            needed = page.evaluate("document.documentElement.scrollWidth")
            if needed > size["width"]:
                wide[address] = needed
    assert "\n".join(found) == ""
    assert (wide, said) == ({}, [])
