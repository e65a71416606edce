"""Rule sets in words: where a value stands, which text is followed, what goes on the wall and how large."""

from dataclasses import replace

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import override

from league.queries.rule_sets import FoundRules, find_rules, preset_values
from league.views.rule_sheets import (
    ON_THE_WALL,
    USUAL,
    WALL_SIZES,
    WallGroup,
    WallLine,
    on_the_wall,
    place_points,
    rule_sheet,
    score_page,
    side_by_side,
    wall_size,
)
from scoring.presets import NOT_NOTED, presets, resolve
from scoring.rules import SETTINGS


def found(slug: str, **changed: object) -> FoundRules:
    """A preset; with some of its settings changed, as a league's own copy of it."""
    made = find_rules(AnonymousUser(), slug)
    assert made is not None
    if not changed:
        return made
    values = {**made.values, **changed}
    resolve(slug, values)  # they make a rule set
    return replace(made, key="own:a:b:1", values=values)


def readings(of: FoundRules) -> dict[str, tuple[bool, bool]]:
    """What a contradiction is about → which of the two texts is followed."""
    first_setting = {line.about: line.readings for line in rule_sheet(of).conflicts}
    return {about.split(",")[0]: (one.followed, two.followed) for about, (one, two) in first_setting.items()}


# --- one rule set


def test_place_points_hold_the_oka():
    assert place_points(resolve("hkma-a-2025-04")) == "+50 / +10 / −10 / −30"
    assert place_points(resolve("tnt")) == "none"
    assert place_points(resolve("jpml-a")) == "by how many reach the start"
    with override("ja"):
        assert place_points(resolve("tenhou")) == "+40 / +10 / ▲10 / ▲20"


def test_a_sheet_has_every_setting_once_in_its_group():
    sheet = rule_sheet(found("kanto"))
    assert [line.name for line in sheet.lines] == list(SETTINGS)
    assert [(group.code, line.name) for group in sheet.groups for line in group.lines] == [
        (setting.group, name) for name, setting in SETTINGS.items()
    ]
    assert sheet.changed == 0


def test_what_was_changed_is_no_choice_of_umaoka_s_any_more():
    chosen = rule_sheet(found("ema-2016")).chosen
    assert "bust" in [line.name for line in chosen]
    sheet = rule_sheet(found("ema-2016", bust=True))
    assert "bust" not in [line.name for line in sheet.chosen]
    (line,) = [line for line in sheet.lines if line.changed]
    assert (line.name, line.value, line.preset_value) == ("bust", "yes", "no")


def test_the_text_whose_values_are_here_is_followed():
    about = "Kiriage mangan (7"  # up to the comma of its name
    assert readings(found("hkma-a-2025-04"))[about] == (True, False)
    assert readings(found("hkma-a-2025-04", kiriage_mangan=False))[about] == (False, True)


def test_values_of_neither_text_follow_none():
    of = found("hkma-a-2025-04", uma=[20, 10, -10, -20])
    assert (False, False) in readings(of).values()
    assert [line.neither for line in rule_sheet(of).conflicts].count(True) == 1


@pytest.mark.parametrize("slug", [each.slug for each in presets()])
def test_a_preset_follows_one_text_of_each_pair(slug):
    sheet = rule_sheet(found(slug))
    followed = [
        tuple(reading.followed for reading in line.readings) for line in (*sheet.conflicts, *sheet.options)
    ]
    source = sheet.found.source
    assert source is not None
    chosen = [each.chosen for each in (*source.conflicts, *source.options)]
    assert followed == [(number == 1, number == 2) for number in chosen]


def test_beside_a_value_stand_those_of_all_the_others_its_own_first_then_the_commonest():
    lines = rule_sheet(found("tenhou"), elsewhere=True).lines
    assert len(lines) > 20
    for line in lines:
        others = line.elsewhere
        assert sum(each.count for each in others) == len(presets()) - 1
        assert [each.same for each in others] == sorted((each.same for each in others), reverse=True)
        rest = [each.count for each in others if not each.same]
        assert rest == sorted(rest, reverse=True)
        assert all(each.value == line.value for each in others if each.same)


# --- side by side


def test_rows_differ_from_the_first_and_groups_count_them():
    several = [found("hkma-a-2025-04"), found("hkma-b-2025-04"), found("tenhou")]
    groups = side_by_side(several, only_differences=False)
    rows = {row.name: row for group in groups for row in group.rows}
    assert list(rows) == list(SETTINGS)
    for name, row in rows.items():
        values = [preset_values(each.key)[name] for each in several]
        assert [cell.differs for cell in row.cells] == [value != values[0] for value in values]
    only = side_by_side(several, only_differences=True)
    assert [row.name for group in only for row in group.rows] == [
        row.name for row in rows.values() if row.differs
    ]
    assert sum(group.differing for group in only) == sum(row.differs for row in rows.values())


