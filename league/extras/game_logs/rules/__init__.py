"""Games of Tenhou and Mahjong Soul, read from files. Nothing here asks the services."""

from league.extras.game_logs.rules.files import read_game_log, unpacked
from league.extras.game_logs.rules.log import (
    GameLog,
    LoggedHand,
    LoggedWin,
    Unreadable,
    agree_on_hands,
    best_files,
    is_hidden,
    is_same_game,
    join_files,
)
from league.extras.game_logs.rules.replay import (
    Difference,
    Replayed,
    differences,
    replay_log,
    seems_unfinished,
)

__all__ = [
    "Difference",
    "GameLog",
    "LoggedHand",
    "LoggedWin",
    "Replayed",
    "Unreadable",
    "agree_on_hands",
    "best_files",
    "differences",
    "is_hidden",
    "is_same_game",
    "join_files",
    "read_game_log",
    "replay_log",
    "seems_unfinished",
    "unpacked",
]
