"""Every setting of a rule set, validated when built.

Terms: *start* and *return* are points; *uma* are the four place points without *oka*; oka goes to place 1.
A seat scores `(points - return) / 100 + uma + oka` tenths. Uma and oka therefore *balance* when their sum is
`4 * (return - start) / 100`: then the four scores of a table sum to zero. A club that plays otherwise says
`unbalanced`.

Promises: a `Rules` that exists is complete and without contradiction;
`Rules.from_values(rules.as_values()) == rules`. The settings are declared once, in `SETTINGS`; parsing,
checking and writing follow from that list.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from inspect import signature
from typing import Any, Final

from scoring.kinds import PAO_YAKU, Chombo, Pao, Refused, Setting, Uma
from scoring.yaku import YAKU

SPLIT, SEAT, LAST_DEALER = "split", "seat", "last_dealer"
FIRST_DEALER, DROP, EXACT = "first_dealer", "drop", "exact"
FIRST, NOBODY = "first", "nobody"

LOCAL_YAKU: Final = tuple(sorted(code for code, yaku in YAKU.items() if yaku.local))

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
    Setting(name="score_by_length", group="settlement", kind="yes_no", optional=True, default=False),
    Setting(
        name="sashiuma",
        group="settlement",
        kind="score",
        nullable=True,
        least=1,
        most=10000,
        optional=True,
        default=None,
    ),
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
    Setting(
        name="extension_winds",
        group="game",
        kind="count",
        nullable=True,
        least=1,
        most=12,
        optional=True,
        default=1,
    ),
    Setting(name="bust", group="game", kind="yes_no"),
    Setting(name="agari_yame", group="game", kind="yes_no"),
    Setting(
        name="renchan",
        group="game",
        kind="choice",
        choices=("tenpai", "win"),
        optional=True,
        default="tenpai",
    ),
    Setting(name="all_last_renchan", group="game", kind="yes_no", optional=True, default=True),
    Setting(name="minutes", group="game", kind="count", nullable=True, least=1, most=1_440),
    Setting(name="extra_hands", group="game", kind="count", least=0, most=8),
    Setting(name="red_fives", group="hand", kind="choice", choices=(0, 3, 4)),
    Setting(name="open_tanyao", group="hand", kind="yes_no"),
    Setting(name="atozuke", group="hand", kind="yes_no"),
    Setting(
        name="kuikae",
        group="hand",
        kind="choice",
        choices=("forbidden", "allowed"),
        optional=True,
        default="forbidden",
    ),
    Setting(name="ippatsu", group="hand", kind="yes_no", optional=True, default=True),
    Setting(name="ura_dora", group="hand", kind="yes_no", optional=True, default=True),
    Setting(name="kan_dora", group="hand", kind="yes_no", optional=True, default=True),
    Setting(name="kan_ura_dora", group="hand", kind="yes_no", optional=True, default=True),
    Setting(name="kiriage_mangan", group="hand", kind="yes_no"),
    Setting(name="counted_yakuman", group="hand", kind="choice", choices=("none", "yakuman")),
    Setting(name="double_yakuman", group="hand", kind="yes_no"),
    Setting(name="composite_yakuman", group="hand", kind="yes_no"),
    Setting(
        name="yakuman_limit",
        group="hand",
        kind="count",
        nullable=True,
        least=1,
        most=13,
        optional=True,
        default=None,
    ),
    Setting(name="kokushi_ankan_ron", group="hand", kind="yes_no", optional=True, default=False),
    Setting(name="pao", group="hand", kind="pao", choices=PAO_YAKU),
    Setting(name="daiminkan_pao", group="hand", kind="yes_no", optional=True, default=False),
    Setting(name="renhou", group="hand", kind="choice", choices=("none", "mangan", "five_han", "yakuman")),
    Setting(name="double_wind_pair_fu", group="hand", kind="choice", choices=(2, 4)),
    Setting(
        name="sequences_fu",
        group="hand",
        kind="choice",
        choices=("counted", "fixed"),
        optional=True,
        default="counted",
    ),
    Setting(name="local_yaku", group="hand", kind="choices", choices=LOCAL_YAKU),
    Setting(
        name="multiple_ron",
        group="payments",
        kind="choice",
        choices=("head_bump", "double", "triple", "triple_aborts"),
    ),
    Setting(name="multi_ron_bonus", group="payments", kind="choice", choices=("first", "all")),
    Setting(
        name="multi_ron_sticks",
        group="payments",
        kind="choice",
        choices=("first", "own_back"),
        optional=True,
        default="first",
    ),
    Setting(name="honba", group="payments", kind="points", least=0, most=10_000, step=100),
    Setting(name="honba_on_yakuman", group="payments", kind="yes_no", optional=True, default=True),
    Setting(name="noten_payment", group="draws", kind="points", least=0, most=30_000, step=100),
    Setting(
        name="abortive_draws",
        group="draws",
        kind="choices",
        choices=("kyuushu_kyuuhai", "suufon_renda", "suukaikan", "suucha_riichi"),
    ),
    Setting(name="nagashi_mangan", group="draws", kind="yes_no"),
    Setting(name="nagashi_as_tsumo", group="draws", kind="yes_no", optional=True, default=False),
    Setting(name="hidden_tenpai", group="draws", kind="yes_no", optional=True, default=True),
    Setting(name="keishiki_tenpai", group="draws", kind="yes_no", optional=True, default=True),
    Setting(name="junkara_tenpai", group="draws", kind="yes_no", optional=True, default=True),
    Setting(name="riichi_below_1000", group="riichi", kind="yes_no"),
    Setting(name="tiles_for_riichi", group="riichi", kind="count", least=0, most=70),
    Setting(name="deposit_when_called", group="riichi", kind="yes_no", optional=True, default=True),
    Setting(
        name="riichi_kan",
        group="riichi",
        kind="choice",
        choices=("waits", "shape"),
        optional=True,
        default="shape",
    ),
    Setting(
        name="noten_riichi",
        group="riichi",
        kind="points",
        nullable=True,
        least=0,
        most=30000,
        step=100,
        optional=True,
        default=None,
    ),
    Setting(name="chombo", group="fouls", kind="chombo", least=0, most=100_000, step=100),
    Setting(
        name="chombo_timing", group="fouls", kind="choice", choices=("after_uma", "before_uma", "in_game")
    ),
    Setting(
        name="after_chombo",
        group="fouls",
        kind="choice",
        choices=("replay", "draw", "rotate"),
        optional=True,
        default="replay",
    ),
    Setting(name="redeal_tiles", group="fouls", kind="count", least=0, most=70, optional=True, default=0),
    Setting(
        name="extra_tile_payment",
        group="fouls",
        kind="points",
        least=0,
        most=10000,
        step=100,
        optional=True,
        default=0,
    ),
)

SETTINGS: Final[Mapping[str, Setting]] = {setting.name: setting for setting in _SETTINGS}


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """One reason why values are no rule set. `params` are plain values for the sentence; score differences
    are in tenths.

    Codes of one value: `unknown`, `missing`, `type` (kind), `range` (value, least, most), `step` (value,
    step), `choice` (value, choices; part for pao), `repeated` (value), `tenth` (value), `four_numbers`
    (count), `floating_rows` (count), `floating_count` (value), `positive_chombo` (value),
    `score_range` (value, least, most; tenths).
    Codes of values together: `unbalanced` (difference, sum, expected; row for floating uma), and those of
    `CONTRADICTIONS`, with the values of the settings that it shows.
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
    score_by_length: bool = False
    sashiuma: int | None = None
    game_length: str
    extension: str
    target_points: int | None
    bust: bool
    agari_yame: bool
    minutes: int | None
    extra_hands: int
    extension_winds: int | None = 1
    renchan: str = "tenpai"
    all_last_renchan: bool = True
    red_fives: int
    open_tanyao: bool
    atozuke: bool
    kuikae: str = "forbidden"
    ippatsu: bool = True
    ura_dora: bool = True
    kan_dora: bool = True
    kan_ura_dora: bool = True
    kiriage_mangan: bool
    counted_yakuman: str
    double_yakuman: bool
    composite_yakuman: bool
    yakuman_limit: int | None = None
    kokushi_ankan_ron: bool = False
    pao: Pao
    daiminkan_pao: bool = False
    renhou: str
    double_wind_pair_fu: int
    sequences_fu: str = "counted"
    local_yaku: tuple[str, ...]
    multiple_ron: str
    multi_ron_bonus: str
    multi_ron_sticks: str = "first"
    honba: int
    honba_on_yakuman: bool = True
    noten_payment: int
    abortive_draws: tuple[str, ...]
    nagashi_mangan: bool
    nagashi_as_tsumo: bool = False
    hidden_tenpai: bool = True
    keishiki_tenpai: bool = True
    junkara_tenpai: bool = True
    riichi_below_1000: bool
    tiles_for_riichi: int
    deposit_when_called: bool = True
    riichi_kan: str = "shape"
    noten_riichi: int | None = None
    chombo: Chombo
    chombo_timing: str
    after_chombo: str = "replay"
    redeal_tiles: int = 0
    extra_tile_payment: int = 0

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
    for each in CONTRADICTIONS:
        asked = _settings_of(each.holds)
        if all(name in kept for name in asked) and each.holds(*(kept[name] for name in asked)):
            yield RuleProblem(each.setting, each.code, {name: kept[name] for name in each.shown})


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two or more settings that cannot stand together: the one to change, the code of the sentence, when it
    `holds` (asked with the settings that its parameters are named after), and the settings whose values the
    sentence shows.
    """

    setting: str
    code: str
    holds: Callable[..., bool]
    shown: tuple[str, ...] = ()


CONTRADICTIONS: Final = (
    Contradiction(
        "target_points",
        "target_missing",
        lambda extension, target_points: extension != "none" and target_points is None,
        ("extension",),
    ),
    Contradiction(  # the four together have four times the start, so the first of them has the start or more
        "target_points",
        "target_reached",
        lambda extension, target_points, start_points: (
            extension != "none" and target_points is not None and target_points <= start_points
        ),
        ("target_points", "start_points"),
    ),
    Contradiction(
        "extension",
        "extension_of_one_hand",
        lambda extension, game_length: extension != "none" and game_length == "each_hand",
    ),
    Contradiction(
        "score_by_length",
        "length_of_one_hand",
        lambda score_by_length, game_length: score_by_length and game_length == "each_hand",
    ),
    Contradiction(
        "agari_yame",
        "agari_yame_without_repeat",
        lambda agari_yame, all_last_renchan: agari_yame and not all_last_renchan,
    ),
    Contradiction(
        "extra_hands",
        "extra_hands_without_time",
        lambda extra_hands, minutes: extra_hands > 0 and minutes is None,
        ("extra_hands",),
    ),
    Contradiction(
        "kan_ura_dora",
        "kan_ura_dora",
        lambda kan_ura_dora, kan_dora, ura_dora: kan_ura_dora and not (kan_dora and ura_dora),
    ),
    Contradiction(
        "yakuman_limit",
        "limit_of_one_yakuman",
        lambda yakuman_limit, double_yakuman, composite_yakuman: (
            yakuman_limit is not None and not (double_yakuman or composite_yakuman)
        ),
    ),
    Contradiction(
        "nagashi_as_tsumo",
        "nagashi_as_tsumo",
        lambda nagashi_as_tsumo, nagashi_mangan: nagashi_as_tsumo and not nagashi_mangan,
    ),
    Contradiction(
        "chombo_timing",
        "chombo_timing",
        lambda chombo, chombo_timing: (chombo_timing == "in_game") == (chombo.score is not None),
        ("chombo_timing",),
    ),
)


@cache
def _settings_of(holds: Callable[..., bool]) -> tuple[str, ...]:
    return tuple(signature(holds).parameters)


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
