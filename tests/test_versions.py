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

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

READERS = ("visitor", "organizer")
# Keys of forms, tokens against forgery, and the version that a page asks for again.
CHANGING = re.compile(rb'data-revision="[rv0-9 ]+"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9]{64}')
# These forms change what public pages show.
PUBLIC = {"rounds:visibility", "results:correct", "penalties:revoke", "roster:withdraw"}
# These do not: the desk and the evening know them, no public page does.
PRIVATE = {"calls:take", "calls:done", "open_play:presence", "seating:drop"}

AT_ONCE = 8  # forms that are sent before the pages are read again


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
    names = sorted(name for name in take_post(world.here) - NO_FORM if "slug" in PAGES[name])
    raised = {name: found for name in names if (found := versions_that_rise([name], world)[name])}
    is_public = {name: revision for name, (revision, _version) in raised.items()}
    assert {name for name in PUBLIC if is_public.get(name)} == PUBLIC
    assert {name for name in PRIVATE if is_public.get(name) is False} == PRIVATE

    as_made = {role: cached_pages(role, world.here) for role in READERS}
    # All pages made from a version that was raised have another tag.
    quiet = {
        "visitor": [name for name in raised if not is_public[name]],
        "organizer": [name for name in raised if not raised[name][1]],
    }
    for role, forms in quiet.items():
        alone = [[name] for name in forms if name in PREPARED]
        together = [name for name in forms if name not in PREPARED]
        for group in (*alone, *(together[at : at + AT_ONCE] for at in range(0, len(together), AT_ONCE))):
            pending = group
            while pending:
                saved, stale = pages_after(pending, role, as_made[role], world)
                assert stale == [], (role, pending)
                assert saved, pending
                pending = [name for name in pending if name not in saved]


def versions_that_rise(names: list[str], world: World) -> dict[str, tuple[bool, bool] | None]:
    """Whether each form, sent alone, raises the revision and the version. None: it saved nothing."""
    found: dict[str, tuple[bool, bool] | None] = {}
    competition = world.here.club.competition.pk
    for name in names:
        with transaction.atomic(), patch.dict(READ, clear=name in PREPARED):
            here = PREPARED.get(name, lambda here: here)(world.here)
            before = raised_versions(competition)
            now = is_sent(name, world, here) and raised_versions(competition)
            found[name] = (now[0] > before[0], now[1] > before[1]) if now else None
            transaction.set_rollback(True)
    return found


def pages_after(
    names: list[str], role: str, before: dict[str, Page], world: World
) -> tuple[list[str], list[str]]:
    """Send the forms one after the other. Return those that were saved, and the pages kept in error."""
    saved = []
    with transaction.atomic(), patch.dict(READ, clear=names[0] in PREPARED):
        here = world.here
        if names[0] in PREPARED:
            here = PREPARED[names[0]](here)
            before = cached_pages(role, here)
        version = raised_versions(world.here.club.competition.pk)[READERS.index(role)]
        for name in names:
            with transaction.atomic():
                # A form that raises the version here, after others, is sent alone later.
                sent = is_sent(name, world, here)
                now = raised_versions(world.here.club.competition.pk)[READERS.index(role)]
                transaction.set_rollback(not sent or now != version)
            saved += [name] if sent and now == version else []
        stale = kept_in_error(before, cached_pages(role, here))
        transaction.set_rollback(True)
    return saved, stale


def kept_in_error(before: dict[str, Page], now: dict[str, Page]) -> list[str]:
    """The addresses of pages whose content changed and whose tag did not."""
    both = before.keys() & now.keys()
    return [at for at in both if now[at].tag == before[at].tag and now[at].content != before[at].content]
