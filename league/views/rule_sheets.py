"""Rule sets in words, as pages show them: every setting with its source, several side by side, one on a wall.

What a page shows of a rule set is made here, whichever page it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from math import ceil
from typing import Final
from unicodedata import east_asian_width

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.joints import clauses, listed
from league.messages import group_label, in_language, setting_label, setting_value
from league.numbers import number, number_tenths
from league.queries.rule_sets import FoundRules, preset_values
from league.readings import chosen_in, record_of, same_value
from league.rule_words import article_words, choice_words, setting_explanation
from league.yaku_words import limit_name
from scoring.durations import expected_minutes
from scoring.presets import Cite, Conflict, Preset, presets
from scoring.rules import SETTINGS, Rules
from scoring.score_table import HAN, Cell, LimitRow, Price, ScoreTable, score_table


def place_points(rules: Rules) -> str:
    """What the places are worth, oka included: "+50 / +10 / −10 / −30"."""
    if rules.floating_uma is not None:
        return _("by how many reach the start")
    first, *others = rules.uma
    places = (first + rules.oka, *others)
    if not any(places):
        return _("none")
    return " / ".join(number_tenths(each).removesuffix(".0") for each in places)


def start_and_return(rules: Rules) -> str:
    """30,000 / 35,000, as rule books write it."""
    return f"{number(rules.start_points)} / {number(rules.return_points)}"


# --- one rule set with its sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """One value of a setting and the published rule sets that have it; ``same``: the value of the page."""

    value: str
    names: str
    count: int
    same: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingLine:
    """One setting in words. ``origin``: where the value stands, or why Umaoka chose it (``choice``).
    ``changed``: not as the preset has it; ``unset``: the copy is older than the setting, and what holds
    without it is not what the preset has. ``disputed``: the source contradicts itself about it.
    """

    name: str
    label: str
    explanation: str
    value: str
    origin: str = ""
    choice: bool = False
    changed: bool = False
    unset: bool = False
    disputed: bool = False
    preset_value: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()


@dataclass(frozen=True, slots=True)
class SettingGroup:
    code: str
    label: str
    lines: tuple[SettingLine, ...]


@dataclass(frozen=True, slots=True)
class ReadingLine:
    """One of two texts: where it stands, and whether the rule set follows it."""

    text: str
    place: str
    followed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictLine:
    """Two texts on one rule: the settings that they are about, whether the rule set follows neither, and when
    its organizer chose.
    """

    about: str
    readings: tuple[ReadingLine, ReadingLine]
    note: str
    neither: bool
    chosen_at: datetime | None


@dataclass(frozen=True, slots=True)
class RuleSheet:
    """A rule set in words."""

    found: FoundRules
    groups: tuple[SettingGroup, ...]
    conflicts: tuple[ConflictLine, ...]
    options: tuple[ConflictLine, ...]
    rules: Rules

    @property
    def lines(self) -> list[SettingLine]:
        return [line for group in self.groups for line in group.lines]

    @property
    def changed(self) -> int:
        return sum(line.changed for line in self.lines)

    @property
    def chosen(self) -> list[SettingLine]:
        """The settings that no source decides: Umaoka's choices."""
        return [line for line in self.lines if line.choice]

    @property
    def points(self) -> str:
        return start_and_return(self.rules)

    @property
    def places(self) -> str:
        return place_points(self.rules)

    @property
    def length(self) -> str:
        return setting_value("game_length", self.rules.game_length)

    @property
    def duration(self) -> str:
        """How long a game takes at an automatic table, "" where no source says it."""
        minutes = expected_minutes(self.rules.game_length, automatic=True)
        if minutes is None:
            return ""
        return _("about %(least)s–%(most)s minutes") % {"least": minutes[0], "most": minutes[1]}


def rule_sheet(found: FoundRules, *, elsewhere: bool = False) -> RuleSheet:
    """The rule set in words; ``elsewhere``: with the values of the other published rule sets beside each."""
    others = [(each, preset_values(each.slug)) for each in presets() if each.slug != found.key]
    lines = {
        name: setting_line(name, found, elsewhere_lines(name, found, others) if elsewhere else ())
        for name in SETTINGS
    }
    groups = groupby(lines.values(), key=lambda line: SETTINGS[line.name].group)
    source = found.source
    return RuleSheet(
        found=found,
        groups=tuple(SettingGroup(code, group_label(code), tuple(of_it)) for code, of_it in groups),
        conflicts=tuple(conflict_line(each, found) for each in source.conflicts) if source else (),
        options=tuple(conflict_line(each, found) for each in source.options) if source else (),
        rules=found.rules,
    )


