"""Hands of thirteen tiles (a kan counts three) that have not won. Their winning tile is ignored."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from league.extras.calculator.rules.hand import CLOSED_KAN, Meld, TileHand
from league.extras.calculator.rules.shapes import EAST, count_hand, counts_of, is_kokushi, shapes_of
from league.extras.calculator.rules.situation import Situation
from league.extras.calculator.rules.tiles import INDEX, KINDS, closed_tiles, kind_of
from league.extras.calculator.rules.value import readings_of
from scoring.rules import Rules


def waits(hand: TileHand) -> tuple[str, ...]:
    """Return the kinds that complete the hand, even without a yaku or with all four in hand."""
    if len(hand.closed) != closed_tiles(len(hand.melds), drawn=False):
        return ()
    counts = counts_of(hand.closed)
    return tuple(kind for kind in KINDS if _completes(counts, INDEX[kind], pairs=not hand.melds))


def is_tenpai(hand: TileHand, rules: Rules, situation: Situation | None = None) -> bool:
    """Return whether the hand is tenpai at an exhaustive draw.

    Without `junkara_tenpai` it must not hold all four of every kind it waits for (HKMA 流局 3, 純空聽).
    Without `keishiki_tenpai` it needs a yaku by ron or tsumo, under the winds and riichi of `situation`.
    Raises ValueError if that is missing.
    """
    found = waits(hand)
    if not rules.junkara_tenpai:
        own = [kind_of(tile) for tile in replace(hand, win=None).tiles]
        found = tuple(kind for kind in found if own.count(kind) < 4)
    if rules.keishiki_tenpai:
        return bool(found)
    if situation is None:
        raise ValueError("whether the hand has a yaku depends on the situation")
    ways = [replace(situation, tsumo=tsumo) for tsumo in (False, True)]
    return any(readings_of(replace(hand, win=kind), way, rules) for kind in found for way in ways)


def is_furiten(hand: TileHand, discards: Collection[str]) -> bool:
    """Return whether an own discard would complete the hand, with or without a yaku (EMA 2016 3.13.1)."""
    return not {kind_of(tile) for tile in discards}.isdisjoint(waits(hand))


def may_kan_after_riichi(hand: TileHand, fourth: str, rules: Rules) -> bool:
    """Return whether a player in riichi may add the drawn fourth tile to a concealed triplet.

    The waits must not change (the beginners' guide 立直 5, Kanto 暗杠). If `riichi_kan` is `shape`, every
    reading must use the triplet (EMA 2016 3.12, HKMA 立直 6).
    """
    kind = kind_of(fourth)
    same = [tile for tile in hand.closed if kind_of(tile) == kind]
    before = waits(hand)
    if len(same) != 3 or not before:
        return False
    rest = tuple(tile for tile in hand.closed if tile not in same)
    after = TileHand(rest, (*hand.melds, Meld(CLOSED_KAN, (*same, fourth))))
    if waits(after) != before:
        return False
    return rules.riichi_kan == "waits" or not _is_read_otherwise(hand, kind, before)


def _is_read_otherwise(hand: TileHand, kind: str, found: Sequence[str]) -> bool:
    facts = Situation(seat_wind=0, round_wind=0, tsumo=True)
    shapes = (shape for wait in found for shape in shapes_of(count_hand(replace(hand, win=wait)), facts))
    return any(INDEX[kind] not in shape.triplets for shape in shapes)


def forbidden_discards(called: str, using: tuple[str, str], rules: Rules) -> tuple[str, ...]:
    """Return kinds forbidden after a call (EMA 2016 3.8, TNT 食替). Raises ValueError for other tiles."""
    low, _, high = sorted(INDEX[tile] for tile in (called, *using))
    Meld("chi" if low != high else "pon", (called, *using))
    if rules.kuikae == "allowed":
        return ()
    kinds = {INDEX[called]}
    if low != high and INDEX[called] == low and high % 9 < 8:
        kinds.add(high + 1)
    if low != high and INDEX[called] == high and low % 9 > 0:
        kinds.add(low - 1)
    return tuple(KINDS[kind] for kind in sorted(kinds))


# Whether tiles are complete: the library does so too, but not with a fifth tile of a kind


def _completes(counts: Sequence[int], kind: int, *, pairs: bool) -> bool:
    tiles = list(counts)
    tiles[kind] += 1
    if pairs and (all(count in (0, 2) for count in tiles) or is_kokushi(tiles)):
        return True
    return any(_are_sets(without) for without in _without_a_pair(tiles))


def _without_a_pair(tiles: Sequence[int]) -> Iterator[list[int]]:
    for kind, count in enumerate(tiles):
        if count >= 2:
            rest = list(tiles)
            rest[kind] -= 2
            yield rest


def _are_sets(tiles: list[int]) -> bool:
    """Check from the lowest kind up: what a triplet leaves must begin sequences."""
    for kind, count in enumerate(tiles):
        left = count % 3
        if not left:
            continue
        if kind >= EAST or kind % 9 > 6 or min(tiles[kind + 1], tiles[kind + 2]) < left:
            return False
        tiles[kind + 1] -= left
        tiles[kind + 2] -= left
    return True
