"""A hanchan hand by hand: a log of what happened at the table → points after every hand, who deals, the round
wind, honba, deposits, and when and why the game ends.

Terms: seats are 0 to 3, east to north at the start, 0 is the first dealer. A *hand* is one entry of the log:
its outcome and the facts beside it (`facts`). A *turn* is how often the deal has passed on. A *void* hand is
dealt again as if it had not been played. Points and deposits are in points, time is in whole minutes since
the game began.

Promises: every game is what `replay` makes of its rules and its hands, so that a correction is the replay of
the corrected log. The points and the deposits of a game always sum to four times the start. A hand that
cannot have happened is refused with every reason at once (`problems`); all others lead to a game that goes on
or says why it is over. The order in which the facts of a hand are given never matters; only who became liable
first is itself a fact (`payments.Win.liable`).

`game.points`, `game.deposits` and `game.last_dealer` are what `settlement.settle` needs.
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
    Draw,
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
    IllegalHand,
    Step,
    check,
    correct,
    from_values,
    new_game,
    play,
    replay,
    undo,
)
from scoring.hanchan.problems import PROBLEMS, Problem

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
    "Draw",
    "Foul",
    "Game",
    "Hand",
    "HandName",
    "IllegalHand",
    "Malformed",
    "Nagashi",
    "Outcome",
    "Problem",
    "Riichi",
    "Ron",
    "Step",
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