def setting_line(name: str, found: FoundRules, elsewhere: tuple[Elsewhere, ...] = ()) -> SettingLine:
    value, source = found.values[name], found.source
    line = SettingLine(
        name=name,
        label=setting_label(name),
        explanation=setting_explanation(name),
        value=setting_value(name, value),
        elsewhere=elsewhere,
    )
    if source is None:
        return line
    published = preset_values(source.slug)[name]
    differs, cite = published != value, source.cites[name]
    return replace(
        line,
        origin=cite_words(cite, source.document),
        choice=cite.choice and not differs,
        changed=differs and name in found.stored,
        unset=differs and name not in found.stored,
        disputed=any(name in conflict.settings for conflict in source.conflicts),
        preset_value=setting_value(name, published),
    )


def cite_words(cite: Cite, document: str) -> str:
    """Article and note, with the document in front where it is another than the rule set's own."""
    note = in_language(cite.note)
    if cite.choice:
        return note
    place = article_words(cite.article)
    if cite.document != document:
        place = _("%(document)s, %(article)s") % {"document": cite.document, "article": place}
    return _("%(place)s. %(note)s") % {"place": place, "note": note} if note else place


def conflict_line(conflict: Conflict, found: FoundRules) -> ConflictLine:
    followed = reading_followed(conflict, found)
    first, second = (
        ReadingLine(reading.text, reading.place, place == followed)
        for place, reading in enumerate((conflict.first, conflict.second), start=1)
    )
    record = record_of(conflict, found.readings) or {}
    return ConflictLine(
        about=listed(setting_label(name) for name in conflict.settings),
        readings=(first, second),
        note=in_language(conflict.note),
        neither=followed is None,
        chosen_at=datetime.fromisoformat(record["at"]) if record.get("at") else None,
    )


def reading_followed(conflict: Conflict, found: FoundRules) -> int | None:
    """1 or 2; None when the rule set has values of its own where the two texts differ."""
    for place, reading in enumerate((conflict.first, conflict.second), start=1):
        theirs = reading.values.items()
        if theirs and all(same_value(name, value, found.values[name]) for name, value in theirs):
            return place
    own = preset_values(found.preset)
    if any(found.values[name] != own[name] for name in conflict.settings):
        return None
    return chosen_in(conflict, found.readings, found.values)


def elsewhere_lines(
    name: str, found: FoundRules, others: Sequence[tuple[Preset, Mapping[str, object]]]
) -> tuple[Elsewhere, ...]:
    """Each value that the others have: that of this one first, then the most common."""
    values: dict[str, tuple[object, list[str]]] = {}
    for other, theirs in others:
        _value, names = values.setdefault(repr(theirs[name]), (theirs[name], []))
        names.append(in_language(other.name))
    lines = [
        Elsewhere(
            value=setting_value(name, value),
            names=clauses(names),  # names hold commas
            count=len(names),
            same=value == found.values[name],
        )
        for value, names in values.values()
    ]
    return tuple(sorted(lines, key=lambda line: (not line.same, -line.count)))


# --- several side by side


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedCell:
    """A setting of one of several rule sets; ``differs``: from that of the first."""

    line: SettingLine
    differs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    label: str
    name: str
    cells: tuple[ComparedCell, ...]

    @property
    def differs(self) -> bool:
        return any(cell.differs for cell in self.cells)


@dataclass(frozen=True, slots=True)
class RowGroup:
    code: str
    label: str
    rows: tuple[Row, ...]
    differing: int


def side_by_side(several: Sequence[FoundRules], *, only_differences: bool) -> tuple[RowGroup, ...]:
    """Every setting of several rule sets by group; or only those in which one differs from the first."""
    rows = {name: compared(name, several) for name in SETTINGS}
    groups = []
    for code, names in groupby(SETTINGS, key=lambda name: SETTINGS[name].group):
        of_it = [rows[name] for name in names]
        shown = tuple(row for row in of_it if row.differs or not only_differences)
        if shown:
            groups.append(RowGroup(code, group_label(code), shown, sum(row.differs for row in of_it)))
    return tuple(groups)


def compared(name: str, several: Sequence[FoundRules]) -> Row:
    first = several[0].values[name]
    cells = (
        ComparedCell(line=setting_line(name, found), differs=found.values[name] != first) for found in several
    )
    return Row(label=setting_label(name), name=name, cells=tuple(cells))


# --- on a wall

