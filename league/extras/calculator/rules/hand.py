"""The tiles of one player with melds in the order of calls: `123m406p77z (555s) [1111z] {9999p}`."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from league.extras.calculator.rules.tiles import (
    INDEX,
    HandError,
    HandProblem,
    closed_tiles,
    in_order,
    kind_of,
    plain_text,
    read_tiles,
    tiles_text,
)

CHI, PON, OPEN_KAN, CLOSED_KAN, ADDED_KAN = "chi", "pon", "open_kan", "closed_kan", "added_kan"
MELDS: Final = (CHI, PON, OPEN_KAN, CLOSED_KAN, ADDED_KAN)
KANS: Final = (OPEN_KAN, CLOSED_KAN, ADDED_KAN)

_KINDS_IN: Final[Mapping[str, tuple[str, ...]]] = {
    "(": (CHI, PON, OPEN_KAN),
    "[": (CLOSED_KAN,),
    "{": (ADDED_KAN,),
}
_AROUND: Final = {CLOSED_KAN: ("[", "]"), ADDED_KAN: ("{", "}")}
_INSIDE: Final = r"[^()\[\]{}]"
_PIECE: Final = re.compile(
    rf"\({_INSIDE}*\)|\[{_INSIDE}*\]|\{{{_INSIDE}*\}}|(?P<half>[()\[\]{{}}])|{_INSIDE}+", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Meld:
    kind: str
    tiles: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "tiles", in_order(self.tiles))
        if self.kind not in _melds_of(self.tiles):
            raise ValueError(f"no {self.kind}: {tiles_text(self.tiles)}")

    @property
    def open(self) -> bool:
        return self.kind != CLOSED_KAN

    def __str__(self) -> str:
        left, right = _AROUND.get(self.kind, ("(", ")"))
        return f"{left}{tiles_text(self.tiles)}{right}"


@dataclass(frozen=True, slots=True)
class TileHand:
    """A player's tiles, with melds in the order of calls. Raises ValueError for anything but tiles."""

    closed: tuple[str, ...]
    melds: tuple[Meld, ...] = ()
    win: str | None = None

    def __post_init__(self) -> None:
        given = self.closed if self.win is None else (*self.closed, self.win)
        if unknown := [tile for tile in given if tile not in INDEX]:
            raise ValueError(f"no such tiles: {unknown!r}")
        object.__setattr__(self, "closed", in_order(self.closed))

    @property
    def tiles(self) -> tuple[str, ...]:
        melded = (tile for meld in self.melds for tile in meld.tiles)
        return (*self.closed, *melded, *([] if self.win is None else [self.win]))

    @property
    def is_closed(self) -> bool:
        """Return whether nothing was called. A closed kan is not a call (EMA 2016 3.9)."""
        return not any(meld.open for meld in self.melds)

    def __str__(self) -> str:
        won = "" if self.win is None else self.win
        return tiles_text(self.closed) + won + "".join(map(str, self.melds))


def parse_hand(text: str, win: str | None = None) -> TileHand:
    """Parse a hand. The winning tile `win` may be among its closed tiles or left out.

    Without `win` the hand has thirteen tiles, a kan counted as three. Raises HandError with the codes of
    `tiles.parse_tiles` and `bracket` (bracket without its other half), `meld` (tiles, kinds that they are
    not), `winning_tile` (text that is not one tile), `winning_tile_missing` (tile that complete closed tiles
    lack).
    """
    closed, melds, problems = _read(plain_text(text))
    won, wrong = _read_win(win)
    problems += wrong
    if problems:
        raise HandError(problems)
    if won is not None and len(closed) >= closed_tiles(len(melds), drawn=True):
        won = _take(closed, won)
    return TileHand(tuple(closed), tuple(melds), won)


def _read(plain: str) -> tuple[list[str], list[Meld], list[HandProblem]]:
    closed: list[str] = []
    melds: list[Meld] = []
    problems: list[HandProblem] = []
    for piece in _PIECE.finditer(plain):
        text = piece.group()
        if piece["half"]:
            problems.append(HandProblem("bracket", {"bracket": text}))
            continue
        kinds = _KINDS_IN.get(text[:1])
        tiles, wrong = read_tiles(text[1:-1] if kinds else text)
        problems += wrong
        if kinds is None:
            closed += tiles
        elif not wrong:
            found = next((kind for kind in kinds if kind in _melds_of(tiles)), None)
            if found:
                melds.append(Meld(found, tuple(tiles)))
            else:
                problems.append(HandProblem("meld", {"tiles": text[1:-1], "kinds": kinds}))
    return closed, melds, problems


def _melds_of(tiles: Sequence[str]) -> tuple[str, ...]:
    numbers = sorted(INDEX.get(tile, -1) for tile in tiles)
    if len(set(numbers)) == 1:
        return {3: (PON,), 4: KANS}.get(len(numbers), ())
    first = min(numbers, default=-1)
    if 0 <= first < INDEX["1z"] and first % 9 < 7 and numbers == [first, first + 1, first + 2]:
        return (CHI,)
    return ()


def _read_win(win: str | None) -> tuple[str | None, list[HandProblem]]:
    if win is None:
        return None, []
    tiles, problems = read_tiles(plain_text(win))
    if problems or len(tiles) != 1:
        return None, [*problems, HandProblem("winning_tile", {"text": win})]
    (tile,) = tiles
    return tile, []


def _take(closed: list[str], win: str) -> str:
    """Remove the winning tile from `closed`: the same tile, or one of its kind (a red five typed as 5)."""
    same = [tile for tile in closed if tile == win or kind_of(tile) == kind_of(win)]
    if not same:
        raise HandError((HandProblem("winning_tile_missing", {"tile": win}),))
    taken = win if win in same else same[0]
    closed.remove(taken)
    return taken
