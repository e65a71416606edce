"""What a competition does not show of its penalties is on no page and in no file of the public.

Every page of the URL configuration is read by people who are not staff, as the setting says: all, counts,
scores. The staff look first: nothing made for them may be kept for others.
"""

import pytest
from django.urls import reverse

from league.models import Penalty
from league.organizing.competitions.services import update_competition
from league.referees.penalties.services.decisions import revoke_penalty
from league.referees.penalties.services.log import log_offence, log_penalty
from tests.module_fixtures import module_fixture
from tests.pages.things import Things, client_of, ready_things
from tests.seeds import seeds
from tests.test_hidden_rounds import Page, cells, read

pytestmark = pytest.mark.django_db

REASON, WHY, ASKED = "whistled at the wall", "somebody else whistled", "only asked for so far"
WORDS = (REASON, WHY, ASKED)  # nothing else speaks of them
FILTERS = ("?level=2", "?offence=A-II", "?state=requested", "?by=referee", "?view=public")


@module_fixture
def here() -> Things:
    """Log a penalty by the book, a revoked one, a requested one and a warning at one table."""
    here = ready_things("spring")
    spring = here.club
    spring.competition.penalties.all().delete()
    logged = {"stage": spring.stage, "table": spring.table(), "by": spring.bob}
    act = {"infraction": "D-II", "condition": 0, "reason": REASON}
    log_offence(player_id=spring.players[1].pk, **act, **logged)
    revoked = log_penalty(player_id=spring.players[2].pk, score=-333, reason=REASON, **logged)
    revoke_penalty(penalty=revoked, reason=WHY, by=spring.bob)
    asked = log_penalty(player_id=spring.players[3].pk, score=-444, reason=ASKED, **logged)
    Penalty.objects.filter(pk=asked.pk).update(status="requested")
    log_penalty(player_id=spring.players[0].pk, score=0, level="1", reason="a mere warning", **logged)
    return here


def show(here: Things, what: str) -> None:
    update_competition(
        competition=here.club.competition, values={"penalties_shown": what}, by=here.club.alice
    )


def of_penalties(here: Things, role: str, *filters: str) -> dict[str, Page]:
    """The pages and files that tell of penalties, as this person gets them."""
    slug, entrant = here.club.slug, here.club.competition.entrants.get(player=here.club.players[1])
    names = {
        "penalties:index": [slug],
        "rounds:round": [slug, here.round],
        "results:table": [slug, here.table],
        "standings:player": [slug, entrant.pk],
        "interchange:workbook": [slug],
        "interchange:penalties": [slug],
    }
    addresses = [reverse(name, args=args) for name, args in names.items()]
    addresses += [f"{addresses[0]}{each}" for each in filters]
    client, found = client_of(role, here), {}
    for address in addresses:
        answer = client.get(address)
        body = cells(answer.content) if answer.content[:4] == b"PK\x03\x04" else answer.content
        found[address] = Page(answer.status_code, str(answer.headers).encode(), body)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("what", ["counts", "scores"])
def test_reasons_are_nowhere_where_penalties_are_not_shown(here, what):
    show(here, what)

    staff = of_penalties(here, "referee")
    for words in WORDS:  # there is something to leak
        assert any(page.holds(words) for page in staff.values()), words
    for role in ("visitor", "player"):
        pages = read(role, here)
        assert [(a, words) for a, page in pages.items() for words in WORDS if page.holds(words)] == [], role


@pytest.mark.parametrize("what", ["counts", "scores"])
@pytest.mark.parametrize("role", seeds(["visitor", "player", "stranger"]))
def test_offences_and_levels_are_on_no_page_of_penalties(here, what, role):
    show(here, what)

    pages = of_penalties(here, role, *FILTERS)

    marks = ("D-II", "Turning over", "level 2", "mere warning", "−33.3", "bob-spring", *WORDS)
    assert [(a, mark) for a, page in pages.items() for mark in marks if page.holds(mark)] == []
    assert pages["/c/spring/download/penalties.xlsx"].status == 404
    assert pages["/c/spring/penalties/"].holds("−2.0")  # what the standings deduct is shown


def test_where_all_is_shown_only_requests_and_names_of_referees_are_not(here):
    show(here, "all")

    for role in ("visitor", "player"):
        pages = of_penalties(here, role, *FILTERS)
        for mark in (REASON, WHY, "D-II", "mere warning"):
            assert any(page.holds(mark) for page in pages.values()), mark
        marks = (ASKED, "44.4", "bob-spring")
        assert [(a, mark) for a, page in pages.items() for mark in marks if page.holds(mark)] == []


@pytest.mark.slow
@pytest.mark.parametrize("is_named", [False, True])
def test_the_words_of_misconduct_are_read_only_where_the_competition_names_it(here, is_named):
    made, act = here.club, {"infraction": "U-1c", "condition": 0, "reason": "a bet on table 2"}
    player = made.players[1].pk
    log_offence(stage=made.stage, table=made.table(), player_id=player, **act, by=made.alice)
    update_competition(
        competition=made.competition,
        values={"penalties_shown": "all", "names_misconduct": is_named},
        by=made.alice,
    )
    marks = ("U-1c", "gambling", "a bet on table 2")

    for mark in marks:
        assert any(page.holds(mark) for page in of_penalties(here, "referee").values()), mark
    for role in ("visitor", "player"):
        pages = of_penalties(here, role, *FILTERS, "?by=offence")
        assert {mark for mark in marks for page in pages.values() if page.holds(mark)} == set(
            marks if is_named else ()
        )
        assert pages["/c/spring/penalties/"].holds("level 6")


@pytest.mark.slow
def test_a_warned_player_is_named_only_where_counts_are_shown(here):
    name = here.club.players[0].name

    named = {}
    for what in ("all", "counts", "scores"):
        show(here, what)
        named[what] = of_penalties(here, "visitor")["/c/spring/penalties/"].holds(name)

    assert named == {"all": True, "counts": True, "scores": False}
