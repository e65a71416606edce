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
    return fu != 25 or han >= 2


def wins_by_tsumo(han: int, fu: int, rules: Rules) -> bool:
    """Return whether such a hand can win by self-draw.

    20 fu are pinfu and 25 fu seven pairs, both closed, so the self-draw is one han more. With fixed fu for
    sequences, 20 fu need no pinfu. 110 fu take three closed triplets or three kans: two han.
    """
    if fu == 20 and rules.sequences_fu == "fixed":
        return True
    return han >= {20: 2, 25: 3, 110: 2}.get(fu, 1)


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
