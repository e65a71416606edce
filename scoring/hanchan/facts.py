"""The facts of one hand and their JSON shape. Collections are sorted by seat, so that equal facts are
equal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from typing import Any, Final

from scoring.payments import HandValue, Liability, Win
from scoring.rules import SETTINGS
from scoring.settlement import Four

PASSED, CALLED, WON = "passed", "called", "won"  # what became of the tile with which riichi was declared
DECLARED: Final = (PASSED, CALLED, WON)

KYUUSHU_KYUUHAI, SUUFON_RENDA, SUUCHA_RIICHI = "kyuushu_kyuuhai", "suufon_renda", "suucha_riichi"
SANCHAHOU: Final = "sanchahou"  # three wins on one tile, where they abort the hand (`multiple_ron`)
ABORTS: Final = (*(str(choice) for choice in SETTINGS["abortive_draws"].choices), SANCHAHOU)

RON, TSUMO = "ron", "tsumo"
WINS: Final = (RON, TSUMO)

NO_EXTRA_TILES: Final[Four] = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Ron:
    """Wins on the discard (or added kan) of `loser`, including declared wins that are not paid."""

    wins: tuple[Win, ...]
    loser: int

    def __post_init__(self) -> None:
        _order(self, wins=lambda win: (win.winner, repr(win)))


@dataclass(frozen=True, slots=True)
class Tsumo:
    win: Win


@dataclass(frozen=True, slots=True)
class ExhaustiveDraw:
    """The wall ran out. `hidden`: closed tenpai. A dead hand is noten, even after riichi (EMA 2016 5.3)."""

    tenpai: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    noten_riichi: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _order(self, tenpai=_itself, hidden=_itself, noten_riichi=_itself)


@dataclass(frozen=True, slots=True)
class Nagashi:
    """The wall ran out, and `seats` discarded only uncalled terminals and honours."""

    seats: tuple[int, ...]
    tenpai: tuple[int, ...] = ()
    hidden: tuple[int, ...] = ()
    noten_riichi: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        _order(self, seats=_itself, tenpai=_itself, hidden=_itself, noten_riichi=_itself)


@dataclass(frozen=True, slots=True)
class Abort:
    reason: str


@dataclass(frozen=True, slots=True)
class Chombo:
    seats: tuple[int, ...]
    live_tiles: int | None = None

    def __post_init__(self) -> None:
        _order(self, seats=_itself)


@dataclass(frozen=True, slots=True)
class Scores:
    """A hand known only by the four scores after it, and perhaps its winners.

    `win`: `RON` with a forgotten discarder, `TSUMO`, or None. `honba`: those of the next hand, or None to
    count them as usual. `points` include all payments of the hand. The rest of the total is deposits.
    """

    points: Four
    dealer_repeats: bool
    winners: tuple[int, ...] = ()
    win: str | None = None
    honba: int | None = None

    def __post_init__(self) -> None:
        _order(self, winners=_itself)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A referee's correction between two hands: the scores after it. Dealer and honba stay."""

    points: Four


Outcome = Ron | Tsumo | ExhaustiveDraw | Nagashi | Abort | Chombo | Scores | Ruling


@dataclass(frozen=True, slots=True)
class Riichi:
    """A riichi, the fate of its tile (one of `DECLARED`), and the live tiles left if known."""

    seat: int
    tile: str = PASSED
    live_tiles: int | None = None


@dataclass(frozen=True, slots=True)
class Foul:
    """A chombo after which the hand continued, by rule or by the `referee` (HKMA 罰則 C-III)."""

    seat: int
    live_tiles: int | None = None
    referee: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """One hand. `win_bans`: seats that may not win (HKMA 3級 和了禁止, TNT 停和). `minutes`: game time at its
    end, or None. `bell`: the time ran out during this hand.

    `dead_hands` may not win and count as noten (EMA 2016 5.2). `extra_tiles`: each seat's surplus tiles.
    `called`: seats with a called tile, or None if calls are not recorded. A closed kan does not count.
    """

    outcome: Outcome
    riichi: tuple[Riichi, ...] = ()
    fouls: tuple[Foul, ...] = ()
    win_bans: tuple[int, ...] = ()
    dead_hands: tuple[int, ...] = ()
    extra_tiles: Four = NO_EXTRA_TILES
    minutes: int | None = None
    bell: bool = False
    called: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if self.called is not None:
            _order(self, called=_itself)
        _order(
            self,
            riichi=lambda each: (each.seat, repr(each)),
            fouls=lambda each: (each.seat, repr(each)),
            win_bans=_itself,
            dead_hands=_itself,
        )

    @property
    def standing_riichi(self) -> tuple[Riichi, ...]:
        """Return all riichi except one whose tile another player won with (EMA 2016 3.12)."""
        return tuple(each for each in self.riichi if each.tile != WON)

    @property
    def banned(self) -> frozenset[int]:
        """Return seats that may not win: ruling, chombo or extra tiles (HKMA A-X, EMA 2016 5.2)."""
        extra = (seat for seat, tiles in enumerate(self.extra_tiles) if tiles)
        return frozenset((*self.win_bans, *self.dead_hands, *extra, *(foul.seat for foul in self.fouls)))

    def as_values(self) -> dict[str, Any]:
        values = _dumped(self)
        assert isinstance(values, dict)
        return values

    @classmethod
    def from_values(cls, values: object) -> "Hand":
        """Read the JSON shape with defaults. Raises `Malformed`. Does not check the rules."""
        hand = _read(cls, values, "")
        assert isinstance(hand, cls)
        return hand


