"""Tenhou's own format of games, mjlog: XML, in which each element is an event. Points are in hundreds.

GO has the rules in bits, UN the names. Of a hand: INIT its start, N a call, REACH a riichi (step 2 after the
deposit), AGARI a win, RYUUKYOKU a draw. `owari` holds the points at the end. With chips, `sc` and `owari`
hold four more pairs: those before and won, and those at the end. Sources: the documentation of
mjlog2json-core (docs.rs) and of NegativeMjark/tenhou-log.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote

from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

from league.extras.game_logs.rules.log import (
    EXHAUSTIVE,
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
    read_chips,
)
from league.extras.game_logs.rules.yaku import CODES
from scoring.hanchan.facts import KYUUSHU_KYUUHAI, SANCHAHOU, SUUCHA_RIICHI, SUUFON_RENDA
from scoring.settlement import SEATS, Four

_NO_RED_FIVES, _NO_OPEN_TANYAO, _HALF, _THREE = 0x02, 0x04, 0x08, 0x10  # bits of GO's `type`
_CHII, _PON, _ADDED_KAN, _NORTH, _FROM = 0x04, 0x08, 0x10, 0x20, 0x03  # bits of a call's `m`
_DRAWS: Final[Mapping[str, str]] = {
    "": EXHAUSTIVE,
    "nm": NAGASHI,
    "yao9": KYUUSHU_KYUUHAI,
    "kaze4": SUUFON_RENDA,
    "reach4": SUUCHA_RIICHI,
    "ron3": SANCHAHOU,
    "kan4": "suukaikan",
}
Attributes = Mapping[str, str]


@dataclass(slots=True)
class _Hand:
    """The events of a hand. Seats as in the file. `unpaid`: the seat whose riichi has no deposit."""

    start: Attributes
    declared: list[int] = field(default_factory=list)
    called: set[int] = field(default_factory=set)
    unpaid: int | None = None
    ends: list[Attributes] = field(default_factory=list)


def read_mjlog(text: bytes, file_name: str) -> GameLog:
    """Read a log. Raises Unreadable, and KeyError, IndexError, TypeError or ValueError for a damaged one."""
    root = fromstring(text, forbid_dtd=True)
    if root.tag != "mjloggm":
        raise Unreadable("unknown")
    go: Attributes = {}
    names: list[str] = []
    hands: list[_Hand] = []
    for event in root:
        found = event.attrib
        if event.tag == "GO":
            go = found
        elif event.tag == "UN" and not names:  # later ones are reconnections
            names = [clean_name(unquote(found.get(f"n{seat}", ""))) for seat in SEATS]
        elif event.tag == "INIT":
            hands.append(_Hand(found))
        elif hands:
            _add_event(hands[-1], event.tag, found)
    rules = int(go.get("type", "0"))
    ended = _ended(hands)
    if rules & _THREE or (names and not names[3]):
        raise Unreadable("three_players")
    first = int(hands[0].start["oya"])
    service, ref, day = find_ref(file_name)
    east, south, west, north = (names[(seat + first) % 4] for seat in SEATS)
    log = GameLog(
        service=service or TENHOU,
        ref=ref,
        names=(east, south, west, north),
        hands=tuple(_logged(hand, first) for hand in hands if hand.ends),
        day=day,
        red_fives=(0 if rules & _NO_RED_FIVES else 3) if go else None,
        game_length=("half" if rules & _HALF else "east") if go else None,
        open_tanyao=not rules & _NO_OPEN_TANYAO if go else None,
        ended=ended,
        chips=_chips(hands, first),
    )
    finals = _finals(hands)
    return finished_log(log, [100 * int(each) for each in finals[:8:2]] if finals else None)


def _finals(hands: Sequence[_Hand]) -> list[str]:
    """Return the parts of `owari` at the end of the last hand, or an empty list."""
    owari = hands[-1].ends[-1].get("owari", "") if hands[-1].ends else ""
    return owari.split(",") if owari else []


def _ended(hands: Sequence[_Hand]) -> bool | None:
    """Return `GameLog.ended`. Raises Unreadable if a hand before the last one has no result."""
    if not all(hand.ends for hand in hands[:-1]):
        raise Unreadable("damaged")
    return False if not hands[-1].ends else True if _finals(hands) else None


def _chips(hands: Sequence[_Hand], first: int) -> Four | None:
    def turned(parts: Sequence[str]) -> Four:
        return four(int(parts[(seat + first) % 4]) for seat in SEATS)

    ends = [end["sc"].split(",") for hand in hands for end in hand.ends]
    won = [turned(parts[9:16:2]) for parts in ends if len(parts) == 16]
    finals = _finals(hands)
    return read_chips(won, turned(finals[8:16:2]) if len(finals) == 16 else None)


def _numbers(text: str) -> list[int]:
    return [int(each) for each in text.split(",") if each]


def _add_event(hand: _Hand, tag: str, found: Attributes) -> None:
    if tag in ("AGARI", "RYUUKYOKU"):
        hand.ends.append({**found, "tag": tag})
    elif tag == "N":
        if _is_call(int(found["m"])):
            hand.called.add(int(found["who"]))
    elif tag == "REACH":
        hand.unpaid = int(found["who"]) if found["step"] == "1" else None
        if hand.unpaid is not None:
            hand.declared.append(hand.unpaid)


def _is_call(meld: int) -> bool:
    """Return whether a tile of another player was called. An added kan follows a pon."""
    if meld & (_CHII | _PON | _ADDED_KAN):
        return True
    return not meld & _NORTH and bool(meld & _FROM)  # a closed kan is from nobody


def _logged(hand: _Hand, first: int) -> LoggedHand:
    def seat(text: str) -> int:
        number = int(text)
        if number not in SEATS:
            raise ValueError(f"no seat: {text!r}")
        return (number - first) % 4

    def turned(numbers: Sequence[int]) -> Four:
        return four(100 * numbers[(each + first) % 4] for each in SEATS)

    turn, honba, sticks = _numbers(hand.start["seed"])[:3]
    moved = [turned(_numbers(end["sc"])[1::2]) for end in hand.ends]
    last = hand.ends[-1]
    wins = tuple(_win(end, seat) for end in hand.ends if end["tag"] == "AGARI")
    draw = "" if wins else _DRAWS[last.get("type", "")]
    shown = tuple(sorted(seat(str(each)) for each in SEATS if f"hai{each}" in last))
    return LoggedHand(
        turn=turn,
        honba=honba,
        deposits=1000 * sticks,
        before=turned(_numbers(hand.start["ten"])),
        changes=four(map(sum, zip(*moved, strict=True))),
        riichi=tuple(sorted({seat(str(each)) for each in hand.declared})),
        called=tuple(sorted(seat(str(each)) for each in hand.called)),
        won_on=None if hand.unpaid is None else seat(str(hand.unpaid)),
        wins=wins,
        draw=draw,
        tenpai=shown if draw in (EXHAUSTIVE, NAGASHI) else None,
    )


def _win(end: Attributes, seat: Callable[[str], int]) -> LoggedWin:
    fu, points, _limit = _numbers(end["ten"])
    named, yakuman = _numbers(end.get("yaku", "")), _numbers(end.get("yakuman", ""))
    counted = [each for each, han in zip(named[::2], named[1::2], strict=True) if han]
    winner = seat(end["who"])
    return LoggedWin(
        winner=winner,
        loser=None if end["fromWho"] == end["who"] else seat(end["fromWho"]),
        liable=seat(end["paoWho"]) if "paoWho" in end else None,
        points=points,
        han=0 if yakuman else sum(named[1::2]),
        fu=fu,
        is_yakuman=bool(yakuman),
        yaku=tuple(CODES[each] for each in (*yakuman, *counted)),
    )