# What players ask about at the table, in the order of the groups. "places" are the place points with oka.
ON_THE_WALL: Final[Mapping[str, tuple[str, ...]]] = {
    "settlement": ("start_points", "return_points", "places", "tie_rule", "leftover_sticks", "sashiuma"),
    "game": (
        *("game_length", "extension", "target_points", "minutes", "extra_hands", "renchan"),
        *("bust", "agari_yame", "all_last_renchan"),
    ),
    "hand": (
        *(
            "red_fives",
            "kuikae",
            "counted_yakuman",
            "yakuman_limit",
            "renhou",
            "double_wind_pair_fu",
            "sequences_fu",
            "local_yaku",
        ),
        *("pao", "open_tanyao", "atozuke", "kiriage_mangan", "double_yakuman", "composite_yakuman"),
        *("ippatsu", "ura_dora", "kan_dora", "kan_ura_dora", "daiminkan_pao"),
    ),
    "payments": ("multiple_ron", "multi_ron_bonus", "multi_ron_sticks", "honba", "honba_on_yakuman"),
    "draws": ("noten_payment", "abortive_draws", "nagashi_mangan", "keishiki_tenpai", "hidden_tenpai"),
    "riichi": ("tiles_for_riichi", "riichi_below_1000", "deposit_when_called", "riichi_kan", "noten_riichi"),
    "fouls": ("chombo", "chombo_timing", "after_chombo", "extra_tile_payment"),
}
# Left off the wall where they stand so: nobody would ask.
USUAL: Final[Mapping[str, object]] = {
    "sashiuma": None,
    "target_points": None,
    "minutes": None,
    "extra_hands": 0,
    "renchan": "tenpai",
    "all_last_renchan": True,
    "yakuman_limit": None,
    "sequences_fu": "counted",
    "local_yaku": [],
    "daiminkan_pao": False,
    "honba_on_yakuman": True,
    "keishiki_tenpai": True,
    "hidden_tenpai": True,
    "deposit_when_called": True,
    "riichi_kan": "shape",
    "noten_riichi": None,
    "extra_tile_payment": 0,
}
_ONE_WINNER: Final = ("multi_ron_bonus", "multi_ron_sticks")  # say nothing under a head bump

PLACES: Final = gettext_lazy("Place points")


@dataclass(frozen=True, slots=True, kw_only=True)
class WallLine:
    """One rule on the wall. ``holds``: yes or no, for a rule that is said by its name alone."""

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
    """The rules that players ask about: those with a value first, then those that hold or do not."""
    lines = {line.name: line for line in sheet.lines}
    groups = []
    for code, names in ON_THE_WALL.items():
        shown = [wall_line(name, lines, sheet.found) for name in names if asked(name, sheet.found)]
        said = tuple(line for line in shown if line.holds is None)
        ticked = tuple(line for line in shown if line.holds is not None)
        groups.append(WallGroup(group_label(code), said, ticked))
    return tuple(groups)


def asked(name: str, found: FoundRules) -> bool:
    if name in _ONE_WINNER and found.values["multiple_ron"] == "head_bump":
        return False
    return name == "places" or name not in USUAL or found.values[name] != USUAL[name]


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


# The wall is one A4 page. The size of its letters is reckoned here: paper cannot be scrolled, and a style
# sheet does not know how much there is to say. Measures are those of static/css/wall.css, in mm and in em.
WALL_SIZES: Final = (14, 13, 12, 11, 10, 9, 8, 7, 6)  # points
_MM_IN_POINT: Final = Fraction(254, 720)
_COLUMN: Final = 93  # mm wide
_COLUMNS: Final = 182  # mm high, below a head of two lines and above the score table without its limits
_LIMIT: Final = Fraction(17, 4)  # mm: a limit of the score table
_PAGE: Final = 192  # mm wide
_TITLE, _SOURCE = (
    (20, Fraction(23, 20)),
    (Fraction(15, 2), Fraction(5, 4)),
)  # points, and em from line to line
_LINE, _HEADING = Fraction(5, 4), Fraction(9, 4)  # em
_LETTER, _IDEOGRAPH = Fraction(58, 100), Fraction(1)  # em wide, of a wide face


def wall_title(found: FoundRules) -> str:
    """Whose rules they are."""
    return f"{found.name} · {found.part}" if found.part else found.name


def wall_source(found: FoundRules) -> str:
    """What a division plays, and where it comes from."""
    parts = [found.title] if found.competition else []
    if found.source:
        if found.is_own:
            parts.append(_("Made from %(rules)s") % {"rules": found.made_from})
        parts.append(found.source.document)
        if found.edition:
            parts.append(_("edition %(edition)s") % {"edition": found.edition})
    return " · ".join(parts)


def wall_size(wall: Sequence[WallGroup], title: str, source: str, limits: int) -> int:
    """The largest of ``WALL_SIZES`` in points at which the rules leave room for the score table, which has so
    many ``limits``.
    """
    taken = limits * _LIMIT + _more_lines(title, *_TITLE) + _more_lines(source, *_SOURCE)
    left = 2 * (_COLUMNS - taken)
    return next((size for size in WALL_SIZES if _height(wall, size) <= left), WALL_SIZES[-1])


