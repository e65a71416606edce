"""The page of a table's sheet on phones: four phones, one that goes round, staff, strangers; practice."""

import re
import uuid
from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Call, Proposal, Role, Round, Sheet, Signature, Submission
from league.play.results.services import record_result
from league.play.rounds.services import close_round, set_visibility
from league.referees.penalties.services.log import log_offence
from tests.factories import Club, as_seen, signed_in
from tests.league.asking import queries_of
from tests.league.play.entry.at_table import (
    OTHER,
    POINTS,
    answer,
    claim,
    of_table,
    phone_at,
    propose,
    seen,
    sign_seat,
    signing_club,
    typed_sheet,
)
from tests.module_fixtures import module_fixture
from tests.shown import said, text

pytestmark = pytest.mark.django_db

SHEET, SIGN, OBJECT = "results:at_table", "results:sign", "results:object"


@module_fixture
def spring() -> Club:
    return signing_club()


def test_four_phones_type_and_sign_and_the_result_counts(spring):
    phones = [phone_at(spring, index) for index in range(4)]
    sent = phones[0].post(of_table(SHEET, spring), typed_sheet(spring))
    assert (sent.status_code, sent.url) == (302, of_table(SHEET, spring))
    for index, phone in enumerate(phones):
        page = text(phone.get(of_table(SHEET, spring)))
        assert "45,000" in page
        assert "All four players sign." in page
        signed = phone.post(of_table(SIGN, spring), answer(spring, index), follow=True)
        assert "✓ signed" in text(signed)
    assert Sheet.objects.get().status == "confirmed"
    assert list(Signature.objects.values_list("wind", "how", "user")) == [
        (w, "phone", None) for w in range(4)
    ]
    page = text(phones[2].get(of_table("results:table", spring)))
    assert "Signatures" in page
    assert "王美麗 on their own phone" in page


def test_one_phone_goes_round(spring):
    phone = phone_at(spring, 1)
    phone.post(of_table(SHEET, spring), typed_sheet(spring))
    for wind in range(4):
        phone.post(of_table(SIGN, spring), answer(spring, wind))
    hows = dict(Signature.objects.values_list("wind", "how"))
    assert hows == {0: "shared", 1: "phone", 2: "shared", 3: "shared"}
    assert Sheet.objects.get().points == POINTS


def sign_by_claims(made: Club, phones: Sequence[Client]) -> dict[int, str]:
    """Sign each seat on a phone that first says that it is this player's, and return seat → how."""
    for wind, phone in enumerate(phones):
        claim(phone, made, wind)
        phone.post(of_table(SIGN, made), answer(made, wind))
    return dict(Signature.objects.order_by("wind").values_list("wind", "how"))


@pytest.mark.with_extra("hall")
def test_one_phone_that_says_it_is_each_of_four_is_marked(spring):
    propose(spring)
    phone = phone_at(spring)
    assert sign_by_claims(spring, [phone] * 4) == {0: "phone", 1: "shared", 2: "shared", 3: "shared"}
    assert Signature.objects.values("device").distinct().count() == 1
    assert Sheet.objects.get().points == POINTS
    page = text(signed_in(spring.bob).get(of_table("results:table", spring)))
    assert page.count("on one phone with another player") == 3
    hall = signed_in(spring.bob).get(reverse("hall:index", args=(spring.slug,)))
    assert "On one phone: 南 西 北" in text(hall)


def test_of_two_phones_the_second_seat_of_each_is_marked(spring):
    propose(spring)
    one, two = phone_at(spring), phone_at(spring)
    assert sign_by_claims(spring, [one, two, one, two]) == {
        0: "phone",
        1: "phone",
        2: "shared",
        3: "shared",
    }


def test_four_phones_have_four_numbers(spring):
    propose(spring)
    phones = [phone_at(spring) for _each in range(4)]
    assert set(sign_by_claims(spring, phones).values()) == {"phone"}
    assert Signature.objects.values("device").distinct().count() == 4
    (cookie,) = {phone.cookies["phone"]["httponly"] for phone in phones}
    assert cookie


def test_a_phone_that_signed_the_replaced_sheet_for_another_seat_is_marked(spring):
    propose(spring)
    phone = phone_at(spring, 0)
    phone.post(of_table(SIGN, spring), answer(spring, 0))
    propose(spring, OTHER, based_on=seen(spring))
    claim(phone, spring, 1)
    phone.post(of_table(SIGN, spring), answer(spring, 1))
    assert Signature.objects.latest("pk").how == "shared"


