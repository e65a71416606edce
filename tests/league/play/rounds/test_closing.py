"""Which button closes a round: with its results published, or hidden until a ceremony reveals them."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Competition, Round, Stage
from league.organizing.competitions.services import add_division, update_competition
from league.play.rounds.queries.rounds import withholds_results
from league.play.rounds.services import close_round, open_round
from league.ranking.stages.services import add_stage
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture
from tests.shown import key

pytestmark = pytest.mark.django_db

POINTS = (45_000, 35_000, 25_000, 15_000)
KEPT = "Its results stay hidden until you publish them, for example at the award ceremony."


@module_fixture
def here() -> Club:
    """A tournament of three seated rounds, whose first two are played and published."""
    made = club(kind=Competition.Kind.EVENT)
    Stage.objects.filter(pk=made.stage.pk).update(planned_rounds=3)
    for _ in range(3):
        made.add_round(opened=False, visibility=Round.Visibility.HIDDEN)
    for number in (1, 2):
        play(made, number)
        close_round(round_=made.rounds[number - 1], visibility="results", by=made.alice)
    return made


@pytest.fixture
def alice(here: Club) -> Client:
    return signed_in(here.alice)


def play(here: Club, number: int) -> Round:
    opened = open_round(round_=here.rounds[number - 1], by=here.alice)
    for table in (1, 2):
        here.record(POINTS, round_number=number, number=table)
    return opened


def last(here: Club) -> Round:
    return Round.objects.select_related("stage__division__competition").get(pk=here.rounds[-1].pk)


def buttons(page: str) -> tuple[int, int]:
    """Return where the two ways to close stand on the page."""
    return page.index("Close without publishing"), page.index("Close round and publish results")


def pages(here: Club, alice: Client) -> list[str]:
    places = (
        reverse("competitions:manage", args=[here.slug]),
        reverse("results:enter_round", args=[here.slug, here.rounds[-1].pk]),
    )
    return [alice.get(place).content.decode() for place in places]


def test_the_last_round_of_a_tournament_is_closed_without_publishing(here: Club, alice: Client) -> None:
    play(here, 3)

    for page in pages(here, alice):
        without, publishing = buttons(page)
        assert KEPT in page
        assert without < publishing


def test_the_other_way_stands_beside_it(here: Club, alice: Client) -> None:
    play(here, 3)
    address = reverse("rounds:status", args=[here.slug, here.rounds[-1].pk])

    alice.post(address, {"key": key(), "status": "close", "visibility": "results"})

    assert (last(here).status, last(here).visibility) == ("closed", "results")


@pytest.mark.parametrize("fact", ["season", "complete", "more", "unknown", "stage"])
def test_other_rounds_are_closed_with_their_results(here: Club, alice: Client, fact: str) -> None:
    if fact == "season":
        update_competition(competition=here.competition, values={"kind": "season"}, by=here.alice)
    elif fact == "complete":
        Competition.objects.filter(pk=here.competition.pk).update(release="complete")
    elif fact == "stage":
        add_stage(division=here.division, name="Final", by=here.alice)
    else:
        planned = 4 if fact == "more" else None
        Stage.objects.filter(pk=here.stage.pk).update(planned_rounds=planned)
    play(here, 3)
    Round.objects.filter(pk=here.rounds[-1].pk).update(visibility="seating")

    for page in pages(here, alice):
        without, publishing = buttons(page)
        assert KEPT not in page
        assert publishing < without
    assert not withholds_results(last(here))


def test_a_round_after_hidden_results_is_closed_without_publishing(here: Club, alice: Client) -> None:
    Stage.objects.filter(pk=here.stage.pk).update(planned_rounds=9)
    play(here, 3)
    Round.objects.filter(pk=here.rounds[1].pk).update(visibility="seating")

    assert withholds_results(last(here))
    assert all(KEPT in page for page in pages(here, alice))


def test_another_divisions_stage_comes_after_no_round_of_this_one(here: Club) -> None:
    add_division(competition=here.competition, name="B", preset_slug="mleague", by=here.alice)

    assert withholds_results(last(here))


def test_a_published_round_has_one_way_to_be_closed(here: Club, alice: Client) -> None:
    play(here, 3)
    Round.objects.filter(pk=here.rounds[-1].pk).update(visibility="results")

    for page in pages(here, alice):
        assert "Close round" in page
        assert "Close without publishing" not in page


def test_hidden_results_of_a_tournament_that_is_over_are_revealed_as_it_finishes(
    here: Club, alice: Client
) -> None:
    close_round(round_=play(here, 3), by=here.alice)
    address = reverse("competitions:finish", args=[here.slug])

    manage = alice.get(reverse("competitions:manage", args=[here.slug])).content.decode()
    form = alice.get(address).context["form"]
    alice.post(address, {"key": form["key"].value(), "publish": "on"})

    assert "Publish results and finish" in manage
    assert last(here).visibility == "results"
    assert Competition.objects.get(pk=here.competition.pk).finished_at is not None


# --- where a round is started


def start_buttons(page: str) -> list[str]:
    """Return the rounds that the page starts by a button outside of a menu."""
    rows = page.split('<li class="round-row">')[1:]
    seen = [row.split('<details class="menu">')[0] for row in rows]
    return [row.split("Round ")[1].split("<")[0] for row in seen if 'value="open"' in row]


def test_only_the_next_round_is_started_by_a_button_of_its_row(alice: Client) -> None:
    here = club("autumn", kind=Competition.Kind.EVENT)
    for _ in range(3):
        here.add_round(opened=False)
    page = signed_in(here.alice).get(reverse("competitions:manage", args=[here.slug])).content.decode()

    assert start_buttons(page) == ["1"]
    assert page.count(">Start round<") == 2  # in the menus of the other two


def test_no_row_starts_a_round_while_another_is_played(here: Club, alice: Client) -> None:
    open_round(round_=here.rounds[-1], by=here.alice)
    Round.objects.filter(pk=here.rounds[1].pk).update(status="planned")

    page = alice.get(reverse("competitions:manage", args=[here.slug])).content.decode()

    assert start_buttons(page) == []
