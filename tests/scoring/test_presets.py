"""Every preset is complete, cited and settles."""

import re
from pathlib import Path

import pytest

from scoring.presets import (
    LANGUAGES,
    Names,
    Preset,
    UnknownPreset,
    preset,
    presets,
    read_preset,
    resolve,
    translated_notes,
)
from scoring.rules import SETTINGS, Rules, RulesError

FOLDER = Path(__file__).parent.parent.parent / "scoring" / "presets"
SLUGS = ["ema-2016", "ema-2025", "hkma-a-2025-04", "hkma-b-2025-04", "mleague", "tenhou"]

each_preset = pytest.mark.parametrize("found", presets(), ids=lambda found: found.slug)


def test_these_presets_exist() -> None:
    assert [found.slug for found in presets()] == SLUGS


@each_preset
def test_every_setting_has_a_value_and_a_cite(found: Preset) -> None:
    assert set(found.values) == set(SETTINGS)
    assert set(found.cites) == set(SETTINGS)


@each_preset
def test_every_cite_names_document_and_article_or_is_a_choice_with_a_reason(found: Preset) -> None:
    for cite in found.cites.values():
        assert bool(cite.note) if cite.choice else bool(cite.document and cite.article)


@each_preset
def test_every_preset_has_its_name_in_four_languages(found: Preset) -> None:
    assert sorted(found.name) == sorted(LANGUAGES)
    assert found.document in {cite.document for cite in found.cites.values()}


@each_preset
def test_every_preset_resolves_balances_and_comes_back(found: Preset) -> None:
    rules = resolve(found.slug)

    assert rules.imbalance == 0
    assert Rules.from_values(rules.as_values()) == rules
    assert rules.as_values() == found.values


@each_preset
def test_every_conflict_quotes_two_different_texts(found: Preset) -> None:
    for conflict in found.conflicts:
        assert conflict.first.text != conflict.second.text
        assert conflict.first.place
        assert conflict.second.place
        assert conflict.note


def notes_of(found: Preset) -> list[Names]:
    """The notes of a preset's cites and conflicts."""
    return [each.note for each in (*found.cites.values(), *found.conflicts) if each.note]


@each_preset
def test_every_note_is_in_four_languages(found: Preset) -> None:
    notes = notes_of(found)
    assert len(notes) > 10

    assert [
        note["en"] for note in notes if {name for name, words in note.items() if words} != set(LANGUAGES)
    ] == []


def test_every_translation_belongs_to_a_note() -> None:
    english = {note["en"] for found in presets() for note in notes_of(found)}
    translated = translated_notes()
    assert sorted(["en", *translated]) == sorted(LANGUAGES)

    left_over = {language: sorted(notes.keys() - english) for language, notes in translated.items()}

    assert left_over == {language: [] for language in translated}


def test_chinese_and_japanese_notes_have_full_width_punctuation() -> None:
    narrow = re.compile(r"[,:;()](?!\d)|\.(?!\d)")
    assert all(narrow.search(note["en"]) for note in notes_of(preset("mleague")))

    found = [
        words for notes in translated_notes().values() for words in notes.values() if narrow.search(words)
    ]

    assert found == []


def test_a_note_without_a_translation_is_english_and_a_cite_without_a_note_has_none(tmp_path: Path) -> None:
    text = (FOLDER / "mleague.toml").read_text(encoding="utf-8")
    assert 'note = "Shared when tied."' in text
    changed = tmp_path / "mleague.toml"
    changed.write_text(text.replace("Shared when tied.", "Shared by those who tie."), encoding="utf-8")

    cites = read_preset(changed).cites

    assert dict(cites["leftover_sticks"].note) == {"en": "Shared by those who tie."}
    assert dict(cites["honba"].note) == {}
    assert preset("mleague").cites["leftover_sticks"].note["ja"] == "同点なら分ける。"


