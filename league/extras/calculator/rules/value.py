from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mahjong.hand_calculating.fu import FuCalculator, FuDetail
from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules

from league.extras.calculator.rules.hand import MELDS, TileHand
from league.extras.calculator.rules.shapes import (
    EAST,
    HAKU,
    LOCAL,
    Block,
    CountedHand,
    HandShape,
    count_hand,
    is_triplet,
    scattered_code,
    shapes_of,
)
from league.extras.calculator.rules.situation import Situation
from league.extras.calculator.rules.tiles import INDEX, KINDS, RED_FIVES, TILES, dora_of, in_order
from scoring.payments import MANGAN, HandValue, hand_value, limit_value, multiples_of, yakuman_value
from scoring.rules import Rules
from scoring.yaku import DORA, YAKU, Yaku

SEQUENCE, TRIPLET, PAIR, WHOLE = "sequence", "triplet", "pair", "whole"
GROUPS: Final = (*MELDS, SEQUENCE, TRIPLET, PAIR, WHOLE)

BASE, CLOSED_RON, SEVEN_PAIRS, SEQUENCES = "base", "closed_ron", "seven_pairs", "sequences"
_TRIPLET_PARTS: Final = (
    *(FuCalculator.CLOSED_PON, FuCalculator.OPEN_PON),
    *(FuCalculator.CLOSED_TERMINAL_PON, FuCalculator.OPEN_TERMINAL_PON),
    *(FuCalculator.CLOSED_KAN, FuCalculator.OPEN_KAN),
    *(FuCalculator.CLOSED_TERMINAL_KAN, FuCalculator.OPEN_TERMINAL_KAN),
)
_PAIR_PARTS: Final = (FuCalculator.VALUED_PAIR, FuCalculator.DOUBLE_VALUED_PAIR)
_WAIT_PARTS: Final = (FuCalculator.PENCHAN, FuCalculator.KANCHAN, FuCalculator.PAIR_WAIT)
FU_PARTS: Final = (
    *(BASE, CLOSED_RON, SEVEN_PAIRS, SEQUENCES),
    *(*_TRIPLET_PARTS, *_PAIR_PARTS, *_WAIT_PARTS),
    *(FuCalculator.TSUMO, FuCalculator.HAND_WITHOUT_FU),
)
_PART_ORDER: Final[Mapping[str, int]] = {code: number for number, code in enumerate(FU_PARTS)}


@dataclass(frozen=True, slots=True)
class YakuCount:
    code: str
    han: int
    yakuman: int = 0


