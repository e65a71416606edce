"""A club's evening in Chromium: a tap for each who comes, one to draw, slips, one for the next hanchan."""

import pytest
from django.urls import reverse

from league.core.zones import day_of_play
from league.models import Presence, Sheet
from league.play.open_play.services import make_table
from tests.browser.kit import PHONE, cut_off, expect, is_wide
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)


def of_free_play(players: int) -> Club:
    here = club(players=players)
    here.stage.play = "free"
    here.stage.save()
    return here


@pytest.mark.slow
def test_an_evening_of_14_of_60_members_and_two_guests_needs_no_click_for_a_score(
    open_page, sign_in, expect_complaints
):
    here = of_free_play(60)
    page = open_page(viewport={"width": 1280, "height": 800})
    sign_in(page, here.alice)
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))
    present, slips = page.locator("[data-people=here] .person"), page.locator(".slips form.slip")

    # Four by a tap in the list, as fast as one can tap: none gets lost. Ten by the beginning of a name.
    for player in here.players[:4]:
        page.locator(f".person[data-name^='{player.name}'] .person-tap").first.click()
    expect(page.locator(".person.is-on")).to_have_count(4)
    page.get_by_role("searchbox").focus()
    for number, player in enumerate(here.players[4:14], start=5):
        page.keyboard.type(player.name[-9:])
        page.keyboard.press("Enter")
        expect(present).to_have_count(number)
        expect(page.get_by_role("searchbox")).to_be_focused()
        expect(page.get_by_role("searchbox")).to_have_value("")
    page.locator("form.guest [name=name]").focus()
    for number, name in ((15, "<b>Guest</b>"), (16, "Another")):
        page.keyboard.type(name)
        page.keyboard.press("Enter")
        expect(present).to_have_count(number)
        expect(page.locator("form.guest [name=name]")).to_be_focused()
    expect(page.locator("details.absent")).not_to_have_attribute("open", "")

    page.locator("#draw button").click()
    expect(slips).to_have_count(4)
    first, second = (slips.nth(number).bounding_box() for number in (0, 1))
    assert (first["y"], first["x"] < second["x"]) == (second["y"], True)  # beside each other

    def type_scores(keys: str) -> None:
        """Where the page has put the cursor, without a click."""
        page.wait_for_load_state()
        expect(slips.first.locator("[name=east]")).to_be_focused()
        for key in keys:
            page.keyboard.press("Enter" if key == "\n" else key)

    for left in (3, 2, 1, 0):
        type_scores("400\n300\n300\n200\n")  # 16 keys
        expect(slips).to_have_count(left)
    assert Sheet.objects.count() == 4

    page.locator("#draw button").click()
    expect(slips).to_have_count(4)
    type_scores("400\n300\n300\n100\n")
    expect(slips.nth(0).locator("[role=alert]")).to_be_visible()
    expect(slips.nth(0).locator("[name=north]")).to_have_value("100")
    assert Sheet.objects.count() == 4


def test_an_evening_on_a_phone_with_fees_collected_in_a_mode_of_its_own(open_page, sign_in):
    here = of_free_play(12)
    page = open_page(**PHONE)
    sign_in(page, here.alice)
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))
    for number, player in enumerate(here.players[:9], 1):
        page.locator(f".person[data-name^='{player.name}'] .person-tap").first.tap()
        expect(page.locator(".person.is-on")).to_have_count(number)
    assert not is_wide(page)

    page.locator("#draw button").tap()
    expect(page.locator(".slips form.slip")).to_have_count(2)
    page.locator("#fees a").tap()
    page.locator("[name=fee]").fill("8,50")
    page.locator("form:has([name=fee]) button").tap()
    for number in (0, 1):
        page.locator(".person-tap").nth(number).tap()
        expect(page.locator(".person.is-on")).to_have_count(number + 1)
    expect(page.locator("#fees")).to_contain_text("17 paid, 59.50 open")
    assert not is_wide(page)
    assert Presence.objects.filter(paid_on=day_of_play(here.competition)).count() == 2
    assert sorted(Presence.objects.values_list("sat_out", flat=True)) == [0] * 8 + [1]


@pytest.fixture
def evening(open_page, sign_in):
    """The page of this evening and its league, with alice signed in."""
    here = of_free_play(8)
    page = open_page()
    sign_in(page, here.alice)
    page.goto(reverse("open_play:tonight", args=[here.slug, here.stage.pk]))
    return page, here


@pytest.mark.slow
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
    expect(page.locator(".person.is-on")).to_have_count(1)
    expect(problem).to_be_hidden()


@pytest.mark.slow
def test_a_refused_tap_says_why_in_view(evening):
    page, here = evening
    page.set_viewport_size({"width": 360, "height": 200})
    tap = page.locator(f".person[data-name^='{here.players[0].name}'] .person-tap")
    tap.click()
    expect(page.locator(".person.is-on")).to_have_count(1)
    day, four = day_of_play(here.competition), [player.pk for player in here.players[:4]]
    make_table(stage=here.stage, four=four, on=day, today=day, by=here.alice)
    tap.click()
    said = page.locator("#messages .alert-danger")
    expect(said).to_contain_text("sits at a table without a result.")
    expect(said).to_be_in_viewport()


