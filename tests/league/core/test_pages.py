"""The shapes of pages: where a button leads, and an address that only takes a form."""

import uuid

import pytest
from django.urls import reverse

from league.core.pages import page_before
from tests.factories import club, signed_in
from tests.pages.forms import forms_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("there", ["陳 ", "standings:competition", "a b"])
def test_an_address_that_a_button_sent_is_never_read_as_the_name_of_a_page(there):
    here = club()

    answer = signed_in(here.alice).post(
        reverse("stages:undo", args=[here.slug, here.stage.pk]), {"next": there}
    )

    assert answer.status_code == 302


@pytest.mark.parametrize("method", ["post", "get"])
@pytest.mark.parametrize(
    ("there", "leads"), [("/c/spring/", "/c/spring/"), ("https://elsewhere.example/", "/"), ("", "/")]
)
def test_the_page_before_is_named_by_a_form_or_an_address_and_is_ours(rf, method, there, leads):
    assert page_before(getattr(rf, method)("/", {"next": there}), "/") == leads


@pytest.fixture
def swap():
    """Return the address that swaps two players of a round, and the page that shows its form."""
    here = club()
    round_ = here.add_round()
    swapped, shown_on = (
        reverse(f"substitutions:{page}", args=[here.slug, round_.pk]) for page in ("swap", "round")
    )
    return here, swapped, shown_on


def test_an_address_that_only_takes_a_form_leads_to_the_page_that_shows_it(swap):
    here, swapped, shown_on = swap
    alice = signed_in(here.alice)

    answer = alice.get(f"{swapped}?page=2")

    assert (answer.status_code, answer.url) == (303, f"{shown_on}?page=2")
    assert alice.put(swapped).status_code == 405
    assert signed_in(here.dora).get(swapped).status_code == 403


def test_the_language_changes_on_a_page_that_refused_a_form(swap):
    here, swapped, shown_on = swap
    alice = signed_in(here.alice)
    refused = alice.post(swapped)
    form = next(form for form in forms_of(refused.content.decode(), swapped) if "next" in form.fields)

    answer = alice.post(form.action, {"language": "ja", "next": form.fields["next"][0]}, follow=True)

    assert (answer.status_code, answer.request["PATH_INFO"]) == (200, shown_on)


def test_a_key_that_saved_one_page_saves_no_other():
    here = club()
    alice, key = signed_in(here.alice), str(uuid.uuid4())
    addresses = [reverse("teams:manage", args=[here.slug]), reverse("roster:new", args=[here.slug])]

    first = alice.post(addresses[0], {"key": key, "name": "Dragons"})
    again = alice.post(addresses[0], {"key": key, "name": "Dragons"})
    other = alice.post(addresses[1], {"key": key, "name": "Dragons"})

    assert [answer.status_code for answer in (first, again, other)] == [302, 302, 422]
    assert here.competition.teams.count() == 1


def test_a_sentence_of_success_names_what_was_typed():
    here = club()

    answer = signed_in(here.alice).post(
        reverse("teams:manage", args=[here.slug]),
        {"key": str(uuid.uuid4()), "name": "100% <b>"},
        follow=True,
    )

    assert [str(message) for message in answer.context["messages"]] == ["100% <b> created."]
