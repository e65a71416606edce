"""No input gives a 500, and none reaches another competition: every page × who may use it × bad values.

The pages come from the URL configuration, the fields from the forms that the pages show. A submission is made
that would be saved, then broken in one or a few places: so the bad value gets as far as it can. The stream is
the same each time; BAD_INPUT_SEED and BAD_INPUT_TIMES in the environment ask for another, and for more. On
PostgreSQL each page gets what it alone refuses, in every parameter and field: a NUL, a number of more than
its columns hold. After each request that writes, before it is undone, the other competition is compared.
"""

import io
import os
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from unittest.mock import patch
from urllib.parse import urlencode, urlsplit
from wsgiref.util import setup_testing_defaults

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.signals import request_started
from django.db import close_old_connections, connection, transaction
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import reverse
from django.utils import timezone

from league.interchange.exports.competition_file import competition_json
from league.models import Competition, Entrant, Presence, Role, RuleSet, Seat, Sheet
from league.penalty_rules.services import save_entry
from league.wsgi import application, tidy
from scoring.units import WINDS
from tests.factories import PASSWORD
from tests.pages import (
    OWNERS,
    PAGES,
    RULES,
    TABLES,
    PageForm,
    Things,
    addresses,
    client_of,
    facts_of,
    forms_of,
    ready_things,
)

pytestmark = pytest.mark.django_db

SITE = ("login", "password_change", "set_language", "logout", "healthz")
SEED = os.environ.get("BAD_INPUT_SEED", "")
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

GOOD = {  # what is typed into the fields that a page leaves empty
    "east": "450",
    "south": "350",
    "west": "250",
    "north": "150",
    "sticks": "0",
    "reason": "typed 207 for 270",
    "name": "Spring cup",
    "league_name": "Club of tests",
    "username": "zoe",
    "password1": "nine-gates-77",
    "password2": "nine-gates-77",
    "new_password1": "nine-gates-77",
    "new_password2": "nine-gates-77",
    "old_password": PASSWORD,
    "password": PASSWORD,
    "deduction": "2",
    "text": "Name\tCountry\tEMA\nFrodo\tHK\t12\nSam\tJP\t13",
    "seating": "p5,p6,p7,p8\np9,p10,p11,p12",
    "language": "ja",
    "note": "for Eve",
    "code": "H-9",
    "name_en": "Singing at the table",
    "article": "House rules 5",
    "c0-condition_en": "out of tune",
    "c0-least": "2",
    "subject": "Was it called in time?",
    "since": "2026-11-20",
    "said": "East says that it was.",
    "meets_at": "2199-05-03T19:30",
    "place": "club room",
    "typed": "2026-05-03",
    "decided": "It was called in time.",
}
FORM = "application/x-www-form-urlencoded"
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


@pytest.fixture(scope="module", autouse=True)
def world(make_once: Callable[..., Callable[[], World]]) -> World:
    """Made once, and not copied: requests change the database alone."""

    def make() -> World:
        here, there = ready_things("spring"), ready_things("autumn")
        there.club.add_round(visibility="hidden")  # for what would publish more than its own
        return World(here, there, facts_of(there.club.competition))

    return make_once(make)()


@pytest.fixture
def here(world: World) -> Things:
    return world.here


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


