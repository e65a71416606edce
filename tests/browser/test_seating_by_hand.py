"""Names typed for the seats of a round, in Chromium."""

import pytest
from django.urls import reverse

from tests.browser.kit import expect
from tests.factories import club

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_name_listed_twice_is_said_under_both_fields_until_one_is_changed(open_page, sign_in):
    spring = club()
    page = open_page()
    sign_in(page, spring.alice)
    page.goto(reverse("seating:next_round", args=[spring.slug, spring.stage.pk]) + "?how=hand")
    fields, said = page.locator("input[list]"), page.locator("[data-seat-form] .field-errors")

    fields.nth(0).fill("Dora")
    fields.nth(2).fill(" dora")
    expect(said).to_have_text(["Listed twice.", "Listed twice."])
    for at in (0, 2):
        expect(fields.nth(at)).to_have_attribute("aria-invalid", "true")
        expect(fields.nth(at)).to_have_accessible_description("Listed twice.")

    fields.nth(2).fill("Émile")
    expect(said).to_have_count(0)
    expect(fields.nth(0)).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.slow
def test_what_the_server_found_stays_while_names_are_typed(open_page, sign_in, expect_complaints):
    spring = club()
    page = open_page()
    sign_in(page, spring.alice)
    page.goto(reverse("seating:next_round", args=[spring.slug, spring.stage.pk]) + "?how=hand")
    fields, said = page.locator("input[list]"), page.locator("[data-seat-form] .field-errors")
    for at, name in enumerate(("Dora", "Émile", "Nemo", "王美麗")):
        fields.nth(at).fill(name)
    page.get_by_role("button", name="Save seating").click()
    page.wait_for_load_state()

    fields.nth(3).fill("Nemo")
    expect(said).to_have_count(3)
    fields.nth(3).fill("")
    expect(said).to_have_count(1)
    expect(fields.nth(2)).to_have_attribute("aria-invalid", "true")
    expect(fields.nth(3)).not_to_have_attribute("aria-invalid", "true")
