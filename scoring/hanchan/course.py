from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.rules import SEAT, Rules
from scoring.settlement import Four

LENGTH, TARGET, BUST, AGARI_YAME, TIME = "length", "target", "bust", "agari_yame", "time"
ENDINGS: Final = (LENGTH, TARGET, BUST, AGARI_YAME, TIME)

EAST, SOUTH, WEST, NORTH = range(4)
MOST_EXTENSION_WINDS: Final = 12

# The winds of a game of each length, without an extension.
WINDS: Final[Mapping[str, tuple[int, ...]]] = {
    "east": (EAST,),
    "half": (EAST, SOUTH),
    "full": (EAST, SOUTH, WEST, NORTH),
    "east_north": (EAST, NORTH),
    "east_east": (EAST, EAST),
    "each_hand": (EAST,),
}


def last_turn(rules: Rules) -> int:
    """Return the turn of the last hand without an extension."""
    return 4 * len(WINDS[rules.game_length]) - 1


# Minutes (fewest, most) at an automatic table and with tiles mixed by hand: the beginners' guide,
# 东风战、南风战（半庄）与北风战（全庄）, from its author's experience.
_MINUTES: Final[Mapping[str, tuple[tuple[int, int], tuple[int, int]]]] = {
    "east": ((20, 25), (30, 35)),
    "half": ((40, 50), (60, 70)),
    "full": ((80, 100), (120, 140)),
}


def expected_minutes(game_length: str, *, automatic: bool) -> tuple[int, int] | None:
    """Return fewest and most minutes of a game of this length, or None without an estimate."""
    if game_length not in _MINUTES:
        return None
    at_a_machine, by_hand = _MINUTES[game_length]
    return at_a_machine if automatic else by_hand


@dataclass(frozen=True, slots=True)
class HandName:
    """The name of a hand: round wind (0 to 3), number from 1, honba. South 3-1 is `HandName(1, 3, 1)`."""

    round_wind: int
    number: int
    honba: int


def hand_name(turn: int, honba: int, rules: Rules) -> HandName:
    """Return the hand after `turn` passes of the deal. East 5 follows two east winds (Kanto 游戏的结束)."""
    winds = WINDS[rules.game_length]
    wind, deal = divmod(turn, 4)
    beyond = wind - len(winds) + 1  # winds of the extension, this one included
    if beyond <= 0:
        return HandName(winds[wind], deal + 1, honba)
    if rules.game_length == "east_east":
        return HandName(EAST, 4 * beyond + deal + 1, honba)
    return HandName((winds[-1] + beyond) % 4, deal + 1, honba)


def turn_of(name: HandName, rules: Rules) -> int:
    """Return how often the deal has passed before this hand. Raises ValueError if no game reaches it."""
    without = 4 * len(WINDS[rules.game_length])  # turns without an extension
    for turn in range(without + 4 * MOST_EXTENSION_WINDS):
        if turn >= without and not _can_go_on(turn - 4, rules):
            break
        if hand_name(turn, name.honba, rules) == name:
            return turn
    raise ValueError(f"no such hand in this rule set: {name!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """A played hand. `earned`: the dealer repeats by a win or tenpai. `late`: hands since time ran out."""

    turn: int
    points: Four
    void: bool
    repeats: bool
    earned: bool
    late: int | None


def next_turn(played: PlayedTurn, rules: Rules) -> int | str:
    """Return the turn of the next hand, or one of `ENDINGS`.

    Bust means below zero. Only the payments of a void hand can end a game. After time has run out, the hand
    is finished, including a redeal, and `extra_hands` more are played, even below the target (HKMA B: 60
    minutes and one hand).
    """
    if rules.bust and min(played.points) < 0:
        return BUST
    if played.void:
        return played.turn
    following = _in_time(played, rules)
    out_of_time = played.late is not None and played.late >= rules.extra_hands
    return TIME if out_of_time and not isinstance(following, str) else following


def _in_time(played: PlayedTurn, rules: Rules) -> int | str:
    if rules.game_length == "each_hand":  # 每局清算: a hand is settled by itself (Kanto 游戏长度)
        return LENGTH
    if _sudden_death(played, rules):
        return TARGET
    return _after_last_hand(played, rules) if _is_last(played.turn, rules) else _after_hand(played)


def _after_hand(played: PlayedTurn) -> int:
    return played.turn if played.repeats else played.turn + 1


def _after_last_hand(played: PlayedTurn, rules: Rules) -> int | str:
    """Return what follows the last hand of the game, or of a wind of its extension.

    A leading dealer who repeats ends the game (agari-yame), before a possible extension only with the target
    reached. Without `all_last_renchan` the dealer does not repeat for a win or tenpai (Kanto 半庄). A hand
    without a result is played again.
    """
    decided = _reached(played.points, rules) or not _can_go_on(played.turn, rules)
    repeats = played.repeats and (rules.all_last_renchan or not played.earned)
    if repeats and not (played.earned and decided and rules.agari_yame and _leads(played, rules)):
        return played.turn
    if repeats:
        return AGARI_YAME
    return LENGTH if decided else played.turn + 1


def _is_last(turn: int, rules: Rules) -> bool:
    return turn % 4 == NORTH and turn // 4 + 1 >= len(WINDS[rules.game_length])


def _sudden_death(played: PlayedTurn, rules: Rules) -> bool:
    """Return whether the target ends the game after any hand of an extension.

    TNT's 一位必要 is `sudden_death` with one wind. Kanto plays whole winds until the game is decided:
    `full_wind` without limit, with stopping at once as an option (游戏的结束).
    """
    extended = played.turn >= 4 * len(WINDS[rules.game_length])
    return extended and rules.extension == "sudden_death" and _reached(played.points, rules)


def _can_go_on(turn: int, rules: Rules) -> bool:
    played = turn // 4 + 1 - len(WINDS[rules.game_length])
    return rules.extension != "none" and (rules.extension_winds is None or played < rules.extension_winds)


def _reached(points: Sequence[int], rules: Rules) -> bool:
    """Return whether the first player has the target. Deposits on the table belong to no player yet."""
    return rules.target_points is None or max(points) >= rules.target_points


def _leads(played: PlayedTurn, rules: Rules) -> bool:
    """Return whether the dealer is first under the rule set's tie rule, alone or shared."""
    dealer = played.turn % 4
    leaders = [seat for seat, points in enumerate(played.points) if points == max(played.points)]
    return dealer in leaders if rules.tie_rule != SEAT else dealer == min(leaders)