@dataclass(frozen=True, slots=True)
class FuPart:
    code: str
    fu: int
    tiles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    kind: str
    tiles: tuple[str, ...]
    won: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading. `fu` are rounded, their parts are not. A yakuman has neither fu nor han."""

    yaku: tuple[YakuCount, ...]
    han: int
    fu: int
    fu_parts: tuple[FuPart, ...]
    value: HandValue
    groups: tuple[Group, ...]


def readings_of(hand: TileHand, situation: Situation, rules: Rules) -> list[Reading]:
    """Return every reading with a yaku, best first (EMA 2016 4.3.3): by points, real yakuman, han, fu."""
    tiles = count_hand(hand)
    found: list[Reading] = []
    for shape in shapes_of(tiles, situation):
        found += _readings_of_shape(shape, situation, rules)
    code = scattered_code(tiles, situation)
    if code in rules.local_yaku:
        found.append(_yakuman_reading([YAKU[code]], (_whole(tiles),), rules))
    if len(found) > 1:
        found = sorted(dict.fromkeys(found), key=_rank, reverse=True)
    return found


def _rank(reading: Reading) -> tuple[int, int, int, int]:
    return reading.value.base, reading.value.yakuman, reading.han, reading.fu


def _readings_of_shape(shape: HandShape, situation: Situation, rules: Rules) -> Iterator[Reading]:
    details, fu = _fu(shape, situation, rules)
    found = yaku_of(shape, situation, rules, fu_parts=len(details))
    groups = _groups(shape)
    if yakuman := [yaku for yaku in found if yaku.yakuman]:
        yield _yakuman_reading(yakuman, _ordered(groups), rules)
        return
    parts = tuple(sorted(_fu_parts(details, shape, groups), key=lambda part: _PART_ORDER[part.code]))
    if rules.sequences_fu == "fixed" and len(shape.sequences) == 4:
        fu = _SEQUENCES_FU[shape.tiles.closed]
        parts = (FuPart(SEQUENCES, fu),)
    if found:
        counts = tuple(_counts(found, shape.tiles, situation, rules))
        han = sum(count.han for count in counts)
        yield Reading(counts, han, fu, parts, hand_value(han, fu, rules), _ordered(groups))
    if _may_be_renhou(situation, rules):
        yield _renhou_reading(fu, parts, _ordered(groups), rules)


def _yakuman_reading(yakuman: Sequence[Yaku], groups: tuple[Group, ...], rules: Rules) -> Reading:
    counts = [YakuCount(yaku.code, 0, multiples_of(yaku, rules)) for yaku in yakuman]
    if not rules.composite_yakuman:
        counts = [max(counts, key=lambda each: each.yakuman)]
    value = yakuman_value(sum(count.yakuman for count in counts), rules)
    return Reading(tuple(counts), 0, 0, (), value, groups)


def _may_be_renhou(situation: Situation, rules: Rules) -> bool:
    return situation.first_turn and not situation.tsumo and rules.renhou in (MANGAN, "five_han")


def _renhou_reading(fu: int, parts: tuple[FuPart, ...], groups: tuple[Group, ...], rules: Rules) -> Reading:
    """Count renhou below a yakuman alone (EMA 2016 4.2.4.2, EMA 2025 and WRC 2025 11.5.4)."""
    if rules.renhou == MANGAN:
        return Reading((YakuCount(RENHOU, 0),), 0, fu, parts, limit_value(MANGAN, rules), groups)
    return Reading((YakuCount(RENHOU, 5),), 5, fu, parts, hand_value(5, fu, rules), groups)


# Yaku and dora

RENHOU: Final = "renhou"
_RENHOU_YAKUMAN: Final = replace(YAKU[RENHOU], yakuman=1)
_ORDER: Final[Mapping[str, int]] = {code: number for number, code in enumerate(YAKU)}


def yaku_of(shape: HandShape, situation: Situation, rules: Rules, *, fu_parts: int) -> list[Yaku]:
    """Return the yaku of this shape without lower ones. Renhou only as a yakuman. `fu_parts`: 1 for pinfu."""
    tiles = shape.tiles
    codes = [*_luck(tiles, situation, rules), *shape.codes]
    if fu_parts == 1 and tiles.closed and shape.sequences:
        codes.append("pinfu")
    codes += [code for code in rules.local_yaku if code in LOCAL and LOCAL[code](shape, situation)]
    codes = [code for code in codes if may_count(code, rules, closed=tiles.closed)]
    lower = {below for code in codes for below in YAKU[code].over}
    codes = sorted((code for code in codes if code not in lower), key=_ORDER.__getitem__)
    if codes == ["paarenchan"]:
        return []
    return [_RENHOU_YAKUMAN if code == RENHOU else YAKU[code] for code in codes]


def may_count(code: str, rules: Rules, *, closed: bool) -> bool:
    """Return whether a closed or open hand may have this yaku. Ignores whether local yaku are played."""
    yaku = YAKU[code]
    if code == "tanyao" and not closed:
        return rules.open_tanyao
    return (yaku.closed if closed else yaku.open) is not None


def _luck(tiles: CountedHand, situation: Situation, rules: Rules) -> Iterator[str]:
    if situation.riichi:
        yield "riichi" if situation.riichi == 1 else "double_riichi"
        if situation.ippatsu and rules.ippatsu:
            yield "ippatsu"
    if situation.tsumo and tiles.closed:
        yield "menzen_tsumo"
    if situation.chankan:
        yield "chankan"
    if situation.rinshan:
        yield "rinshan"
    if situation.last_tile:
        yield "haitei" if situation.tsumo else "houtei"
    if situation.first_turn and situation.tsumo:
        yield "tenhou" if situation.dealer else "chiihou"
    if situation.first_turn and not situation.tsumo and rules.renhou == "yakuman":
        yield RENHOU


def _counts(
    found: Sequence[Yaku], tiles: CountedHand, situation: Situation, rules: Rules
) -> Iterator[YakuCount]:
    for yaku in found:
        yield YakuCount(yaku.code, (yaku.closed if tiles.closed else yaku.open) or 0)
    for code, han in zip(DORA, dora_han(tiles, situation, rules), strict=True):
        if han:
            yield YakuCount(code, han)


_DORA_OF: Final[Mapping[str, int]] = {tile: INDEX[dora_of(tile)] for tile in TILES}


def dora_han(tiles: CountedHand, situation: Situation, rules: Rules) -> tuple[int, int, int]:
    """Return han of dora, red fives and ura dora, per indicator (HKMA 懸賞牌 9, TNT chapter 5)."""
    shown = situation.dora if rules.kan_dora else situation.dora[:1]
    hidden = () if not rules.ura_dora else situation.ura if rules.kan_ura_dora else situation.ura[:1]
    counts = tiles.counts
    red = sum(tile in RED_FIVES for tile in tiles.hand.tiles) if rules.red_fives else 0
    return (
        sum(counts[_DORA_OF[indicator]] for indicator in shown),
        red,
        sum(counts[_DORA_OF[indicator]] for indicator in hidden),
    )


# Fu

_SEQUENCES_FU: Final = {True: 20, False: 30}  # TNT, chapter 5: a closed hand, an open one

Details = Sequence[FuDetail]
_CONFIG: Final = {tsumo: HandConfig(is_tsumo=tsumo, options=OptionalRules()) for tsumo in (False, True)}


def _fu(shape: HandShape, situation: Situation, rules: Rules) -> tuple[Details, int]:
    """Return the library's parts of the fu and their rounded sum (EMA 2016 4.1)."""
    if len(shape.blocks) == 1:
        return [], 0
    winds = [EAST + situation.seat_wind, EAST + situation.round_wind]
    if rules.double_wind_pair_fu == 2:
        winds = sorted(set(winds))
    return FuCalculator.calculate_fu(
        shape.blocks,
        shape.tiles.won << 2,
        shape.won,
        _CONFIG[situation.tsumo],
        [*range(HAKU, HAKU + 3), *winds],
        shape.tiles.melds,
    )