def test_the_settlement_of_each_preset() -> None:
    def settlement(slug: str) -> tuple[object, ...]:
        rules = resolve(slug)
        return rules.start_points, rules.return_points, rules.uma, rules.oka, rules.tie_rule, rules.rounding

    assert {slug: settlement(slug) for slug in SLUGS} == {
        "ema-2016": (30000, 30000, (150, 50, -50, -150), 0, "split", "none"),
        "ema-2025": (30000, 30000, (150, 50, -50, -150), 0, "split", "none"),
        "hkma-a-2025-04": (30000, 35000, (300, 100, -100, -300), 200, "split", "none"),
        "hkma-b-2025-04": (25000, 30000, (300, 100, -100, -300), 200, "split", "none"),
        "mleague": (25000, 30000, (300, 100, -100, -300), 200, "split", "none"),
        "tenhou": (25000, 30000, (200, 100, -100, -200), 200, "seat", "half_away"),
    }


def test_remainders_and_leftover_deposits_of_each_preset() -> None:
    found = {slug: (resolve(slug).split_remainder, resolve(slug).leftover_sticks) for slug in SLUGS}

    assert found == {
        "ema-2016": ("drop", "first"),
        "ema-2025": ("drop", "first"),
        "hkma-a-2025-04": ("first_dealer", "first"),
        "hkma-b-2025-04": ("first_dealer", "first"),
        "mleague": ("first_dealer", "first"),
        "tenhou": ("first_dealer", "first"),
    }


@pytest.mark.parametrize("division", ["a", "b"])
def test_hkma_follows_the_first_text_where_its_rules_contradict_themselves(division: str) -> None:
    found = preset(f"hkma-{division}-2025-04")

    assert [(conflict.settings, conflict.chosen) for conflict in found.conflicts] == [
        (("uma", "oka"), 1),
        (("return_points",), 1),
        (("kiriage_mangan",), 1),
        (("composite_yakuman",), 1),
        (("multiple_ron", "multi_ron_bonus"), 1),
        (("leftover_sticks",), 1),
    ]
    assert found.catalogue == "hkma-2025"


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(UnknownPreset) as refused:
        resolve("hkma-z")

    assert refused.value.slug == "hkma-z"


def test_overrides_come_before_stored_values_and_these_before_the_preset() -> None:
    stored = {"minutes": 75, "honba": 1500}

    rules = resolve("hkma-b-2025-04", {"honba": 300}, stored)

    assert (preset("hkma-b-2025-04").values["minutes"], rules.minutes, rules.honba) == (60, 75, 300)


def test_overrides_that_contradict_the_preset_are_refused() -> None:
    with pytest.raises(RulesError) as refused:
        resolve("hkma-a-2025-04", {"start_points": 25000})

    assert [(problem.setting, problem.code) for problem in refused.value.problems] == [("uma", "unbalanced")]


def test_values_of_a_preset_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        preset("mleague").values["oka"] = 0  # type: ignore[index]


@pytest.mark.parametrize(
    ("line", "changed", "message"),
    [
        ("honba = { value = 300", "honbaa = { value = 300", "without honba"),
        ('ja = "Mリーグ"', 'ja = ""', "without name.ja"),
        ('slug = "mleague"', 'slug = "m-league"', "the slug is"),
        ("oka = { value = 20", "oka = { value = 10", "unbalanced"),
        (', note = "None is named in the sources." }', " }", "choice without a reason"),
    ],
)
def test_an_incomplete_preset_file_is_refused_when_it_is_read(
    tmp_path: Path, line: str, changed: str, message: str
) -> None:
    text = (FOLDER / "mleague.toml").read_text(encoding="utf-8")
    assert line in text
    broken = tmp_path / "mleague.toml"
    broken.write_text(text.replace(line, changed), encoding="utf-8")

    with pytest.raises(ValueError, match=message):
        read_preset(broken)


def test_a_cite_without_an_article_is_refused_when_it_is_read(tmp_path: Path) -> None:
    text = (FOLDER / "mleague.toml").read_text(encoding="utf-8")
    broken = tmp_path / "mleague.toml"
    broken.write_text(text.replace('300, article = "積み棒"', '300, note = "?"'), encoding="utf-8")

    with pytest.raises(ValueError, match="honba"):
        read_preset(broken)


def test_the_readme_lists_every_preset() -> None:
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")

    assert [slug for slug in SLUGS if f"| `{slug}` |" not in readme] == []
