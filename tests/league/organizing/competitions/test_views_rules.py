"""The rules of a competition: what a player or a referee finds there at the table."""

import pytest
from django.test import Client

from league.organizing.competitions.services import add_division, preset_rules
from league.rules.penalty_rules.services import choose_catalogue
from tests.factories import club
from tests.shown import html, text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("query", "language", "found"),
    [
        ("nagashi", "en", ["Nagashi mangan no", "簡則 流局 §10"]),
        ("喰い替え", "en", ["Kuikae"]),
        ("錯和", "zh-hant", ["C-III"]),
        ("chombo", "en", ["Chombo −25.0", "C-III", "3 offences found"]),
        ("quidditch", "en", ["Nothing found for “quidditch”."]),
    ],
)
def test_settings_and_offences_are_found_together_in_any_language(query, language, found):
    club()
    page = text(Client().get("/c/spring/rules/", {"q": query}, headers={"Accept-Language": language}))
    assert [words for words in found if words not in page] == []


def test_divisions_with_the_same_rules_show_them_once():
    here = club()
    rules = preset_rules("hkma-a-2025-04", {}, by=here.alice)
    second = add_division(competition=here.competition, name="Second", rules=rules, by=here.alice)

    whole = text(Client().get("/c/spring/rules/"))
    found = text(Client().get("/c/spring/rules/?q=nagashi"))

    assert "The same rules as Main." in whole
    assert (whole.count("Starting points"), found.count("Nagashi mangan no")) == (1, 1)
    choose_catalogue(division=second, slug="wrc-2025", by=here.alice)
    assert "The same rules as" not in text(Client().get("/c/spring/rules/"))


@pytest.mark.with_extra("calculator")
def test_a_table_leads_to_the_rules_of_its_division_where_one_types_at_once():
    here = club()
    here.add_round()

    table = html(Client().get(f"/c/spring/tables/{here.table().pk}/"))
    rules = html(Client().get("/c/spring/rules/?division=main"))

    assert 'href="/c/spring/rules/?division=main"' in table
    assert "autofocus" in rules
