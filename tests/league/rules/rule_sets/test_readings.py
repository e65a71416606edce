"""Which text is followed where the sources of a preset contradict each other."""

from datetime import UTC, datetime

import pytest

from league.rules.rule_sets.readings import (
    FIRST,
    SECOND,
    followed_text,
    make_readings,
    questions_of,
    reading_of,
    same_value,
    switch_texts,
)
from scoring.presets import preset, presets
from scoring.rules import Rules

NOON = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
LATER = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
HKMA = preset("hkma-a-2025-04")
KIRIAGE = next(i for i, each in enumerate(HKMA.conflicts) if each.settings == ("kiriage_mangan",))


def test_a_choice_says_which_text_and_who_chose_it_when():
    [choice] = make_readings(HKMA, {KIRIAGE: SECOND}, by=7, at=NOON)
    assert choice == {
        "settings": ["kiriage_mangan"],
        "chosen": 2,
        "place": HKMA.conflicts[KIRIAGE].second.place,
        "by": 7,
        "at": "2026-05-01T12:00:00+00:00",
    }
    assert reading_of(HKMA.conflicts[KIRIAGE], [choice]) == choice


def test_a_choice_made_again_keeps_its_record_and_a_changed_one_gets_a_new_record():
    before = make_readings(HKMA, {KIRIAGE: FIRST, KIRIAGE + 1: FIRST}, by=7, at=NOON)
    after = make_readings(HKMA, {KIRIAGE: FIRST, KIRIAGE + 1: SECOND}, before=before, by=8, at=LATER)
    assert after[0] == before[0]
    assert (after[1]["chosen"], after[1]["by"], after[1]["at"]) == (2, 8, LATER.isoformat())


def test_nothing_is_kept_where_no_choice_was_made():
    assert make_readings(HKMA, {}, by=7, at=NOON) == []
    assert make_readings(None, {}, by=7, at=NOON) == []


def test_a_choice_of_another_place_belongs_to_another_contradiction():
    [choice] = make_readings(HKMA, {KIRIAGE: SECOND}, by=7, at=NOON)
    assert reading_of(HKMA.conflicts[KIRIAGE], [{**choice, "place": "elsewhere"}]) is None
    assert reading_of(HKMA.conflicts[KIRIAGE], [{**choice, "chosen": 3}]) is None


def test_without_a_choice_the_values_say_which_text_is_followed():
    question = HKMA.conflicts[KIRIAGE]
    assert followed_text(question, [], HKMA.values) == question.own_reading
    assert followed_text(question, [], {**HKMA.values, "kiriage_mangan": False}) == SECOND
    [choice] = make_readings(HKMA, {KIRIAGE: FIRST}, by=None, at=NOON)
    assert followed_text(question, [choice], {**HKMA.values, "kiriage_mangan": False}) == FIRST


@pytest.mark.parametrize("slug", [each.slug for each in presets()])
def test_every_other_text_makes_a_rule_set_and_the_way_back_leads_to_the_preset(slug):
    source = preset(slug)
    for index, question in enumerate(questions_of(source)):
        other = {index: FIRST + SECOND - question.own_reading}
        there = {**source.values, **switch_texts(source, {}, other)}
        assert Rules.from_values(there)
        back = {**there, **switch_texts(source, other, {})}
        assert Rules.from_values(back) == Rules.from_values(source.values)


def test_values_are_compared_by_what_they_mean():
    assert same_value("uma", [30, 10, -10, -30], [30.0, "10", -10, -30])
    assert not same_value("uma", [30, 10, -10, -30], [30, 10, -10, -29])
    assert not same_value("honba", None, 300)
    assert same_value("honba", "nonsense", "nonsense")
