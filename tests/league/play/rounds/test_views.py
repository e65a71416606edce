"""The pages of rounds: created, opened, closed, published, hidden, deleted."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Round
from league.play.rounds.services import close_round, create_round
from tests.factories import Club, club, signed_in
from tests.module_fixtures import module_fixture
from tests.shown import errors, fields, key, said

pytestmark = pytest.mark.django_db

HUGE = "9" * 400


@module_fixture
def here() -> Club:
    return club()


@pytest.fixture
def alice(here) -> Client:
    return signed_in(here.alice)


def test_one_button_makes_the_round_and_goes_to_its_seats(here, alice):
    page = alice.get(reverse("rounds:new", args=[here.slug, here.stage.pk]))
    typed = {name: fields(page)[name] for name in ("key", "number", "date")} | {"how": "random"}
    answers = [alice.post(reverse("rounds:new", args=[here.slug, here.stage.pk]), typed) for _ in range(2)]
    made = Round.objects.get()
    assert [a.url for a in answers] == [
        reverse("seating:by_hand", args=[here.slug, made.pk]) + "?how=random"
    ] * 2
    assert (made.number, made.status, made.visibility) == (1, "planned", "hidden")
    assert made.date is not None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", "1"),
        ("number", "0"),
        ("number", HUGE),
        ("number", ""),
        ("date", "yesterday"),
        ("date", "9999-12-31"),
        ("how", "luck"),
    ],
)
def test_a_round_that_cannot_be_made_is_explained_at_its_field(here, alice, name, value):
    here.add_round()
    address = reverse("rounds:new", args=[here.slug, here.stage.pk])
    typed = fields(alice.get(address)) | {"date": "2026-04-05"}
    answer = alice.post(address, typed | {name: value})
    assert (answer.status_code, list(errors(answer)), Round.objects.count()) == (422, [name], 1)
    if name != "date":
        assert fields(answer)["date"] == "2026-04-05"


def press(client: Client, here: Club, name: str, round_: Round, **typed: str):
    return client.post(reverse(name, args=[here.slug, round_.pk]), {"key": key(), **typed}, follow=True)


def test_opening_can_show_the_seating_and_closing_the_results(here, alice):
    made = here.add_round(opened=False, visibility="hidden")
    answer = press(alice, here, "rounds:status", made, status="open", visibility="seating")
    assert said(answer) == ["Round 1 is open, and its seating is published."]
    made.refresh_from_db()
    assert (made.status, made.visibility) == ("open", "seating")
    answer = press(alice, here, "rounds:status", made, status="close", visibility="results", sure="on")
    assert said(answer) == ["Round 1 closed and its results published."]
    made.refresh_from_db()
    assert (made.status, made.visibility) == ("closed", "results")


def test_opening_again_hides_nothing_that_was_published(here, alice):
    made = close_round(round_=here.add_round(), by=here.alice)
    press(alice, here, "rounds:status", made, status="open", visibility="seating")
    made.refresh_from_db()
    assert (made.status, made.visibility) == ("open", "results")


def test_a_round_is_hidden_and_published_by_its_buttons(here, alice):
    made = here.add_round()
    for visibility in ("hidden", "seating", "results"):
        press(alice, here, "rounds:visibility", made, visibility=visibility)
        made.refresh_from_db()
        assert made.visibility == visibility


def test_a_button_that_makes_no_sense_changes_nothing_and_says_so(here, alice):
    made = here.add_round(opened=False)
    empty = create_round(stage=here.stage, by=here.alice)
    assert said(press(alice, here, "rounds:status", empty, status="open")) == [
        "This round has no tables. Seat the players first."
    ]
    incomplete = ["This form was incomplete. Reload the page and try again."]
    assert said(press(alice, here, "rounds:status", made, status="explode")) == incomplete
    assert said(press(alice, here, "rounds:visibility", made, visibility="everyone")) == incomplete
    assert said(press(alice, here, "rounds:delete", made, key="\x00")) == incomplete
    made.refresh_from_db()
    assert (made.status, Round.objects.count()) == ("planned", 2)


def test_after_a_button_the_person_is_back_where_it_was_but_never_elsewhere(here, alice):
    made, there = here.add_round(), reverse("rounds:index", args=[here.slug])
    answer = press(alice, here, "rounds:visibility", made, visibility="hidden", next=there)
    assert answer.redirect_chain[0][0] == there
    for elsewhere in ("https://evil.example/", "//evil.example", "javascript:alert(1)"):
        answer = press(alice, here, "rounds:visibility", made, visibility="hidden", next=elsewhere)
        assert answer.redirect_chain[0][0] == reverse("competitions:manage", args=[here.slug])


def test_a_round_without_sheets_is_deleted_and_one_with_sheets_stays(here, alice):
    first, second = here.add_round(), here.add_round()
    here.record((45000, 35000, 25000, 15000))
    assert said(press(alice, here, "rounds:delete", second)) == ["Round 2 deleted."]
    assert (
        "A round with score sheets cannot be deleted" in said(press(alice, here, "rounds:delete", first))[0]
    )
    assert list(Round.objects.all()) == [first]


def test_a_deletion_sent_twice_is_answered_twice(here, alice):
    made = here.add_round(opened=False)
    address, typed = reverse("rounds:delete", args=[here.slug, made.pk]), {"key": key()}
    answers = [alice.post(address, typed) for _ in range(2)]
    assert [(answer.status_code, answer.url) for answer in answers] == [(302, f"/c/{here.slug}/manage/")] * 2
    assert alice.post(address, {"key": key()}).status_code == 404
