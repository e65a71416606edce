"""Which hand is being played, as a short code: "E1.0" is east 1 without honba, "S4.2" south 4 with two.

A hand that is dealt again is a hand of its own: "E1.0.1", then "E1.0.2". Where no one said which hand is
played the code is empty; "?1" is the unknown hand after it, "?2" the next one.

A table's current hand, a penalty and a dispute have one. The letters are those of the round wind; the numbers
go beyond 4 where a game of two east winds is extended (east 5; Kanto 游戏的结束).
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
_CODE: Final = re.compile(r"([ESWN])([0-9]{1,2})\.([0-9]{1,2})(?:\.([1-9]))?", re.ASCII)


def hand_code(name: HandName) -> str:
    """The code of a hand."""
    return f"{LETTERS[name.round_wind]}{name.number}.{name.honba}"


def read_hand_code(text: str) -> HandName:
    """The hand that a code names under any rules. Raises ValueError for any other text."""
    matched = _CODE.fullmatch(text)
    if matched is None:
        raise ValueError(f"no hand: {text!r}")
    letter, number, honba, _deal = matched.groups()
    return HandName(LETTERS.index(letter), int(number), int(honba))


def parse_hand_code(text: str, rules: Rules) -> HandName:
    """The hand that a code names. Raises ValueError for one that is never played under these rules."""
    name, _ = _found(text, rules)
    return name


def is_later(code: str, than: str, rules: Rules) -> bool:
    """Whether a table plays ``code`` after ``than``, which may be a hand of the rules before these. Raises
    ValueError for ``code`` as ``parse_hand_code`` does.
    """
    here = _found(code, rules)
    try:
        there = _found(than, rules)
    except ValueError:
        return True
    return (here[1], here[0].honba, deal_of(code)) > (there[1], there[0].honba, deal_of(than))


def is_known(code: str) -> bool:
    """Whether the code names a hand."""
    return bool(code) and not code.startswith(UNKNOWN)


def deal_of(code: str) -> int:
    """How many times the hand was dealt again."""
    matched = _CODE.fullmatch(code)
    return int(matched[4] or 0) if matched else 0


def first_deal(code: str) -> str:
    """The code of the hand as it was dealt first."""
    return ".".join(code.split(".")[:2])


def named_hand(named: str, played: str) -> str:
    """The hand that a form names (empty: none) at a table that plays ``played``: a form says no deal."""
    return played if named in ("", first_deal(played)) else named


def dealt_again(code: str) -> str:
    """The code of the same hand when it is dealt again; of an unknown one the next."""
    if not is_known(code):
        return next_unknown(code)
    return f"{first_deal(code)}.{min(deal_of(code) + 1, MOST_DEALS)}"


def next_unknown(code: str) -> str:
    """The code of the hand that follows an unknown one."""
    return f"{UNKNOWN}{int(code.removeprefix(UNKNOWN) or 0) + 1}"


def hands_of(rules: Rules) -> list[str]:
    """Every hand that these rules may play, without honba ("E1"), in playing order and each once."""
    codes = (hand_code(hand_name(turn, 0, rules)) for turn in range(_turns(rules)))
    return list(dict.fromkeys(code.partition(".")[0] for code in codes))


def following(code: str, *, dealer_stays: bool, drawn: bool, rules: Rules) -> str | None:
    """The code of the next hand: honba + 1 when the dealer stays or the hand was drawn, else none
    (`Rules.renchan` says who stays). None after the last hand that the rules may play, and after a hand of
    the rules before these.
    """
    try:
        name, turn = _found(code, rules)
    except ValueError:
        return None
    turn += 0 if dealer_stays else 1
    if turn >= _turns(rules):
        return None
    honba = min(name.honba + 1, MOST_HONBA) if dealer_stays or drawn else 0
    return hand_code(hand_name(turn, honba, rules))


def _found(text: str, rules: Rules) -> tuple[HandName, int]:
    """The hand that a code names, and the first turn on which it is played: codes do not tell a second east 1
    from the first. Raises ValueError as `parse_hand_code` does.
    """
    name, first = read_hand_code(text), first_deal(text)
    for turn in range(_turns(rules)):
        if hand_code(hand_name(turn, name.honba, rules)) == first:
            return name, turn
    raise ValueError(f"not played under these rules: {text!r}")


def _turns(rules: Rules) -> int:
    """How many turns these rules may play."""
    if rules.game_length == "each_hand":
        return 1
    beyond = _LONGEST_EXTENSION if rules.extension_winds is None else rules.extension_winds
    return 4 * (len(WINDS[rules.game_length]) + (0 if rules.extension == "none" else beyond))
