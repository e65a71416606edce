"""Penalty rules in a competition file, by name or in full, and their problems."""

import pytest

from league.models import OwnCatalogue
from league.organizing.interchange.schema import RulesFacts
from league.rules.penalty_rules.services import choose_catalogue, create_catalogue, save_entry
from league.rules.penalty_rules.words.rulings import penalty_rules_of
from tests.factories import Club, club
from tests.league.organizing.interchange.files import (
    Json,
    check_problem,
    competition_file,
    copy_of,
    each_case,
    facts_of,
    loaded,
    small,
)
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

SMOKING = {
    "code": "H-1",
    "category": "D",
    "names": {"ja": "喫煙"},
    "who": "offender",
    "article": "",
    "lines": "",
    "variants": [{"levels": ["2"], "win_ban": False, "deduction": 20}],
}


def file(**rules: object) -> Json:
    """A small file whose rules say this besides."""
    found = small()
    found["divisions"][0]["rules"] |= rules
    return found


def rules_of(**rules: object) -> RulesFacts:
    return facts_of(file(**rules)).divisions[0].rules


def own(**wrong: object) -> dict[str, object]:
    return {"name": "House", "base": "hkma-2025", "entries": [SMOKING]} | wrong


def test_a_book_is_named_or_carried_along_or_that_of_the_preset():
    assert (rules_of().catalogue, rules_of().own_catalogue) == ("", None)
    assert rules_of(catalogue="ema-2025").catalogue == "ema-2025"
    assert rules_of(catalogue="ema-2031").catalogue == "ema-2031"  # of a later release
    found = rules_of(own_catalogue=own()).own_catalogue
    assert found is not None
    assert (found.name, found.base, found.own_entries) == ("House", "hkma-2025", [SMOKING])


def test_unknown_fields_of_an_entry_are_passed_over():
    entry = SMOKING | {"colour": {"of": ["smoke"]}, "note": ""}

    found = rules_of(own_catalogue=own(entries=[entry])).own_catalogue

    assert found is not None
    assert found.own_entries == [SMOKING]


ENTRIES = "own_catalogue.entries"
WRONG = each_case(
    ("catalogue", (7, "Enter text, not"), ("../x", "letters a to z")),
    ("own_catalogue", ([], "object")),
    ("own_catalogue.name", ("", "missing"), ("N" * 121, "at most 120")),
    ("own_catalogue.base", ("mcr", "“mcr”")),
    (ENTRIES, (7, "list"), ([SMOKING] * 301, "at most 300")),
)
VARIANT = {"levels": [], "win_ban": False}
BROKEN: list[object] = [7, [], {}]
BROKEN += [
    SMOKING | wrong
    for wrong in (
        *({"category": "Z"}, {"names": ["x"]}, {"names": {"en": 7}}, {"code": 7}, {"article": None}),
        *({"escalates": "no"}, {"variants": [7]}, {"superseded_by": "H-1"}),
    )
]
BROKEN += [
    SMOKING | {"variants": [VARIANT | wrong]}
    for wrong in (
        *({"levels": "2"}, {"levels": [["2"]]}, {"win_ban": 1}, {"deduction": "2"}, {"deduction": -2}),
        *(
            {"deduction": 1.5},
            {"deduction": True},
            {"deduction": 5, "deduction_max": 2},
            {"condition": "again"},
        ),
    )
]
WRONG += [(ENTRIES, [entry], "These entries cannot be added") for entry in BROKEN]
WRONG += [
    (ENTRIES, [SMOKING | wrong], words, "[0]")
    for wrong, words in (
        ({"code": ""}, "1 to 40 characters"),
        ({"code": "x" * 41}, "1 to 40 characters"),
        ({"names": {"en": ""}}, "Name the offence"),
        ({"names": {}}, "Name the offence"),
        ({"article": "x" * 501}, "500 characters"),
        ({"names": {"en": "a\u202eb"}}, "invisible"),
    )
]


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_each_problem_of_a_book_has_its_place(case):
    check_problem(file(own_catalogue=own()), f"divisions[0].rules.{case[0]}", *case[1:], only=True)


# --- out and in again


@module_fixture
def spring() -> Club:
    return club("spring")


def choose_own_book(here: Club) -> OwnCatalogue:
    made = create_catalogue(league=here.league, name="House", base="hkma-2025", by=here.alice)
    save_entry(own=made, entry=SMOKING, seen="", by=here.alice)
    choose_catalogue(division=here.division, own=made, by=here.alice)
    return made


def test_a_leagues_own_book_travels_with_its_competition(spring):
    choose_own_book(spring)
    written = competition_file(spring.competition)
    assert written["divisions"][0]["rules"]["own_catalogue"] == own()

    second = copy_of(spring.competition)

    rules = second.divisions.get().rule_set
    assert (rules.own_catalogue.league, rules.own_catalogue.name) == (second.league, "House")
    assert penalty_rules_of(rules).offence("H-1") == "H-1 喫煙"
    assert competition_file(second)["divisions"] == written["divisions"]


def test_a_league_that_has_the_book_gets_no_second_one(spring):
    made = choose_own_book(spring)
    second = copy_of(spring.competition, spring.league)

    assert second.divisions.get().rule_set.own_catalogue == made
    save_entry(own=made, entry=SMOKING | {"code": "H-2"}, seen="", by=spring.alice)
    OwnCatalogue.objects.filter(pk=made.pk).update(entries=[])
    third = copy_of(second, spring.league)
    assert third.divisions.get().rule_set.own_catalogue == made


def test_a_book_of_the_same_name_that_says_something_else_gets_a_number(spring):
    made = choose_own_book(spring)
    written = competition_file(spring.competition) | {"slug": "second"}
    save_entry(own=made, entry=SMOKING | {"code": "H-2"}, seen="", by=spring.alice)
    loaded(written, spring.league)

    assert [(o.name, o.slug, len(o.entries)) for o in OwnCatalogue.objects.order_by("pk")] == [
        ("House", "house", 2),
        ("House (2)", "house-2", 1),
    ]


def test_a_book_with_the_longest_name_travels_and_is_cut_only_for_a_number(spring):
    made = choose_own_book(spring)
    OwnCatalogue.objects.filter(pk=made.pk).update(name="N" * 120)
    written = competition_file(spring.competition) | {"slug": "second"}
    OwnCatalogue.objects.filter(pk=made.pk).update(entries=[])

    loaded(written, spring.league)

    names = OwnCatalogue.objects.order_by("pk").values_list("name", flat=True)
    assert list(names) == ["N" * 120, "N" * 116 + " (2)"]


def test_a_published_book_that_was_chosen_is_named(spring):
    choose_catalogue(division=spring.division, slug="ema-2025", by=spring.alice)
    second = copy_of(spring.competition)

    assert second.divisions.get().rule_set.catalogue == "ema-2025"
