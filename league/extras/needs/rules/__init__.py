"""A player's needs in the last hand (オーラス条件), for a place at the table or in the standings. The module
`hanchan` has those of the last hanchan.

Every hand value of the rules is tried for each winner and each way to win, and every set of tenpai players
for a draw. Consecutive values with one outcome are joined to a *span*, because a larger win can hurt: it may
end the game, or lift a third player. A game that goes on decides nothing. Liable players (pao), sashiuma and
chips are left out. Totals are in tenths.
"""

from league.extras.needs.rules.goals import (
    ENOUGH,
    MISSED,
    PLACE,
    RANK,
    REACHED,
    SHARED,
    TOTAL,
    Goal,
    Stakes,
    judge_of,
)
from league.extras.needs.rules.last_hand import (
    GOES_ON,
    After,
    Block,
    Conditions,
    DoubleRon,
    LastHand,
    Outcome,
    Reason,
    Span,
    Stretch,
    Way,
    Worth,
    conditions,
    double_rons,
    worths,
)
from league.extras.needs.rules.spoken import ANY_WIN, RON, TSUMO, Part, spoken
