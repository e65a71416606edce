"""Headers of every answer, markup that no page may contain, and redirects that lead away.

`tests/test_access_matrix.py` calls `faults_of_answer` for every page and role.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from html.parser import HTMLParser
from types import MappingProxyType
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.factories import PASSWORD, user
from tests.module_fixtures import module_fixture
from tests.pages.forms import PageForm, forms_of
from tests.pages.things import Things, client_of, ready_things

pytestmark = pytest.mark.django_db


@module_fixture
def here() -> Things:
    return ready_things("spring")


# The only pages that other sites may show in a frame, and what is different there.
FRAMED = re.compile(r"/c/[^/]+/embed/")
LOOSE_FRAME = {"frame-ancestors": "*", "X-Frame-Options": None}
# Words of a policy that would let in what an attacker wrote.
LOOSE = ("unsafe-inline", "unsafe-eval", "unsafe-hashes", "*", "http:", "https:", "blob:", "strict-dynamic")
LINKS = ("href", "src", "action", "formaction", "srcset", "poster", "data", "hx-get", "hx-post", "xlink:href")
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "///evil.example",
    r"/\evil.example",
    r"\\evil.example",
    "http:evil.example",
    "https:/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "\x00//evil.example",
    " //evil.example",
    "/%09/evil.example/../..//evil.example",
    "https://testserver@evil.example/",
    "https://testserver.evil.example/",
    "ftp://testserver/",
)


class Markup(HTMLParser):
    """Parser that collects markup which a strict policy forbids, and the addresses in a page."""

    def __init__(self) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.links: list[str] = []
        self.open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        self.open = tag
        self.inline += [f"{tag} {name}" for name in at if name.startswith("on") or name == "style"]
        self.inline += [f"{tag} {name}" for name in at if name.startswith(("hx-on", "hx-vals", "hx-vars"))]
        if tag in {"style", "base", "object", "embed"}:
            self.inline.append(tag)
        if tag == "script" and not at.get("src") and at.get("type") != "application/json":
            self.inline.append("script without src")
        if tag == "meta" and at.get("http-equiv"):
            self.inline.append("meta http-equiv")
        found = [at[name] for name in LINKS if name in at]
        if at.get("type") == "application/json+oembed":  # whose readers know no page to start from
            found = [link.removeprefix("http://testserver") for link in found]
        self.links += found
        if at.get("target") == "_blank" and "noopener" not in at.get("rel", ""):
            self.inline.append("a target without noopener")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)


def own(link: str) -> bool:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return link.startswith("data:image/svg+xml")
    return not parts.scheme and not parts.netloc


def faults_of_answer(response, address: str, role: str) -> list[str]:
    """Return the faults of an answer's headers and markup."""
    is_framed = response.status_code == 200 and FRAMED.match(address)
    faults = faults_of_headers(response.headers, LOOSE_FRAME if is_framed else {})
    if role != "visitor" and not address.startswith(("/static/", "/worker.js")):
        faults += faults_of_keeping(response.headers)
    if "text/html" in response.get("Content-Type", ""):
        text = response.content.decode()
        faults += faults_of_markup(text)
        faults += [f"token of {form.action}" for form in forms_of(text, address) if is_loose(form)]
    return faults


def test_a_loose_answer_is_seen():
    page = """<form method="post" action="/new/"></form><script>x()</script><a href="//evil.example/">x</a>
        <form action="/new/"><input name="csrfmiddlewaretoken"></form>"""
    kept = HttpResponse(page, headers={"X-Frame-Options": "DENY", "Cache-Control": "private"})

    faults = faults_of_answer(kept, "/new/", "player")

    wanted = ["default-src", "X-Content-Type-Options", "no-store", "script without src", "//evil.example/"]
    assert [each for each in wanted if each not in faults] == []
    assert faults.count("token of /new/") == 2
    assert "X-Frame-Options" not in faults


TAG = re.compile(r"""<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>""")


@lru_cache(maxsize=2)  # each page is searched for its markup and for its links
def tags_of(text: str) -> list[str]:
    """Return each different tag once, or the whole page if a tag is not closed properly."""
    tags = TAG.findall(text)
    if len(tags) != len(re.findall("<[a-zA-Z]", text)):
        tags = [text]
    return list(dict.fromkeys(tags))


def faults_of_markup(text: str) -> list[str]:
    return [fault for tag in tags_of(text) for fault in faults_of_tags(tag)]


@lru_cache(maxsize=20_000)
def faults_of_tags(text: str) -> list[str]:
    markup = Markup()
    markup.feed(text)
    return markup.inline + [link for link in markup.links if not own(link)]


def is_loose(form: PageForm) -> bool:
    """Whether it goes to another host, sends its token by GET, or has none where one is needed."""
    tokenless = form.method == "get" or form.page == "set_language"
    return not own(form.action) or ("csrfmiddlewaretoken" in form.fields) == tokenless


