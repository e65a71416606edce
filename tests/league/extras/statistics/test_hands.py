"""Statistics of hands on pages: which hands count, for whom, and what is not known."""

import uuid
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from league.extras.statistics import views
from league.extras.statistics.queries import hands as hands_queries
from league.models import HandEntry
from league.play.hands.services import add_entry
from league.play.rounds.services import set_visibility
from scoring.hanchan import Hand, Tsumo
from tests.factories import Club, club, revision, signed_in
from tests.scoring.hanchan_logs import draw, mangan, riichi, ron, rules_with, tsumo, win

pytestmark = pytest.mark.django_db
MANGAN = mangan(rules_with())
EAST_WINS = Hand(
    outcome=Tsumo(replace(win(0, MANGAN), yaku=("pinfu", "dora"))), called=(1,), riichi=riichi(0)
)
HANDS = (EAST_WINS, ron(1, 0, MANGAN), draw(2, 3))
SHEET = (27_000, 31_000, 21_000, 21_000)


def keep(made: Club, *hands: Hand) -> None:
    table = made.table()
    for number, hand in enumerate(hands):
        add_entry(
            table=table,
            key=uuid.uuid4(),
            kind="hand",
            facts=hand.as_values(),
            based_on=number,
            by=made.charlie,
        )


@pytest.fixture
def spring() -> Club:
    made = club("spring", preset="mleague")
    made.add_round()
    keep(made, *HANDS)
    return made


def get(made: Club, name: str, query: str = "", client: Client | None = None, **arguments):
    address = reverse(f"statistics:{name}", kwargs={"slug": made.slug, **arguments})
    return (client or Client()).get(address + query)


def own_page(made: Club, index: int, client: Client | None = None):
    pk = made.competition.entrants.get(player=made.players[index]).pk
    return get(made, "player", client=client, pk=pk)


def numbers(response) -> dict[tuple[str, str], tuple[str, str]]:
    found = response.context["hand_numbers"]
    return {(str(group), str(name)): tuple(rest) for group, lines in found for name, *rest in lines}


def test_a_players_page_shows_the_hands_of_finished_tables_alone(spring):
    assert own_page(spring, 0).context["hands"].hands == 0
    spring.record(SHEET)
    found = numbers(own_page(spring, 0))
    assert found["All hands", "Win rate"] == ("33.3%", "1 of 3")
    assert found["All hands", "Deal-in rate"] == ("33.3%", "1 of 3")
    assert found["All hands", "Average win"] == ("12,000", "1 hand")
    assert found["All hands", "Points per hand"] == ("+733", "3 hands")
    assert found["After riichi", "Riichi income"] == ("+12,000", "1 hand")


def test_what_hands_do_not_say_is_left_out(spring):
    spring.record(SHEET)
    found = own_page(spring, 1)
    assert numbers(found)["All hands", "Call rate"] == ("100.0%", "1 of 1")
    assert ("All hands", "Dama rate, of wins") not in numbers(found)
    assert found.context["yaku"] == []
    assert own_page(spring, 0).context["yaku"] == [("Pinfu", 1, "100.0%")]


def test_hands_of_a_hidden_round_count_for_staff_alone(spring):
    spring.record(SHEET)
    set_visibility(round_=spring.rounds[0], visibility="hidden", by=spring.alice)
    assert own_page(spring, 0).context["hands"].hands == 0
    assert own_page(spring, 0, signed_in(spring.charlie)).context["hands"].hands == 3


def test_a_correction_under_a_score_sheet_shows_at_once(spring):
    spring.record(SHEET)
    assert own_page(spring, 2).context["hands"].hands == 3
    before = revision(spring.competition)
    number = HandEntry.objects.get(table=spring.table(), number=3).number
    add_entry(
        table=spring.table(),
        key=uuid.uuid4(),
        kind="correct",
        facts=tsumo(2, MANGAN).as_values(),
        target=number,
        based_on=3,
        by=spring.charlie,
        is_staff=True,
    )
    assert revision(spring.competition) > before
    assert numbers(own_page(spring, 2))["All hands", "Win rate"] == ("33.3%", "1 of 3")


def rows_of(response) -> list[tuple[str, list[str]]]:
    """Return the key of each player of the list with the numbers."""
    rows = response.context["table"].rows
    return [(row.record.entrant.key, [row.get_cell(name) for name in views.HANDS]) for row in rows]


def keys_of(response) -> list[str]:
    return [key for key, _numbers in rows_of(response)]


def test_the_list_orders_players_by_a_number_and_the_unknown_come_last(spring, monkeypatch):
    monkeypatch.setattr(views, "LEAST_HANDS", 3)
    spring.record(SHEET)

    def order(query: str) -> list[str]:
        return keys_of(get(spring, "hands", query))

    assert order("") == ["p1", "p2", "p3", "p4"]
    assert order("?by=dealt_in") == ["p2", "p3", "p4", "p1"]
    assert order("?by=called")[0] == "p2"
    assert order("?by=loss_points")[0] == "p1"
    assert order("?of=league") == ["p1", "p2", "p3", "p4"]
    page = get(spring, "hands", "?by=called").content.decode()
    assert 'aria-sort="descending"' in page
    assert "–" in page


@pytest.fixture
def worker(settings, monkeypatch):
    """Keep tasks in the database until the function is called, and count nothing in a request."""
    queues = ["files", "long", "outbox"]
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": queues}}
    monkeypatch.setattr(hands_queries, "MOST_AT_ONCE", 0)
    monkeypatch.setattr(views, "LEAST_HANDS", 3)

    def work() -> None:
        for each in DBTaskResult.objects.all():
            each.task.call(*each.args_kwargs["args"], **each.args_kwargs["kwargs"])
            each.delete()

    return work


def test_the_worker_counts_the_hands_of_a_league_with_many_tables(spring, worker, monkeypatch):
    spring.record(SHEET)
    waiting = get(spring, "hands", "?of=league")
    assert (waiting.status_code, waiting["Refresh"]) == (503, "2")
    assert "are being counted" in waiting.content.decode()
    get(spring, "hands", "?of=league&by=gain")
    assert DBTaskResult.objects.count() == 1

    worker()
    cache.clear()  # the worker has a cache of its own
    counted = get(spring, "hands", "?of=league")
    assert counted.status_code == 200
    cache.clear()
    monkeypatch.setattr(hands_queries, "MOST_AT_ONCE", 1)
    assert rows_of(counted) == rows_of(get(spring, "hands", "?of=league&by=won"))
    assert keys_of(counted) == ["p1", "p2", "p3", "p4"]


def test_a_list_that_could_not_be_counted_says_so(spring, worker):
    spring.record(SHEET)
    get(spring, "hands", "?of=league")
    DBTaskResult.objects.update(status=TaskResultStatus.FAILED, finished_at=timezone.now())

    failed = get(spring, "hands", "?of=league")

    assert (failed.status_code, failed["Retry-After"], "Refresh" in failed) == (503, "60", False)
    assert "could not be counted" in failed.content.decode()


def test_a_player_with_few_hands_is_not_in_the_list(spring):
    spring.record(SHEET)
    assert keys_of(get(spring, "hands")) == []
    assert "No hands to compare yet" in get(spring, "hands").content.decode()


def test_the_list_takes_no_more_queries_for_more_tables(spring, django_assert_num_queries):
    spring.record(SHEET)
    sources = views.Sources({spring.stage.pk: spring.stage}, public=True)
    views.hands_of_competition(spring.competition, sources)
    spring.competition.revision += 1
    with django_assert_num_queries(5):  # the logs' last entries, and four of the games
        views.hands_of_competition(spring.competition, sources)
