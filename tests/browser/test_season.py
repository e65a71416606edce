"""A league season of two divisions in Chromium: who goes up and down, a play-off, the next season."""

import pytest
from django.urls import reverse

from league.models import Competition, Stage
from tests.seasons import Season, play_round, two_divisions

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spring() -> Season:
    """Nobody goes up or down yet; two rounds of both divisions are played."""
    made = two_divisions(movement=False)
    for _ in range(2):
        made.play(made.upper)
        made.play(made.lower)
    return made


def press(page, name: str) -> None:
    page.locator("main").get_by_role("button", name=name, exact=True).or_(
        page.locator("main").get_by_role("link", name=name, exact=True)
    ).first.click()


def zones(page) -> dict[str, str]:
    """Name → what would become of them, for who would not stay."""
    found = {}
    for row in page.locator("table.standings tbody tr").all():
        note = row.locator(".name-note.zone")
        if note.count() and note.inner_text().strip():
            found[row.locator(".name > a").inner_text()] = note.inner_text().strip()
    return found


def test_a_season_of_two_divisions_ends_in_the_next_one(spring, open_page, sign_in):
    page = open_page(viewport={"width": 360, "height": 800})
    sign_in(page, spring.club.alice)

    # Who goes up and down is set for each division; the standings show it.
    for division, way in (("a", "down"), ("b", "up")):
        page.goto(reverse("competitions:manage", args=[spring.club.slug]))
        link = reverse("seasons:movement", args=[spring.club.slug, division])
        page.locator(f'main a[href="{link}"]').click()
        page.locator(f"[name={way}]").fill("1")
        page.locator(f"[name={way}_play_off]").fill("2")
        press(page, "Save")
        page.get_by_text("Saved: who goes up and down").wait_for()
    page.goto(reverse("standings:stage", args=[spring.club.slug, "a", "regular-season"]))
    assert zones(page) == {"A7": "◆ play-off", "A8": "◆ play-off", "A4": "▼ goes down"}
    page.goto(reverse("standings:stage", args=[spring.club.slug, "b", "regular-season"]))
    assert zones(page) == {"B5": "▲ goes up", "B1": "◆ play-off", "B2": "◆ play-off"}
    assert page.evaluate("document.documentElement.scrollWidth") <= 360

    # The play-off is made on the page of the season's end, and played.
    page.goto(reverse("competitions:manage", args=[spring.club.slug]))
    press(page, "End of the season")
    page.get_by_text("A7, A8, B1, B2 play for 2 places in A.").wait_for()
    page.get_by_label("Hanchan", exact=True).fill("1")
    press(page, "Make the play-off")
    page.get_by_text("Play-off is there.").wait_for()
    play_off = Stage.objects.select_related("division__competition__league", "division__rule_set").get(
        slug="play-off"
    )
    play_off.rounds.all().delete()
    play_round(play_off, [spring.player(key) for key in ("b2", "a8", "a7", "b1")], spring.club)
    page.goto(reverse("standings:stage", args=[spring.club.slug, "a", "regular-season"]))
    assert zones(page) == {"A7": "▼ goes down", "A4": "▼ goes down"}

    # Somebody declines; the next season is shown, then made.
    page.goto(reverse("seasons:end", args=[spring.club.slug]))
    page.get_by_text("It is played: its result decides.").wait_for()
    page.get_by_text("Decide by hand").click()
    page.locator("[name=player_1]").select_option(label="B5")
    page.locator("[name=to_1]").select_option(label="B")
    page.get_by_label("Why by hand").fill("declined to go up")
    page.get_by_label("Name of the next season").fill("Autumn")
    press(page, "Show the next season")
    page.get_by_text("A: 7 players").wait_for()
    assert Competition.objects.count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    press(page, "Make the next season")
    page.get_by_text("Autumn is there.").wait_for()

    made = Competition.objects.get(name="Autumn")
    assert spring.keys(made, "a") == ["a1", "a2", "a3", "a5", "a6", "a8", "b2"]
    assert spring.keys(made, "b") == ["a4", "a7", "b1", "b3", "b4", "b5", "b6", "b7", "b8"]
    ranks = dict(made.entrants.values_list("key", "previous_rank"))
    assert (ranks["a5"], ranks["a4"], ranks["b5"]) == (1, 8, 9)

    # Both seasons lead to each other.
    page.goto(reverse("standings:competition", args=[made.slug]))
    page.get_by_role("link", name="Season before").click()
    page.get_by_role("link", name="Next season").wait_for()
    assert page.url.endswith(reverse("standings:competition", args=[spring.club.slug]))
