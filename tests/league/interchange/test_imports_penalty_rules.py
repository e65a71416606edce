"""The book of offences in a competition file: named, or carried along; and what is wrong with one."""

import json

import pytest

from league.interchange.exports.competition_file import competition_file, competition_json
from league.interchange.imports.competition_file import BrokenFile, read_competition_file
from league.interchange.services.competition_file import import_competition
from league.interchange.services.divisions import CatalogueFacts
from league.models import Competition, OwnCatalogue
from league.penalty_rules.services import choose_catalogue, create_catalogue, save_entry
from league.penalty_rules.words.rulings import penalty_rules_of
from tests.factories import Club, club
from tests.league.interchange.files import small
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

RULES = "divisions[0].rules"
SMOKING = {
    "code": "H-1",
    "category": "D",
    "names": {"ja": "喫煙"},
    "who": "offender",
    "article": "",
    "lines": "",
    "variants": [{"levels": ["2"], "win_ban": False, "deduction": 20}],
}


def facts(**rules: object):
    """The division of a small file whose rules say this besides."""
    file = small()
    file["divisions"][0]["rules"] |= rules
    return read_competition_file(json.dumps(file).encode()).divisions[0]


def problems(**rules: object) -> list[tuple[str, str]]:
    with pytest.raises(BrokenFile) as refused:
        facts(**rules)
    return [(problem.place, problem.message) for problem in refused.value.problems]


def own(**wrong: object) -> dict[str, object]:
    return {"name": "House", "base": "hkma-2025", "entries": [SMOKING]} | wrong


def test_a_book_is_named_or_carried_along_or_that_of_the_preset():
    assert (facts().catalogue, facts().own_catalogue) == ("", None)
    assert facts(catalogue="ema-2025").catalogue == "ema-2025"
    assert facts(catalogue="ema-2031").catalogue == "ema-2031"  # of a later release
    assert facts(own_catalogue=own()).own_catalogue == CatalogueFacts(
        name="House", base="hkma-2025", entries=(SMOKING,)
    )


def test_unknown_fields_of_an_entry_are_passed_over():
    entry = SMOKING | {"colour": {"of": ["smoke"]}, "note": ""}

    assert facts(own_catalogue=own(entries=[entry])).own_catalogue.entries == (SMOKING,)


@pytest.mark.parametrize(
    ("rules", "place", "words"),
    [
        ({"catalogue": 7}, f"{RULES}.catalogue", "Write text"),
        ({"catalogue": "../x"}, f"{RULES}.catalogue", "letters a to z"),
        ({"own_catalogue": []}, f"{RULES}.own_catalogue", "object"),
        ({"own_catalogue": own(name="")}, f"{RULES}.own_catalogue.name", "missing"),
        ({"own_catalogue": own(base="mcr")}, f"{RULES}.own_catalogue.base", "“mcr”"),
        ({"own_catalogue": own(entries=7)}, f"{RULES}.own_catalogue.entries", "list"),
        ({"own_catalogue": own(entries=[SMOKING] * 301)}, f"{RULES}.own_catalogue.entries", "at most 300"),
    ],
)
def test_a_broken_book_is_named_with_its_place(rules, place, words):
    assert [(where, words in message) for where, message in problems(**rules)] == [(place, True)]


