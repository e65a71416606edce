"""The log of a table's hands, and the game that follows from it.

Entries are only added, in the order of their numbers. A hand is named by the number of the entry that added
it. A *code* (`scoring.hand_codes`) also tells redeals apart, because a win ban lasts for one deal.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from scoring.hanchan import Game, Hand, IllegalHand, Malformed, new_game, play
from scoring.hanchan.game import FIRST, RULED
from scoring.hand_codes import (
    MOST_DEALS,
    MOST_HONBA,
    deal_of,
    first_deal,
    following,
    hand_code,
    is_known,
    parse_hand_code,
    read_hand_code,
)
from scoring.rules import Rules
from scoring.settlement import Four

HAND, CORRECT, INSERT, REMOVE = "hand", "correct", "insert", "remove"
RIICHI, STEP, NAME, START = "riichi", "step", "name", "start"
STAYS, PASSES, DRAW = "stays", "passes", "draw"
STEPS: Final = (STAYS, PASSES, DRAW)  # the dealer stays, the deal passes, or it passes after a draw
CHANGES: Final = (CORRECT, INSERT, REMOVE)  # of an earlier hand, named by `target`
POINTS: Final = (HAND, INSERT, RIICHI, START)  # a table with one of these keeps points
PARTS: Final = {  # of the facts of entries without a hand
    REMOVE: frozenset[str](),
    RIICHI: frozenset({"seats"}),
    STEP: frozenset({"how"}),
    NAME: frozenset({"hand"}),
    START: frozenset({"points", "deposits", "hand"}),
}
FIRST_HAND: Final = hand_code(FIRST)


@dataclass(frozen=True, slots=True)
class LogEntry:
    number: int
    kind: str
    facts: Mapping[str, Any]
    target: int | None = None


class BadEntry(ValueError):
    """An entry that does not fit the log before it. `code`: one of `BAD`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


