"""A game hand by hand: points after each hand, dealer, round wind, honba, deposits, and its end.

Seats are 0 to 3, east to north at the start. A *hand* is one entry of the log (`facts`). A *turn* counts how
often the deal has passed. A *void* hand is dealt again. Time is in whole minutes since the start. A
correction replays the log. Points and deposits always sum to four times the start. An impossible hand is
refused with every reason (`problems`). `settlement.settle` takes `game.points`, `game.deposits` and
`game.last_dealer`.
"""

from scoring.hanchan.course import (
    AGARI_YAME,
    BUST,
    ENDINGS,
    LENGTH,
    TARGET,
    TIME,
    HandName,
    PlayedTurn,
    hand_name,
    next_turn,
)
from scoring.hanchan.facts import (
    ABORTS,
    RON,
    SANCHAHOU,
    TSUMO,
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
    Ruling,
    Scores,
    Tsumo,
)
from scoring.hanchan.game import (
    Game,
    GameStep,
    IllegalHand,
    check,
    correct,
    foresee,
    from_values,
    insert,
    new_game,
    play,
    remove,
    replay,
    undo,
)
from scoring.hanchan.problems import PROBLEMS, HanchanProblem
