"""What a rule set accepts and refuses, and that it comes back from its values."""

from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import pytest
from hypothesis import given

from scoring.kinds import ChomboCost, Pao
from scoring.rules import CONTRADICTIONS, SETTINGS, RuleProblem, Rules, RulesError
from tests.scoring.rule_sets import hkma, rule_sets, values, without


def problems(changed: dict[str, Any]) -> tuple[RuleProblem, ...]:
    with pytest.raises(RulesError) as refused:
        Rules.from_values(changed)
    return refused.value.problems


def test_every_setting_is_a_field_and_every_field_a_setting():
    assert {item.name for item in fields(Rules)} - {"oka_auto"} == set(SETTINGS)


def test_values_become_points_and_tenths():
    rules = Rules.from_values(values(uma=[30, 10.5, "-10.5", -30], oka="auto", chombo=-20))

    assert (rules.start_points, rules.return_points) == (25000, 30000)
    assert (rules.uma, rules.oka, rules.imbalance) == ((300, 105, -105, -300), 200, 0)
    assert rules.total_points == 100000
    assert rules.chombo == ChomboCost(score=-200)
    assert rules.pao.yaku == ("daisangen", "daisuushii", "suukantsu")


def test_whole_numbers_are_written_as_ints_and_others_with_their_decimal():
    written = Rules.from_values(values(uma=[30.0, 7.5, "-7.5", -30])).as_values()

    assert [(type(number), number) for number in written["uma"]] == [
        (int, 30),
        (float, 7.5),
        (float, -7.5),
        (int, -30),
    ]


def test_an_oka_given_as_auto_stays_auto_and_follows_start_and_return():
    rules = Rules.from_values(values(oka="auto"))

    assert rules.as_values()["oka"] == "auto"
    assert replace(rules, start_points=30000).oka == 0
    assert Rules.from_values(values(oka=20)).as_values()["oka"] == 20


@given(rule_sets())
def test_a_rule_set_comes_back_from_its_values(rules):
    again = Rules.from_values(rules.as_values())

    assert again == rules
    assert hash(again) == hash(rules)


@pytest.mark.parametrize(
    "chombo", [-20, -12.5, 0, "reverse_mangan", {"each": 4000}], ids=lambda chombo: str(chombo)
)
def test_each_kind_of_chombo_comes_back_from_its_value(chombo):
    timing = "in_game" if isinstance(chombo, str | dict) else "after_uma"
    assert Rules.from_values(values(chombo=chombo, chombo_timing=timing)).as_values()["chombo"] == chombo


def test_a_rule_set_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        hkma().uma = (0, 0, 0, 0)  # type: ignore[misc]


@pytest.mark.parametrize("name", [name for name, setting in SETTINGS.items() if not setting.optional])
def test_a_missing_setting_is_named(name):
    assert RuleProblem(name, "missing", {}) in problems(without(name))


def test_unbalanced_alone_may_be_left_out():
    assert Rules.from_values(without("unbalanced")) == Rules.from_values(values(unbalanced=False))


@pytest.mark.parametrize("name", list(SETTINGS))
def test_a_value_of_the_wrong_type_is_refused_for_every_setting(name):
    found = problems(values(**{name: object()}))

    assert RuleProblem(name, "type", {"kind": SETTINGS[name].kind}) in found


@pytest.mark.parametrize("name", [name for name, setting in SETTINGS.items() if not setting.nullable])
def test_null_is_refused_where_a_setting_needs_a_value(name):
    assert RuleProblem(name, "type", {"kind": SETTINGS[name].kind}) in problems(values(**{name: None}))


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("start_points", 25050, ("step", {"value": 25050, "step": 100})),
        ("start_points", 0, ("range", {"value": 0, "least": 100, "most": 1_000_000})),
        ("start_points", 25000.0, ("type", {"kind": "points"})),
        ("start_points", True, ("type", {"kind": "points"})),
        ("uma", [30, 10, -40], ("four_numbers", {"count": 3})),
        ("uma", [30, 10.25, -10.25, -30], ("tenth", {"value": 10.25})),
        ("uma", [True, 10, -10, -1], ("type", {"kind": "uma"})),
        ("uma", "30-10", ("type", {"kind": "uma"})),
        ("oka", "some", ("tenth", {"value": "some"})),
        ("oka", float("nan"), None),
        ("floating_uma", {}, ("floating_rows", {"count": 0})),
        ("floating_uma", {"5": [0, 0, 0, 0]}, ("floating_count", {"value": "5"})),
        ("floating_uma", {"1": [0, 0, 0]}, ("four_numbers", {"count": 3})),
        ("tie_rule", "coin", ("choice", {"value": "coin", "choices": ("split", "seat", "last_dealer")})),
        ("red_fives", 2, ("choice", {"value": 2, "choices": (0, 3, 4)})),
        ("red_fives", False, ("type", {"kind": "choice"})),
        ("bust", 1, ("type", {"kind": "yes_no"})),
        ("minutes", 0, ("range", {"value": 0, "least": 1, "most": 1440})),
        ("abortive_draws", ["suukaikan"] * 2, ("repeated", {"value": ["suukaikan", "suukaikan"]})),
        ("chombo", 20, ("positive_chombo", {"value": 20})),
        ("chombo", {"all": 4000}, ("type", {"kind": "chombo"})),
        ("chombo", {"reverse_mangan": True}, ("type", {"kind": "chombo"})),
        ("chombo", {"score": -20}, ("type", {"kind": "chombo"})),
        ("chombo", {"score": -20, "reverse_mangan": False}, ("type", {"kind": "chombo"})),
        ("chombo", {"score": -20, "reverse_mangan": True, "each": 4000}, ("type", {"kind": "chombo"})),
        ("pao", {"yaku": []}, ("type", {"kind": "pao"})),
    ],
)
def test_a_wrong_value_is_refused_with_its_reason(name, value, problem):
    found = [(each.code, each.params) for each in problems(values(**{name: value})) if each.setting == name]

    assert [code for code, _ in found] == ["tenth"] if problem is None else found == [problem]


