"""A league's own rules: editions freeze when they are played, two people at once, and nothing half done."""

import uuid

import pytest
from django.db import IntegrityError, transaction

from league.core.changes import Sent
from league.core.errors import AlreadyDone, OutOfDate, Refused
from league.models import AuditEntry, Competition, League, RuleBook, RuleSet, Submission
from league.organizing.competitions.services import add_division, create_competition, create_league
from league.organizing.division_rules.services import change_rules
from league.rules.rule_sets.queries.house_rules import editions_of
from league.rules.rule_sets.services import (
    copied_rules,
    create_book,
    fingerprint,
    newest_edition,
    save_edition,
    take_to_play,
)
from scoring.presets import preset, resolve
from scoring.rules import RulesError
from tests.factories import club, user
from tests.races import at_once

pytestmark = pytest.mark.django_db


def rules(slug: str = "hkma-a-2025-04", **changed: object) -> RuleSet:
    return copied_rules(slug, {**resolve(slug).as_values(), **changed}, by=user("alice"))


def book(name: str = "House rules", league: League | None = None, **changed: object) -> RuleBook:
    league = league or create_league(name="HKMA", by=user("alice"))
    return create_book(league=league, name=name, rules=rules(**changed), by=user("alice"))


def save(found: RuleBook, *, name: str = "", seen: str | None = None, form: Sent | None = None, **changed):
    newest = newest_edition(found)
    return save_edition(
        book=found,
        name=name or found.name,
        rules=copied_rules(newest.preset, {**newest.values, **changed}, by=user("alice")),
        seen=fingerprint(newest) if seen is None else seen,
        by=user("alice"),
        form=form,
    )


def played(found: RuleBook, slug: str = "spring") -> Competition:
    return create_competition(
        league=found.league, name=slug, slug=slug, rules=newest_edition(found), by=user("alice")
    )


def numbers(found: RuleBook) -> list[int | None]:
    return list(RuleSet.objects.filter(book=found).order_by("number").values_list("number", flat=True))


# --- books and editions


def test_a_book_has_a_first_edition_with_its_maker_and_its_day():
    made = book(honba=600)
    [edition] = made.editions.all()
    assert (edition.number, edition.preset, edition.edition) == (
        1,
        "hkma-a-2025-04",
        preset("hkma-a-2025-04").edition,
    )
    assert edition.values == {**resolve("hkma-a-2025-04").as_values(), "honba": 600}
    assert (edition.created_by, edition.created_at is not None) == (user("alice"), True)


def test_an_edition_that_no_division_plays_is_changed_in_place():
    made = book()
    saved = save(made, honba=600)
    assert (saved.number, numbers(made), RuleSet.objects.count()) == (1, [1], 1)
    assert newest_edition(made).values["honba"] == 600


def test_an_edition_that_is_played_stays_and_the_next_one_is_made():
    made = book()
    competition = played(made)
    saved = save(made, honba=600)
    assert (saved.number, numbers(made)) == (2, [1, 2])
    assert competition.divisions.get().rules.honba == 300
    assert [bool(each.divisions.all()) for each in editions_of(made)] == [False, True]


def test_saving_nothing_new_makes_no_edition_but_takes_the_name():
    made = book()
    played(made)
    assert save(made, name="Winter rules").number == 1
    made.refresh_from_db()
    assert (made.name, numbers(made)) == ("Winter rules", [1])


def test_saving_over_rules_that_another_person_changed_is_refused():
    made = book()
    before = fingerprint(newest_edition(made))
    save(made, honba=600)
    with pytest.raises(OutOfDate, match="Someone else has saved these rules since you opened them"):
        save(made, seen=before, honba=900, name="Other name")
    made.refresh_from_db()
    assert (newest_edition(made).values["honba"], made.name) == (600, "House rules")


def test_the_same_form_twice_saves_once():
    made, form = book(), Sent.of(uuid.uuid4(), "typed")
    played(made)
    save(made, form=form, honba=600)
    with pytest.raises(AlreadyDone) as done:
        save(made, form=form, honba=600)
    assert (done.value.answer, numbers(made)) == ({"number": 2}, [1, 2])
    assert Submission.objects.get(key=form.key).competition is None


def test_the_same_form_twice_makes_one_book():
    league, form = create_league(name="HKMA", by=user("alice")), Sent.of(uuid.uuid4(), "typed")
    made = create_book(league=league, name="A", rules=rules(), by=user("alice"), form=form)
    with pytest.raises(AlreadyDone) as done:
        create_book(league=league, name="A", rules=rules(), by=user("alice"), form=form)
    assert (done.value.answer, RuleBook.objects.count()) == ({"book": made.pk}, 1)


def test_names_and_addresses_are_the_leagues_own():
    first = book("Rules")
    with pytest.raises(Refused) as refused:
        book("Rules", league=first.league)
    assert (refused.value.field, RuleBook.objects.count(), RuleSet.objects.count()) == ("name", 1, 1)
    assert book("規則", league=first.league).slug == "rules-2"
    second = book("Rules", league=create_league(name="Other", by=user("alice")))
    assert second.slug == "rules"
    third = book("Others", league=first.league)
    with pytest.raises(Refused):
        save(third, name="Rules")
    third.refresh_from_db()
    assert third.name == "Others"