SHOWN_ON = {  # where the forms of a page are that has none of its own
    "calendar:feed_renew": ["calendar:feeds"],
    "open_play:remove": ["results:table"],
    "open_play:presence": ["open_play:evening"],
    "open_play:guest": ["open_play:evening"],
    "open_play:fee": ["open_play:evening"],
    "open_play:draw": ["open_play:evening"],
    "calendar:agree": ["calendar:table_time"],
    "calendar:set_time": ["calendar:table_time"],
    "calendar:postpone": ["calendar:table_time"],
    "calendar:restore": ["calendar:table_time"],
    "teams:remove": ["teams:edit"],
    "teams:deadline": ["teams:round"],
    "teams:seat_line_ups": ["teams:round"],
    "penalty_rules:rename": ["penalty_rules:house_rule"],
    "penalty_rules:remove": ["penalty_rules:house_rule"],
    "penalty_rules:entry_remove": ["penalty_rules:entry"],
    "penalty_rules:entry_supersede": ["penalty_rules:entry"],
    "calls:take": ["calls:index"],
    "calls:done": ["calls:index"],
    "calls:clock_start": ["rounds:round"],
    "penalties:undo": ["penalties:desk"],
    "penalties:decide": ["penalties:desk"],
    "penalties:table_hand": ["penalties:desk"],
    "disputes:step": ["disputes:dispute"],
    "disputes:close": ["disputes:dispute"],
    "disputes:revoke": ["disputes:dispute"],
    "disputes:evidence_new": ["disputes:dispute"],
    "roster:preview": ["roster:import"],
    "results:confirm": ["results:table"],
    "results:undo": ["results:table"],
    "rounds:status": ["competitions:manage", "rounds:round"],
    "rounds:visibility": ["competitions:manage", "rounds:round"],
    "rounds:publish": ["competitions:manage"],
    "rounds:delete": ["seating:by_hand", "competitions:manage"],
    "people:role_new": ["people:index"],
    "people:role_revoke": ["people:index"],
    "people:invitation_new": ["people:index"],
    "people:invitation_withdraw": ["people:index"],
    "roster:withdraw": ["roster:edit"],
    "roster:reinstate": ["roster:edit"],
    "roster:remove": ["roster:edit"],
    "substitutions:swap": ["substitutions:round"],
    "substitutions:exchange": ["substitutions:round"],
    "seating:search": ["seating:plan"],
    "seating:accept": ["seating:plan"],
    "seating:drop": ["seating:plan"],
    "substitutions:substitute": ["substitutions:seat"],
    "substitutions:return": ["substitutions:seat"],
    "substitutions:forfeit": ["substitutions:seat"],
    "substitutions:entrant_substitute": ["substitutions:absence"],
    "substitutions:back": ["substitutions:absence"],
    "substitutions:adjustment_revoke": ["substitutions:absence"],
}
_READ: dict[tuple[str, str, str], list[PageForm]] = {}
_TAKES: dict[str, set[str]] = {}
TYPED_OVER = {  # where what a page is filled with would be refused
    "results:correct": {"east": "440", "south": "360"},
    "people:role_new": {"username": "bob-spring"},
    "teams:paste": {"teams": "Reds, p9"},
    "teams:penalty_new": {"score": "20"},
    "login": {"username": "alice-spring"},
}


def forms_on(address: str, here: Things, role: str) -> list[PageForm]:
    """The forms that this person finds there. Read once: every test finds the pages as they were."""
    asked = (here.invitation.token, role, address)
    if asked not in _READ:
        response = client_of(role, here).get(address)
        is_page = response.status_code == 200 and "html" in response["Content-Type"]
        _READ[asked] = forms_of(response.content.decode(), address) if is_page else []
    return _READ[asked]


def submissions(name: str, here: Things, role: str) -> list[tuple[str, dict[str, list[str]], list[str]]]:
    """(address, fields, fields of files) of every form that the page takes, wherever it is shown."""
    shown_on = SHOWN_ON.get(name, [name] if name in PAGES else [])
    forms = [form for page in shown_on for at in addresses(page, here) for form in forms_on(at, here, role)]
    found = [form for form in forms if form.method == "post" and form.page == name]
    guess = {n: [v] for n, v in (GOOD | chosen(name, here)).items()} | {
        "key": [str(uuid.uuid4())],
        "next": ["/"],
        "based_on": ["1"],
    }
    own = reverse(name, kwargs=here.arguments(name)) if name in PAGES else reverse(name)
    sent = [(form.action, fields, form.files) for form in found for fields in form.presses]
    sent.append((own, guess, []))
    return [(address, typed(name, fields, here), files) for address, fields, files in sent]


def chosen(name: str, here: Things) -> dict[str, str]:
    """Who and what is chosen, where a form begins with no one; at the second table, where all is quiet."""
    players = [str(player.pk) for player in here.club.players]
    names = (player.name for player in here.club.players[12:])
    return {
        "results:slip": {f"name_{wind}": name for wind, name in zip(WINDS, names, strict=False)},
        "substitutions:swap": {"player": players[6], "other_player": players[7]},
        "open_play:new_table": dict(
            zip(WINDS, [player.pk for player in here.club.players[12:]], strict=True)
        ),
        "calendar:agree": {"player": "all"},
        "accounts:email": {"password": PASSWORD},
        "penalty_rules:entry_supersede": {"code": "H-1", "by_code": "H-2"},
        "rounds:publish": {"round": str(here.round)},
        "accounts:device_remove": {"password": PASSWORD},
        "substitutions:substitute": {"substitute": players[9], "score": "-30"},
        "substitutions:forfeit": {"score": "-30"},
        "substitutions:absence": {"round": str(here.round), "kind": "sat_out", "score": "2.5"},
    }.get(name, {})


