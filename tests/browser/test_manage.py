"""The organizer's page: one search finds what stands behind its doors."""

import pytest
from django.urls import reverse

from tests.browser.kit import expect
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_a_page_is_found_by_another_word_for_it(page, sign_in):
    here = club()
    sign_in(page, here.alice)
    page.goto(reverse("competitions:manage", args=[here.slug]))
    links = page.locator("#more li a")
    expect(page.locator("#more li a:visible")).to_have_count(0)

    page.get_by_role("searchbox").fill("backup")
    expect(page.locator("#more li a:visible")).to_have_count(1)
    expect(links.filter(visible=True)).to_contain_text("Competition file")
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_text("No page found.")).to_be_visible()
    page.get_by_role("searchbox").fill("shared rank")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Equal totals")).to_be_visible()


@pytest.mark.slow
def test_a_file_comes_without_leaving_the_page(page, sign_in):
    here = club()
    sign_in(page, here.alice)
    files = reverse("competitions:files", args=[here.slug])
    page.goto(files)

    with page.expect_download() as download:
        page.get_by_role("link", name="Full workbook").click()

    assert download.value.suggested_filename.endswith(".xlsx")
    assert page.url.endswith(files)


@pytest.mark.slow
def test_the_keyboard_goes_to_what_is_wrong(page, sign_in, expect_complaints):
    sign_in(page, club().alice)
    page.goto(reverse("competitions:new"))
    page.get_by_label("Name of the competition").fill("Autumn")
    page.get_by_label("League or club").fill("")

    page.get_by_role("button", name="Create competition").click()

    expect(page.get_by_label("League or club")).to_be_focused()
