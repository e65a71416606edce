"""A rule set on one A4 page for the wall, in the largest letters that fit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final
from unicodedata import east_asian_width

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.text import listed
from league.rules.rule_sets.queries.rule_sets import FoundRules
from league.rules.rule_sets.queries.sheets import RuleSheet, SettingLine, place_points
from league.rules.rule_sets.words.settings import choice_words, group_label
from scoring.rules import SETTINGS, Rules

# What players ask about at the table, in the order of the groups. "places" are the place points with oka.
ON_THE_WALL: Final[Mapping[str, tuple[str, ...]]] = {
    "settlement": (
        "start_points",
        "return_points",
        "places",
        "tie_rule",
        "leftover_sticks",
        "sashiuma",
        "chip_value",
    ),
    "game": (
        *("game_length", "extension", "target_points", "minutes", "extra_hands", "renchan"),
        *("bust", "agari_yame", "all_last_renchan"),
    ),
    "hand": (
        *("red_fives", "kuikae", "counted_yakuman", "yakuman_limit", "renhou", "double_wind_pair_fu"),
        *("sequences_fu", "local_yaku"),
        *("pao", "open_tanyao", "atozuke", "kiriage_mangan", "double_yakuman", "composite_yakuman"),
        *("ippatsu", "ura_dora", "kan_dora", "kan_ura_dora", "daiminkan_pao"),
    ),
    "payments": ("multiple_ron", "multi_ron_bonus", "multi_ron_sticks", "honba", "honba_on_yakuman"),
    "draws": ("noten_payment", "abortive_draws", "nagashi_mangan", "keishiki_tenpai", "hidden_tenpai"),
    "riichi": ("tiles_for_riichi", "riichi_below_1000", "deposit_when_called", "riichi_kan", "noten_riichi"),
    "fouls": ("chombo", "chombo_timing", "after_chombo", "extra_tile_payment"),
}
# Left off the wall with their usual value.
MAY_BE_USUAL: Final = (
    *("sashiuma", "chip_value", "target_points", "minutes", "extra_hands", "renchan", "all_last_renchan"),
    *("yakuman_limit", "sequences_fu", "local_yaku", "daiminkan_pao", "honba_on_yakuman", "keishiki_tenpai"),
    *("hidden_tenpai", "deposit_when_called", "riichi_kan", "noten_riichi", "extra_tile_payment"),
)
_ONE_WINNER: Final = ("multi_ron_bonus", "multi_ron_sticks")  # say nothing under a head bump

PLACES: Final = gettext_lazy("Place points")


@dataclass(frozen=True, slots=True, kw_only=True)
class WallLine:
    """A rule on the wall. ``holds``: yes or no, if its name alone says the rule."""

    label: str
    value: str
    holds: bool | None = None
    choice: bool = False
    changed: bool = False


@dataclass(frozen=True, slots=True)
class WallGroup:
    label: str
    said: tuple[WallLine, ...]
    ticked: tuple[WallLine, ...]


def on_the_wall(sheet: RuleSheet) -> tuple[WallGroup, ...]:
    """Return the rules, those with a value before those that hold or not."""
    lines = {line.name: line for line in sheet.lines}
    groups = []
    for code, names in ON_THE_WALL.items():
        lines_shown = [wall_line(name, lines, sheet.found) for name in names if is_asked(name, sheet.found)]
        said = tuple(line for line in lines_shown if line.holds is None)
        ticked = tuple(line for line in lines_shown if line.holds is not None)
        groups.append(WallGroup(group_label(code), said, ticked))
    return tuple(groups)


def is_asked(name: str, found: FoundRules) -> bool:
    if name in _ONE_WINNER and found.values["multiple_ron"] == "head_bump":
        return False
    return name not in MAY_BE_USUAL or not is_usual(name, found.values[name])


def is_usual(name: str, value: object) -> bool:
    """Return True for the default of a setting. Without a default, an empty value is the usual one."""
    setting = SETTINGS[name]
    return value == setting.default if setting.optional else not value


def wall_line(name: str, lines: Mapping[str, SettingLine], found: FoundRules) -> WallLine:
    if name == "places":
        parts = [lines["uma"], lines["oka"], lines["floating_uma"]]
        floating = found.values["floating_uma"] is not None
        return WallLine(
            label=str(PLACES),
            value=lines["floating_uma"].value if floating else place_points(found.rules),
            choice=any(line.choice for line in parts),
            changed=any(line.changed for line in parts),
        )
    line, value = lines[name], found.values[name]
    return WallLine(
        label=line.label,
        value=liable_for(found.rules) if name == "pao" else line.value,
        holds=value if isinstance(value, bool) else None,
        choice=line.choice,
        changed=line.changed,
    )


# The wall is one A4 page, which does not scroll, so the size of its letters is computed here. Measures are
# those of static/css/wall.css, in mm and in em.
WALL_SIZES: Final = (14, 13, 12, 11, 10, 9, 8, 7, 6)  # points
_MM_IN_POINT: Final = Fraction(254, 720)
_COLUMN: Final = 93  # mm wide
_COLUMNS: Final = 182  # mm high, below a head of two lines and above the score table without its limits
_LIMIT: Final = Fraction(17, 4)  # mm: a limit of the score table
_NOTE: Final = 24  # mm: that a rule set is unbalanced, two lines of the largest letters and the gap below
_PAGE: Final = 192  # mm wide
_TITLE: Final = (20, Fraction(23, 20))  # points, and em from line to line
_SOURCE: Final = (Fraction(15, 2), Fraction(5, 4))
_LINE, _HEADING = Fraction(5, 4), Fraction(9, 4)  # em
_LETTER, _IDEOGRAPH = Fraction(58, 100), Fraction(1)  # em wide, of a wide face


def wall_title(found: FoundRules) -> str:
    return f"{found.name} · {found.part}" if found.part else found.name


def wall_source(found: FoundRules) -> str:
    parts = [found.title] if found.competition else []
    if found.source:
        if found.is_own:
            parts.append(_("Based on %(rules)s") % {"rules": found.made_from})
        parts.append(found.source.document)
        if found.edition:
            parts.append(_("edition %(edition)s") % {"edition": found.edition_words})
    return " · ".join(parts)


def wall_size(
    wall: Sequence[WallGroup], title: str, source: str, limits: int, *, unbalanced: bool = False
) -> int:
    """Return the largest of ``WALL_SIZES`` in points that leaves room for the score table and the note.

    ``limits``: the number of limits in the score table. ``unbalanced``: the note is lines_shown.
    """
    taken = limits * _LIMIT + _more_lines(title, *_TITLE) + _more_lines(source, *_SOURCE)
    taken += _NOTE if unbalanced else 0
    left = 2 * (_COLUMNS - taken)
    return next((size for size in WALL_SIZES if _height(wall, size) <= left), WALL_SIZES[-1])


def _more_lines(text: str, size: int | Fraction, line: Fraction) -> Fraction:
    """Return the height of the lines of ``text`` after the first, in mm."""
    em = size * _MM_IN_POINT
    return (max(ceil(_width(text) * em / _PAGE), 1) - 1) * line * em


def _height(wall: Sequence[WallGroup], size: int) -> Fraction:
    """Return the height of the rules in one column, in mm. ``size`` in points."""
    em = size * _MM_IN_POINT
    column = _COLUMN / em
    said = [_said_lines(group, column) for group in wall]
    heights = [
        _HEADING + sum(lines) * _LINE + len(lines) * Fraction(1, 5) + _ticked_height(group, column)
        for group, lines in zip(wall, said, strict=True)
    ]
    # A rule is not divided, so a long one leaves the two columns uneven.
    longest = max((line for lines in said for line in lines), default=0)
    return em * (sum(heights) + max(longest - _SHORT, 0) * _LINE)


_SHORT: Final = 8  # lines of a rule that leaves no gap to speak of


def _said_lines(group: WallGroup, column: Fraction) -> list[int]:
    label, value = (column - Fraction(3, 4)) * Fraction(9, 20), (column - Fraction(3, 4)) * Fraction(11, 20)
    return [max(ceil(_width(line.label) / label), ceil(_width(line.value) / value)) for line in group.said]


def _ticked_height(group: WallGroup, column: Fraction) -> Fraction:
    """Return the height of rules without a value, as many on a line as fit, in em."""
    lines, left = 0, Fraction(0)
    for line in group.ticked:
        width = _width(line.label) + 2
        if width > left:
            lines, left = lines + ceil(width / column), column
        left -= width
    return lines * _LINE


def _width(text: str) -> Fraction:
    """Return the width in em, roughly."""
    wide = sum(east_asian_width(each) in "WF" for each in text)
    return wide * _IDEOGRAPH + (len(text) - wide) * _LETTER


def liable_for(rules: Rules) -> str:
    """Return the yaku with a liability. The details are for the referee to look up."""
    return listed(choice_words("pao", yaku) for yaku in rules.pao.yaku) or _("none")
