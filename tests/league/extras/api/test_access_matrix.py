"""Every operation × every role, driven by the OpenAPI document: an operation without a rule fails."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse

from league.extras.api.views.document import document
from league.models import Round
from tests.factories import Club, club, signed_in
from tests.league.extras.api.asking import Program, token_of

pytestmark = pytest.mark.django_db

ROLES = ("player", "scorer", "referee", "chief", "organizer")
EVERYONE = {"visitor", *ROLES}
STAFF = {"scorer", "referee", "chief", "organizer"}
RULES = {
    "list_competitions": EVERYONE,
    "get_competition": EVERYONE,
    "get_competition_file": {"organizer"},
    "list_players": EVERYONE,
    "list_penalties": EVERYONE,
    "get_rules": EVERYONE,
    "get_standings": EVERYONE,
    "get_team_standings": EVERYONE,
    "list_rounds": EVERYONE,
    "get_round": EVERYONE,
    "get_table": EVERYONE,
    "save_players": {"organizer"},
    "make_round": {"organizer"},
    "change_round": {"organizer"},
    "seat_round": {"organizer"},
    "save_sheet": {"scorer", "organizer"},
    "confirm_sheet": STAFF,
}
METHODS = ("get", "post", "put", "patch", "delete", "options", "head", "trace")


def operations() -> dict[str, tuple[str, str]]:
    """Return operation → method and path, from the document."""
    return {
        operation["operationId"]: (method, path)
        for path, item in document()["paths"].items()
        for method, operation in item.items()
        if method in METHODS
    }


def address(path: str, here: Club, **other: object) -> str:
    values: dict[str, object] = {
        "slug": here.slug,
        "division": here.division.slug,
        "stage": here.stage.slug,
        "number": 1,
        "table": 1,
    }
    return path.format(**values | other)


def call(operation: str, here: Club, secret: str = "", **other: object) -> HttpResponse:
    """Call an operation. One that writes gets an empty object, which every service refuses."""
    method, path = operations()[operation]
    client, there = Program(secret).client, address(path, here, **other)
    if method == "get":
        return client.get(there)
    return getattr(client, method)(there, "{}", content_type="application/json")


@pytest.fixture(scope="module")
def spring(make_once: Callable[..., Callable[[], Any]]) -> tuple[Club, dict[str, str]]:
    def make() -> tuple[Club, dict[str, str]]:
        here = club("spring")
        here.add_round()
        here.add_round(visibility=Round.Visibility.HIDDEN)
        return here, {"visitor": ""} | {role: token_of(here, role) for role in ROLES}

    return make_once(make)()


def test_every_operation_has_a_rule():
    assert set(operations()) == set(RULES)


def test_the_document_says_which_operations_need_a_token():
    open_ones = {
        operation["operationId"]
        for item in document()["paths"].values()
        for method, operation in item.items()
        if method in METHODS and {} in operation["security"]
    }
    assert open_ones == {name for name, roles in RULES.items() if "visitor" in roles}


@pytest.mark.parametrize("operation", sorted(RULES))
def test_each_role_reaches_its_operations_only(operation, spring):
    here, secrets = spring
    got = {role: call(operation, here, secret).status_code for role, secret in secrets.items()}

    wrong = {
        role: status
        for role, status in got.items()
        if (status not in {200, 201, 422} if role in RULES[operation] else status not in {401, 403})
    }
    assert wrong == {}
    assert "visitor" in RULES[operation] or got["visitor"] == 401


@pytest.mark.parametrize("operation", sorted(RULES))
def test_tokens_that_are_not_in_force_open_nothing(operation, spring):
    here, secrets = spring
    for wrong in ("um_nothing", "", secrets["organizer"][:-1], "ü", "a b"):
        answer = Program(**{"Authorization": f"Bearer {wrong}"}).client.get("/api/v1/competitions")
        assert answer.status_code == 401, wrong
        assert answer["WWW-Authenticate"] == "Bearer"
    assert call(operation, here, secrets["organizer"] + "x").status_code == 401


@pytest.mark.parametrize("operation", sorted(name for name in RULES if name != "list_competitions"))
def test_a_token_of_another_competition_opens_nothing(operation, spring):
    here, _secrets = spring
    other = club("other")
    assert call(operation, here, token_of(other, "organizer")).status_code == 404


@pytest.mark.parametrize("operation", sorted(name for name in RULES if "{number}" in operations()[name][1]))
def test_a_hidden_round_is_for_staff(operation, spring):
    here, secrets = spring
    got = {role: call(operation, here, secret, number=2).status_code for role, secret in secrets.items()}
    hidden_from = {"visitor", "player"}
    assert {got[role] for role in hidden_from} <= {401, 403, 404}
    assert got["organizer"] in {200, 422}


@pytest.mark.parametrize("operation", sorted(RULES))
def test_a_session_cookie_gives_nothing(operation, spring):
    here, secrets = spring
    method, path = operations()[operation]
    client = signed_in(here.alice)
    assert client.get(f"/c/{here.slug}/manage/").status_code == 200

    send = getattr(client, method)
    answer = send(
        address(path, here), **({} if method == "get" else {"data": "{}", "content_type": "application/json"})
    )

    assert answer.status_code == call(operation, here, secrets["visitor"]).status_code
    assert not answer.cookies


@pytest.mark.parametrize("path", sorted({path for _method, path in operations().values()}))
def test_the_wrong_method_is_refused_as_json(path, spring):
    here, secrets = spring
    taken = {method for method, taken_path in operations().values() if taken_path == path}
    client = Program(secrets["organizer"]).client
    for method in {"get", "post", "put", "patch", "delete"} - taken:
        answer = getattr(client, method)(address(path, here))
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert set(re.findall(r"\w+", answer["Allow"].lower())) - {"options", "head"} == taken


def test_addresses_of_nothing_are_refused_as_json(spring):
    here, secrets = spring
    client = Program(secrets["organizer"]).client
    for path in ("", "nowhere", "competitions/nowhere", "competitions/spring/divisions/x/rules"):
        answer = client.get(f"/api/v1/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    for number in (0, 99, 10**30):
        assert call("get_round", here, secrets["organizer"], number=number).status_code == 404
        assert call("get_table", here, secrets["organizer"], table=number).status_code == 404


def test_wrong_pages_of_a_list_are_refused(spring):
    here, _secrets = spring
    for query in ("limit=0", "limit=501", "offset=-1", "limit=x", "offset=99999999999999999999"):
        answer = Program().client.get(f"/api/v1/competitions/{here.slug}/players?{query}")
        assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
        assert answer.json()["field"] == query.partition("=")[0]

    here, secrets = spring
    organizer = Program(secrets["organizer"])
    names = ["@SUM(A1)", "<b>x</b>", "'; DROP TABLE league;--", '"quoted"', "{{ 7 }}", "%s", "名前 ​前"[:4]]

    answer = organizer.send("POST", f"/{here.slug}/players", {"players": [{"name": name} for name in names]})

    assert answer.status_code == 200, answer.content
    found = [each["name"] for each in organizer.read(f"/{here.slug}/players")["items"]]
    assert set(names) <= set(found)
