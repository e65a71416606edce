"""Readings of a winning hand's tiles, and the yaku of each.

The library `mahjong` is asked for each yaku alone, because its own valuation keeps only the best reading.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from mahjong.hand_calculating.divider import HandDivider
from mahjong.hand_calculating.yaku_config import YakuConfig
from mahjong.meld import Meld as LibraryMeld

from league.extras.calculator.rules.hand import ADDED_KAN, CHI, CLOSED_KAN, KANS, OPEN_KAN, PON, TileHand
from league.extras.calculator.rules.situation import Situation
from league.extras.calculator.rules.tiles import INDEX, KINDS
from scoring.units import WINDS

Block = list[int]  # the numbers of two, three or four kinds; a hand that is not divided is one block of all

EAST, HAKU = INDEX["1z"], INDEX["5z"]
ORPHANS: Final = (
    *(INDEX[f"{number}{suit}"] for suit in "mps" for number in (1, 9)),
    *range(EAST, EAST + 7),
)
_LIBRARY_MELDS: Final[Mapping[str, str]] = {
    CHI: LibraryMeld.CHI,
    PON: LibraryMeld.PON,
    OPEN_KAN: LibraryMeld.KAN,
    CLOSED_KAN: LibraryMeld.KAN,
    ADDED_KAN: LibraryMeld.SHOUMINKAN,
}


@dataclass(slots=True)
class CountedHand:
    hand: TileHand
    counts: list[int]
    melds: list[LibraryMeld]
    won: int  # the kind of the winning tile
    closed: bool


@dataclass(slots=True)
class HandShape:
    tiles: CountedHand
    blocks: Sequence[Block]
    won: Block
    sequences: list[int]  # the first kind of each
    triplets: list[int]  # the kind of each, kans included
    codes: list[str]  # the yaku of the shape and the wait


def count_hand(hand: TileHand) -> CountedHand:
    if hand.win is None:
        raise ValueError("the hand has no winning tile")
    melds = [
        LibraryMeld(_LIBRARY_MELDS[meld.kind], [INDEX[tile] << 2 for tile in meld.tiles], meld.open)
        for meld in hand.melds
    ]
    return CountedHand(hand, counts_of(hand.tiles), melds, INDEX[hand.win], hand.is_closed)


def counts_of(tiles: Iterable[str]) -> list[int]:
    counts = [0] * len(KINDS)
    for tile in tiles:
        counts[INDEX[tile]] += 1
    return counts


def is_sequence(block: Block) -> bool:
    return len(block) == 3 and block[0] != block[1]


def is_triplet(block: Block) -> bool:
    return len(block) > 2 and block[0] == block[1]


def sequences_in(blocks: Iterable[Block]) -> list[int]:
    """Return the first kind of each sequence."""
    return [block[0] for block in blocks if is_sequence(block)]


def triplets_in(blocks: Iterable[Block]) -> list[int]:
    """Return the kind of each triplet and kan."""
    return [block[0] for block in blocks if is_triplet(block)]


def is_kokushi(counts: Sequence[int]) -> bool:
    return all(counts[kind] for kind in ORPHANS) and sum(counts) == sum(counts[kind] for kind in ORPHANS)


def shapes_of(tiles: CountedHand, situation: Situation) -> Iterator[HandShape]:
    for blocks in HandDivider.divide_hand(tiles.counts, tiles.melds):
        sequences, triplets = sequences_in(blocks), triplets_in(blocks)
        codes = [*codes_of_blocks(blocks, sequences, triplets, situation), *_codes_of_kans(tiles)]
        for won in _won_blocks(tiles, blocks):
            concealed = _concealed(tiles, triplets, won, tsumo=situation.tsumo)
            waited = _codes_of_wait(tiles, blocks, won, concealed)
            yield HandShape(tiles, blocks, won, sequences, triplets, [*codes, *waited])
    if not tiles.melds and is_kokushi(tiles.counts):
        whole = [kind for kind in ORPHANS for _ in range(tiles.counts[kind])]
        code = "kokushi_13" if tiles.counts[tiles.won] == 2 else "kokushi"
        yield HandShape(tiles, [whole], whole, [], [], [code])


def _won_blocks(tiles: CountedHand, blocks: Sequence[Block]) -> Iterator[Block]:
    melded = [meld.tiles_34 for meld in tiles.melds]
    seen: list[Block] = []
    for block in blocks:
        if block in melded:
            melded.remove(block)
        elif tiles.won in block and block not in seen:
            seen.append(block)
            yield block


def _concealed(tiles: CountedHand, triplets: Sequence[int], won: Block, *, tsumo: bool) -> int:
    """Count concealed triplets and kans, without one completed by ron (EMA 2016 4.2.2.3)."""
    called = sum(meld.open and meld.kind != CHI for meld in tiles.hand.melds)
    by_ron = not tsumo and is_triplet(won)
    return len(triplets) - called - by_ron


# The yaku of the blocks and of the wait

_LIBRARY: Final = YakuConfig()
_OF_ANY_BLOCKS: Final = (
    ("tanyao", _LIBRARY.tanyao),
    ("honitsu", _LIBRARY.honitsu),
    ("chinitsu", _LIBRARY.chinitsu),
    ("ryuuiisou", _LIBRARY.ryuisou),
)
_WITHOUT_SEQUENCES: Final = (
    ("honroutou", _LIBRARY.honroto),
    ("tsuuiisou", _LIBRARY.tsuisou),
    ("chinroutou", _LIBRARY.chinroto),
)
_OF_SEQUENCES: Final = (("chanta", _LIBRARY.chantai), ("junchan", _LIBRARY.junchan))
_OF_EQUAL_SEQUENCES: Final = (("iipeiko", _LIBRARY.iipeiko), ("ryanpeiko", _LIBRARY.ryanpeiko))
_OF_THREE_SEQUENCES: Final = (("sanshoku_doujun", _LIBRARY.sanshoku), ("ittsu", _LIBRARY.ittsu))
_OF_THREE_TRIPLETS: Final = (("toitoi", _LIBRARY.toitoi), ("sanshoku_doukou", _LIBRARY.sanshoku_douko))
_OF_HONOUR_TRIPLETS: Final = (
    *(("haku", _LIBRARY.haku), ("hatsu", _LIBRARY.hatsu), ("chun", _LIBRARY.chun)),
    *(("shousangen", _LIBRARY.shosangen), ("daisangen", _LIBRARY.daisangen)),
    *(("shousuushii", _LIBRARY.shosuushi), ("daisuushii", _LIBRARY.daisuushi)),
)


def codes_of_blocks(
    blocks: Sequence[Block], sequences: Sequence[int], triplets: Sequence[int], situation: Situation
) -> Iterator[str]:
    asked = [*_OF_ANY_BLOCKS, *(_OF_SEQUENCES if sequences else _WITHOUT_SEQUENCES)]
    if len(set(sequences)) < len(sequences):
        asked += _OF_EQUAL_SEQUENCES
    if len(sequences) > 2:
        asked += _OF_THREE_SEQUENCES
    if len(triplets) > 2:
        asked += _OF_THREE_TRIPLETS
    if triplets and max(triplets) >= EAST:
        asked += _OF_HONOUR_TRIPLETS
    yield from (code for code, yaku in asked if yaku.is_condition_met(blocks))
    if EAST + situation.round_wind in triplets:
        yield f"round_{WINDS[situation.round_wind]}"
    if EAST + situation.seat_wind in triplets:
        yield f"seat_{WINDS[situation.seat_wind]}"
    if len(blocks) == 7:
        yield "chiitoitsu"


def _codes_of_kans(tiles: CountedHand) -> Iterator[str]:
    kans = sum(meld.kind in KANS for meld in tiles.hand.melds)
    if kans > 2:
        yield "sankantsu" if kans == 3 else "suukantsu"


def _codes_of_wait(tiles: CountedHand, blocks: Sequence[Block], won: Block, concealed: int) -> Iterator[str]:
    if concealed == 3:
        yield "sanankou"
    if concealed == 4:
        yield "suuankou_tanki" if len(won) == 2 else "suuankou"
    if not tiles.melds and _LIBRARY.chuuren_poutou.is_condition_met(blocks):
        yield "junsei_chuuren" if tiles.counts[tiles.won] in (2, 4) else "chuuren"


# The yaku that only some rule sets have


def _in_a_row(kinds: Sequence[int], length: int) -> bool:
    return any(
        all(kind + step in kinds for step in range(length))
        for kind in kinds
        if kind < EAST and kind % 9 + length <= 9
    )


def _most_equal(kinds: Sequence[int]) -> int:
    return max((kinds.count(kind) for kind in kinds), default=0)


def _called(shape: HandShape) -> int:
    return sum(meld.open for meld in shape.tiles.hand.melds)


def _pairs_of_two_to_eight(shape: HandShape, suit: str) -> bool:
    first = INDEX[f"2{suit}"]
    return all(shape.tiles.counts[kind] == 2 for kind in range(first, first + 7))


def _double_wind(shape: HandShape, situation: Situation) -> bool:
    return situation.round_wind == situation.seat_wind and EAST + situation.seat_wind in shape.triplets


def _five_sorts(shape: HandShape) -> bool:
    sorts = {first // 9 + (first >= HAKU) for first, *_others in shape.blocks}
    return len(shape.blocks) == 5 and len(sorts) == 5


def _flowers_birds_wind_moon(shape: HandShape, situation: Situation) -> bool:
    needed = {INDEX["5p"], INDEX["1s"], INDEX["1p"]}
    winds = {EAST + situation.round_wind, EAST + situation.seat_wind}
    return needed < set(shape.triplets) and bool(winds & set(shape.triplets))


def _hundred(shape: HandShape) -> bool:
    counts = shape.tiles.counts
    return not any(counts[9:]) and sum((kind + 1) * count for kind, count in enumerate(counts)) >= 100


Predicate = Callable[[HandShape, Situation], bool]
LOCAL: Final[Mapping[str, Predicate]] = {
    "kanfuri": lambda shape, facts: facts.kan_discard,
    "tsubame_gaeshi": lambda shape, facts: facts.riichi_discard,
    "juunirakutai": lambda shape, facts: _called(shape) == 4,
    "renpuukou": _double_wind,
    "uumensai": lambda shape, facts: _five_sorts(shape),
    "sanrenkou": lambda shape, facts: _in_a_row(shape.triplets, 3),
    "sanpuukou": lambda shape, facts: sum(EAST <= kind < HAKU for kind in shape.triplets) >= 3,
    "isshoku_sanjun": lambda shape, facts: _most_equal(shape.sequences) >= 3,
    "iipinmooyue": lambda shape, facts: facts.last_tile and facts.tsumo and shape.tiles.won == INDEX["1p"],
    "chuupinraoyui": lambda shape, facts: (
        facts.last_tile and not facts.tsumo and shape.tiles.won == INDEX["9p"]
    ),
    "kinkei_dokuritsu": lambda shape, facts: _called(shape) == 4 and shape.tiles.won == INDEX["1s"],
    "daichisei": lambda shape, facts: (
        len(shape.blocks) == 7 and all(min(block) >= EAST for block in shape.blocks)
    ),
    "daisuurin": lambda shape, facts: _pairs_of_two_to_eight(shape, "m"),
    "daisharin": lambda shape, facts: _pairs_of_two_to_eight(shape, "p"),
    "daichikurin": lambda shape, facts: _pairs_of_two_to_eight(shape, "s"),
    "hyakumangoku": lambda shape, facts: _hundred(shape),
    "isshoku_yonjun": lambda shape, facts: _most_equal(shape.sequences) == 4,
    "suurenkou": lambda shape, facts: _in_a_row(shape.triplets, 4),
    "kachoufuugetsu": _flowers_birds_wind_moon,
    "ishinoue_sannen": lambda shape, facts: facts.riichi == 2 and facts.last_tile,
    "paarenchan": lambda shape, facts: facts.dealer and facts.dealer_wins >= 7,
}

SCATTERED: Final = {"shiisanpuutaa": 1, "shiisuupuutaa": 0}  # how many pairs the fourteen tiles have


def scattered_code(tiles: CountedHand, situation: Situation) -> str | None:
    """Return the code of `SCATTERED` for a first draw without two tiles near each other."""
    if not (situation.first_turn and situation.tsumo) or max(tiles.counts) > 2:
        return None
    kinds = [kind for kind, count in enumerate(tiles.counts) if count]
    near = any(other - kind < 3 and kind // 9 == other // 9 < 3 for kind, other in pairwise(kinds))
    pairs = tiles.counts.count(2)
    return None if near else next((code for code, most in SCATTERED.items() if most == pairs), None)
