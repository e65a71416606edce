"""Rule sets in words: where a value is written, which text is followed, what differs from another."""

import pytest
from django.utils.translation import override

from league.rules.rule_sets.queries.rule_sets import FoundRules
from league.rules.rule_sets.queries.sheets import place_points, rule_sheet, side_by_side
from scoring.presets import NOT_NOTED, presets, resolve
from scoring.rules import SETTINGS
from tests.league.rules.rule_sets.pages import found


def followed_texts(of: FoundRules) -> dict[str, tuple[bool, bool]]:
    """Return the setting of a contradiction → which of its two texts is followed."""
    first_setting = {line["about"]: line["texts"] for line in rule_sheet(of).conflicts}
    return {
        about.split(",")[0]: (one["followed"], two["followed"]) for about, (one, two) in first_setting.items()
    }


# --- one rule set


def test_place_points_hold_the_oka():
    assert place_points(resolve("hkma-a-2025-04")) == "+50 / +10 / −10 / −30"
    assert place_points(resolve("tnt")) == "none"
    assert place_points(resolve("jpml-a")) == "by number of players at or above the starting points"
    with override("ja"):
        assert place_points(resolve("tenhou")) == "+40 / +10 / ▲10 / ▲20"


def test_a_sheet_has_every_setting_once_in_its_group():
    sheet = rule_sheet(found("kanto"))
    assert [line.name for line in sheet.lines] == list(SETTINGS)
    assert [(group.code, line.name) for group in sheet.groups for line in group.lines] == [
        (setting.group, name) for name, setting in SETTINGS.items()
    ]
    assert sheet.changed == 0


def test_a_changed_setting_is_no_longer_a_choice_of_umaoka_s():
    chosen = rule_sheet(found("ema-2016")).umaoka_choices
    assert "bust" in [line.name for line in chosen]
    sheet = rule_sheet(found("ema-2016", bust=True))
    assert "bust" not in [line.name for line in sheet.umaoka_choices]
    (line,) = [line for line in sheet.lines if line.changed]
    assert (line.name, line.value, line.preset_value) == ("bust", "yes", "no")


def test_the_text_whose_values_are_here_is_followed():
    about = "Kiriage mangan (7"  # up to the comma of its name
    assert followed_texts(found("hkma-a-2025-04"))[about] == (True, False)
    assert followed_texts(found("hkma-a-2025-04", kiriage_mangan=False))[about] == (False, True)


def test_values_of_neither_text_follow_none():
    of = found("hkma-a-2025-04", uma=[20, 10, -10, -20])
    assert (False, False) in followed_texts(of).values()
    assert [line["neither"] for line in rule_sheet(of).conflicts].count(True) == 1


@pytest.mark.parametrize("slug", [each.slug for each in presets()])
def test_a_preset_follows_one_text_of_each_pair(slug):
    sheet = rule_sheet(found(slug))
    followed = [
        tuple(text["followed"] for text in line["texts"]) for line in (*sheet.conflicts, *sheet.options)
    ]
    source = sheet.found.source
    assert source is not None
    chosen = [each.own_reading for each in source.questions]
    assert followed == [(number == 1, number == 2) for number in chosen]


def test_the_values_of_all_others_are_listed_equal_ones_first_then_the_commonest():
    lines = rule_sheet(found("tenhou"), elsewhere=True).lines
    assert len(lines) > 20
    for line in lines:
        others = line.elsewhere
        assert sum(each.count for each in others) == len(presets()) - 1
        assert [each.same for each in others] == sorted((each.same for each in others), reverse=True)
        rest = [each.count for each in others if not each.same]
        assert rest == sorted(rest, reverse=True)
        assert all(each.value == line.value for each in others if each.same)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", NOT_NOTED), ("zh-hant", "沒有記下編號"), ("zh-hans", "未注明条号"), ("ja", "条番号の記載なし")],
)
def test_an_article_without_its_number_says_so_in_the_reader_s_language(language, words):
    with override(language):
        lines = {line.name: line.origin for line in rule_sheet(found("ema-2025")).lines}
    assert lines["renchan"] == words
    assert [name for name, origin in lines.items() if NOT_NOTED in origin and words not in origin] == []


# --- side by side


def test_rows_differ_from_the_first_and_groups_count_them():
    several = [found("hkma-a-2025-04"), found("hkma-b-2025-04"), found("tenhou")]
    groups = side_by_side(several, only_differences=False)
    rows = {row["name"]: row for group in groups for row in group["rows"]}
    assert list(rows) == list(SETTINGS)
    for name, row in rows.items():
        values = [each.values[name] for each in several]
        assert [differs for _line, differs in row["cells"]] == [value != values[0] for value in values]
    only = side_by_side(several, only_differences=True)
    assert [row for group in only for row in group["rows"]] == [
        row for row in rows.values() if row["differs"]
    ]


def test_a_group_without_a_difference_is_left_out():
    several = [found("tenhou"), found("tenhou", honba=500)]
    (group,) = side_by_side(several, only_differences=True)
    assert (group["code"], [row["name"] for row in group["rows"]]) == ("payments", ["honba"])