def test_an_account_marks_what_its_phone_signed_for_others(spring):
    Role.objects.filter(user=spring.dora).update(player=spring.players[3])
    propose(spring)
    phone = phone_at(spring, 0)
    phone.post(of_table(SIGN, spring), answer(spring, 0))
    phone.force_login(spring.dora)
    phone.post(of_table(SIGN, spring), answer(spring, 3))
    assert dict(Signature.objects.values_list("wind", "how")) == {0: "shared", 3: "account"}


# --- each on their own phone


@pytest.fixture
def strict(spring) -> Club:
    spring.competition.one_phone = False
    spring.competition.save()
    return spring


@pytest.mark.with_extra("hall")
def test_where_four_phones_are_asked_a_second_signature_of_one_does_not_count(strict):
    propose(strict)
    one, two = phone_at(strict), phone_at(strict)
    sign_by_claims(strict, [one, two, one, two])

    assert not Sheet.objects.exists()
    page = text(one.get(of_table(SHEET, strict)))
    assert "A signature on one phone with another player does not count here." in page
    assert "All four players sign." in page
    assert ">Sign<" not in one.get(of_table(SHEET, strict)).content.decode()
    assert ">Sign<" in phone_at(strict, 2).get(of_table(SHEET, strict)).content.decode()
    hall = signed_in(strict.bob).get(reverse("hall:index", args=(strict.slug,)))
    assert "On one phone: 西 北" in text(hall)
    (line,) = [each for each in hall.context["rounds"][0][1] if each.table.number == 1]
    assert (line.state, line.unsigned) == ("typed", (2, 3))


def test_another_phone_or_staff_replace_a_signature_that_does_not_count(strict):
    propose(strict)
    one = phone_at(strict)
    sign_by_claims(strict, [one, one, one, phone_at(strict)])
    west = phone_at(strict, 2)
    west.post(of_table(SIGN, strict), answer(strict, 2))
    signed_in(strict.bob).post(of_table(SIGN, strict), answer(strict, 1, reason="battery is empty"))

    assert dict(Signature.objects.values_list("wind", "how")) == {
        0: "phone",
        1: "staff",
        2: "phone",
        3: "phone",
    }
    assert Sheet.objects.get().points == POINTS


def test_where_four_phones_are_asked_each_phone_offers_its_own_seat_only(strict):
    propose(strict)
    page = phone_at(strict, 1).get(of_table(SHEET, strict)).content.decode()
    assert re.findall(r'name="wind" value="(\d)"[^>]*>Sign<', page) == ["1"]


def test_the_winner_and_another_player_sign_on_two_phones(strict):
    strict.competition.signatures = "winner"
    strict.competition.save()
    propose(strict)
    phone = phone_at(strict)
    sign_by_claims(strict, [phone, phone])
    assert not Sheet.objects.exists()
    other = phone_at(strict, 2)
    other.post(of_table(SIGN, strict), answer(strict, 2))
    assert Sheet.objects.get().points == POINTS


def test_a_signature_without_a_number_of_its_phone_stays_as_it_was(strict):
    propose(strict)
    for wind in range(4):
        sign_seat(strict, wind)
    assert set(Signature.objects.values_list("how", "device")) == {("phone", "")}
    assert Sheet.objects.get().points == POINTS


def test_an_objection_for_a_second_seat_is_marked_too(spring):
    propose(spring)
    phone = phone_at(spring)
    sign_by_claims(spring, [phone])
    claim(phone, spring, 1)
    phone.post(of_table(OBJECT, spring), answer(spring, 1))
    assert Signature.objects.get(agrees=False).how == "shared"


def test_a_player_with_an_account_signs_with_it(spring):
    Role.objects.filter(user=spring.dora).update(player=spring.players[3])
    propose(spring)
    signed_in(spring.dora).post(of_table(SIGN, spring), answer(spring, 3))
    made = Signature.objects.get()
    assert (made.how, made.user) == ("account", spring.dora)


def test_one_tap_objects_and_calls_a_referee(spring):
    propose(spring)
    phone = phone_at(spring, 2)
    page = phone.post(of_table(OBJECT, spring), answer(spring, 2), follow=True)
    assert "A player says that this score sheet is wrong." in text(page)
    assert Call.objects.get().player == spring.players[2]


def test_an_objection_says_what_it_should_be_and_one_tap_takes_it(spring):
    propose(spring)
    south, east = phone_at(spring, 1), phone_at(spring, 0)
    there = of_table(SHEET, spring)
    assert "Enter the correct scores." in text(south.get(there + "?wrong=1"))

    form = typed_sheet(spring, OTHER, objects="1")
    assert [south.post(there, form).status_code for _ in range(2)] == [302, 302]

    assert Signature.objects.get().points == list(OTHER)
    assert Proposal.objects.get().points == POINTS
    assert Call.objects.count() == 1
    page = east.get(there)
    assert "45,000 44,000" in text(page)
    (claim,) = page.context["claims"]
    assert east.post(there, claim["fields"] | {"key": uuid.uuid4()}).status_code == 302
    assert Proposal.objects.get(is_current=True).points == OTHER
    wrong = south.post(there, typed_sheet(spring, OTHER, objects="1", north="1"))
    assert wrong.status_code == 422
    assert 'name="objects"' in wrong.content.decode()


