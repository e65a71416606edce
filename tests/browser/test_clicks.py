"""How many clicks an organizer's jobs take, from the page that is open, in Chromium."""

import pytest
from django.urls import reverse

from league.core.zones import day_of_play
from league.models import Competition, Presence, Round, Sheet, Stage, Table
from league.play.rounds.services import close_round, open_round
from tests.browser.kit import Clicks, expect, fill, press
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

POINTS = ((45_000, 35_000, 25_000, 15_000), (52_000, 31_000, 22_500, 14_500))


@pytest.fixture
def played() -> Club:
    """A tournament of two planned rounds that are played, the last one hidden."""
    here = club(kind=Competition.Kind.EVENT)
    Stage.objects.filter(pk=here.stage.pk).update(planned_rounds=2)
    for number, visibility in ((1, "results"), (2, "seating")):
        round_ = here.add_round(opened=False, visibility="hidden")
        open_round(round_=round_, by=here.alice)
        for table, points in enumerate(POINTS, 1):
            here.record(points, round_number=number, number=table)
        close_round(round_=round_, visibility=visibility, by=here.alice)
    return here


@pytest.fixture
def alice(open_page, sign_in, played) -> Clicks:
    page = open_page(viewport={"width": 390, "height": 844})
    sign_in(page, played.alice)
    page.goto(reverse("competitions:manage", args=[played.slug]))
    return Clicks(page)


def test_a_published_sheet_is_corrected_in_five_clicks(alice, played):
    table = played.table()

    alice.on(f".tabs a[href='{reverse('rounds:index', args=[played.slug])}']")
    alice.in_view("rounds:round", pk=table.round_id)
    alice.in_view("results:table", pk=table.pk)
    alice.in_view("results:correct", pk=table.pk)
    fill(alice.page, east="440", south="360", reason="Misread")
    alice.in_view("results:correct", method="post")
    alice.page.wait_for_url(f"**/tables/{table.pk}/")

    assert alice.count == 5
    assert Sheet.objects.get(table=table, is_current=True).points == (44_000, 36_000, 25_000, 15_000)
    assert (table.round.status, table.round.visibility) == ("closed", "results")
    assert Round.objects.get(pk=table.round_id).status == "closed"


@pytest.mark.slow
def test_a_final_takes_two_clicks_and_its_next_step_comes_after_it(alice, played):
    Round.objects.update(visibility="results")
    alice.page.reload()

    alice.in_view("stages:cut")
    alice.in_view("stages:cut", method="post")

    assert alice.count == 2
    final = Stage.objects.get(name="Final")
    expect(alice.page.locator(".next-main h2")).to_contain_text("Start round 1")
    assert final.rounds.filter(tables__isnull=False).count() == 2


@pytest.mark.slow
def test_results_are_revealed_and_the_tournament_finished_in_two_clicks(alice, played):
    alice.in_view("competitions:finish")
    alice.in_view("competitions:finish", method="post")

    assert alice.count == 2
    assert Competition.objects.get().finished_at is not None
    assert set(Round.objects.values_list("visibility", flat=True)) == {"results"}


@pytest.mark.slow
def test_21_players_are_seated_within_seven_clicks_and_the_browser_goes_back(organizer):
    page, click = organizer, Clicks(organizer)
    page.goto("/")

    click("competitions:new")
    fill(page, name="Spring Cup", league_name="Wan Chai Club")
    click.on("[name=preset][value=hkma-a-2025-04]")
    click("competitions:new")
    fill(page, text="\n".join(f"Player {number}" for number in range(1, 22)))
    click("roster:import")
    click("roster:preview", save=1)
    click("seating:next_round")
    expect(page.get_by_text("Sits out by lot:")).to_be_visible()
    expect(page.locator("[name=plays]:checked")).to_have_count(20)

    # Another draw, and back to the one before.
    press(page, "seating:next_round", step="draw")
    second = page.url
    press(page, "seating:next_round", step="draw")
    page.go_back()
    page.wait_for_load_state()
    assert page.url == second
    expect(page.locator("[name=plays]:checked")).to_have_count(20)

    click("seating:next_round", step="save")
    assert click.count == 7
    assert Table.objects.count() == 5


@pytest.mark.slow
def test_an_evening_of_14_players_takes_a_click_for_each_and_one_to_draw(open_page, sign_in):
    here = club(players=20)
    Stage.objects.filter(pk=here.stage.pk).update(play=Stage.Play.OPEN)
    page = open_page(viewport={"width": 390, "height": 844})
    sign_in(page, here.alice)
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))
    click = Clicks(page)

    for number, player in enumerate(here.players[:14], 1):
        click.on(f".person[data-name^='{player.name} '] .person-tap")
        expect(page.locator(".person.is-on")).to_have_count(number)
    click.on("#draw button")

    assert click.count == 14 + 1
    expect(page.locator(".slips form.slip")).to_have_count(3)
    expect(page.locator("#absent")).to_contain_text("Not here: 6")
    expect(page.locator(".absent-names")).to_contain_text(here.players[19].name)
    page.locator("#absent").click()
    expect(page.locator("[data-people=absent] .person")).to_have_count(6)
    expect(page.locator(".absent-names")).to_be_hidden()
    assert Presence.objects.filter(day=day_of_play(here.competition), left=False).count() == 14
