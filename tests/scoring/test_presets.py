"""Every preset is complete, cited and settles."""

import re
from pathlib import Path

import pytest

from scoring.presets import (
    LANGUAGES,
    Names,
    Preset,
    UnknownPreset,
    in_every_language,
    preset,
    presets,
    read_preset,
    resolve,
    translated_notes,
)
from scoring.rules import LOCAL_YAKU, SETTINGS, Rules, RulesError
from scoring.settlement import settle

FOLDER = Path(__file__).parent.parent.parent / "scoring" / "presets"
SLUGS = [
    *("ema-2016", "ema-2025", "guide", "hkma-a-2025-04", "hkma-a-legacy", "hkma-b-2025-04", "hkma-b-legacy"),
    *("jpml-a", "kanto", "mahjong-soul", "mleague", "saikouisen", "tenhou-2022", "tenhou"),
    *("tnt", "wrc-2022", "wrc-2025"),
]

each_preset = pytest.mark.parametrize("found", presets(), ids=lambda found: found.slug)


def test_these_presets_exist():
    assert [found.slug for found in presets()] == SLUGS


def test_some_presets_say_who_signs_and_the_others_ask_nobody():
    signatures = {found.slug: found.signatures for found in presets() if found.signatures_cite}
    four = ("hkma-a-2025-04", "hkma-a-legacy", "hkma-b-2025-04", "hkma-b-legacy")
    assert signatures == dict.fromkeys(four, "four") | {"wrc-2022": "staff", "wrc-2025": "staff"}
    assert {found.signatures for found in presets() if not found.signatures_cite} == {"none"}


@each_preset
def test_every_setting_has_a_value_and_a_cite(found):
    assert set(found.values) == set(SETTINGS)
    assert set(found.cites) == set(SETTINGS)


@each_preset
def test_every_cite_names_document_and_article_or_is_a_choice_with_a_reason(found):
    for cite in found.cites.values():
        assert bool(cite.note) if cite.choice else bool(cite.document and cite.article)


@each_preset
def test_every_preset_has_its_name_in_four_languages(found):
    assert sorted(found.name) == sorted(LANGUAGES)
    assert found.document in {cite.document for cite in found.cites.values()}


@each_preset
def test_every_preset_resolves_balances_and_comes_back(found):
    rules = resolve(found.slug)

    assert rules.imbalance == 0
    assert Rules.from_values(rules.as_values()) == rules
    assert rules.as_values() == found.values


def test_there_are_presets_with_and_without_two_texts():
    assert {bool(found.questions) for found in presets()} == {True, False}


@each_preset
def test_every_conflict_quotes_two_different_texts(found):
    for conflict in found.questions:
        assert conflict.first.text != conflict.second.text
        assert conflict.first.place
        assert conflict.second.place
        assert conflict.note


@each_preset
def test_the_text_that_a_preset_follows_means_its_values(found):
    for each in found.questions:
        assert dict(each.own.values) == {name: found.values[name] for name in each.own.values}


@each_preset
def test_the_other_text_gives_another_rule_set_that_can_be(found):
    for each in found.questions:
        if each.other.values:
            changed = {name for name, value in each.other.values.items() if value != found.values[name]}
            assert changed & set(each.settings)
            assert resolve(found.slug, each.other.values) != resolve(found.slug)


@each_preset
def test_both_texts_name_the_same_settings_unless_one_cannot_be_expressed(found):
    for each in found.questions:
        assert (
            set(each.other.values) == set(each.own.values)
            or each.other.values.keys() > each.own.values.keys()
        )


@each_preset
def test_each_choice_is_identified_by_the_place_of_its_text(found):
    places = [(each.settings, each.other.place) for each in found.questions]

    assert len(set(places)) == len(places)


def test_few_questions_have_texts_that_no_setting_tells_apart():
    silent = {
        (found.slug, each.settings)
        for found in presets()
        for each in found.questions
        if not each.other.values
    }

    assert silent == {
        (f"hkma-{division}-{edition}", ("leftover_sticks",))
        for division in "ab"
        for edition in ("2025-04", "legacy")
    } | {
        ("ema-2016", ("renchan",)),
        ("guide", ("chombo",)),
        ("guide", ("sequences_fu",)),
        ("tnt", ("noten_riichi",)),
        ("tnt", ("renchan",)),
    }


