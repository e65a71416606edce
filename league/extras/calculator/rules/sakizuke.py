"""Sakizuke (no `atozuke`): the yaku must be sure before the win.

Tiles do not show how the hand grew. So every completing tile must give a yaku, luck aside (no kataagari,
haitei, rinshan or chankan alone), and the first call must belong to a yaku unless the closed tiles had one.
No rule book read here has articles on it, so the usual rule (完全先付け) applies.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from league.extras.calculator.rules.hand import KANS, Meld, TileHand
from league.extras.calculator.rules.shapes import (
    LOCAL,
    Block,
    HandShape,
    codes_of_blocks,
    count_hand,
    is_triplet,
    sequences_in,
    shapes_of,
    triplets_in,
)
from league.extras.calculator.rules.situation import Situation
from league.extras.calculator.rules.table import waits
from league.extras.calculator.rules.tiles import INDEX, HandProblem, kind_of
from league.extras.calculator.rules.value import readings_of, yaku_of
from scoring.rules import Rules

# Every set of the hand is part of these.
_OF_ALL_SETS: Final = frozenset({
    *("tanyao", "toitoi", "honitsu", "chinitsu", "chanta", "junchan", "honroutou"),
    *("tsuuiisou", "chinroutou", "ryuuiisou", "hyakumangoku"),
    *("uumensai", "juunirakutai", "kinkei_dokuritsu"),
})  # fmt: skip
_OF_KANS: Final = frozenset({"sankantsu", "suukantsu"})


def sakizuke_problems(hand: TileHand, situation: Situation, rules: Rules) -> Iterator[HandProblem]:
    """Yield `kataagari` (tiles: waits without a yaku) and `first_call` (tiles of a meld outside any yaku)."""
    facts = replace(situation, ippatsu=False, last_tile=False, rinshan=False, chankan=None)
    facts = replace(facts, riichi_discard=False, kan_discard=False)
    own = [kind_of(tile) for tile in replace(hand, win=None).tiles]
    possible = [kind for kind in waits(hand) if own.count(kind) < 4]
    without = [kind for kind in possible if not readings_of(replace(hand, win=kind), facts, rules)]
    if without:
        yield HandProblem("kataagari", {"tiles": tuple(without)})
    first = next((meld for meld in hand.melds if meld.open), None)
    shapes = shapes_of(count_hand(hand), facts)
    if first and not any(_is_sure(shape, first, facts, rules) for shape in shapes):
        yield HandProblem("first_call", {"tiles": first.tiles})


def _is_sure(shape: HandShape, first: Meld, facts: Situation, rules: Rules) -> bool:
    """Return whether the first call belongs to a yaku, or one needs neither it nor the win."""
    codes = {yaku.code for yaku in yaku_of(shape, facts, rules, fu_parts=0)}
    if codes & _OF_ALL_SETS or (first.kind in KANS and codes & _OF_KANS):
        return True
    called = [INDEX[tile] for tile in first.tiles]
    without_it = [block for block in shape.blocks if block != called]
    if codes - {*_codes(shape, without_it, facts), *_OF_KANS, "sanankou"}:
        return True
    standing = list(_standing(shape))
    return bool(codes & {*_codes(shape, standing, facts)}) or sum(map(is_triplet, standing)) > 2


def _standing(shape: HandShape) -> Iterator[Block]:
    called = [[INDEX[tile] for tile in meld.tiles] for meld in shape.tiles.hand.melds if meld.open]
    for block in shape.blocks:
        if block in called:
            called.remove(block)
        elif block is not shape.won:
            yield block


def _codes(shape: HandShape, blocks: Sequence[Block], facts: Situation) -> Iterator[str]:
    part = replace(
        shape,
        blocks=blocks,
        sequences=sequences_in(blocks),
        triplets=triplets_in(blocks),
    )
    yield from codes_of_blocks(blocks, part.sequences, part.triplets, facts)
    yield from (code for code, holds in LOCAL.items() if holds(part, facts))
