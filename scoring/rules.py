"""Every setting of a rule set, declared once as a field of `Rules` with group, kind and limits.

A seat scores `(points - return) / 100 + uma + oka` tenths, with oka for place 1. Uma and oka *balance* if
their sum is `4 * (return - start) / 100`, so that a table's scores sum to zero. Other clubs say `unbalanced`.
A setting with a default may be left out. `Rules` are always consistent, and
`Rules.from_values(rules.as_values()) == rules`.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from inspect import signature
from typing import Annotated, Any, Final, get_args, get_type_hints

from scoring.kinds import (
    PAO_YAKU,
    BadValue,
    ChomboCost,
    Pao,
    Setting,
    Uma,
    choice,
    choices,
    count,
    minutes,
    payment,
    points,
    score,
    yes_no,
)
from scoring.yaku import YAKU

SPLIT, SEAT, LAST_DEALER = "split", "seat", "last_dealer"
FIRST_DEALER, DROP, EXACT = "first_dealer", "drop", "exact"
FIRST, NOBODY = "first", "nobody"

LOCAL_YAKU: Final = tuple(sorted(code for code, yaku in YAKU.items() if yaku.local))


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """A reason why values do not make a rule set. `params` are plain values, differences in tenths.

    Codes of one value: `unknown`, `missing`, `type` (kind), `range` (value, least, most), `step` (value,
    step), `choice` (value, choices, part for pao), `repeated` (value), `tenth` (value), `four_numbers`
    (count), `floating_rows` (count), `floating_count` (value), `positive_chombo` (value), `score_range`
    (value, least, most in tenths). Of several values: `unbalanced` (difference, sum, expected, row for
    floating uma) and the codes of `CONTRADICTIONS`.
    """

    setting: str
    code: str
    params: dict[str, Any]


class RulesError(ValueError):
    def __init__(self, problems: tuple[RuleProblem, ...]) -> None:
        super().__init__(
            "; ".join(f"{problem.setting}: {problem.code} {problem.params}" for problem in problems)
        )
        self.problems = problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A rule set. Points in points, scores (uma, oka, …) in tenths. Names as in the competition file."""

    start_points: Annotated[int, points("settlement", 100, 1_000_000)]
    return_points: Annotated[int, points("settlement", 0, 1_000_000)]
    uma: Annotated[Uma, Setting("settlement", kind="uma")]
    oka: Annotated[int, Setting("settlement", kind="oka")]
    oka_auto: bool = False  # no setting: oka was given as "auto" and follows start and return
    floating_uma: Annotated[Mapping[int, Uma] | None, Setting("settlement", kind="floating_uma")] = field(
        hash=False
    )
    tie_rule: Annotated[str, choice("settlement", SPLIT, SEAT, LAST_DEALER)]
    split_remainder: Annotated[str, choice("settlement", FIRST_DEALER, DROP, EXACT)]
    rounding: Annotated[str, choice("settlement", "none", "half_down", "half_up", "down", "up", "half_away")]
    leftover_sticks: Annotated[str, choice("settlement", FIRST, NOBODY)]
    unbalanced: Annotated[bool, yes_no("settlement")] = False
    score_by_length: Annotated[bool, yes_no("settlement")] = False
    sashiuma: Annotated[int | None, score("settlement", 1, 10_000)] = None
    chip_value: Annotated[int | None, score("settlement", 0, 1_000)] = None
    substituted_score: Annotated[int | None, score("settlement", -10_000, 10_000)] = None

    game_length: Annotated[
        str, choice("game", "east", "half", "full", "east_north", "east_east", "each_hand")
    ]
    extension: Annotated[str, choice("game", "none", "sudden_death", "full_wind")]
    target_points: Annotated[int | None, points("game", 0, 1_000_000)]
    extension_winds: Annotated[int | None, count("game", 1, 12)] = 1
    bust: Annotated[bool, yes_no("game")]
    agari_yame: Annotated[bool, yes_no("game")]
    renchan: Annotated[str, choice("game", "tenpai", "win", "none")] = "tenpai"
    all_last_renchan: Annotated[bool, yes_no("game")] = True
    minutes: Annotated[int | None, minutes("game", 1, 1_440)]
    extra_hands: Annotated[int, count("game", 0, 8)]

    red_fives: Annotated[int, choice("hand", 0, 3, 4)]
    open_tanyao: Annotated[bool, yes_no("hand")]
    atozuke: Annotated[bool, yes_no("hand")]
    kuikae: Annotated[str, choice("hand", "forbidden", "allowed")] = "forbidden"
    ippatsu: Annotated[bool, yes_no("hand")] = True
    ura_dora: Annotated[bool, yes_no("hand")] = True
    kan_dora: Annotated[bool, yes_no("hand")] = True
    kan_ura_dora: Annotated[bool, yes_no("hand")] = True
    kiriage_mangan: Annotated[bool, yes_no("hand")]
    counted_yakuman: Annotated[str, choice("hand", "none", "yakuman")]
    double_yakuman: Annotated[bool, yes_no("hand")]
    composite_yakuman: Annotated[bool, yes_no("hand")]
    yakuman_limit: Annotated[int | None, count("hand", 1, 13)] = None
    kokushi_ankan_ron: Annotated[bool, yes_no("hand")] = False
    pao: Annotated[Pao, Setting("hand", kind="pao", choices=PAO_YAKU)]
    daiminkan_pao: Annotated[bool, yes_no("hand")] = False
    renhou: Annotated[str, choice("hand", "none", "mangan", "five_han", "yakuman")]
    double_wind_pair_fu: Annotated[int, choice("hand", 2, 4)]
    sequences_fu: Annotated[str, choice("hand", "counted", "fixed")] = "counted"
    local_yaku: Annotated[tuple[str, ...], choices("hand", *LOCAL_YAKU)]

    multiple_ron: Annotated[str, choice("payments", "head_bump", "double", "triple", "triple_aborts")]
    multi_ron_bonus: Annotated[str, choice("payments", "first", "all")]
    multi_ron_sticks: Annotated[str, choice("payments", "first", "own_back")] = "first"
    honba: Annotated[int, points("payments", 0, 10_000)]
    honba_on_yakuman: Annotated[bool, yes_no("payments")] = True

    noten_payment: Annotated[int, points("draws", 0, 30_000)]
    abortive_draws: Annotated[
        tuple[str, ...], choices("draws", "kyuushu_kyuuhai", "suufon_renda", "suukaikan", "suucha_riichi")
    ]
    nagashi_mangan: Annotated[bool, yes_no("draws")]
    nagashi_as_tsumo: Annotated[bool, yes_no("draws")] = False
    hidden_tenpai: Annotated[bool, yes_no("draws")] = True
    keishiki_tenpai: Annotated[bool, yes_no("draws")] = True
    junkara_tenpai: Annotated[bool, yes_no("draws")] = True

    riichi_below_1000: Annotated[bool, yes_no("riichi")]
    tiles_for_riichi: Annotated[int, count("riichi", 0, 70)]
    deposit_when_called: Annotated[bool, yes_no("riichi")] = True
    riichi_kan: Annotated[str, choice("riichi", "waits", "shape")] = "shape"
    noten_riichi: Annotated[int | None, payment("riichi", 0, 30_000)] = None

    chombo: Annotated[ChomboCost, Setting("fouls", 0, 100_000, kind="chombo", step=100)]
    chombo_timing: Annotated[str, choice("fouls", "after_uma", "before_uma", "in_game")]
    after_chombo: Annotated[str, choice("fouls", "replay", "draw", "rotate")] = "replay"
    redeal_tiles: Annotated[int, count("fouls", 0, 70)] = 0
    extra_tile_payment: Annotated[int, payment("fouls", 0, 10_000)] = 0

    def __post_init__(self) -> None:
        values = self._by_name()
        problems = tuple(_value_problems(values))
        if not problems:
            if self.oka_auto:
                object.__setattr__(self, "oka", auto_oka(self.start_points, self.return_points))
                values["oka"] = self.oka
            problems = tuple(_contradictions(values))
        if problems:
            raise RulesError(problems)

    @classmethod
    def from_values(cls, values: Mapping[str, object]) -> "Rules":
        """Read JSON-shaped values. Raises RulesError with every problem."""
        problems = [RuleProblem(str(name), "unknown", {}) for name in values if name not in SETTINGS]
        parsed: dict[str, Any] = {}
        for setting in SETTINGS.values():
            try:
                parsed[setting.name] = _parsed(setting, values)
            except BadValue as refused:
                problems.append(RuleProblem(setting.name, refused.code, refused.params))
        _resolve_oka(parsed)
        if problems:
            raise RulesError((*problems, *_contradictions(parsed)))
        return cls(**parsed)

    def as_values(self) -> dict[str, object]:
        values = {name: setting.dump(getattr(self, name)) for name, setting in SETTINGS.items()}
        if self.oka_auto:
            values["oka"] = "auto"
        return values

    @property
    def total_points(self) -> int:
        return 4 * self.start_points

    @property
    def imbalance(self) -> int:
        """Return the tenths by which uma and oka miss their balance, in the first such row, or 0."""
        first_row = _imbalance(self._by_name())
        return 0 if first_row is None else int(first_row["difference"])

    def _by_name(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in SETTINGS}