def test_two_phones_that_differ_see_both(spring):
    form = typed_sheet(spring, OTHER)
    propose(spring)
    phone = phone_at(spring, 1)
    page = phone.post(of_table(SHEET, spring), form)
    assert page.status_code == 409
    assert "Another phone has typed different scores." in text(page)
    assert "45,000 44,000" in text(page)
    assert Proposal.objects.count() == 1
    again = typed_sheet(spring, OTHER, key=uuid.uuid4())
    assert phone.post(of_table(SHEET, spring), again).status_code == 302
    assert Proposal.objects.get(is_current=True).points == OTHER


def test_the_same_form_twice_is_saved_once(spring):
    phone, form = phone_at(spring, 0), typed_sheet(spring)
    assert [phone.post(of_table(SHEET, spring), form).status_code for _ in range(2)] == [302, 302]
    signing = answer(spring, 0)
    assert [phone.post(of_table(SIGN, spring), signing).status_code for _ in range(2)] == [302, 302]
    assert (Proposal.objects.count(), Signature.objects.count()) == (1, 1)
    assert Submission.objects.count() == 2


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"north": "151"}, "100 too much"),
        ({"north": "x"}, "Enter the score in hundreds"),
        ({"north": ""}, "Enter this score."),
        ({"sticks": "-1"}, "negative"),
        ({"key": "x"}, "out of date"),
    ],
)
def test_a_bad_sheet_comes_back_with_a_sentence(spring, more, sentence):
    page = phone_at(spring, 0).post(of_table(SHEET, spring), typed_sheet(spring, **more))
    assert page.status_code == 422
    assert sentence in text(page)
    assert 'value="450"' in page.content.decode()
    assert not Proposal.objects.exists()


def test_strangers_and_phones_that_belong_to_no_one_write_nothing(spring):
    propose(spring)
    for phone in (Client(), phone_at(spring), phone_at(spring, 4, number=2), signed_in(spring.dora)):
        assert "This page is for people at the table." in text(phone.get(of_table(SHEET, spring)))
        assert "45,000" not in text(phone.get(of_table(SHEET, spring)))
        assert phone.post(of_table(SHEET, spring), typed_sheet(spring, OTHER)).status_code == 422
        for name in (SIGN, OBJECT):
            page = phone.post(of_table(name, spring), answer(spring, 0), follow=True)
            assert said(page) == ["Scan the code on the table again, then tap your name."]
    assert (Proposal.objects.count(), Signature.objects.count()) == (1, 0)


def test_the_code_of_one_table_signs_at_no_other_and_in_the_next_round_signs_nothing(spring):
    phone = phone_at(spring, 0)
    propose(spring)
    assert phone.post(of_table(SIGN, spring, 2), answer(spring, 0)).status_code == 302
    spring.add_players(4)
    for number in (1, 2):
        record_result(**as_seen(spring.table(number=number)), points=POINTS, by=spring.charlie)
    close_round(round_=spring.rounds[0], by=spring.alice)
    later = spring.add_round()
    table = spring.table(2)
    table.seats.all().delete()
    assert later.status == "open"
    page = phone.get(reverse(SHEET, args=(spring.slug, table.pk)))
    assert "This page is for people at the table." in text(page)
    assert not Signature.objects.exists()


def test_a_phone_says_when_the_sheet_was_replaced_or_recorded(spring):
    old = propose(spring)
    propose(spring, OTHER)
    phone = phone_at(spring, 0)
    page = phone.post(of_table(SIGN, spring), answer(spring, 0, proposal=old.pk), follow=True)
    assert said(page) == ["This score sheet has been replaced. Read the new one, then sign."]
    spring.record(POINTS)
    page = text(phone.get(of_table(SHEET, spring)))
    assert "This score sheet is the table’s result." in page
    assert phone.post(of_table(SHEET, spring), typed_sheet(spring, OTHER)).status_code == 422


