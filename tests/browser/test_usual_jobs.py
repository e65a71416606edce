"""How many clicks the organizer's usual jobs take in Chromium."""

from datetime import date

import pytest
from django.urls import reverse

from league.models import Competition, Seat, TeamSeat
from tests.browser.kit import Clicks, expect, fill, is_wide
from tests.factories import club
from tests.seasons import two_divisions

pytestmark = pytest.mark.django_db(transaction=True)

TEAMS = [f"{team} {number}, {team}" for team in ("Dragons", "Winds", "Dots", "Bamboo") for number in (1, 2)]
TEAMS += [f"{team} {number}, {team}" for team in ("Kings", "Suns", "Moons", "Stars") for number in (1, 2)]


def test_eight_teams_are_seated_from_nothing_in_eight_clicks_and_it_is_undone_in_one(organizer):
    page, click = organizer, Clicks(organizer)
    page.goto("/")
    click("competitions:new")
    fill(page, name="Team league", first_day="2026-10-04")
    click.on("[name=preset][value=mleague]")
    click.on("[name=kind][value=teams]")
    click("competitions:new")
    fill(page, text="name, team\n" + "\n".join(TEAMS))
    click("roster:import")
    click("roster:preview", save=1)
    expect(page.locator("[name=first]")).to_have_value("2026-10-04")
    click("calendar:matchdays")
    expect(page.locator("main")).to_contain_text("8 teams. 2 tables: every team plays.")
    click("teams:season")
    assert click.count == 8
    days = TeamSeat.objects.values_list("round__date", flat=True).distinct().order_by("round__date")
    assert list(days)[:2] == [date(2026, 10, 4), date(2026, 10, 11)]
    assert TeamSeat.objects.filter(round__number=1).count() == 8

    page.locator("main .alert-success button").click()
    expect(page.locator("main .alert-success")).to_contain_text("Teams removed")
    assert not TeamSeat.objects.exists()


@pytest.mark.slow
def test_a_player_who_does_not_come_is_replaced_in_five_clicks(open_page, sign_in):
    here = club()
    here.add_round()
    table = here.table(number=1)
    page = open_page(viewport={"width": 390, "height": 844})
    sign_in(page, here.alice)
    click = Clicks(page)
    page.goto(reverse("competitions:manage", args=[here.slug]))
    click("rounds:round", pk=here.rounds[0].pk)
    click("results:table", pk=table.pk)
    click("substitutions:no_show")
    click.on("[name=seat] >> nth=0")
    fill(page, name="Zoe")
    click("substitutions:no_show", method="post")
    assert click.count <= 5
    expect(page.locator("main .alert-success")).to_contain_text("Substitute seated.")
    assert Seat.objects.get(table=table, stands_for__isnull=False).player.name == "Zoe"
    assert not is_wide(page)


@pytest.mark.slow
def test_the_next_season_is_made_in_three_clicks(open_page, sign_in):
    made = two_divisions(movement=False)
    for division in (made.upper, made.lower):
        made.play(division)
    page = open_page(viewport={"width": 1280, "height": 900})
    sign_in(page, made.club.alice)
    click = Clicks(page)
    page.goto(reverse("competitions:manage", args=[made.club.slug]))
    click("seasons:end")
    fill(page, name="Autumn")
    click("seasons:end")
    click("seasons:end", method="post")
    assert click.count == 3
    assert Competition.objects.filter(name="Autumn").exists()


@pytest.mark.slow
def test_one_more_for_a_full_table_takes_three_clicks_from_the_seating(open_page, sign_in):
    here = club(players=7)
    page = open_page(viewport={"width": 390, "height": 844})
    sign_in(page, here.alice)
    click = Clicks(page)
    page.goto(reverse("seating:next_round", args=[here.slug, here.stage.pk]))
    click("roster:new")
    fill(page, name="Zoe")
    click.on("[name=plays_as][value=substitute]")
    assert not is_wide(page)
    click("roster:new", method="post")
    expect(page.locator("main")).to_contain_text("These substitutes fill the last table: Zoe.")
    assert click.count == 3
