"""No input gives a 500, and none reaches another competition: every page × who may use it × bad values.

The pages come from the URL configuration, the fields from the forms that the pages show. A submission is made
that would be saved, then broken in one or a few places: so the bad value gets as far as it can. The stream is
the same each time; BAD_INPUT_SEED and BAD_INPUT_TIMES in the environment ask for another, and for more. On
PostgreSQL each page gets what it alone refuses, in every parameter and field: a NUL, a number of more than
its columns hold. After each request that writes, before it is undone, the other competition is compared.
"""

import io
import os
from collections.abc import Callable
from wsgiref.util import setup_testing_defaults

import pytest
from django.apps import apps
from django.core.signals import request_started
from django.db import close_old_connections, connection

from league.wsgi import application
from tests.hostile_input import (
    CHARSETS,
    Door,
    Hostile,
    World,
    attack,
    fill_with_refused,
    make_world,
    on_postgresql,
    written_kinds,
)
from tests.pages.facts import OWNERS
from tests.pages.rules import PAGES
from tests.pages.things import Things
from tests.submissions import FORM, SITE, roles_for

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("undrawn_papers")]

SEED = os.environ.get("BAD_INPUT_SEED", "")


@pytest.fixture(scope="module", autouse=True)
def world(make_once: Callable[..., Callable[[], World]]) -> World:
    """Made once, and not copied: requests change the database alone."""
    return make_once(make_world)()


@pytest.fixture
def here(world: World) -> Things:
    return world.here


@pytest.mark.both_databases  # PostgreSQL alone refuses a NUL and a number of more than 32 bits
@pytest.mark.parametrize("name", [*sorted(PAGES), *SITE])
def test_bad_input_is_refused_and_stays_at_home(name, world, settings):
    settings.OPEN_SIGNUP = True
    roles, failed = roles_for(name), []
    for first, role in enumerate(roles[-1:] if on_postgresql() else roles):
        hostile = Hostile(role, world, f"{name} {role} {connection.vendor} {SEED}")
        if on_postgresql():
            fill_with_refused(hostile, name)
        else:
            attack(hostile, name, slice(first, None, len(roles)))
        failed += hostile.failed
    assert failed == []


def test_what_reaches_another_competition_is_seen(world):
    with written_kinds() as kinds:
        world.there.club.division.stages.update(name="Not mine")
        world.here.club.competition.divisions.update(name="Mine")

    assert kinds == {"league.Stage", "league.Division"}
    assert world.reached(kinds) == ["league.Stage by division__competition"]


def test_every_kind_of_fact_is_watched():
    kinds = {
        model._meta.label for app in ("league", "players") for model in apps.get_app_config(app).get_models()
    }
    of_the_server = {"league.BrowserSession", "league.SecurityEvent"}
    assert {name for paths in OWNERS.values() for name in paths} == kinds - of_the_server


# --- what is in front of the pages: headers, cookies, addresses, methods

HEADERS = (
    *({"cookie": f'{name}="{value}"'} for name in ("sessionid", "csrftoken", "django_language", "messages")
      for value in (r"\000aaaaaaaaaaa", r"\355\240\200aaaaaaaa", "9" * 7_000)),
    {"cookie": "\0;=;;=a"},
    {"accept-language": "x" * 10_000},
    {"accept-language": "a-" * 4_000},
    {"accept-encoding": "gzip;q=x"},
    {"if-none-match": "\0"},
    {"if-modified-since": "Thu, 99 Nov 99999 00:00:00 GMT"},
    {"host": "a\0b"},
    {"host": "evil.example"},
    {"referer": "http://[::1"},
    {"origin": "http://[::1"},
    {"hx-request": "true", "referer": "http://[::1", "hx-current-url": "http://[x"},
    {"hx-request": "true", "hx-current-url": "%00%ff", "hx-current-url-uri-autoencoded": "true"},
    {"x-forwarded-for": "\0, x"},
    {"x-forwarded-proto": "x"},
    {"range": "bytes=99999999999999999999-"},
    {"user-agent": "a\0b" * 300},
    *({"content-type": f"text/plain; charset={charset}"} for charset in CHARSETS),
    {"content-type": "text/plain; a*=klingon''x"},
    {"content-type": "multipart/form-data; boundary*=base64''x; charset*=utf-8''base64"},
)  # fmt: skip
NOWHERE = (
    "/c/%00/",
    "/c/spring/rounds/" + "9" * 30 + "/",
    "/c/spring/rounds/" + "9" * 6_000 + "/",
    "/c/spring/players/" + "9" * 19 + "/",
    "/c/spring/tables/18446744073709551616/",
    "/c/" + "x" * 9_000 + "/",
    "/invitations/" + "x" * 5_000 + "/",
    "/%ff%fe/",
    "/static/%00",
    "/static/..%2f..%2fmanage.py",
    "/accounts/login/%0d%0aX-Evil:%201",
)


@pytest.mark.parametrize("headers", HEADERS, ids=lambda headers: str(headers)[:40])
def test_bad_headers_get_an_answer(headers, here):
    client = Door(raise_request_exception=False)
    failed = []
    for address in ("/", "/c/spring/", "/accounts/login/", "/new/", r"/c/spring/?page=\ud800&sort=\0"):
        for method in ("GET", "POST"):
            kind = headers.get("content-type", FORM)
            response = client.generic(method, address, b"username=%00", kind, headers=headers)
            if response.status_code >= 500:
                failed.append(f"{method} {address} {response.status_code} {response.exc_info[1]!r}")
    assert failed == []


@pytest.mark.parametrize("charset", CHARSETS)
def test_the_server_reads_no_other_charset(charset):
    body, kind = rb"username=\ud800", f"application/x-www-form-urlencoded; charset={charset}"
    said = []

    def start_response(status: str, headers: object) -> None:
        said.append(status)

    # A server's request begins with a new connection to the database; this module needs the one that it has.
    request_started.disconnect(close_old_connections)
    try:
        b"".join(application(environ_of("POST", r"/accounts/login/?next=\ud800", body, kind), start_response))
    finally:
        request_started.connect(close_old_connections)
    assert said == ["403 Forbidden"]  # it was read, and came without a CSRF token


def environ_of(method: str, address: str, body: bytes, kind: str) -> dict[str, object]:
    path, _mark, query = address.partition("?")
    environ = {
        "REQUEST_METHOD": method,
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "CONTENT_TYPE": kind,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.input": io.BytesIO(body),
    }
    setup_testing_defaults(environ)
    return environ


def test_addresses_that_lead_nowhere(here):
    client = Door(raise_request_exception=False)
    methods = (client.get, client.head, client.post, client.put, client.delete, client.options, client.trace)
    answers = {(address[:40], send(address).status_code) for address in NOWHERE for send in methods}
    assert {status for _address, status in answers} <= {404, 405, 403, 301}, answers
