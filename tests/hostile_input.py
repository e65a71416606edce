"""Two competitions, and people of one of them who send what is broken: the other must stay as it is."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from urllib.parse import urlencode, urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from league.organizing.interchange.exports.competition_file import competition_json
from league.wsgi import tidy
from tests.pages.facts import TABLES, facts_of
from tests.pages.things import Things, client_of, ready_things
from tests.submissions import FORM, forms_on, own_addresses, submissions

TIMES = int(os.environ.get("BAD_INPUT_TIMES", "1"))
GETS, POSTS = 3 * TIMES, 6 * TIMES  # of each page, shared among its roles

PARAMETERS = (
    *("sort", "page", "table", "player", "round", "how", "next", "all", "division", "stage", "view", "as"),
    *("a", "b", "q", "state", "action", "person", "seed", "out", "east", "south", "west", "north", "sticks"),
    *("hand", "win", "dora", "ura", "rules", "riichi", "honba", "last", "chankan", "dealer_wins"),
    *("top", "first", "source", "picked", "carry", "hanchan", "seated", "head_starts", "wild_card_by"),
    *("set", "differences", "sources", "dispute", "code", "base", "offence", "by"),
    *("draw", "from", "lang", "paper", "period", "r", "seat", "show", "tables", "tick", "when"),
)
TEXTS = (
    "",
    " ",
    "x",
    "0",
    "-1",
    "1.5",
    "1e309",
    "NaN",
    "9" * 18,
    "9" * 19,  # more than 64 bits hold
    str(2**31),
    "-" + "9" * 40,
    "9" * 5_000,  # more than Python turns into a number
    "\0",
    "a\0b",
    "陳\0",
    "😀" * 30,
    "٣٤",
    "２８７",
    "²",
    "①",
    "x" * 10_000,
    "一" * 10_000,
    "[]",
    '{"a": [1]}',
    "' OR 1=1 --",
    "%s%(name)s{0}{name}",
    "{{ 7|add:7 }}{% debug %}",
    "<script>alert(1)</script>",
    "\u202egnirts",
    "\r\nX-Evil: 1",
    "../../etc/passwd",
    "//evil.example/",
    "None",
    "1\n2",
    "2026-13-45",
    "9999-12-31",
    "10000-01-01",
    "00000000-0000-0000-0000-000000000000",
    "\ufeff1",
    "-created",
    "player,rank,-total",
)
REFUSED_THERE = ("9" * 18, "9" * 19, str(2**31), "-" + "9" * 40, "\0", "a\0b", "陳\0")
BYTES = (b"%ED%A0%80", b"%FF%FE", b"%00", b"%", b"%u0041", b"a%C0%80b")  # surrogates, no UTF-8, no escapes
BODIES = (
    (b"{}", "application/json"),
    (b"", FORM),
    (b"key=" + b"x" * 100, "application/x-www-form-urlencoded; charset=utf-16"),
    (b"--x\r\nContent-Disposition: form-data; name=key\r\n", "multipart/form-data; boundary=x"),
    (b"no part at all", "multipart/form-data; boundary=x"),
    (b"--x--", "multipart/form-data"),
    (b"\0\xff\xfe", "multipart/form-data; boundary=\xff"),
    (b"a=1&" * 2_000, FORM),
    (b"<a/>", "text/xml; charset=nonsense"),
)
CHARSETS = ("unicode_escape", "raw_unicode_escape", "utf-16", "utf-7", "base64", "idna", "punycode", "rot13")


@dataclass
class World:
    """Two competitions, and the facts of the one that stays as it is."""

    here: Things
    there: Things
    facts_there: dict[str, tuple[int, str]]

    def reached(self, kinds: set[str]) -> list[str]:
        """What is not as it was in the competition that stays as it is, of these kinds of facts."""
        now = facts_of(self.there.club.competition, kinds)
        return sorted(kind for kind, facts in now.items() if facts != self.facts_there[kind])


def make_world() -> World:
    here, there = ready_things("spring"), ready_things("autumn")
    there.club.add_round(visibility="hidden")  # for what would publish more than its own
    return World(here, there, facts_of(there.club.competition))


class Door(Client):
    """A test client that comes in as from the network: through what is in front of Django."""

    def request(self, **request):
        return super().request(**tidy(request))


@contextmanager
def written_kinds() -> Iterator[set[str]]:
    """The kinds of facts that are written within, in any competition."""
    kinds: set[str] = set()

    def watch(execute, sql, params, many, context):
        if not sql.startswith(("SELECT", "SAVEPOINT", "RELEASE", "ROLLBACK")):
            kinds.update(name for table, name in TABLES.items() if f'"{table}"' in sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield kinds


def on_postgresql() -> bool:
    return connection.vendor == "postgresql"


class Hostile:
    """One person who may use a page, and what they send; every answer below 500."""

    def __init__(self, role: str, world: World, seed: str = "") -> None:
        self.role = role
        self.world = world
        self.client = Door(raise_request_exception=False)
        self.client.cookies = client_of(role, world.here).cookies
        self.random = Random(seed)
        self.answers: Counter[int] = Counter()
        self.written: set[str] = set()  # by the last request, also what was undone because it was refused
        self.failed: list[str] = []

    def text(self) -> str:
        return self.random.choice(REFUSED_THERE if on_postgresql() else TEXTS)

    def get(self, address: str) -> int:
        return self._send("GET", address)

    def post(self, address: str, body: bytes = b"", content_type: str = FORM) -> int:
        """Send it, and undo what it saved: so that the next one finds the page as it was."""
        with transaction.atomic():
            status = self._send("POST", address, body, content_type)
            transaction.set_rollback(status < 400)
        return status

    def _send(self, method: str, address: str, *body: bytes | str) -> int:
        with written_kinds() as kinds:
            response = self.client.generic(method, address, *body)
        self.written = kinds
        status, why = response.status_code, ""
        self.answers[status] += 1
        if status >= 500:
            why = repr((getattr(response, "exc_info", None) or ["", ""])[1])
        elif kinds and (reached := self.world.reached(kinds)):
            why = f"changes {reached} of another competition"
        if why:
            self.failed.append(f"{self.role} {method} {address[:200]} {str(body)[:600]} → {status}: {why}")
        return status

    def query(self) -> str:
        names = self.random.sample(PARAMETERS, self.random.randint(1, 6))
        pairs = [(name + self.random.choice(("", "", "[]", "__in")), self.text()) for name in names]
        query = urlencode(pairs + pairs[:1], errors="surrogatepass")
        return f"{query}&{self.random.choice(PARAMETERS)}={self.random.choice(BYTES).decode()}"

    def broken(self, fields: dict[str, list[str]], others: list[str]) -> list[tuple[str, str]]:
        """These fields with one to three of them missing, doubled, bad, or another competition's id."""
        fields = {name: list(values) for name, values in fields.items()}
        for name in self.random.sample(sorted(fields), min(len(fields), self.random.choice((1, 1, 1, 2, 3)))):
            how = self.random.randrange(10)
            if how == 0:
                del fields[name]
            elif how == 1:
                fields[name] += [self.text(), *fields[name]]
            elif how == 2:
                fields[name] = [self.random.choice(others)]
            elif how == 3:
                fields[name + "[]"] = fields.pop(name)
            else:
                fields[name] = [self.text()]
        return [(name, value) for name, values in fields.items() for value in values]


