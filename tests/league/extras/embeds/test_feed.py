"""The feed of results: one entry per publication, with a stable id and the date of its facts."""

from datetime import date, timedelta

import pytest
from defusedxml import ElementTree
from django.test import Client
from django.urls import reverse

from league.models import AuditEntry, Round, Sheet, Stage, Table
from league.organizing.competitions.services import finish_competition
from league.play.results.services import record_result
from league.play.rounds.services import close_round, set_visibility
from tests.factories import Club, as_seen, club

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
FIRST = (45_000, 35_000, 25_000, 15_000)


@pytest.fixture
def spring() -> Club:
    made = club(players=4)
    made.add_round()
    made.record(FIRST)
    return made


def read(here: Club, **query: str):
    response = Client().get(reverse("embeds:feed", args=[here.slug]), query)
    assert response.status_code == 200
    assert response["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(response.content)


def entries(here: Club, **query: str) -> dict:
    """Return the end of the id → entry, in the order of the feed."""
    found = {
        entry.findtext(f"{ATOM}id").rpartition(":")[2]: entry
        for entry in read(here, **query).iter(f"{ATOM}entry")
    }
    return found


def updated(entry) -> str:
    return entry.findtext(f"{ATOM}updated")


def test_a_published_round_is_an_entry_with_its_results(spring):
    [entry] = entries(spring).values()
    assert entry.findtext(f"{ATOM}title") == "Round 1"
    assert (
        entry.find(f"{ATOM}link").get("href") == f"http://testserver/c/spring/rounds/{spring.rounds[0].pk}/"
    )
    summary = entry.findtext(f"{ATOM}summary")
    assert [summary.index(player.name) for player in spring.players] == sorted(
        summary.index(player.name) for player in spring.players
    )
    assert entries(spring, language="zh-hant").keys() == entries(spring).keys()


def test_hidden_rounds_and_seatings_have_no_entry(spring):
    for visibility in (Round.Visibility.HIDDEN, Round.Visibility.SEATING):
        number = len(spring.add_round(visibility=visibility) and spring.rounds)
        spring.record(FIRST, round_number=number)
    assert list(entries(spring)) == [f"round-{spring.rounds[0].pk}"]


def test_a_round_is_dated_by_its_publication_or_a_later_sheet(spring):
    hidden = spring.add_round(visibility=Round.Visibility.HIDDEN)
    spring.record(FIRST, round_number=2)
    Sheet.objects.filter(table__round=hidden).update(entered_at="2026-01-01T10:00:00Z")
    set_visibility(round_=hidden, visibility=Round.Visibility.RESULTS, by=spring.alice)
    key = f"round-{hidden.pk}"
    published = AuditEntry.objects.filter(competition=spring.competition).latest("sequence").at
    assert updated(entries(spring)[key]) == published.isoformat()

    record_result(
        **as_seen(spring.table(2)), points=(44_000, 36_000, 25_000, 15_000), reason="typo", by=spring.charlie
    )
    Sheet.objects.filter(table__round=hidden, is_current=True).update(
        entered_at=published + timedelta(hours=1)
    )

    assert next(iter(entries(spring))) == key
    assert updated(entries(spring)[key]) == (published + timedelta(hours=1)).isoformat()


def test_final_standings_come_once_the_competition_is_finished(spring):
    assert "final" not in entries(spring)
    close_round(round_=spring.rounds[0], by=spring.alice)
    finish_competition(competition=spring.competition, publish=False, by=spring.alice)
    final = entries(spring)["final"]
    spring.competition.refresh_from_db()
    assert updated(final) == spring.competition.finished_at.isoformat()
    assert spring.players[0].name in final.findtext(f"{ATOM}summary")


def test_free_play_has_an_entry_a_day(spring):
    Stage.objects.filter(pk=spring.stage.pk).update(play=Stage.Play.OPEN)
    spring.add_round()
    spring.record(FIRST, round_number=2)
    Round.objects.update(date=date(2026, 5, 3))
    [(key, entry)] = entries(spring).items()
    assert key == f"day-{spring.stage.pk}-2026-05-03"
    assert entry.findtext(f"{ATOM}title") == "3 May 2026"
    assert entry.findtext(f"{ATOM}summary").count("Game ") == 2


def test_a_feed_without_results_is_dated_by_the_competition():
    empty = club("empty")
    found = read(empty)
    assert updated(found) == empty.competition.created_at.isoformat()
    assert list(found.iter(f"{ATOM}entry")) == []


def test_it_is_revalidated_by_the_revision(spring):
    address = reverse("embeds:feed", args=[spring.slug])
    first = Client().get(address)
    assert Client().get(address, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert Client().get(address).content == first.content


def test_names_are_text(spring):
    spring.players[0].name = "<b>=1+1</b>"
    spring.players[0].save()
    [entry] = entries(spring).values()
    assert "&lt;b&gt;=1+1&lt;/b&gt;" in entry.findtext(f"{ATOM}summary")


def test_queries_do_not_grow_with_the_rounds(spring, django_assert_max_num_queries):
    for number in range(2, 5):
        spring.add_round()
        spring.record(FIRST, round_number=number)
    with django_assert_max_num_queries(12):
        assert len(entries(spring)) == 4
    assert Table.objects.count() == 4
