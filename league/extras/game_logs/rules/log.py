"""A game as a service logged it, whichever rules it had. Seat 0 is the first dealer."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import Final

from scoring.settlement import SEATS, Four

TENHOU, MAHJONG_SOUL = "tenhou", "mahjong_soul"
SERVICES: Final = (TENHOU, MAHJONG_SOUL)

EXHAUSTIVE, NAGASHI = "exhaustive", "nagashi"  # besides the abortive draws of `scoring.hanchan`

MOST_HANDS: Final = 80
MOST_POINTS: Final = 1_000_000
MOST_NAME: Final = 60  # characters
_HIDDEN: Final = re.compile(r"[A-DＡ-Ｄ]さん|NoName|")  # what services show instead of names
_TENHOU_REF: Final = re.compile(r"(20\d\d)(\d\d)(\d\d)\d\dgm-[0-9a-f]{4}-[0-9a-z]{1,8}-[0-9a-f]{8}", re.ASCII)
_SOUL_REF: Final = re.compile(r"(\d\d)(\d\d)(\d\d)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


def four(numbers: Iterable[int]) -> Four:
    """Return the numbers of the seats from the first dealer. Raises ValueError unless they are four."""
    east, south, west, north = numbers
    return east, south, west, north


class Unreadable(ValueError):
    """A file without a readable game of four.

    `code`: "empty", "unknown" (neither format), "large" (unpacked), "damaged" (a part is missing or wrong),
    "three_players", "not_whole" (it does not begin with east 1), "points" (those at the end do not follow
    from the hands), or "chips" (they do not sum to zero or do not follow from the hands).
    """

    @property
    def code(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedWin:
    """A win. `loser`: None by self-draw. `points`: the whole value. `yaku`: None if one has no code here.

    `han` is 0 for a yakuman. `fu` is None if the log leaves it out, as for limit hands.
    """

    winner: int
    loser: int | None
    liable: int | None
    points: int
    han: int
    fu: int | None
    is_yakuman: bool
    yaku: tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedHand:
    """A hand. `turn`: passes of the deal. `before`: points before any riichi of this hand. `deposits`: in
    points, before it. `changes` leave out the riichi deposits.

    `draw`: "" after a win. `tenpai`: None if the log does not tell. `won_on`: the seat whose riichi tile was
    won on, so that its riichi did not stand.
    """

    turn: int
    honba: int
    deposits: int
    before: Four
    changes: Four
    riichi: tuple[int, ...]
    called: tuple[int, ...]
    won_on: int | None = None
    wins: tuple[LoggedWin, ...] = ()
    draw: str = ""
    tenpai: tuple[int, ...] | None = None

    @property
    def standing(self) -> tuple[int, ...]:
        """Return the seats that paid for riichi: not the seat whose riichi tile was won on."""
        return tuple(seat for seat in self.riichi if seat != self.won_on)

    @property
    def after(self) -> Four:
        return four(self.before[seat] + self.changes[seat] - 1000 * (seat in self.standing) for seat in SEATS)


@dataclass(frozen=True, kw_only=True)
class GameLog:
    """A game. `ref`: its id on the service, or "". Settings are None if the log does not tell them.

    `ended`: whether the file has the points at the end, False if its last hand has no result, None if the
    file does not tell. `chips` (祝儀) are None if the game had none.
    """

    service: str
    ref: str
    names: tuple[str, str, str, str]
    hands: tuple[LoggedHand, ...]
    day: date | None = None
    red_fives: int | None = None
    game_length: str | None = None
    open_tanyao: bool | None = None
    ended: bool | None = None
    chips: Four | None = None

    @property
    def start_points(self) -> Four:
        return self.hands[0].before

    @property
    def last_hand(self) -> LoggedHand:
        return self.hands[-1]

    @property
    def last_dealer(self) -> int:
        return self.last_hand.turn % 4

    @property
    def points(self) -> Four:
        """Return the points after the last hand, without the deposits left on the table."""
        return self.last_hand.after

    @property
    def deposits(self) -> int:
        return sum(self.start_points) - sum(self.points)

    @cached_property
    def course(self) -> list[tuple[int, int, Four, Four]]:
        """Return turn, honba and points of each hand, which are the same for each format of the file."""
        return [(hand.turn, hand.honba, hand.before, hand.after) for hand in self.hands]

    @cached_property
    def fingerprint(self) -> str:
        """Return a digest of players and points, which is the same for each format of the file."""
        return hashlib.sha256(repr((self.names, self.course)).encode()).hexdigest()


def is_hidden(name: str) -> bool:
    """Return whether a service shows this instead of a name."""
    return _HIDDEN.fullmatch(name) is not None


def is_same_game(one: GameLog, other: GameLog) -> bool:
    """Return whether two files hold one game, also in two formats, or with a name that one of them hides."""
    if one.fingerprint == other.fingerprint:
        return True
    if one.ref and other.ref:
        return (one.service, one.ref) == (other.service, other.ref)
    names = zip(one.names, other.names, strict=True)
    agree = all(a == b or is_hidden(a) or is_hidden(b) for a, b in names)
    return agree and one.course == other.course


def agree_on_hands(one: GameLog, other: GameLog) -> bool:
    """Return whether two files of one game have the same hands, of which one may lack the last ones."""
    return all(a == b for a, b in zip(one.course, other.course, strict=False))


def best_files(logs: Sequence[GameLog]) -> list[int]:
    """Return for each log the index of the log of the same game that tells most, which may be itself."""
    best: dict[int, int] = {}
    kept: list[int] = []
    for index in sorted(range(len(logs)), key=lambda index: (*_missing(logs[index]), index)):
        same = (each for each in kept if is_same_game(logs[each], logs[index]))
        best[index] = next(same, index)
        if best[index] == index:
            kept.append(index)
    return [best[index] for index in range(len(logs))]


def join_files(logs: Sequence[GameLog]) -> list[GameLog]:
    """Return the logs, of which the best one of each game also tells what other files of the game tell."""
    best = best_files(logs)
    joined = list(logs)
    for index, other in zip(best, logs, strict=True):
        if agree_on_hands(logs[index], other):
            joined[index] = _with_facts_of(joined[index], other)
    return joined


def _with_facts_of(log: GameLog, other: GameLog) -> GameLog:
    pairs = zip(log.names, other.names, strict=True)
    east, south, west, north = (theirs if is_hidden(own) else own for own, theirs in pairs)
    service, ref = (log.service, log.ref) if log.ref or not other.ref else (other.service, other.ref)
    return replace(
        log,
        service=service,
        ref=ref,
        names=(east, south, west, north),
        day=log.day or other.day,
        ended=other.ended if log.ended is None and log.course == other.course else log.ended,
        chips=log.chips or other.chips,
    )


def _missing(log: GameLog) -> tuple[int, int]:
    """Return a sort key: logs with more hands first, then logs that hide fewer names."""
    return -len(log.hands), sum(map(is_hidden, log.names))


def read_chips(won: Sequence[Four], finals: Four | None) -> Four | None:
    """Return the chips at the end from those won in each hand, or from those that the file says at the end.

    Raises Unreadable if the two differ.
    """
    total = four(sum(seat) for seat in zip(*won, strict=True)) if won else None
    if total is not None and finals is not None and total != finals:
        raise Unreadable("chips")
    return total if finals is None else finals


def finished_log(log: GameLog, finals: Sequence[int] | None) -> GameLog:
    """Check the log as a whole and return it. `finals`: the points that it says, the deposits perhaps paid.

    Raises Unreadable.
    """
    hands = log.hands
    if not hands or len(hands) > MOST_HANDS:
        raise Unreadable("damaged")
    first = hands[0]
    if (first.turn, first.honba, first.deposits) != (0, 0, 0):
        raise Unreadable("not_whole")
    for each in hands:
        every = (*each.before, *each.changes, each.deposits)
        if any(abs(points) > MOST_POINTS or points % 100 for points in every) or each.deposits % 1000:
            raise Unreadable("damaged")
    for each, following in pairwise(hands):
        if each.after != following.before:
            raise Unreadable("points")
    if log.deposits < 0 or log.deposits % 1000:
        raise Unreadable("points")
    if log.chips is not None and (sum(log.chips) != 0 or max(map(abs, log.chips)) > MOST_POINTS):
        raise Unreadable("chips")
    if finals is not None and sorted(finals) not in (sorted(log.points), _with_deposits(log)):
        raise Unreadable("points")
    return log


def _with_deposits(log: GameLog) -> list[int]:
    *others, first = sorted(log.points)
    return [*others, first + log.deposits]


def clean_name(text: str) -> str:
    """Return a name without characters that no page shows."""
    kept = (c for c in text if not unicodedata.category(c).startswith("C"))
    return "".join(kept).strip()[:MOST_NAME]


def find_ref(text: str) -> tuple[str, str, date | None]:
    """Return service, id and day of a game from its id, or from a name of a file with it."""
    if found := _TENHOU_REF.search(text):
        return TENHOU, found.group(), _day(found, 0)
    if found := _SOUL_REF.search(text):
        return MAHJONG_SOUL, found.group(), _day(found, 2000)
    return "", "", None


def _day(found: re.Match[str], century: int) -> date | None:
    year, month, day = map(int, found.groups())
    try:
        return date(century + year, month, day)
    except ValueError:
        return None
