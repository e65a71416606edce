"""Kinds of setting values and their JSON shape. Parsing raises the codes of `rules.RuleProblem`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, Final

from scoring.units import tenths_of

Uma = tuple[int, int, int, int]

PAO_YAKU: Final = ("daisangen", "daisuushii", "suukantsu")


class BadValue(Exception):
    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params


@dataclass(frozen=True, slots=True)
class Setting:
    """The range of a setting, in tenths for scores. `optional`: may be left out for its `default`."""

    group: str
    least: int = 0
    most: int = 0
    _: KW_ONLY
    kind: str
    step: int = 1
    choices: tuple[str | int, ...] = ()
    name: str = ""
    nullable: bool = False
    optional: bool = False
    default: object = None

    def parse(self, value: object) -> object:
        """Return the value for `Rules`. Raises `BadValue`."""
        if value is None:
            if self.nullable:
                return None
            raise self.wrong_type()
        return KINDS[self.kind].parse(value, self)

    def dump(self, value: object) -> object:
        """Return the JSON shape. Raises TypeError for a value of another type."""
        if value is None:
            return None
        kind = KINDS[self.kind]
        if not isinstance(value, kind.made):
            raise TypeError(f"not of the kind {self.kind}: {value!r}")
        return kind.dump(value)

    def wrong_type(self) -> BadValue:
        return BadValue("type", kind=self.kind)

    def same(self, one: object, other: object) -> bool:
        try:
            return self.parse(one) == self.parse(other)
        except BadValue:  # of another release, or typed wrongly
            return one == other


points = partial(Setting, kind="points", step=100)
payment = partial(Setting, kind="payment", step=100)  # to each other player
count = partial(Setting, kind="count")
minutes = partial(Setting, kind="minutes")
score = partial(Setting, kind="score")
yes_no = partial(Setting, kind="yes_no")


def choice(group: str, *codes: str | int) -> Setting:
    return Setting(group, kind="choice", choices=codes)


def choices(group: str, *codes: str) -> Setting:
    return Setting(group, kind="choices", choices=codes)


@dataclass(frozen=True, slots=True)
class Kind:
    """The type of a kind's values for `Rules`, and its conversions from and to their JSON shape."""

    made: type
    parse: Callable[[object, Setting], object]
    dump: Callable[[Any], object] = lambda value: value


def _whole(value: object, setting: Setting) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise setting.wrong_type()
    if not setting.least <= value <= setting.most:
        raise BadValue("range", value=value, least=setting.least, most=setting.most)
    if value % setting.step:
        raise BadValue("step", value=value, step=setting.step)
    return value


def _yes_no(value: object, setting: Setting) -> bool:
    if not isinstance(value, bool):
        raise setting.wrong_type()
    return value


def _choice(value: object, setting: Setting) -> str | int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise setting.wrong_type()
    if value not in setting.choices:
        raise BadValue("choice", value=value, choices=setting.choices)
    return value


def _several(value: object, setting: Setting) -> tuple[str | int, ...]:
    chosen = tuple(_choice(each, setting) for each in _sequence(value, setting))
    if len(set(chosen)) != len(chosen):
        raise BadValue("repeated", value=list(chosen))
    return chosen


def _sequence(value: object, setting: Setting) -> Sequence[object]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise setting.wrong_type()
    return value


def _tenths(value: object, setting: Setting) -> int:
    try:
        return tenths_of(value)
    except TypeError:
        raise setting.wrong_type() from None
    except ValueError:
        raise BadValue("tenth", value=value) from None


def number_of(tenths: object) -> int | float:
    """Return the JSON number: an int if whole, or else a float, which keeps one decimal exactly."""
    if isinstance(tenths, bool) or not isinstance(tenths, int):
        raise TypeError(f"tenths are whole numbers: {tenths!r}")
    return tenths / 10 if tenths % 10 else tenths // 10


def _uma(value: object, setting: Setting) -> Uma:
    numbers = _sequence(value, setting)
    if len(numbers) != 4:
        raise BadValue("four_numbers", count=len(numbers))
    first, second, third, fourth = (_tenths(number, setting) for number in numbers)
    return first, second, third, fourth


def _uma_values(value: Uma) -> list[int | float]:
    return [number_of(tenths) for tenths in value]


def _floating_uma(value: object, setting: Setting) -> dict[int, Uma]:
    if not isinstance(value, Mapping):
        raise setting.wrong_type()
    rows = {_count(key): _uma(row, setting) for key, row in value.items()}
    if not rows or len(rows) != len(value):
        raise BadValue("floating_rows", count=len(value))
    return dict(sorted(rows.items()))


