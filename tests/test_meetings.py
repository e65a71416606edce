"""Two people press at the same moment: what one deletes is gone when the other's change gets its lock.

Every form is sent while another one is saved between its page and its lock. The answer is a page with a
sentence, never an error. The other form is one that deletes, replaces or ends something.
"""

from collections.abc import Callable
from unittest.mock import patch
from urllib.parse import urlencode

import pytest
from django.db import transaction

from league.core import changes
from tests.hostile_input import Hostile, World, make_world
from tests.pages.things import Things
from tests.submissions import FORM, READ, roles_for, submissions, take_post
from tests.test_submissions import NO_FORM, PREPARED, SAVED_BY, let_dora_enter_her_own

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DELETING = ("open_play:remove", "penalties:revoke", "rounds:delete", "teams:remove")
DELETING_TOO = (
    *("bans:departure", "bans:lift", "calendar:postpone", "calls:done", "disputes:close", "results:undo"),
    *("people:invitation_withdraw", "people:role_revoke", "penalty_rules:remove", "roster:merge"),
    *("rounds:status", "seating:by_hand", "seating:drop", "substitutions:adjustment_revoke"),
)


@pytest.fixture(scope="module", autouse=True)
def world(make_once: Callable[..., Callable[[], World]]) -> World:
    return make_once(make_world)()


Sent = list[tuple[str, str]]  # addresses, each with the fields of a form


def forms_of(name: str, here: Things, role: str) -> Sent:
    return [(at, urlencode(fields, doseq=True)) for at, fields, _files in submissions(name, here, role)]


def meet(name: str, forms: Sent, other: str, others: Sent, world: World, most: int) -> tuple[int, list[str]]:
    """Save ``other`` just before the lock of each form of the page. Return how often, and what failed."""
    lock, met, saved = changes._lock, [], 0
    rival = Hostile(SAVED_BY.get(other, roles_for(other)[0]), world)

    def lock_late(*arguments: object) -> None:
        nonlocal saved
        if not met:
            met.append(other)
            answers = (rival.client.generic("POST", address, body, FORM) for address, body in others)
            saved += any(answer.status_code == 302 for answer in answers)
        lock(*arguments)

    person = Hostile(SAVED_BY.get(name, roles_for(name)[0]), world)
    for address, body in forms[:most]:
        met.clear()
        with transaction.atomic(), patch.object(changes, "_lock", lock_late):
            person._send("POST", address, body.encode(), FORM)
            transaction.set_rollback(True)
    return saved, [f"{other} while {failure}" for failure in person.failed]


def meetings(other: str, world: World, most: int) -> tuple[int, list[str]]:
    """Send so many forms of each page while ``other`` is saved. Return how often it was, and what failed."""
    met, failed = 0, []
    with transaction.atomic():
        here = PREPARED.get(other, lambda here: here)(world.here)
        others = forms_of(other, here, roles_for(other)[0])
        assert others
        for name in sorted(take_post(here) - NO_FORM):
            saved, why = meet(name, forms_of(name, here, roles_for(name)[0]), other, others, world, most)
            met, failed = met + saved, failed + why
        transaction.set_rollback(True)
    return met, failed


def test_no_form_fails_where_another_one_was_saved_first(world, pytestconfig):
    """One test, because most of them meet the same forms, which are read once."""
    let_dora_enter_her_own(world.here)
    rivals, most = (DELETING + DELETING_TOO, 2) if pytestconfig.option.long else (DELETING, 1)
    met, failed = {}, []
    with patch.dict(READ, clear=True):
        for other in sorted(rivals, key=PREPARED.__contains__):  # what is prepared changes the forms
            if other in PREPARED:
                READ.clear()
            met[other], why = meetings(other, world, most)
            failed += why
    assert failed == []
    assert {other: times for other, times in met.items() if times <= 10} == {}
