"""Short codes of hands: "S4.2" is south 4 with two honba, "E1.0.1" a redealt east 1.

The code of an unknown hand is empty, then "?1", "?2". Numbers go beyond 4 in extended games (Kanto
游戏的结束).
"""

import re
from typing import Final

from scoring.hanchan.course import WINDS, HandName, hand_name
from scoring.rules import SETTINGS, Rules

LETTERS: Final = "ESWN"
MOST_HONBA: Final = 99
MOST_DEALS: Final = 9  # times that a hand is dealt again
UNKNOWN: Final = "?"

_LONGEST_EXTENSION: Final = SETTINGS["extension_winds"].most  # winds of an extension that has no limit
_CODE: Final = re.compile(
    r"(?P<wind>[ESWN])(?P<number>[0-9]{1,2})\.(?P<honba>[0-9]{1,2})(?:\.(?P<deal>[1-9]))?", re.ASCII
)


def hand_code(name: HandName) -> str:
    return f"{LETTERS[name.round_wind]}{name.number}.{name.honba}"


def read_hand_code(text: str) -> HandName:
    """Return the hand of a code under any rules. Raises ValueError."""
    matched = _CODE.fullmatch(text)
    if matched is None:
        raise ValueError(f"no hand: {text!r}")
    letter, number, honba, _deal = matched.groups()
    return HandName(LETTERS.index(letter), int(number), int(honba))


def dealer_of(code: str) -> int | None:
    """Return the seat that deals this hand, or None for an unknown hand."""
    return (read_hand_code(code).number - 1) % 4 if is_known(code) else None


def parse_hand_code(text: str, rules: Rules) -> HandName:
    """Return the hand of a code. Raises ValueError if these rules never play it."""
    name, _ = _find_hand(text, rules)
    return name


def is_later(code: str, than: str, rules: Rules) -> bool:
    """Return whether ``code`` is played after ``than``, which may be of other rules. Raises ValueError."""
    name, turn = _find_hand(code, rules)
    try:
        other_name, other_turn = _find_hand(than, rules)
    except ValueError:
        return True
    return (turn, name.honba, deal_of(code)) > (other_turn, other_name.honba, deal_of(than))


def is_known(code: str) -> bool:
    return bool(code) and not code.startswith(UNKNOWN)


def deal_of(code: str) -> int:
    matched = _CODE.fullmatch(code)
    return int(matched["deal"] or 0) if matched else 0


def first_deal(code: str) -> str:
    return ".".join(code.split(".")[:2])


def named_hand(named: str, played: str) -> str:
    """Return the hand that a form names, or ``played``. A form does not tell redeals apart."""
    return played if named in ("", first_deal(played)) else named


def dealt_again(code: str) -> str:
    if not is_known(code):
        return next_unknown(code)
    return f"{first_deal(code)}.{min(deal_of(code) + 1, MOST_DEALS)}"


def next_unknown(code: str) -> str:
    return f"{UNKNOWN}{int(code.removeprefix(UNKNOWN) or 0) + 1}"


def hands_of(rules: Rules) -> list[str]:
    names = (hand_name(turn, 0, rules) for turn in range(_turns(rules)))
    return list(dict.fromkeys(f"{LETTERS[name.round_wind]}{name.number}" for name in names))


def following(code: str, *, dealer_stays: bool, is_draw: bool, rules: Rules) -> str | None:
    """Return the next hand's code, or None after the last hand or one of other rules."""
    try:
        name, turn = _find_hand(code, rules)
    except ValueError:
        return None
    turn += 0 if dealer_stays else 1
    if turn >= _turns(rules):
        return None
    honba = min(name.honba + 1, MOST_HONBA) if dealer_stays or is_draw else 0
    return hand_code(hand_name(turn, honba, rules))


def _find_hand(text: str, rules: Rules) -> tuple[HandName, int]:
    """Return the hand and its first turn: codes do not tell a second east 1. Raises ValueError."""
    name, first = read_hand_code(text), first_deal(text)
    for turn in range(_turns(rules)):
        if hand_code(hand_name(turn, name.honba, rules)) == first:
            return name, turn
    raise ValueError(f"not played under these rules: {text!r}")


def _turns(rules: Rules) -> int:
    if rules.game_length == "each_hand":
        return 1
    beyond = _LONGEST_EXTENSION if rules.extension_winds is None else rules.extension_winds
    return 4 * (len(WINDS[rules.game_length]) + (0 if rules.extension == "none" else beyond))