def _count(key: object) -> int:
    if str(key) not in ("0", "1", "2", "3", "4"):
        raise BadValue("floating_count", value=str(key))
    return int(str(key))


def _floating_values(value: Mapping[int, Uma]) -> dict[str, list[int | float]]:
    return {str(count): _uma_values(row) for count, row in value.items()}


def _oka(value: object, setting: Setting) -> int | str:
    return "auto" if value == "auto" else _tenths(value, setting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pao:
    """Liability for yakuman. Parts with a default may be left out of the JSON shape."""

    yaku: tuple[str, ...]
    tsumo: str  # liable: the liable player pays all
    ron: str  # half: the liable player and the discarder pay half each; liable: the liable player pays all
    honba: str  # who pays the honba of a ron: liable, discarder or half
    composite: str = "own"  # own: only the yakuman that they made sure; whole: every yakuman of the hand
    several: str = "each"  # two are liable: each for their own yakuman, or only who was first


_PAO_CHOICES: Final = {
    "tsumo": ("liable",),
    "ron": ("half", "liable"),
    "honba": ("liable", "discarder", "half"),
    "composite": ("own", "whole"),
    "several": ("each", "first"),
}
PAO_DEFAULTS: Final = {"composite": "own", "several": "each"}  # rule sets kept before have no such parts


def _pao(value: object, setting: Setting) -> Pao:
    parts = {**PAO_DEFAULTS, **value} if isinstance(value, Mapping) else {}
    if set(parts) != {"yaku", *_PAO_CHOICES}:
        raise setting.wrong_type()
    yaku = tuple(str(each) for each in _several(parts.pop("yaku"), setting))
    for part, choices in _PAO_CHOICES.items():
        if parts[part] not in choices:
            raise BadValue("choice", part=part, value=parts[part], choices=choices)
    return Pao(yaku=yaku, **parts)


def _pao_values(value: Pao) -> dict[str, object]:
    return {"yaku": list(value.yaku), **{part: getattr(value, part) for part in _PAO_CHOICES}}


def _score(value: object, setting: Setting) -> int:
    tenths = _tenths(value, setting)
    if not setting.least <= tenths <= setting.most:
        raise BadValue("score_range", value=tenths, least=setting.least, most=setting.most)
    return tenths


@dataclass(frozen=True, slots=True, kw_only=True)
class ChomboCost:
    """The cost of a chombo: `score` (tenths, at most 0), reverse mangan, or `each` points."""

    score: int | None = None
    reverse_mangan: bool = False
    each: int | None = None


_CHOMBO_PARTS: Final = ({"each"}, {"each", "score"}, {"reverse_mangan", "score"})


def _chombo(value: object, setting: Setting) -> ChomboCost:
    if not isinstance(value, Mapping):
        value = {"reverse_mangan": True} if value == "reverse_mangan" else {"score": value}
    elif set(value) not in _CHOMBO_PARTS or value.get("reverse_mangan", True) is not True:
        raise setting.wrong_type()
    return ChomboCost(
        each=_whole(value["each"], setting) if "each" in value else None,
        score=_chombo_score(value["score"], setting) if "score" in value else None,
        reverse_mangan="reverse_mangan" in value,
    )


def _chombo_score(value: object, setting: Setting) -> int:
    score = _tenths(value, setting)
    if score > 0:
        raise BadValue("positive_chombo", value=value)
    return score


def _chombo_value(value: ChomboCost) -> object:
    paid = {"reverse_mangan": True} if value.reverse_mangan else {"each": value.each}
    if value.score is None:
        return "reverse_mangan" if value.reverse_mangan else paid
    score = number_of(value.score)
    return {**paid, "score": score} if value.reverse_mangan or value.each is not None else score


KINDS: Final[Mapping[str, Kind]] = {
    "points": Kind(int, _whole),
    "payment": Kind(int, _whole),
    "count": Kind(int, _whole),
    "minutes": Kind(int, _whole),
    "yes_no": Kind(bool, _yes_no),
    "choice": Kind(object, _choice),
    "choices": Kind(tuple, _several, list),
    "uma": Kind(tuple, _uma, _uma_values),
    "floating_uma": Kind(Mapping, _floating_uma, _floating_values),
    "oka": Kind(object, _oka, lambda value: "auto" if value == "auto" else number_of(value)),
    "score": Kind(int, _score, number_of),
    "pao": Kind(Pao, _pao, _pao_values),
    "chombo": Kind(ChomboCost, _chombo, _chombo_value),
}
