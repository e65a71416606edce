"""Penalty rules in words: levels, escalation, offences, search and amounts in every language."""

import re

import pytest
from django.utils.translation import override

from league.core.search import matches
from league.rules.penalty_rules.words.catalogues import (
    catalogue_name,
    catalogue_sheet,
    deduction_words,
    entry_words,
    escalation_words,
    ideas,
    searched,
)
from league.rules.penalty_rules.words.rulings import PenaltyRules
from players.folding import folded
from scoring.infractions import Catalogue, Escalation, catalogue, catalogues, entry_of, extended
from scoring.presets import LANGUAGES

HKMA, EMA, CARDS = (catalogue(slug) for slug in ("hkma-2025", "ema-2025", "mleague-cards"))


def offences(found: Catalogue, query: str) -> list[str]:
    return [each.code for each in found.infractions.values() if matches(query, searched(each))]


def line(found: Catalogue, code: str):
    sheet = catalogue_sheet(PenaltyRules(found))
    return next(each for _, lines in sheet.headings for each in lines if each.infraction.code == code)


@pytest.mark.parametrize("found", catalogues(), ids=lambda found: found.slug)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_catalogue_can_be_said_in_every_language(found, language):
    with override(language):
        sheet = catalogue_sheet(PenaltyRules(found))
    lines = [each for _, lines in sheet.headings for each in lines]

    assert sheet.name == found.names[language]
    assert [each.name for each in lines] == [
        infraction.names[language]
        for category in found.categories
        for infraction in found.infractions.values()
        if infraction.category == category
    ]
    assert [level["name"] for level in sheet.levels] == [
        level.names[language] for level in found.levels.values()
    ]
    assert sheet.offence_count == len(found.infractions)


# --- levels


def test_a_level_says_what_it_takes_and_what_repeating_comes_to():
    level = catalogue_sheet(PenaltyRules(HKMA)).levels[3]

    assert (level["name"], level["deduction"], level["effects"]) == (
        "Level 4: deduction of 8 to 12 and win ban",
        "−8.0 to −12.0",
        ["win ban for the hand"],
    )
    assert level["escalation"] == "The same offence again in the same game: level 5."
    assert level["place"] == "罰則總則"


def test_escalation_is_said_as_the_book_has_it():
    said = {
        (found.slug, code): escalation_words(found, level.escalation)
        for found in (HKMA, EMA, CARDS)
        for code, level in found.levels.items()
        if level.escalation
    }

    assert said == {
        ("hkma-2025", "1"): "The same offence again in the same hand: level 2.",
        ("hkma-2025", "2"): "The same offence again in the same game: level 4.",
        ("hkma-2025", "4"): "The same offence again in the same game: level 5.",
        ("hkma-2025", "4+"): "The same offence again in the same game: level 5.",
        ("ema-2025", "minor"): (
            "The same offence again in the competition: Point penalty or Dead hand. The referee decides."
        ),
        ("mleague-cards", "yellow"): "Any further penalty on the same day: Red card.",
    }
    three = Escalation("event", "points", options=("points", "dead", "chombo"), any_reason=True)
    assert escalation_words(EMA, three) == (
        "Any further penalty in the competition: Point penalty, Dead hand, Chombo. The referee decides."
    )


def test_a_dead_hand_and_an_expulsion_say_what_they_mean():
    dead = catalogue_sheet(PenaltyRules(EMA)).levels[2]
    expelled = catalogue_sheet(PenaltyRules(HKMA)).levels[6]

    assert dead["effects"] == ["win ban for the hand", "counts as noten"]
    assert expelled["effects"] == ["win ban for the hand", "expelled from the competition"]
    assert (dead["deduction"], expelled["deduction"]) == ("", "")


# --- offences


def test_a_condition_says_level_deduction_ban_hand_and_payment():
    many = line(HKMA, "A-X").conditions[1]

    assert (many.condition, many.level, many.deduction, many.effects) == (
        "too many tiles",
        "level 3",
        "",
        ("win ban",),
    )
    assert many.also == (
        "Hand: continue",
        "Payment: 1000 points per extra tile to each other player, at the moment of discovery",
    )


def test_who_is_punished_is_said_where_it_is_not_the_offender():
    wrong_dealer = line(HKMA, "A-XI")

    assert wrong_dealer.who == "depends on the condition"
    assert [condition.also[0] for condition in wrong_dealer.conditions] == [
        "Applies to: no one",
        "Applies to: all four players",
        "Applies to: all four players",
        "Applies to: no one",
    ]
    assert (line(HKMA, "A-I").who, line(HKMA, "D-V").who) == ("", "all four players")


def test_several_levels_at_once_and_repeating_are_said():
    severe = line(HKMA, "A-XII").conditions[1]

    assert (severe.level, severe.deduction, severe.effects) == (
        "level 5 + 2 × level 4",
        "−41.0 to −49.0",
        ("win ban", "hand replayed"),
    )
    wall = line(HKMA, "D-III")
    assert not wall.escalates
    assert [each.also[0] for each in wall.conditions] == [
        "When: first time in a game",
        "The referee chooses: level 1, level 2",
        "When: again in the same game",
        "When: again in the same hand",
    ]


def test_a_payment_without_words_of_the_book_is_said():
    entry = entry_of(catalogue("tnt").infractions["1"])
    del entry["variants"][0]["payment"]
    own = extended("tnt", [entry], slug="own", names={"en": "Own"})

    assert line(own, "1").conditions[0].also[-1] == "Payment: 4,000 points to each other player"