def ids_of(there: Things) -> list[str]:
    """What could be named of another competition."""
    numbers = [there.round, there.table, there.entrant, there.penalty, there.role, there.invitation.pk]
    numbers += [there.club.stage.pk, there.club.division.pk, there.club.league.pk]
    numbers += [player.pk for player in there.club.players]
    return [*map(str, numbers), there.club.slug, there.club.alice.username, there.invitation.token]


def multipart(pairs: list[tuple[str, str]], files: dict[str, bytes], charset: str = "") -> tuple[bytes, str]:
    data: dict[str, object] = {}
    for name, value in pairs:
        data.setdefault(name, []).append(value)  # type: ignore[attr-defined]
    for name, content in files.items():
        data[name] = SimpleUploadedFile("a\u202e.json", content)
    return encode_multipart(BOUNDARY, data), MULTIPART_CONTENT + (f"; charset={charset}" if charset else "")


def files_of(hostile: Hostile, here: Things) -> bytes:
    """A competition file or a list of players with something broken in it; or no file at all."""
    good = competition_json(here.club.competition).encode()
    cut = hostile.random.randrange(len(good))
    return hostile.random.choice(
        (
            good,
            b"",
            b"\0" * 100,
            b"\xff\xfe\x00\xd8",
            b"PK\x03\x04broken",
            b"[" * 100_000,
            b'{"a":' * 50_000,
            b"9" * 5_000,
            b'{"format": 1e999}',
            good[:cut],
            good[:cut] + b'"\\ud800"' + good[cut:],
            good.replace(b'"', b'"\\ud800', 9),
            good.replace(b"45000", b"9" * 30),
            good.replace(b"1", b"9" * 30),
            "Name\n陳\0大文\n\ud800".encode(errors="surrogatepass"),
        )
    )


def fill_with_refused(hostile: Hostile, name: str) -> None:
    """Of each parameter and field one value that PostgreSQL refuses.

    In a form, numbers and all else are broken apart: a number that names nothing often ends the request.
    """
    here = hostile.world.here
    own = own_addresses(name, here)[0]
    query = urlencode([(parameter, hostile.text()) for parameter in PARAMETERS])
    hostile.get(f"{own}?{query}")
    for form in forms_on(own, here, hostile.role):
        for field, value in form.fields.items():  # each alone: another bad one would end the search before it
            if form.method == "get" and form.page == name and value == [""]:
                found = urlencode(form.fields | {field: ["\0"]}, doseq=True)
                hostile.get(f"{urlsplit(form.action).path}?{found}")
    if hostile.post(own) == 405:
        return
    *forms, guess = submissions(name, here, hostile.role)
    sent = set()
    for address, fields, _files in forms or [guess]:
        numbers = {
            field for field, values in fields.items() if any(str(value).isdecimal() for value in values)
        }
        texts = fields.keys() - numbers - {"key", "based_on"}
        for names in filter(None, (numbers, texts)):
            if (chosen := (urlsplit(address).path, *sorted(names))) not in sent:
                sent.add(chosen)
                body = urlencode(fields | {field: [hostile.text()] for field in sorted(names)}, doseq=True)
                hostile.post(address, body.encode(), FORM)


def attack(hostile: Hostile, name: str, part: slice) -> None:
    here = hostile.world.here
    own = own_addresses(name, here)
    for _ in range(GETS)[part]:
        if hostile.get(f"{urlsplit(hostile.random.choice(own)).path}?{hostile.query()}") == 405:
            break
    if hostile.post(own[0]) == 405:
        return
    forms, others = submissions(name, here, hostile.role), ids_of(hostile.world.there)
    for number in range(POSTS)[part]:
        address, fields, files = forms[number % len(forms)]
        pairs = hostile.broken(fields, others)
        if number % 6 == 5:
            hostile.post(address, *hostile.random.choice(BODIES))
        elif files or number % 6 == 4:
            uploads = {field: files_of(hostile, here) for field in files}
            hostile.post(address, *multipart(pairs, uploads, hostile.random.choice(CHARSETS)))
        else:
            hostile.post(address, urlencode(pairs).encode(), FORM)
