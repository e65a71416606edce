"""The course of a game: which hand is played after so many turns, and when the game is over."""

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


@dataclass(frozen=True, slots=True)
class HandName:
    """A hand as players call it: round wind (0 to 3), number from 1, honba; South 3-1 is `HandName(1, 3,
    1)`.
    """

    round_wind: int
    number: int
    honba: int


def hand_name(turn: int, honba: int, rules: Rules) -> HandName:
    """The hand that is played after the deal has passed on `turn` times.

    An extension goes on with the next wind, after north with east; a game of two east winds goes on with East
    5 to East 8, then East 9 (Kanto 游戏的结束).
    """
    winds = WINDS[rules.game_length]
    wind, deal = divmod(turn, 4)
    beyond = wind - len(winds) + 1  # winds of the extension, this one included
    if beyond <= 0:
        return HandName(winds[wind], deal + 1, honba)
    if rules.game_length == "east_east":
        return HandName(EAST, 4 * beyond + deal + 1, honba)
    return HandName((winds[-1] + beyond) % 4, deal + 1, honba)


def turn_of(name: HandName, rules: Rules) -> int:
    """How often the deal has passed on before the hand of this name; raises ValueError for a hand that no
    game of the rule set reaches.
    """
    without = 4 * len(WINDS[rules.game_length])  # turns without an extension
    for turn in range(without + 4 * MOST_EXTENSION_WINDS):
        if turn >= without and not _can_go_on(turn - 4, rules):
            break
        if hand_name(turn, name.honba, rules) == name:
            return turn
    raise ValueError(f"no such hand in this rule set: {name!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTurn:
    """A hand that was played. `repeats`: the dealer deals again; `earned`: by a win or by tenpai. `late`:
    hands played since the time ran out, None before.
    """

    turn: int
    points: Four
    void: bool
    repeats: bool
    earned: bool
    late: int | None


def next_turn(played: PlayedTurn, rules: Rules) -> int | str:
    """The turn of the next hand, or one of `ENDINGS`.

    Below zero a player is bust, at zero not. A void hand is dealt again; only its payments can end a game.
    When the time has run out the hand is finished, a redeal included, and `extra_hands` more are played (HKMA
    B: 60 minutes and one hand), even below the target.
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
    """What follows the last hand of the game, or of a wind of its extension.

    A dealer who leads and repeats ends the game (agari-yame); where an extension could follow, only with the
    target reached. Without `all_last_renchan` the dealer does not repeat for a win or tenpai (Kanto 半庄),
    but a hand that was broken off is played again: it had no result.
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
    """Whether the target ends the game at once: after any hand of an extension by `sudden_death`.

    TNT's 一位必要 (until the wind ends or the first has the points) is `sudden_death` with one wind. Kanto
    plays whole winds until the game is decided, which is `full_wind` without limit; to stop at once is its
    option (游戏的结束).
    """
    extended = played.turn >= 4 * len(WINDS[rules.game_length])
    return extended and rules.extension == "sudden_death" and _reached(played.points, rules)


def _can_go_on(turn: int, rules: Rules) -> bool:
    """Whether the rule set has one more wind after that of `turn`."""
    played = turn // 4 + 1 - len(WINDS[rules.game_length])
    return rules.extension != "none" and (rules.extension_winds is None or played < rules.extension_winds)


def _reached(points: Sequence[int], rules: Rules) -> bool:
    """Whether the first has the target points or more; deposits on the table belong to no player yet."""
    return rules.target_points is None or max(points) >= rules.target_points


def _leads(played: PlayedTurn, rules: Rules) -> bool:
    """Whether the dealer is first as the rule set breaks ties, alone or shared."""
    dealer = played.turn % 4
    leaders = [seat for seat, points in enumerate(played.points) if points == max(played.points)]
    return dealer in leaders if rules.tie_rule != SEAT else dealer == leaders[0]
