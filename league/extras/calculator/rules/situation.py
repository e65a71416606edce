from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from league.extras.calculator.rules.hand import KANS, TileHand
from league.extras.calculator.rules.tiles import (
    INDEX,
    RED_FIVES,
    HandProblem,
    closed_tiles,
    kind_of,
    red_fives_of,
)
from scoring.rules import Rules

ADDED, CONCEALED = "added", "concealed"
MOST_INDICATORS: Final = 5  # one, and one for each of four kans
MOST_MELDS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """Facts of a win besides its tiles. Winds are 0 to 3, east to north.

    `riichi`: 2 for double. `last_tile`: the wall's last, or the discard after it. `chankan`: the robbed kan,
    `ADDED` or `CONCEALED` (kokushi only). `first_turn`: before any call, by the first draw (tenhou, chiihou)
    or ron (renhou). `dora`, `ura`: indicators. For local yaku: the discard that declared riichi
    (`riichi_discard`) or followed a kan, and the dealer's wins before this hand. Raises ValueError for
    impossible numbers or tiles.
    """

    seat_wind: int
    round_wind: int
    tsumo: bool
    riichi: int = 0
    ippatsu: bool = False
    last_tile: bool = False
    rinshan: bool = False
    chankan: str | None = None
    first_turn: bool = False
    dora: tuple[str, ...] = ()
    ura: tuple[str, ...] = ()
    riichi_discard: bool = False
    kan_discard: bool = False
    dealer_wins: int = 0

    def __post_init__(self) -> None:
        winds = {self.seat_wind, self.round_wind} <= {0, 1, 2, 3}
        numbers = winds and self.riichi in (0, 1, 2) and self.dealer_wins >= 0
        if not numbers or self.chankan not in (None, ADDED, CONCEALED):
            raise ValueError(f"no such situation: {self!r}")
        if unknown := [tile for tile in (*self.dora, *self.ura) if tile not in INDEX]:
            raise ValueError(f"no such tiles: {unknown!r}")

    @property
    def dealer(self) -> bool:
        return self.seat_wind == 0


def problems_of(hand: TileHand, situation: Situation, rules: Rules) -> Iterator[HandProblem]:
    """Yield contradictions between tiles and facts (codes: `hands.evaluate`)."""
    yield from _of_tiles(hand, situation, rules)
    for code, cannot_be in CONTRADICTIONS.items():
        if cannot_be(hand, situation):
            yield HandProblem(code)
    for name, shown, most in (
        ("dora", situation.dora, MOST_INDICATORS),
        ("ura", situation.ura, max(1, len(situation.dora))),
    ):
        if len(shown) > most:
            yield HandProblem("indicators", {"kind": name, "count": len(shown), "most": most})


def _of_tiles(hand: TileHand, situation: Situation, rules: Rules) -> Iterator[HandProblem]:
    if hand.win is None:
        yield HandProblem("no_winning_tile")
    expected = closed_tiles(len(hand.melds), drawn=False)
    if len(hand.melds) > MOST_MELDS:
        yield HandProblem("melds", {"count": len(hand.melds), "most": MOST_MELDS})
    elif len(hand.closed) != expected:
        won = hand.win is not None
        yield HandProblem("tile_count", {"count": len(hand.closed) + won, "expected": expected + won})
    yield from impossible_tiles(hand, situation, rules)
    kinds = [kind_of(tile) for tile in _seen(hand, situation)]
    if situation.chankan and hand.win and kinds.count(kind_of(hand.win)) > 1:  # the kan has the other three
        yield HandProblem("chankan_tile", {"tile": hand.win})


def impossible_tiles(hand: TileHand, situation: Situation, rules: Rules) -> Iterator[HandProblem]:
    """Yield tiles of which the set has fewer, also for a hand that is not complete."""
    seen = _seen(hand, situation)
    kinds = [kind_of(tile) for tile in seen]
    for kind in dict.fromkeys(kinds):
        if kinds.count(kind) > 4:
            yield HandProblem("five_of_a_tile", {"tile": kind, "count": kinds.count(kind)})
    for red in RED_FIVES:
        most, five = red_fives_of(red, rules.red_fives), kind_of(red)
        if seen.count(red) > most:
            yield HandProblem("red_fives", {"tile": red, "count": seen.count(red), "most": most})
        if 4 - most < seen.count(five) <= 4:
            yield HandProblem("plain_fives", {"tile": five, "count": seen.count(five), "most": 4 - most})


def _seen(hand: TileHand, situation: Situation) -> tuple[str, ...]:
    return (*hand.tiles, *situation.dora, *situation.ura)


CONTRADICTIONS: Final[dict[str, Callable[[TileHand, Situation], bool]]] = {
    "riichi_open": lambda hand, facts: facts.riichi > 0 and not hand.is_closed,
    "ippatsu_without_riichi": lambda hand, facts: facts.ippatsu and not facts.riichi,
    "ura_without_riichi": lambda hand, facts: bool(facts.ura) and not facts.riichi,
    "rinshan_ron": lambda hand, facts: facts.rinshan and not facts.tsumo,
    "rinshan_without_kan": lambda hand, facts: (
        facts.rinshan and not any(meld.kind in KANS for meld in hand.melds)
    ),
    "rinshan_ippatsu": lambda hand, facts: facts.rinshan and facts.ippatsu,
    "rinshan_last_tile": lambda hand, facts: facts.rinshan and facts.last_tile,
    "chankan_tsumo": lambda hand, facts: facts.chankan is not None and facts.tsumo,
    "chankan_last_tile": lambda hand, facts: facts.chankan is not None and facts.last_tile,
    "discard_tsumo": lambda hand, facts: (facts.riichi_discard or facts.kan_discard) and facts.tsumo,
    "discard_chankan": lambda hand, facts: (
        (facts.riichi_discard or facts.kan_discard) and facts.chankan is not None
    ),
    "first_turn_melds": lambda hand, facts: facts.first_turn and bool(hand.melds),
    "first_turn_riichi": lambda hand, facts: facts.first_turn and facts.riichi > 0,
    "first_turn_last_tile": lambda hand, facts: facts.first_turn and facts.last_tile,
    "first_turn_kan": lambda hand, facts: (
        facts.first_turn and (facts.chankan is not None or facts.kan_discard)
    ),
    "first_turn_dealer_ron": lambda hand, facts: facts.first_turn and facts.dealer and not facts.tsumo,
}
