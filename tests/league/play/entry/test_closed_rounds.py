"""A sheet of a closed round is corrected in one step, and the last table closes its round."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Competition, Round, Sheet, Stage
from league.organizing.competitions.services import finish_competition
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round
from league.ranking.stages.services import cut_stage
from scoring.cuts import Terms
from tests.factories import Club, as_seen, club, last_entry, signed_in
from tests.league.play.entry.sheets import POINTS, address, filled, sheets
from tests.module_fixtures import module_fixture
from tests.shown import key, text

pytestmark = pytest.mark.django_db

RIGHT = {"east": "297", "north": "341", "reason": "Misread"}


@module_fixture
def spring() -> Club:
    """Two tables played, closed and published."""
    made = club()
    made.add_round()
    made.record(POINTS)
    made.record((40_000, 35_500, 24_000, 20_500), number=2)
    close_round(round_=made.rounds[0], by=made.alice)
    return made


@pytest.fixture
def alice(spring: Club) -> Client:
    return signed_in(spring.alice)


def state(spring: Club) -> tuple[str, str]:
    found = Round.objects.get(pk=spring.rounds[0].pk)
    return str(found.status), str(found.visibility)


def logged(spring: Club, after: int) -> list[tuple[str, object]]:
    entries = AuditEntry.objects.filter(competition=spring.competition, sequence__gt=after)
    return [(each.action, each.after.get("status")) for each in entries.order_by("sequence")]


@pytest.mark.parametrize("visibility", ["hidden", "seating", "results"])
def test_a_correction_keeps_the_round_closed_and_as_visible_as_it_was(spring, alice, visibility):
    Round.objects.update(visibility=visibility)
    before = last_entry(spring.competition).sequence
    page = alice.get(address("results:correct", spring))
    assert "It stays closed" in text(page)

    form = filled(spring, **RIGHT)
    answers = [alice.post(address("results:correct", spring), form, follow=True) for _twice in range(2)]

    assert ["Table 1 corrected" in text(each) for each in answers] == [True, False]
    assert "you have already saved this score sheet" in text(answers[1])
    assert state(spring) == ("closed", visibility)
    assert sheets()[1] == (1, 2, (29700, 31200, 25000, 34100), 0, True)
    assert logged(spring, before) == [
        ("round.open", "open"),
        ("result.record", "entered"),
        ("round.close", "closed"),
    ]


def test_the_tables_page_leads_there(spring, alice):
    page = alice.get(address("results:table", spring)).content.decode()
    assert f'href="{address("results:correct", spring)}"' in page
    assert "Reopen round" not in page


@pytest.mark.parametrize("changed", [{}, {"east": "298"}, {"reason": "  "}, {"seated": "4-3-2-1"}])
def test_a_refused_correction_changes_nothing(spring, alice, changed):
    same = {"reason": "x"} if changed == {} else RIGHT | changed
    before = AuditEntry.objects.count()

    answer = alice.post(address("results:correct", spring), filled(spring, **same))

    assert answer.status_code == 422
    assert (state(spring), AuditEntry.objects.count()) == (("closed", "results"), before)
    assert Sheet.objects.count() == 2


@pytest.mark.parametrize("person", ["charlie", "bob", "dora"])
def test_others_do_not_correct_a_closed_round(spring, person):
    client = signed_in(getattr(spring, person))
    page = client.get(address("results:table", spring))
    answer = client.post(address("results:correct", spring), filled(spring, **RIGHT))

    assert ("An organizer can correct this score sheet" in text(page)) == (person != "dora")
    assert address("results:correct", spring) not in page.content.decode()
    assert answer.status_code == (422 if person == "charlie" else 403)
    assert Sheet.objects.count() == 2


def test_of_two_corrections_at_once_the_second_compares(spring, alice):
    form = filled(spring, **RIGHT)
    open_round(round_=spring.rounds[0], by=spring.alice)
    record_result(**as_seen(spring.table()), points=(28600, 31300, 25000, 35100), reason="x", by=spring.alice)
    close_round(round_=spring.rounds[0], by=spring.alice)

    answer = alice.post(address("results:correct", spring), form)

    assert answer.status_code == 409
    assert "Another score sheet for this table was saved" in text(answer)
    assert state(spring) == ("closed", "results")


def test_a_round_that_another_organizer_reopened_stays_open(spring, alice):
    form = filled(spring, **RIGHT)
    open_round(round_=spring.rounds[0], by=spring.alice)

    alice.post(address("results:correct", spring), form)

    assert state(spring) == ("open", "results")
    assert Sheet.objects.count() == 3


def test_a_finished_competition_takes_no_correction(spring, alice):
    finish_competition(competition=spring.competition, publish=True, by=spring.alice)

    page = alice.get(address("results:correct", spring))
    answer = alice.post(address("results:correct", spring), filled(spring, **RIGHT))

    assert 'data-sheet="' not in page.content.decode()
    assert answer.status_code == 422
    assert Sheet.objects.count() == 2


def test_the_page_says_that_a_later_cut_keeps_its_players(spring, alice):
    cut_stage(source=spring.stage, name="Final", terms=Terms(top=4), carry="none", by=spring.alice)

    page = text(alice.get(address("results:correct", spring)))
    alice.post(address("results:correct", spring), filled(spring, **RIGHT))

    assert "The players of Final stay as they qualified." in page
    assert Sheet.objects.count() == 3


# --- the last table


def closes(client: Client, spring: Club) -> bool:
    """Return whether the page of table 1 has a button that closes its round."""
    page = client.get(address("results:table", spring)).content.decode()
    return 'name="status" value="close"' in page


def test_the_page_of_the_last_table_closes_the_round_and_comes_back(spring, alice):
    open_round(round_=spring.rounds[0], by=spring.alice)
    here = address("results:table", spring)
    assert closes(alice, spring)
    assert not any(closes(signed_in(each), spring) for each in (spring.charlie, spring.bob, spring.dora))
    assert not closes(Client(), spring)

    where = reverse("rounds:status", args=[spring.slug, spring.rounds[0].pk])
    answer = alice.post(where, {"key": key(), "status": "close", "next": here}, follow=True)

    assert answer.redirect_chain == [(here, 302)]
    assert state(spring) == ("closed", "results")
    assert not closes(alice, spring)


def test_a_round_with_a_missing_table_is_not_closed_there(alice):
    here = club("autumn")
    here.add_round()
    here.record(POINTS)

    assert not closes(signed_in(here.alice), here)
    here.record(POINTS, number=2)
    assert closes(signed_in(here.alice), here)


def test_a_table_of_free_play_closes_nothing(spring, alice):
    open_round(round_=spring.rounds[0], by=spring.alice)
    Stage.objects.filter(pk=spring.stage.pk).update(play=Stage.Play.OPEN)
    Competition.objects.filter(pk=spring.competition.pk).update(version=999, revision=999)

    assert not closes(alice, spring)