def test_a_group_without_a_difference_is_left_out():
    several = [found("tenhou"), found("tenhou", honba=500)]
    (group,) = side_by_side(several, only_differences=True)
    assert (group.code, [row.name for row in group.rows]) == ("payments", ["honba"])


# --- on the wall


def test_the_wall_names_known_settings_in_their_groups():
    named = [(group, name) for group, names in ON_THE_WALL.items() for name in names if name != "places"]
    assert named == [(SETTINGS[name].group, name) for _group, name in named]
    assert SETTINGS.keys() >= USUAL.keys()
    assert {name for names in ON_THE_WALL.values() for name in names} >= USUAL.keys()


def labels(of: FoundRules) -> list[str]:
    return [line.label for group in on_the_wall(rule_sheet(of)) for line in (*group.said, *group.ticked)]


def test_what_is_as_everywhere_is_left_off_the_wall_and_what_is_not_is_on_it():
    assert "Time limit" not in labels(found("tenhou"))
    assert "Time limit" in labels(found("tenhou", minutes=60))
    assert "Honba when several win" not in labels(found("mleague"))
    assert "Honba when several win" in labels(found("mleague", multiple_ron="double"))


def test_yes_and_no_are_ticked_and_the_rest_is_said():
    groups = on_the_wall(rule_sheet(found("mahjong-soul")))

    assert {line.holds for group in groups for line in group.said} == {None}
    assert {line.holds for group in groups for line in group.ticked} == {True, False}


def filler(lines: int) -> tuple[WallGroup, ...]:
    said = tuple(
        WallLine(label="Riichi deposits left at the end", value="go to place 1") for _ in range(lines)
    )
    return (WallGroup("Points", said, ()),)


def test_the_more_there_is_to_say_the_smaller_the_letters():
    sizes = [wall_size(filler(lines), "Rules", "Source", 7) for lines in range(1, 260, 3)]
    assert sizes == sorted(sizes, reverse=True)
    assert set(sizes) == set(WALL_SIZES)


@pytest.mark.parametrize(
    "long", [("Rules " * 40, "Source"), ("Rules", "Source " * 90), ("規則" * 60, "規則")]
)
def test_a_longer_head_leaves_less_room(long):
    sizes = [
        (wall_size(filler(lines), "Rules", "Source", 7), wall_size(filler(lines), *long, 7))
        for lines in range(10, 200, 10)
    ]
    assert all(short >= longer for short, longer in sizes)
    assert any(short > longer for short, longer in sizes)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", NOT_NOTED), ("zh-hant", "沒有記下編號"), ("zh-hans", "未注明条号"), ("ja", "条番号の記載なし")],
)
def test_an_article_without_its_number_says_so_in_the_reader_s_language(language, words):
    with override(language):
        lines = {line.name: line.origin for line in rule_sheet(found("ema-2025")).lines}
    assert lines["renchan"] == words
    assert [name for name, origin in lines.items() if NOT_NOTED in origin and words not in origin] == []


# --- the score table


def test_the_score_table_is_printed_by_fu_with_the_limits_below():
    page = score_page(resolve("tenhou"))
    assert [row.fu for row in page.dealer.rows] == [20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110]
    thirty = page.other.rows[2]
    assert [(price.ron, price.tsumo, price.is_limit) for price in thirty.prices] == [
        ("1000", "300/500", False),
        ("2000", "500/1000", False),
        ("3900", "1000/2000", False),
        ("7700", "2000/3900", False),
    ]
    twenty = page.dealer.rows[0]
    assert [(price.ron, price.tsumo) for price in twenty.prices] == [
        ("", ""),
        ("", "700"),
        ("", "1300"),
        ("", "2600"),
    ]
    assert [(limit.name, limit.han, limit.price.ron) for limit in page.other.limits] == [
        ("Mangan", "5 han", "8000"),
        ("Haneman", "6–7 han", "12000"),
        ("Baiman", "8–10 han", "16000"),
        ("Sanbaiman", "11–12 han", "24000"),
        ("Counted yakuman", "13+ han", "32000"),
        ("Yakuman", "", "32000"),
        ("Double yakuman", "", "64000"),
        ("Triple yakuman", "", "96000"),
    ]
    assert score_page(resolve("mleague")).other.rows[2].prices[3].is_limit
