"""Everything that can be wrong with a rule set has a sentence that says what to do."""

import ast
from pathlib import Path

import pytest

import scoring
from league.rules.rule_sets.words.problems import rule_problem
from scoring.presets import preset
from scoring.rules import RuleProblem, Rules, RulesError

HKMA = dict(preset("hkma-a-2025-04").values)

# What people type wrong, one example a code: (code, changes to HKMA A, the sentence).
WRONG = [
    ("unknown", {"umma": [1, 2, 3, 4]}, "Unknown setting “umma”. Remove it or correct its name."),
    ("type", {"bust": "yes"}, "“Game ends below zero (tobi)” must be yes or no."),
    (
        "type",
        {"uma": 30},
        "“Uma (place points, without oka)” must be four numbers, for example 30, 10, -10, -30.",
    ),
    ("range", {"honba": 20_000}, "“Points per honba” must be between 0 and 10,000, not 20,000."),
    ("step", {"honba": 350}, "“Points per honba” must be a multiple of 100, not 350."),
    (
        "choice",
        {"tie_rule": "dice"},
        "“Equal final points” cannot be “dice”. Choose one of: split, seat, last_dealer.",
    ),
    ("repeated", {"local_yaku": ["renpuukou"] * 2}, "“Local yaku” has a duplicate. List each value once."),
    (
        "tenth",
        {"uma": [30.05, 10, -10, -30]},
        "“Uma (place points, without oka)” needs numbers with at most one decimal, for "
        "example 30 or 7.5, not “30.05”.",
    ),
    (
        "four_numbers",
        {"uma": [30, 10, -40]},
        "“Uma (place points, without oka)” needs four numbers, one for each place, not 3.",
    ),
    (
        "floating_rows",
        {"floating_uma": {}},
        "“Floating uma” needs at least one row, and at most one per number of players.",
    ),
    (
        "floating_count",
        {"floating_uma": {"5": [30, 10, -10, -30]}},
        "“Floating uma” needs rows for 0 to 4 players at or above the starting points, not for “5”.",
    ),
    (
        "positive_chombo",
        {"chombo": 20},
        "“Chombo” is a deduction. Enter a negative number such as -20, not 20.",
    ),
    (
        "unbalanced",
        {"uma": [40, 10, -10, -30]},
        "Uma and oka do not balance starting and return points: the scores of every table would sum "
        "to +10.0, not 0. Change one of them, or tick the house rule.",
    ),
    (
        "unbalanced",
        {"floating_uma": {"1": [40, 10, -10, -30]}},
        "Uma and oka do not balance starting and return points when 1 of the four are at or above "
        "the starting points: the scores would sum to +10.0, not 0. Change one of them, or tick the "
        "house rule.",
    ),
    (
        "target_missing",
        {"extension": "full_wind"},
        "An extension needs target points. Enter them, or choose no extension.",
    ),
    (
        "score_range",
        {"sashiuma": 0},
        "“Sashiuma (side bet of two players)” must be between 0.1 and 1000.0, not 0.0.",
    ),
    (
        "target_reached",
        {"extension": "full_wind", "target_points": 29900},
        "All players start with 30,000, so one always has 29,900 or more and an extension never "
        "begins. Raise the target points, or choose no extension.",
    ),
    (
        "extension_of_one_hand",
        {"extension": "full_wind", "target_points": 40000, "game_length": "each_hand"},
        "When every hand is its own game, there is nothing to extend. Choose no extension, or "
        "another length.",
    ),
    (
        "length_of_one_hand",
        {"score_by_length": True, "game_length": "each_hand"},
        "When every hand is its own game, the score cannot follow the length. Switch one of them off.",
    ),
    (
        "agari_yame_without_repeat",
        {"agari_yame": True, "all_last_renchan": False},
        "Agari-yame ends a last hand that the dealer would repeat. Allow the dealer to repeat the "
        "last hand, or switch agari-yame off.",
    ),
    (
        "extra_hands_without_time",
        {"extra_hands": 1, "minutes": None},
        "Hands after time is up need a time limit. Enter the minutes, or set these hands to 0.",
    ),
    (
        "kan_ura_dora",
        {"kan_ura_dora": True, "kan_dora": True, "ura_dora": False},
        "Ura dora under kan dora need both kan dora and ura dora. Switch both on, or switch this one off.",
    ),
    (
        "limit_of_one_yakuman",
        {"yakuman_limit": 2, "double_yakuman": False, "composite_yakuman": False},
        "A hand counts at most one yakuman here, so a limit has no effect. Leave the limit empty, or "
        "allow double or several yakuman.",
    ),
    (
        "nagashi_as_tsumo",
        {"nagashi_as_tsumo": True, "nagashi_mangan": False},
        "Nagashi mangan is not played, so it cannot count as a tsumo win. Switch it on, or this setting off.",
    ),
    (
        "chombo_timing",
        {"chombo_timing": "in_game"},
        "A chombo during the game must be a payment. Choose a reverse mangan or points to each other "
        "player, or deduct it from the total.",
    ),
    (
        "chombo_timing",
        {"chombo": "reverse_mangan"},
        "A chombo paid during the game cannot be deducted from the total. Choose “as a payment in "
        "the game”, or a deduction such as -20.",
    ),
]


@pytest.mark.parametrize(("code", "changes", "sentence"), WRONG)
def test_each_problem_has_a_sentence_that_says_what_to_do(code, changes, sentence):
    with pytest.raises(RulesError) as refused:
        Rules.from_values(HKMA | changes)

    found = [(problem.code, rule_problem(problem)) for problem in refused.value.problems]

    assert found == [(code, sentence)]


def test_a_missing_setting_is_reported():
    values = {name: value for name, value in HKMA.items() if name != "uma"}

    with pytest.raises(RulesError) as refused:
        Rules.from_values(values)

    assert [rule_problem(problem) for problem in refused.value.problems] == [
        "“Uma (place points, without oka)” has no value. Enter one."
    ]


def test_every_code_that_the_rules_can_speak_has_an_example_here():
    spoken = codes_in("rules.py", "RuleProblem", 1) | codes_in("kinds.py", "BadValue", 0)
    spoken |= codes_in("rules.py", "BadValue", 0) | codes_in("rules.py", "Contradiction", 1)
    assert {"unbalanced", "missing", "step", "target_missing"} <= spoken  # the reader finds something

    assert spoken == {code for code, _, _ in WRONG} | {"missing"}


def codes_in(file: str, function: str, position: int) -> set[str]:
    """The literal codes given to a constructor in one file of `scoring`."""
    tree = ast.parse((Path(scoring.__file__).parent / file).read_text(encoding="utf-8"))
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == function]
    given = [call.args[position] for call in calls if len(call.args) > position]
    return {arg.value for arg in given if isinstance(arg, ast.Constant)}


def test_an_unknown_setting_with_a_percent_sign_is_reported():
    assert "100%s" in rule_problem(RuleProblem("100%s", "unknown", {}))