def typed(name: str, fields: dict[str, list[str]], here: Things) -> dict[str, list[str]]:
    """The fields as a person who means well would send them."""
    over = TYPED_OVER.get(name, {}) | chosen(name, here)
    return {
        field: [over[field]] if field in over else values if any(values) else [GOOD.get(field, "")]
        for field, values in fields.items()
    }


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


def roles_for(name: str) -> list[str]:
    """The least of those who may use the page, and the greatest."""
    if name not in RULES:
        return ["visitor", "player"]
    order = ("visitor", "stranger", "player", "scorer", "referee", "organizer", "administrator")
    allowed = [role for role in order if role in RULES[name]]
    return list(dict.fromkeys([allowed[0], allowed[-1]]))


def own_addresses(name: str, here: Things) -> list[str]:
    return addresses(name, here) if name in PAGES else [reverse(name)]


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


# Answered by the next step.
NO_FORM = {
    *("competitions:division_rules", "competitions:division_rules_edit", "competitions:division_rules_move"),
    *("roster:import", "roster:preview", "interchange:import"),
    # Refused as things are: a dispute is open at one of two tables, and no one sits for someone else.
    *("substitutions:exchange", "substitutions:return", "substitutions:back"),
    "calls:withdraw",  # the table has not called
    # The organizer proposes and agrees, no referee; and takes nothing back for players.
    *("calendar:table_time", "calendar:disagree"),
    "open_play:settings",  # has its rounds
    "accounts:first",  # accounts exist
    *("accounts:app_new", "accounts:passkey_new", "accounts:codes"),  # show what they made
    *("personal_data:own", "personal_data:erase"),  # want the password, a tick
    *("personal_data:own_file", "personal_data:player_file"),  # answer with a file
    # need closed rounds, equals at the line, a stage with a cut
    *("stages:cut", "stages:team_cut", "stages:lots", "stages:undo"),
    "competitions:finish",  # needs closed rounds
    "teams:season",  # needs eight teams and no seated round
    *("seasons:movement", "seasons:end", "seasons:play_off"),  # need two divisions, a season that is over
}


def take_post(here: Things) -> set[str]:
    """The pages that take a form. Asked once, as ``forms_on``."""
    takes = _TAKES.setdefault(here.invitation.token, set())
    for name in PAGES if not takes else ():
        client = client_of(roles_for(name)[-1], here)
        with transaction.atomic():
            if client.post(reverse(name, kwargs=here.arguments(name))).status_code != 405:
                takes.add(name)
            transaction.set_rollback(True)
    return takes


@pytest.mark.one_database
def test_unbroken_the_submissions_are_saved(world, settings):
    """Otherwise bad values would not get past the first check. Each page is tried alone, and undone."""
    settings.OPEN_SIGNUP = True
    takes = take_post(world.here)
    assert takes >= NO_FORM
    assert takes >= NO_FACT
    saved = {name for name in takes - NO_FORM if is_saved(name, world)}
    assert takes - NO_FORM - saved == NO_FACT


# Writes of the person or the browser only.
NO_FACT = {
    *("accounts:device_remove", "accounts:email", "accounts:second", "accounts:security_allow"),
    *(
        "accounts:session_end",
        "accounts:sessions_end",
        "people:role_allow",
        "people:signup",
        "seating:my_seat",
    ),
}


def with_hidden_round(here: Things) -> Things:
    return replace(here, round=here.club.add_round(visibility="hidden").pk)


def with_clock(here: Things) -> Things:
    rule_set = here.club.division.rule_set
    RuleSet.objects.filter(pk=rule_set.pk).update(values=rule_set.values | {"minutes": 75, "extra_hands": 1})
    return with_hidden_round(here)


def with_newcomer(here: Things) -> Things:
    """Who sits nowhere."""
    here.club.add_players(1)
    player = here.club.players.pop()
    return replace(here, entrant=here.club.competition.entrants.get(player=player).pk)


