"""Every page × every role × another competition, made from the addresses (tests/pages).

A new page without a rule fails. A page that only takes POST is tried with an empty POST: a role that may use
it gets any answer but a refusal. Of each answer, a refusal too, everything is asked that holds for all of
them.
"""

from collections.abc import Callable

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve, reverse

from tests.pages.addresses import addresses
from tests.pages.rules import EVERYONE, OF_A_LEAGUE, PAGES, RULES
from tests.pages.things import Things, client_of, ready_things
from tests.submissions import roles_for
from tests.test_links import dead_links
from tests.test_security_headers import faults_of_answer

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("undrawn_papers")]

SITE = ("login", "password_change", "password_change_done", "healthz", "worker")
WITHOUT_TOKEN = {"notices:off"}  # pressed by mail programs; its address holds a signature
# Pages for frames of other sites, which know no one who is signed in: private ones exist for nobody.
FRAMED = {"embeds:standings", "embeds:stage", "embeds:tables", "embeds:player"}
TAKE_POST = ("login", "logout", "password_change", "set_language")  # of the site


@pytest.fixture(scope="module")
def competitions(make_once: Callable[..., Callable[[], dict[str, Things]]]) -> dict[str, Things]:
    """Make two public competitions and a private one. Requests change the database, not these objects."""
    return make_once(lambda: {
        "spring": ready_things("spring"),
        "autumn": ready_things("autumn"),
        "secret": ready_things("secret", visibility="private"),
    })()  # fmt: skip


def ask(client: Client, address: str) -> list:
    """Return the answer of the page, and that to an empty POST if the page takes forms only."""
    response = client.get(address)
    return [response, client.post(address)] if response.status_code in {303, 405} else [response]


def status_of(answers: list) -> int | str:
    """The last status, or "sign in" where the page sends a visitor there."""
    response = answers[-1]
    if response.status_code == 302 and response.url.startswith(reverse("login")):
        return "sign in"
    return response.status_code


def answer(client: Client, name: str, arguments: dict[str, object]) -> int | str:
    return status_of(ask(client, reverse(name, kwargs=arguments)))


def breaks_rule(name: str, role: str, got: int | str) -> bool:
    if role in RULES[name]:
        return got in {401, 403, 404, 405, 500, "sign in"}
    if name in OF_A_LEAGUE:
        return got not in {404, "sign in"}
    return got != ("sign in" if role == "visitor" else 403)


def dead_links_of(response: HttpResponse) -> list[str]:
    if "text/html" not in response.get("Content-Type", ""):
        return []
    return [f"dead link {link}" for link in sorted(dead_links(response.content.decode()))]


def takes_without_token(role: str, address: str, here: Things) -> bool:
    client = Client(enforce_csrf_checks=True)
    client.cookies = client_of(role, here).cookies
    status = client.post(address, {"key": "11111111-1111-4111-8111-111111111111"}).status_code
    return status != (302 if address == reverse("set_language") else 403)


def test_every_page_has_a_rule():
    without, gone = set(PAGES) - set(RULES), set(RULES) - set(PAGES)

    assert not without, f"Who may open {sorted(without)}? Add them to tests/pages/rules.py."
    assert not gone, f"Take {sorted(gone)} out of tests/pages/rules.py: no address leads there."


@pytest.mark.parametrize("name", sorted(RULES))
def test_public_competition(name, competitions, settings):
    settings.OPEN_SIGNUP = True
    here, found = competitions["spring"], []
    first, *others = addresses(name, here)
    for role in sorted(EVERYONE):
        client = client_of(role, here)
        answers = {first: ask(client, first)}
        if breaks_rule(name, role, got := status_of(answers[first])):
            found.append((role, first, f"got {got}"))
        answers |= {address: [client.get(address)] for address in others if role in roles_for(name)}
        found += [
            (role, address, fault)
            for address, given in answers.items()
            for response in given
            for fault in (*faults_of_answer(response, address, role), *dead_links_of(response))
        ]
    if name not in WITHOUT_TOKEN and takes_without_token(min(RULES[name]), first, here):
        found.append((min(RULES[name]), first, "takes a POST without its token"))
    if name not in WITHOUT_TOKEN and getattr(resolve(first.partition("?")[0]).func, "csrf_exempt", False):
        found.append(("all", first, "asks for no token"))
    assert found == []


@pytest.mark.parametrize("role", sorted(EVERYONE))
def test_no_answer_of_the_site_is_loose(role, competitions):
    """Signing up is closed here, and open above."""
    here = competitions["spring"]
    client = client_of(role, here)
    site = [
        *map(reverse, (*SITE, "people:signup")),
        "/nowhere/",
        "/c/nowhere/",
        "/static/nowhere.css",
        "/admin/",
    ]
    answers = {address: client.get(address) for address in site}
    found = [
        (address, fault)
        for address, response in answers.items()
        for fault in faults_of_answer(response, address, role)
    ]
    assert found == []
    assert not breaks_rule("people:signup", role, status_of([answers[reverse("people:signup")]]))
    if role in {"visitor", "player"}:
        assert [name for name in TAKE_POST if takes_without_token(role, reverse(name), here)] == []


@pytest.mark.parametrize("name", sorted(n for n in RULES if "slug" in PAGES[n]))
def test_private_competition_does_not_exist_for_strangers(name, competitions):
    here = competitions["secret"]
    inside = answer(client_of("organizer", here), name, here.arguments(name))
    assert (inside in {403, 404, "sign in"}) == (name in FRAMED)
    for role in ("visitor", "stranger"):
        got = answer(client_of(role, here), name, here.arguments(name))
        assert got in {404, "sign in"}, f"{role} got {got} from {name}"
        if name not in OF_A_LEAGUE:
            assert got == 404, f"{role} got {got} from {name}"


@pytest.mark.parametrize(
    "name", sorted(n for n in RULES if {"slug", "pk"} <= set(PAGES[n]) or n == "rounds:new")
)
def test_an_id_of_another_competition_opens_nothing(name, competitions):
    """Within its own competition it opens a page: `test_public_competition`, for one made in the same way."""
    here, there = competitions["spring"], competitions["autumn"]
    crossed = there.arguments(name) | {"slug": here.club.slug}
    assert answer(client_of("organizer", here), name, crossed) == 404