def test_staff_sign_for_a_seat_and_approve_from_the_tables_page(spring):
    spring.competition.signed_counts = False
    spring.competition.save()
    propose(spring)
    bob = signed_in(spring.bob)
    assert "Read it, sign or approve it" in text(bob.get(of_table("results:table", spring)))
    for wind in range(4):
        bob.post(of_table(SIGN, spring), answer(spring, wind, reason="has left"))
    assert set(Signature.objects.values_list("how", "user")) == {("staff", spring.bob.pk)}
    there = reverse("results:approve", args=(spring.slug, spring.rounds[0].pk))
    page = bob.post(there, {"key": uuid.uuid4(), "proposals": str(seen(spring))}, follow=True)
    assert said(page) == ["Score sheet of table 1 approved."]
    assert Sheet.objects.get().confirmed_by == spring.bob
    assert signed_in(spring.dora).post(there, {"key": uuid.uuid4(), "proposals": "1"}).status_code == 403


def test_what_the_referees_decided_is_in_view_before_signing(spring):
    propose(spring)
    log_offence(
        stage=spring.stage,
        table=spring.table(),
        player_id=spring.players[0].pk,
        infraction="A-VI",
        condition=1,
        by=spring.bob,
    )
    page = text(phone_at(spring, 1).get(of_table(SHEET, spring)))
    assert "Penalties of this game 陳大文" in page
    spring.competition.penalties.update(status="requested")
    page = text(phone_at(spring, 1).get(of_table(SHEET, spring)))
    assert "A referee’s decision about this game is pending." in page
    assert "Penalties of this game" not in page


def test_a_hidden_round_leaks_nothing_and_a_round_with_hidden_results_only_to_its_table(spring):
    propose(spring)
    phone, stranger = phone_at(spring, 0), Client()
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.SEATING, by=spring.alice)
    assert "45,000" in text(phone.get(of_table(SHEET, spring)))
    for wind in range(4):
        sign_seat(spring, wind)
    for page in ("results:table", "calls:table", SHEET):
        assert "45,000" not in text(stranger.get(of_table(page, spring)))
        assert "on their own phone" not in text(stranger.get(of_table(page, spring)))
    set_visibility(round_=spring.rounds[0], visibility=Round.Visibility.HIDDEN, by=spring.alice)
    for page in (SHEET, "calls:table"):
        assert phone.get(of_table(page, spring)).status_code == 404
    assert phone.post(of_table(SHEET, spring), typed_sheet(spring)).status_code == 404


def test_a_phone_at_the_table_sees_places_while_it_types(spring):
    query = {"east": "450", "south": "350", "west": "250", "north": "150", "sticks": "0", "number": "1"}
    there = reverse("results:preview", args=(spring.slug, spring.rounds[0].pk))
    assert [each["place"] for each in phone_at(spring, 0).get(there, query).json()["seats"]] == [1, 2, 3, 4]
    assert phone_at(spring, 4, number=2).get(there, query).status_code == 302


def test_the_page_takes_a_steady_number_of_queries(spring):
    propose(spring)
    phone = phone_at(spring, 0)
    one = queries_of(phone, of_table(SHEET, spring))
    for wind in (1, 2, 3):
        sign_seat(spring, wind)
    assert queries_of(phone, of_table(SHEET, spring)) == one
    assert one <= 20


# --- practice


def test_practice_types_signs_and_objects_and_writes_nothing(django_assert_num_queries):
    visitor = Client()
    here = reverse("results:practice")
    page = visitor.get(here)
    assert "nothing is saved" in text(page)
    form = {"key": uuid.uuid4(), "number": 0, "based_on": 0, "seated": "", "sticks": "0"}
    scores = {"east": "450", "south": "350", "west": "250", "north": "150"}
    with django_assert_num_queries(0):
        page = visitor.post(here, form | scores, follow=True)
        assert "45,000" in text(page)
        there = page.redirect_chain[-1][0]
        for wind in range(4):
            page = visitor.post(there, {"wind": wind, "key": uuid.uuid4()}, follow=True)
            there = page.redirect_chain[-1][0]
        assert "Signed. In a competition the result now counts" in text(page)
        page = visitor.post(there, {"wind": 0, "wrong": "1", "key": uuid.uuid4()}, follow=True)
        assert "A player says that this score sheet is wrong." in text(page)
        wrong = visitor.post(here, form | scores | {"north": "151"})
    assert wrong.status_code == 422
    assert "100 too much" in text(wrong)


@pytest.mark.parametrize(
    "query", ["?rules=x", "?points=1.2", "?points=a.b.c.d", "?points=450.350.250.150&sticks=x&last_dealer=9"]
)
def test_practice_survives_any_address(query):
    assert Client().get(reverse("results:practice") + query).status_code == 200


def test_practice_previews_by_the_chosen_rules():
    query = {"east": "250", "south": "250", "west": "250", "north": "250", "sticks": "0", "rules": "tenhou"}
    seats = Client().get(reverse("results:practice_preview"), query).json()["seats"]
    assert [seat["place"] for seat in seats] == [1, 2, 3, 4]
