"""Four phones at a table: the sheet by the number pad, signatures, an objection, a bad network."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from league.core.door import round_code, sheet_code, table_code
from league.models import Call, Proposal, Sheet, Signature
from league.play.results.services import record_result
from tests.browser.kit import (
    KEPT,
    cut_off,
    expect,
    intercept_posts,
    is_wide,
    kept,
    listed,
    look_again,
    lose_answer,
    wait_until_kept,
    way,
)
from tests.browser.test_every_page import OPTIONS
from tests.factories import Club
from tests.league.play.entry.at_table import of_table, propose, sign_seat, signing_club

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SCORES = ("412", "305", "201", "282")
POINTS = (41_200, 30_500, 20_100, 28_200)
WHOLE = ".at-line input, .at-line .place, .sheet-sum, .at-key, .at-send .btn"
IN_VIEW = """all => all.map(each => each.getBoundingClientRect()).every(
    box => box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth)"""


@pytest.fixture
def spring(transactional_db) -> Club:
    return signing_club()


class Thumb:
    """A thumb that counts its taps."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def __call__(self, selector: str) -> None:
        self.page.locator(selector).first.tap()
        self.count += 1


@pytest.fixture
def phone(open_page, spring):
    """`phone(index)`: the phone of this player, who has scanned the code and tapped their name."""

    def phone(index: int, **options):
        page = open_page(**SMALL | options)
        page.goto(f"/c/{spring.slug}/t/1/{sheet_code(spring.table())}/")
        page.locator(".at-who button").nth(index).tap()
        expect(page.locator(".at-seats .at-own")).to_have_count(1)
        return page

    return phone


def type_sheet(page, scores: tuple[str, ...] = SCORES) -> int:
    """Type on the open page of the sheet with the pad, and return the taps."""
    thumb = Thumb(page)
    expect(page.locator(".at-key")).to_have_count(12)
    for place, score in enumerate(scores):
        for digit in score.removeprefix("-"):
            thumb(f'[data-key="{digit}"]')
        if score.startswith("-"):
            page.locator(".sheet-sign").nth(place).tap()
            thumb.count += 1
        if place < 3:
            thumb('[data-key="next"]')
    return thumb.count


def sheet_page(page, spring: Club) -> None:
    page.goto(of_table("results:at_table", spring))


def signed() -> set[int | None]:
    return set(Signature.objects.filter(agrees=True).values_list("wind", flat=True))


def wait_for_signatures(page, *winds: int) -> None:
    for wind in winds:
        expect(page.locator(f'[data-wind="{wind}"] .badge-state-done')).to_be_visible()


@pytest.mark.slow
def test_a_sheet_is_typed_in_sixteen_taps_in_one_view_and_one_sends_it(phone, spring):
    page = phone(0)
    way(page, "results:at_table").tap()
    taps = type_sheet(page)
    expect(page.locator("[data-sum]")).to_have_attribute("data-state", "good")
    expect(page.locator(".at-line .place")).to_have_count(4)
    assert taps <= 16
    assert page.locator(WHOLE).evaluate_all(IN_VIEW)
    assert page.evaluate("document.activeElement.inputMode") == "none"  # no keyboard covers the page
    assert not is_wide(page)
    page.locator(".at-send [type=submit]").tap()
    expect(page.locator(".at-signer.at-own .at-points")).to_have_text("41,200")
    assert Proposal.objects.get().points == POINTS


@pytest.mark.slow
def test_the_pad_takes_signs_and_deletes(phone, spring):
    page = phone(0)
    sheet_page(page, spring)
    type_sheet(page, ("612", "405", "201", "-18"))
    expect(page.locator("[data-sum]")).to_have_attribute("data-state", "good")
    page.locator('[data-key="delete"]').tap()
    expect(page.locator("#at-north")).to_have_value("-1")
    page.locator("#at-south").tap()
    page.locator('[data-key="7"]').tap()
    expect(page.locator("#at-south")).to_have_value("7")  # replaces what was there


