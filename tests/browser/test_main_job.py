"""The whole job by hand in Chromium: from nothing to the workbook, under the HKMA's rules of division A."""

import io

import openpyxl
import pytest

from league.models import Competition, Role, Sheet
from tests.factories import user

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("陳大文", "李小明", "王美麗", "張志強", "Dora <b>Bold</b>", "山田太郎", "=1+1", "Ngô Bảo")
TYPED = {1: ("450", "350", "250"), 2: ("612", "-52", "287")}  # the fourth is suggested, and accepted by a key


class Clicks:
    """A mouse that counts."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def __call__(self, name: str) -> None:
        self.page.locator("main").get_by_role("button", name=name, exact=True).or_(
            self.page.locator("main").get_by_role("link", name=name, exact=True)
        ).first.click()
        self.count += 1


@pytest.fixture
def organizer(open_page, sign_in):
    page = open_page(viewport={"width": 1280, "height": 900})
    sign_in(page, user("alice"))
    return page


def type_table(page, number: int) -> int:
    """Type one table with real keys and wait until it is saved; the number of keys."""
    keys = [*str(number), "Enter"]
    for score in TYPED[number]:
        keys += [*score, "Enter"]
    keys += ["=", "Enter"]
    for key in keys:
        page.keyboard.press(key)
    page.get_by_text(f"Table {number} is saved").first.wait_for()
    page.locator("#number:focus").wait_for()
    return len(keys)


def shown_totals(page) -> dict[str, str]:
    """Player → total as the standings page shows it."""
    rows = page.locator("main table tbody tr").all()
    return {
        row.locator(".name").first.inner_text(): row.locator("td.total").first.inner_text() for row in rows
    }


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
    click("New competition")
    page.get_by_label("Name of the competition").fill("HKMA A 2026")
    page.get_by_label("Name of your league or club").fill("Wan Chai Club")
    page.locator("[name=preset][value=hkma-a-2025-04]").check()
    click("Create the competition")

    # Eight players pasted, checked, saved; nothing of a name is taken for a formula or for HTML.
    click("Add players")
    page.locator("[name=text]").fill("\n".join(NAMES))
    click("Check the list")
    click("Save")
    competition = Competition.objects.get()
    assert set(competition.entrants.values_list("player__name", flat=True)) == set(NAMES)

    # Two tables seated at random and opened: a seated first round within seven clicks.
    click("Make and seat round 1")
    click("Seat them so")
    assert click.count <= 7
    page.goto(f"/c/{competition.slug}/manage/")
    click("Open round 1")

    # Both tables by keyboard, at most 17 keys each.
    click("Enter results")
    page.locator("#number:focus").wait_for()
    assert type_table(page, 1) <= 17
    assert type_table(page, 2) <= 17
    assert [sheet.points for sheet in Sheet.objects.order_by("table__number")] == [
        (45000, 35000, 25000, 15000),
        (61200, -5200, 28700, 35300),
    ]

    # One is mended, with a reason: three clicks from the table's page at most.
    table = Sheet.objects.get(table__number=1).table
    page.goto(f"/c/{competition.slug}/tables/{table.pk}/")
    click("Correct")
    page.locator("[name=east]").fill("350")
    page.locator("[name=south]").fill("450")
    page.locator("[name=reason]").fill("east and south were exchanged")
    page.locator("main form").get_by_role("button", name="Save").first.click()
    page.wait_for_url(f"**/tables/{table.pk}/")
    assert list(Sheet.objects.filter(table=table).values_list("version", "east", "is_current")) == [
        (1, 45000, False),
        (2, 35000, True),
    ]

    # A referee logs a level 2 penalty in four taps.
    bob = user("bob")
    Role.objects.create(competition=competition, user=bob, kind=Role.Kind.REFEREE)
    east, south = (seat.player for seat in table.seats.select_related("player").order_by("wind")[:2])
    referee = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    sign_in(referee, bob)
    referee.goto(f"/c/{competition.slug}/desk/")
    referee.locator(f"a.table-choice[href$='={table.pk}']").tap()
    referee.locator(f"a.seat-choice[data-player='{east.pk}']").tap()
    referee.locator("a[data-offence='A-I']").first.tap()
    referee.locator("[data-step=confirm] [type=submit]").tap()
    referee.locator("[data-undo]").wait_for()

    # The standings show all of it, to a visitor too once the round is published.
    page.goto(f"/c/{competition.slug}/manage/")
    click("Close round 1")
    visitor = open_page()
    visitor.goto(f"/c/{competition.slug}/")
    totals = shown_totals(visitor)
    assert set(totals) == set(NAMES)
    assert totals[south.name] == "+60.0"
    assert totals[east.name] == "+8.0"  # 35 000 − 35 000, +10.0 as second, −2.0

    # The workbook downloaded there holds the same numbers, as numbers; names stay names.
    with visitor.expect_download() as download:
        visitor.locator("main").get_by_role("link", name="Excel").click()
    content = download.value.path().read_bytes()
    held = workbook_totals(content)
    assert {name: f"{total:+.1f}".replace("-", "−") for name, (_, total) in held.items()} == totals
    assert held[east.name][0] == -2
    formulas = [
        cell.coordinate
        for sheet in openpyxl.load_workbook(io.BytesIO(content))
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]
    assert formulas == []
