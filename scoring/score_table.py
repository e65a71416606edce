from dataclasses import dataclass
from typing import Final

from scoring.payments import (
    BAIMAN,
    COUNTED_YAKUMAN,
    HANEMAN,
    MANGAN,
    SANBAIMAN,
    HandValue,
    hand_value,
    limit_value,
    ron_points,
    tsumo_points,
    yakuman_value,
)
from scoring.rules import Rules

HAN: Final = (1, 2, 3, 4)
FU: Final = (20, 25, *range(30, 120, 10))
MULTIPLES: Final = (1, 2, 3)
MOST_YAKUMAN: Final = 13  # multiples that a hand can be worth

_LIMIT_HAN: Final = {MANGAN: (5, 5), HANEMAN: (6, 7), BAIMAN: (8, 10), SANBAIMAN: (11, 12)}
_COUNTED_FROM: Final = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """The price of a hand. `tsumo`: from each player, or (each other player, the dealer)."""

    ron: int | None
    tsumo: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    han: int
    fu: int
    limit: str | None
    dealer: Price
    other: Price


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitRow:
    limit: str
    least: int | None
    most: int | None
    multiples: int
    dealer: Price
    other: Price


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreTable:
    fu: tuple[int, ...]
    rows: tuple[tuple[Cell, ...], ...]
    limits: tuple[LimitRow, ...]


def score_table(rules: Rules) -> ScoreTable:
    """Return the table. It has up to three yakuman."""
    rows = tuple(tuple(_cell(han, fu, rules) for fu in FU) for han in HAN)
    return ScoreTable(fu=FU, rows=rows, limits=_limits(rules))


def wins_by_ron(han: int, fu: int, rules: Rules) -> bool:
    """Return whether such a hand wins by ron: 25 fu take two han, 20 fu fixed fu of sequences."""
    if fu == 20:
        return rules.sequences_fu == "fixed"
    return (fu != 25 or han >= 2) and not _takes_limit(han, fu)


def wins_by_tsumo(han: int, fu: int, rules: Rules) -> bool:
    """Return whether such a hand can win by self-draw.

    20 fu are pinfu and 25 fu seven pairs, both closed, so the self-draw is one han more. With fixed fu for
    sequences, 20 fu need no pinfu. 110 fu take three closed triplets or three kans: two han.
    """
    if fu == 20 and rules.sequences_fu == "fixed":
        return True
    return han >= {20: 2, 25: 3, 110: 2}.get(fu, 1) and not _takes_limit(han, fu)


def _takes_limit(han: int, fu: int) -> bool:
    """Return whether such fu take three kans and a closed triplet, which are three han or more."""
    return fu > max(FU) and han < 3


def possible_values(rules: Rules, *, tsumo: bool) -> tuple[HandValue, ...]:
    """Return each value that a win can have, by basic points: below the limits, limits, yakuman."""
    wins = wins_by_tsumo if tsumo else wins_by_ron
    below = [hand_value(han, fu, rules) for han in HAN for fu in FU if wins(han, fu, rules)]
    limits = [limit_value(limit, rules) for limit in (MANGAN, HANEMAN, BAIMAN, SANBAIMAN)]
    yakuman = {value.base: value for value in (yakuman_value(n, rules) for n in range(MOST_YAKUMAN, 0, -1))}
    values = [*(value for value in below if not value.limit), *limits, *yakuman.values()]
    return tuple(sorted(values, key=lambda value: (value.base, value.han or 0)))


def values_paying(
    price: tuple[int, ...], rules: Rules, *, dealer: bool, tsumo: bool
) -> tuple[HandValue, ...]:
    """Return the values of a win that pays `price`: one number for a ron, `Price.tsumo` for a self-draw."""

    def pays(value: HandValue) -> tuple[int, ...] | None:
        price_of_value = _price(value, dealer=dealer)
        return price_of_value.tsumo if tsumo else (price_of_value.ron or 0,)

    return tuple(value for value in possible_values(rules, tsumo=tsumo) if pays(value) == price)


def is_possible(value: HandValue, rules: Rules, *, tsumo: bool) -> bool:
    """Return whether a win can have this value, whose `base` must be that of its han and fu, or limit.

    A mangan of three or four han needs no fu, and basic points alone are enough.
    """
    wins = wins_by_tsumo if tsumo else wins_by_ron
    han, fu, limit = value.han, value.fu, value.limit
    try:
        if value.yakuman:
            return value.base == yakuman_value(value.yakuman, rules).base
        if han is not None and fu is not None:
            return (han >= 5 or wins(han, fu, rules)) and value.base == hand_value(han, fu, rules).base
        if han in HAN[2:] and limit == MANGAN:
            return value.base == limit_value(MANGAN, rules).base
        if han is not None and limit is not None:
            return value.base == hand_value(han, None, rules).base
        if limit is not None:
            return value.base == limit_value(limit, rules).base
    except ValueError:
        return False
    return value.base in {each.base for each in possible_values(rules, tsumo=tsumo)}


def nearest_value(value: HandValue, rules: Rules, *, tsumo: bool) -> HandValue:
    """Return the possible value with the nearest han and fu, or else the nearest basic points."""
    han, fu = value.han, value.fu
    is_limit = han is not None and han > max(HAN)
    base = hand_value(han, None, rules).base if han is not None and is_limit else value.base

    def distance(each: HandValue) -> tuple[int, ...]:
        if han is None or is_limit or fu is None or each.han is None or each.fu is None:
            return 1, abs(each.base - base), 0
        return 0, abs(each.han - han), abs(each.fu - fu)

    return min(possible_values(rules, tsumo=tsumo), key=distance)


def _cell(han: int, fu: int, rules: Rules) -> Cell:
    value = hand_value(han, fu, rules)
    ron, tsumo = wins_by_ron(han, fu, rules), wins_by_tsumo(han, fu, rules)
    return Cell(
        han=han,
        fu=fu,
        limit=value.limit,
        dealer=_price(value, dealer=True, ron=ron, tsumo=tsumo),
        other=_price(value, dealer=False, ron=ron, tsumo=tsumo),
    )


def _price(value: HandValue, *, dealer: bool, ron: bool = True, tsumo: bool = True) -> Price:
    payers = (True,) if dealer else (False, True)
    shares = tuple(tsumo_points(value.base, dealer=payer) for payer in payers)
    return Price(
        ron=ron_points(value.base, dealer=dealer) if ron else None,
        tsumo=shares if tsumo else None,
    )


def _limits(rules: Rules) -> tuple[LimitRow, ...]:
    counted = rules.counted_yakuman != "none"
    rows = [
        _limit_row(limit_value(limit, rules), least, None if limit == SANBAIMAN and not counted else most)
        for limit, (least, most) in _LIMIT_HAN.items()
    ]
    if counted:
        rows.append(_limit_row(limit_value(COUNTED_YAKUMAN, rules), _COUNTED_FROM, None))
    yakuman = [yakuman_value(multiples, rules) for multiples in MULTIPLES]
    paid = [value for value, count in zip(yakuman, MULTIPLES, strict=True) if value.yakuman == count]
    return (*rows, *(_limit_row(value, None, None) for value in paid))


def _limit_row(value: HandValue, least: int | None, most: int | None) -> LimitRow:
    assert value.limit
    return LimitRow(
        limit=value.limit,
        least=least,
        most=most,
        multiples=value.yakuman,
        dealer=_price(value, dealer=True),
        other=_price(value, dealer=False),
    )
