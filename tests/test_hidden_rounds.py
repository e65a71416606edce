"""An unpublished round changes nothing that the public can read, on any page and in any file.

Every page of the URL configuration is read before and after a round is played in secret. Both must be the
same, byte for byte but for the revision. The staff look first, so that a page cached for them would be
noticed.
"""

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice

import openpyxl
import pytest
from django.urls import reverse

from league.models import Appointment, Round, Table
from league.models.publicity import WITHHELD
from league.organizing.competitions.services import update_competition
from league.play.results.services import confirm_result, record_result
from league.play.rounds.services import close_round, set_visibility
from league.ranking.stages.services import cut_stage
from league.referees.penalties.services.log import log_penalty
from scoring.cuts import Terms
from tests.factories import as_seen
from tests.module_fixtures import module_fixture
from tests.pages.rules import PAGES, RULES
from tests.pages.things import Things, client_of, ready_things
from tests.seeds import seeds

pytestmark = pytest.mark.django_db

PUBLIC = ("visitor", "stranger", "player")
SECRET = (53_700, 41_300, 19_800, 5_200)
CORRECTED = (53_800, 41_200, 19_800, 5_200)
REASON = "phoned during the hanchan"
QUERIES = ("", "?all=1&sort=-total")
# A stranger has no part in the competition, as visitors have none, but what is made for visitors is kept; a
# player has the pages of visitors and their own.
ASKED = {"visitor": QUERIES, "stranger": ("",), "player": ("",), "scorer": QUERIES}
# As files and pages write them; as words of their own, because keys and digests may hold any digits.
MARKS = ("53,700", "53800", "53,800", "41200", "41,200", "19800", "19,800", REASON)
FOUND = re.compile(rf"(?<![\w+/=-])(?:{'|'.join(MARKS)})(?![\w+/=-])".encode())
VARYING = {"ETag", "Content-Length", "Set-Cookie"}  # headers that change with anything in a page
CHANGING = re.compile(
    rb'data-revision="[rv0-9 ]+"|"revision": "[rv0-9 ]+"|[0-9a-f]{64}|[A-Za-z0-9]{64}'
    rb"|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9]+-[0-9A-Z]{5}-[0-9A-Z]{5}"  # codes of the audit log
    rb'|name="shown" value="[^"]+"'  # when a form was shown
)


@module_fixture
def here() -> Things:
    return ready_things("spring")


@dataclass(frozen=True)
class Page:
    status: int
    headers: bytes
    body: bytes

    @property
    def marks(self) -> set[str]:
        """Return the MARKS that a reader finds on the page."""
        return {mark.decode() for mark in FOUND.findall(self.headers + self.body)}

    def holds(self, words: str) -> bool:
        return words.encode() in self.headers + self.body


def readable(here: Things, queries: Iterable[str]) -> dict[str, list[str]]:
    """Return the addresses that take no form, by page, with one file of each kind.

    Pages that name no competition are read once, because no query leads from them to a result.
    """
    found = {}
    for name in PAGES:
        if "visitor" not in RULES[name] or name in {"people:signup", "people:invitation"}:
            continue
        wanted = PAGES[name]
        kinds = ("csv", "xlsx", "json") if "fmt" in wanted else ("",)
        arguments = here.arguments(name)
        addresses = [
            reverse(name, kwargs=arguments | ({"fmt": kind} if kind else {})) + query
            for kind in kinds
            for query in (queries if "slug" in wanted else ("",))
        ]
        entrants = here.club.competition.entrants.order_by("pk")
        everything = {
            # One of those with a secret result, of another table, of those who sit nowhere, of open play.
            "standings:player": [entrants[1], entrants[4], entrants[8], entrants[12]],
            "rounds:round": Round.objects.all(),
            "results:table": Table.objects.all(),
        }
        slug = here.club.slug
        addresses += [reverse(name, kwargs={"slug": slug, "pk": one.pk}) for one in everything.get(name, ())]
        found[name] = addresses
    return found


def read(role: str, here: Things, queries: Iterable[str] = ()) -> dict[str, Page]:
    """Address → what this person gets there."""
    return dict(answers(role, here, queries))


def answers(role: str, here: Things, queries: Iterable[str] = ()) -> Iterator[tuple[str, Page]]:
    client = client_of(role, here)
    for addresses in readable(here, queries or ASKED[role]).values():
        for address in addresses:
            response = client.get(address)
            body = response.content
            if body[:4] == b"PK\x03\x04":
                body = cells(body)
            headers = "\n".join(value for name, value in response.headers.items() if name not in VARYING)
            yield address, Page(response.status_code, headers.encode(), CHANGING.sub(b"", body))


@cache  # a file is kept, and the same for all of the public
def cells(workbook: bytes) -> bytes:
    """Return every row of every sheet except the time and revision of the file."""
    book = openpyxl.load_workbook(io.BytesIO(workbook), read_only=True)
    rows = [row for sheet in book for row in sheet.iter_rows(values_only=True)]
    kept = [row for row in rows if "Revision" not in row and not any(isinstance(c, datetime) for c in row)]
    return "\n".join(map(repr, kept)).encode()


def play(here: Things, round_: Round) -> None:
    """Results, a correction, a confirmation and a penalty."""
    spring = here.club
    table = spring.table(round_.number)
    record_result(table=table, points=SECRET, based_on=0, by=spring.charlie)
    record_result(**as_seen(table), points=CORRECTED, reason="typed 537 for 538", by=spring.charlie)
    confirm_result(**as_seen(table), by=spring.bob)
    log_penalty(
        stage=spring.stage,
        round_=round_,
        table=table,
        player_id=spring.players[1].pk,
        score=-333,
        reason=REASON,
        by=spring.bob,
    )