def test_values_that_make_no_rule_set_are_refused_before_anything_is_saved():
    with pytest.raises(RulesError):
        rules(uma=[1, 2, 3, 4])
    with pytest.raises(RulesError):
        rules(no_such_setting=1)


def test_the_database_refuses_an_edition_without_a_number_and_a_number_twice():
    made = book()
    for values in ({"number": None}, {"number": 0}, {"number": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            RuleSet.objects.create(preset="tenhou", values={}, book=made, **values)
    with pytest.raises(IntegrityError), transaction.atomic():
        RuleSet.objects.create(preset="tenhou", values={}, number=1)


# --- played


def test_divisions_share_an_edition_and_each_have_their_own_copy():
    made = book()
    shared = create_competition(
        league=made.league, name="S", rules=newest_edition(made), division_names=["A", "B"], by=user("alice")
    )
    assert {d.rule_set for d in shared.divisions.all()} == {newest_edition(made)}
    own = create_competition(
        league=made.league, name="O", rules=rules(), division_names=["A", "B"], by=user("alice")
    )
    assert len({d.rule_set_id for d in own.divisions.all()}) == 2


def test_another_leagues_edition_is_refused_and_leaves_nothing():
    made = book()
    other = create_league(name="Other", by=user("alice"))
    with pytest.raises(Refused, match="another league"):
        create_competition(league=other, name="X", rules=newest_edition(made), by=user("alice"))
    here = club()
    with pytest.raises(Refused, match="another league"):
        add_division(competition=here.competition, name="B", rules=newest_edition(made), by=here.alice)
    with pytest.raises(Refused, match="another league"):
        change_rules(division=here.division, to=newest_edition(made), by=here.alice)
    assert (Competition.objects.count(), here.competition.divisions.count()) == (1, 1)


def test_rules_that_no_competition_can_count_are_refused_wherever_they_are_taken_to_play():
    made, here = book(chombo_timing="before_uma"), club()
    ours = {"chombo_timing": "before_uma"}
    with pytest.raises(Refused, match="come off the total\\. Choose “from the total, after uma”"):
        played(made, "autumn")
    with pytest.raises(Refused, match="before places and uma"):
        create_competition(league=made.league, name="S", preset_slug="mleague", overrides=ours, by=here.alice)
    with pytest.raises(Refused, match="before places and uma"):
        add_division(competition=here.competition, name="B", rules=rules(**ours), by=here.alice)
    with pytest.raises(Refused, match="before places and uma"):
        change_rules(division=here.division, to=rules(**ours), by=here.alice)
    assert (Competition.objects.count(), here.competition.divisions.count()) == (1, 1)


def test_an_edition_is_taken_as_it_was_seen():
    made = book()
    seen = fingerprint(newest_edition(made))
    assert take_to_play(newest_edition(made), league_id=made.league_id, seen=seen) == newest_edition(made)
    save(made, honba=600)
    with pytest.raises(OutOfDate):
        take_to_play(newest_edition(made), league_id=made.league_id, seen=seen)


def test_a_division_that_leaves_an_edition_leaves_it_whole():
    made = book()
    division = played(made).divisions.get()
    change_rules(division=division, to=rules("mleague"), by=user("alice"))
    assert numbers(made) == [1]
    division.refresh_from_db()
    assert division.rule_set.preset == "mleague"
    entry = AuditEntry.objects.filter(action="division.rules").get()
    assert (entry.before["book"], entry.before["edition"], entry.before["preset"]) == (
        made.pk,
        1,
        "hkma-a-2025-04",
    )
    assert (entry.after["preset"], "book" in entry.after) == ("mleague", False)


# --- races


@pytest.mark.django_db(transaction=True)
def test_of_two_who_save_one_book_at_once_one_is_refused():
    made = book()
    played(made)
    seen = fingerprint(newest_edition(made))
    answers = at_once(*(lambda n=n: save(made, seen=seen, honba=n) for n in (600, 900)))
    assert sorted(map(type, answers), key=str) == sorted([OutOfDate, RuleSet], key=str)
    assert numbers(made) == [1, 2]


@pytest.mark.django_db(transaction=True)
def test_an_edition_is_never_changed_in_place_while_a_division_takes_it():
    made = book()
    alice = user("alice")
    here = create_competition(
        league=made.league, name="Autumn", slug="autumn", preset_slug="wrc-2025", by=alice
    )
    division = here.divisions.get()
    first = newest_edition(made)
    at_once(lambda: save(made, honba=600), lambda: change_rules(division=division, to=first, by=alice))
    division.refresh_from_db()
    edition = RuleSet.objects.get(pk=division.rule_set_id)
    # Either it was changed first and then taken, or taken first, and the change became the next edition.
    assert (edition.number, edition.values["honba"], numbers(made)) in [(1, 600, [1]), (1, 300, [1, 2])]