BAD: Final = (
    "target",  # no such hand, or it was removed
    "keeps_points",  # a step or another name of the hand, where the hands say which one is played
    "unknown_hand",  # a step from an unknown hand
    "no_next_hand",  # a step from the last hand of these rules
    "no_points",  # a hand at a table whose points at its start are unknown
    "start",  # points and deposits are not those of a game
    "malformed",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGame:
    """A table after its log. `game`: None if it keeps no points. `hand`: code of the hand in play, or "".

    `riichi`: seats that declared in that hand. `number`: of the last entry. `numbers` and `codes`: of the
    game's hands. `broken`: the hand that these rules refuse, after which nothing was played.
    """

    game: Game | None = None
    hand: str = ""
    riichi: tuple[int, ...] = ()
    number: int = 0
    numbers: tuple[int, ...] = ()
    codes: tuple[str, ...] = ()
    broken: IllegalHand | None = None

    @property
    def points_now(self) -> Four | None:
        """Return the points with the riichi sticks of the hand in play on the table."""
        if self.game is None:
            return None
        east, south, west, north = (
            points - 1000 * (seat in self.riichi) for seat, points in enumerate(self.game.points)
        )
        return east, south, west, north

    @property
    def deposits_now(self) -> int:
        return (self.game.deposits if self.game else 0) + 1000 * len(self.riichi)


def read_log(entries: Iterable[LogEntry], rules: Rules, *, hand: str = "") -> TableGame:
    """Replay a log. `hand`: the code that was noted before its first entry.

    Raises `BadEntry`. Raises `IllegalHand`, with the `index` of the hand, or see `read_kept_log`.
    """
    return _replay(_collected(entries, rules, hand), rules)


def read_kept_log(entries: Iterable[LogEntry], rules: Rules, *, hand: str = "") -> TableGame:
    """Replay a saved log as far as the rules allow, because they may have changed since."""
    log = _Log(rules, hand)
    for entry in entries:
        try:
            log.add(entry)
        except BadEntry:
            log.number = entry.number
    try:
        return _replay(log, rules)
    except BadEntry:
        return TableGame(hand=log.before, number=log.number)
    except IllegalHand as illegal:
        return _replay(log, rules, until=illegal)


class _Log:
    """The sum of the entries: numbered hands, and redeals by a ruling between them."""

    def __init__(self, rules: Rules, hand: str) -> None:
        self.rules, self.before, self.number = rules, hand, 0
        self.keeps_points = False
        self.start: tuple[Four, int] | None = None
        self.items: list[tuple[int, Hand | str]] = []
        self.riichi: tuple[int, ...] = ()

    def add(self, entry: LogEntry) -> None:
        if not PARTS.get(entry.kind, entry.facts.keys()) >= entry.facts.keys():
            raise BadEntry("malformed")
        if entry.kind in POINTS and not self.keeps_points:
            self._begin(entry)
        try:
            getattr(self, f"_{entry.kind}")(entry)
        except (KeyError, TypeError, Malformed):
            raise BadEntry("malformed") from None
        self.number = entry.number

    @property
    def hands(self) -> list[int]:
        return [number for number, item in self.items if isinstance(item, Hand)]

    def _begin(self, entry: LogEntry) -> None:
        if (
            entry.kind != START
            and self.before not in ("", FIRST_HAND)
            and first_deal(self.before) != FIRST_HAND
        ):
            raise BadEntry("no_points")
        self.keeps_points = True

    def _hand(self, entry: LogEntry) -> None:
        self.items.append((entry.number, Hand.from_values(entry.facts)))
        self.riichi = ()

    def _index(self, entry: LogEntry) -> int:
        for index, (number, item) in enumerate(self.items):
            if number == entry.target and isinstance(item, Hand):
                return index
        raise BadEntry("target")

    def _correct(self, entry: LogEntry) -> None:
        index = self._index(entry)
        number, _hand = self.items[index]
        self.items[index] = (number, Hand.from_values(entry.facts))

    def _insert(self, entry: LogEntry) -> None:
        self.items.insert(self._index(entry), (entry.number, Hand.from_values(entry.facts)))

    def _remove(self, entry: LogEntry) -> None:
        """Remove a hand. After the last one is undone, its riichi have been declared again."""
        index = self._index(entry)
        _number, hand = self.items.pop(index)
        assert isinstance(hand, Hand)
        if not any(isinstance(item, Hand) for _number, item in self.items[index:]):
            del self.items[index:]
            self.riichi = tuple(each.seat for each in hand.standing_riichi)

    def _riichi(self, entry: LogEntry) -> None:
        seats = entry.facts["seats"]
        if not isinstance(seats, Sequence) or not all(type(seat) is int and 0 <= seat < 4 for seat in seats):
            raise BadEntry("malformed")
        self.riichi = tuple(sorted(set(seats)))

    def _step(self, entry: LogEntry) -> None:
        how = entry.facts["how"]
        if how not in STEPS:
            raise BadEntry("malformed")
        if self.start or self.hands:
            raise BadEntry("keeps_points")
        if self.before and not is_known(self.before):
            raise BadEntry("unknown_hand")
        now = self.before or FIRST_HAND
        code = following(now, dealer_stays=how == STAYS, is_draw=how == DRAW, rules=self.rules)
        if code is None:
            raise BadEntry("no_next_hand")
        self._name_hand(code)

    def _name(self, entry: LogEntry) -> None:
        """Name the hand in play. Where hands are kept, only a redeal of the same one is possible."""
        code = _code_in(entry.facts["hand"])
        if self.hands:
            self.items.append((entry.number, code))
            self.riichi = ()
        else:
            self._name_hand(code)

    def _name_hand(self, code: str) -> None:
        self.before, self.riichi = code, ()
        self.keeps_points = self.start is not None

    def _start(self, entry: LogEntry) -> None:
        points, deposits = entry.facts["points"], entry.facts.get("deposits", 0)
        whole = isinstance(points, Sequence) and [each for each in (*points, deposits) if type(each) is int]
        if not whole or len(whole) != 5 or any(each % 100 for each in whole) or deposits % 1000:
            raise BadEntry("start")
        if "hand" in entry.facts:
            self.before = _code_in(entry.facts["hand"])
        if self.before and not is_known(self.before):
            raise BadEntry("unknown_hand")
        east, south, west, north = points
        self.start = (east, south, west, north), deposits


def _code_in(code: object) -> str:
    """Return a hand's code, or that of an unknown one such as "?2", under any rules. Raises BadEntry."""
    if isinstance(code, str) and _UNKNOWN.fullmatch(code):
        return code
    try:
        read_hand_code(str(code))
    except ValueError:
        raise BadEntry("malformed") from None
    return str(code)


_UNKNOWN: Final = re.compile(r"(\?[0-9]{1,9})?", re.ASCII)


def _collected(entries: Iterable[LogEntry], rules: Rules, hand: str) -> _Log:
    log = _Log(rules, hand)
    for entry in entries:
        log.add(entry)
    return log


def _replay(log: _Log, rules: Rules, *, until: IllegalHand | None = None) -> TableGame:
    """Play the hands. `until`: stop before the hand of this index, which the rules refuse."""
    if not log.keeps_points:
        return TableGame(hand=log.before, number=log.number)
    game, redeals = _beginning(log, rules), deal_of(log.before)
    codes: list[str] = []
    chombo = 0  # a ruling and the chombo that is entered for it are one redeal
    for number, item in log.items:
        code = _code(game, max(redeals, chombo))
        if isinstance(item, str):
            if first_deal(item) == first_deal(code):
                redeals = max(redeals, deal_of(item))
            elif number == log.number:  # a later correction may turn an earlier one into another hand
                raise BadEntry("keeps_points")
            continue
        if until and len(codes) == until.index:
            break
        before, game = game, play(game, item)
        codes.append(code)
        if game.over is None and game.last_step.result != RULED:
            again = (before.turn, before.honba) == (game.turn, game.honba)
            redeals, chombo = (redeals, chombo + 1) if again else (0, 0)
    return TableGame(
        game=game,
        hand=_code(game, max(redeals, chombo)),
        riichi=() if until else log.riichi,
        number=log.number,
        numbers=tuple(log.hands[: len(codes)]),
        codes=tuple(codes),
        broken=until,
    )


def _beginning(log: _Log, rules: Rules) -> Game:
    try:
        at = parse_hand_code(log.before, rules) if is_known(log.before) else FIRST
        if log.start is None:
            return new_game(rules, at=at)
        points, deposits = log.start
        return new_game(rules, at=at, points=points, deposits=deposits)
    except ValueError:
        raise BadEntry("start") from None


def _code(game: Game, deals: int) -> str:
    code = hand_code(replace(game.name, honba=min(game.honba, MOST_HONBA)))
    return f"{code}.{min(deals, MOST_DEALS)}" if deals else code


# Players who change seats

_SEAT: Final = frozenset({"loser", "winner", "player", "seat"})
_SEATS: Final = frozenset(
    {"tenpai", "hidden", "noten_riichi", "seats", "winners", "win_bans", "dead_hands", "called"}
)
_BY_SEAT: Final = frozenset({"points", "extra_tiles"})


def reseated(facts: object, seats: Sequence[int]) -> Any:
    """Return an entry's facts with each seat's facts at its new place. `seats`: the new seat of each seat."""
    if isinstance(facts, Mapping):
        return {name: _reseated_part(name, value, seats) for name, value in facts.items()}
    return [reseated(fact, seats) for fact in facts] if isinstance(facts, list) else facts


def _reseated_part(name: str, value: Any, seats: Sequence[int]) -> object:
    if name in _SEAT:
        return seats[value]
    if name in _SEATS:
        return sorted(seats[seat] for seat in value)
    if name in _BY_SEAT:
        return [value[seats.index(seat)] for seat in range(len(seats))]
    return reseated(value, seats)
