"""The words that referees type, with the offences they mean, against the search of the penalty page."""

from collections import Counter
from pathlib import Path

import pytest

from league.referees.penalties.views.offence_choice import find_offences, is_match, offence_choices
from league.rules.penalty_rules.words.rulings import PenaltyRules
from scoring.infractions import catalogue

WORDS = Path(__file__).parents[3] / "data" / "referee_words.tsv"
HKMA = catalogue("hkma-2025")
CHOICES = [choice for _heading, choices in offence_choices(PenaltyRules(HKMA), str) for choice in choices]
LOOKED_AT = 5  # of the offences found
MOST_MISSED = 10


def referee_words() -> list[tuple[str, set[str]]]:
    lines = [line for line in WORDS.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [(word, set(codes.split())) for word, codes in (line.split("\t") for line in lines)]


def found(word: str) -> list[str]:
    return [choice.code for choice in find_offences(word, CHOICES)]


def test_words_of_referees_find_the_offence_that_they_mean():
    missed = [
        f"{word} ({', '.join(sorted(codes))})"
        for word, codes in referee_words()
        if not codes & set(found(word)[:LOOKED_AT])
    ]

    assert len(missed) <= MOST_MISSED, "; ".join(missed)


def test_nearly_all_words_are_in_the_names_synonyms_or_conditions():
    missed = [
        word
        for word, codes in referee_words()
        if not any(is_match(word, choice) for choice in CHOICES if choice.code in codes)
    ]

    assert len(missed) <= MOST_MISSED, "; ".join(missed)


def test_every_offence_is_asked_for_at_least_twice():
    asked = Counter(code for _word, codes in referee_words() for code in codes)

    assert set(asked) == set(HKMA.infractions)
    assert {code: number for code, number in asked.items() if number < 2} == {}
    assert len(HKMA.infractions) == 39
    assert len(referee_words()) == len({word for word, _codes in referee_words()}) == 262


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("莊家錯誤了", "A-XI"),  # no offence holds these words
        ("forgetting the riichi sticks", "D-V"),
        ("過莊時坐錯", "A-XI"),
    ],
)
def test_without_a_match_the_nearest_offences_are_found(typed, first):
    nearest = find_offences(typed, CHOICES)

    assert not any(is_match(typed, choice) for choice in CHOICES)
    assert nearest[0].code == first
    assert len(nearest) <= LOOKED_AT


@pytest.mark.parametrize("typed", ["zzz", "%", "qq xx"])
def test_words_without_any_piece_of_an_offence_find_nothing(typed):
    assert found(typed) == []
