"""The choice of a round where results of several are missing."""

import pytest
from django.urls import reverse

from tests.browser.kit import PHONE, is_wide
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
def test_on_a_phone_each_round_is_named(open_page, sign_in):
    made = club()
    made.add_round()
    made.add_round()
    page = open_page(**PHONE)
    sign_in(page, made.charlie)

    page.goto(reverse("results:enter", args=[made.slug]))

    names = page.locator("main ul a .rest")
    widths = [each.bounding_box()["width"] for each in names.all()]
    assert names.all_inner_texts() == ["Round 1", "Round 2"]
    assert min(widths) > 50
    assert not is_wide(page)
