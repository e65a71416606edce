"""A league's own rules: made from a preset, checked while typed, frozen once played, closed to strangers."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from league.models import Division, RuleBook, RuleSet, Submission
from league.organizing.competitions.services import create_competition, create_league
from league.rules.rule_sets.queries.rule_sets import find_rules
from league.rules.rule_sets.services import (
    copied_rules,
    create_book,
    fingerprint,
    newest_edition,
    save_edition,
)
from scoring.presets import preset, presets, resolve
from tests.factories import signed_in, user
from tests.pages.forms import forms_of
from tests.shown import errors, fields, said, text

pytestmark = pytest.mark.django_db

HKMA = "hkma-a-2025-04"


@pytest.fixture
def league():
    return create_league(name="香港 <b>HKMA</b>", slug="hkma", by=user("alice"))


@pytest.fixture
def alice(league) -> Client:
    return signed_in(user("alice"))


def make(league, name="House rules", **changed: object) -> RuleBook:
    rules = copied_rules(HKMA, {**resolve(HKMA).as_values(), **changed}, by=user("alice"))
    return create_book(league=league, name=name, rules=rules, by=user("alice"))


def played(book: RuleBook, slug: str = "spring") -> Division:
    made = create_competition(
        league=book.league, name=slug, slug=slug, rules=newest_edition(book), by=user("alice")
    )
    return made.divisions.get()


def form_of(client: Client, where: str) -> dict[str, list[str]]:
    found = forms_of(client.get(where).content.decode(), where)
    return next(
        form.fields
        for form in found
        if form.page in {"rule_sets:house_rule_new", "rule_sets:house_rule_edit"}
    )


def new(league, source: str = HKMA) -> str:
    return f"{reverse('rule_sets:house_rule_new', args=[league.slug])}?from={source}"


def edit(book: RuleBook) -> str:
    return reverse("rule_sets:house_rule_edit", args=[book.league.slug, book.slug])


def read(book: RuleBook) -> str:
    return reverse("rule_sets:house_rule", args=[book.league.slug, book.slug])


# --- making


def test_a_league_without_own_rules_begins_from_any_preset(league, alice):
    page = alice.get(reverse("rule_sets:house_rules", args=["hkma"])).content.decode()
    for each in presets():
        assert f"?from={each.slug}" in page


@pytest.mark.parametrize("slug", [each.slug for each in presets()])
def test_every_preset_can_be_made_ones_own_as_it_is(league, alice, slug):
    answer = alice.post(new(league, slug), form_of(alice, new(league, slug)) | {"name": ["Ours"]})
    made = RuleBook.objects.get()
    assert (answer.status_code, answer.url) == (302, read(made))
    floating = {"floating_uma": None}  # text areas are left out by the reader of forms
    expected = resolve(slug).as_values()
    assert {**newest_edition(made).values, **floating} == {**expected, **floating}


def test_what_is_changed_is_saved_and_marked(league, alice):
    typed = form_of(alice, new(league)) | {"name": ["Ours"], "honba": ["600"], "chombo": ["reverse_mangan"]}
    answer = alice.post(new(league), typed)
    assert errors(answer).keys() == {"chombo_timing"}  # a payment in the game is not taken off the total
    assert "in the source: 300" in text(answer)
    typed |= {"chombo_timing": ["in_game"]}
    assert alice.post(new(league), typed).status_code == 302
    rules = RuleBook.objects.get().editions.get().rules
    assert (rules.honba, rules.chombo.reverse_mangan) == (600, True)
    page = text(alice.get(read(RuleBook.objects.get())))
    assert "3 settings differ from HKMA league, division A (April 2025)" in page


def test_a_chombo_before_uma_is_refused_since_no_competition_counts_it(league, alice):
    typed = form_of(alice, new(league)) | {"name": ["Ours"], "chombo_timing": ["before_uma"]}
    answer = alice.post(new(league), typed)
    assert errors(answer).keys() == {"chombo_timing"}
    assert "A competition cannot deduct a chombo before places and uma" in text(answer)
    assert not RuleBook.objects.exists()


def test_the_same_form_twice_makes_one_book_and_gets_the_same_answer(league, alice):
    typed = form_of(alice, new(league)) | {"name": ["Ours"]}
    answers = [alice.post(new(league), typed) for _ in range(2)]
    assert [(a.status_code, a.url) for a in answers] == [(302, read(RuleBook.objects.get()))] * 2
    assert Submission.objects.count() == 1


def test_rules_are_made_from_the_leagues_own_with_what_was_chosen(league, alice):
    first = make(league, honba=600)
    typed = form_of(alice, new(league, "own:hkma:house-rules:1")) | {"name": ["Second"]}
    assert alice.post(new(league, "own:hkma:house-rules:1"), typed).status_code == 302
    second = RuleBook.objects.exclude(pk=first.pk).get()
    assert newest_edition(second).rules.honba == 600


@pytest.mark.parametrize(
    "source", ["", "no-such-rules", "own:autumn:theirs:1", "own:::", "c:x:y", "\x00", "9" * 400, "own:a:b:٣"]
)
def test_rules_that_are_not_there_or_not_ones_own_lead_to_the_choice(league, alice, source):
    theirs = create_league(name="Autumn", slug="autumn", by=user("bob"))
    make(theirs, "Theirs")
    answer = alice.get(reverse("rule_sets:house_rule_new", args=["hkma"]), {"from": source})
    assert answer.status_code == 200
    assert "Start from the rules closest to yours" in text(answer)
    assert ("Rules not found" in text(answer)) == bool(source)


def test_the_chosen_text_is_recorded_and_shown_with_name_and_day(league, alice):
    index = next(i for i, each in enumerate(preset(HKMA).conflicts) if "kiriage_mangan" in each.settings)
    typed = form_of(alice, new(league)) | {"name": ["Ours"], f"reading_{index}": ["2"]}
    assert alice.post(new(league), typed).status_code == 302
    edition = RuleSet.objects.get()
    assert edition.rules.kiriage_mangan is False
    records = {tuple(each["settings"]): each for each in edition.readings}
    assert len(records) == len(preset(HKMA).conflicts)
    assert (records["kiriage_mangan",]["chosen"], records["kiriage_mangan",]["by"]) == (2, user("alice").pk)
    page = text(alice.get(read(edition.book)))
    assert preset(HKMA).conflicts[index].second.place in page
    assert f"Chosen by alice, {date_format(edition.created_at, 'DATE_FORMAT')}." in page


WRONG = [
    ("name", "", "name"),
    ("name", "a\u202eb", "name"),
    ("name", "x" * 121, "name"),
    ("name", "House rules", "name"),
    ("start_points", "9" * 400, "start_points"),
    ("start_points", "999999999999999", "start_points"),
    ("start_points", "30050", "start_points"),
    ("uma", "30 10 -10", "uma"),
    ("uma", "30 10 -10 -20", "uma"),
    ("red_fives", "5", "red_fives"),
    ("local_yaku", "nonsense", "local_yaku"),
    ("pao_yaku", "tanyao", "pao_yaku"),
    ("pao_ron", "nobody", "pao_ron"),
    ("chombo", "exile", "chombo"),
    ("chombo_score", "twenty", "chombo_score"),
    ("chombo_score", "20", "chombo"),
    ("minutes", "-5", "minutes"),
    ("extension", "full_wind", "target_points"),
    ("yakuman_limit", "99", "yakuman_limit"),
    ("reading_0", "7", "reading_0"),
    ("key", "no", "key"),
]


@pytest.mark.slow
def test_a_wrong_value_is_explained_at_its_field_and_nothing_is_saved(league, alice):
    make(league)
    good = form_of(alice, new(league)) | {"name": ["Ours"]}
    for name, value, field in WRONG:
        answer = alice.post(new(league), good | {name: [value]})
        assert (answer.status_code, list(errors(answer))) == (422, [field]), name
        assert (RuleBook.objects.count(), RuleSet.objects.count()) == (1, 1)
        if name not in {"name", "key"}:
            assert fields(answer)["name"] == "Ours"


def test_unknown_settings_are_ignored(league, alice):
    typed = form_of(alice, new(league)) | {"name": ["Ours"], "no_such_setting": ["1"], "values": ["{}"]}
    assert alice.post(new(league), typed).status_code == 302
    assert newest_edition(RuleBook.objects.get()).values == resolve(HKMA).as_values()


# --- editions


def test_an_edition_that_is_played_is_frozen_and_saving_makes_the_next(league, alice):
    book = make(league)
    division = played(book)
    page = alice.get(edit(book))
    assert "Edition 1 has been played and cannot be changed. Your changes become edition 2." in text(page)
    answer = alice.post(edit(book), form_of(alice, edit(book)) | {"honba": ["600"]}, follow=True)
    assert said(answer) == [
        "Edition 2 saved. Divisions with the previous edition keep it until you move them."
    ]
    division.refresh_from_db()
    assert (division.rules.honba, newest_edition(book).rules.honba) == (300, 600)
    shown = text(answer)
    assert "1 setting differs from edition 1" in shown
    assert "used by spring, Main" in shown
    assert "Move to the newest edition" in shown
    old = text(alice.get(reverse("rule_sets:edition", args=["hkma", book.slug, 1])))
    assert "This is not the newest edition." in old


def test_an_edition_that_no_division_plays_is_edited_in_place(league, alice):
    book = make(league)
    assert "Edition 1 has not been played yet, so it is changed directly." in text(alice.get(edit(book)))
    typed = form_of(alice, edit(book)) | {"honba": ["600"], "name": ["Renamed"]}
    answer = alice.post(edit(book), typed, follow=True)
    assert said(answer) == ["Edition 1 saved."]
    book.refresh_from_db()
    assert (book.name, book.slug, newest_edition(book).values["honba"]) == ("Renamed", "house-rules", 600)


def test_two_who_edit_at_once_the_second_sees_what_was_saved_and_decides(league, alice):
    book = make(league)
    mine, theirs = (form_of(alice, edit(book)) for _ in range(2))
    assert alice.post(edit(book), theirs | {"honba": ["600"]}).status_code == 302
    answer = alice.post(edit(book), mine | {"noten_payment": ["4000"]})
    assert answer.status_code == 409
    shown = text(answer)
    assert "Someone else has saved these rules since you opened them" in shown
    assert "sets these settings to your entries: Points per honba, Payments at an exhaustive draw" in shown
    assert newest_edition(book).values["honba"] == 600
    sent = next(
        f.fields
        for f in forms_of(answer.content.decode(), edit(book))
        if f.page == "rule_sets:house_rule_edit"
    )
    assert sent["noten_payment"] == ["4000"]
    assert alice.post(edit(book), sent).status_code == 302
    assert (newest_edition(book).values["honba"], newest_edition(book).values["noten_payment"]) == (300, 4000)


def test_an_edit_sent_twice_is_saved_once(league, alice):
    book = make(league)
    played(book)
    typed = form_of(alice, edit(book)) | {"honba": ["600"]}
    answers = [alice.post(edit(book), typed) for _ in range(2)]
    assert [(a.status_code, a.url) for a in answers] == [(302, read(book))] * 2
    assert book.editions.count() == 2


@pytest.mark.parametrize("seen", ["", "x", "9" * 100, "\x00"])
def test_a_form_that_saw_nothing_saves_nothing(league, alice, seen):
    book = make(league)
    answer = alice.post(edit(book), form_of(alice, edit(book)) | {"seen": [seen], "honba": ["600"]})
    assert answer.status_code in {409, 422}
    assert newest_edition(book).values["honba"] == 300


def test_the_script_asks_and_nothing_is_saved(league, alice):
    book = make(league)
    typed = form_of(alice, edit(book)) | {"honba": ["650"], "noten_payment": ["2000"]}
    answer = alice.post(edit(book), typed, headers={"HX-Request": "true"}).content.decode()
    assert "must be a multiple of 100" in answer.split('id="state-honba"')[1].split("</div>")[0]
    assert "in the source: 3,000" in answer.split('id="state-noten_payment"')[1].split("</div>")[0]
    assert "1 problem" in answer.split('id="count-payments"')[1].split("</span>\n</span>")[0]
    assert newest_edition(book).values["honba"] == 300


# --- who may, and how much it costs


@pytest.mark.parametrize("name", ["house_rule", "house_rule_edit"])
def test_another_leagues_book_is_not_found_at_ones_own_address(league, alice, name):
    make(create_league(name="Autumn", slug="autumn", by=user("bob")), "Theirs")
    assert alice.get(reverse(f"rule_sets:{name}", args=["autumn", "theirs"])).status_code == 404
    assert alice.get(reverse(f"rule_sets:{name}", args=["hkma", "theirs"])).status_code == 404


@pytest.mark.parametrize("number", ["0", "2", "9" * 30])
def test_an_edition_that_is_not_there_is_not_found(league, alice, number):
    book = make(league)
    assert alice.get(f"{read(book)}{number}/").status_code == 404


def test_as_many_queries_for_one_book_as_for_three(league, alice, django_assert_num_queries):
    played(make(league, "A"))
    where = reverse("rule_sets:house_rules", args=["hkma"])
    alice.get(where)
    with django_assert_num_queries(4):
        assert alice.get(where).content.count(b"used by 1 division") == 1
    for name in ("B", "C"):
        played(make(league, name), slug=name.lower())
    with django_assert_num_queries(4):
        assert alice.get(where).content.count(b"used by 1 division") == 3


def test_as_many_queries_for_one_edition_as_for_three(league, alice, django_assert_max_num_queries):
    book = make(league)
    alice.get(read(book))
    with django_assert_max_num_queries(9) as counted:
        alice.get(read(book))
    one = len(counted)
    for honba in (600, 900):
        played(book, slug=f"s{honba}")
        newest = newest_edition(book)
        rules = copied_rules(HKMA, {**newest.values, "honba": honba}, by=user("alice"))
        save_edition(book=book, name=book.name, rules=rules, seen=fingerprint(newest), by=user("alice"))
    with django_assert_max_num_queries(one):
        assert alice.get(read(book)).content.count(b"edition-name") == 3


# --- by their key


def test_an_edition_is_found_by_its_key_by_owners_and_by_who_sees_it_played(league):
    book = make(league, honba=600)
    key = "own:hkma:house-rules:1"
    found = find_rules(user("alice"), key)
    assert found is not None
    assert (found.name, found.part, found.rules.honba) == ("House rules", "edition 1", 600)
    assert find_rules(user("mallory"), key) is None
    division = played(book)
    assert find_rules(user("mallory"), key) is not None
    division.competition.visibility = "private"
    division.competition.save()
    assert find_rules(user("mallory"), key) is None
    assert signed_in(user("alice")).get(reverse("rule_sets:published", args=[key])).status_code == 200


@pytest.mark.parametrize(
    "key", ["own:hkma:house-rules:2", "own:hkma:house-rules", "own:hkma::1", "own:hkma:x:01"]
)
def test_a_key_of_no_edition_finds_nothing(league, key):
    make(league)
    assert find_rules(user("alice"), key) is None
