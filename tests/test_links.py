"""Every link of every page leads to a page of this installation, whichever extras it has, and a link leads to
every page.

`tests/test_access_matrix.py` calls `dead_links` for every page and role.
"""

from functools import lru_cache
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve

from tests.pages.addresses import addresses
from tests.pages.rules import LEFT_OUT, PAGES, RULES
from tests.pages.things import client_of, ready_things
from tests.test_security_headers import tags_of

WAYS = {"href", "src", "action", "data-calculator", "data-live", "data-state", "data-calls", "content"}
ELSEWHERE = ("/static/", "/admin/")  # files, and Django’s own pages
pytestmark = pytest.mark.django_db


class Ways(HTMLParser):
    """The addresses of this site on a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found |= {value for name, value in attrs if name in WAYS and value and value[0] == "/"}


def dead(address: str) -> bool:
    path = urlsplit(address).path
    if path.startswith(ELSEWHERE):
        return False
    try:
        resolve(path)
    except Resolver404:
        return True
    return False


def dead_links(page: str) -> set[str]:
    return {way for tag in tags_of(page) for way in _dead_in(tag)}


@lru_cache(maxsize=20_000)
def _dead_in(markup: str) -> frozenset[str]:
    reader = Ways()
    reader.feed(markup)
    return frozenset(way for way in reader.found if dead(way))


def test_a_dead_link_is_seen():
    page = '<a href="/new/">New</a><form action="/nowhere/"><i data-live="/c/spring/nowhere/"></i></form>'
    assert dead_links(page) == {"/nowhere/", "/c/spring/nowhere/"}


def test_an_address_without_a_page_is_a_dead_link():
    assert [way for way in ("/nowhere/", "/c/spring/nowhere/", "/rules/", "/static/x.css") if dead(way)] == [
        "/nowhere/",
        "/c/spring/nowhere/",
    ]


# Pages to which no page of the walk links, by what leads there instead.
OTHERWISE = {
    "a code to scan or a paper": "calls:door calls:type_code hall:screen_codes",
    "a mail, or an address that a person hands on": (
        "notices:confirm notices:off people:invitation registration:own"
    ),
    "a form that was sent": "registration:sent",
    "a script or another program": (
        "competitions:revision embeds:oembed hall:commentary_version hall:live_versions hall:screen_version "
        "results:practice_preview results:preview results:table_versions"
    ),
    "a calendar, another site, or a message that shows the picture": (
        "calendar:competition_feed calendar:division_feed calendar:own_feed embeds:stage embeds:tables "
        "standings:picture standings:player_picture"
    ),
    "nothing yet: people know the address": "hands:practice interchange:results",
    "a link in a state that the pages of the walk are not in": (
        "accounts:set_up hall:commentary needs:chances needs:player needs:table needs:team people:signup "
        "seating:next_round substitutions:no_show teams:line_ups"
    ),
}


def page_of(address: str) -> str:
    """Return the name of the page at an address of this site, or nothing."""
    try:
        return resolve(urlsplit(address).path).view_name
    except Resolver404:
        return ""


@pytest.mark.slow  # reads all pages; the matrix of access asks for dead links
def test_no_page_has_a_dead_link_and_each_has_a_link_from_another():
    """The visitor and the organizer together see every page that takes no form."""
    here = ready_things("spring")
    lost: dict[tuple[str, str], str] = {}
    shown, linked = set(), set()
    for role in ("visitor", "organizer"):
        client = client_of(role, here)
        for name in sorted(RULES.keys() & PAGES.keys()):
            for address in addresses(name, here) if role in RULES[name] else []:
                answer = client.get(address)
                assert answer.status_code < 500, address
                if answer.status_code == 200:
                    shown.add(name)
                if answer.headers.get("Content-Type", "").startswith("text/html"):
                    reader = Ways()
                    reader.feed(answer.content.decode())
                    lost |= {(name, way): address for way in reader.found if dead(way)}
                    linked |= {page_of(way) for way in reader.found} - {name}
    assert lost == {}
    orphans = shown - linked - set(" ".join(OTHERWISE.values()).split())
    assert orphans == set(), (
        f"No page links to {min(orphans)}. Link to it from a page, or name it in OTHERWISE of "
        "tests/test_links.py beside what leads there."
    )


def test_pages_that_are_reached_otherwise_exist():
    pages = " ".join(OTHERWISE.values()).split()

    assert len(pages) == len(set(pages))
    assert set(pages) <= PAGES.keys() | {page for page in pages if page.partition(":")[0] in LEFT_OUT}