def test_a_deduction_is_for_each_minute_or_tile_where_the_book_says_so():
    assert line(EMA, "7.2").conditions[0].deduction == "−1.0 per minute"
    assert [
        deduction_words(amounts, unit) for amounts, unit in (((10, 20), "tile"), (None, ""), ((0, 0), ""))
    ] == ["−1.0 to −2.0 per tile", "", ""]
    with override("ja"):
        assert deduction_words((80, 80)) == "▲8.0"


# --- search


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("A-II", ["A-II", "A-III"]),
        ("a-ii ", ["A-II", "A-III"]),
        ("Ａ－ＶＩ", ["A-VI", "A-VII", "A-VIII"]),
        ("先摸牌", ["A-I"]),
        ("先ヅモ", ["A-I"]),
        ("喰い替え", ["A-VI"]),
        ("食替", ["A-VI"]),
        ("KUIKAE", ["A-VI"]),
        ("wrong tiles", ["A-V", "A-X", "U-1a"]),  # every word, wherever it is
        ("nothing of the kind", []),
        ("%", []),
        # what people call it
        ("chombo", ["C-II", "C-III", "U-1a"]),
        ("noten riichi", ["B-I"]),
        ("dead hand", ["A-X"]),
        ("exposed", ["A-II", "T-7"]),
        ("詐和", ["C-II", "C-III", "U-1a"]),
        ("チョンボ", ["C-II", "C-III", "U-1a"]),
        ("見せ牌", ["A-II", "T-7"]),
        ("chonbo", ["C-II", "C-III", "U-1a"]),
        ("騙和", ["C-II", "C-III", "U-1a"]),
        ("late ron", ["T-6", "T-8"]),
        ("打翻牌山", ["D-III"]),
        ("錯鳴", ["A-V", "A-VII"]),
        ("misscall", ["A-V", "A-VII"]),
        ("出千", ["U-2"]),
        ("牌が倒れた", ["A-XII", "C-I", "D-II", "D-III"]),
    ],
)
def test_an_offence_is_found_by_code_name_or_what_people_call_it_in_any_language(query, found):
    assert offences(HKMA, query) == found


@pytest.mark.parametrize(
    ("query", "named", "found"),
    [
        ("exposed", ["A-II", "T-7"], ["A-II", "A-V", "T-7"]),  # "corrected at once, 1 tile exposed"
        ("配牌多牌", [], ["A-X"]),
        ("撞倒牌山", [], ["A-XII", "C-I"]),
        ("維修費用", [], ["U-6"]),
        ("no such thing", [], []),
    ],
)
def test_conditions_are_searched_after_names(query, named, found):
    sheet = catalogue_sheet(PenaltyRules(HKMA), query=query)

    assert offences(HKMA, query) == named
    assert [line.infraction.code for _, lines in sheet.headings for line in lines] == found


def test_synonyms_are_of_offences_that_there_are():
    offences_of_all = [each for book in catalogues() for each in book.infractions.values()]
    names = " ".join(folded(" ".join(each.names.values())) for each in offences_of_all)

    assert [mark for marks, _others in ideas() for mark in marks if mark not in names] == []


def test_a_name_that_was_found_in_another_language_is_shown():
    sheet = catalogue_sheet(PenaltyRules(HKMA), query="喰い替え")
    [found] = [each for _, lines in sheet.headings for each in lines]

    assert (found.name, found.other_names) == ("Swap-calling (kuikae)", ("喰い替え",))
    english = catalogue_sheet(PenaltyRules(HKMA), query="kuikae").headings[0][1][0]
    assert english.other_names == ()


# --- a league's own


def test_what_a_league_added_and_changed_is_marked():
    changed = entry_of(HKMA.infractions["A-I"])
    changed["variants"][0]["levels"] = ["4"]
    same = entry_of(HKMA.infractions["A-II"])
    added = {**same, "code": "H-1"}
    own = extended("hkma-2025", [changed, same, added], slug="own", names={"en": "Own"})
    sheet = catalogue_sheet(PenaltyRules(own), base=HKMA)
    states = {each.infraction.code: each.state for _, lines in sheet.headings for each in lines}

    assert {code: state for code, state in states.items() if state} == {"A-I": "changed", "H-1": "new"}


def test_an_entry_is_said_in_one_line_for_the_log():
    assert entry_words(entry_of(HKMA.infractions["A-IX"])) == (
        "Dropped tile: agreed to be unintended, first time: taken back; repeated, level 2, −2.0;"
        " chooses to let it stand as the discard"
    )
    assert (catalogue_name("hkma-2025"), catalogue_name("mcr")) == ("HKMA league, penalties of 2025", "mcr")


@pytest.mark.parametrize("scope", ["hand", "hanchan", "day", "event"])
def test_any_further_penalty_is_a_penalty_in_chinese(scope):
    with override("zh-hant"):
        said = escalation_words(HKMA, Escalation(scope, "2", any_reason=True))

    assert "再受任何處分：" in said


def test_no_sentence_is_put_together_with_english_marks_in_chinese():
    with override("zh-hant"):
        sheet = catalogue_sheet(PenaltyRules(HKMA))
    levels = [level["deduction"] for level in sheet.levels if level["deduction"]]

    assert levels
    assert [words for words in levels if re.search(r"[,:;]", words)] == []