@pytest.mark.slow
def test_four_phones_sign_and_the_result_counts(phone, spring):
    phones = [phone(index) for index in range(4)]
    sheet_page(phones[1], spring)
    type_sheet(phones[1])
    phones[1].locator(".at-send [type=submit]").tap()
    expect(phones[1].locator(".at-signer")).to_have_count(4)
    for page in phones:
        sheet_page(page, spring)
        page.locator(".at-own .at-answer button").tap()
        page.wait_for_load_state()
    expect(phones[3].locator(".alert-success")).to_be_visible()
    assert (Sheet.objects.get().status, Sheet.objects.get().points) == ("confirmed", POINTS)
    expect(phones[0].locator(".alert-success")).to_be_visible()  # by itself


def test_phones_scan_the_card_give_the_code_of_the_round_and_sign(open_page, spring):
    propose(spring, POINTS)
    for wind in (0, 1):
        sign_seat(spring, wind)
    digits = round_code(spring.table().round)
    for index in (2, 3):
        page = open_page(**SMALL)
        page.goto(f"/c/{spring.slug}/t/1/{table_code(spring.division, 1)}/")
        expect(page.locator(".at-who")).to_have_count(0)
        page.locator("[name=digits]").fill(digits)
        page.get_by_role("button", name="Open table").tap()
        page.locator(".at-who button").nth(index).tap()
        expect(page.locator(".at-seats .at-own")).to_have_count(1)
        sheet_page(page, spring)
        assert not is_wide(page)
        page.locator(".at-own .at-answer button").tap()
        page.wait_for_load_state()
    expect(page.locator(".alert-success")).to_be_visible()
    assert set(Signature.objects.values_list("wind", "how")) == {(wind, "phone") for wind in range(4)}
    assert Sheet.objects.get().points == POINTS


@pytest.mark.slow
def test_one_phone_goes_round(phone, spring):
    propose(spring, POINTS)
    page = phone(2)
    sheet_page(page, spring)
    for wind in (2, 0, 1, 3):
        page.locator(f'[data-wind="{wind}"] .at-answer button').tap()
        page.wait_for_load_state()
        if wind != 3:
            wait_for_signatures(page, wind)
    expect(page.locator(".alert-success")).to_be_visible()
    assert Signature.objects.filter(how="shared").count() == 3


@pytest.mark.slow
def test_one_objects_and_the_others_see_it(phone, spring):
    propose(spring, POINTS)
    east, south = phone(0), phone(1)
    sheet_page(east, spring)
    sheet_page(south, spring)
    south.locator(".btn-outline-danger").tap()
    expect(south.locator(".alert-danger")).to_be_visible()
    expect(east.locator(".alert-danger")).to_be_visible()
    assert Call.objects.get().player == spring.players[1]
    south.goto(f"{of_table('results:at_table', spring)}?type=1")
    type_sheet(south, ("412", "315", "191", "282"))
    south.locator(".at-send [type=submit]").tap()
    expect(south.locator('[data-wind="1"] .at-points')).to_have_text("31,500")
    expect(south.locator(".alert-danger")).to_have_count(0)
    assert Proposal.objects.get(is_current=True).points == (41_200, 31_500, 19_100, 28_200)


@pytest.mark.slow
def test_a_sheet_typed_without_network_is_sent_once_when_it_is_back(phone, spring, expect_complaints):
    page = phone(0)
    sheet_page(page, spring)
    type_sheet(page)
    cut_off(page)
    page.locator(".at-send [type=submit]").tap()
    listed(page, "unsent")
    assert not Proposal.objects.exists()
    page.context.unroute_all()
    page.locator(f"{KEPT} [data-do=send]").tap()
    expect(page.locator(".at-signer")).to_have_count(4)
    assert (Proposal.objects.count(), kept(page)) == (1, [])


