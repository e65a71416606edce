"""The JSON format of tenhou.net/6, in which tools save games of Mahjong Soul too.

A hand is a list: [turn, honba, deposits], four scores, dora, ura dora, then the starting tiles, draws and
discards of each seat, and the result. `sc` holds points and score of each seat at the end, and with chips
four more pairs that begin with those. A draw with a letter is a call (c chii, p pon, m open kan). A discard
with an r declares riichi, with a or k it is a closed or added kan. Sources: the editor at tenhou.net/6, and
the parser `riichi::interop::tenhou_log_json` (docs.rs/riichi).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from league.extras.game_logs.rules.log import (
    EXHAUSTIVE,
    MAHJONG_SOUL,
    NAGASHI,
    TENHOU,
    GameLog,
    LoggedHand,
    LoggedWin,
    Unreadable,
    clean_name,
    find_ref,
    finished_log,
    four,
)
from league.extras.game_logs.rules.yaku import read_named_yaku
from scoring.hanchan.facts import KYUUSHU_KYUUHAI, SANCHAHOU, SUUCHA_RIICHI, SUUFON_RENDA
from scoring.settlement import SEATS, Four

_WIN: Final = ("和了", "Agari")
_DRAWS: Final[Mapping[str, str]] = {
    "流局": EXHAUSTIVE,
    "全員聴牌": EXHAUSTIVE,
    "全員不聴": EXHAUSTIVE,
    "流し満貫": NAGASHI,
    "九種九牌": KYUUSHU_KYUUHAI,
    "四風連打": SUUFON_RENDA,
    "四家立直": SUUCHA_RIICHI,
    "四槓散了": "suukaikan",
    "四開槓": "suukaikan",
    "三家和了": SANCHAHOU,
    "三家和": SANCHAHOU,
}
_TENPAI: Final[Mapping[str, tuple[int, ...]]] = {"全員聴牌": (0, 1, 2, 3), "全員不聴": ()}
_HAN: Final = re.compile(r"(?P<fu>\d{1,3})符(?P<han>\d{1,2})飜")
_POINTS: Final = re.compile(r"(\d{3,6})(?:-(\d{3,6}))?点(∀?)")
NO_CHANGES: Final[Four] = (0, 0, 0, 0)


def read_json_log(values: Any, file_name: str) -> GameLog:
    """Read a log. Raises Unreadable, and KeyError, IndexError, TypeError or ValueError for a damaged one."""
    names, rule = values["name"], values.get("rule") or {}
    played = str(rule.get("disp", ""))
    if len([name for name in names if name]) == 3 or "三" in played:
        raise Unreadable("three_players")
    east, south, west, north = (clean_name(name) for name in names)
    service, ref, day = find_ref(str(values.get("ref", "")))
    if not ref:
        service, ref, day = find_ref(file_name)
    shown, finals = any(sign in played for sign in "東南"), values.get("sc") or []
    log = GameLog(
        service=service or (MAHJONG_SOUL if "aka51" in rule or "間" in played else TENHOU),
        ref=ref,
        names=(east, south, west, north),
        hands=_hands(values["log"]),
        day=day,
        red_fives=_red_fives(rule),
        game_length=("half" if "南" in played else "east") if shown else None,
        open_tanyao="喰" in played if shown else None,
        ended=True if finals else None,
        chips=four(map(_whole, finals[8:16:2])) if len(finals) == 16 else None,
    )
    return finished_log(log, [_whole(each) for each in finals[:8:2]] if finals else None)


def _hands(parts: Sequence[Any]) -> tuple[LoggedHand, ...]:
    """Read the hands. The points after three wins on a riichi tile tell whose it was."""
    hands = [_hand(part) for part in parts]
    for index, (hand, following) in enumerate(pairwise(hands)):
        if hand.draw == SANCHAHOU and hand.after != following.before:
            read = [replace(hand, won_on=seat) for seat in hand.riichi]
            hands[index] = next((each for each in read if each.after == following.before), hand)
    return tuple(hands)


def _red_fives(rule: Mapping[str, Any]) -> int | None:
    by_suit = [_whole(rule[name]) for name in ("aka51", "aka52", "aka53") if name in rule]
    if by_suit:
        return sum(by_suit)
    return (3 if _whole(rule["aka"]) else 0) if "aka" in rule else None


def _hand(parts: Sequence[Any]) -> LoggedHand:
    (turn, honba, sticks), points, _dora, _ura, *tiles, result = parts
    draws, discards = tiles[1::3], tiles[2::3]
    if len(tiles) != 12:
        raise ValueError("not the tiles of four")
    declared = [any("r" in str(each) for each in seat) for seat in discards]
    last_riichi = [seat for seat in SEATS if discards[seat] and "r" in str(discards[seat][-1])]
    wins, changes = _wins(result)
    losers = {win.loser for win in wins}
    outcome, *further = result
    word = "" if wins else str(outcome)
    moved = next(iter(further), None)
    if moved and not wins:
        changes = _four(moved)
    draw = "" if wins else _DRAWS[word]
    return LoggedHand(
        turn=_whole(turn),
        honba=_whole(honba),
        deposits=1000 * _whole(sticks),
        before=_four(points),
        changes=changes,
        riichi=tuple(seat for seat in SEATS if declared[seat]),
        called=tuple(seat for seat in SEATS if _has_called(draws[seat])),
        won_on=next((seat for seat in last_riichi if seat in losers), None),
        wins=wins,
        draw=draw,
        tenpai=_tenpai(word, changes) if draw == EXHAUSTIVE else None,
    )


def _has_called(draws: Sequence[Any]) -> bool:
    return any(isinstance(draw, str) and any(letter in draw for letter in "cpm") for draw in draws)


def _tenpai(word: str, changes: Four) -> tuple[int, ...] | None:
    """Return None for a draw without payments, of which only some tools say who was tenpai."""
    if any(changes):
        return tuple(seat for seat in SEATS if changes[seat] > 0)
    return _TENPAI.get(word)


def _wins(result: Sequence[Any]) -> tuple[tuple[LoggedWin, ...], Four]:
    outcome, *rest = result
    if outcome not in _WIN:
        return (), NO_CHANGES
    moved, details = [_four(each) for each in rest[::2]], rest[1::2]
    if not details or len(moved) != len(details):
        raise ValueError("not the result of a win")
    return tuple(map(_win, details)), four(map(sum, zip(*moved, strict=True)))


def _win(details: Sequence[Any]) -> LoggedWin:
    winner, loser, liable, value, *yaku = details
    read = map(read_named_yaku, yaku)
    # Ura dora of no value are listed, too.
    found = [(code, han, yakuman) for code, han, yakuman in read if han or yakuman]
    counted, points = _HAN.search(value), _POINTS.search(value)
    if points is None:
        raise ValueError(f"no points: {value!r}")
    each, dealers, all_ = points.groups()
    worth = 3 * int(each) if all_ else 2 * int(each) + int(dealers) if dealers else int(each)
    codes = [code for code, _han, _yakuman in found if code is not None]
    return LoggedWin(
        winner=_seat(winner),
        loser=None if winner == loser else _seat(loser),
        liable=None if liable == winner else _seat(liable),
        points=worth,
        han=int(counted["han"]) if counted else sum(han for _code, han, _yakuman in found),
        fu=int(counted["fu"]) if counted else None,
        is_yakuman=any(yakuman for _code, _han, yakuman in found),
        yaku=tuple(codes) if len(codes) == len(found) else None,
    )


def _four(values: Sequence[Any]) -> Four:
    return four(map(_whole, values))


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"no whole number: {value!r}")
    return value


def _seat(value: Any) -> int:
    if _whole(value) not in SEATS:
        raise ValueError(f"no seat: {value!r}")
    return int(value)