def _more_lines(text: str, size: int | Fraction, line: Fraction) -> Fraction:
    """How high the lines of ``text`` after the first are, in mm."""
    em = size * _MM_IN_POINT
    return (max(ceil(_width(text) * em / _PAGE), 1) - 1) * line * em


def _height(wall: Sequence[WallGroup], size: int) -> Fraction:
    """How high the rules are in one column, in mm, at letters of so many points."""
    em = size * _MM_IN_POINT
    column = _COLUMN / em
    said = [_said_lines(group, column) for group in wall]
    heights = [
        _HEADING + sum(lines) * _LINE + len(lines) * Fraction(1, 5) + _ticked_height(group, column)
        for group, lines in zip(wall, said, strict=True)
    ]
    # No rule is torn apart, so that beside a long one the two columns cannot be filled alike.
    longest = max((each for lines in said for each in lines), default=0)
    return em * (sum(heights) + max(longest - _SHORT, 0) * _LINE)


_SHORT: Final = 8  # lines of a rule that leaves no gap worth reckoning


def _said_lines(group: WallGroup, column: Fraction) -> list[int]:
    label, value = (column - Fraction(3, 4)) * Fraction(9, 20), (column - Fraction(3, 4)) * Fraction(11, 20)
    return [max(ceil(_width(line.label) / label), ceil(_width(line.value) / value)) for line in group.said]


def _ticked_height(group: WallGroup, column: Fraction) -> Fraction:
    """Those that hold or do not stand one after the other, as many on a line as fit."""
    lines, left = 0, Fraction(0)
    for line in group.ticked:
        width = _width(line.label) + 2
        if width > left:
            lines, left = lines + ceil(width / column), column
        left -= width
    return lines * _LINE


def _width(text: str) -> Fraction:
    """In em, roughly."""
    wide = sum(east_asian_width(each) in "WF" for each in text)
    return wide * _IDEOGRAPH + (len(text) - wide) * _LETTER


def liable_for(rules: Rules) -> str:
    """The yaku that somebody may be liable for; who pays what then is the referee's to look up."""
    return listed(choice_words("pao", yaku) for yaku in rules.pao.yaku) or _("none")


# --- the score table


@dataclass(frozen=True, slots=True)
class Prices:
    """What one hand costs, as score tables print it: "7700" by ron, "2000/3900" by self-draw; "" where no
    hand wins so.
    """

    ron: str
    tsumo: str
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class FuRow:
    fu: int
    prices: tuple[Prices, ...]


@dataclass(frozen=True, slots=True)
class LimitLine:
    """Mangan or above; ``han``: what it takes, "" for a yakuman."""

    name: str
    han: str
    price: Prices


@dataclass(frozen=True, slots=True)
class ScoreSide:
    """What dealers win, or what the others do: a row of prices for each fu, and the limits."""

    rows: tuple[FuRow, ...]
    limits: tuple[LimitLine, ...]


@dataclass(frozen=True, slots=True)
class ScorePage:
    han: tuple[int, ...]
    dealer: ScoreSide
    other: ScoreSide


def score_page(rules: Rules) -> ScorePage:
    """The score table in the rule set's own values, as it is printed."""
    table = score_table(rules)
    return ScorePage(HAN, score_side(table, dealer=True), score_side(table, dealer=False))


def score_side(table: ScoreTable, *, dealer: bool) -> ScoreSide:
    def price(of: Cell | LimitRow) -> Price:
        return of.dealer if dealer else of.other

    columns = zip(*table.rows, strict=True)
    return ScoreSide(
        rows=tuple(
            FuRow(cells[0].fu, tuple(prices(price(cell), cell.limit) for cell in cells)) for cells in columns
        ),
        limits=tuple(
            LimitLine(limit_name(row.limit, row.multiples), han_words(row), prices(price(row)))
            for row in table.limits
        ),
    )


def prices(price: Price, limit: str | None = None) -> Prices:
    return Prices(
        ron="" if price.ron is None else str(price.ron),
        tsumo="" if price.tsumo is None else "/".join(map(str, price.tsumo)),
        is_limit=limit is not None,
    )


def han_words(row: LimitRow) -> str:
    if row.least is None:
        return ""
    if row.most is None:
        return _("%(least)s+ han") % {"least": row.least}
    if row.least == row.most:
        return _("%(count)s han") % {"count": row.least}
    return _("%(least)s–%(most)s han") % {"least": row.least, "most": row.most}
