"""Valuation of a winning hand: tiles and events become yaku, han, fu and points under a rule set.

    hand = parse_hand("234567m406p88s(555z)", win="0p")
    found = evaluate(hand, Situation(seat_wind=1, round_wind=0, tsumo=True, dora=("3m",)), rules)

The library `mahjong` divides tiles, counts fu and knows standard yaku. Any text is a hand or a `HandError`,
and any hand is `Valued` or `NoWin`. Only `atozuke` false depends on the order of melds.
"""

from league.extras.calculator.rules.hand import (
    ADDED_KAN,
    CHI,
    CLOSED_KAN,
    KANS,
    MELDS,
    OPEN_KAN,
    PON,
    Meld,
    TileHand,
    parse_hand,
)
from league.extras.calculator.rules.situation import ADDED, CONCEALED, Situation, impossible_tiles
from league.extras.calculator.rules.table import (
    forbidden_discards,
    is_furiten,
    is_tenpai,
    may_kan_after_riichi,
    waits,
)
from league.extras.calculator.rules.tiles import HandError, HandProblem
from league.extras.calculator.rules.value import (
    FU_PARTS,
    GROUPS,
    FuPart,
    Group,
    Reading,
    YakuCount,
)
from league.extras.calculator.rules.win import NoWin, Valued, evaluate