def test_what_the_sources_leave_to_the_table_can_be_chosen():
    found = {
        slug: [dict(each.other.values) for each in preset(slug).options] for slug in ("ema-2016", "kanto")
    }

    assert found == {
        "ema-2016": [{"game_length": "east"}, {"game_length": "full"}],
        "kanto": [
            {"game_length": "east"},
            {"game_length": "full"},
            {"game_length": "east_north"},
            {"game_length": "east_east"},
            {"game_length": "each_hand", "extension": "none", "target_points": None},
            {"extension": "sudden_death", "target_points": 30000, "extension_winds": None},
            {"all_last_renchan": False},
            {"red_fives": 3},
            {"daiminkan_pao": True},
            {"sashiuma": None},
        ],
    }


def notes_of(found: Preset) -> list[Names]:
    """The notes of a preset's cites, conflicts and options."""
    return [each.note for each in (*found.cites.values(), *found.questions) if each.note]


@each_preset
def test_every_note_is_in_four_languages(found):
    notes = notes_of(found)
    assert len(notes) > 10

    assert [
        note["en"] for note in notes if {name for name, words in note.items() if words} != set(LANGUAGES)
    ] == []


def quotations() -> set[str]:
    return {text.text for found in presets() for each in found.questions for text in each.texts.values()}


def languages_of(text: str) -> set[str]:
    """The languages in which a quotation is written. Chinese characters may be of both scripts."""
    if not re.search("[\u3040-\u30ff\u4e00-\u9fff]", text):
        return {"en"} if re.search("[a-z]", text) else set(LANGUAGES)
    ideographs = "".join(re.findall("[\u4e00-\u9fff]", text.replace("飜", "")))
    if re.search("[\u3040-\u309f満捨]", text):
        return {"ja"}
    scripts = {"zh-hans": "gb2312", "zh-hant": "big5"}
    return {name for name, code in scripts.items() if "?" not in str(ideographs.encode(code, "replace"))}


def test_every_quotation_has_a_line_of_meaning_in_each_other_language():
    assert len(quotations()) > 90

    without = {
        (language, text)
        for text in quotations()
        for language in set(LANGUAGES) - languages_of(text)
        if not translated_notes()[language].get(text)
    }

    assert without == set()


def test_an_edition_in_words_is_in_four_languages():
    editions = {found.edition: in_every_language(found.edition) for found in presets()}
    words = {edition for edition in editions if re.search("[a-z]", edition)}
    assert len(words) > 5

    assert {edition for edition in words if set(editions[edition]) != set(LANGUAGES)} == set()


def test_lines_of_a_transcription_are_not_for_readers():
    cites = [cite for found in presets() for cite in found.cites.values()]
    questions = [
        text for found in presets() for each in found.questions for text in (each.first, each.second)
    ]
    texts = [
        *(cite.article for cite in cites),
        *(text.place for text in questions),
        *(words for found in presets() for note in notes_of(found) for words in note.values()),
    ]

    assert [text for text in texts if re.search(r"\bl\.", text)] == []
    assert "附录II 大三元；大四喜" in {text.place for text in questions}
    assert "原文沒有提及；必須付得出1000點。" in set(texts)


def test_every_translation_belongs_to_a_note():
    english = {note["en"] for found in presets() for note in notes_of(found)}
    english |= {found.edition for found in presets()}
    english |= quotations()
    translated = translated_notes()
    assert sorted(translated) == sorted(LANGUAGES)

    left_over = {language: sorted(notes.keys() - english) for language, notes in translated.items()}

    assert left_over == {language: [] for language in translated}


def test_chinese_and_japanese_notes_have_full_width_punctuation():
    narrow = re.compile(r"[,:;()](?!\d)|\.(?!\d)")
    assert all(narrow.search(note["en"]) for note in notes_of(preset("mleague")))

    found = [
        words
        for language, notes in translated_notes().items()
        for words in notes.values()
        if language != "en" and narrow.search(words)
    ]

    assert found == []


def test_a_note_without_a_translation_is_english_and_a_cite_without_a_note_has_none(tmp_path):
    text = (FOLDER / "mleague.toml").read_text(encoding="utf-8")
    assert 'note = "Shared when tied."' in text
    changed = tmp_path / "mleague.toml"
    changed.write_text(text.replace("Shared when tied.", "Shared by those who tie."), encoding="utf-8")

    cites = read_preset(changed).cites

    assert dict(cites["leftover_sticks"].note) == {"en": "Shared by those who tie."}
    assert dict(cites["honba"].note) == {}
    assert preset("mleague").cites["leftover_sticks"].note["ja"] == "同点なら分ける。"