class Malformed(ValueError):
    """A JSON shape that is not a hand. `place`: the wrong, unknown or missing part."""

    def __init__(self, place: str) -> None:
        super().__init__(f"no hand: {place or 'the whole'}")
        self.place = place


def _itself(seat: int) -> int:
    return seat


def _order(facts: object, **keys: Callable[[Any], Any]) -> None:
    for name, key in keys.items():
        object.__setattr__(facts, name, tuple(sorted(getattr(facts, name), key=key)))


# JSON

OUTCOMES: Final[Mapping[str, type]] = {
    RON: Ron,
    TSUMO: Tsumo,
    "draw": ExhaustiveDraw,
    "nagashi": Nagashi,
    "abort": Abort,
    "chombo": Chombo,
    "scores": Scores,
    "ruling": Ruling,
}
_RECORDED: Final = ("called", "yaku")  # left out unless they are recorded
_KINDS: Final = {outcome: kind for kind, outcome in OUTCOMES.items()}

_Read = Callable[[object, str], object]


def _dumped(value: object) -> object:
    if is_dataclass(value):
        kind = {"kind": _KINDS[type(value)]} if type(value) in _KINDS else {}
        parts = {item.name: getattr(value, item.name) for item in fields(value)}
        known = {name: part for name, part in parts.items() if part is not None or name not in _RECORDED}
        return {**kind, **{name: _dumped(part) for name, part in known.items()}}
    return [_dumped(each) for each in value] if isinstance(value, tuple) else value


def _read(cls: type, values: object, place: str) -> object:
    parts = _PARTS[cls]
    if not isinstance(values, Mapping):
        raise Malformed(place)
    unknown = [str(name) for name in values if name not in parts]
    required = [
        item.name for item in fields(cls) if item.default is MISSING and item.default_factory is MISSING
    ]
    for name in (*unknown, *(name for name in required if name not in values)):
        raise Malformed(_inside(place, name))
    return cls(**{str(name): parts[str(name)](value, _inside(place, name)) for name, value in values.items()})


def _inside(place: str, part: object) -> str:
    return f"{place}.{part}" if place else str(part)


def _outcome(values: object, place: str) -> object:
    kind = values.get("kind") if isinstance(values, Mapping) else None
    if not isinstance(values, Mapping) or not isinstance(kind, str) or kind not in OUTCOMES:
        raise Malformed(_inside(place, "kind"))
    return _read(OUTCOMES[kind], {name: value for name, value in values.items() if name != "kind"}, place)


def _whole(value: object, place: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise Malformed(place)
    return value


def _word(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise Malformed(place)
    return value


def _yes_no(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise Malformed(place)
    return value


def _or_none(read: _Read) -> _Read:
    return lambda value, place: None if value is None else read(value, place)


def _list_of(read: _Read) -> _Read:
    return lambda value, place: tuple(
        read(each, _inside(place, number)) for number, each in enumerate(_items(value, place))
    )


def _items(value: object, place: str) -> Iterable[object]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise Malformed(place)
    return value


def _one_a_seat(value: object, place: str) -> object:
    numbers = _list_of(_whole)(value, place)
    if not isinstance(numbers, tuple) or len(numbers) != 4:
        raise Malformed(place)
    return numbers


def _of(cls: type) -> _Read:
    return lambda value, place: _read(cls, value, place)


_SHOWN: Final = dict.fromkeys(("tenpai", "hidden", "noten_riichi"), _list_of(_whole))
_PARTS: Final[Mapping[type, Mapping[str, _Read]]] = {
    Hand: {
        "outcome": _outcome,
        "riichi": _list_of(_of(Riichi)),
        "fouls": _list_of(_of(Foul)),
        "win_bans": _list_of(_whole),
        "dead_hands": _list_of(_whole),
        "extra_tiles": _one_a_seat,
        "minutes": _or_none(_whole),
        "bell": _yes_no,
        "called": _or_none(_list_of(_whole)),
    },
    Ron: {"wins": _list_of(_of(Win)), "loser": _whole},
    Tsumo: {"win": _of(Win)},
    ExhaustiveDraw: _SHOWN,
    Nagashi: {"seats": _list_of(_whole), **_SHOWN},
    Abort: {"reason": _word},
    Chombo: {"seats": _list_of(_whole), "live_tiles": _or_none(_whole)},
    Scores: {
        "points": _one_a_seat,
        "dealer_repeats": _yes_no,
        "winners": _list_of(_whole),
        "win": _or_none(_word),
        "honba": _or_none(_whole),
    },
    Ruling: {"points": _one_a_seat},
    Win: {
        "winner": _whole,
        "value": _of(HandValue),
        "liable": _list_of(_of(Liability)),
        "yaku": _or_none(_list_of(_word)),
    },
    HandValue: {
        "base": _whole,
        "han": _or_none(_whole),
        "fu": _or_none(_whole),
        "limit": _or_none(_word),
        "yakuman": _whole,
    },
    Liability: {"player": _whole, "yaku": _word, "yakuman": _or_none(_whole)},
    Riichi: {"seat": _whole, "tile": _word, "live_tiles": _or_none(_whole)},
    Foul: {"seat": _whole, "live_tiles": _or_none(_whole), "referee": _yes_no},
}