@pytest.mark.slow
def test_what_is_typed_into_slips_stays_until_it_is_saved(evening, expect_complaints):
    page, here = evening
    day, names = day_of_play(here.competition), [player.name for player in here.players]
    four = [player.pk for player in here.players[:4]]
    table = make_table(stage=here.stage, four=four, on=day, today=day, by=here.alice)
    page.reload()
    drawn, blank = page.locator(".slips form.slip"), page.locator("details > form.slip")

    def type_into(slip, **points: str) -> None:
        for wind, number in points.items():
            slip.locator(f"[name={wind}]").fill(number)

    type_into(drawn, east="400", south="300")
    page.locator("details:has(> form.slip) > summary").click()
    blank.locator("[name=name_east]").fill(names[4])
    page.locator("form.guest [name=name]").fill("Guest")
    page.locator("form.guest button").click()
    expect(page.locator(".person.is-on")).to_have_count(1)
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
    page.locator("details:has(> form.slip) > summary").click()
    expect(blank.locator("[name=name_east]")).to_have_value("")


@pytest.mark.slow
def test_the_keyboard_stays_on_the_player_who_was_pressed(evening):
    page, _ = evening
    tap = page.locator("#" + str(page.locator(".person-tap").nth(2).get_attribute("id")))
    for act, here in (("come", 1), ("leave", 0)):
        expect(tap).to_have_attribute("value", act)
        tap.press("Enter")
        expect(page.locator(".person.is-on")).to_have_count(here)
        expect(tap).to_be_focused()


@pytest.mark.slow
def test_other_ticks_for_who_plays_keep_what_was_chosen(open_page, sign_in):
    here = club(players=9)
    for number, entrant in enumerate(here.competition.entrants.order_by("pk")[:4]):
        Presence.objects.create(
            stage=here.stage, day=day_of_play(here.competition), entrant=entrant, left=number == 3
        )
    page = open_page(**PHONE)
    sign_in(page, here.alice)
    page.goto(reverse("seating:plan", args=[here.slug, here.stage.pk]))
    swiss, plays = page.locator("[name=method][value=swiss]"), page.locator("[name=plays]:checked")
    count, other = page.locator("[data-count]"), page.locator("#who-plays a[hx-get]")
    swiss.check()
    page.locator("#id_tables").evaluate("field => (field.value = '3')")

    def shown(sit_out: int, *, too_few: bool) -> None:
        expect(plays).to_have_count(9 - sit_out)
        expect(count).to_contain_text(str(9 - sit_out))
        expect(page.locator("#checks .alert-danger")).to_have_count(int(too_few))

    shown(6, too_few=True)
    other.tap()
    shown(1, too_few=False)
    other.tap()
    shown(6, too_few=True)
    expect(swiss).to_be_checked()
    expect(page.locator("#id_tables")).to_have_value("3")
    plays.first.tap()
    expect(count).to_contain_text("2")


@pytest.mark.slow
def test_no_chip_moves_while_players_are_tapped_quickly(evening):
    page, here = evening
    page.set_viewport_size({"width": 360, "height": 500})
    day, entrants = day_of_play(here.competition), list(here.competition.entrants.order_by("pk"))
    Presence.objects.create(stage=here.stage, day=day, entrant=entrants[0], sat_out=2)
    page.reload()
    page.locator(f"#player-{entrants[-1].pk}").scroll_into_view_if_needed()
    page.wait_for_timeout(100)

    def places() -> list[tuple[float, float]]:
        boxes = (page.locator(f"#player-{each.pk}").bounding_box() for each in entrants)
        return [(round(box["x"]), round(box["y"])) for box in boxes]

    # The fourth makes the button that draws tables, above the list. The first loses “sat out 2 times”.
    before = places()
    for number, act in [(1, "leave"), (2, "leave"), (3, "leave"), (4, "leave"), (0, "come"), (0, "leave")]:
        tap = page.locator(f"#presence-{entrants[number].pk}")
        tap.click()
        expect(tap).to_have_attribute("value", act)
        assert places() == before


@pytest.mark.slow
def test_two_players_of_one_search_are_tapped_one_after_the_other(evening):
    page, here = evening
    search, two = page.get_by_role("searchbox"), page.locator(".person:visible")
    search.fill(here.players[0].name[:1])
    found = two.count()
    assert 0 < found < 8
    first = two.first.get_attribute("id")
    two.first.locator("button").click()
    expect(page.locator(".person.is-on")).to_have_count(1)
    assert (two.count(), two.first.get_attribute("id")) == (found, first)

    search.click()  # what was searched is selected, so that the next letters take its place
    page.keyboard.type(here.players[4].name)
    expect(search).to_have_value(here.players[4].name)