def _declared() -> Iterator[Setting]:
    hints = get_type_hints(Rules, include_extras=True)
    for item in fields(Rules):
        type_hint, *settings = get_args(hints[item.name]) or (None,)
        for setting in settings:
            optional = item.default is not MISSING
            yield replace(
                setting,
                name=item.name,
                nullable=type(None) in get_args(type_hint),
                optional=optional,
                default=item.default if optional else None,
            )


SETTINGS: Final[Mapping[str, Setting]] = {setting.name: setting for setting in _declared()}


def auto_oka(start_points: int, return_points: int) -> int:
    """Return the oka in tenths that balances uma of sum zero."""
    return 4 * (return_points - start_points) // 100


def _parsed(setting: Setting, values: Mapping[str, object]) -> object:
    if setting.name in values:
        return setting.parse(values[setting.name])
    if setting.optional:
        return setting.default
    raise BadValue("missing")


def _resolve_oka(values: dict[str, Any]) -> None:
    if values.get("oka") != "auto":
        return
    values["oka_auto"] = True
    if "start_points" in values and "return_points" in values:
        values["oka"] = auto_oka(values["start_points"], values["return_points"])
    else:
        del values["oka"]


def _value_problems(values: Mapping[str, object]) -> Iterator[RuleProblem]:
    """Check values given to `Rules(...)` directly: each must survive its JSON shape unchanged."""
    for name, setting in SETTINGS.items():
        try:
            if setting.parse(setting.dump(values[name])) != values[name]:
                raise setting.wrong_type()
        except BadValue as refused:
            yield RuleProblem(name, refused.code, refused.params)
        except TypeError:
            yield RuleProblem(name, "type", {"kind": setting.kind})