def test_a_part_of_pao_that_is_unknown_is_refused():
    pao = {"yaku": ["daisangen"], "tsumo": "liable", "ron": "nobody", "honba": "half"}

    assert problems(values(pao=pao)) == (
        RuleProblem("pao", "choice", {"part": "ron", "value": "nobody", "choices": ("half", "liable")}),
    )


def test_every_problem_is_reported_at_once():
    changed = {**without("honba"), "coffee": 1, "uma": [1], "tie_rule": "coin", "bust": None}

    assert [(each.setting, each.code) for each in problems(changed)] == [
        ("coffee", "unknown"),
        ("uma", "four_numbers"),
        ("tie_rule", "choice"),
        ("bust", "type"),
        ("honba", "missing"),
    ]


def test_uma_that_does_not_balance_is_refused_with_sum_and_difference():
    assert problems(values(uma=[50, 10, -10, -30])) == (
        RuleProblem("uma", "unbalanced", {"difference": 200, "sum": 400, "expected": 200}),
    )
    assert problems(values(oka=0)) == (
        RuleProblem("uma", "unbalanced", {"difference": -200, "sum": 0, "expected": 200}),
    )


def test_imbalance_is_reported_beside_other_problems():
    found = problems(values(oka=0, bust=None))

    assert [(each.setting, each.code) for each in found] == [("bust", "type"), ("uma", "unbalanced")]


def test_a_club_may_say_that_it_plays_unbalanced():
    rules = Rules.from_values(values(oka=0, unbalanced=True))

    assert rules.imbalance == -200
    assert rules.as_values()["unbalanced"] is True


def test_balanced_values_may_be_marked_unbalanced():
    assert Rules.from_values(values(unbalanced=True)).imbalance == 0


def test_every_listed_row_of_floating_uma_must_balance():
    rows = {"1": [12, -1, -3, -8], "2": [8, 4, -4, -7]}

    assert problems(values(floating_uma=rows)) == (
        RuleProblem("floating_uma", "unbalanced", {"difference": 10, "sum": 210, "expected": 200, "row": 2}),
    )


def test_uma_need_not_balance_when_floating_uma_covers_every_count():
    rows = {str(count): [0, 0, 0, 0] for count in range(5)}

    assert Rules.from_values(values(uma=[1, 0, 0, 0], floating_uma=rows)).imbalance == 0
    del rows["4"]
    assert [each.setting for each in problems(values(uma=[1, 0, 0, 0], floating_uma=rows))] == ["uma"]


def test_an_extension_needs_its_target():
    assert problems(values(extension="sudden_death")) == (
        RuleProblem("target_points", "target_missing", {"extension": "sudden_death"}),
    )
    assert Rules.from_values(values(extension="sudden_death", target_points=30000)).target_points == 30000


@pytest.mark.parametrize(
    ("chombo", "timing"), [(-20, "in_game"), ("reverse_mangan", "after_uma"), ({"each": 4000}, "before_uma")]
)
def test_a_chombo_and_its_timing_must_agree(chombo, timing):
    assert problems(values(chombo=chombo, chombo_timing=timing)) == (
        RuleProblem("chombo_timing", "chombo_timing", {"chombo_timing": timing}),
    )


def test_a_rule_set_built_directly_is_checked_too():
    with pytest.raises(RulesError) as refused:
        replace(hkma(), uma=[300, 100, -100, -300], pao=None, tie_rule="coin", honba=50)  # type: ignore[arg-type]

    assert [(each.setting, each.code) for each in refused.value.problems] == [
        ("uma", "type"),
        ("tie_rule", "choice"),
        ("pao", "type"),
        ("honba", "step"),
    ]