@pytest.mark.slow
def test_a_lost_answer_and_a_landing_page_lose_and_double_nothing(phone, spring, expect_complaints):
    page = phone(0)
    sheet_page(page, spring)
    type_sheet(page)
    there = "**/sheet/"
    intercept_posts(
        page, there, lambda route: route.fulfill(status=200, content_type="text/html", body="<h1>Wi-Fi</h1>")
    )
    page.locator(".at-send [type=submit]").tap()
    wait_until_kept(page, "refused")
    assert not Proposal.objects.exists()
    page.unroute(there)
    intercept_posts(page, there, lose_answer)
    page.reload()
    expect(page.locator(f"{KEPT}[data-state=unsent]")).to_have_count(1)
    assert Proposal.objects.count() == 1
    page.unroute(there)
    page.reload()
    wait_until_kept(page)
    assert Proposal.objects.count() == 1


@pytest.mark.slow
def test_a_signature_that_did_not_arrive_can_be_given_again(phone, spring, expect_complaints):
    propose(spring, POINTS)
    page = phone(0)
    sheet_page(page, spring)
    page.context.set_offline(True)
    page.locator(".at-own .at-answer button").tap()
    page.wait_for_timeout(300)
    page.context.set_offline(False)
    sheet_page(page, spring)
    page.locator(".at-own .at-answer button").tap()
    wait_for_signatures(page, 0)
    assert signed() == {0}


@pytest.mark.slow
def test_a_page_without_script_types_and_signs(open_page, spring):
    page = open_page(java_script_enabled=False, **SMALL)
    page.goto(f"/c/{spring.slug}/t/1/{sheet_code(spring.table())}/")
    page.locator(".at-who button").nth(3).click()
    sheet_page(page, spring)
    for wind, score in zip(("east", "south", "west", "north"), SCORES, strict=True):
        page.locator(f"#at-{wind}").fill(score)
    page.locator(".at-send [type=submit]").click()
    page.locator(".at-own .at-answer button").click()
    wait_for_signatures(page, 3)
    assert (Proposal.objects.get().points, signed()) == (POINTS, {3})


@pytest.mark.slow
def test_the_tables_page_follows_the_other_phones(phone, spring):
    page = phone(0)
    way(page, "results:at_table")
    propose(spring, POINTS)
    look_again(page)
    expect(page.locator("#table-sheet")).to_contain_text("Sign the score sheet")


@pytest.mark.slow
def test_a_correction_asks_the_phones_again(phone, spring):
    propose(spring, POINTS)
    for wind in range(4):
        sign_seat(spring, wind)
    page = phone(0)
    sheet_page(page, spring)
    expect(page.locator(".alert-success")).to_be_visible()
    sheet = Sheet.objects.get()
    corrected = (41_200, 30_500, 20_200, 28_100)
    record_result(
        table=spring.table(), points=corrected, based_on=sheet.pk, reason="a typing error", by=spring.charlie
    )
    expect(page.locator("#live .alert-warning")).to_be_visible()  # by itself
    page.locator(".at-own .at-answer button").tap()
    wait_for_signatures(page, 0)


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_at_a_table_are_accessible_and_fit_a_phone(phone, spring, theme):
    page, axe, found = phone(0, color_scheme=theme), Axe(), []

    def look() -> None:
        page.evaluate(axe.axe_script)
        result = page.evaluate("options => axe.run(document, options)", OPTIONS)
        found.extend(
            f"{page.url} {each['id']}: {each['nodes'][0]['target']}" for each in result["violations"]
        )
        assert not is_wide(page)

    look()
    sheet_page(page, spring)
    look()
    type_sheet(page)
    page.locator(".at-send [type=submit]").tap()
    expect(page.locator(".at-signer")).to_have_count(4)
    look()
    page.locator(".at-own .at-answer button").tap()
    wait_for_signatures(page, 0)
    page.locator(".btn-outline-danger").tap()
    expect(page.locator("main .alert-danger")).to_be_visible()
    look()
    page.goto(of_table("calls:table", spring))
    look()
    page.goto("/practice/?points=450.350.250.150&signed=02&wrong=1")
    look()
    assert found == []
