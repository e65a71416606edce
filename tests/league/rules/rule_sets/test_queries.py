"""Rule sets by their key: what each kind finds for each person. No key raises an error."""

import pytest
from django.contrib.auth.models import AnonymousUser

from league.models import Competition
from league.organizing.competitions.services import create_competition, create_league, update_competition
from league.rules.rule_sets.queries.rule_sets import (
    COMPETITIONS,
    competitions_under,
    find_rules,
    find_several,
    own_leagues,
)
from scoring.presets import preset, presets
from scoring.rules import SETTINGS
from tests.factories import Club, club, user
from tests.module_fixtures import module_fixture

pytestmark = pytest.mark.django_db

VISITOR = AnonymousUser()
HOSTILE = (
    *("", ":", "::", "c:", "c::", "c:spring", "c:spring:", "c:spring:main:x", "own:", "x:spring:main"),
    *("C:spring:main", "c:spring:\0", "c:\0:main", "\0", "../../etc/passwd", "<script>", "hkma-a-2025-04\n"),
    *("a" * 5000, "一" * 301, "c:" + "s" * 5000 + ":main", "c:spring:main' OR 1=1 --"),
    *("own:club-spring:1:99999999999999999999", "%00", "__all__", "\ud800", "hkma-a-2025-04:"),
)


@module_fixture
def spring() -> Club:
    return club("spring", overrides={"open_tanyao": False})


def test_every_preset_is_found_under_its_slug_with_every_setting():
    for each in presets():
        found = find_rules(VISITOR, each.slug)
        assert found is not None
        assert (found.key, found.source, found.is_preset) == (each.slug, each, True)
        assert list(found.values) == list(SETTINGS)


def test_what_a_division_plays_is_found_with_its_own_values_and_the_preset_s_articles(spring):
    found = find_rules(VISITOR, "c:spring:main")
    assert found is not None
    assert (found.name, found.part, found.source) == ("League spring", "Main", preset("hkma-a-2025-04"))
    assert found.values == {**preset("hkma-a-2025-04").values, "open_tanyao": False}
    assert found.address == "/c/spring/rules/#main"


def test_a_copy_older_than_a_setting_is_found_complete(spring):
    rule_set = spring.division.rule_set
    del rule_set.values["redeal_tiles"]
    rule_set.save()
    found = find_rules(VISITOR, "c:spring:main")
    assert found is not None
    assert found.values["redeal_tiles"] == 0
    assert SETTINGS.keys() - found.stored == {"redeal_tiles"}


def test_a_private_competition_s_rules_are_found_by_its_people_only(spring):
    update_competition(competition=spring.competition, values={"visibility": "private"}, by=spring.alice)
    seen = {
        name: find_rules(person, "c:spring:main") is not None
        for name, person in (
            ("organizer", spring.alice),
            ("player", spring.dora),
            ("stranger", user("mallory")),
            ("visitor", VISITOR),
        )
    }
    assert seen == {"organizer": True, "player": True, "stranger": False, "visitor": False}


def test_a_made_up_key_finds_nothing(spring):
    people = (VISITOR, spring.alice)

    assert [key for key in HOSTILE if any(find_rules(person, key) for person in people)] == []


def test_several_are_found_in_their_order_each_once_and_the_rest_is_named(spring):
    keys = ["tenhou", "nowhere", "", "c:spring:main", "tenhou", "mleague", "tnt"]
    found, unknown, left_out = find_several(VISITOR, keys, most=4)
    assert [each.key for each in found] == ["tenhou", "c:spring:main", "mleague"]
    assert (unknown, left_out) == (["nowhere"], 1)


def test_the_newest_public_competitions_under_a_preset_are_named_once_each(spring):
    for number in range(COMPETITIONS + 3):
        create_competition(
            league=spring.league,
            name=f"Cup {number}",
            slug=f"cup-{number}",
            preset_slug="tenhou",
            division_names=["A", "B"],
            by=spring.alice,
        )
    Competition.objects.filter(slug="cup-10").update(visibility="private")

    found = competitions_under("tenhou")

    assert [each.slug for each in found] == [f"cup-{number}" for number in range(9, 0, -1)]
    assert [each.slug for each in competitions_under("hkma-a-2025-04")] == ["spring"]


def test_owners_make_rules_of_their_own_in_their_own_leagues(spring):
    create_league(name="Another", slug="another", by=spring.alice)
    assert [each.name for each in own_leagues(spring.alice)] == ["Another", "Club spring"]
    assert own_leagues(spring.bob) == []
    assert own_leagues(VISITOR) == []
