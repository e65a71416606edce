"""The whole job by hand in Chromium: from nothing to the workbook, under the HKMA's rules of division A."""

import io

import openpyxl
import pytest

from league.models import Competition, Role, Sheet
from tests.browser.kit import PHONE, Clicks, expect, fill, press, press_keys, totals
from tests.factories import user

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("陳大文", "李小明", "王美麗", "張志強", "Dora <b>Bold</b>", "山田太郎", "@SUM(A1)", "Ngô Bảo")
TYPED = {1: ("450", "350", "250"), 2: ("612", "-52", "287")}  # the fourth is suggested, and accepted by a key


def type_table(page, number: int) -> int:
    """Type one table with real keys and wait until it is saved; the number of keys."""
    keys = [*str(number), "Enter"]
    for score in TYPED[number]:
        keys += [*score, "Enter"]
    keys += ["=", "Enter"]
    press_keys(page, keys)
    expect(page.locator(f".sheet-list [data-show='{number}']")).to_have_count(0)
    expect(page.locator("#number")).to_be_focused()
    return len(keys)


def downloaded(page) -> bytes:
    """The workbook of the standings."""
    with page.expect_download() as download:
        press(page, "interchange:standings", fmt="xlsx")
    return download.value.path().read_bytes()


def workbook_totals(content: bytes) -> dict[str, tuple[float, float]]:
    """Player → (penalties, total) as the workbook's first sheet holds them, as numbers."""
    sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
    rows = [row for row in sheet.iter_rows(values_only=True) if any(cell is not None for cell in row)]
    head = next(i for i, row in enumerate(rows) if "Total" in row)
    column = {name: i for i, name in enumerate(rows[head]) if name}
    return {
        row[column["Name"]]: (row[column["Penalties"]], row[column["Total"]])
        for row in rows[head + 1 :]
        if isinstance(row[column["Total"]], int | float)
    }


def test_from_nothing_to_the_federations_workbook(organizer, open_page, sign_in, live_server):
    page = organizer
    click = Clicks(page)

    # A competition under the HKMA's division A: name, rule set, league.
    page.goto("/")
    click("competitions:new")
    fill(page, name="HKMA A 2026", league_name="Wan Chai Club")
    click.on("[name=preset][value=hkma-a-2025-04]")
    click("competitions:new")

    # Eight players pasted, checked, saved; nothing of a name is taken for a formula or for HTML.
    fill(page, text="\n".join(NAMES))
    click("roster:import")
    click("roster:preview", save=1)
    competition = Competition.objects.get()
    assert set(competition.entrants.values_list("player__name", flat=True)) == set(NAMES)

    # Two tables seated at random and opened: a seated first round within seven clicks.
    click("seating:next_round")
    click("seating:next_round", method="post")
    assert click.count == 7
    page.goto(f"/c/{competition.slug}/manage/")
    click("rounds:status", status="open")

    # Both tables by keyboard, at most 17 keys each.
    click("results:enter_round")
    expect(page.locator("#number")).to_be_focused()
    assert type_table(page, 1) <= 17
    assert type_table(page, 2) <= 17
    assert [sheet.points for sheet in Sheet.objects.order_by("table__number")] == [
        (45000, 35000, 25000, 15000),
        (61200, -5200, 28700, 35300),
    ]

    # One is mended before others know it: three clicks from the table's page at most.
    table = Sheet.objects.get(table__number=1).table
    page.goto(f"/c/{competition.slug}/tables/{table.pk}/")
    click("results:correct")
    fill(page, east="350", south="450")
    click("results:correct")
    page.wait_for_url(f"**/tables/{table.pk}/")
    assert list(Sheet.objects.filter(table=table).values_list("version", "east", "is_current")) == [
        (1, 45000, False),
        (2, 35000, True),
    ]

    # A referee logs a level 2 penalty in four taps.
    bob = user("bob")
    Role.objects.create(competition=competition, user=bob, kind=Role.Kind.REFEREE)
    east, south = (seat.player for seat in table.seats.select_related("player").order_by("wind")[:2])
    referee = open_page(**PHONE)
    sign_in(referee, bob)
    referee.goto(f"/c/{competition.slug}/desk/")
    referee.locator(f"a.table-choice[href$='={table.pk}']").tap()
    referee.locator(f"a.seat-choice[data-player='{east.pk}']").tap()
    referee.locator("a[data-offence='A-I']").first.tap()
    referee.locator("[data-step=confirm] [type=submit]").tap()
    referee.wait_for_url("**/desk/")

    # The standings show all of it, to a visitor too once the round is published.
    page.goto(f"/c/{competition.slug}/manage/")
    click("rounds:status", status="close")
    visitor = open_page()
    visitor.goto(f"/c/{competition.slug}/")
    shown = totals(visitor)
    assert set(shown) == set(NAMES)
    assert shown[south.name] == "+60.0"
    assert shown[east.name] == "+8.0"  # 35 000 − 35 000, +10.0 as second, −2.0

    # The workbook downloaded there holds the same numbers, as numbers; names stay names.
    content = downloaded(visitor)
    held = workbook_totals(content)
    assert {name: f"{total:+.1f}".replace("-", "−") for name, (_, total) in held.items()} == shown
    assert held[east.name][0] == -2
    formulas = [
        cell.coordinate
        for sheet in openpyxl.load_workbook(io.BytesIO(content))
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]
    assert formulas == []
