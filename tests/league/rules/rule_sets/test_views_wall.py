"""A rule set on the wall: what is said there, and how large."""

import pytest

from league.rules.rule_sets.queries.rule_sets import FoundRules
from league.rules.rule_sets.queries.sheets import rule_sheet
from league.rules.rule_sets.views.wall import (
    MAY_BE_USUAL,
    ON_THE_WALL,
    WALL_SIZES,
    WallGroup,
    WallLine,
    on_the_wall,
    wall_size,
)
from scoring.rules import SETTINGS
from tests.league.rules.rule_sets.pages import found


def test_the_wall_names_known_settings_in_their_groups():
    named = [(group, name) for group, names in ON_THE_WALL.items() for name in names if name != "places"]
    assert named == [(SETTINGS[name].group, name) for _group, name in named]
    assert SETTINGS.keys() >= set(MAY_BE_USUAL)
    assert {name for names in ON_THE_WALL.values() for name in names} >= set(MAY_BE_USUAL)


def labels(of: FoundRules) -> list[str]:
    return [line.label for group in on_the_wall(rule_sheet(of)) for line in (*group.said, *group.ticked)]


def test_what_is_as_everywhere_is_left_off_the_wall_and_what_is_not_is_on_it():
    assert "Time limit" not in labels(found("tenhou"))
    assert "Time limit" in labels(found("tenhou", minutes=60))
    assert "Honba at multiple ron" not in labels(found("mleague"))
    assert "Honba at multiple ron" in labels(found("mleague", multiple_ron="double"))


def test_yes_and_no_are_ticked_and_the_rest_is_said():
    groups = on_the_wall(rule_sheet(found("mahjong-soul")))

    assert {line.holds for group in groups for line in group.said} == {None}
    assert {line.holds for group in groups for line in group.ticked} == {True, False}


def filler(lines: int) -> tuple[WallGroup, ...]:
    said = tuple(
        WallLine(label="Riichi deposits left at the end", value="go to 1st place") for _ in range(lines)
    )
    return (WallGroup("Points", said, ()),)


@pytest.mark.slow
def test_the_more_there_is_to_say_the_smaller_the_letters():
    sizes = [wall_size(filler(lines), "Rules", "Source", 7) for lines in range(1, 260, 3)]
    assert sizes == sorted(sizes, reverse=True)
    assert set(sizes) == set(WALL_SIZES)


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_note_of_an_unbalanced_rule_set_has_room_on_the_page():
    def size(lines: int, *, unbalanced: bool) -> int:
        return wall_size(filler(lines), "", "", 5, unbalanced=unbalanced)

    sizes = [(size(lines, unbalanced=False), size(lines, unbalanced=True)) for lines in range(10, 60)]

    assert all(noted <= plain for plain, noted in sizes)
    assert any(noted < plain for plain, noted in sizes)
