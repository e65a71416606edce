"""A league season of two divisions in Chromium: who goes up and down, a play-off, the next season."""

import pytest
from django.urls import reverse

from league.models import Competition, Stage
from tests.browser.kit import fill, is_wide, press, unfold
from tests.seasons import Season, play_round, two_divisions

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def spring() -> Season:
    """No one goes up or down yet; two rounds of both divisions are played."""
    made = two_divisions(movement=False)
    for _ in range(2):
        made.play(made.upper)
        made.play(made.lower)
    return made


def zones(page) -> dict[str, str]:
    """Name → the sign of what would become of them, for those who would not stay."""
    found = {}
    for row in page.locator("table.standings tbody tr").all():
        note = row.locator(".name-note.zone")
        if note.count() and note.inner_text().strip():
            found[row.locator(".name > a").inner_text()] = note.inner_text().split()[0]
    return found


def test_a_season_of_two_divisions_ends_in_the_next_one(spring, open_page, sign_in):
    page = open_page(viewport={"width": 360, "height": 800})
    sign_in(page, spring.club.alice)

    # Who goes up and down is set on one page; the standings show it.
    page.goto(reverse("competitions:manage", args=[spring.club.slug]))
    press(page, "seasons:movement")
    fill(page, **{f"down_{spring.upper.pk}": 1, f"down_play_off_{spring.upper.pk}": 2})
    fill(page, **{f"up_{spring.lower.pk}": 1, f"up_play_off_{spring.lower.pk}": 2})
    press(page, "seasons:movement")
    page.goto(reverse("standings:stage", args=[spring.club.slug, "a", "regular-season"]))
    assert zones(page) == {"A7": "◆", "A8": "◆", "A4": "▼"}
    page.goto(reverse("standings:stage", args=[spring.club.slug, "b", "regular-season"]))
    assert zones(page) == {"B5": "▲", "B1": "◆", "B2": "◆"}
    assert not is_wide(page)

    # The play-off is made on the page of the season's end, and played.
    page.goto(reverse("competitions:manage", args=[spring.club.slug]))
    press(page, "seasons:end")
    fill(page, hanchan=1)
    press(page, "seasons:play_off")
    play_off = Stage.objects.select_related("division__competition__league", "division__rule_set").get(
        slug="play-off"
    )
    play_off.rounds.all().delete()
    play_round(play_off, [spring.player(key) for key in ("b2", "a8", "a7", "b1")], spring.club)
    page.goto(reverse("standings:stage", args=[spring.club.slug, "a", "regular-season"]))
    assert zones(page) == {"A7": "▼", "A4": "▼"}

    # Someone declines; the next season is shown, then made.
    page.goto(reverse("seasons:end", args=[spring.club.slug]))
    unfold(page, "[name=player_1]")
    page.locator("[name=player_1]").select_option(label="B5")
    page.locator("[name=to_1]").select_option(label="B")
    fill(page, reason="declined to go up", name="Autumn")
    press(page, "seasons:end")
    assert Competition.objects.count() == 1
    assert not is_wide(page)
    press(page, "seasons:end", method="post")

    made = Competition.objects.get(name="Autumn")
    assert spring.keys(made, "a") == ["a1", "a2", "a3", "a5", "a6", "a8", "b2"]
    assert spring.keys(made, "b") == ["a4", "a7", "b1", "b3", "b4", "b5", "b6", "b7", "b8"]
    ranks = dict(made.entrants.values_list("key", "previous_rank"))
    assert (ranks["a5"], ranks["a4"], ranks["b5"]) == (1, 8, 9)

    # Both seasons lead to each other.
    page.goto(reverse("standings:competition", args=[made.slug]))
    press(page, "standings:competition", slug=spring.club.slug)
    assert page.url.endswith(reverse("standings:competition", args=[spring.club.slug]))
    press(page, "standings:competition", slug=made.slug)