def _contradictions(values: Mapping[str, Any]) -> Iterator[RuleProblem]:
    """Yield problems of settings together. Ignores settings missing from `kept`."""
    if not values.get("unbalanced") and (imbalance := _imbalance(values)):
        yield RuleProblem("floating_uma" if "row" in imbalance else "uma", "unbalanced", imbalance)
    for contradiction in CONTRADICTIONS:
        asked = _settings_of(contradiction.holds)
        if all(name in values for name in asked) and contradiction.holds(*(values[name] for name in asked)):
            yield RuleProblem(
                contradiction.setting,
                contradiction.code,
                {name: values[name] for name in contradiction.shown_settings},
            )


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Contradictory settings. The parameters of `holds` are settings' names, and `shown` are in the text."""

    setting: str
    code: str
    holds: Callable[..., bool]
    shown_settings: tuple[str, ...] = ()


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
            extension != "none" and target_points is not None and target_points < start_points
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


def _imbalance(values: Mapping[str, Any]) -> dict[str, int] | None:
    if not {"start_points", "return_points", "uma", "oka", "floating_uma"} <= values.keys():
        return None
    expected = auto_oka(values["start_points"], values["return_points"])
    floating = values["floating_uma"] or {}
    rows: list[tuple[dict[str, int], Uma]] = [] if len(floating) == 5 else [({}, values["uma"])]
    rows += [({"row": count}, row) for count, row in floating.items()]
    for params, row in rows:
        total = sum(row) + values["oka"]
        if total != expected:
            return {"difference": total - expected, "sum": total, "expected": expected, **params}
    return None
