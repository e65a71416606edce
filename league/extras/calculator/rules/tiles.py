"""Tiles and their notation: `123m406p77z`, with z for east, south, west, north, haku, hatsu, chun.

`0m`, `0p` and `0s` are red fives. The *kind* ignores the colour: that of `0m` is `5m`.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

SUITS: Final = "mpsz"
KINDS: Final = tuple(
    f"{number}{suit}" for suit in SUITS for number in range(1, 8 if suit == "z" else 10)
)  # in the order of the library `mahjong`: the place in this tuple is its number of the kind
RED_FIVES: Final = ("0m", "0p", "0s")
TILES: Final = (*KINDS, *RED_FIVES)

INDEX: Final[Mapping[str, int]] = {
    **{tile: number for number, tile in enumerate(KINDS)},
    **{red: KINDS.index(red.replace("0", "5")) for red in RED_FIVES},
}
MOST_CHARACTERS: Final = 200  # of a typed hand; the longest has 18 tiles
_NEXT_HONOUR: Final = {1: 2, 2: 3, 3: 4, 4: 1, 5: 6, 6: 7, 7: 5}
_ORDER: Final[Mapping[str, int]] = {
    tile: 2 * INDEX[tile] + (tile in RED_FIVES) for tile in TILES
}  # a red five after the others
_PART: Final = re.compile(r"([0-9]*)([mpsz])|([0-9]+)|(.)", re.ASCII | re.DOTALL)


@dataclass(frozen=True, slots=True)
class HandProblem:
    """Why a text is not a hand (`hands.parse_hand`), or a hand cannot win (`hands.evaluate`)."""

    code: str
    params: Mapping[str, object] = field(default_factory=dict, hash=False)


class HandError(ValueError):
    def __init__(self, problems: Iterable[HandProblem]) -> None:
        self.problems = tuple(dict.fromkeys(problems))
        super().__init__("; ".join(f"{problem.code} {dict(problem.params)}" for problem in self.problems))


def kind_of(tile: str) -> str:
    return KINDS[INDEX[tile]]


def red_fives_of(tile: str, red_fives: int) -> int:
    """Return how many of this red five a set with 0, 3 or 4 has: the fourth is 5p (TNT chapter 5, 赤宝牌)."""
    if red_fives == 0:
        return 0
    return 2 if red_fives == 4 and tile == "0p" else 1


def number_of(tile: str) -> int:
    """Return the number of a tile, 0 for a red five."""
    return int(tile[0])


def suit_of(tile: str) -> str:
    return tile[1]


def dora_of(indicator: str) -> str:
    """Return the next kind: 1 after 9, east after north, haku after chun (EMA 2016 2.7)."""
    number, suit = number_of(kind_of(indicator)), suit_of(indicator)
    return f"{_NEXT_HONOUR[number] if suit == 'z' else number % 9 + 1}{suit}"


def closed_tiles(melds: int, *, drawn: bool) -> int:
    """Return (4 - melds) × 3 + 1, and one more if `drawn` (TNT chapter 2)."""
    return (4 - melds) * 3 + (2 if drawn else 1)


def in_order(tiles: Iterable[str]) -> tuple[str, ...]:
    """Sort by suit and number. A red five follows the other fives."""
    return tuple(sorted(tiles, key=_ORDER.__getitem__))


def tiles_text(tiles: Iterable[str]) -> str:
    runs = groupby(in_order(tiles), key=suit_of)
    return "".join("".join(str(number_of(tile)) for tile in run) + suit for suit, run in runs)


def parse_tiles(text: str) -> tuple[str, ...]:
    """Parse tiles such as "123m406p77z", ignoring spaces and width.

    Raises HandError: `too_long` (length, most), `character` (character), `no_suit` (numbers), `no_number`
    (suit), `no_such_tile` (tile).
    """
    plain = plain_text(text)
    tiles, problems = read_tiles(plain)
    if problems:
        raise HandError(problems)
    return tuple(tiles)


def plain_text(text: str) -> str:
    """Strip spaces and fold width and case. Raises HandError if too long."""
    if len(text) > MOST_CHARACTERS:
        raise HandError((HandProblem("too_long", {"length": len(text), "most": MOST_CHARACTERS}),))
    return "".join(unicodedata.normalize("NFKC", text).lower().split())


def read_tiles(plain: str) -> tuple[list[str], list[HandProblem]]:
    tiles: list[str] = []
    problems: list[HandProblem] = []
    for part in _PART.finditer(plain):
        numbers, suit, alone, other = part.groups()
        if other is not None:
            problems.append(HandProblem("character", {"character": other}))
        elif alone is not None:
            problems.append(HandProblem("no_suit", {"numbers": alone}))
        elif not numbers:
            problems.append(HandProblem("no_number", {"suit": suit}))
        else:
            tiles += (found := [f"{number}{suit}" for number in numbers])
            problems += _no_such(found)
    return tiles, problems


def _no_such(tiles: Iterable[str]) -> Iterator[HandProblem]:
    for tile in tiles:
        if tile not in INDEX:
            yield HandProblem("no_such_tile", {"tile": tile})
