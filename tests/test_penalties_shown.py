"""What a competition does not show of its penalties stands on no page and in no file of the public.

Every page of the URL configuration is read by everybody who is no staff, as the setting says: all, counts,
scores. The staff look first: nothing made for them may be kept for others.
"""

import pytest

from league.models import Penalty
from league.services.competitions import update_competition
from league.services.penalties import Act, log_offence, log_penalty, revoke_penalty
from tests.pages import Things, things
from tests.test_hidden_rounds import PUBLIC, read

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]

REASON, WHY, ASKED = "whistled at the wall", "somebody else whistled", "only asked for so far"
MARKS = (REASON, WHY, "D-II ", "level 2")


@pytest.fixture
def here(db) -> Things:
    """Penalties at a table, one of them revoked, one requested; nothing else speaks of these words."""
    here = things("spring")
    spring = here.club
    spring.competition.penalties.all().delete()
    logged = {"stage": spring.stage, "table": spring.table(), "by": spring.bob}
    act = Act(infraction="D-II", condition=0, reason=REASON)
    log_offence(player_id=spring.players[1].pk, act=act, **logged)
    revoked = log_penalty(player_id=spring.players[2].pk, score=-333, reason=REASON, **logged)
    revoke_penalty(penalty=revoked, reason=WHY, by=spring.bob)
    asked = log_penalty(player_id=spring.players[3].pk, score=-444, reason=ASKED, **logged)
    Penalty.objects.filter(pk=asked.pk).update(status="requested")
    return here


def show(here: Things, what: str) -> None:
    update_competition(
        competition=here.club.competition, values={"penalties_shown": what}, by=here.club.alice
    )


@pytest.mark.parametrize("what", ["counts", "scores"])
def test_offences_levels_and_reasons_are_nowhere_where_they_are_not_shown(here, what):
    show(here, what)

    staff = read("referee", here)
    for mark in (*MARKS, ASKED):  # there is something to leak
        assert any(page.holds(mark) for page in staff.values()), mark
    for role in PUBLIC:
        pages = read(role, here, "?level=2", "?offence=D-II", "?state=requested", "?by=referee")
        marks = (*MARKS, ASKED)
        assert [(a, mark) for a, page in pages.items() for mark in marks if page.holds(mark)] == [], role
        assert pages["/c/spring/download/penalties.xlsx"].status == 404
        assert pages["/c/spring/"].holds("−2.0")  # what the standings deduct is told


def test_where_all_is_shown_only_requests_and_names_of_referees_are_not(here):
    show(here, "all")

    for role in PUBLIC:
        pages = read(role, here, "?state=requested")
        for mark in MARKS:
            assert any(page.holds(mark) for page in pages.values()), mark
        assert [address for address, page in pages.items() if page.holds(ASKED) or page.holds("44.4")] == []
        lists = [page for address, page in pages.items() if "penalties" in address]
        assert [page for page in lists if page.holds("bob-spring")] == []


def test_whoever_is_no_staff_learns_of_a_warning_only_where_counts_are_shown(here):
    spring = here.club
    spring.competition.penalties.all().delete()
    act = Act(infraction="D-I", condition=0)  # level 1: nothing is deducted
    where = {"stage": spring.stage, "table": spring.table()}
    log_offence(player_id=spring.players[1].pk, act=act, by=spring.bob, **where)
    name = spring.players[1].name

    told = {}
    for what in ("all", "counts", "scores"):
        show(here, what)
        told[what] = read("visitor", here)["/c/spring/penalties/"].holds(name)

    assert told == {"all": True, "counts": True, "scores": False}
