"""Every page × every role × another competition, made from the addresses (tests/pages.py).

A new page without a rule fails. A page that only takes POST is tried with an empty POST: whoever may use it
gets any answer but a refusal.
"""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages import EVERYBODY, OF_A_LEAGUE, PAGES, RULES, Things, client_of, ready_things

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_templates")]


@pytest.fixture(scope="module")
def competitions(make_once) -> Callable[[], dict[str, Things]]:
    """Two that are public and one that is not."""
    return make_once(lambda: {
        "spring": ready_things("spring"),
        "autumn": ready_things("autumn"),
        "secret": ready_things("secret", visibility="private"),
    })  # fmt: skip


def answer(client: Client, name: str, arguments: dict[str, object]) -> int | str:
    """The status of the page, or "sign in" where it sends a visitor there."""
    address = reverse(name, kwargs=arguments)
    response = client.get(address)
    if response.status_code == 405:
        response = client.post(address)
    if response.status_code == 302 and response.url.startswith(reverse("login")):
        return "sign in"
    return response.status_code


def test_every_page_has_a_rule():
    assert set(PAGES) == set(RULES)


@pytest.mark.parametrize("name", sorted(RULES))
def test_public_competition(name, competitions):
    here = competitions()["spring"]
    for role in sorted(EVERYBODY):
        got = answer(client_of(role, here), name, here.arguments(name))
        if role in RULES[name]:
            assert got not in {401, 403, 404, 405, 500, "sign in"}, f"{role} may open {name}, and got {got}"
        elif name in OF_A_LEAGUE:
            assert got in {404, "sign in"}, f"{role} got {got} from {name}"
        else:
            assert got == ("sign in" if role == "visitor" else 403), f"{role} got {got} from {name}"


@pytest.mark.parametrize("name", sorted(n for n in RULES if "slug" in PAGES[n]))
def test_private_competition_does_not_exist_for_strangers(name, competitions):
    here = competitions()["secret"]
    assert answer(client_of("organizer", here), name, here.arguments(name)) not in {403, 404, "sign in"}
    for role in ("visitor", "stranger"):
        got = answer(client_of(role, here), name, here.arguments(name))
        assert got in {404, "sign in"}, f"{role} got {got} from {name}"
        if name not in OF_A_LEAGUE:
            assert got == 404, f"{role} got {got} from {name}"


@pytest.mark.parametrize(
    "name", sorted(n for n in RULES if {"slug", "pk"} <= set(PAGES[n]) or n == "rounds:new")
)
def test_an_id_of_another_competition_opens_nothing(name, competitions):
    here, there = (competitions()[slug] for slug in ("spring", "autumn"))
    assert answer(client_of("organizer", there), name, there.arguments(name)) not in {403, 404, "sign in"}
    crossed = there.arguments(name) | {"slug": here.club.slug}
    assert answer(client_of("organizer", here), name, crossed) == 404