def test_a_rule_set_built_directly_must_balance():
    with pytest.raises(RulesError, match="unbalanced"):
        replace(hkma(), oka=0)


def test_pao_is_kept_as_its_parts():
    pao = Pao(
        yaku=("daisangen",), tsumo="liable", ron="half", honba="discarder", composite="whole", several="first"
    )

    written = replace(hkma(), pao=pao).as_values()["pao"]

    assert written == {
        "yaku": ["daisangen"],
        "tsumo": "liable",
        "ron": "half",
        "honba": "discarder",
        "composite": "whole",
        "several": "first",
    }
    assert Rules.from_values(values(pao=written)).pao == pao


def test_pao_of_four_parts_gets_the_two_that_came_later():
    pao = {"yaku": ["daisangen"], "tsumo": "liable", "ron": "half", "honba": "half"}

    assert Rules.from_values(values(pao=pao)).as_values()["pao"] == {
        **pao,
        "composite": "own",
        "several": "each",
    }


def test_a_score_of_a_setting_is_kept_in_tenths_and_has_bounds():
    rules = Rules.from_values(values(sashiuma=7.5))

    assert (rules.sashiuma, rules.as_values()["sashiuma"]) == (75, 7.5)
    assert Rules.from_values(values(sashiuma=None)).as_values()["sashiuma"] is None
    assert problems(values(sashiuma=-5)) == (
        RuleProblem("sashiuma", "score_range", {"value": -50, "least": 1, "most": 10000}),
    )


LATER = [name for name, setting in SETTINGS.items() if setting.optional]


def test_settings_that_came_later_have_the_value_of_a_rule_set_that_lacks_them():
    old = {name: value for name, value in values().items() if name not in LATER}

    rules = Rules.from_values(old)

    assert {name: getattr(rules, name) for name in LATER} == {name: SETTINGS[name].default for name in LATER}
    assert {item.name: item.default for item in fields(Rules) if item.name in LATER} == {
        name: SETTINGS[name].default for name in LATER
    }


# Every contradiction: (setting, code, what the two settings say, the values that the sentence shows).
TOGETHER = [
    (
        "target_points",
        "target_missing",
        {"extension": "full_wind", "target_points": None},
        {"extension": "full_wind"},
    ),
    (
        "target_points",
        "target_reached",
        {"extension": "full_wind", "target_points": 24900, "start_points": 25000},
        {"target_points": 24900, "start_points": 25000},
    ),
    (
        "extension",
        "extension_of_one_hand",
        {"extension": "full_wind", "target_points": 30000, "game_length": "each_hand"},
        {},
    ),
    ("score_by_length", "length_of_one_hand", {"score_by_length": True, "game_length": "each_hand"}, {}),
    ("agari_yame", "agari_yame_without_repeat", {"agari_yame": True, "all_last_renchan": False}, {}),
    ("extra_hands", "extra_hands_without_time", {"extra_hands": 1, "minutes": None}, {"extra_hands": 1}),
    ("kan_ura_dora", "kan_ura_dora", {"kan_ura_dora": True, "ura_dora": False, "kan_dora": True}, {}),
    (
        "yakuman_limit",
        "limit_of_one_yakuman",
        {"yakuman_limit": 2, "double_yakuman": False, "composite_yakuman": False},
        {},
    ),
    ("nagashi_as_tsumo", "nagashi_as_tsumo", {"nagashi_as_tsumo": True, "nagashi_mangan": False}, {}),
    (
        "chombo_timing",
        "chombo_timing",
        {"chombo": -20, "chombo_timing": "in_game"},
        {"chombo_timing": "in_game"},
    ),
]


@pytest.mark.parametrize(("setting", "code", "changes", "shown"), TOGETHER)
def test_settings_that_contradict_each_other_are_refused(setting, code, changes, shown):
    assert problems(values(**changes)) == (RuleProblem(setting, code, shown),)


def test_every_contradiction_is_shown_here():
    assert [each.code for each in CONTRADICTIONS] == [code for _, code, _, _ in TOGETHER]


@pytest.mark.parametrize(
    "changes",
    [
        {"kan_dora": False, "ura_dora": True, "kan_ura_dora": False},
        {"yakuman_limit": 4, "double_yakuman": False, "composite_yakuman": True},
        {"target_points": 25100, "extension": "sudden_death", "start_points": 25000},
        {"target_points": 25000, "extension": "none", "start_points": 25000},
        {"agari_yame": False, "all_last_renchan": False},
        {"extra_hands": 0, "minutes": None},
        {"nagashi_as_tsumo": True, "nagashi_mangan": True},
        {"score_by_length": True, "game_length": "east"},
    ],
)
def test_settings_that_only_look_like_a_contradiction_are_taken(changes):
    written = Rules.from_values(values(**changes)).as_values()

    assert {name: written[name] for name in changes} == changes