@pytest.mark.parametrize(
    "entry",
    [
        7,
        [],
        {},
        SMOKING | {"category": "Z"},
        SMOKING | {"names": ["x"]},
        SMOKING | {"names": {"en": 7}},
        SMOKING | {"code": 7},
        SMOKING | {"article": None},
        SMOKING | {"escalates": "no"},
        SMOKING | {"variants": [7]},
        SMOKING | {"variants": [{"levels": "2", "win_ban": False}]},
        SMOKING | {"variants": [{"levels": [["2"]], "win_ban": False}]},
        SMOKING | {"variants": [{"levels": [], "win_ban": 1}]},
        SMOKING | {"variants": [{"levels": [], "win_ban": False, "deduction": "2"}]},
        SMOKING | {"variants": [{"levels": [], "win_ban": False, "deduction": -2}]},
        SMOKING | {"variants": [{"levels": [], "win_ban": False, "deduction": 1.5}]},
        SMOKING | {"variants": [{"levels": [], "win_ban": False, "deduction": True}]},
        SMOKING | {"variants": [{"levels": [], "win_ban": False, "deduction": 5, "deduction_max": 2}]},
        SMOKING | {"variants": [{"levels": [], "win_ban": False, "condition": "again"}]},
        SMOKING | {"superseded_by": "H-1"},
    ],
    ids=str,
)
def test_an_entry_that_the_book_cannot_hold_breaks_the_file(entry):
    found = problems(own_catalogue=own(entries=[entry]))

    assert [place for place, _ in found] == [f"{RULES}.own_catalogue.entries"]
    assert "cannot hold these entries" in found[0][1]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"code": ""}, "1 to 40 characters"),
        ({"code": "x" * 41}, "1 to 40 characters"),
        ({"names": {"en": ""}}, "Name the offence"),
        ({"names": {}}, "Name the offence"),
        ({"article": "x" * 501}, "500 characters"),
        ({"names": {"en": "a\u202eb"}}, "invisible"),
    ],
)
def test_a_text_of_an_entry_that_nobody_can_read_is_named(wrong, words):
    found = problems(own_catalogue=own(entries=[SMOKING | wrong]))

    assert [(place, words in message) for place, message in found] == [
        (f"{RULES}.own_catalogue.entries[0]", True)
    ]


# --- out and in again


@module_fixture
def spring() -> Club:
    return club("spring")


def again(competition: Competition, league=None) -> Competition:
    file = read_competition_file(competition_json(competition).encode())
    Competition.objects.filter(pk=competition.pk).update(slug=f"old-{competition.pk}")
    return import_competition(facts=file, league=league, by=None)


def test_a_leagues_own_book_travels_with_its_competition(spring):
    made = create_catalogue(league=spring.league, name="House", base="hkma-2025", by=spring.alice)
    save_entry(own=made, entry=SMOKING, seen="", by=spring.alice)
    choose_catalogue(division=spring.division, own=made, by=spring.alice)
    written = competition_file(spring.competition)
    assert written["divisions"][0]["rules"]["own_catalogue"] == {
        "name": "House",
        "base": "hkma-2025",
        "entries": [SMOKING],
    }

    second = again(spring.competition)

    rules = second.divisions.get().rule_set
    assert (rules.own_catalogue.league, rules.own_catalogue.name) == (second.league, "House")
    assert penalty_rules_of(rules).offence("H-1") == "H-1 喫煙"
    assert competition_file(second)["divisions"] == written["divisions"]


def test_a_league_that_has_the_book_gets_no_second_one(spring):
    made = create_catalogue(league=spring.league, name="House", base="hkma-2025", by=spring.alice)
    save_entry(own=made, entry=SMOKING, seen="", by=spring.alice)
    choose_catalogue(division=spring.division, own=made, by=spring.alice)
    second = again(spring.competition, spring.league)

    assert second.divisions.get().rule_set.own_catalogue == made
    save_entry(own=made, entry=SMOKING | {"code": "H-2"}, seen="", by=spring.alice)
    OwnCatalogue.objects.filter(pk=made.pk).update(entries=[])
    third = again(second, spring.league)
    assert third.divisions.get().rule_set.own_catalogue == made


def test_a_book_of_the_same_name_that_says_something_else_gets_a_number(spring):
    made = create_catalogue(league=spring.league, name="House", base="hkma-2025", by=spring.alice)
    save_entry(own=made, entry=SMOKING, seen="", by=spring.alice)
    choose_catalogue(division=spring.division, own=made, by=spring.alice)
    file = read_competition_file(competition_json(spring.competition).encode())
    save_entry(own=made, entry=SMOKING | {"code": "H-2"}, seen="", by=spring.alice)
    Competition.objects.filter(pk=spring.competition.pk).update(slug="first")
    import_competition(facts=file, league=spring.league, by=None)

    assert [(o.name, o.slug, len(o.entries)) for o in OwnCatalogue.objects.order_by("pk")] == [
        ("House", "house", 2),
        ("House (2)", "house-2", 1),
    ]


def test_a_published_book_that_was_chosen_is_named(spring):
    choose_catalogue(division=spring.division, slug="ema-2025", by=spring.alice)
    second = again(spring.competition)

    assert second.divisions.get().rule_set.catalogue == "ema-2025"