def test_the_settlement_of_each_preset():
    def settlement(slug: str) -> tuple[object, ...]:
        rules = resolve(slug)
        return rules.start_points, rules.return_points, rules.uma, rules.oka, rules.tie_rule, rules.rounding

    assert {slug: settlement(slug) for slug in SLUGS} == {
        "ema-2016": (30000, 30000, (150, 50, -50, -150), 0, "split", "none"),
        "ema-2025": (30000, 30000, (150, 50, -50, -150), 0, "split", "none"),
        "guide": (25000, 25000, (0, 0, 0, 0), 0, "seat", "none"),
        "hkma-a-2025-04": (30000, 35000, (300, 100, -100, -300), 200, "split", "none"),
        "hkma-a-legacy": (30000, 30000, (450, 150, -200, -400), 0, "split", "none"),
        "hkma-b-2025-04": (25000, 30000, (300, 100, -100, -300), 200, "split", "none"),
        "hkma-b-legacy": (25000, 25000, (450, 150, -150, -450), 0, "split", "none"),
        "jpml-a": (30000, 30000, (80, 40, -40, -80), 0, "split", "none"),
        "kanto": (25000, 25000, (0, 0, 0, 0), 0, "seat", "none"),
        "mahjong-soul": (25000, 25000, (150, 50, -50, -150), 0, "seat", "none"),
        "mleague": (25000, 30000, (300, 100, -100, -300), 200, "split", "none"),
        "saikouisen": (30000, 30000, (300, 100, -100, -300), 0, "split", "none"),
        "tenhou": (25000, 30000, (200, 100, -100, -200), 200, "seat", "half_away"),
        "tenhou-2022": (25000, 30000, (200, 100, -100, -200), 200, "seat", "none"),
        "tnt": (25000, 25000, (0, 0, 0, 0), 0, "last_dealer", "none"),
        "wrc-2022": (30000, 30000, (150, 50, -50, -150), 0, "split", "none"),
        "wrc-2025": (30000, 30000, (150, 50, -50, -150), 0, "split", "none"),
    }


def test_remainders_and_leftover_deposits_of_each_preset():
    found = {slug: (resolve(slug).split_remainder, resolve(slug).leftover_sticks) for slug in SLUGS}

    assert found == {
        **dict.fromkeys(SLUGS, ("first_dealer", "first")),
        **dict.fromkeys(("ema-2016", "ema-2025"), ("drop", "first")),
        **dict.fromkeys(("wrc-2022", "wrc-2025"), ("drop", "nobody")),
        **dict.fromkeys(("jpml-a", "saikouisen"), ("first_dealer", "nobody")),
    }


@pytest.mark.parametrize(
    ("slug", "points", "expected"),
    [
        ("hkma-a-2025-04", (42000, 33000, 27000, 18000), (570, 80, -180, -470)),
        ("hkma-a-legacy", (42000, 33000, 27000, 18000), (570, 180, -230, -520)),
        ("hkma-b-2025-04", (38000, 29000, 21000, 12000), (580, 90, -190, -480)),
        ("hkma-b-legacy", (38000, 29000, 21000, 12000), (580, 190, -190, -580)),
        ("wrc-2022", (40000, 33000, 27000, 20000), (250, 80, -80, -250)),
        ("wrc-2025", (40000, 40000, 20000, 20000), (200, 200, -200, -200)),
        ("jpml-a", (60000, 29900, 20000, 10100), (420, -11, -130, -279)),
        ("jpml-a", (50000, 30000, 29900, 10100), (280, 40, -41, -279)),
        ("jpml-a", (40000, 35000, 30000, 15000), (180, 80, 10, -270)),
        ("jpml-a", (29000, 29500, 29800, 29700), (-10, -5, -2, -3)),
        ("saikouisen", (45000, 33000, 24000, 18000), (450, 130, -160, -420)),
        ("mahjong-soul", (41000, 29000, 18000, 12000), (310, 90, -120, -280)),
        ("tnt", (41000, 29000, 18000, 12000), (160, 40, -70, -130)),
    ],
)
def test_known_tables_settle(slug, points, expected):
    assert tuple(seat.score for seat in settle(points, resolve(slug))) == expected


