"""From the organizer's settings over a phone without script to the list of players."""

import pytest

from league.extras.registration import forms
from tests.browser.kit import expect
from tests.factories import club
from tests.league.extras.registration.kit import address_in, mails, roster

PHONE = {"width": 390, "height": 844}
pytestmark = pytest.mark.django_db(transaction=True)


def test_a_player_registers_on_a_phone_and_the_organizer_finds_them(
    open_page, page, sign_in, expect_complaints, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(forms, "SECONDS", 0)  # this person is quick
    spring = club(players=0)
    sign_in(page, spring.alice)
    page.goto("/c/spring/manage/")
    page.get_by_role("link", name="Players registrations").click()
    page.get_by_role("link", name="Registrations", exact=True).click()
    page.get_by_role("link", name="Set up registration").click()
    page.get_by_label("Opens").fill("2026-01-01T10:00")
    page.get_by_role("spinbutton", name="Places").fill("1")
    page.locator("select[name=club]").select_option("required")
    page.get_by_label("Delete all registrations after").fill("2199-01-01")
    page.get_by_role("button", name="Save").click()

    phone = open_page(viewport=PHONE, java_script_enabled=False)
    phone.goto("/")
    phone.get_by_role("link", name="Registration is open").click()
    phone.locator("[name=name]").fill("陳大文")
    phone.locator("[name=email]").fill("chan@example.org")
    phone.get_by_role("checkbox", name="I agree").check()
    phone.get_by_role("button", name="Register").click()
    expect(phone.get_by_text("This field is required.")).to_have_count(1)  # the club
    phone.locator("[name=club]").fill("Dragons")
    phone.get_by_role("button", name="Register").click()
    expect(phone.get_by_role("heading", name="Check your email")).to_be_visible()
    phone.goto(address_in(mails()[0][2]))
    phone.get_by_role("button", name="Confirm registration").click()
    expect(phone.get_by_text("You have a place.")).to_be_visible()
    assert roster(spring) == {"陳大文"}

    page.reload()
    expect(page.get_by_text("1 of 1 places taken, 0 on the waiting list")).to_be_visible()
    page.get_by_role("checkbox", name="陳大文").check()
    page.get_by_role("button", name="Decline").click()
    expect(page.get_by_text("1 registration changed.")).to_be_visible()
    assert roster(spring) == set()
