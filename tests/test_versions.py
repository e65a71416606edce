"""Pages are made from versions: no page keeps its ETag when a form changes the page.

Every form is sent as a person sends it. The pages of visitors and staff are read before and after, without
caches. Pages with the same ETag must have the same content.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import transaction
from django.urls import reverse

from league.models import Competition, Table
from tests.hostile_input import Hostile, World, make_world
from tests.pages.rules import PAGES, RULES
from tests.pages.things import Things, client_of
from tests.submissions import FORM, READ, roles_for, submissions, take_post
from tests.test_submissions import NO_FORM, PREPARED, SAVED_BY, let_dora_enter_her_own

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

READERS = ("visitor", "organizer")
# Keys of forms, tokens against forgery, and the version that a page asks for again.
CHANGING = re.compile(rb'data-revision="[rv0-9 ]+"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9]{64}')
# These forms change what public pages show.
PUBLIC = {"rounds:visibility", "results:correct", "penalties:revoke", "roster:withdraw"}
# These do not: the desk and the evening know them, no public page does.
PRIVATE = {"calls:take", "calls:done", "open_play:presence", "seating:drop"}


@pytest.fixture(scope="module", autouse=True)
def world(make_once: Callable[..., Callable[[], World]]) -> World:
    return make_once(make_world)()


@dataclass(frozen=True)
class Page:
    tag: str
    content: bytes


def cached_pages(role: str, here: Things) -> dict[str, Page]:
    """Address → page, of all pages of the competition that answer this role with an ETag."""
    client, found = client_of(role, here), {}
    for name in sorted(PAGES):
        if role not in RULES[name] or "slug" not in PAGES[name] or "fmt" in PAGES[name]:
            continue
        addresses = [reverse(name, kwargs=here.arguments(name))]
        if name in ("results:table", "results:table_versions"):
            tables = Table.objects.filter(round=here.round).values_list("pk", flat=True)
            addresses = [reverse(name, args=[here.club.slug, pk]) for pk in tables]
        for address in addresses:
            cache.clear()  # otherwise a page with the same tag is the same page
            answer = client.get(address)
            if answer.has_header("ETag") and not answer.streaming:
                found[address] = Page(answer["ETag"], CHANGING.sub(b"", answer.content))
    return found


def is_sent(name: str, world: World, here: Things) -> bool:
    """Send the forms of this page until one is saved."""
    hostile = Hostile(SAVED_BY.get(name, roles_for(name)[0]), world)
    return any(
        hostile.client.generic("POST", address, urlencode(fields, doseq=True), FORM).status_code == 302
        for address, fields, _files in submissions(name, here, hostile.role)
    )


def raised_versions(competition: int) -> tuple[int, int]:
    return Competition.objects.values_list("revision", "version").get(pk=competition)


def test_no_form_changes_a_page_that_keeps_its_tag(world):
    let_dora_enter_her_own(world.here)
    competition = world.here.club.competition.pk
    as_made = {role: cached_pages(role, world.here) for role in READERS}
    stale, is_public = [], {}
    for name in sorted(name for name in take_post(world.here) - NO_FORM if "slug" in PAGES[name]):
        with transaction.atomic(), patch.dict(READ, clear=name in PREPARED):
            here, before = world.here, as_made
            if name in PREPARED:
                here = PREPARED[name](here)
                before = {"visitor": cached_pages("visitor", here)}
            revision, version = raised_versions(competition)
            if is_sent(name, world, here):
                now = raised_versions(competition)
                is_public[name] = now[0] > revision
                # All pages made from a version that was raised have another tag.
                same = {"visitor": now[0] == revision, "organizer": now[1] == version}
                for role in (role for role in before if same[role]):
                    stale += [
                        (name, role, at) for at in kept_in_error(before[role], cached_pages(role, here))
                    ]
            transaction.set_rollback(True)
    assert stale == []
    assert {name for name in PUBLIC if is_public.get(name)} == PUBLIC
    assert {name for name in PRIVATE if is_public.get(name) is False} == PRIVATE


def kept_in_error(before: dict[str, Page], now: dict[str, Page]) -> list[str]:
    """The addresses of pages whose content changed and whose tag did not."""
    both = before.keys() & now.keys()
    return [at for at in both if now[at].tag == before[at].tag and now[at].content != before[at].content]
