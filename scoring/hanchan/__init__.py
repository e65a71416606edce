"""A hanchan hand by hand: a log of what happened → points after every hand, who deals, the round wind, honba,
deposits, and when and why the game ends.

Terms: seats are 0 to 3, east to north at the start; 0 is the first dealer. A *hand* is one entry of the log:
its outcome and the facts beside it (`facts`). A *turn* counts how often the deal has passed on. A *void* hand
is dealt again as if it had not been played. Points and deposits are in points, time in whole minutes since
the game began.

Promises: a game is what `replay` makes of its rules and hands, so a correction replays the corrected log.
Points and deposits always sum to four times the start. A hand that cannot have happened is refused with every
reason at once (`problems`); all others lead to a game that goes on or says why it is over. The order of the
facts of a hand does not matter, except who became liable first (`payments.Win.liable`).

`settlement.settle` needs `game.points`, `game.deposits` and `game.last_dealer`.
"""

from scoring.hanchan.course import (
    AGARI_YAME,
    BUST,
    ENDINGS,
    LENGTH,
    TARGET,
    TIME,
    HandName,
    hand_name,
)
from scoring.hanchan.facts import (
    ABORTS,
    SANCHAHOU,
    Abort,
    Chombo,
    ExhaustiveDraw,
    Foul,
    Hand,
    Malformed,
    Nagashi,
    Outcome,
    Riichi,
    Ron,
    Tsumo,
)
from scoring.hanchan.game import (
    Game,
    GameStep,
    IllegalHand,
    check,
    correct,
    from_values,
    new_game,
    play,
    replay,
    undo,
)
from scoring.hanchan.problems import PROBLEMS, HanchanProblem

__all__ = [
    "ABORTS",
    "AGARI_YAME",
    "BUST",
    "ENDINGS",
    "LENGTH",
    "PROBLEMS",
    "SANCHAHOU",
    "TARGET",
    "TIME",
    "Abort",
    "Chombo",
    "ExhaustiveDraw",
    "Foul",
    "Game",
    "GameStep",
    "HanchanProblem",
    "Hand",
    "HandName",
    "IllegalHand",
    "Malformed",
    "Nagashi",
    "Outcome",
    "Riichi",
    "Ron",
    "Tsumo",
    "check",
    "correct",
    "from_values",
    "hand_name",
    "new_game",
    "play",
    "replay",
    "undo",
]
