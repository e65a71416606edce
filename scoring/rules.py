"""Every setting of a rule set, validated when built.

Terms: *start* and *return* are points; *uma* are the four place points without *oka*; oka goes to place 1.
A seat scores `(points - return) / 100 + uma + oka` tenths. Uma and oka therefore *balance* when their sum is
`4 * (return - start) / 100`: then the four scores of a table sum to zero. A club that plays otherwise says
`unbalanced`.

Promises: a `Rules` that exists is complete and without contradiction;
`Rules.from_values(rules.as_values()) == rules`. The settings are declared once, in `SETTINGS`; parsing,
checking and writing follow from that list.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from scoring.kinds import PAO_YAKU, Chombo, Pao, Refused, Setting, Uma

SPLIT, SEAT, LAST_DEALER = "split", "seat", "last_dealer"
FIRST_DEALER, DROP, EXACT = "first_dealer", "drop", "exact"
FIRST, NOBODY = "first", "nobody"

LOCAL_YAKU: Final = (
    *("daichikurin", "daichisei", "daisharin", "daisuurin", "hyakumangoku", "iipinmooyue", "ishinoue_sannen"),
    *("isshoku_sanjun", "isshoku_yonjun", "kachoufuugetsu", "kanfuri", "kinkei_dokuritsu", "paarenchan"),
    *("renpuukou", "sanpuukou", "sanrenkou", "shiisanpuutaa", "shiisuupuutaa", "suurenkou"),
    *("tsubame_gaeshi", "uumensai"),
)

_SETTINGS: Final = (
    Setting(name="start_points", group="settlement", kind="points", least=100, most=1_000_000, step=100),
    Setting(name="return_points", group="settlement", kind="points", least=0, most=1_000_000, step=100),
    Setting(name="uma", group="settlement", kind="uma"),
    Setting(name="oka", group="settlement", kind="oka"),
    Setting(name="floating_uma", group="settlement", kind="floating_uma", nullable=True),
    Setting(name="tie_rule", group="settlement", kind="choice", choices=(SPLIT, SEAT, LAST_DEALER)),
    Setting(name="split_remainder", group="settlement", kind="choice", choices=(FIRST_DEALER, DROP, EXACT)),
    Setting(
        name="rounding",
        group="settlement",
        kind="choice",
        choices=("none", "half_down", "half_up", "down", "up", "half_away"),
    ),
    Setting(name="leftover_sticks", group="settlement", kind="choice", choices=(FIRST, NOBODY)),
    Setting(name="unbalanced", group="settlement", kind="yes_no", optional=True, default=False),
    Setting(
        name="game_length",
        group="game",
        kind="choice",
        choices=("east", "half", "full", "east_north", "east_east", "each_hand"),
    ),
    Setting(name="extension", group="game", kind="choice", choices=("none", "sudden_death", "full_wind")),
    Setting(
        name="target_points", group="game", kind="points", nullable=True, least=0, most=1_000_000, step=100
    ),
    Setting(name="bust", group="game", kind="yes_no"),
    Setting(name="agari_yame", group="game", kind="yes_no"),
    Setting(name="minutes", group="game", kind="count", nullable=True, least=1, most=1_440),
    Setting(name="extra_hands", group="game", kind="count", least=0, most=8),
    Setting(name="red_fives", group="hand", kind="choice", choices=(0, 3, 4)),
    Setting(name="open_tanyao", group="hand", kind="yes_no"),
    Setting(name="atozuke", group="hand", kind="yes_no"),
    Setting(name="kiriage_mangan", group="hand", kind="yes_no"),
    Setting(name="counted_yakuman", group="hand", kind="choice", choices=("none", "yakuman")),
    Setting(name="double_yakuman", group="hand", kind="yes_no"),
    Setting(name="composite_yakuman", group="hand", kind="yes_no"),
    Setting(name="pao", group="hand", kind="pao", choices=PAO_YAKU),
    Setting(name="renhou", group="hand", kind="choice", choices=("none", "mangan", "five_han", "yakuman")),
    Setting(name="double_wind_pair_fu", group="hand", kind="choice", choices=(2, 4)),
    Setting(name="local_yaku", group="hand", kind="choices", choices=LOCAL_YAKU),
    Setting(
        name="multiple_ron",
        group="payments",
        kind="choice",
        choices=("head_bump", "double", "triple", "triple_aborts"),
    ),
    Setting(name="multi_ron_bonus", group="payments", kind="choice", choices=("first", "all")),
    Setting(name="honba", group="payments", kind="points", least=0, most=10_000, step=100),
    Setting(name="noten_payment", group="draws", kind="points", least=0, most=30_000, step=100),
    Setting(
        name="abortive_draws",
        group="draws",
        kind="choices",
        choices=("kyuushu_kyuuhai", "suufon_renda", "suukaikan", "suucha_riichi"),
    ),
    Setting(name="nagashi_mangan", group="draws", kind="yes_no"),
    Setting(name="riichi_below_1000", group="riichi", kind="yes_no"),
    Setting(name="tiles_for_riichi", group="riichi", kind="count", least=0, most=70),
    Setting(name="chombo", group="fouls", kind="chombo", least=0, most=100_000, step=100),
    Setting(
        name="chombo_timing", group="fouls", kind="choice", choices=("after_uma", "before_uma", "in_game")
    ),
)

SETTINGS: Final[Mapping[str, Setting]] = {setting.name: setting for setting in _SETTINGS}


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """One reason why values are no rule set. `params` are plain values for the sentence; score differences
    are in tenths.

    Codes of one value: `unknown`, `missing`, `type` (kind), `range` (value, least, most), `step` (value,
    step), `choice` (value, choices; part for pao), `repeated` (value), `tenth` (value), `four_numbers`
    (count), `floating_rows` (count), `floating_count` (value), `positive_chombo` (value).
    Codes of values together: `unbalanced` (difference, sum, expected; row for floating uma), `target_missing`
    (extension), `chombo_timing` (timing): a payment in the game needs `in_game`, a score needs another
    timing.
    """

    setting: str
    code: str
    params: dict[str, Any]


class RulesError(ValueError):
    """Values that are no rule set, with every problem at once."""

    def __init__(self, problems: tuple[RuleProblem, ...]) -> None:
        super().__init__(
            "; ".join(f"{problem.setting}: {problem.code} {problem.params}" for problem in problems)
        )
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule set. Points in points; uma, oka, floating uma and a chombo's score in tenths. Names as in the
    competition file.
    """

    start_points: int
    return_points: int
    uma: Uma
    oka: int
    oka_auto: bool = False  # oka was given as "auto" and follows start and return
    floating_uma: Mapping[int, Uma] | None = field(default=None, hash=False)
    tie_rule: str
    split_remainder: str
    rounding: str
    leftover_sticks: str
    unbalanced: bool = False
    game_length: str
    extension: str
    target_points: int | None
    bust: bool
    agari_yame: bool
    minutes: int | None
    extra_hands: int
    red_fives: int
    open_tanyao: bool
    atozuke: bool
    kiriage_mangan: bool
    counted_yakuman: str
    double_yakuman: bool
    composite_yakuman: bool
    pao: Pao
    renhou: str
    double_wind_pair_fu: int
    local_yaku: tuple[str, ...]
    multiple_ron: str
    multi_ron_bonus: str
    honba: int
    noten_payment: int
    abortive_draws: tuple[str, ...]
    nagashi_mangan: bool
    riichi_below_1000: bool
    tiles_for_riichi: int
    chombo: Chombo
    chombo_timing: str

    def __post_init__(self) -> None:
        kept = {item.name: getattr(self, item.name) for item in fields(self)}
        problems = tuple(_kept_problems(kept))
        if not problems:
            if self.oka_auto:
                object.__setattr__(self, "oka", auto_oka(self.start_points, self.return_points))
                kept["oka"] = self.oka
            problems = tuple(_contradictions(kept))
        if problems:
            raise RulesError(problems)

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> "Rules":
        """The rule set of JSON-shaped `values` (as in the competition file); raises RulesError with every
        problem.
        """
        problems = [RuleProblem(str(name), "unknown", {}) for name in values if name not in SETTINGS]
        kept: dict[str, Any] = {}
        for setting in SETTINGS.values():
            try:
                kept[setting.name] = _parsed(setting, values)
            except Refused as refused:
                problems.append(RuleProblem(setting.name, refused.code, refused.params))
        _resolve_oka(kept)
        problems.extend(_contradictions(kept))
        if problems:
            raise RulesError(tuple(problems))
        return cls(**kept)

    def as_values(self) -> dict[str, object]:
        """Every setting in its JSON shape, in the order of `SETTINGS`; whole numbers are ints."""
        values = {name: setting.dump(getattr(self, name)) for name, setting in SETTINGS.items()}
        if self.oka_auto:
            values["oka"] = "auto"
        return values

    @property
    def total_points(self) -> int:
        """What the points of a table and the deposits left on it sum to, in points."""
        return 4 * self.start_points

    @property
    def imbalance(self) -> int:
        """Tenths by which uma and oka miss what start and return need (0 = balanced); the first row that does
        not balance.
        """
        found = _imbalance({item.name: getattr(self, item.name) for item in fields(self)})
        return 0 if found is None else int(found["difference"])


