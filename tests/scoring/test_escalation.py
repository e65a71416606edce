"""What an offence comes to: the book's level for each condition, and what repeating it does.

``tests/data/hkma_infractions.json`` holds the facts of the HKMA's chapter of penalties, noted line by line
and apart from our catalogue.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.escalation import Act, condition_by_history, condition_of_repetition, same_before, suggest
from scoring.infractions import Infraction, Variant, catalogue

HKMA = catalogue("hkma-2025")
FACTS = json.loads((Path(__file__).parent.parent / "data" / "hkma_infractions.json").read_text("utf-8"))

Moment = dict[str, str]

HERE: Moment = {"hanchan": "round 3 table 5", "hand": "E2.0", "day": "2026-11-20"}
LATER_HAND: Moment = {"hanchan": "round 3 table 5", "hand": "E3.0", "day": "2026-11-20"}
NEXT_HANCHAN: Moment = {"hanchan": "round 4 table 1", "hand": "E2.0", "day": "2026-11-20"}

ENTRIES = [
    (entry["code"], index, fact)
    for entry in FACTS["infractions"]
    for index, fact in enumerate(entry["variants"])
]

BY_WALL = "redeal with 20 or more tiles left (without the dead wall), otherwise played to its end"

# Where the noted facts say the same in other words than our catalogue. None: nothing is left to say.
HANDLING_IN_OTHER_WORDS = {
    ("A-III", 1): "continue with too few tiles",
    ("A-X", 2): "make up the missing tiles from the head of the wall",
    ("A-X", 4): None,
    ("A-XI", 2): "redeal",
    ("A-XII", 1): "redeal",
    ("B-I", 0): None,
    ("C-I", 0): "settlement continues",
    ("C-II", 0): "redeal, same dealer deals again",
    ("C-III", 0): "redeal",
}
# What the chapter leaves to the entry that judges, and what the facts were noted without.
HANDLING_OF_ANOTHER_ENTRY = {
    ("C-I", 1): BY_WALL,  # l. 643: a wrong win
    ("T-3", 0): BY_WALL,  # l. 389
    ("T-8", 1): "redeal, same dealer deals again",  # l. 422, 647
}
# entry, condition → levels, for what the text threatens beside the noted conditions
MORE_CONDITIONS = {
    ("T-3", 1): ("2",),  # l. 53: a disturbance, level not given
    ("T-8", 2): ("4",),  # l. 649: an empty win withdrawn before the tiles are shown
    ("U-5", 1): ("2",),  # l. 716: severe cases have level 5, the others no level
}


def entry(code: str) -> Infraction:
    return HKMA.infractions[code]


def variant(code: str, index: int = 0) -> Variant:
    return entry(code).variants[index]


def test_the_facts_have_76_conditions():
    assert len(ENTRIES) == 76


@pytest.mark.parametrize(("code", "index", "fact"), ENTRIES, ids=[f"{c}.{i}" for c, i, _ in ENTRIES])
def test_each_condition_leads_to_level_deduction_ban_and_handling_of_the_book(code, index, fact):
    found = variant(code, index)
    deduction = fact["points_deduction"]

    sanction = suggest(HKMA, found, [], Act(code, **HERE))

    assert (sanction.levels, sanction.options) == (tuple(fact["levels"]), tuple(fact.get("options", ())))
    assert (sanction.because, sanction.scope, sanction.unsure) == ((), "", False)
    assert found.deduction == (None if deduction is None else deduction * 10)
    assert found.win_ban == fact["win_ban"]
    others = {**HANDLING_IN_OTHER_WORDS, **HANDLING_OF_ANOTHER_ENTRY}
    said = others.get((code, index), fact.get("hand_handling"))
    assert found.hand_handling.get("en") == said
    assert found.redeal == (said or "").startswith("redeal")


def test_every_handling_in_other_words_is_a_condition_whose_facts_say_it_otherwise():
    said = {(code, index): fact.get("hand_handling") for code, index, fact in ENTRIES}

    assert all(said[place] and said[place] != words for place, words in HANDLING_IN_OTHER_WORDS.items())
    assert all(said[place] is None for place in HANDLING_OF_ANOTHER_ENTRY)


def test_the_text_threatens_three_conditions_more_than_were_noted():
    noted = {(code, index) for code, index, _fact in ENTRIES}
    every = {(each.code, at) for each in HKMA.infractions.values() for at in range(len(each.variants))}

    assert every - noted == set(MORE_CONDITIONS)
    assert {place: variant(*place).levels for place in MORE_CONDITIONS} == MORE_CONDITIONS
    assert [variant(*place).win_ban for place in MORE_CONDITIONS] == [False, True, False]


def test_an_offence_that_is_judged_as_another_names_it():
    judged = {
        (each.code, at): one.judged_as
        for each in HKMA.infractions.values()
        for at, one in enumerate(each.variants)
        if one.judged_as
    }

    assert judged == {
        ("A-III", 1): "A-X",  # 以小相公的狀態繼續
        **{("A-V", at): "A-II" for at in range(4)},  # 按違規曝露判罰
        ("B-I", 0): "C-III",  # 視作錯和犯規
        ("C-I", 1): "C-III",  # 當錯和論
        ("C-II", 0): "C-III",  # 選手會被判錯和
        ("T-3", 0): "C-III",  # 可能視作「錯和」
        ("T-5", 0): "A-X",  # 大相公
        ("T-8", 0): "A-VII",  # 視為鳴牌取消
        ("T-8", 1): "C-II",  # 或空和
        ("T-8", 2): "C-II",
    }


def before(code: str, *levels: str, moment: Moment = HERE) -> Act:
    return Act(code, levels, **moment, key=f"{code} {levels}")


# (what was given before, the offence now, when now) → levels suggested, and whether they were raised
REPEATS: list[tuple[list[Act], tuple[str, int], Moment, tuple[str, ...], bool]] = [
    # level 1 again for the same reason: level 2 in the same hand, level 1 in the next one
    ([before("A-XI", "1")], ("A-XI", 1), HERE, ("2",), True),  # also of all four
    ([before("A-XI", "1")], ("A-XI", 1), LATER_HAND, ("1",), False),
    # level 2 again in the hanchan: level 4, in this hand or another, not in the next hanchan
    ([before("A-I", "2")], ("A-I", 0), HERE, ("4",), True),
    ([before("A-I", "2")], ("A-I", 0), LATER_HAND, ("4",), True),
    ([before("A-I", "2")], ("A-I", 0), NEXT_HANCHAN, ("2",), False),
    # another reason is none
    ([before("A-VII", "2")], ("A-I", 0), HERE, ("2",), False),
    # the third time: level 4 again is level 5, and there it ends
    ([before("A-I", "2"), before("A-I", "4")], ("A-I", 0), LATER_HAND, ("5",), True),
    ([before("A-I", "2"), before("A-I", "4"), before("A-I", "5")], ("A-I", 0), HERE, ("5",), True),
    # another condition of the same entry is the same reason
    ([before("A-II", "2")], ("A-II", 1), HERE, ("4",), False),  # two tiles are level 4 anyway
    ([before("A-II", "4")], ("A-II", 0), HERE, ("5",), True),  # one tile, after two
    ([before("A-II", "4+")], ("A-II", 1), HERE, ("5",), True),
    ([before("A-II", "2")], ("A-II", 3), HERE, ("5",), False),  # half of the hand is level 5 anyway
    # a win ban alone (level 3) does not escalate
    ([before("A-VI", "3")], ("A-VI", 1), HERE, ("3",), False),
    ([before("A-VI", "3")], ("A-VI", 0), HERE, ("2",), False),
    # several levels at once
    ([before("A-XII", "5", "4", "4")], ("A-XII", 0), HERE, ("5",), True),
    ([before("A-XII", "2")], ("A-XII", 1), HERE, ("5", "4", "4"), False),
    # the exception: D-III is level 2 each time
    ([before("D-III", "2")], ("D-III", 3), HERE, ("2",), False),
    ([before("D-III", "2"), before("D-III", "2")], ("D-III", 2), LATER_HAND, ("2",), False),
    # what costs nothing stays what it is
    ([before("A-IV", "2")], ("A-IV", 0), HERE, (), False),
    # all four are punished, each by their own record
    ([before("D-V", "4")], ("D-V", 1), HERE, ("5",), True),
]


@pytest.mark.parametrize(("given", "now", "moment", "levels", "raised"), REPEATS)
def test_repeating_an_offence(given, now, moment, levels, raised):
    found = suggest(HKMA, variant(*now), given, Act(now[0], **moment))

    assert (found.levels, bool(found.because)) == (levels, raised)


def test_level_1_again_in_the_same_hand_is_level_2_and_in_another_hand_level_1():
    # A referee may give level 1 for any entry.
    warned = [before("A-I", "1")]
    mild = Variant(**{**fields(variant("A-I")), "levels": ("1",)})

    assert suggest(HKMA, mild, warned, Act("A-I", **HERE)).levels == ("2",)
    assert suggest(HKMA, mild, warned, Act("A-I", **LATER_HAND)).levels == ("1",)
    unknown_hands = suggest(HKMA, mild, [Act("A-I", ("1",), hanchan="t")], Act("A-I", hanchan="t"))
    assert unknown_hands.levels == ("1",)


def fields(found: Variant) -> dict[str, Any]:
    return {name: getattr(found, name) for name in Variant.__slots__}


def test_the_reason_of_a_raise_is_the_earlier_penalty_newest_first():
    first, second = before("A-I", "2"), before("A-I", "2", moment=LATER_HAND)
    other = before("A-II", "4")

    found = suggest(HKMA, variant("A-I"), [first, other, second], Act("A-I", **LATER_HAND))

    assert found.because == (second, first)
    assert found.scope == "hanchan"


def conditions(code: str, given: list[Act], moment: Moment) -> list[int]:
    found = condition_by_history(entry(code), given, Act(code, **moment))
    return [index for index, each in enumerate(entry(code).variants) if each in found]


@pytest.mark.parametrize(
    ("code", "given", "moment", "expected"),
    [
        ("D-III", [], HERE, [0, 1]),
        ("D-III", [before("D-III")], HERE, [2]),  # a first time without a sanction counts
        ("D-III", [before("D-III"), before("D-III", "2")], HERE, [3]),
        ("D-III", [before("D-III"), before("D-III", "2")], LATER_HAND, [2]),
        ("D-III", [before("D-III", "2")], NEXT_HANCHAN, [0, 1]),
        ("D-IV", [], HERE, [0]),
        ("D-IV", [before("D-IV")], LATER_HAND, [1]),
        ("A-IX", [], HERE, [0, 2]),
        ("A-IX", [before("A-IX")], HERE, [0, 1, 2]),
        ("A-II", [before("A-II", "2")], HERE, [0, 1, 2, 3]),  # not about how often: the referee chooses
    ],
)
def test_conditions_that_speak_of_repetition_follow_the_record(code, given, moment, expected):
    assert conditions(code, given, moment) == expected


@pytest.mark.parametrize(
    ("code", "given", "expected"),
    [
        ("D-III", [], [2]),
        ("D-IV", [], [1]),
        ("A-IX", [], [1]),
        ("A-IX", [before("D-IV")], [1]),  # another offence
        ("A-IX", [before("A-IX", moment=NEXT_HANCHAN)], [1]),  # another game
        ("A-IX", [before("A-IX")], []),  # on record
        ("A-II", [], []),
    ],
)
def test_a_repetition_can_be_chosen_where_the_free_first_time_was_not_logged(code, given, expected):
    found = condition_of_repetition(entry(code), given, Act(code, **HERE))

    assert [index for index, each in enumerate(entry(code).variants) if each in found] == expected


@pytest.mark.parametrize(("scope", "expected"), [("hand", 1), ("hanchan", 2), ("day", 3), ("event", 4)])
def test_how_often_it_happened_before_is_counted_within_the_scope(scope, expected):
    tomorrow = {"hanchan": "round 9 table 1", "hand": "E2.0", "day": "2026-11-21"}
    same = [before("A-I", "2", moment=moment) for moment in (tomorrow, NEXT_HANCHAN, LATER_HAND, HERE)]

    found = same_before(scope, [*same, before("A-II", "2")], Act("A-I", **HERE))
    assert found == tuple(same[4 - expected :])
