"""A small event by hand in Chromium: three rounds, a cut to a final of four with head starts, the title."""

import pytest
from django.urls import reverse

from league.models import Round, Stage
from league.play.results.services import record_result
from league.play.rounds.services import close_round, open_round, set_visibility
from league.ranking.standings.queries.standings import compute_standings
from scoring.presets import resolve
from scoring.settlement import settle
from tests.browser.kit import fill, is_wide, press, totals
from tests.factories import Club, club

pytestmark = pytest.mark.django_db(transaction=True)

# Of each table east to north; under EMA 2025, 30 000 back, uma 15/5/−5/−15.
POINTS = (
    ((45_000, 33_000, 25_000, 17_000), (41_000, 36_000, 24_000, 19_000), (52_000, 28_000, 22_000, 18_000)),
    ((38_000, 31_000, 27_000, 24_000), (47_000, 30_500, 22_500, 20_000), (33_000, 32_000, 29_000, 26_000)),
    ((50_000, 30_000, 21_000, 19_000), (36_000, 34_000, 28_000, 22_000), (44_000, 29_000, 26_000, 21_000)),
)
FINAL = ((29_000, 35_000, 24_000, 32_000), (41_000, 30_000, 28_000, 21_000))


@pytest.fixture
def here() -> Club:
    """Twelve players after three rounds, everything published."""
    made = club("spring", players=12, preset="ema-2025")
    for number, tables in enumerate(POINTS, 1):
        round_ = made.add_round()
        for table, points in enumerate(tables, 1):
            made.record(points, round_number=number, number=table)
        close_round(round_=round_, by=made.alice)
    return made


def play(here: Club, final: Stage) -> dict[int, int]:
    """Plays the final; player → tenths from its tables, reckoned from the settlement of a table alone."""
    rules = resolve("ema-2025")
    found: dict[int, int] = {}
    for round_, points in zip(final.rounds.order_by("number"), FINAL, strict=True):
        open_round(round_=round_, by=here.alice)
        set_visibility(round_=round_, visibility="results", by=here.alice)
        table = round_.tables.get()
        record_result(table=table, points=points, based_on=0, by=here.charlie)
        seats = table.seats.order_by("wind").values_list("player_id", flat=True)
        for player, seat in zip(seats, settle(points, rules), strict=True):
            found[player] = found.get(player, 0) + int(seat.score)
        close_round(round_=round_, by=here.alice)
    return found


@pytest.mark.parametrize("javascript", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_from_three_rounds_through_the_cut_to_the_title(here, open_page, sign_in, javascript):
    page = open_page(viewport={"width": 390, "height": 844}, java_script_enabled=javascript)
    sign_in(page, here.alice)
    before = [line.player for line in compute_standings(here.stage, public=True).rows]

    # The cut is asked for, shown, and made.
    page.goto(reverse("competitions:manage", args=[here.slug]))
    press(page, "stages:cut")
    fill(page, name="Final", top=4, hanchan=2, head_starts="40, 30, 20, 10")
    press(page, "stages:cut")
    shown = [row.locator("th, td").all_inner_texts() for row in page.locator("main table tbody tr").all()]
    assert [row[1].strip() for row in shown] == [info.name for info in before]
    assert [row[4].strip() for row in shown[:4]] == ["+40.0", "+30.0", "+20.0", "+10.0"]
    assert Stage.objects.count() == 1
    press(page, "stages:cut", method="post")

    # Before it begins its standings are the head starts.
    final = Stage.objects.select_related("division__competition", "division__rule_set").get(slug="final")
    page.goto(reverse("stages:stage", args=[here.slug, final.pk]))
    press(page, "standings:stage", stage="final")
    assert list(totals(page)) == [info.name for info in before[:4]]

    # Two hanchan later the title is what head starts and the final add up to.
    won = play(here, final)
    four = [info.player for info in before[:4]]
    added = {player: start + won[player] for player, start in zip(four, (400, 300, 200, 100), strict=True)}
    names = {info.player: info.name for info in before}
    expected = {
        names[player]: f"{added[player] / 10:+.1f}" for player in sorted(added, key=lambda p: -added[p])
    }
    page.goto(reverse("standings:stage", args=[here.slug, "main", "final"]))
    shown = {name: total.replace("−", "-") for name, total in totals(page).items()}
    assert list(shown.items()) == list(expected.items())
    assert not is_wide(page)

    # Now it stays.
    page.goto(reverse("stages:stage", args=[here.slug, final.pk]))
    assert page.locator("form[action$='/undo/']").count() == 0
    assert Round.objects.filter(stage=final).count() == 2