def _fu_parts(details: Details, shape: HandShape, groups: Sequence[Group]) -> Iterator[FuPart]:
    """Add the tiles, which the library does not name. Its triplets are in the order of the blocks."""
    triplets = (group for group, block in zip(groups, shape.blocks, strict=True) if is_triplet(block))
    pair = next((group for group, block in zip(groups, shape.blocks, strict=True) if len(block) == 2), None)
    won = next(group for group in groups if group.won)
    for detail in details:
        code, fu = detail["reason"], detail["fu"]
        if code == BASE:
            yield from _base(fu)
        elif code in _TRIPLET_PARTS:
            yield FuPart(code, fu, next(triplets).tiles)
        elif code in _PAIR_PARTS:
            yield FuPart(code, fu, pair.tiles if pair else ())
        else:
            yield FuPart(code, fu, won.tiles if code in _WAIT_PARTS else ())


def _base(fu: int) -> Iterator[FuPart]:
    """Split the library's 30 of a closed ron into 20 and 10. Its 25 are seven pairs."""
    if fu == 25:
        yield FuPart(SEVEN_PAIRS, fu)
        return
    yield FuPart(BASE, 20)
    if fu > 20:
        yield FuPart(CLOSED_RON, fu - 20)


# Groups


def _groups(shape: HandShape) -> list[Group]:
    if len(shape.blocks) == 1:
        return [_whole(shape.tiles)]
    hand = shape.tiles.hand
    melds = [(each.tiles_34, meld) for each, meld in zip(shape.tiles.melds, hand.melds, strict=True)]
    reds = [tile for tile in hand.closed if tile in RED_FIVES]
    groups = []
    for block in shape.blocks:
        called = next(((tiles, meld) for tiles, meld in melds if tiles == block), None)
        if called is not None:
            melds.remove(called)
            _tiles, meld = called
            groups.append(Group(meld.kind, meld.tiles))
        else:
            groups.append(_closed_group(block, hand.win if block is shape.won else None, reds))
    return groups


def _closed_group(block: Block, win: str | None, reds: list[str]) -> Group:
    tiles = [KINDS[kind] for kind in block]
    if win is not None:
        tiles.remove(KINDS[INDEX[win]])
    for red in list(reds):
        if (five := KINDS[INDEX[red]]) in tiles:
            tiles[tiles.index(five)] = red
            reds.remove(red)
    if win is not None:
        tiles.append(win)
    kind = PAIR if len(block) == 2 else TRIPLET if is_triplet(block) else SEQUENCE
    return Group(kind, in_order(tiles), won=win is not None)


def _whole(tiles: CountedHand) -> Group:
    return Group(WHOLE, in_order(tiles.hand.tiles), won=True)


def _ordered(groups: Sequence[Group]) -> tuple[Group, ...]:
    return tuple(sorted(groups, key=lambda group: group.kind in MELDS))