def changed(before: dict[str, Page], after: Iterable[tuple[str, Page]]) -> Iterator[str]:
    """Return the addresses with another answer than before. A new address counts only if it answers now."""
    for address, page in after:
        was = before.get(address, Page(404, "", b""))
        same = page.status == was.status and (page.status != 200 or page.body == was.body)
        if not same and "/revision/" not in address:
            yield address


@pytest.mark.slow  # reads every page six times; below, all are read once for what only staff may see
@pytest.mark.parametrize("visibility", WITHHELD[Round]["visibility"])
def test_results_that_are_not_published_change_nothing_for_the_public(visibility, here):
    """Nor is a hidden round there at all: before stands for the time when there was none."""
    made = here.club.add_round(visibility=visibility) if visibility == "seating" else None
    before = {role: read(role, here) for role in PUBLIC}
    if made is None:
        made = here.club.add_round(visibility=visibility)
        assert [*changed(before["visitor"], answers("visitor", here, [""]))] == []

    play(here, made)

    staff = read("scorer", here)
    assert set().union(*(page.marks for page in staff.values())) == set(MARKS)  # there is something to leak
    assert any(f"/rounds/{made.pk}/".encode() in page.body for page in staff.values())
    for role in PUBLIC:
        after = read(role, here)
        assert [*changed(before[role], after.items())] == [], role
        assert {address: page.marks for address, page in after.items() if page.marks} == {}, role
    set_visibility(round_=made, visibility="results", by=here.club.alice)
    assert len([*islice(changed(before["visitor"], answers("visitor", here, [""])), 11)]) == 11


@pytest.mark.slow
def test_a_round_that_is_published_when_complete_changes_nothing_for_the_public_before(here):
    spring = here.club
    update_competition(
        competition=spring.competition, values={"release": "complete", "counting": "entered"}, by=spring.alice
    )
    made = spring.add_round(visibility="seating")
    before = {role: read(role, here, [""]) for role in PUBLIC}

    play(here, made)

    for role in PUBLIC:
        assert [*changed(before[role], answers(role, here, [""]))] == [], role
    for table in made.tables.exclude(number=1):
        record_result(
            table=spring.table(made.number, table.number), points=SECRET, based_on=0, by=spring.charlie
        )
    shown = read("visitor", here, [""])
    assert set().union(*(page.marks for page in shown.values())) >= {"53,800", "41,200"}


@pytest.mark.slow  # reads every page four times
def test_a_cut_made_from_hidden_results_changes_nothing_for_the_public(here):
    spring = here.club
    Appointment.objects.all().delete()  # a cut waits for what is to be made up
    spring.competition.penalties.filter(status="requested").update(status="in_force")  # and a close for this
    close_round(round_=spring.rounds[0], by=spring.alice)
    made = spring.add_round(visibility="hidden")
    play(here, made)
    close_round(round_=made, by=spring.alice)
    before = {role: read(role, here) for role in ("visitor", "player")}
    final = cut_stage(
        source=spring.stage,
        name="Secret final",
        terms=Terms(top=4, head_starts=(777,)),
        carry="half",
        hanchan=2,
        seated=True,
        by=spring.alice,
    )
    address = f"/c/spring/standings/main/{final.slug}/"
    named = {"slug": "spring", "division": "main", "stage": final.slug}
    downloads = [
        reverse("interchange:standings", kwargs=named | {"fmt": fmt}) for fmt in ("csv", "json", "xlsx")
    ]

    scorer = client_of("scorer", here)
    assert "77.7" in scorer.get(address).content.decode()
    assert {scorer.get(f"{each}?all=1").status_code for each in downloads} == {200}
    for role in ("visitor", "player"):
        client = client_of(role, here)
        assert [*changed(before[role], answers(role, here))] == [], role
        assert {client.get(each).status_code for each in (address, *downloads)} == {404}
    set_visibility(round_=made, visibility="results", by=spring.alice)
    assert "77.7" in client_of("visitor", here).get(address).content.decode()
    assert {client_of("visitor", here).get(each).status_code for each in downloads} == {200}


@pytest.mark.parametrize("role", PUBLIC)
def test_the_addresses_of_a_hidden_round_lead_nowhere(role, here):
    made = here.club.add_round(visibility="hidden")
    table = here.club.table(made.number)
    client = client_of(role, here)
    addresses = (f"rounds/{made.pk}/", f"rounds/{made.pk}/?view=public", f"tables/{table.pk}/")
    assert {client.get(f"/c/spring/{address}").status_code for address in addresses} == {404}
    assert {client_of("scorer", here).get(f"/c/spring/{a}").status_code for a in addresses} == {200, 404}


@pytest.mark.parametrize("role", seeds(PUBLIC))
def test_who_asks_for_what_is_hidden_by_its_number_learns_nothing(role, here):
    made = here.club.add_round(visibility="hidden")
    play(here, made)
    numbers = (f"round={made.pk}", f"table={here.club.table(made.number).pk}")
    queries = numbers if role == "visitor" else ("&".join(numbers),)  # others have the same views
    pages = read(role, here, [f"?{query}" for query in queries])
    assert {address: page.marks for address, page in pages.items() if page.marks} == {}


@pytest.mark.parametrize("role", PUBLIC)
def test_a_published_seating_shows_seats_and_no_result(role, here):
    made = here.club.add_round(visibility="seating")
    play(here, made)
    client, table = client_of(role, here), here.club.table(made.number)
    for address in (f"/c/spring/rounds/{made.pk}/", f"/c/spring/tables/{table.pk}/"):
        page = client.get(address).content.decode()
        assert here.club.players[0].name in page
        assert [mark for mark in (*MARKS, "33.3") if mark in page] == []
    assert "53,800" in client_of("scorer", here).get(f"/c/spring/tables/{table.pk}/").content.decode()
