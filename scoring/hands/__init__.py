"""A winning hand: tiles and what happened become yaku, han, fu and the value under a rule set.

    hand = parse_hand("234567m406p88s(555z)", win="0p")
    found = evaluate(hand, Situation(seat_wind=1, round_wind=0, tsumo=True, dora=("3m",)), rules)

`found` is `Valued`, with every way to read the hand, best first, or `NoWin` with the reasons. The library
`mahjong` divides the tiles, counts fu and knows the shapes of the standard yaku; the rest (rule sets, local
yaku, tiles that are not yet a win) is decided here.

Promises: any text is a hand or a `HandError`; any hand in any situation under any rule set is `Valued` or
`NoWin`. The order of tiles and of indicators changes nothing; that of the melds only where a rule set asks
for a yaku from the first call on (`atozuke` false).
"""

from scoring.hands.hand import (
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
from scoring.hands.situation import ADDED, CONCEALED, Situation
from scoring.hands.table import (
    forbidden_discards,
    is_furiten,
    is_tenpai,
    may_kan_after_riichi,
    waits,
)
from scoring.hands.value import (
    FU_PARTS,
    GROUPS,
    FuPart,
    Group,
    Reading,
    YakuCount,
)
from scoring.hands.win import NoWin, Valued, evaluate
from scoring.tiles import HandError, HandProblem

__all__ = [
    "ADDED",
    "ADDED_KAN",
    "CHI",
    "CLOSED_KAN",
    "CONCEALED",
    "FU_PARTS",
    "GROUPS",
    "KANS",
    "MELDS",
    "OPEN_KAN",
    "PON",
    "FuPart",
    "Group",
    "HandError",
    "HandProblem",
    "Meld",
    "NoWin",
    "Reading",
    "Situation",
    "TileHand",
    "Valued",
    "YakuCount",
    "evaluate",
    "forbidden_discards",
    "is_furiten",
    "is_tenpai",
    "may_kan_after_riichi",
    "parse_hand",
    "waits",
]