def test_tnt_counts_ties_from_the_dealer_at_the_settlement():
    places = [
        tuple(seat.place for seat in settle((30000, 30000, 25000, 15000), resolve("tnt"), last_dealer=dealer))
        for dealer in (0, 1)
    ]

    assert places == [(1, 2, 3, 4), (2, 1, 3, 4)]


def test_kanto_moves_the_agreed_amount_between_who_names_and_who_is_named():
    table = settle((41000, 29000, 18000, 12000), resolve("kanto"), sashiuma={0: 3, 2: 1})

    assert tuple(seat.sashiuma for seat in table) == (50, 50, -50, -50)


@pytest.mark.parametrize(
    ("slug", "overrides"),
    [
        ("hkma-a-2025-04", {"return_points": 30000}),
        ("hkma-b-2025-04", {"return_points": 25000}),
        ("hkma-a-legacy", {"return_points": 35000}),
        ("hkma-b-legacy", {"uma": [30, 10, -10, -30], "oka": 20}),
    ],
)
def test_place_points_of_one_hkma_text_with_the_base_of_the_other_are_refused(slug, overrides):
    with pytest.raises(RulesError) as refused:
        resolve(slug, overrides)

    assert [(problem.setting, problem.code) for problem in refused.value.problems] == [("uma", "unbalanced")]


@pytest.mark.parametrize("division", ["a", "b"])
@pytest.mark.parametrize(("one", "other"), [("2025-04", "legacy"), ("legacy", "2025-04")])
def test_the_other_texts_of_one_hkma_text_are_the_values_of_the_other(division, one, other):
    found = preset(f"hkma-{division}-{one}")
    chosen = dict(
        item
        for conflict in found.conflicts
        if conflict.settings[0] in ("uma", "return_points", "kiriage_mangan", "composite_yakuman")
        for item in conflict.other.values.items()
    )

    expected = preset(f"hkma-{division}-{other}").values
    assert chosen == {name: expected[name] for name in chosen}
    assert set(chosen) == {"uma", "oka", "return_points", "kiriage_mangan", "composite_yakuman"}


@pytest.mark.parametrize("division", ["a", "b"])
def test_hkma_follows_the_first_text_where_its_rules_contradict_themselves(division):
    found = preset(f"hkma-{division}-2025-04")

    assert [(conflict.settings, conflict.own_reading) for conflict in found.conflicts] == [
        (("uma", "oka"), 1),
        (("return_points",), 1),
        (("kiriage_mangan",), 1),
        (("composite_yakuman",), 1),
        (("multiple_ron", "multi_ron_bonus"), 1),
        (("leftover_sticks",), 1),
        (("multiple_ron", "multi_ron_bonus", "multi_ron_sticks"), 1),
    ]
    assert [dict(each.second.values).get("multiple_ron") for each in found.conflicts[4::2]] == [
        "triple",
        "double",
    ]
    assert found.catalogue == "hkma-2025"


@pytest.mark.parametrize("division", ["a", "b"])
def test_the_legacy_text_of_hkma_follows_the_detailed_articles(division):
    found = preset(f"hkma-{division}-legacy")

    assert [conflict.own_reading for conflict in found.conflicts] == [2, 2, 2, 2, 1, 1, 1]
    assert found.catalogue == "hkma-2025"


def test_rules_that_only_one_source_describes():
    found = {
        "ema": (resolve("ema-2016").score_by_length, resolve("ema-2025").score_by_length),
        "hkma": (resolve("hkma-a-2025-04").junkara_tenpai, resolve("hkma-a-2025-04").extra_tile_payment),
        "first liable only": resolve("hkma-b-2025-04").pao.several,
        "tnt": (resolve("tnt").honba_on_yakuman, resolve("tnt").noten_riichi, resolve("tnt").target_points),
        "kanto": (resolve("kanto").nagashi_as_tsumo, resolve("kanto").extension_winds),
        "guide": (len(resolve("guide").local_yaku), resolve("guide").renhou, resolve("guide").after_chombo),
        "robbing a closed kan": [slug for slug in SLUGS if resolve(slug).kokushi_ankan_ron],
        "without dora": [slug for slug in SLUGS if not resolve(slug).ura_dora],
        "limit": {slug: resolve(slug).yakuman_limit for slug in SLUGS if resolve(slug).yakuman_limit},
        "chombo of WRC": {slug: resolve(slug).chombo.score for slug in SLUGS if slug.startswith("wrc")},
        "tiles for riichi": {
            slug: resolve(slug).tiles_for_riichi for slug in ("guide", "ema-2016", "wrc-2025")
        },
    }

    assert found == {
        "ema": (True, False),
        "hkma": (False, 1000),
        "first liable only": "first",
        "tnt": (False, 1000, 30000),
        "kanto": (True, None),
        "guide": (12, "yakuman", "rotate"),
        "robbing a closed kan": ["guide", "mahjong-soul"],
        "without dora": ["jpml-a"],
        "limit": {"jpml-a": 4},
        "chombo of WRC": {"wrc-2022": -300, "wrc-2025": -300},
        "tiles for riichi": {"guide": 0, "ema-2016": 4, "wrc-2025": 0},
    }