def auto_oka(start_points: int, return_points: int) -> int:
    """What the four players together pay in above the start, in tenths: the oka that balances uma of sum
    zero.
    """
    return 4 * (return_points - start_points) // 100


def _parsed(setting: Setting, values: Mapping[str, object]) -> object:
    if setting.name in values:
        return setting.parse(values[setting.name])
    if setting.optional:
        return setting.default
    raise Refused("missing")


def _resolve_oka(kept: dict[str, Any]) -> None:
    """Replaces a kept oka of "auto" by its tenths, and remembers that it was auto."""
    if kept.get("oka") != "auto":
        return
    kept["oka_auto"] = True
    if "start_points" in kept and "return_points" in kept:
        kept["oka"] = auto_oka(kept["start_points"], kept["return_points"])
    else:
        del kept["oka"]


def _kept_problems(kept: Mapping[str, object]) -> Iterator[RuleProblem]:
    """Problems of values given to `Rules(...)` directly: each must come back unchanged from its JSON
    shape.
    """
    for name, setting in SETTINGS.items():
        try:
            same = setting.parse(setting.dump(kept[name])) == kept[name]
        except Refused as refused:
            yield RuleProblem(name, refused.code, refused.params)
        except TypeError:
            yield RuleProblem(name, "type", {"kind": setting.kind})
        else:
            if not same:
                yield RuleProblem(name, "type", {"kind": setting.kind})


