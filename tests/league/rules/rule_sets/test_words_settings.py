"""Every setting and every choice of a rule set has words."""

import re
from dataclasses import fields
from itertools import product

import pytest
from django.utils import translation

from league.rules.rule_sets.kinds import setting_value
from league.rules.rule_sets.words.settings import (
    PAO_CHOICES,
    VALUES,
    group_label,
    setting_explanation,
    setting_label,
)
from league.rules.rule_sets.words.yaku import YAKU
from scoring.kinds import Pao
from scoring.presets import preset, presets
from scoring.rules import SETTINGS, Rules, RulesError

HKMA = dict(preset("hkma-a-2025-04").values)


def test_every_setting_and_group_has_a_label():
    assert all(setting_label(name) and group_label(setting.group) for name, setting in SETTINGS.items())


def test_every_setting_is_explained_in_a_few_short_sentences():
    said = {name: setting_explanation(name) for name in SETTINGS}
    lengths = {name: [len(each.split()) for each in words.split(". ")] for name, words in said.items()}
    assert [name for name, words in said.items() if not words.endswith(".")] == []
    assert [name for name, found in lengths.items() if len(found) > 3 or max(found) > 24] == []
    assert len(set(said.values())) == len(said)


@pytest.mark.parametrize("language", ["ja", "zh-hant", "zh-hans"])
def test_every_explanation_is_written_in_the_language_of_the_reader(language):
    english = {name: setting_explanation(name) for name in SETTINGS}
    with translation.override(language):
        assert [name for name in SETTINGS if setting_explanation(name) == english[name]] == []


def test_every_choice_has_words():
    for setting in SETTINGS.values():
        words = VALUES.get(setting.name, YAKU)
        assert [choice for choice in setting.choices if choice not in words] == []


def test_every_value_of_every_preset_has_words():
    assert len(presets()) >= 6
    for each in presets():
        for name, value in each.values.items():
            words = setting_value(name, value)
            assert words, name
            assert "_" not in words, (each.slug, name, words)


PAO = {"yaku": ["daisangen", "suukantsu"], "tsumo": "liable", "ron": "half", "honba": "half"}


def test_every_part_of_pao_has_words():
    parts = {"tsumo", "ron", "honba", "composite", "several"}
    assert set(PAO_CHOICES) == parts == {item.name for item in fields(Pao)} - {"yaku"}
    for choices in product(*PAO_CHOICES.values()):
        pao = PAO | dict(zip(PAO_CHOICES, choices, strict=True))
        words = setting_value("pao", Rules.from_values(HKMA | {"pao": pao}).as_values()["pao"])
        assert [str(PAO_CHOICES[part][pao[part]]) for part in PAO_CHOICES] == words.partition(": ")[2].split(
            "; "
        )


def test_a_part_of_pao_that_has_no_words_is_refused_by_the_rules():
    for part, words in PAO_CHOICES.items():
        with pytest.raises(RulesError) as refused:
            Rules.from_values(HKMA | {"pao": PAO | {part: "nobody"}})
        assert [problem.params["choices"] for problem in refused.value.problems] == [tuple(words)]


def test_values_are_written_as_people_say_them():
    assert {name: setting_value(name, HKMA[name]) for name in ("start_points", "uma", "oka", "tie_rule")} == {
        "start_points": "30,000",
        "uma": "+30.0 / +10.0 / −10.0 / −30.0",
        "oka": "+20.0",
        "tie_rule": "players share the place and its points",
    }
    assert setting_value("pao", PAO) == (
        "Daisangen (big three dragons), Suukantsu (four kans): on a tsumo the liable player pays "
        "everything; on a ron the liable player and the discarder pay half each; honba paid half "
        "each; of several yakuman, liable only for the one completed by the discard; of two liable "
        "players, each is liable for their own yakuman"
    )
    assert setting_value("oka", "auto") == "difference between starting and return points"
    assert (
        setting_value("floating_uma", {"1": [12, -1, -3, -8]})
        == "1 at or above the starting points: +12.0 / −1.0 / −3.0 / −8.0"
    )
    assert setting_value("chombo", {"each": 3000}) == "3,000 to each other player"
    assert setting_value("chombo", "reverse_mangan") == "a mangan paid to the others"
    assert setting_value("minutes", 1) == "1 minute"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("sashiuma", None, "not used"),
        ("sashiuma", 7.5, "7.5"),
        ("chip_value", 0, "chips are only listed"),
        ("extension_winds", None, "any number, until the game is decided"),
        ("extension_winds", 2, "2"),
        ("yakuman_limit", None, "no limit"),
        ("yakuman_limit", 4, "4"),
        ("noten_riichi", None, "as a chombo"),
        ("noten_riichi", 1000, "1,000 to each other player"),
        ("redeal_tiles", 0, "none: a chombo always ends the hand"),
        ("redeal_tiles", 20, "20"),
        ("extra_tile_payment", 0, "none"),
        ("extra_tile_payment", 1000, "1,000 to each other player"),
    ],
)
def test_a_value_that_stands_for_none_or_for_no_limit_says_so(name, value, words):
    assert setting_value(name, value) == words


@pytest.mark.parametrize("language", ["ja", "zh-hant", "zh-hans"])
def test_negative_numbers_carry_the_sign_of_the_language(language):
    with translation.override(language):
        assert re.findall(r"[▲−-]", setting_value("uma", [30, 10, -10, -30])) == ["▲", "▲"]
