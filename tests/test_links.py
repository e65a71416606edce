"""Every link of every page leads to a page of this installation, whichever extras it has."""

from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve

from tests.pages.addresses import addresses
from tests.pages.rules import PAGES, RULES
from tests.pages.things import client_of, ready_things

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


def test_an_address_without_a_page_is_a_dead_link():
    assert [way for way in ("/nowhere/", "/c/spring/nowhere/", "/rules/", "/static/x.css") if dead(way)] == [
        "/nowhere/",
        "/c/spring/nowhere/",
    ]


@pytest.mark.parametrize("role", ["visitor", "organizer"])
def test_no_page_has_a_dead_link(role):
    here = ready_things("spring")
    client = client_of(role, here)
    lost = {}
    for name in sorted(RULES.keys() & PAGES.keys()):
        for address in addresses(name, here) if role in RULES[name] else []:
            answer = client.get(address)
            assert answer.status_code < 500, address
            if answer.headers.get("Content-Type", "").startswith("text/html"):
                reader = Ways()
                reader.feed(answer.content.decode())
                lost |= {(name, way): address for way in reader.found if dead(way)}
    assert lost == {}