def withdrawn(here: Things) -> Things:
    Entrant.objects.filter(pk=here.entrant).update(withdrawn_at=timezone.now())
    return here


def entered_by_bob(here: Things) -> Things:
    Sheet.objects.filter(table=here.table, is_current=True).update(
        status=Sheet.Status.ENTERED, entered_by=here.club.bob, confirmed_by=None, confirmed_at=None
    )
    return here


def entered_now(here: Things) -> Things:
    """A result can be undone for some seconds."""
    Sheet.objects.filter(table=here.table, is_current=True).update(entered_at=timezone.now())
    return here


def four_who_came(here: Things) -> Things:
    for entrant in Entrant.objects.filter(division__stages=here.loose_stage):
        Presence.objects.create(stage_id=here.loose_stage, day=timezone.localdate(), entrant=entrant)
    return here


def with_second_entry(here: Things) -> Things:
    own, code = here.club.league.catalogues.get(), "H-2"
    save_entry(own=own, entry={**own.entries[0], "code": code}, seen="", by=here.club.alice)
    return here


# What a page waits for, where it is not so.
PREPARED: dict[str, Callable[[Things], Things]] = {
    "calls:clock_start": with_clock,
    "open_play:draw": four_who_came,
    "penalty_rules:entry_supersede": with_second_entry,
    "results:confirm": entered_by_bob,
    "results:undo": entered_now,
    "roster:reinstate": withdrawn,
    "roster:remove": with_newcomer,
    "rounds:delete": with_hidden_round,
    "rounds:publish": with_hidden_round,
}
# Others may open the page, and are asked for something first: the code of the table, a seat there.
SAVED_BY = {"calls:call": "player", "results:own": "player"}


def let_dora_enter_her_own(here: Things) -> None:
    """She plays at the table that was made up, and another player has to confirm what she enters."""
    player = Seat.objects.filter(table=here.loose_table).first().player
    Role.objects.filter(user=here.club.dora).update(player=player)
    Competition.objects.filter(pk=here.club.competition.pk).update(counting=Competition.Counting.CONFIRMED)


def is_saved(name: str, world: World) -> bool:
    # What a page waits for changes the forms of others.
    with transaction.atomic(), patch.dict(_READ, clear=name in PREPARED):
        let_dora_enter_her_own(world.here)
        here = PREPARED.get(name, lambda here: here)(world.here)
        hostile = Hostile(SAVED_BY.get(name, roles_for(name)[0]), world)
        saved = any(
            hostile.post(address, urlencode(fields, doseq=True).encode(), FORM) == 302
            and hostile.written - {"league.Competition"}  # which a change locks before it may be refused
            for address, fields, _files in submissions(name, here, hostile.role)
        )
        transaction.set_rollback(True)
    assert hostile.failed == []
    return saved


TYPED = {
    "place",
    "name",
    "romanized",
    "club",
    "numbers",
    "league_name",
    "division_names",
    "reason",
    "note",
    "username",
} | {
    *("subject", "said", "place"),
    *("name_en", "article", "c0-condition_en"),
}


@pytest.mark.one_database
def test_no_form_saves_a_character_that_cannot_be_seen(world, settings):
    settings.OPEN_SIGNUP = True
    saved, tried = [], set()
    for name in sorted(take_post(world.here) - NO_FORM):
        hostile = Hostile(roles_for(name)[-1], world)
        for address, fields, _files in submissions(name, world.here, hostile.role)[:-1]:
            for field, bad in product(TYPED & set(fields), ("a\u202eb", "a\0b")):
                body = urlencode(fields | {field: [bad]}, doseq=True).encode()
                tried.add(field)
                if hostile.post(address, body, FORM) == 302:
                    saved.append((name, field, bad))
    assert saved == []
    assert tried >= TYPED - {"username", "league_name", "divisions"}


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


@pytest.mark.one_database
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


@pytest.mark.one_database
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


@pytest.mark.one_database
def test_addresses_that_lead_nowhere(here):
    client = Door(raise_request_exception=False)
    methods = (client.get, client.head, client.post, client.put, client.delete, client.options, client.trace)
    answers = {(address[:40], send(address).status_code) for address in NOWHERE for send in methods}
    assert {status for _address, status in answers} <= {404, 405, 403, 301}, answers