def faults_of_keeping(headers) -> list[str]:
    """Return a fault if a shared cache could keep the page of a person who is signed in.

    The browser itself may keep pages that are made per version, because it asks each time (ETag).
    """
    control = {part.strip() for part in headers.get("Cache-Control", "").split(",")}
    return sorted({"private", "no-cache" if "ETag" in headers else "no-store"} - control)


def faults_of_headers(headers, instead: Mapping[str, str | None] = MappingProxyType({})) -> list[str]:
    """Return the faults. `instead`: the directives and headers of a page that other sites show in a frame."""
    policy = headers.get("Content-Security-Policy", "")
    directives = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.strip()}
    wanted = {
        "default-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
    wanted |= {name: [value] for name, value in instead.items() if name in wanted}
    found = [name for name, sources in wanted.items() if directives.get(name) != sources]
    strict = [name for name in directives if name not in instead]
    sources = [source.strip("'") for name in strict for source in directives[name]]
    found += [source for source in sources if source in LOOSE]
    exact = {
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }
    exact |= {name: value for name, value in instead.items() if name in exact}
    return found + [name for name, value in exact.items() if headers.get(name) != value]


def test_refusals_of_every_kind_carry_the_same_headers(here):
    checked = Client(enforce_csrf_checks=True)
    bad_host = Client(headers={"host": "evil.example"})
    answers = {
        400: bad_host.get("/"),
        403: client_of("stranger", here).get("/c/spring/manage/"),
        404: Client().get("/c/%00/"),
        405: Client().delete("/"),
        302: Client().get("/new/"),
    }
    assert {code: answer.status_code for code, answer in answers.items()} == {code: code for code in answers}
    answers[4031] = checked.post(reverse("login"), {"username": "x"})
    assert answers[4031].status_code == 403
    assert [fault for answer in answers.values() for fault in faults_of_headers(answer.headers)] == []


# --- cookies and sessions


def test_cookies_cannot_be_read_by_scripts_nor_sent_from_elsewhere(here):
    client = Client()
    client.get(reverse("login"))
    client.post(reverse("login"), {"username": here.club.alice.username, "password": PASSWORD})
    client.post(reverse("set_language"), {"language": "ja", "next": "/"})
    client.get("/")
    made = {name: (bool(c["httponly"]), c["samesite"], c["domain"]) for name, c in client.cookies.items()}
    names = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME}
    assert {name: made[name] for name in names} == dict.fromkeys(names, (True, "Lax", ""))


def test_a_session_from_before_signing_in_is_worth_nothing_after():
    person = user("zoe")
    client = Client()
    session = client.session
    session["planted"] = "yes"
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = before = session.session_key
    client.post(reverse("login"), {"username": person.username, "password": PASSWORD})
    after = client.cookies[settings.SESSION_COOKIE_NAME].value
    assert before != after
    thief = Client()
    thief.cookies[settings.SESSION_COOKIE_NAME] = before
    assert thief.get(reverse("password_change")).status_code == 302
    assert client.get(reverse("password_change")).status_code == 200
    client.post(reverse("logout"))
    thief.cookies[settings.SESSION_COOKIE_NAME] = after
    assert thief.get(reverse("password_change")).status_code == 302


# --- redirects


@pytest.mark.parametrize("there", ELSEWHERE)
def test_no_parameter_leads_to_another_host(there, here):
    organizer = client_of("organizer", here)
    key = "11111111-1111-4111-8111-111111111111"
    visibility = reverse("rounds:visibility", args=["spring", here.round])
    signing_in = {"username": here.club.alice.username, "password": PASSWORD, "next": there}
    answers = [
        Client().post(reverse("login"), signing_in),
        Client().post(reverse("login", query={"next": there}), signing_in | {"next": ""}),
        Client().post(reverse("set_language"), {"language": "ja", "next": there}),
        Client().post(reverse("set_language"), {"language": "ja"}, headers={"referer": there.strip("\x00")}),
        organizer.post(visibility, {"key": key, "visibility": "hidden", "next": there}),
        organizer.post(visibility, {"key": "bad", "next": there}),
        Client().post(visibility, headers={"referer": there.strip("\x00")}),
        organizer.post(reverse("logout"), {"next": there}),
    ]  # fmt: skip
    for answer in answers:
        assert answer.status_code == 302
        assert not leads_away(answer.url), answer.url


def leads_away(location: str) -> bool:
    """Read the address as a browser does: backslashes are slashes, and leading blanks and tabs inside do not
    count.
    """
    read = re.sub(r"[\t\r\n]", "", location.lstrip("".join(map(chr, range(33))))).replace("\\", "/")
    parts = urlsplit(read)
    return read.startswith("//") or (bool(parts.scheme) and parts.netloc != "testserver")
