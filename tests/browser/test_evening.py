"""A club's evening in Chromium: a tap for each who comes, one to draw, slips, one for the next hanchan."""

import pytest
from django.urls import reverse

from league.core.zones import day_of
from league.models import Presence, Sheet, Table
from league.open_play.services import make_table
from tests.browser.kit import PHONE, cut_off, expect, is_wide
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


def test_an_evening_of_two_hanchan_with_a_guest_on_a_phone(open_page, sign_in):
    here = club(players=12)
    here.stage.play = "free"
    here.stage.save()
    page = open_page(**PHONE)
    sign_in(page, here.alice)
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))

    # A tap for each, as fast as one can tap: none gets lost. The search finds the eighth.
    for player in here.players[:7]:
        page.locator(f".person-card[data-name^='{player.name}'] .person-tap").tap()
    expect(page.locator(".person-card.is-here")).to_have_count(7)
    page.get_by_role("searchbox").fill(here.players[7].name[-8:])
    expect(page.locator(".person-card:visible")).to_have_count(1)
    page.locator(".person-card:visible .person-tap").tap()
    expect(page.locator(".person-card.is-here")).to_have_count(8)
    page.locator("form.guest [name=name]").fill("<b>Guest</b>")
    page.locator("form.guest button").tap()
    expect(page.locator(".person-card.is-here")).to_have_count(9)
    assert not is_wide(page)

    for hanchan in (1, 2):
        page.locator("#draw button").tap()
        expect(page.locator(".evening-tables > form.slip")).to_have_count(2)
        for left in (1, 0):
            slip = page.locator(".evening-tables > form.slip").first
            slip.locator("[name=east]").focus()
            for points in ("400", "300", "300", "200"):  # Enter leads on, and saves at the end
                page.keyboard.type(points)
                page.keyboard.press("Enter")
            expect(page.locator(".evening-tables > form.slip")).to_have_count(left)
        assert Sheet.objects.count() == 2 * hanchan

    assert Table.objects.filter(round__stage=here.stage).count() == 4
    assert sorted(Presence.objects.values_list("sat_out", flat=True)) == [0] * 7 + [1] * 2
    expect(page.locator(".evening-ranking tbody tr")).to_have_count(9)


@pytest.fixture
def evening(open_page, sign_in):
    """The page of this evening and its league, with alice signed in."""
    here = club()
    here.stage.play = "free"
    here.stage.save()
    page = open_page()
    sign_in(page, here.alice)
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))
    return page, here


def test_a_tap_without_network_is_said_until_one_arrives(evening, expect_complaints, expected_problems):
    expected_problems.append("htmx:")
    page, _ = evening
    tap, problem = page.locator(".person-tap").first, page.locator("#messages [data-problem]")
    expect(problem).to_be_hidden()
    cut_off(page)
    tap.click()
    expect(problem).to_be_visible()
    expect(problem).to_be_in_viewport()
    assert Presence.objects.count() == 0
    page.context.unroute_all()
    tap.click()
    expect(page.locator(".person-card.is-here")).to_have_count(1)
    expect(problem).to_be_hidden()


def test_a_refused_tap_says_why_in_view(evening):
    page, here = evening
    page.set_viewport_size({"width": 360, "height": 200})
    tap = page.locator(f".person-card[data-name^='{here.players[0].name}'] .person-tap")
    tap.click()
    expect(page.locator(".person-card.is-here")).to_have_count(1)
    day, four = day_of(here.competition), [player.pk for player in here.players[:4]]
    make_table(stage=here.stage, four=four, on=day, today=day, by=here.alice)
    tap.click()
    said = page.locator("#messages .alert-danger")
    expect(said).to_contain_text("sits at a table without a result.")
    expect(said).to_be_in_viewport()


def test_what_is_typed_into_slips_stays_until_it_is_saved(evening, expect_complaints):
    page, here = evening
    day, names = day_of(here.competition), [player.name for player in here.players]
    four = [player.pk for player in here.players[:4]]
    table = make_table(stage=here.stage, four=four, on=day, today=day, by=here.alice)
    page.reload()
    drawn, blank = page.locator(".evening-tables > form.slip"), page.locator("details form.slip")

    def type_into(slip, **points: str) -> None:
        for wind, number in points.items():
            slip.locator(f"[name={wind}]").fill(number)

    type_into(drawn, east="400", south="300")
    page.locator("details:has(form.slip) > summary").click()
    blank.locator("[name=name_east]").fill(names[4])
    page.locator("form.guest [name=name]").fill("Guest")
    page.locator("form.guest button").click()
    expect(page.locator(".person-card.is-here")).to_have_count(1)
    expect(drawn.locator("[name=south]")).to_have_value("300")
    expect(blank.locator("[name=name_east]")).to_have_value(names[4])
    expect(blank).to_be_visible()

    type_into(drawn, west="300", north="100")  # 100 too few: refused
    drawn.locator("button[type=submit]").click()
    expect(page.locator("form.slip [role=alert]")).to_be_visible()
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))
    expect(drawn.locator("[name=north]")).to_have_value("100")
    type_into(drawn, north="200")
    drawn.locator("button[type=submit]").click()
    expect(drawn).to_have_count(0)
    assert Sheet.objects.filter(table=table, is_current=True).exists()

    for wind, name in zip(("east", "south", "west", "north"), names[4:8], strict=True):
        blank.locator(f"[name=name_{wind}]").fill(name)
    type_into(blank, east="390", south="300", west="300", north="210")
    blank.locator("button[type=submit]").click()
    expect(page.locator(".evening-ranking tbody tr")).to_have_count(8)
    assert Sheet.objects.count() == 2
    page.locator("details:has(form.slip) > summary").click()
    expect(blank.locator("[name=name_east]")).to_have_value("")


def test_the_keyboard_stays_on_the_player_who_was_pressed(evening):
    page, _ = evening
    for act, here in (("come", 1), ("leave", 0)):
        tap = page.locator(".person-tap").nth(2)
        expect(tap).to_have_attribute("value", act)
        tap.press("Enter")
        expect(page.locator(".person-card.is-here")).to_have_count(here)
        expect(page.locator(".person-tap").nth(2)).to_be_focused()


def test_other_ticks_for_who_sits_out_keep_what_was_chosen(open_page, sign_in):
    here = club(players=9)
    for number, entrant in enumerate(here.competition.entrants.order_by("pk")[:4]):
        Presence.objects.create(
            stage=here.stage, day=day_of(here.competition), entrant=entrant, left=number == 3
        )
    page = open_page(**PHONE)
    sign_in(page, here.alice)
    page.goto(reverse("seating:plan", args=[here.slug, here.stage.pk]))
    swiss, out = page.locator("[name=method][value=swiss]"), page.locator("[name=out]:checked")
    count, other = page.locator("[data-count]"), page.locator("#who-sits-out a[hx-get]")
    swiss.check()
    page.locator("#id_tables").evaluate("field => (field.value = '3')")

    def shown(sit_out: int, *, too_few: bool) -> None:
        expect(out).to_have_count(sit_out)
        expect(count).to_contain_text(str(9 - sit_out))
        expect(page.locator("#checks .alert-danger")).to_have_count(int(too_few))

    shown(6, too_few=True)
    other.tap()
    shown(1, too_few=False)
    other.tap()
    shown(6, too_few=True)
    expect(swiss).to_be_checked()
    expect(page.locator("#id_tables")).to_have_value("3")
    out.first.tap()
    expect(count).to_contain_text("4")