def test_an_unknown_preset_is_named():
    with pytest.raises(UnknownPreset) as refused:
        resolve("hkma-z")

    assert refused.value.slug == "hkma-z"


def test_overrides_come_before_stored_values_and_these_before_the_preset():
    stored = {"minutes": 75, "honba": 1500}

    rules = resolve("hkma-b-2025-04", {"honba": 300}, stored)

    assert (preset("hkma-b-2025-04").values["minutes"], rules.minutes, rules.honba) == (60, 75, 300)


def test_overrides_that_contradict_the_preset_are_refused():
    with pytest.raises(RulesError) as refused:
        resolve("hkma-a-2025-04", {"start_points": 25000})

    assert [(problem.setting, problem.code) for problem in refused.value.problems] == [("uma", "unbalanced")]


def test_values_of_a_preset_cannot_be_changed():
    with pytest.raises(TypeError):
        preset("mleague").values["oka"] = 0  # type: ignore[index]


@pytest.mark.parametrize(
    ("slug", "line", "changed", "message"),
    [
        ("mleague", "honba = { value = 300", "honbaa = { value = 300", "without honba"),
        ("mleague", 'ja = "Mリーグ"', 'ja = ""', "without name.ja"),
        ("mleague", 'slug = "mleague"', 'slug = "m-league"', "the slug is"),
        ("mleague", "oka = { value = 20", "oka = { value = 10", "unbalanced"),
        ("mleague", ', note = "Not mentioned in the sources." }', " }", "choice without a reason"),
        ("mleague", '300, article = "積み棒"', '300, note = "?"', "honba has no article"),
        (
            "hkma-a-2025-04",
            "values = { kiriage_mangan = true }",
            "values = { kiriage_mangan = false }",
            "not the preset's values",
        ),
        (
            "hkma-a-2025-04",
            "values = { kiriage_mangan = false }",
            "values = { kiriage_mangan = 3 }",
            "kiriage_mangan: type",
        ),
        ("hkma-a-2025-04", 'settings = ["kiriage_mangan"]', 'settings = ["kiriage"]', "known settings"),
    ],
)
def test_a_preset_file_that_is_incomplete_or_cannot_be_is_refused_when_it_is_read(
    tmp_path, slug, line, changed, message
):
    text = (FOLDER / f"{slug}.toml").read_text(encoding="utf-8")
    assert line in text
    broken = tmp_path / f"{slug}.toml"
    broken.write_text(text.replace(line, changed), encoding="utf-8")

    with pytest.raises(ValueError, match=message):
        read_preset(broken)


def test_the_readme_lists_every_preset():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")

    assert [slug for slug in SLUGS if f"| `{slug}` |" not in readme] == []


MODULES = {"hanchan", "hands", "payments", "score_table", "settlement", "yaku"}


def test_the_readme_says_of_every_setting_which_rule_of_the_five_texts_it_carries():
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    tables = readme.partition("## Every rule of five sources that touches points")[2]
    named = {
        name for line in tables.splitlines() for name in re.findall(r"`([a-z_0-9]+)(?:\.[a-z_]+)?`", line)
    }

    # What clubs do that no source asks for, and what only another source (EMA 2025) asks for.
    assert set(SETTINGS) - named == {"unbalanced", "chip_value", "substituted_score"}
    assert named - set(SETTINGS) - set(LOCAL_YAKU) - set(SLUGS) - MODULES == {"tiles"}