def _contradictions(kept: Mapping[str, Any]) -> Iterator[RuleProblem]:
    """Problems of settings that are fine alone and not together; settings that are not in `kept` are left
    out.
    """
    if not kept.get("unbalanced") and (found := _imbalance(kept)):
        yield RuleProblem("floating_uma" if "row" in found else "uma", "unbalanced", found)
    if kept.get("extension", "none") != "none" and "target_points" in kept and kept["target_points"] is None:
        yield RuleProblem("target_points", "target_missing", {"extension": kept["extension"]})
    if "chombo" in kept and "chombo_timing" in kept:
        in_game = kept["chombo_timing"] == "in_game"
        if in_game == (kept["chombo"].score is not None):
            yield RuleProblem("chombo_timing", "chombo_timing", {"timing": kept["chombo_timing"]})


def _imbalance(kept: Mapping[str, Any]) -> dict[str, int] | None:
    """Sum, expected sum and difference (tenths) of the first row of uma that does not balance; None when all
    do.
    """
    if not {"start_points", "return_points", "uma", "oka", "floating_uma"} <= kept.keys():
        return None
    expected = auto_oka(kept["start_points"], kept["return_points"])
    floating = kept["floating_uma"] or {}
    rows: list[tuple[dict[str, int], Uma]] = [] if len(floating) == 5 else [({}, kept["uma"])]
    rows += [({"row": count}, row) for count, row in floating.items()]
    for params, row in rows:
        total = sum(row) + kept["oka"]
        if total != expected:
            return {"difference": total - expected, "sum": total, "expected": expected, **params}
    return None
